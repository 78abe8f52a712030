"""How many hardware queues CUDA has for the streams of this process. CUDA reads that once, when it begins, so jaxdali asks
for them when it is imported.
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
    """Sets CUDA_DEVICE_MAX_CONNECTIONS to 32 where jax has CUDA, CUDA has not begun, and nobody has set it.

    nvJPEG's streams stand behind a training step where they share a queue with XLA's; with the default of 8 they do.
    """
    global _in_effect
    said = os.environ.get(VARIABLE)
    if said is None and plugin.plugin_major() is not None and not driver.cuda_is_initialized():
        said = os.environ[VARIABLE] = str(MOST)
    _in_effect = int(said) if said is not None and said.isdecimal() else _DEFAULT


def in_effect() -> int:
    """How many there are, as far as can be known."""
    return _in_effect
