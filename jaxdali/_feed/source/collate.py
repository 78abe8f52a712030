"""Converts whatever a source returns to an array that the ring accepts, or raises an error that says what to do.

The common cases (NumPy arrays and other buffers of known types, numbers in a Loader's data) never come here: the ring
reads them in native code.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from jaxdali._base.aliases import Array
from jaxdali._base.interruptions import is_interruption
from jaxdali.errors import SourceDataError
from .leaf_codec import check_convertible

__all__ = ["as_batch", "as_file", "as_sample"]

_ADVICE = (
    "Convert it in the callback: np.int32(value), np.asarray(value, np.float32), np.frombuffer(file.read(), np.uint8)."
)
_GETITEM_ADVICE = (
    "Convert it in __getitem__, e.g. with np.asarray(value, np.float32); to get it with the batch as it is, on the host, "
    "declare it: Loader(..., host=(leaf,))."
)
_BATCH_ADVICE = (
    "A batch is an array [n, ...] or a list of n arrays, which may differ in shape. For one sample a call pass "
    "batch=False."
)
_MAX_DIMENSIONS = 8  # of a sample


def as_sample(value: object, from_getitem: bool = False) -> np.ndarray:
    """Converts a sample to an array in native byte order, of a type that the ring accepts.

    Takes NumPy arrays and scalars (foreign byte order is converted), objects with `__array_interface__` or a CPU
    `__dlpack__` (torch, jax), DLPack capsules, and Tensors of another pipeline.

    Args:
        from_getitem: whether `__getitem__` of a Loader's data returned it, not a callback. Python's bool, int and float are
            then accepted, in 64 bits.

    Raises:
        SourceDataError: it is anything else, such as text, a list, a complex or object array, an integer beyond 64 bits,
            or a masked array from `__getitem__`.
    """
    if from_getitem and isinstance(value, int | float) and not isinstance(value, np.generic):
        return _number(value)
    if from_getitem:
        check_convertible(value)
    array = _native(value, _GETITEM_ADVICE if from_getitem else _ADVICE, from_getitem)
    if array.ndim > _MAX_DIMENSIONS:
        raise SourceDataError(
            f"the source returned an array of {array.ndim} dimensions; at most {_MAX_DIMENSIONS} are supported"
        )
    return array


def _number(value: bool | int | float) -> np.ndarray:
    if isinstance(value, bool):
        return np.asarray(value, np.bool_)
    if isinstance(value, float):
        return np.asarray(value, np.float64)
    try:
        return np.asarray(value, np.int64)
    except OverflowError:
        raise SourceDataError(
            f"__getitem__ returned an integer of {value.bit_length()} bits without its sign; expected one that fits int64"
        ) from None


def as_batch(value: Any) -> np.ndarray | list[object]:
    """Converts a batch to an array `[n, ...]` in native byte order, n >= 0, or a list of n samples.

    Takes what `as_sample` takes, with one more dimension, and lists, tuples, and TensorLists of another pipeline. The
    samples of a list go through `as_sample` (or `as_file`) later, when they are written.

    Raises:
        SourceDataError: it is anything else, such as text, None, a Python number, or a scalar of any kind.
    """
    if isinstance(value, list | tuple):
        return list(value)
    if hasattr(value, "is_dense_tensor") and hasattr(value, "at"):
        # A TensorList, recognized by DALI's interface because its module imports this one.
        if not value.is_dense_tensor():
            return [value.at(index) for index in range(len(value))]
        value = value.as_array()
    array = _native(value, _BATCH_ADVICE)
    if array.ndim == 0:
        raise SourceDataError(
            f"the source returned a {type(value).__name__} without dimensions as a batch: it holds a single value, not "
            f"samples. {_BATCH_ADVICE}"
        )
    if array.ndim > 1 + _MAX_DIMENSIONS:
        raise SourceDataError(
            f"the source returned a batch of {array.ndim} dimensions; a sample has at most {_MAX_DIMENSIONS}"
        )
    return array


class _Capsule:
    """Gives a DLPack capsule the methods that `np.from_dlpack` needs, which itself refuses capsules of other devices."""

    def __init__(self, capsule: object):
        self._capsule = capsule

    def __dlpack__(self, **_: object) -> object:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


def _native(value: object, advice: str, from_getitem: bool = False) -> np.ndarray:
    try:
        array = _as_array(value, advice, from_getitem)
    except SourceDataError:
        raise
    except Exception as error:
        if is_interruption(error):
            raise
        # E.g. a torch tensor that requires a gradient, or one of bfloat16.
        raise SourceDataError(
            f"the source returned a {type(value).__name__} that cannot be converted to an array: {type(error).__name__}: "
            f"{error}. {advice}"
        ) from error
    if array.dtype.kind not in "buif" or array.dtype.itemsize > 8:
        raise SourceDataError(
            f"Cannot create type for unknown format string: the source returned an array of dtype {array.dtype}; "
            f"expected bool, integers, or floats of 16 to 64 bits. {advice}"
        )
    return np.ascontiguousarray(array, array.dtype.newbyteorder("=")).reshape(array.shape)


def _as_array(value: Array, advice: str, from_getitem: bool) -> np.ndarray:
    if isinstance(value, np.ndarray | np.generic):
        return np.asarray(value)
    if type(value).__name__ == "PyCapsule":
        value = _Capsule(value)
    if hasattr(value, "__dlpack_device__"):
        device_type, _ = value.__dlpack_device__()
        return np.from_dlpack(value) if int(device_type) == 1 else _from_device(value)  # kDLCPU
    if hasattr(value, "__cuda_array_interface__"):
        return _from_device(value)
    if hasattr(value, "__array_interface__") or hasattr(value, "__array__"):
        return np.asarray(value)
    if from_getitem and value is None:
        raise SourceDataError(
            "__getitem__ returned None where other samples have an array, and only images may be missing; return an array "
            "that stands for it, such as zeros, and a flag beside it. To get values on the host, as they are, declare the "
            "leaf: Loader(..., host=(leaf,))"
        )
    if from_getitem:
        if dataclasses.is_dataclass(value):
            advice = f"For a dataclass, return a dict, {{**vars(sample)}}. {advice}"
        raise SourceDataError(
            f"__getitem__ returned a sample with a {type(value).__name__} in it; expected a NumPy array (or torch, jax, "
            f"DLPack on the CPU), a number, a string, or the bytes of an image file in every sample. {advice}"
        )
    if isinstance(value, list | tuple):
        advice = f"If these are several outputs, give external_source num_outputs={len(value)}. {advice}"
    raise SourceDataError(
        f"Unsupported callback return type: {type(value).__name__}. Don't know how to extract the shape out of "
        f"{type(value)}; expected a NumPy array (or torch, jax, DLPack on the CPU). {advice}"
    )


def _from_device(value: object) -> np.ndarray:
    """Copies it to the host by its own library, which waits for the work that it has queued."""
    for method in ("get", "cpu"):  # CuPy's, torch's
        if callable(copy := getattr(value, method, None)):
            return np.asarray(copy())
    if hasattr(value, "__array__"):  # jax
        return np.asarray(value)
    raise SourceDataError(
        f"the source returned a {type(value).__name__} in device memory that cannot be copied to the host: it has none of "
        "get(), cpu() and __array__(). Return a NumPy array."
    )


def as_file(value: object) -> np.ndarray:
    """Returns the bytes of a file, `uint8[n]`, from what a source returned for an output that is decoded.

    Raises:
        SourceDataError: it is neither bytes nor a one-dimensional uint8 array.
    """
    if isinstance(value, bytes | bytearray | memoryview):
        return np.frombuffer(bytes(value), np.uint8)
    array = as_sample(value)
    if array.dtype != np.uint8 or array.ndim != 1:
        raise SourceDataError(
            f"an encoded image is bytes or a uint8 array of one dimension, but the source returned "
            f"{array.dtype} with shape {array.shape}. Use np.frombuffer(file.read(), np.uint8)."
        )
    return array
