"""A recipe as the operands of the custom call that makes images: a row of numbers per image, and a pixel program."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from ..ffi.recipes import Filter, InstructionKind
from .bounds import bounded
from .pixel_program import Instruction
from .recipe import Flips, Recipe

__all__ = ["Operands", "operands_of", "result_windows", "source_windows", "virtual_extents"]

# geometry int32[N, 17], regions float32[N, 4], instructions int32[S], constants float32[1 or N, S, K]
Operands = tuple[jax.Array, jax.Array, jax.Array, jax.Array]

_SAMPLE = Instruction(InstructionKind.SAMPLE, np.zeros((1, 1), np.float32))


def operands_of(recipe: Recipe, extents: jax.Array, channels: int) -> Operands:
    """Converts a recipe to operands.

    Args:
        extents: `int32[N, 2]`, of the source's images.
        channels: of the source.
    """
    zeros = extents[:, :1] * 0
    window = source_windows(recipe, extents)
    virtual = virtual_extents(recipe, window)
    resampling = recipe.resampling
    filters = (Filter.NONE, Filter.NONE) if resampling is None else resampling.filters
    antialias = resampling is not None and resampling.antialias
    settings = jnp.asarray([[*filters, antialias]], jnp.int32) + zeros
    geometry = jnp.concatenate(
        [
            *(window, _flags(recipe.flips, zeros), virtual),
            *(result_windows(recipe, virtual), _flags(recipe.result_flips, zeros), settings),
        ],
        axis=1,
    )
    region = None if resampling is None else resampling.region
    if region is None:
        height, width = window[:, 2], window[:, 3]
        region = jnp.stack([height * 0, height, width * 0, width], axis=1)
    return (geometry, region.astype(jnp.float32), *_program(recipe, channels))


def source_windows(recipe: Recipe, extents: jax.Array) -> jax.Array:
    """`int32[N, 4]`, the window of each source image; outside of it if the image fails because a bound does not hold."""
    if recipe.window is None:
        window = jnp.concatenate([extents * 0, extents], axis=1)
    else:
        window = jnp.asarray(recipe.window, jnp.int32) + extents[:, :1] * 0
    return bounded(window, recipe.bounds, extents)


def virtual_extents(recipe: Recipe, window: jax.Array) -> jax.Array:
    """`int32[N, 2]`, what each window is resized to."""
    if recipe.resampling is None:
        return window[:, 2:]
    wanted = recipe.resampling.size if recipe.resampling.extents is None else recipe.resampling.extents
    return jnp.asarray(wanted, jnp.int32).reshape(-1, 2) + window[:, :1] * 0


def result_windows(recipe: Recipe, virtual: jax.Array) -> jax.Array:
    """`int32[N, 4]`, the window of each resized image that is the result."""
    if recipe.result is None:
        return jnp.concatenate([virtual * 0, virtual], axis=1)
    return jnp.asarray(recipe.result, jnp.int32) + virtual[:, :1] * 0


def _flags(flips: Flips, zeros: jax.Array) -> jax.Array:
    columns = [zeros if flag is None else jnp.asarray(flag, jnp.int32).reshape(-1, 1) + zeros for flag in flips]
    return jnp.concatenate(columns, axis=1)


def _program(recipe: Recipe, channels: int) -> tuple[jax.Array, jax.Array]:
    instructions = [*recipe.instructions[: recipe.sample_at], _SAMPLE, *recipe.instructions[recipe.sample_at :]]
    samples = max(instruction.constants.shape[0] for instruction in instructions)
    width = max(max(instruction.constants.shape[1] for instruction in instructions), channels, recipe.channels)
    rows = []
    for instruction in instructions:
        constants = jnp.asarray(instruction.constants, jnp.float32)
        if constants.shape[1] == 1:  # one value for all channels
            constants = jnp.broadcast_to(constants, (constants.shape[0], width))
        constants = jnp.pad(constants, ((0, 0), (0, width - constants.shape[1])))
        rows.append(jnp.broadcast_to(constants, (samples, width)))
    return jnp.asarray([instruction.kind for instruction in instructions], jnp.int32), jnp.stack(rows, axis=1)
