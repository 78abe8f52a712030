"""Tells the compiled module how slots are to grow and shrink."""

from __future__ import annotations

from .. import _host
from ..buffers import HOST_GROWTH, HOST_SHRINK

__all__ = ["apply_host_settings"]


def apply_host_settings() -> None:
    """What is set holds for all slots of this process's pipelines and Loaders, from their next batch on; also in the
    workers, which are told with each batch.

    Raises:
        ConfigError: a variable of the environment says what cannot be.
    """
    _host.set_buffers(HOST_GROWTH.get(), HOST_SHRINK.get())
