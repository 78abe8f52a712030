"""Says which cases of a test are in the gate (`make test`); the others are run by `make test-all`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest

__all__ = ["START_METHODS", "gate", "start_methods"]

START_METHODS = ("fork", "spawn", "forkserver")


def gate(cases: Iterable[Any], kept: Collection[Any]) -> list[Any]:
    """Marks the cases of a `parametrize` that are not among `kept` as thorough.

    Args:
        cases: tuples, or values of a single argument.
        kept: those of the cases that the gate has.

    Raises:
        ValueError: a kept one is not a case.
    """
    cases = list(cases)
    if unknown := [one for one in kept if one not in cases]:
        raise ValueError(f"{unknown} are not among the cases {cases}")
    thorough = [case for case in cases if case not in kept]
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.thorough)
        if case in thorough
        else case
        for case in cases
    ]


def start_methods(*kept: str) -> pytest.MarkDecorator:
    """Parametrizes a test with every way in which workers start; the gate has those that are named."""
    return pytest.mark.parametrize("start_method", gate(START_METHODS, kept))
