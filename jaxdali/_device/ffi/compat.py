"""The one place that depends on jax's versions and internals. Importing it does not import jax."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Iterator
from typing import Any

from jaxdali._base.aliases import Device

__all__ = [
    "backends_are_initialized",
    "calls_precede_dispatch",
    "coordination_client",
    "from_host_dlpack",
    "is_parted",
    "is_tracing",
    "local_gpus",
    "lowers_for_one_device",
    "primitive",
    "varying_like",
    "without_mesh",
]


def backends_are_initialized() -> bool:
    """Whether this process has started a JAX backend, and with it threads that `fork` would lose.

    Does not import jax: a process that has not imported it has no backend. jax has no public
    function for this (`jax.devices()` would start one), hence the private module.
    """
    bridge = sys.modules.get("jax._src.xla_bridge")
    return bridge is not None and bridge.backends_are_initialized()


def coordination_client() -> Any:
    """Returns the client of the service that connects the processes of a program, a
    `jax._src.lib._jax.DistributedRuntimeClient`; None without `jax.distributed.initialize`.
    """
    from jax._src import distributed

    return distributed.global_state.client


def is_tracing() -> bool:
    """Whether this thread is in a function that JAX traces for `jit`, `scan`, `eval_shape` and the like: its Python code
    runs once, and what it computes outside of JAX becomes a constant. False in `grad` or `vmap` alone, which run the
    code each time. Does not import jax.
    """
    core = sys.modules.get("jax._src.core")
    trace = None if core is None else core.trace_ctx.trace
    while trace is not None:
        if type(trace).__name__ == "DynamicJaxprTrace":
            return True
        trace = getattr(trace, "parent_trace", None)
    return False


def local_gpus() -> list[Device]:
    """Returns this process's GPUs, as `jax.Device`s; empty if it has none or JAX_PLATFORMS leaves them out."""
    import jax

    try:
        return jax.local_devices(backend="gpu")
    except RuntimeError:  # an unknown backend
        return []


def calls_precede_dispatch(device: Device) -> bool:
    """Whether the custom calls of a program for the device have run when its dispatch returns: those of GPUs have, unless
    XLA's variable for dispatching in a thread is set.
    """
    put_off = os.environ.get("PJRT_GPU_ENABLE_ASYNC_DISPATCH", "").lower() not in ("", "0", "false")
    return device.platform != "cpu" and not put_off


def lowers_for_one_device(context: Any) -> bool:
    """Whether the program being lowered is for one device, or for each of several under `shard_map`, and is compiled here
    rather than exported.

    Args:
        context: `jax.interpreters.mlir.LoweringRuleContext`.
    """
    module = context.module_context
    axes = module.axis_context
    alone = getattr(axes, "num_devices", None) == 1
    if (mesh := getattr(axes, "mesh", None)) is not None:  # under shard_map, perhaps over some axes only
        alone = set(getattr(axes, "manual_axes", ())) == set(mesh.axis_names)
    return alone and not module.lowering_parameters.for_export


def is_parted(context: Any) -> bool:
    """Whether the program being lowered runs on several devices, with XLA dividing its arrays among them.

    Args:
        context: that of a lowering rule. Inside `shard_map`, arrays are already one device's part.
    """
    devices = getattr(context.module_context.axis_context, "num_devices", None)
    return devices is not None and devices > 1


def varying_like(operand: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """Returns the `jax.ShapeDtypeStruct` of a call's result. In a shard_map that checks what varies, jax takes it for the
    same on all devices unless it is told that it varies, here as an operand does.
    """
    import jax

    aval = jax.typeof(operand)
    kind = getattr(aval, "manual_axis_type", None)
    if kind is None or not kind.varying:
        return jax.ShapeDtypeStruct(shape, dtype)
    here = aval.sharding.update(spec=jax.sharding.PartitionSpec())
    return jax.ShapeDtypeStruct(shape, dtype, sharding=here, manual_axis_type=kind)


def primitive(name: str) -> Any:
    """Makes a `jax.extend.core.Primitive` with hashable settings, which is compiled by itself outside of jitted
    programs. Importing the class from its public module would load Pallas, which takes as long as all of jaxdali.
    """
    import jax
    from jax._src.core import Primitive

    made: Any = Primitive(name)

    @functools.cache
    def compiled(**settings: object) -> Any:
        return jax.jit(functools.partial(made.bind, **settings))

    @made.def_impl
    def run(*operands: object, **settings: object) -> jax.Array:
        with jax.disable_jit(False):  # else this function would be called again
            return compiled(**settings)(*operands)

    return made


def from_host_dlpack(tensor: Any, device: Device, memory: int) -> Any:
    """`jax.dlpack.from_dlpack` for a tensor in the host's memory, with a dtype that JAX has.

    The public function takes 25 us; all but 4 of them go into checks that such a tensor does not need, and a batch has
    one tensor per leaf.

    Args:
        device: whose memory it is: a CPU, or a GPU that sees it.
        memory: DLPack's number of the kind of memory.
    """
    from jax._src.lib import _jax  # pyright: ignore[reportPrivateImportUsage]

    try:
        return _jax.dlpack_managed_tensor_to_buffer(tensor.__dlpack__(), device, None, None, memory)
    except (AttributeError, TypeError):  # a jax whose function takes other arguments
        import jax

        return jax.dlpack.from_dlpack(tensor)


@contextlib.contextmanager
def without_mesh() -> Iterator[None]:
    """Sets no mesh, whatever the user has set.

    `jax.set_mesh(None)` sets an empty one, which is another setting: for it programs are traced and compiled anew.
    """
    try:
        from jax._src.config import (  # pyright: ignore[reportPrivateImportUsage]
            abstract_mesh_context_manager,
            config_ext,
            device_context,
        )

        mesh, device = map(_setting, (abstract_mesh_context_manager, device_context))
        unset = config_ext.unset
    except (AttributeError, ImportError):  # a jax that keeps them elsewhere
        import jax

        with jax.set_mesh(None):
            yield
        return
    (set_mesh, its_mesh), (set_device, its_device) = mesh, device
    # Both are put back even if an interrupt comes after the first change, or after the first return.
    try:
        try:
            set_mesh(unset)
            set_device(unset)
            yield
        finally:
            set_mesh(its_mesh)
    finally:
        set_device(its_device)


def _setting(setting: Any) -> tuple[Any, Any]:
    """Returns what sets a setting of this thread, and what it is set to."""
    return setting.set_local, setting.get_local()
