"""Converts leaves that a ring does not accept as they are to arrays that it does, and back."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import pickle
from typing import Any

import numpy as np

from jaxdali._base.interruptions import is_interruption
from jaxdali.errors import SourceDataError
from .. import _host
from ..storage.urls import is_remote

__all__ = [
    "Bits",
    "FileValue",
    "HostValue",
    "Listed",
    "check_convertible",
    "is_bits",
    "is_file",
    "is_listed",
    "is_name",
    "unpack",
]

_TEXT, _BYTES, _OBJECT = range(3)
# The keys by which Hugging Face's datasets name a file that they have not decoded.
_FILE_KEYS = {"bytes", "path"}


@dataclasses.dataclass(frozen=True)
class HostValue:
    """Packs a Python object that stays on the host into `uint8[n]`: its kind, then its bytes.

    Attributes:
        name: the leaf's name.
        declared: whether the user declared it, so that it may have any type; otherwise it is a string or a path.
    """

    name: str
    declared: bool

    def __call__(self, value: object) -> np.ndarray:
        """Packs one value.

        Raises:
            SourceDataError: it is neither a string nor a path, and was not declared; or it cannot be pickled.
        """
        if isinstance(value, str):
            return _packed(_TEXT, value.encode("utf-8", "surrogatepass"))
        if self.declared and type(value) is bytes:
            return _packed(_BYTES, value)
        if not (self.declared or is_name(value)):
            raise SourceDataError(
                f"expected a string in {self.name!r}, as the first sample has it, got {type(value).__name__}; to "
                f"get values of any type as they are, declare the leaf: Loader(..., host=({self.name!r},))"
            )
        try:
            return _packed(_OBJECT, pickle.dumps(value, pickle.HIGHEST_PROTOCOL))
        except Exception as error:  # whatever its class raises
            if is_interruption(error):
                raise
            raise SourceDataError(
                f"{self.name!r} is declared by host=, but its {type(value).__name__} cannot be pickled "
                f"({type(error).__name__}: {error}); return a string, a number or bytes that name it"
            ) from error


@dataclasses.dataclass(frozen=True)
class Bits:
    """Views an array of a type that NumPy does not have, such as bfloat16, as unsigned integers of the same bits.

    Attributes:
        name: the leaf's name.
        dtype: the type's name.
    """

    name: str
    dtype: str

    def __call__(self, value: object) -> np.ndarray:
        """Views one array.

        Raises:
            SourceDataError: it has another type.
        """
        check_convertible(value)
        array = np.asarray(value)
        if array.dtype.name != self.dtype:
            raise SourceDataError(
                f"expected {self.dtype} in {self.name!r}, as the first sample has it, got {array.dtype}; return one type in "
                "every sample"
            )
        return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}").reshape(array.shape)


@dataclasses.dataclass(frozen=True)
class Listed:
    """Converts a list of Python's numbers, such as tokens, or of lists of them, such as boxes, to an array.

    Attributes:
        name: the leaf's name.
        dtype: the name of the first sample's type.
        inner: the extents of the first sample without the first one; an empty list gets them.
    """

    name: str
    dtype: str
    inner: tuple[int, ...]

    @classmethod
    def like(cls, name: str, example: object) -> Listed:
        """Makes one for lists like the first sample's. Raises as `__call__`."""
        array = _listed(name, example)
        return cls(name, array.dtype.name, array.shape[1:])

    def __call__(self, value: Any) -> np.ndarray:
        """Converts one list.

        Raises:
            SourceDataError: it holds something other than numbers, or lists of different lengths, or floats although the
                first sample has integers.
        """
        if isinstance(value, list) and not value:
            return np.empty((0, *self.inner), self.dtype)
        array = _listed(self.name, value)
        if not np.can_cast(array.dtype, self.dtype, "same_kind"):
            raise SourceDataError(
                f"expected numbers of type {self.dtype} in the list {self.name!r}, as the first sample has them, got "
                f"{array.dtype}; return np.asarray(numbers, dtype) of one type in every sample"
            )
        return array.astype(self.dtype, copy=False)


@dataclasses.dataclass(frozen=True)
class FileValue:
    """Finds the file that a dict of `bytes` and `path` names, as Hugging Face's datasets have it.

    Attributes:
        name: the leaf's name.
    """

    name: str

    def __call__(self, value: Any) -> object:
        """Returns the file's bytes, or a sample of the ring that reads its path; None: there is none.

        Raises:
            SourceDataError: it is no such dict, nor bytes; or its path is a URL.
        """
        if value is None or isinstance(value, bytes):
            return value
        if not is_file(value):
            raise SourceDataError(
                f"expected a dict of bytes and path in {self.name!r}, as the first sample has it, got "
                f"{type(value).__name__}; return a file's bytes, such a dict, or None where there is none"
            )
        content, path = value["bytes"], value["path"]
        if content is not None or path is None:
            return content
        if is_remote(os.fspath(path)):
            raise SourceDataError(
                f"the file of {self.name!r} is elsewhere, at {os.fspath(path)!r:.200}, and the sample has no bytes of it; "
                "read it in source.map"
            )
        return _host.FileSample(os.fsencode(path))


def is_file(value: Any) -> bool:
    """Whether `value` is a file as Hugging Face's datasets have it: a dict of `bytes` and `path`, either may be None."""
    if type(value) is not dict or value.keys() != _FILE_KEYS:
        return False
    return isinstance(value["bytes"], bytes | None) and isinstance(value["path"], str | os.PathLike | None)


def is_listed(value: Any) -> bool:
    """Whether `value` is a list of Python's numbers, or of such lists."""
    return isinstance(value, list) and bool(value) and all(_is_number(one) or is_listed(one) for one in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, np.generic)  # NumPy's are leaves of their own


def _listed(name: str, value: Any) -> np.ndarray:
    check_convertible(value)
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise SourceDataError(
            f"{name!r} holds lists of different lengths, which are not an array ({error}); pad them, or return a tuple of "
            "lists"
        ) from error
    if array.dtype.kind not in "biuf" or array.dtype == np.uint64:
        raise SourceDataError(f"{name!r} is a list of numbers in the first sample, but now {value!r:.80}")
    return array


def check_convertible(value: object) -> None:
    """Checks what NumPy would convert, to something that is not meant.

    Raises:
        SourceDataError: it is a masked array, or an image of Pillow.
    """
    if isinstance(value, np.ma.MaskedArray):
        raise SourceDataError(
            "__getitem__ returned a masked array, but batches have no masks: return array.filled(0), and also "
            "~np.ma.getmaskarray(array) if you need the mask"
        )
    if type(value).__module__.partition(".")[0] == "PIL":
        raise SourceDataError(
            f"__getitem__ returned a {type(value).__name__} of Pillow, but files are decoded where batches are made: return "
            "the file's bytes, open(path, 'rb').read(). Hugging Face's datasets do after data = data.cast_column('image', "
            "datasets.Image(decode=False)). For pixels return np.asarray(image.convert('RGB'))"
        )


def is_name(value: object) -> bool:
    """Whether `value` stays on the host even if it is not declared: a string, or a path."""
    return isinstance(value, str | pathlib.PurePath)


def is_bits(value: object) -> bool:
    """Whether `value` is an array or a scalar of an ml_dtypes type."""
    dtype = getattr(value, "dtype", None)
    return isinstance(dtype, np.dtype) and dtype.type.__module__.partition(".")[0] == "ml_dtypes"


def unpack(packed: np.ndarray) -> object:
    """Returns the object that `HostValue` packed."""
    kind, content = packed[0], packed[1:].tobytes()
    if kind == _TEXT:
        return content.decode("utf-8", "surrogatepass")
    return content if kind == _BYTES else pickle.loads(content)  # our own workers wrote it


def _packed(kind: int, content: bytes) -> np.ndarray:
    return np.frombuffer(bytes([kind]) + content, np.uint8)
