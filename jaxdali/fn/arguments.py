"""Arguments of DALI's operators that cannot be honoured: refused by name, never ignored."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ConfigError, check_integer
from ..pipeline.node import DataNode
from ..types import DALIDataType, to_numpy_type

__all__ = ["check_seed", "check_unsupported", "numpy_dtype"]


def check_unsupported(kind: str, given: dict[str, Any], known: dict[str, tuple[Any, str]]) -> None:
    """Accepts arguments whose value is the only one there is.

    Args:
        given: keyword arguments that `fn.kind` does not use.
        known: for each of DALI's argument names the value that describes how it is here, and the alternative.

    Raises:
        ConfigError: another value, or a name that the operator does not have.
    """
    for name, value in given.items():
        if name not in known:
            raise ConfigError(f"fn.{kind} has no argument {name!r}")
        only, alternative = known[name]
        if value is not None and (isinstance(value, DataNode) or value != only):
            raise ConfigError(f"fn.{kind}({name}={value!r}) is not supported: {alternative}")


def check_seed(seed: Any) -> int | None:
    """The seed of a random operator; None, also for DALI's -1: it has none of its own."""
    if seed is None or (isinstance(seed, int) and seed == -1):
        return None
    return check_integer("seed", seed, 0, (1 << 64) - 1)


def numpy_dtype(dtype: DALIDataType | None) -> np.dtype[Any] | None:
    """The NumPy type of a `types.` constant; None stays None."""
    return None if dtype is None else np.dtype(to_numpy_type(dtype))
