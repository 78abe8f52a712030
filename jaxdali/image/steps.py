"""What becomes of a pixel: short programs of elementary steps in float32, one value a channel, each rounded once.

They are data: their kinds are static, their constants operands. The calls of every platform run them, and so does
`run_steps`.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

from .._ffi.recipes import StepKind
from .arguments import is_host
from .convert import round_to_dtype
from .exact import product, rounded

__all__ = [
    "PIXEL_DTYPES",
    "Step",
    "constant_step",
    "fill_step",
    "matrix_step",
    "rounding_step",
    "run_steps",
]

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
# Types of pixels. Steps compute with float32, which does not hold every int32: without them, pixels are copied.
PIXEL_DTYPES = tuple(
    np.dtype(dtype) for dtype in (np.uint8, np.int8, np.int16, np.uint16, np.int32, np.float16, BFLOAT16, np.float32)
)


@functools.partial(jax.tree_util.register_dataclass, data_fields=("constants",), meta_fields=("kind", "dtype"))
@dataclasses.dataclass(frozen=True)
class Step:
    """One step of a program.

    Attributes:
        kind: what it does.
        constants: `float32[1, K]`, or `[N, K]`, of NumPy or JAX.
        dtype: of ROUND, that the values fit then.
    """

    kind: StepKind
    constants: Any
    dtype: np.dtype | None = None


def constant_step(kind: StepKind, value: Any) -> Step:
    """Adds or multiplies: a number, one value a sample `[N, 1]`, a channel `[C]` or both `[N, C]`, float32."""
    shape = np.shape(value)
    return Step(kind, value.reshape((1, -1) if len(shape) < 2 else shape))


def fill_step(value: Any) -> Step:
    """What lies outside of the images, from here on; shapes as in `constant_step`."""
    return constant_step(StepKind.FILL, value)


def rounding_step(dtype: np.dtype) -> Step | None:
    """To the values that `dtype` holds, as `round_to_dtype`; None: it holds every float32."""
    nothing = np.zeros((1, 1), np.float32)
    if dtype == np.float32:
        return None
    if dtype == np.float16:
        return Step(StepKind.TO_FLOAT16, nothing)
    if dtype == BFLOAT16:
        return Step(StepKind.TO_BFLOAT16, nothing)
    limits = np.iinfo(dtype)
    return Step(StepKind.ROUND, np.asarray([[limits.min, limits.max]], np.float32), dtype)


def matrix_step(matrix: Any) -> Step:
    """Mixes three channels: `float32[3, 4]`, or `[N, 3, 4]`; the last column is added."""
    if is_host(matrix):
        matrix = np.asarray(matrix, np.float32)
    return Step(StepKind.MATRIX, matrix.reshape(-1, 12))


def run_steps(pixels: jax.Array, steps: tuple[Step, ...]) -> jax.Array:
    """`pixels: float32[N, H, W, C]` behind the steps; FILL and SAMPLE are not among them."""
    for step in steps:
        pixels = _run(pixels, step.kind, step.constants)
    return pixels


def _run(pixels: jax.Array, kind: StepKind, constants: Any) -> jax.Array:
    values = constants.reshape(constants.shape[0], 1, 1, -1)
    match kind:
        case StepKind.ADD:
            return rounded(pixels + values)
        case StepKind.MULTIPLY:
            return product(pixels, values)
        case StepKind.ROUND:
            whole = jax.lax.round(pixels, jax.lax.RoundingMethod.AWAY_FROM_ZERO)
            whole = jnp.where(jnp.isnan(pixels), jnp.zeros_like(whole), whole)
            return jnp.clip(whole, values[..., :1], values[..., 1:2])
        case StepKind.TO_FLOAT16:
            return round_to_dtype(pixels, np.float16).astype(jnp.float32)
        case StepKind.TO_BFLOAT16:
            return round_to_dtype(pixels, BFLOAT16).astype(jnp.float32)
        case StepKind.MATRIX:
            return _mix(pixels, values)
        case _:
            raise AssertionError(f"{kind!r} is no step of a pixel")


def _mix(pixels: jax.Array, values: Any) -> jax.Array:
    mixed = []
    for channel in range(3):
        row = values[..., 4 * channel : 4 * channel + 4]
        total = product(pixels[..., 0:1], row[..., 0:1])
        for source in (1, 2):
            total = rounded(total + product(pixels[..., source : source + 1], row[..., source : source + 1]))
        mixed.append(rounded(total + row[..., 3:4]))
    return jnp.concatenate(mixed, axis=-1)
