"""Names of what Python's typing has no word for."""

from __future__ import annotations

from typing import Any, Protocol

__all__ = ["Array", "Device", "PyTree", "Sample"]

# NumPy's or JAX's, also while JAX traces it: code that must not load jax computes with both.
Array = Any
# Nested dicts, lists and tuples, as JAX walks through them.
PyTree = Any
# One item of the user's data: a PyTree of arrays, numbers, files, strings, or an object of the user's own.
Sample = Any


class Device(Protocol):
    """One of JAX's devices. `jax.Device` is no type to type checkers, and the parent may not have loaded jax yet."""

    @property
    def id(self) -> int: ...
    @property
    def platform(self) -> str: ...
    @property
    def device_kind(self) -> str: ...
    @property
    def process_index(self) -> int: ...
    @property
    def local_hardware_id(self) -> int: ...
    def memory_stats(self) -> dict[str, int] | None: ...
    def __hash__(self) -> int: ...
