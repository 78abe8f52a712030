"""Operators take what DALI's take: their declarations are compared with DALI's own, as recorded in dali_schemas.json.

tests/oracles/test_schemas_beside_dali.py compares the record with the installed DALI.
"""

from __future__ import annotations

import ast
import fnmatch
from collections.abc import Iterator

import numpy as np
import pytest
from schemas import Argument, Schema, declared, recorded

from jaxdali import ConfigError, types
from jaxdali._dali.operators.declaration import COMMON, REQUIRED, Operator, Param
from jaxdali._dali.operators.old import old_arguments

DECLARED, RECORDED = declared(), recorded()
ENUMERATIONS = {
    "DATA_TYPE": types.DALIDataType,
    "INTERP_TYPE": types.DALIInterpType,
    "IMAGE_TYPE": types.DALIImageType,
}
# Values by which DALI means that nothing is given.
NOT_GIVEN = (None, "", [], -1)

# Why an argument is not as DALI declares it: the kind of the reason, by the difference and a pattern of "operator.argument".
# "more": it takes whatever DALI takes, and more. "same": only the declarations differ. "documented": docs/differences.md or
# the operator's own page says so. "not yet": it is to come.
REASONS: dict[str, dict[str, str]] = {
    # DALI takes a node with a value for each sample.
    "node": {
        "decoders.audio.sample_rate": "same",  # the operator itself looks for the node
        "*.pad_mode": "same",  # no node holds text
        "re*.src_dims": "same",  # DALI declares it, and refuses it
        "squeeze.axes": "same",  # likewise
    },
    # DALI takes a node with a value for each frame.
    "frames": {},
    # Only one value is taken.
    "value": {
        "decoders.image_crop.crop_d": "documented",
        "decoders.image_crop.crop_pos_z": "documented",
        "*.image_type": "documented",
        "readers.video*.channels": "documented",
    },
    # DALI knows the argument.
    "unknown": {},
    # DALI has another default.
    "default": {
        "*crop*.crop_[hw]": "same",  # 0, but it is known whether it was given
        "*contrast.contrast_center": "same",  # DALI's, too, is the middle of the type
        "decoders.image*.jpeg_fancy_upsampling": "documented",
        "*.axis_names": "same",  # that of `axes`
        "*.axes": "same",  # that of `axis_names`
        "*.tensor_init_bytes": "same",  # a hint
        "external_source.*": "same",  # False, but it is known whether it was given
        "random.uniform.range": "same",  # unless values= is given
        "random_bbox_crop.*": "same",  # unless crop_shape= is given
        "*.m??_filter": "same",  # that of interp_type=
        "readers.file.file_filters": "documented",
        "segmentation.*": "same",  # unless another one is given
    },
    # It must be given in one of the two.
    "required": {
        "readers.coco.file_root": "same",  # DALI refuses to run without it
        "readers.*.index_path": "more",
    },
    # A list is taken where DALI takes one.
    "list": {
        "external_source.*": "same",  # DALI's Python code takes one for each output
        "normalize.*": "more",
        "random_bbox_crop.bbox_prune_threshold": "more",
    },
    # Inputs are taken in other numbers.
    "inputs": {},
}
# Only ever lower this number.
MOST_NOT_YET = 0


def differences(name: str) -> Iterator[tuple[str, str, str]]:
    """Yields what of an operator is not as DALI declares it: which difference, "operator.argument", and a text."""
    one, schema = DECLARED[name], RECORDED[name]
    params = {param.name: param for param in one.params if not param.hidden}
    yield from _of_inputs(name, one, schema)
    for argument, theirs in schema.arguments.items():
        place = f"{name}.{argument}"
        if argument in COMMON:
            continue
        if argument in params:
            for difference, text in _of_argument(params[argument], theirs):
                yield difference, place, text
        elif argument in one.refused:
            yield "value", place, f"only {one.refused[argument].value!r}"
        elif argument not in one.accepted and argument not in old_arguments(one):
            yield "unknown", place, theirs.type


def _of_inputs(name: str, one: Operator, schema: Schema) -> Iterator[tuple[str, str, str]]:
    least, most = sum(not item.optional for item in one.inputs), len(one.inputs)
    if one.inputs and one.inputs[-1].several:
        most = schema.inputs[1]
    if (least, most) != schema.inputs:
        yield "inputs", name, f"{least} to {most}, DALI {schema.inputs}"


def _of_argument(param: Param, theirs: Argument) -> Iterator[tuple[str, str]]:
    if theirs.node and not (param.per_sample or param.chosen):
        yield "node", theirs.type
    elif theirs.frames and not param.per_sample:
        yield "frames", theirs.type
    if theirs.required != (param.default is REQUIRED):
        yield "required", f"in {'DALI' if theirs.required else 'jaxdali'}"
    if theirs.default is not None and not _same_default(param, theirs):
        yield "default", f"{param.default!r}, DALI {theirs.default}"
    if _takes_lists(param) and not theirs.type.endswith("_VEC"):
        yield "list", theirs.type


def _same_default(param: Param, theirs: Argument) -> bool:
    value = ast.literal_eval(theirs.default or "None")
    if theirs.type in ENUMERATIONS:
        value = ENUMERATIONS[theirs.type](value)
    if param.default is None or param.default is REQUIRED:
        return value in NOT_GIVEN
    try:
        ours, read = param.kind.read("ours", param.default), param.kind.read("theirs", value)
    except ConfigError:
        return False
    if np.asarray(ours).dtype.kind not in "biuf" or np.asarray(read).dtype.kind not in "biuf":
        return ours == read
    ours, read = np.ravel(ours).astype(float), np.ravel(read).astype(float)
    return ours.shape == read.shape and np.allclose(ours, read, rtol=1e-5)  # DALI shows six digits


def _takes_lists(param: Param) -> bool:
    example = next((one for one in param.kind.examples if not isinstance(one, list | tuple | str)), None)
    try:
        return example is not None and param.kind.read("list", [example, example]) is not None
    except ConfigError:
        return False


def _reasons(difference: str, place: str) -> list[str]:
    return [pattern for pattern in REASONS[difference] if fnmatch.fnmatchcase(place, pattern)]


def test_every_operator_is_recorded():
    assert DECLARED.keys() == RECORDED.keys(), "with DALI: python tests/support/schemas.py"


@pytest.mark.parametrize("name", DECLARED)
def test_an_operator_is_declared_as_in_dali(name):
    found = [one for one in differences(name) if not _reasons(one[0], one[1])]
    assert found == []


def test_every_reason_is_needed_and_fewer_are_to_come():
    found = [(difference, place) for name in DECLARED for difference, place, _ in differences(name)]
    used = {(difference, pattern) for difference, place in found for pattern in _reasons(difference, place)}
    assert used == {(difference, pattern) for difference, patterns in REASONS.items() for pattern in patterns}
    kinds = [REASONS[difference][pattern] for difference, place in found for pattern in _reasons(difference, place)[:1]]
    assert set(kinds) <= {"more", "same", "documented", "not yet"}
    assert kinds.count("not yet") == MOST_NOT_YET


@pytest.mark.parametrize("name", [name for name in DECLARED if RECORDED[name].layouts])
def test_images_without_a_layout_are_what_dali_takes_them_for(name):
    # DALI takes the first of its layouts that has as many axes.
    first: dict[int, str] = {}
    for layout in RECORDED[name].layouts[0]:
        first.setdefault(len(layout), layout)
    assert {len(one): one for one in DECLARED[name].inputs[0].assumed} == first
