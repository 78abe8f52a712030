"""The kinds of operators' arguments. A kind converts what a user wrote to one form, or raises an error that says what
it expects.
"""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

import numpy as np

from jaxdali._base.dtypes import (
    BGR,
    FLOAT,
    FLOAT16,
    GRAY,
    INT32,
    INTERP_CUBIC,
    INTERP_NN,
    DALIDataType,
    DALIImageType,
    DALIInterpType,
    to_numpy_type,
)
from jaxdali.errors import ConfigError, ConfigTypeError, check_integer, check_shape
from ..graph.call import DataNode

__all__ = [
    "DTYPE",
    "EXTENT",
    "EXTENTS",
    "FILL",
    "FILTER",
    "FLAG",
    "IMAGE_TYPE",
    "NUMBER",
    "NUMBERS",
    "ONE_NUMBER",
    "OUTPUT_LAYOUTS",
    "PATH",
    "SEED",
    "SHAPE",
    "Kind",
    "bounds",
    "choice",
    "integer",
    "numpy_dtype",
    "several",
    "whole",
]

LARGEST_SEED = (1 << 64) - 1


@dataclasses.dataclass(frozen=True)
class Kind:
    """One kind of argument.

    Attributes:
        annotation: its type, as in a stub.
        read: `(word, value) -> value`: converts a value to the form that a call keeps, which must be unchanged if it is
            read again. `word` is the argument as the user wrote it, such as "fn.resize(size=)". Raises ConfigError,
            for a value of a wrong type a ConfigTypeError.
        examples: some accepted values, each with a different meaning to an operator.
    """

    annotation: str
    read: Callable[[str, Any], Any]
    examples: Sequence[Any] = ()

    def is_of_wrong_type(self, value: object) -> bool:
        """Whether no value of the same Python type is of this kind, as far as the types say."""
        if isinstance(value, list | tuple | np.ndarray):
            if not any(several in self.annotation for several in ("Sequence", "ndarray", "Iterable", "tuple", "Any")):
                return True
            return (
                any(map(_is_no_plain_type, value))
                if isinstance(value, list | tuple)
                else value.dtype.kind not in "buifU"
            )
        return _is_no_plain_type(value)


def _is_no_plain_type(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_is_no_plain_type, value))
    return isinstance(value, np.complexfloating) or not isinstance(value, int | float | str | os.PathLike | np.generic)


def _numbers(word: str, value: object) -> Any:
    array = np.asarray(value) if not isinstance(value, list | tuple) else _array_of(value)
    if array.dtype.kind not in "buif":
        raise ConfigTypeError(
            f"{word} must be a number, several, or a node with one per sample; got {value!r:.80}. Leave it out for its "
            "default."
        )
    # All operators treat 0, 0.0 and False alike.
    return _tuples(array.astype(np.float64).tolist())


def _array_of(value: object) -> np.ndarray:
    try:
        return np.asarray(value)
    except ValueError:  # lists of different lengths
        return np.asarray(None)


def _tuples(value: object) -> Any:
    return tuple(_tuples(entry) for entry in value) if isinstance(value, list) else value


NUMBERS = Kind("float | Sequence[float] | np.ndarray", _numbers, (0.25, 0.75))


def _one_number(word: str, value: object) -> float:
    if isinstance(value, list | tuple):
        raise ConfigTypeError(
            f"{word} must be a number, or a node with one per sample; got {value!r:.80}. A source gives each sample a "
            "number of its own."
        )
    read = _numbers(word, value)
    numbers = np.ravel(read)
    if len(numbers) != 1:
        raise ConfigError(f"{word} must be a number, or a node with one per sample; got {len(numbers)} numbers")
    return numbers[0].item()


# A list of numbers is none per sample: DALI refuses it, too.
ONE_NUMBER = Kind("float | np.ndarray", _one_number, (0.25, 0.75))


def whole(value: Any) -> Any:
    """Truncates a number that stands for an integer, such as 0.02 * 16000, as DALI does; also each of several numbers.
    Returns anything else unchanged, for later checks.
    """
    if isinstance(value, list | tuple):
        return type(value)(map(whole, value)) if type(value) in (list, tuple) else value
    if isinstance(value, np.ndarray) and value.dtype.kind == "f" and np.isfinite(value).all():
        return np.trunc(value).astype(np.int64)
    if isinstance(value, float | np.floating) and math.isfinite(value):
        return int(value)
    return value


def integer(least: int, most: int | None = None) -> Kind:
    """The kind of integers from `least` to `most`."""
    examples = (least + 1, least + 2) if most is None or most > least + 1 else (least, most)
    return Kind("int", lambda word, value: check_integer(word, whole(value), least, most), examples)


def _flag(word: str, value: object) -> bool:
    if not isinstance(value, bool | np.bool_) and not (isinstance(value, int) and value in (0, 1)):
        raise ConfigTypeError(f"{word} must be True or False, got {value!r:.80}")
    return bool(value)


FLAG = Kind("bool", _flag, (True, False))


def choice(*accepted: str, any_case: bool = False, also: Mapping[str, str] | None = None) -> Kind:
    """The kind of one of several strings.

    Args:
        any_case: letters may be of either case.
        also: other spellings, and which of the strings they stand for.
    """
    known = {**{text: text for text in accepted}, **(also or {})}

    def read(word: str, value: Any) -> str:
        if not isinstance(value, str):
            raise ConfigTypeError(f"{word} must be one of {', '.join(accepted)}, got {value!r:.80}")
        found = known.get(value.lower() if any_case else value)
        if found is None:
            raise ConfigError(f"{word} must be one of {', '.join(accepted)}, got {value!r:.80}")
        return found

    texts = ", ".join(f'"{text}"' for text in known)
    return Kind("str" if any_case else f"Literal[{texts}]", read, accepted)


def _dtype(word: str, value: Any) -> DALIDataType:
    try:
        to_numpy_type(value)
    except ConfigError as error:
        raise ConfigTypeError(f"{word}: {error}") from None
    return value


DTYPE = Kind("DALIDataType", _dtype, (INT32, FLOAT16, FLOAT))


@overload
def numpy_dtype(dtype: DALIDataType) -> np.dtype: ...
@overload
def numpy_dtype(dtype: None) -> None: ...
@overload
def numpy_dtype(dtype: DALIDataType | None) -> np.dtype | None: ...
def numpy_dtype(dtype: DALIDataType | None) -> np.dtype | None:
    """Returns the NumPy type of a `types.` constant; None for None."""
    return None if dtype is None else np.dtype(to_numpy_type(dtype))


def _seed(word: str, value: object) -> int | None:
    value = whole(value)
    if isinstance(value, int) and value == -1:
        return None  # DALI's value for no seed
    return check_integer(word, value, 0, LARGEST_SEED)


SEED = Kind("int", _seed, (3, 4))


def _extents(word: str, value: object) -> tuple[float, float]:
    error = ConfigError
    try:
        if np.asarray(value).dtype.kind not in "uif":
            raise TypeError
        pair = np.broadcast_to(np.asarray(value, np.float64), (2,)).tolist()
    except (TypeError, ValueError):
        pair, error = [0, 0], ConfigTypeError
    if not all(1 <= extent < 1 << 31 for extent in pair):
        raise error(f"{word} expects (height, width) in pixels, at least 1; got {value!r:.80}")
    check_shape(word, [round(extent) for extent in pair])
    return pair[0], pair[1]


# (height, width), or one number for both.
EXTENTS = Kind("float | Sequence[float]", _extents, (4, (4, 3)))


def _extent(word: str, value: Any) -> float:
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool | np.complexfloating)
    if not number or not 0 <= value < 1 << 31:
        kind = ConfigError if number else ConfigTypeError
        raise kind(f"{word} must be a number of pixels, or 0 if it is not given; got {value!r:.80}")
    return float(value)


# One extent; 0 means not given.
EXTENT = Kind("float", _extent, (3, 4))


def _number(word: str, value: object) -> float:
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.number):
        raise ConfigTypeError(f"{word} must be a number, got {value!r:.80}")
    return float(value)


NUMBER = Kind("float", _number, (0.25, 2))

SHAPE = Kind("int | Sequence[int]", lambda word, value: check_shape(word, whole(value)), (2, (2, 3)))


def _fill(word: str, value: object) -> tuple[float, ...]:
    read = NUMBERS.read(word, value)
    values = read if isinstance(read, tuple) else (read,)
    if any(isinstance(entry, tuple) for entry in values):
        raise ConfigTypeError(f"{word} must be a number, or one per channel, got {value!r:.80}")
    return values or (0.0,)  # [] means 0, as in DALI


# A number for all channels, or one per channel.
FILL = Kind("float | Sequence[float]", _fill, (0.25, (0.5, 1.0, 2.0)))


def _named(kind: type[DALIInterpType | DALIImageType], examples: Sequence[object]) -> Kind:
    """The kind of values of an enumeration of `types`."""

    def read(word: str, value: Any) -> Any:
        # A plain 1 could be a value of several enumerations.
        if not isinstance(value, kind):
            names = ", ".join(f"types.{one.name}" for one in kind)
            raise ConfigTypeError(f"{word} must be one of {names}, got {value!r:.80}")
        return value

    return Kind(kind.__name__, read, examples)


FILTER = _named(DALIInterpType, (INTERP_NN, INTERP_CUBIC))
IMAGE_TYPE = _named(DALIImageType, (GRAY, BGR))


def bounds(least: float, most: float) -> Kind:
    """The kind of (smallest, largest), from `least` to `most` and above 0."""

    def read(word: str, value: Any) -> tuple[float, float]:
        try:
            if isinstance(value, DataNode):
                raise TypeError
            low, high = (float(bound) for bound in value)
        except (TypeError, ValueError, OverflowError):
            raise ConfigTypeError(f"{word} expects (smallest, largest), known beforehand; got {value!r:.80}") from None
        if not (least <= low <= high <= most and low > 0):
            raise ConfigError(
                f"{word} is {value!r:.80}, expected smallest <= largest, both {least:g} to {most:g}, not 0"
            )
        return low, high

    return Kind("Sequence[float]", read, ((0.5, 0.75), (0.5, 1.0)))


def _path(word: str, value: Any) -> str:
    try:
        path = os.fspath(value)
    except TypeError:
        path = None
    if not isinstance(path, str):
        raise ConfigTypeError(f"{word} must be a path, got {value!r:.80}")
    return path


PATH = Kind("str | os.PathLike[str]", _path)


def _layouts(word: str, value: Any) -> str | tuple[str, ...]:
    layouts = (value,) if isinstance(value, str) else value
    if not isinstance(layouts, tuple | list) or not all(isinstance(one, str) for one in layouts):
        raise ConfigTypeError(f"{word} must be a layout, or a list with one for each output, got {value!r:.80}")
    return value if isinstance(value, str) else tuple(value)


OUTPUT_LAYOUTS = Kind("str | Sequence[str]", _layouts, ("HWC", "CHW"))


def several(kind: Kind) -> Kind:
    """The kind of sequences of another kind, or a single value of it."""

    def read(word: str, value: Any) -> tuple[Any, ...]:
        several = isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes)
        return tuple(kind.read(word, entry) for entry in (value if several else [value]))

    return Kind(f"{kind.annotation} | Sequence[{kind.annotation}]", read)
