"""`_cuda12` and `_cuda13`: what is built against a CUDA toolkit of that major."""

from collections.abc import Sequence
from typing import Any

def registrations() -> dict[str, Any]:
    """The custom calls: name of the target -> handler, for `jax.ffi.register_ffi_target`."""

def open_nvjpeg(candidates: Sequence[str]) -> str:
    """Opens libnvjpeg: the first of these paths or names that can be; returns that one. Once, before any call.

    Raises:
        RuntimeError: none; the text says what was tried and why it failed.
    """

def destroy_idle_lanes() -> int:
    """Gives back the device memory of decoders that no call is using; returns how many there were."""

def page_locking() -> tuple[Any, Any]:
    """The functions that `Lease.lock` wants: one that page-locks memory for CUDA, one that unlocks it."""

def locked_bytes() -> int:
    """How much memory of slots is page-locked now, in bytes."""
