"""What sources may return, and what comes out: DALI's rules for batches as a table."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from es_tools import described, make, samples

BATCH = 4
BYTES = np.arange(8, dtype=np.uint8).reshape(4, 2)
NUMBERS = np.arange(24, dtype=np.int32).reshape(4, 6)
OFF = "Don't know how to extract the shape out of <class"


class Interface:
    """An array of another library, with `__array_interface__`."""

    def __init__(self, array: np.ndarray):
        self.kept = array
        self.__array_interface__ = array.__array_interface__


class Foreign:
    """An array of a library that supports DLPack."""

    def __init__(self, array: np.ndarray):
        self.array = array

    def __dlpack__(self, **arguments):
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@functools.cache
def other_batch(ragged: bool) -> Any:
    """Returns a batch of another pipeline."""
    rows = [NUMBERS[0], NUMBERS[1, : 3 if ragged else None]]
    return make(lambda: rows, batch=True).run()[0]


# What is returned for one batch (of at most 4) -> the samples that come out, or a part of the error's text.
BATCHES: dict[str, tuple[Any, Any]] = {
    "dense": (lambda: BYTES, list(BYTES)),
    "dense of scalars": (lambda: np.arange(4, dtype=np.int16), [np.array(k, np.int16) for k in range(4)]),
    "short": (lambda: BYTES[:3], list(BYTES[:3])),
    "of one": (lambda: BYTES[:1], [BYTES[0]]),
    "empty array": (lambda: np.zeros((0, 3), np.float32), []),
    "empty row": (lambda: np.zeros((0,), np.float32), []),
    "empty list": (lambda: [], []),
    "empty tuple": (lambda: (), []),
    "of empty samples": (lambda: np.zeros((2, 0, 3), np.float32), [np.zeros((0, 3), np.float32)] * 2),
    "list with an empty sample": (lambda: [BYTES[0, :0], BYTES[0]], [BYTES[0, :0], BYTES[0]]),
    "list": (lambda: list(BYTES), list(BYTES)),
    "tuple": (lambda: tuple(BYTES), list(BYTES)),
    "list of scalars": (lambda: [np.float32(1), np.array(2, np.float32)], [np.float32(1), np.float32(2)]),
    "ragged": (lambda: [NUMBERS[0, :5], NUMBERS[1, :2]], [NUMBERS[0, :5], NUMBERS[1, :2]]),
    "columns": (lambda: NUMBERS[:, ::2], list(NUMBERS[:, ::2])),
    "fortran": (lambda: np.asfortranarray(NUMBERS), list(NUMBERS)),
    "backwards": (lambda: [NUMBERS[0, ::-1]], [NUMBERS[0, ::-1]]),
    "transposed": (lambda: NUMBERS[:, :4].T, list(NUMBERS[:, :4].T)),
    "read-only": (lambda: np.broadcast_to(NUMBERS[0], (3, 6)), [NUMBERS[0]] * 3),
    "big-endian": (lambda: np.array([[1, 2]], ">i4"), [np.int32([1, 2])]),
    "big-endian list": (lambda: [np.array([1.5, 2], ">f8")], [np.float64([1.5, 2])]),
    "interface": (lambda: Interface(NUMBERS), list(NUMBERS)),
    "list of interfaces": (lambda: [Interface(NUMBERS[0]), NUMBERS[1]], list(NUMBERS[:2])),
    "DLPack": (lambda: Foreign(NUMBERS), list(NUMBERS)),
    "list of DLPack": (lambda: [Foreign(NUMBERS[0]), NUMBERS[1]], list(NUMBERS[:2])),
    "capsule": (lambda: NUMBERS.__dlpack__(), list(NUMBERS)),
    "TensorList": (lambda: other_batch(False), list(NUMBERS[:2])),
    "ragged TensorList": (lambda: other_batch(True), [NUMBERS[0], NUMBERS[1, :3]]),
    "list of Tensors": (lambda: [other_batch(False)[1]], [NUMBERS[1]]),
    **{
        f"dtype {name}": (lambda name=name: np.array([[0, 1]], name), [np.array([0, 1], name)])
        for name in "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64".split()
    },
    "large": (lambda: np.full((1, 2), 2**63, np.uint64), [np.full(2, 2**63, np.uint64)]),
    "eight dimensions": (lambda: np.ones((1,) * 9, np.uint8), [np.ones((1,) * 8, np.uint8)]),
    "too many": (
        lambda: np.zeros((5, 2)),
        "actual: 5. Return fewer samples, or make the pipeline's batch_size larger; or was this one",
    ),
    "too many in a list": (lambda: [BYTES[0]] * 6, "unexpected batch size. Expected batch_size <= 4, actual: 6"),
    "dtypes": (
        lambda: [BYTES[0], NUMBERS[1]],
        "Sample must have the same type as the target batch, current: UINT8, new: INT32 for sample idx: 1",
    ),
    "ranks": (lambda: [BYTES[0], BYTES[:1]], "All tensors in a batch must have the same number of dimensions"),
    "text": (lambda: "abc", f"{OFF} 'str'>"),
    "None": (lambda: None, f"{OFF} 'NoneType'>"),
    "integer": (lambda: 3, f"{OFF} 'int'>"),
    "dict": (lambda: {"a": BYTES}, f"{OFF} 'dict'>"),
    "generator": (lambda: (row for row in BYTES), f"{OFF} 'generator'>"),
    "list of integers": (lambda: [1, 2], f"{OFF} 'int'>"),
    "list of lists": (lambda: [[1, 2], [3, 4]], f"{OFF} 'list'>"),
    "list of None": (lambda: [BYTES[0], None], f"{OFF} 'NoneType'>"),
    "scalar": (lambda: np.float32(1), "without dimensions as a batch"),
    "objects": (lambda: np.array([[1, "a"]], object), "Cannot create type for unknown format string"),
    "texts": (lambda: [np.array(["a"])], "Cannot create type for unknown format string"),
    "dates": (lambda: np.array([["2020-01-01"]], "M8[D]"), "Cannot create type for unknown format string"),
    "records": (lambda: np.zeros((1, 1), "i4,i4"), "Cannot create type for unknown format string"),
    "complex": (lambda: [np.complex64([1 + 2j])], "Cannot create type for unknown format string"),
    "dense complex": (lambda: np.ones((2, 3), np.complex128), "Cannot create type for unknown format string"),
    "long double": (lambda: np.ones((2, 3), np.longdouble), "Cannot create type for unknown format string"),
    "nine dimensions": (lambda: np.ones((1,) * 10, np.uint8), "at most 8"),
}

# What is returned for one sample of two -> the sample that comes out, or a part of the error's text.
SAMPLES: dict[str, tuple[Any, Any]] = {
    "array": (lambda: BYTES, BYTES),
    "scalar": (lambda: np.float32(1.5), np.float32(1.5)),
    "0-d": (lambda: np.array(3, np.int16), np.array(3, np.int16)),
    "bool": (lambda: np.bool_(True), np.bool_(True)),
    "empty": (lambda: np.zeros((0, 3), np.uint8), np.zeros((0, 3), np.uint8)),
    "columns": (lambda: NUMBERS[:, ::2], NUMBERS[:, ::2]),
    "fortran": (lambda: np.asfortranarray(NUMBERS), NUMBERS),
    "big-endian": (lambda: np.array([1, 2], ">i4"), np.int32([1, 2])),
    "big-endian scalar": (lambda: np.array(7, ">u2"), np.uint16(7)),
    "interface": (lambda: Interface(NUMBERS), NUMBERS),
    "DLPack": (lambda: Foreign(NUMBERS), NUMBERS),
    "Tensor": (lambda: other_batch(False)[1], NUMBERS[1]),
    "float16": (lambda: np.float16([1.5]), np.float16([1.5])),
    "integer": (lambda: 3, f"{OFF} 'int'>"),
    "float": (lambda: 3.5, f"{OFF} 'float'>"),
    "list": (lambda: [1, 2], f"{OFF} 'list'>"),
    "tuple of arrays": (lambda: (BYTES, BYTES), f"{OFF} 'tuple'>"),
    "None": (lambda: None, f"{OFF} 'NoneType'>"),
    "text": (lambda: "abc", f"{OFF} 'str'>"),
    "unsupported": (lambda: {1}, "Unsupported callback return type: set"),
    "complex": (lambda: np.complex64([1 + 2j]), "Cannot create type for unknown format string"),
    "object": (lambda: np.array([None]), "Cannot create type for unknown format string"),
    "nine dimensions": (lambda: np.ones((1,) * 9, np.uint8), "at most 8"),
}


def _outcome(pipe) -> Any:
    with pipe:
        error = described(pipe.build)
        seen: list = []
        return error or described(lambda: seen.extend(samples(pipe))) or seen


def table(start_method, name: str) -> list:
    """Returns, for each row of BATCHES or SAMPLES, the samples of each output, or a description of the error."""
    options: dict[str, Any] = {"start_method": start_method, "workers": 1, "depth": 1}
    results = []
    for make_value, _ in globals()[name].values():
        size, batch = (BATCH, True) if name == "BATCHES" else (2, False)
        results.append(_outcome(make(_source(make_value), batch_size=size, batch=batch, **options)))
    return results


def _source(make_value):
    return lambda where: make_value()
