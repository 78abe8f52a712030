"""Python and C++ must read rows and recipes alike."""

import enum

import pytest

from jaxdali._base import batch
from jaxdali._device.ffi import load, recipes


@pytest.mark.parametrize(
    ("python", "compiled"),
    [
        (batch.Row, "row_fields"),
        (batch.Codec, "codecs"),
        (batch.Status, "statuses"),
        (recipes.Geometry, "geometry_fields"),
        (recipes.Filter, "filters"),
        (recipes.InstructionKind, "instruction_kinds"),
    ],
)
def test_names_and_numbers_are_those_of_the_compiled_code(python: type[enum.IntEnum], compiled):
    assert getattr(load.cpu_module(), compiled)() == {entry.name: entry.value for entry in python}


def test_alignment_is_that_of_the_compiled_code():
    assert load.cpu_module().ALIGNMENT == batch.ALIGNMENT


def test_columns_fill_the_row():
    assert [column.value for column in batch.Row] == list(range(batch.ROW_FIELDS))


def test_a_program_has_as_many_steps_at_most_as_in_the_compiled_code():
    assert load.cpu_module().MAX_INSTRUCTIONS == recipes.MAX_INSTRUCTIONS
