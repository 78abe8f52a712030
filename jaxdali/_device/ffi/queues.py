"""How many hardware queues CUDA has for this process's streams.

CUDA reads the setting once, when it starts, so jaxdali sets it on import.
"""

from __future__ import annotations

import os

from . import driver, plugin

__all__ = ["MOST", "VARIABLE", "ask", "in_effect"]

VARIABLE = "CUDA_DEVICE_MAX_CONNECTIONS"
MOST = 32
_DEFAULT = 8

_in_effect = _DEFAULT


def ask() -> None:
    """Sets CUDA_DEVICE_MAX_CONNECTIONS to 32 if jax has CUDA, CUDA has not started, and the variable is not set.

    nvJPEG's streams wait behind a training step if they share a queue with XLA's, as they do with the default of 8.
    """
    global _in_effect
    said = os.environ.get(VARIABLE)
    if said is None and plugin.plugin_major() is not None and not driver.cuda_is_initialized():
        said = os.environ[VARIABLE] = str(MOST)
    _in_effect = int(said) if said is not None and said.isdecimal() else _DEFAULT


def in_effect() -> int:
    """How many queues there are, as far as can be known."""
    return _in_effect
