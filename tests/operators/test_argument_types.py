"""A value of a wrong type is a ConfigTypeError, for every argument of every operator, and never a bare error."""

from __future__ import annotations

import numpy as np
import pytest
from schemas import declared

from jaxdali import ConfigError, ConfigTypeError, fn
from jaxdali._dali.operators.declaration import Param

ARGUMENTS = [
    (one, param)
    for one in declared().values()
    for param in one.params
    # Those of external sources are looked at together.
    if not param.hidden and one.name != "external_source" and param.name != "bytes_per_sample_hint"
]
# Of no argument's type.
NEVER = {
    "an object": object(),
    "a dictionary": {"a": 1},
    "a set": {1},
    "a complex number": 1j,
    "nothing in a list": [None],
    "objects": np.array([None]),
    "bytes": b"a",
    "an array of bytes": np.array(b"a"),
}
# Of the types of some.
SOMETIMES = {
    "lists of different lengths": [[1], [1, 2]],
    "lists in lists": [[[[1]]]],
    "text": "a\0",
    "texts": ["a"],
    "a matrix": np.array([[1, 2], [3, 4]]),
    "infinity": float("inf"),
    "no number": float("nan"),
    "a large number": 1 << 70,
    "a number far below 0": -(1 << 70),
    "large numbers": [1 << 70],
    "an empty list": [],
    "an empty text": "",
}


def reads(one, param: Param, value: object) -> str:
    try:
        one._read_one(param, value)
    except ConfigTypeError:
        return "type"
    except ConfigError:
        return "value"
    return "accepted"


@pytest.mark.parametrize("name", NEVER)
def test_what_no_argument_is(name):
    found = {f"{one.name}.{param.name}": reads(one, param, NEVER[name]) for one, param in ARGUMENTS}
    assert len(found) > 300 and {place: kind for place, kind in found.items() if kind != "type"} == {}


@pytest.mark.parametrize("name", SOMETIMES)
def test_what_some_arguments_are(name):
    found = {reads(one, param, SOMETIMES[name]) for one, param in ARGUMENTS}
    assert found <= {"type", "value", "accepted"} and len(found) > 1


def test_a_list_is_no_number_for_each_sample():
    pixels = fn.external_source(name="x")
    for value in ([0, 1], (0, 1), [1]):
        with pytest.raises(
            ConfigTypeError, match=r"fn.flip\(horizontal=\) must be a number, or a node with one per sample"
        ):
            fn.flip(pixels, horizontal=value)
    with pytest.raises(ConfigError, match="or a node with one per sample; got 2 numbers"):
        fn.flip(pixels, horizontal=np.array([0, 1]))
    assert [fn.flip(pixels, horizontal=one).call.params["horizontal"] for one in (1, np.array([1]), True)] == [1, 1, 1]
