"""What operations of `Images` do to each pixel, as instructions of a pixel program."""

from __future__ import annotations

import dataclasses

import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from ..ffi.recipes import InstructionKind
from . import pixel_program as program
from .color import default_contrast_center, largest
from .exact_arithmetic import product, quotient, to_float32
from .image_arguments import is_host
from .image_normalize import check_moments
from .operation_arguments import instruction_number
from .pixel_program import Instruction
from .recipe import Recipe

__all__ = ["contrast_instructions", "moment_instructions", "with_more_channels"]


def contrast_instructions(
    recipe: Recipe,
    samples: int,
    brightness: ArrayLike,
    brightness_shift: ArrayLike,
    contrast: ArrayLike,
    contrast_center: ArrayLike | None,
    target: np.dtype,
) -> list[Instruction]:
    """The steps of `Images.brightness_contrast`, for so many samples, before pixels are rounded to `target`."""
    center = default_contrast_center(recipe.dtype) if contrast_center is None else contrast_center
    center = instruction_number("contrast_center", center, samples)
    slope = instruction_number("contrast", contrast, samples)
    shift = instruction_number("brightness_shift", brightness_shift, samples)
    return [
        program.constant(InstructionKind.ADD, -center),
        program.constant(InstructionKind.MULTIPLY, slope),
        program.constant(InstructionKind.ADD, center),
        program.constant(InstructionKind.MULTIPLY, instruction_number("brightness", brightness, samples)),
        program.constant(InstructionKind.ADD, product(shift, np.float32(largest(target)))),
    ]


def moment_instructions(
    recipe: Recipe, samples: int, mean: Array, std: Array, scale: Array, shift: Array
) -> list[Instruction]:
    """The steps of `Images.normalize`, for so many samples. Raises ConfigError if a shape does not fit."""
    check_moments(mean, std, scale, shift, samples, recipe.channels)
    return [
        program.constant(InstructionKind.ADD, -to_float32(mean)),
        program.constant(InstructionKind.MULTIPLY, quotient(to_float32(scale), to_float32(std))),
        program.constant(InstructionKind.ADD, to_float32(shift)),
    ]


def with_more_channels(recipe: Recipe, channels: int, fill: npt.ArrayLike) -> Recipe:
    """Adds channels of `fill`, a number or one per channel, up to `channels`."""
    fill = (np if is_host(fill) else jnp).broadcast_to(to_float32(fill), (channels,))
    *instructions, last = [None, *recipe.instructions]
    # The same instruction fills the outside of the images.
    if last is not None and last.kind == InstructionKind.FILL:
        own = jnp.broadcast_to(last.constants, (len(last.constants), recipe.channels))
        more = jnp.broadcast_to(fill[recipe.channels :], (len(own), channels - recipe.channels))
        instruction = program.constant(InstructionKind.FILL, jnp.concatenate([own, more], axis=1))
    else:
        instructions, instruction = [*instructions, last], program.fill(fill)
    kept = tuple(one for one in instructions if one is not None)
    return dataclasses.replace(recipe, instructions=(*kept, instruction), channels=channels)
