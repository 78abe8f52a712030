"""Makes functions with two implementations: one custom call on CPUs, and some GPUs; jax.numpy elsewhere.

Random draws are a few hundred operations on a few numbers. XLA needs one or two seconds to compile them, which delays
the first batch of every process, and on a CPU most of their run time is overhead between operations. XLA's programs for
sampling between pixels and for counting levels are slow everywhere; those for windows of pixels and for connected pixels
only on CPUs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax.interpreters import ad, batching, mlir
from jax.sharding import AxisType

from . import compat
from .load import can_bind_cuda

__all__ = ["two_ways"]


def two_ways(
    name: str,
    shape: Callable[..., tuple[tuple[int, ...], Any]],
    generic: Callable[..., Any],
    native: Callable[..., Any],
    *,
    on_gpus: bool | Callable[..., bool] = True,
) -> Callable[..., jax.Array]:
    """Makes a function of arrays, its positional arguments, and of hashable settings, its keyword arguments.

    Args:
        name: of its primitive.
        shape: returns the shape and dtype of its result.
        generic: its definition.
        native: the same as a custom call, used in programs for one device, a CPU or a GPU, and under `shard_map` over all
            axes of a mesh. XLA cannot partition a custom call, and it cannot be mapped, exported or differentiated; those
            use the definition.
        on_gpus: whether there is a custom call for GPUs, too; or a function of the arrays' avals and the settings that
            says whether the call takes them.
    """
    primitive = compat.primitive(name)

    @primitive.def_abstract_eval
    def abstract(*operands: Any, **settings: object) -> Any:
        dimensions, dtype = shape(*operands, **settings)
        return operands[0].update(shape=dimensions, dtype=dtype, weak_type=False)

    def mapped(operands: Any, axes: Any, **settings: object) -> Any:
        return jax.vmap(functools.partial(generic, **settings), in_axes=tuple(axes))(*operands), 0

    lowered = {way: mlir.lower_fun(way, multiple_results=False) for way in (generic, native)}

    def lower_on_cpu(context: Any, *operands: object, **settings: object) -> Any:
        way = native if compat.lowers_for_one_device(context) else generic
        return lowered[way](context, *operands, **settings)

    def lower_on_gpu(context: Any, *operands: object, **settings: Any) -> Any:
        takes = on_gpus is True or (callable(on_gpus) and on_gpus(*context.avals_in, **settings))
        way = native if takes and compat.lowers_for_one_device(context) and can_bind_cuda() else generic
        return lowered[way](context, *operands, **settings)

    def derived(primals: Any, tangents: Any, **settings: object) -> Any:
        compute = functools.partial(generic, **settings)
        return jax.jvp(compute, tuple(primals), tuple(map(ad.instantiate_zeros, tangents)))

    ad.primitive_jvps[primitive] = derived
    batching.primitive_batchers[primitive] = mapped
    mlir.register_lowering(primitive, lowered[generic])
    mlir.register_lowering(primitive, lower_on_cpu, platform="cpu")
    if on_gpus:
        mlir.register_lowering(primitive, lower_on_gpu, platform="cuda")

    def function(*operands: Any, **settings: object) -> jax.Array:
        # The custom call is of no use in a program that lays arrays out over several devices.
        avals = [jax.typeof(operand) for operand in operands]
        if any(map(_is_laid_out, avals)) or not _vary_alike(avals):
            return generic(*operands, **settings)
        return primitive.bind(*operands, **settings)

    return function


def _is_laid_out(aval: Any) -> bool:
    mesh = aval.sharding.mesh
    # Under shard_map over all axes of a mesh, an array is one device's own.
    return not mesh.empty and any(kind != AxisType.Manual for kind in mesh.axis_types)


def _vary_alike(avals: Sequence[Any]) -> bool:
    """Whether arrays vary over the same axes of a shard_map that checks that: the result of a call varies as the first."""
    # Where jax has no such attribute, only one array is like itself.
    return len({getattr(aval, "manual_axis_type", place) for place, aval in enumerate(avals)}) <= 1
