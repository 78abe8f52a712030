"""Leaves of samples that a ring does not take as they are: what travels through it in their place, and back."""

from __future__ import annotations

import dataclasses
import pathlib
import pickle
from typing import Any

import numpy as np

from ..errors import SourceDataError

__all__ = ["Bits", "HostValue", "is_bits", "is_name", "unpack"]

_TEXT, _BYTES, _OBJECT = range(3)


@dataclasses.dataclass(frozen=True)
class HostValue:
    """A Python object that stays on the host, as `uint8[n]`: which kind it is, and its bytes.

    Attributes:
        name: of the leaf.
        declared: the user said that it is one, so that it may be of any type; else it is a string or a path.
    """

    name: str
    declared: bool

    def __call__(self, value: Any) -> np.ndarray:
        """Raises:
        SourceDataError: it is neither string nor path, and nobody declared it; or it cannot be pickled.
        """
        if isinstance(value, str):
            return _packed(_TEXT, value.encode("utf-8", "surrogatepass"))
        if self.declared and type(value) is bytes:
            return _packed(_BYTES, value)
        if not (self.declared or is_name(value)):
            raise SourceDataError(
                f"expected a string in {self.name!r}, as the first sample has it, got {type(value).__name__}; what differs "
                f"from sample to sample is declared, Loader(..., host=({self.name!r},)), and comes as it is"
            )
        try:
            return _packed(_OBJECT, pickle.dumps(value, pickle.HIGHEST_PROTOCOL))
        except Exception as error:  # whatever its class raises
            raise SourceDataError(
                f"{self.name!r} is declared by host=, but its {type(value).__name__} cannot be pickled "
                f"({type(error).__name__}: {error}); return a string, a number or bytes that name it"
            ) from error


@dataclasses.dataclass(frozen=True)
class Bits:
    """An array of a type that NumPy does not have, such as bfloat16, as unsigned integers of the same bits.

    Attributes:
        name: of the leaf.
        dtype: name of the type.
    """

    name: str
    dtype: str

    def __call__(self, value: Any) -> np.ndarray:
        """Raises:
        SourceDataError: it is of another type.
        """
        array = np.asarray(value)
        if array.dtype.name != self.dtype:
            raise SourceDataError(
                f"expected {self.dtype} in {self.name!r}, as the first sample has it, got {array.dtype}; return one type in "
                "every sample"
            )
        return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}").reshape(array.shape)


def is_name(value: Any) -> bool:
    """Whether it stays on the host without being declared: a string, or a path."""
    return isinstance(value, str | pathlib.PurePath)


def is_bits(value: Any) -> bool:
    """Whether it is an array, or a scalar, of a type of ml_dtypes."""
    dtype = getattr(value, "dtype", None)
    return isinstance(dtype, np.dtype) and dtype.type.__module__.partition(".")[0] == "ml_dtypes"


def unpack(packed: np.ndarray) -> Any:
    """The object that `HostValue` packed."""
    kind, content = packed[0], packed[1:].tobytes()
    if kind == _TEXT:
        return content.decode("utf-8", "surrogatepass")
    return content if kind == _BYTES else pickle.loads(content)  # our own workers wrote it


def _packed(kind: int, content: bytes) -> np.ndarray:
    return np.frombuffer(bytes([kind]) + content, np.uint8)
