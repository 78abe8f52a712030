"""Detects NumPy and Python random draws in a function that JAX traces: their values would never change again."""

from __future__ import annotations

import contextlib
import inspect
import pickle
import random
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from jaxdali._base.interruptions import raised_by_handler
from jaxdali._base.user_warnings import warn_user

__all__ = ["warns_of_host_draws"]

_GENERATORS = (random.Random, np.random.RandomState, np.random.Generator)


@contextlib.contextmanager
def warns_of_host_draws(name: str, function: Callable[..., object] | None, instead: str) -> Iterator[None]:
    """Warns if a function draws random numbers on the host while it is traced inside the block: from the global
    generators of NumPy and Python, or from a generator in a variable of its own or of its module. Does not see
    generators that the function makes itself, such as `default_rng()`. Only for use in the Loader's constructor, as the
    warning is attributed to the constructor's caller.

    Args:
        name: of the function, for the warning.
        instead: what to draw from instead.
    """
    generators = _generators_of(function)
    before = _states(generators)
    yield
    after = _states(generators)
    if drawn := [one for one in before if one in after and before[one] != after[one]]:
        warn_user(
            f"{name} drew from {' and '.join(drawn)} while JAX traced it, once for all batches: each has the same numbers. "
            f"Draw from {instead}; or on the host, where samples are made: __getitem__(self, index, rng), or "
            "jaxdali.source.map(data, function) with a parameter rng. (If it does not draw, another thread did meanwhile.)",
            UserWarning,
        )


def _generators_of(function: Any) -> dict[str, object]:
    """Returns the generators that a function uses by name."""
    function = inspect.unwrap(getattr(function, "func", function))
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    if not isinstance(code, types.CodeType):
        return {}
    found = {name: function.__globals__.get(name) for name in _names(code)}
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # an empty cell
            found[name] = cell.cell_contents
    return {name: value for name, value in found.items() if isinstance(value, _GENERATORS)}


def _names(code: types.CodeType) -> set[str]:
    inner = (_names(one) for one in code.co_consts if isinstance(one, types.CodeType))
    return set(code.co_names).union(*inner)


def _states(generators: dict[str, object]) -> dict[str, bytes]:
    known = {"numpy.random": np.random.get_state(legacy=False), "Python's random": random.getstate()}
    states = {}
    for name, value in {**known, **generators}.items():
        try:
            states[name] = pickle.dumps(value)
        except Exception as error:  # a generator without a state, or of a class that cannot be pickled
            if raised_by_handler(error):
                raise
    return states
