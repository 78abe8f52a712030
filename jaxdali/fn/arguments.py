"""Arguments of DALI's operators that cannot be honoured: refused by name, never ignored."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ConfigError
from ..types import DALIDataType, to_numpy_type

__all__ = ["check_unsupported", "numpy_dtype"]


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
        if value is not None and value != only:
            raise ConfigError(f"fn.{kind}({name}={value!r}) is not supported: {alternative}")


def numpy_dtype(dtype: DALIDataType | None) -> np.dtype[Any] | None:
    """The NumPy type of a `types.` constant; None stays None."""
    return None if dtype is None else np.dtype(to_numpy_type(dtype))
