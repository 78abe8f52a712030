"""Names for types that Python's typing cannot express."""

from __future__ import annotations

from typing import Any, Protocol

__all__ = ["Array", "Device", "PyTree", "Sample"]

# A NumPy or JAX array, also while JAX traces it: code that must not load jax computes with both.
Array = Any
# Nested dicts, lists and tuples, as JAX traverses them.
PyTree = Any
# One item of the user's data: a PyTree of arrays, numbers, files or strings, or an object of the user's own.
Sample = Any


class Device(Protocol):
    """One of JAX's devices. Type checkers do not accept `jax.Device`, and the parent may not have loaded jax."""

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
