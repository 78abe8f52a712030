"""Describes the features to read from the Examples of a TFRecord file, as DALI and TensorFlow do."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, check_integer

__all__ = ["FLOAT32", "INT64", "STRING", "Feature", "FixedLenFeature", "VarLenFeature"]

# DALI's numbers for the types.
INT64, STRING, FLOAT32 = 0, 1, 2

_NAMES = {INT64: "int64", STRING: "string", FLOAT32: "float32"}
_DTYPES = {INT64: np.dtype(np.int64), STRING: np.dtype(np.uint8), FLOAT32: np.dtype(np.float32)}


@dataclasses.dataclass(frozen=True)
class Feature:
    """One feature of an Example, or one feature list of a SequenceExample; made by `FixedLenFeature` or `VarLenFeature`.

    Attributes:
        dtype: `tfrecord.int64`, `string` or `float32`.
        shape: the shape of a fixed feature; otherwise the extents after the first axis, or None if there is one axis.
        fixed: whether it has the same shape in all Examples.
        default: replaces a fixed feature that an Example lacks: a number, or bytes.
    """

    dtype: int
    shape: tuple[int, ...] | None
    fixed: bool
    default: int | float | bytes

    @property
    def element(self) -> np.dtype:
        """The type of its numbers; for text, of its bytes."""
        return _DTYPES[self.dtype]

    @property
    def one_text(self) -> bool:
        """Whether it is exactly one string, so that its value is that string's bytes and not a list."""
        return self.dtype == STRING and self.fixed and self.shape in ((), (1,))

    def __repr__(self) -> str:
        shape = "" if self.shape is None else f"{list(self.shape)}, "
        return f"{'Fixed' if self.fixed else 'Var'}LenFeature({shape}{_NAMES[self.dtype]}, {self.default!r})"


def FixedLenFeature(shape: Sequence[int], dtype: int, default_value: object) -> Feature:
    """A feature with the same number of values in every Example. An Example with another number is an error.

    Of a SequenceExample, a feature list may be meant: its steps are the first axis, and a step has the other ones.

    Args:
        shape: the shape of the output's samples. `[]` is one number, an array without axes. Of `tfrecord.string`, `[]`
            and `[1]` are one string, its bytes; `[n]` is a list of n strings, which only `jaxdali.source.TFRecords`
            reads. Strings have no further axes.
        dtype: `tfrecord.int64`, `tfrecord.float32` or `tfrecord.string`.
        default_value: replaces each number, or string, in Examples that lack the feature.

    Raises:
        ConfigError: an argument has another type or value.

    Example:
        Four frames of a clip, each a JPEG file::

            data = source.TFRecords("clips.tfrecord", {"frames": tfrecord.FixedLenFeature([4], tfrecord.string, "")})
            first, second, third, fourth = data[0]["frames"]
    """
    extents = _extents("shape", shape)
    if _checked(dtype) == STRING and len(extents) > 1:
        raise ConfigError(
            f"FixedLenFeature(shape={list(extents)}) of strings: texts differ in length, so they are a list; give [] or [n]"
        )
    return Feature(dtype, extents, True, _default("FixedLenFeature", dtype, default_value))


def VarLenFeature(*arguments: Any) -> Feature:
    """A feature with any number of values: `VarLenFeature(dtype, default_value)`, an array of one axis; or
    `VarLenFeature(partial_shape, dtype, default_value)`, `[n, *partial_shape]`. If an Example lacks it, n is 0.

    Strings are a list of bytes in `jaxdali.source.TFRecords`; of `fn.readers.tfrecord`, whose outputs are arrays, they are
    one string's bytes, or none, and several are an error. Of a SequenceExample, a feature list may be meant: n is the
    number of its steps, and each step has the values of one `partial_shape`, or one value.

    Raises:
        ConfigError: an argument has another type or value.
    """
    if len(arguments) not in (2, 3):
        raise ConfigError(
            f"VarLenFeature takes dtype and default_value, or partial_shape before them; got {len(arguments)} arguments"
        )
    dtype, default = arguments[-2:]
    shape = _extents("partial_shape", arguments[0]) if len(arguments) == 3 else None
    if _checked(dtype) == STRING and shape:
        raise ConfigError(
            f"VarLenFeature(partial_shape={list(shape)}) of strings: texts differ in length; leave it out"
        )
    return Feature(dtype, shape, False, _default("VarLenFeature", dtype, default))


def _checked(dtype: object) -> int:
    if isinstance(dtype, bool) or not isinstance(dtype, int) or dtype not in _DTYPES:
        raise ConfigError(f"dtype must be tfrecord.int64, tfrecord.float32 or tfrecord.string, got {dtype!r:.80}")
    return dtype


def _extents(name: str, value: object) -> tuple[int, ...]:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray):
        raise ConfigError(f"{name} must be a list of extents, such as [] or [1]; got {value!r:.80}")
    extents = tuple(check_integer(f"each extent of {name}", extent, 1) for extent in value)
    if len(extents) > 7 or np.prod(extents, dtype=object) >= 1 << 40:
        raise ConfigError(f"{name}={value!r:.80} has too many values, or more than 7 axes")
    return extents


def _default(what: str, dtype: int, value: object) -> int | float | bytes:
    if dtype == STRING:
        if isinstance(value, str | bytes):
            return value.encode() if isinstance(value, str) else value
    elif isinstance(value, int) and not isinstance(value, bool) and -(1 << 63) <= value < 1 << 63:
        return value if dtype == INT64 else float(value)
    elif dtype == FLOAT32 and isinstance(value, float):
        return value
    raise ConfigError(f"{what}(default_value=) must be a {_NAMES[dtype]}, got {value!r:.80}")
