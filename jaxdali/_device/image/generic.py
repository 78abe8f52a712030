"""Evaluates recipes with jax.numpy and the decoding calls.

Used where the custom call that does everything is not available: on other platforms, for derivatives, and under `vmap`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxdali._base.batch import Status
from jaxdali.errors import ConfigError
from ..ffi import calls
from ..ffi.recipes import Filter, InstructionKind
from . import pixel_program as program
from .bounds import are_within
from .convert import round_to_dtype
from .geometry import crop, crop_windows, flip
from .judging import judged
from .operands import result_windows, source_windows, virtual_extents
from .recipe import Recipe, Size
from .resampling import resampled

__all__ = ["is_one_window", "of_canvas", "of_files"]

_LEVELS = 256


def of_files(
    encoded: jax.Array, rows: jax.Array, sizes: jax.Array, recipes: Sequence[Recipe], settings: Any
) -> tuple[list[jax.Array], jax.Array]:
    """Results for one device's files, and the first failure of each image."""
    extents = sizes[:, :2]
    sizes_of = [_one_window(recipe, settings) for recipe in recipes]
    # The call for one window checks it itself.
    checked = [index for index, size in enumerate(sizes_of) if size is None]
    planned = _planned(extents, [recipes[k] for k in checked], [settings.targets[k] for k in checked], settings)
    decoded = None
    if checked:
        decoded = calls.decode(encoded, rows, canvas=_canvas(settings), **_call_settings(settings))
    results, statuses = [], [] if decoded is None else [decoded[1], planned]
    for recipe, target, size in zip(recipes, settings.targets, sizes_of, strict=True):
        if size is None:
            assert decoded is not None
            good = (decoded[1] == 0) & (planned == 0)
            results.append(_evaluate(decoded[0], extents, recipe, target, good))
        else:
            images, status = _resampled(encoded, rows, sizes, recipe, size, settings)
            results.append(images)
            statuses.append(status)
    status = statuses[0]
    for other in statuses[1:]:
        status = jnp.where(status != 0, status, other)
    if len(checked) == len(recipes) or len(recipes) == 1:
        return results, status
    # An image that failed for one recipe is zeros in all results.
    good = (status == 0).reshape(-1, 1, 1, 1)
    return [jnp.where(good, images, jnp.zeros_like(images)) for images in results], status


def of_canvas(
    pixels: jax.Array, shapes: jax.Array, recipes: Sequence[Recipe], settings: Any
) -> tuple[list[jax.Array], jax.Array]:
    """Results for images on a canvas `[N, H, W, C]`, and the failure of each image."""
    extents = shapes[:, :2]
    status = _planned(extents, recipes, settings.targets, settings)
    good = (status == 0) & (extents > 0).all(axis=1)
    results = [
        _evaluate(pixels, extents, recipe, target, good)
        for recipe, target in zip(recipes, settings.targets, strict=True)
    ]
    return results, status


def is_one_window(recipes: Sequence[Recipe], settings: object) -> bool:
    """Whether all that is needed of each file is one window, resized, for which there is a custom call."""
    return len(recipes) == 1 and _one_window(recipes[0], settings) is not None


def _call_settings(settings: object) -> dict[str, Any]:
    names = ("raise_on_error", "threads", "decoder", "fancy_upsampling", "affinity")
    return {name: getattr(settings, name) for name in names}


def _canvas(settings: Any) -> Size:
    if settings.channels != 3 or settings.own or settings.bits != 8:
        raise ConfigError(
            'color="GRAY", "ANY" (output_type GRAY, ANY_DATA) and dtype=uint16 are read from files on CPUs and GPUs only; '
            "decode to RGB here and convert the pixels"
        )
    if settings.canvas is None:
        raise ConfigError(
            "on this platform these images are first decoded whole, to a canvas that must be known while tracing; "
            "give jaxdali.image.open canvas=(height, width), at least as large as the largest image"
        )
    return settings.canvas


def _one_window(recipe: Recipe, settings: Any) -> Size | None:
    """The size of the results if the call that decodes and resamples a window does everything; None if it does not."""
    resampling = recipe.resampling
    fits = (
        settings.channels == recipe.channels == 3
        and not settings.own
        and settings.bits == 8
        and resampling is not None
        and resampling.size is not None
        and resampling.region is None
        and resampling.antialias
        and set(resampling.filters) <= {Filter.LINEAR, Filter.TRIANGULAR}
        and all(flag is None for flag in recipe.flips)
        and recipe.result is None
        and recipe.result_flips[0] is None
        and recipe.sample_at == 0
        and bool(recipe.instructions)
        and recipe.instructions[0].dtype == np.uint8
        and all(
            instruction.kind not in (InstructionKind.MATRIX, InstructionKind.FILL)
            for instruction in recipe.instructions
        )
    )
    return resampling.size if resampling is not None and fits else None


def _resampled(
    encoded: jax.Array, rows: jax.Array, sizes: jax.Array, recipe: Recipe, size: Size, settings: object
) -> tuple[jax.Array, jax.Array]:
    instructions = recipe.instructions[1:]
    count = max([1, *(instruction.constants.shape[0] for instruction in instructions)])
    levels = jnp.broadcast_to(jnp.arange(_LEVELS, dtype=jnp.float32).reshape(1, 1, -1, 1), (count, 1, _LEVELS, 3))
    table = (
        round_to_dtype(program.run(levels, instructions), recipe.dtype).transpose(0, 3, 1, 2).reshape(count, 3, _LEVELS)
    )
    flags = recipe.result_flips[1]
    zeros = sizes[:, 0] * 0
    return calls.decode_resample(
        encoded,
        rows,
        source_windows(recipe, sizes[:, :2]),
        (zeros if flags is None else zeros + flags) != 0,
        table,
        size=size,
        channels_first=recipe.layout == "CHW",
        **_call_settings(settings),
    )


def _planned(extents: jax.Array, recipes: Sequence[Recipe], targets: Sequence[Any], settings: Any) -> jax.Array:
    """The failures that are certain before a pixel is read, `int32[N]`: a window is not within its image, or a result
    does not fit into its array. An image without pixels has failed before.
    """
    status, blamed = extents[:, 0] * 0, extents[:, [0, 0, 0, 0]] * 0
    for recipe, target in zip(recipes, targets, strict=True):
        window = source_windows(recipe, extents)
        size = result_windows(recipe, virtual_extents(recipe, window))[:, 2:]
        fits = are_within(window, extents) & ((size >= 0) & (size <= jnp.asarray([target.size]))).all(axis=1)
        fails = ~fits & (extents > 0).all(axis=1) & (status == 0)
        status = jnp.where(fails, jnp.int32(Status.TOO_LARGE), status)
        blamed = jnp.where(fails[:, None], window, blamed)
    return judged(status, blamed) if settings.raise_on_error else status


def _evaluate(pixels: jax.Array, extents: jax.Array, recipe: Recipe, target: Any, good: jax.Array) -> jax.Array:
    """The results of a recipe; zeros for images that are not `good: bool[N]`."""
    window = source_windows(recipe, extents)
    virtual = virtual_extents(recipe, window)
    result = result_windows(recipe, virtual)
    images = (
        program.run(pixels.astype(jnp.float32), recipe.instructions[: recipe.sample_at]) if recipe.sample_at else pixels
    )
    images = _cut(images, extents, window, recipe.window_size if recipe.window is not None else None)
    images = flip(images, *_flags(recipe.flips), window[:, 2:])
    if recipe.resampling is not None:
        windows = None if recipe.result is None else result
        images = resampled(images, target.size, window[:, 2:], recipe.resampling, virtual, windows)
    elif recipe.result is not None:
        images = _placed(images, target.size, result)
    images = _fitted(images, target.size)
    images = flip(images, *_flags(recipe.result_flips), result[:, 2:])
    inside = _inside(result, virtual, recipe, target.size)
    # Not via float32, which cannot hold every int32.
    copied = recipe.resampling is None and recipe.dtype == images.dtype and _only_fills(recipe)
    images = _programmed(images if copied else images.astype(jnp.float32), recipe, inside)
    within = _within(jnp.where(good[:, None], result[:, 2:], 0), target.size)
    images = round_to_dtype(jnp.where(within, images, jnp.zeros_like(images)), recipe.dtype)
    return images.transpose(0, 3, 1, 2) if recipe.layout == "CHW" else images


def _cut(images: jax.Array, extents: jax.Array, window: jax.Array, size: Size | None) -> jax.Array:
    """Moves the windows to the top left corner; zeros for a window that leaves its image."""
    if size is None:
        return crop_windows(images, window, extents)
    if size[0] > images.shape[1] or size[1] > images.shape[2]:
        return jnp.zeros((images.shape[0], *size, images.shape[3]), images.dtype)
    return crop(images, window[:, :2], size, extents)


def _placed(images: jax.Array, size: Size, result: jax.Array) -> jax.Array:
    """Moves windows of copied pixels; pixels outside the image are undefined."""
    for axis in (1, 2):
        place = lax.broadcasted_iota(jnp.int32, (images.shape[0], size[axis - 1]), 1)
        index = jnp.clip(place + result[:, axis - 1 : axis], 0, images.shape[axis] - 1)
        images = jnp.take_along_axis(
            images, index.reshape((-1, size[0], 1, 1) if axis == 1 else (-1, 1, size[1], 1)), axis=axis
        )
    return images


def _fitted(images: jax.Array, size: Size) -> jax.Array:
    """Crops or pads images to a canvas of this size."""
    images = images[:, : size[0], : size[1]]
    missing = [(0, extent - have) for extent, have in zip(size, images.shape[1:3], strict=True)]
    return jnp.pad(images, ((0, 0), *missing, (0, 0)))


def _flags(flips: Any) -> tuple[Any, Any]:
    """The flags in the order of `flip`, horizontal first."""
    vertical, horizontal = (0 if flag is None else flag for flag in flips)
    return horizontal, vertical


def _inside(result: jax.Array, virtual: jax.Array, recipe: Recipe, size: Size) -> jax.Array | None:
    """Which pixels of the (mirrored) windows are on the resized image, `bool[N, H, W, 1]`; None: all."""
    if not recipe.padded:
        return None
    inside = None
    for axis, flag in enumerate(recipe.result_flips):
        place = lax.broadcasted_iota(jnp.int32, (result.shape[0], size[axis]), 1)
        start, extent = result[:, axis : axis + 1], result[:, 2 + axis : 3 + axis]
        if flag is not None:
            mirrored = jnp.asarray(flag, jnp.int32).reshape(-1, 1)
            place = place + mirrored * (extent - 1 - 2 * place)
        within = (start + place >= 0) & (start + place < virtual[:, axis : axis + 1])
        within = within.reshape((-1, size[0], 1, 1) if axis == 0 else (-1, 1, size[1], 1))
        inside = within if inside is None else inside & within
    return inside


def _within(extents: jax.Array, size: Size) -> jax.Array:
    """Which pixels of the canvas belong to the image, `bool[N, H, W, 1]`."""
    shape = (extents.shape[0], *size, 1)
    rows, columns = (lax.broadcasted_iota(jnp.int32, shape, axis) for axis in (1, 2))
    return (rows < extents[:, 0].reshape(-1, 1, 1, 1)) & (columns < extents[:, 1].reshape(-1, 1, 1, 1))


def _only_fills(recipe: Recipe) -> bool:
    return all(instruction.kind == InstructionKind.FILL for instruction in recipe.instructions)


def _programmed(pixels: jax.Array, recipe: Recipe, inside: jax.Array | None) -> jax.Array:
    """Runs the instructions after sampling."""
    instructions = recipe.instructions[recipe.sample_at :]
    filled = [index for index, instruction in enumerate(instructions) if instruction.kind == InstructionKind.FILL]
    if not filled:
        pixels = program.run(pixels, instructions)
        return pixels if inside is None else jnp.where(inside, pixels, jnp.zeros_like(pixels))
    (at,) = filled
    pixels = program.run(pixels, instructions[:at])
    constants = round_to_dtype(jnp.asarray(instructions[at].constants, jnp.float32), pixels.dtype)
    fill = constants.reshape(constants.shape[0], 1, 1, -1)
    added = recipe.channels - pixels.shape[3]
    pixels = jnp.pad(pixels, ((0, 0), (0, 0), (0, 0), (0, added)))
    if added:  # channels that are there for their fill alone
        own = lax.broadcasted_iota(jnp.int32, (1, 1, 1, recipe.channels), 3) < recipe.channels - added
        inside = own if inside is None else inside & own
    if inside is not None:
        pixels = jnp.where(inside, pixels, jnp.broadcast_to(fill, pixels.shape))
    return program.run(pixels, instructions[at + 1 :])
