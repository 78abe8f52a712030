"""The errors for DALI's names that jaxdali lacks. tests/oracles/test_names_beside_dali.py compares with DALI."""

from __future__ import annotations

import importlib

import pytest

import jaxdali
import jaxdali.math
from jaxdali._base import dali_names


def module_of(room):
    """Returns the module; None if jaxdali lacks it."""
    found = jaxdali
    for part in filter(None, room.split(".")):
        found = getattr(found, part, None)
    return found


MISSING = [
    pytest.param(module_of(room), room, name, id=f"{room}.{name}")
    for room, names in dali_names.NAMES.items()
    for name in names.split()
    # A name that a Pipeline lacks gets Python's own error.
    if room != "Pipeline" and module_of(room) is not None and not hasattr(module_of(room), name)
]


@pytest.mark.parametrize(("module", "room", "name"), MISSING)
def test_a_name_of_dalis_that_is_not_here_says_what_to_do(module, room, name):
    hint = dali_names.hint_for(room, name)
    assert bool(hint) != dali_names.is_to_come(room, name)
    with pytest.raises(AttributeError) as raised:
        getattr(module, name)
    text = str(raised.value)
    assert text.startswith(f"{module.__name__} has no {name!r}{':' if hint else ' yet, which DALI has.'}")
    assert hint in text


@pytest.mark.parametrize("module", ["data_node", "experimental", "experimental.eager"])
def test_a_module_of_dalis_that_is_not_here_says_so(module):
    with pytest.raises(ModuleNotFoundError, match=rf"^jaxdali has no module '{module.partition('.')[0]}'.+"):
        importlib.import_module(f"jaxdali.{module}")


def test_other_modules_are_not_found_as_ever():
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'jaxdali\.nonsense'$"):
        importlib.import_module("jaxdali.nonsense")


def test_hints_are_for_names_of_dalis_that_are_not_here():
    for room, names in dali_names.NAMES.items():
        hinted = [name for name in names.split() if dali_names.hint_for(room, name)]
        assert [name for name in hinted if hasattr(module_of(room), name)] == []
    known = {(room, name) for room, names in dali_names.NAMES.items() for name in names.split()}
    assert {(room, name) for room, hints in dali_names._HINTS.items() for name in hints} <= known


@pytest.mark.parametrize(
    ("module", "name", "words"),
    [
        (
            jaxdali.fn,
            "crop_miror_normalize",
            r"^jaxdali\.fn has no .*: did you mean crop_mirror_normalize\? https://.*/names/ lists what it has",
        ),
        (jaxdali.ops, "CropMirorNormalize", r"did you mean CropMirrorNormalize\?"),
        (
            jaxdali.types,
            "FLOAT31",
            r"did you mean FLOAT16\? https://.*/names/ lists what it has$",
        ),
        (jaxdali.backend, "TensorGPUs", r"did you mean TensorGPU\?"),
        (jaxdali.math, "sqr", r"did you mean sqrt\?"),
        (jaxdali.plugin.jax, "DALIGenericIterators", r"did you mean DALIGenericIterator\?"),
        (jaxdali, "Pipelin", r"^jaxdali has no 'Pipelin': did you mean Pipeline\?"),
    ],
)
def test_a_name_that_nobody_knows(module, name, words):
    with pytest.raises(AttributeError, match=words):
        getattr(module, name)
    assert not dali_names.is_to_come(module.__name__.partition(".")[2], name)
