"""The custom call `jaxdali_images_v1` in plain NumPy: what recipes make of the images of a source.

Deliberately simple: one image, one recipe, the weights of one result pixel at a time, float32 step by step. It gives
the same bits as the call. The operands are those of `images` in `_device/ffi/calls.py`; `recipes.py` explains them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from image_reference import _taps, round_half_away, round_to_dtype

from jaxdali._device.ffi.recipes import Filter, Geometry, InstructionKind
from jaxdali._device.image.filters import TABLES, support

__all__ = ["Recipe", "axis_taps", "images", "run_instructions"]

f32 = np.float32


class Recipe(NamedTuple):
    """One recipe of a call, and the form of its results."""

    geometry: Any
    """`int32[N, 17]`"""
    regions: Any
    """`float32[N, 4]`, y_lo, y_hi, x_lo, x_hi"""
    instructions: Any
    """`int32[S]`"""
    constants: Any
    """`float32[1 or N, S, K]`"""
    size: tuple[int, int]
    channels: int
    dtype: Any
    channels_first: bool = False


def images(source: Sequence[np.ndarray | None], recipes: Sequence[Recipe]) -> tuple[list[np.ndarray], np.ndarray]:
    """Computes what the call returns for the images of its source.

    Args:
        source: `[h, w, C]` each, of a dtype that a canvas can have; None if the image failed.

    Returns:
        `[N, h, w, C']` or `[N, C', h, w]` for each recipe, and `bool[N]`: whether an image succeeded.
    """
    results = [np.zeros((len(source), *recipe.size, recipe.channels), recipe.dtype) for recipe in recipes]
    made = np.zeros(len(source), np.bool_)
    for k, image in enumerate(source):
        if image is None:
            continue
        own = [_image(image, recipe, k) for recipe in recipes]
        made[k] = not any(result is None for result in own)
        for out, result in zip(results, own, strict=True):
            if made[k] and result is not None:
                out[k, : result.shape[0], : result.shape[1]] = result
    results = [
        np.ascontiguousarray(np.moveaxis(result, 3, 1)) if recipe.channels_first else result
        for result, recipe in zip(results, recipes, strict=True)
    ]
    return results, made


def _image(image: np.ndarray, recipe: Recipe, k: int) -> np.ndarray | None:
    """`[height, width, C']`, the used part of a result; None if the geometry is impossible."""
    at = dict(zip(Geometry, np.asarray(recipe.geometry)[k].tolist(), strict=True))
    regions = np.asarray(recipe.regions, f32)[k]
    constants = np.asarray(recipe.constants, f32)
    constants = constants[k if len(constants) > 1 else 0]
    top, left, height, width = (at[field] for field in (Geometry.TOP, Geometry.LEFT, Geometry.HEIGHT, Geometry.WIDTH))
    rows, columns = at[Geometry.RESULT_HEIGHT], at[Geometry.RESULT_WIDTH]
    if min(top, left) < 0 or min(height, width) < 1 or top + height > image.shape[0] or left + width > image.shape[1]:
        return None
    if min(rows, columns) < 0 or rows > recipe.size[0] or columns > recipe.size[1]:
        return None
    own = image[top : top + height, left : left + width]
    own = own[:: -1 if at[Geometry.MIRROR_Y] else 1, :: -1 if at[Geometry.MIRROR_X] else 1]
    instructions = [InstructionKind(instruction) for instruction in np.asarray(recipe.instructions).tolist()]
    sample = instructions.index(InstructionKind.SAMPLE)
    pixels = run_instructions(own.astype(f32), instructions[:sample], constants[:sample])
    # Not via float32, which cannot hold every int32.
    copies = set(instructions) <= {InstructionKind.SAMPLE, InstructionKind.FILL} and own.dtype == recipe.dtype
    asked = []  # for each axis, the pixels of the virtual image to compute
    for axis, (start, count, mirror, extent) in enumerate(
        (
            (Geometry.RESULT_TOP, rows, Geometry.RESULT_MIRROR_Y, Geometry.EXTENT_Y),
            (Geometry.RESULT_LEFT, columns, Geometry.RESULT_MIRROR_X, Geometry.EXTENT_X),
        )
    ):
        indices = [at[start] + i for i in range(count)]
        asked.append(indices[::-1] if at[mirror] else indices)
        taps = _all_taps(asked[axis], pixels.shape[axis], at[extent], regions[2 * axis : 2 * axis + 2], at)
        if taps is None:
            return None
        pixels = np.moveaxis(_weigh(np.moveaxis(pixels, axis, 0), taps), 0, axis)
        copies = copies and all(list(weights.values()) in ([], [1]) for weights in taps)
        own = own.take([next(iter(weights), 0) for weights in taps], axis=axis)
    out = run_instructions(pixels, instructions[sample + 1 :], constants[sample + 1 :])
    fill, padding = _fill(instructions, constants, image.shape[2], recipe.channels)
    inside = np.logical_and.outer(
        *(
            np.array([0 <= i < at[e] for i in indices], np.bool_)
            for indices, e in zip(asked, (Geometry.EXTENT_Y, Geometry.EXTENT_X), strict=True)
        )
    )[..., None]
    out = np.where(inside, out, fill)
    padding = np.broadcast_to(padding, (rows, columns, len(padding)))
    result = round_to_dtype(np.concatenate([out, padding], axis=2).astype(f32), recipe.dtype)
    if copies:
        result[..., : own.shape[2]] = np.where(inside, own, result[..., : own.shape[2]])
    return result


def _fill(instructions, constants, channels: int, result_channels: int) -> tuple[np.ndarray, np.ndarray]:
    """The values of pixels outside the virtual image, and of channels that the source lacks."""
    fill, padding = np.zeros(channels, f32), np.zeros(result_channels - channels, f32)
    if InstructionKind.FILL in instructions:
        instruction = instructions.index(InstructionKind.FILL)
        fill = run_instructions(
            constants[instruction, :channels][None, None], instructions[instruction + 1 :], constants[instruction + 1 :]
        )[0, 0]
        if instruction == len(instructions) - 1:
            padding = constants[instruction, channels:result_channels]
    return fill, padding


def run_instructions(pixels: np.ndarray, instructions: Sequence[InstructionKind], constants: np.ndarray) -> np.ndarray:
    """Runs instructions on `float32[..., C]`; FILL leaves pixels unchanged."""
    for instruction, k in zip(instructions, constants, strict=True):
        own = k[: pixels.shape[-1]]
        with np.errstate(all="ignore"):
            if instruction == InstructionKind.ADD:
                pixels = pixels + own
            elif instruction == InstructionKind.MULTIPLY:
                pixels = pixels * own
            elif instruction == InstructionKind.ROUND:
                nearest = round_half_away(pixels)
                pixels = np.where(np.isnan(nearest), 0, np.clip(nearest, k[0], k[1])).astype(f32)
            elif instruction == InstructionKind.MATRIX:
                red, green, blue = np.moveaxis(pixels, -1, 0)
                rows = k[:12].reshape(3, 4)
                pixels = np.stack([((m[0] * red + m[1] * green) + m[2] * blue) + m[3] for m in rows], axis=-1)
            elif instruction in (InstructionKind.TO_FLOAT16, InstructionKind.TO_BFLOAT16):
                kind = "float16" if instruction == InstructionKind.TO_FLOAT16 else "bfloat16"
                pixels = round_to_dtype(pixels, kind).astype(f32)
    return pixels


def _all_taps(indices, n: int, m: int, region, at) -> list[dict[int, np.float32]] | None:
    """The taps of each result, empty outside the virtual extent; None if there can be none."""
    filters = Filter(at[Geometry.MIN_FILTER]), Filter(at[Geometry.MAG_FILTER])
    lo, hi = region
    if m < 1 or not (math.isfinite(lo) and math.isfinite(hi) and lo < hi) or filters.count(Filter.NONE) == 1:
        return None
    if Filter.NONE in filters:
        return [{i: f32(1)} if 0 <= i < m else {} for i in indices] if n == m else None
    antialias = bool(at[Geometry.ANTIALIAS])
    return [axis_taps(i, n, m, lo, hi, *filters, antialias) if 0 <= i < m else {} for i in indices]


def axis_taps(i: int, n: int, m: int, lo, hi, min_filter, mag_filter, antialias: bool) -> dict[int, np.float32]:
    """The weight of each source pixel in result `i` along an axis.

    Args:
        n: number of source pixels.
        m: number of results.
        lo, hi: float32, the part of the source that they show.
        min_filter, mag_filter: for an axis that shrinks, and for any other.
    """
    lo, hi = f32(lo), f32(hi)
    whole = lo == 0 and hi == f32(n)
    shrinks = hi - lo > f32(m)
    filter = min_filter if shrinks else mag_filter
    scale = (hi - lo) / f32(m)
    if filter == Filter.NEAREST:
        j = math.floor((f32(i) + f32(0.5)) * scale + lo)
        return {min(max(j, 0), n - 1): f32(1)}
    if filter in (Filter.LINEAR, Filter.TRIANGULAR) and whole:
        taps = _taps(i, n, m, antialias)
        total = f32(sum(taps.values()))
        return {j: f32(taps[j]) / total for j in sorted(taps)}
    samples = TABLES[filter].samples
    steps = f32(len(samples) - 1)
    factor = steps / support(filter, scale if antialias and shrinks else f32(1))
    start = f32(i) * scale + (lo + ((f32(0.5) * scale - f32(0.5)) - (steps * f32(0.5)) / factor))
    first = np.ceil(start)
    raw = [_interpolated(samples, ((first - start) + f32(k)) * factor) for k in range(math.ceil(steps / factor))]
    total = f32(0)
    merged: dict[int, np.float32] = {}
    for k, weight in enumerate(raw):
        total = total + weight
        j = min(max(int(first) + k, 0), n - 1)
        merged[j] = merged.get(j, f32(0)) + weight
    return {j: weight / (total or f32(1)) for j, weight in merged.items()}


def _interpolated(samples: np.ndarray, x: np.float32) -> np.float32:
    """A table interpolated at `x`; it reaches 0 one sample after its end."""
    below = math.floor(x)
    if below < 0 or below >= len(samples):
        return f32(0)
    above = samples[below + 1] if below + 1 < len(samples) else f32(0)
    return samples[below] + (x - f32(below)) * (above - samples[below])


def _weigh(pixels: np.ndarray, taps: list[dict[int, np.float32]]) -> np.ndarray:
    """Weighted sums along the first axis, source pixels ascending."""
    out = np.zeros((len(taps), *pixels.shape[1:]), f32)
    with np.errstate(all="ignore"):
        for i, own in enumerate(taps):
            for k, (j, weight) in enumerate(own.items()):
                out[i] = weight * pixels[j] if k == 0 else out[i] + weight * pixels[j]
    return out
