"""What `jax.export` must be told of the custom calls."""

from __future__ import annotations

import functools
from typing import Any

from jax import export

from jaxdali._ffi import load
from jaxdali.errors import ConfigError

from .encoded import EncodedBatch

__all__ = ["custom_call_targets"]


@functools.cache
def custom_call_targets() -> tuple[str, ...]:
    """Registers jaxdali's custom calls with JAX, and names them.

    JAX exports no function with custom calls that it does not know; these are named in its switch for that. Their names
    end in a version, and a version never changes what it does::

        checks = [jax.export.DisabledSafetyCheck.custom_call(name) for name in jaxdali.image.custom_call_targets()]
        exported = jax.export.export(jax.jit(function), disabled_checks=checks)(batch)

    A process that runs such a function without having decoded anything before calls this first, and has jaxdali
    installed. Functions may take an `EncodedBatch` of one device; with several, export one of its arrays.

    Raises:
        BackendUnavailable: the compiled custom calls are missing.
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
