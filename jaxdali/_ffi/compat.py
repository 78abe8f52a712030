"""The one place that looks at jax's versions and insides. Importing it does not import jax."""

from __future__ import annotations

import functools
import sys
from typing import Any

from ..aliases import Device

__all__ = [
    "backends_are_initialized",
    "from_host_dlpack",
    "is_parted",
    "local_gpus",
    "lowers_for_one_device",
    "primitive",
]


def backends_are_initialized() -> bool:
    """Whether this process has started a JAX backend, and with it threads that `fork` would lose.

    Does not import jax: a process that has not imported it has no backend. jax has no public
    question for this (`jax.devices()` would start one), hence the private module.
    """
    bridge = sys.modules.get("jax._src.xla_bridge")
    return bridge is not None and bridge.backends_are_initialized()


def local_gpus() -> list[Device]:
    """This process's GPUs, as `jax.Device`s; none where there are none, or JAX_PLATFORMS leaves them out."""
    import jax

    try:
        return jax.local_devices(backend="gpu")
    except RuntimeError:  # an unknown backend
        return []


def lowers_for_one_device(context: Any) -> bool:
    """Whether what is lowered is a program of one device, to be compiled here and not exported.

    Args:
        context: `jax.interpreters.mlir.LoweringRuleContext`.
    """
    module = context.module_context
    devices = getattr(module.axis_context, "num_devices", None)  # under shard_map there is none
    return devices == 1 and not module.lowering_parameters.for_export


def is_parted(context: Any) -> bool:
    """Whether the program that is lowered runs on several devices, among which XLA parts its arrays.

    Args:
        context: of a lowering rule. Inside `shard_map` an array is one device's part already.
    """
    devices = getattr(context.module_context.axis_context, "num_devices", None)
    return devices is not None and devices > 1


def primitive(name: str) -> Any:
    """A new `jax.extend.core.Primitive`, of hashable settings, which outside of programs is a program of its own. To import
    the class from there loads Pallas, which takes as long as all of jaxdali.
    """
    import jax
    from jax._src.core import Primitive

    made: Any = Primitive(name)

    @functools.cache
    def compiled(**settings: object) -> Any:
        return jax.jit(functools.partial(made.bind, **settings))

    @made.def_impl
    def run(*operands: object, **settings: object) -> jax.Array:
        with jax.disable_jit(False):  # else it would come here again
            return compiled(**settings)(*operands)

    return made


def from_host_dlpack(tensor: Any, device: Device) -> Any:
    """`jax.dlpack.from_dlpack` of a tensor in the memory of a CPU device, of a type that JAX has.

    The public function takes 25 us, of which all but 4 go into looking for what such a tensor does not need; a batch has
    one for each leaf.
    """
    from jax._src.lib import _jax  # pyright: ignore[reportPrivateImportUsage]

    try:
        return _jax.dlpack_managed_tensor_to_buffer(tensor.__dlpack__(), device, None, None)
    except (AttributeError, TypeError):  # of another jax, which wants other arguments
        import jax

        return jax.dlpack.from_dlpack(tensor)
