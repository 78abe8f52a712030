"""Evaluates recipes: everything of one source in one call, which reads each image once and writes each result once.

It is a JAX primitive, so that each platform has its own way: on CPUs and GPUs jaxdali's custom call; elsewhere, for
derivatives and under `vmap`, the jax.numpy code of `generic`. The results are the same.

In come a source's operands (of files: bytes, rows, sizes; of a canvas: pixels, shapes), the recipes, whose arrays are
operands, too, and static `Settings`. A lowering is `_native`, which binds `jaxdali_images_v1`, or `_generic`,
jax.numpy; on GPUs it is the latter for files with one resized window, for which that binds `decode_resample`. Out go an
array for each recipe, and a status for each image. It relies on `operands_of`, which lays a recipe out as numbers for
the call.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax.interpreters import ad, batching, mlir
from jax.sharding import AxisType, NamedSharding, PartitionSpec
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..ffi import calls
from ..ffi.compat import is_parted, primitive
from ..ffi.load import can_bind_cuda
from . import generic
from .operands import operands_of
from .recipe import Recipe, Size

__all__ = ["Settings", "Target", "evaluate_canvas", "evaluate_files"]

_FILES, _CANVAS = 0, 1
_OWN = 2  # a value of the `color` attribute: each file's own channels


@dataclasses.dataclass(frozen=True)
class Settings:
    """Everything that is not derived from the operands.

    Attributes:
        targets: for each recipe, what its results look like.
        treedef: of the recipes.
        files: whether the source consists of files.
        channels: of the source.
        own: whether each file keeps its own channels, followed by zeros.
        bits: per channel of files.
        canvas: (height, width) to which whole files are decoded, on platforms that decode before they compute.
    """

    targets: tuple[Target, ...]
    treedef: object
    files: bool
    channels: int
    canvas: Size | None = None
    own: bool = False
    bits: int = 8
    raise_on_error: bool = False
    threads: int = 0
    decoder: int = 0
    fancy_upsampling: bool = True
    affinity: tuple[tuple[int, ...], ...] = ()


@dataclasses.dataclass(frozen=True)
class Target:
    """Size (height, width), dtype, layout and channels of a recipe's results; and whether all of them fit for certain."""

    size: Size
    dtype: np.dtype
    layout: str
    channels: int
    fits: bool = True

    def shape(self, samples: int) -> tuple[int, int, int, int]:
        """Shape of the array for a number of images."""
        extents = (self.channels, *self.size) if self.layout == "CHW" else (*self.size, self.channels)
        return (samples, *extents)


def evaluate_files(
    encoded: Array, rows: Array, sizes: Array, recipes: Sequence[Recipe], settings: Settings
) -> tuple[list[jax.Array], jax.Array]:
    """Results and statuses `int32[N]` for one device's files; see `jaxdali._device.ffi.calls.decode` for the operands."""
    *results, status = _images.bind(encoded, rows, sizes, *jax.tree.leaves(list(recipes)), settings=settings)
    return results, status


def evaluate_canvas(
    pixels: ArrayLike, shapes: ArrayLike, recipes: Sequence[Recipe], settings: Settings
) -> tuple[list[jax.Array], jax.Array]:
    """Results and statuses `int32[N]` for images on a canvas `[N, H, W, C]`, of shapes `int32[N, 3]`."""
    *results, status = _images.bind(pixels, shapes, *jax.tree.leaves(list(recipes)), settings=settings)
    return results, status


_images = primitive("jaxdali_images")
_images.multiple_results = True


@_images.def_abstract_eval
def _abstract(*operands: Any, settings: Settings) -> list[object]:
    info = operands[1]  # sharded along the batch like the results
    sharding = info.sharding
    along = sharding.spec[0] if len(sharding.spec) else None

    def result(shape: tuple[int, ...], dtype: np.dtype) -> Any:
        laid_out = sharding.update(spec=jax.sharding.PartitionSpec(along, *(None,) * (len(shape) - 1)))
        return info.update(shape=shape, dtype=np.dtype(dtype), sharding=laid_out, weak_type=False)

    samples = info.shape[0]
    return [
        *(result(target.shape(samples), target.dtype) for target in settings.targets),
        result((samples,), np.dtype(np.int32)),
    ]


def _native(*operands: Any, settings: Settings) -> list[jax.Array]:
    head = 3 if settings.files else 2
    data, info = operands[:2]
    extents = operands[head - 1][:, :2]
    recipes = jax.tree.unflatten(settings.treedef, operands[head:])
    results, status = calls.images(
        data,
        info,
        [operands_of(recipe, extents, settings.channels) for recipe in recipes],
        [jax.ShapeDtypeStruct(target.shape(info.shape[0]), target.dtype) for target in settings.targets],
        source=_FILES if settings.files else _CANVAS,
        color=_OWN if settings.own else int(settings.files and settings.channels == 1),
        channels=settings.channels,
        bits=settings.bits,
        channels_first=[target.layout == "CHW" for target in settings.targets],
        raise_on_error=settings.raise_on_error,
        threads=settings.threads,
        decoder=settings.decoder,
        fancy_upsampling=settings.fancy_upsampling,
        affinity=settings.affinity,
    )
    return [*results, status]


def _generic(*operands: Any, settings: Settings) -> list[jax.Array]:
    head = 3 if settings.files else 2
    recipes = jax.tree.unflatten(settings.treedef, operands[head:])
    compute = generic.of_files if settings.files else generic.of_canvas
    results, status = compute(*operands[:head], recipes=recipes, settings=settings)
    return [*results, status]


def _jvp(primals: Sequence[object], tangents: Sequence[object], *, settings: Settings) -> object:
    compute = functools.partial(_generic, settings=settings)
    return jax.jvp(compute, tuple(primals), tuple(map(ad.instantiate_zeros, tangents)))


def _batched(operands: Sequence[Any], axes: Sequence[Any], *, settings: Settings) -> object:
    if settings.files:
        raise ConfigError(
            "files are decoded a whole batch at a time, which cannot be mapped by jax.vmap: call it before vmap, and map "
            "over its result."
        )
    results = jax.vmap(functools.partial(_generic, settings=settings), in_axes=tuple(axes))(*operands)
    return results, [0] * len(results)


def _lowering(way: Callable[..., list[jax.Array]]) -> Callable[..., Any]:
    lower = mlir.lower_fun(way, multiple_results=True)

    def lowered(context: Any, *operands: object, settings: Settings) -> Any:
        # On Explicit axes JAX would refuse what jax.numpy code does; by now, only XLA has to divide it.
        meshes = [aval.sharding.mesh for aval in context.avals_in]
        mesh = next((mesh for mesh in meshes if AxisType.Explicit in mesh.axis_types), None)
        if mesh is None:
            return lower(context, *operands, settings=settings)
        mesh = mesh.update_axis_types(dict.fromkeys(mesh.axis_names, AxisType.Auto))
        undivided = [
            aval.update(sharding=NamedSharding(mesh, PartitionSpec(*[None] * aval.ndim))) for aval in context.avals_in
        ]
        with jax.sharding.use_abstract_mesh(mesh):
            return lower(context.replace(avals_in=undivided), *operands, settings=settings)

    return lowered


_lower_generically, _lower_natively = _lowering(_generic), _lowering(_native)


def _by_call(context: Any, *operands: object, settings: Settings) -> Any:
    # XLA would gather a canvas on several devices for the custom call, but can partition functions of jax.numpy.
    parted = not settings.files and is_parted(context)
    return (_lower_generically if parted else _lower_natively)(context, *operands, settings=settings)


def _on_gpu(context: Any, *operands: object, settings: Settings) -> Any:
    # On GPUs, resizing one window of each file has a custom call of its own. A canvas does not need our GPU module.
    head = 3 if settings.files else 2
    recipes = jax.tree.unflatten(settings.treedef, operands[head:])
    generically = generic.is_one_window(recipes, settings) if settings.files else not can_bind_cuda()
    return (_lower_generically if generically else _by_call)(context, *operands, settings=settings)


ad.primitive_jvps[_images] = _jvp
batching.primitive_batchers[_images] = _batched
mlir.register_lowering(_images, _lower_generically)
mlir.register_lowering(_images, _by_call, platform="cpu")
mlir.register_lowering(_images, _on_gpu, platform="cuda")
