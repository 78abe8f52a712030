"""Arguments of DALI's operators that cannot be honoured: refused by name, never ignored."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..errors import ConfigError, check_integer, check_shape
from ..pipeline.node import DataNode
from ..pipeline.presize import check_hint
from ..types import DALIDataType, to_numpy_type

__all__ = ["check_numbers", "check_seed", "check_unsupported", "extents", "numpy_dtype", "one_of"]

# What DALI's operators have in common. And their bytes_per_sample_hint, which needs no refusal here: it is there so that no
# buffer is allocated twice, and a program of XLA's knows the exact size of each before it runs.
_COMMON: dict[str, tuple[Any, str]] = {
    "preserve": (False, "an operator runs when one of its outputs is returned"),
}


def check_unsupported(
    kind: str, given: dict[str, Any], known: dict[str, tuple[Any, str]], arguments: Iterable[str] = ()
) -> None:
    """Accepts arguments whose value is the only one there is.

    Args:
        given: keyword arguments that `fn.kind` does not use.
        arguments: names that it does use, to guess what was meant.
        known: for each of DALI's argument names the value that describes how it is here, and the alternative.

    Raises:
        ConfigError: another value, or a name that the operator does not have.
    """
    given = dict(given)
    check_hint(given.pop("bytes_per_sample_hint", None), 1)
    for name, value in given.items():
        if name not in known and name not in _COMMON:
            close = difflib.get_close_matches(name, [*known, *arguments], 1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise ConfigError(f"fn.{kind} has no argument {name!r}{hint}")
        only, alternative = known[name] if name in known else _COMMON[name]
        if value is not None and (isinstance(value, DataNode) or value != only):
            raise ConfigError(f"fn.{kind}({name}={value!r}) is not supported: {alternative}")


def check_numbers(kind: str, arguments: Mapping[str, Any]) -> None:
    """Raises ConfigError where an argument is neither a number, an array of numbers nor a node."""
    for name, value in arguments.items():
        if not isinstance(value, DataNode) and np.asarray(value).dtype.kind not in "buif":
            raise ConfigError(
                f"fn.{kind}({name}=) must be a number, several, or a node with one a sample; got {value!r}. Leave it out "
                "for its default."
            )


def check_seed(seed: Any) -> int | None:
    """The seed of a random operator; None, also for DALI's -1: it has none of its own."""
    if seed is None or (isinstance(seed, int) and seed == -1):
        return None
    return check_integer("seed", seed, 0, (1 << 64) - 1)


def numpy_dtype(dtype: DALIDataType | None) -> np.dtype[Any] | None:
    """The NumPy type of a `types.` constant; None stays None."""
    return None if dtype is None else np.dtype(to_numpy_type(dtype))


def extents(kind: str, name: str, value: Any) -> tuple[float, float]:
    """(height, width) of a number or a pair.

    Raises:
        ConfigError: neither, or not from 1 to 2**31, or more pixels than that.
    """
    try:
        if np.asarray(value).dtype.kind not in "uif":
            raise TypeError
        pair = np.broadcast_to(np.asarray(value, np.float64), (2,)).tolist()
    except (TypeError, ValueError):
        pair = [0, 0]
    if not all(1 <= extent < 1 << 31 for extent in pair):
        raise ConfigError(f"fn.{kind}({name}=) wants (height, width) in pixels, known beforehand; got {value!r:.80}")
    check_shape(f"{name}= of fn.{kind}", [round(extent) for extent in pair])
    return pair[0], pair[1]


def one_of(kind: str, name: str, value: Any, accepted: tuple[str, ...]) -> None:
    """Raises ConfigError where an argument is none of the texts."""
    if value not in accepted:
        raise ConfigError(f"{name} of fn.{kind} must be one of {', '.join(accepted)}, got {value!r}")
