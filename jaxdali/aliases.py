"""Names of what Python's typing has no word for."""

from __future__ import annotations

from typing import Any

__all__ = ["Array", "PyTree", "Sample"]

# NumPy's or JAX's, also while JAX traces it: code that must not load jax computes with both.
Array = Any
# Nested dicts, lists and tuples, as JAX walks through them.
PyTree = Any
# One item of the user's data: a PyTree of arrays, numbers, files, strings, or an object of the user's own.
Sample = Any
