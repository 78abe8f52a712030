"""Tells `jax.export` about the custom calls."""

from __future__ import annotations

import functools
from typing import Any

from jax import export

from jaxdali.errors import ConfigError
from ..ffi import load
from .encoded import EncodedBatch

__all__ = ["custom_call_targets"]


@functools.cache
def custom_call_targets() -> tuple[str, ...]:
    """Registers jaxdali's custom calls with JAX, and returns their names.

    JAX refuses to export functions with custom calls that it does not know, unless they are named as below. Their names
    end in a version, and a version never changes its behaviour::

        checks = [jax.export.DisabledSafetyCheck.custom_call(name) for name in jaxdali.image.custom_call_targets()]
        exported = jax.export.export(jax.jit(function), disabled_checks=checks)(batch)

    A process that runs such a function without having decoded anything before must call this first, and needs jaxdali
    installed. Functions may take an `EncodedBatch` of one device; with several, export one that takes its arrays.

    Returns:
        The names, sorted.

    Raises:
        BackendUnavailable: the compiled custom calls are missing.

    Example:
        >>> from jaxdali import image
        >>> "jaxdali_decode_v1" in image.custom_call_targets()
        True
    """
    load.register_targets()
    export.register_pytree_node_serialization(
        EncodedBatch,
        serialized_name="jaxdali.EncodedBatch",
        serialize_auxdata=_serialize,
        deserialize_auxdata=lambda _: (None,),
    )
    return tuple(sorted(load.cpu_module().registrations()))


def _serialize(static: Any) -> bytes:
    (sharding,) = static
    if sharding is not None:
        raise ConfigError(
            f"an EncodedBatch with the sharding {sharding} cannot be exported; export a function of its arrays, and make "
            "the batch inside."
        )
    return b""
