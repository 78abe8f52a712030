"""Whether jax has a plugin for NVIDIA GPUs. Imports neither."""

from __future__ import annotations

import importlib.util

__all__ = ["plugin_major"]


def plugin_major() -> int | None:
    """The major version of CUDA that jax's plugin was built for; None if there is no plugin."""
    for major in (13, 12):
        if importlib.util.find_spec(f"jax_cuda{major}_plugin") is not None:
            return major
    return None
