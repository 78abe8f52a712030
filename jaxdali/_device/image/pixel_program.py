"""What is done to a pixel: short programs of elementary float32 instructions on each channel, each rounded once.

They are data: their kinds are static, and their constants are operands. The custom calls of every platform run them,
and so does `run`.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from ..ffi.recipes import InstructionKind
from .convert import round_to_dtype
from .exact_arithmetic import product, rounded
from .image_arguments import is_host

__all__ = [
    "PIXEL_DTYPES",
    "Instruction",
    "constant",
    "fill",
    "matrix",
    "rounding",
    "run",
]

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
# Dtypes of pixels. Instructions compute in float32, which cannot hold every int32; without any, pixels are copied.
PIXEL_DTYPES = tuple(
    np.dtype(dtype) for dtype in (np.uint8, np.int8, np.int16, np.uint16, np.int32, np.float16, BFLOAT16, np.float32)
)


@functools.partial(jax.tree_util.register_dataclass, data_fields=("constants",), meta_fields=("kind", "dtype"))
@dataclasses.dataclass(frozen=True)
class Instruction:
    """One instruction of a program.

    Attributes:
        kind: what it does.
        constants: `float32[1, K]`, or `[N, K]`, of NumPy or JAX.
        dtype: for ROUND, the dtype that the values fit afterwards.
    """

    kind: InstructionKind
    constants: Any
    dtype: np.dtype | None = None


def constant(kind: InstructionKind, value: Array) -> Instruction:
    """An instruction that adds or multiplies by `value`: float32, a number, `[N, 1]`, `[C]` or `[N, C]`."""
    shape = np.shape(value)
    return Instruction(kind, value.reshape((1, -1) if len(shape) < 2 else shape))


def fill(value: ArrayLike) -> Instruction:
    """An instruction that sets what is outside the images from here on; shapes as in `constant`."""
    return constant(InstructionKind.FILL, value)


def rounding(dtype: np.dtype) -> Instruction | None:
    """An instruction that rounds to values of `dtype`, as `round_to_dtype` does; None if float32 needs no rounding."""
    nothing = np.zeros((1, 1), np.float32)
    if dtype == np.float32:
        return None
    if dtype == np.float16:
        return Instruction(InstructionKind.TO_FLOAT16, nothing)
    if dtype == BFLOAT16:
        return Instruction(InstructionKind.TO_BFLOAT16, nothing)
    limits = np.iinfo(dtype)
    return Instruction(InstructionKind.ROUND, np.asarray([[limits.min, limits.max]], np.float32), dtype)


def matrix(matrix: Array) -> Instruction:
    """An instruction that mixes three channels: `float32[3, 4]`, or `[N, 3, 4]`; the last column is added."""
    if is_host(matrix):
        matrix = np.asarray(matrix, np.float32)
    return Instruction(InstructionKind.MATRIX, matrix.reshape(-1, 12))


def run(pixels: jax.Array, instructions: tuple[Instruction, ...]) -> jax.Array:
    """Runs instructions on `pixels: float32[N, H, W, C]`; they must not include FILL and SAMPLE."""
    for instruction in instructions:
        pixels = _run_one(pixels, instruction.kind, instruction.constants)
    return pixels


def _run_one(pixels: jax.Array, kind: InstructionKind, constants: Array) -> jax.Array:
    values = constants.reshape(constants.shape[0], 1, 1, -1)
    match kind:
        case InstructionKind.ADD:
            return rounded(pixels + values)
        case InstructionKind.MULTIPLY:
            return product(pixels, values)
        case InstructionKind.ROUND:
            whole = jax.lax.round(pixels, jax.lax.RoundingMethod.AWAY_FROM_ZERO)
            whole = jnp.where(jnp.isnan(pixels), jnp.zeros_like(whole), whole)
            return jnp.clip(whole, values[..., :1], values[..., 1:2])
        case InstructionKind.TO_FLOAT16:
            return round_to_dtype(pixels, np.float16).astype(jnp.float32)
        case InstructionKind.TO_BFLOAT16:
            return round_to_dtype(pixels, BFLOAT16).astype(jnp.float32)
        case InstructionKind.MATRIX:
            return _mix(pixels, values)
        case _:
            raise AssertionError(f"{kind!r} is not an instruction of a pixel")


def _mix(pixels: jax.Array, values: Array) -> jax.Array:
    mixed = []
    for channel in range(3):
        row = values[..., 4 * channel : 4 * channel + 4]
        total = product(pixels[..., 0:1], row[..., 0:1])
        for source in (1, 2):
            total = rounded(total + product(pixels[..., source : source + 1], row[..., source : source + 1]))
        mixed.append(rounded(total + row[..., 3:4]))
    return jnp.concatenate(mixed, axis=-1)
