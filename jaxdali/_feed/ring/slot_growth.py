"""Passes the settings of how slots grow and shrink to the compiled module."""

from __future__ import annotations

from jaxdali._base.buffer_growth import HOST_GROWTH, HOST_SHRINK
from .. import _host

__all__ = ["apply_host_settings"]


def apply_host_settings() -> None:
    """Applies the settings to all slots of this process's pipelines and Loaders, from their next batch on. They reach
    the workers too, with each batch.

    Raises:
        ConfigError: an environment variable has an invalid value.
    """
    _host.set_buffers(HOST_GROWTH.get(), HOST_SHRINK.get())
