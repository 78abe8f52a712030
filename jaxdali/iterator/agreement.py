"""Checks that all processes of one JAX program were configured alike. This file loads jax."""

from __future__ import annotations

import hashlib

import jax
import numpy as np

from ..errors import ConfigError
from ..patience import Patience

__all__ = ["check_agreement"]


def check_agreement(what: str, fields: dict[str, object]) -> None:
    """Compares values with those of all other processes, which must call this too; waits for them. Does nothing in a
    single process.

    Args:
        what: the thing being made from these values, for the error.
        fields: the same names in every process; two values are equal if their `repr` is.

    Raises:
        ConfigError: a value differs. Every process raises it.
    """
    if jax.process_count() == 1:
        return
    from jax.experimental import multihost_utils

    names = sorted(fields)
    mine = np.array([_digest(repr(fields[name])) for name in names], np.uint32)
    with Patience(lambda: f"the other processes, each of which must make the same {what}").beside():
        everybody = np.asarray(multihost_utils.process_allgather(mine))
    for column, name in enumerate(names):
        others = np.flatnonzero((everybody[:, column] != mine[column]).any(axis=-1)).tolist()
        if others or (everybody[:, column] != everybody[0, column]).any():
            raise ConfigError(
                f"the processes must make the same {what}, but they differ in {name}: process {jax.process_index()} has "
                f"{fields[name]!r}, unlike processes {others}"
            )


def _digest(text: str) -> list[int]:
    return np.frombuffer(hashlib.sha256(text.encode()).digest(), np.uint32).tolist()
