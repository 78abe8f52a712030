"""Conversion between dtypes by DALI's rule."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import numpy.typing as npt
from jax import lax
from jax.typing import DTypeLike

from jaxdali.errors import ConfigError

__all__ = ["check_dtype", "round_to_dtype"]

_DTYPES = tuple(
    np.dtype(dtype)
    for dtype in (
        *(np.bool_, np.uint8, np.uint16, np.uint32, np.uint64),
        *(np.int8, np.int16, np.int32, np.int64),
        *(np.float16, ml_dtypes.bfloat16, np.float32, np.float64),
    )
)


def round_to_dtype(x: npt.ArrayLike, dtype: DTypeLike) -> jax.Array:
    """Converts `x` to `dtype` the way DALI does: nearest, halves away from zero, saturating.

    Args:
        x: array of any shape, bool, integer or floating.
        dtype: bool, u8 to u64, i8 to i64, f16, bf16, f32 or f64; 64 bits only with
            `jax_enable_x64`.

    Returns:
        An array of `x`'s shape:
        * floating to integer: the nearest integer, -0.5 -> -1, 0.5 -> 1, 2.5 -> 3; then clamped to the
          range of `dtype` (inf -> 255 in uint8); NaN -> 0;
        * floating to bool: whether the nearest integer is not 0, so 0.4 -> False; NaN -> True;
        * integer to integer: clamped to the range of `dtype`, 300 -> 255;
        * integer to bool: whether it is not 0;
        * to floating: the nearest value, halves to even; beyond the range it is infinite.

    Raises:
        ConfigError: `dtype`, or that of `x`, is none of these.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> image.round_to_dtype(np.float32([-0.5, 0.5, 2.5, 300]), np.uint8)
        Array([  0,   1,   3, 255], dtype=uint8)
    """
    target = check_dtype(dtype)
    x = jnp.asarray(x)
    source = check_dtype(x.dtype, "x has")
    if source == target:
        return x
    if jnp.issubdtype(target, jnp.floating):
        return x.astype(target)
    if not jnp.issubdtype(source, jnp.floating):
        return x != 0 if target == np.bool_ else _integer_to_integer(x, target)
    # float32 is wide enough for rounding float16 and bfloat16, because it holds them exactly.
    wide = x if source.itemsize >= 4 else x.astype(jnp.float32)
    # `floor(x + 0.5)` would be wrong at 0.49999997: the sum rounds up to 1.
    nearest = lax.round(wide, lax.RoundingMethod.AWAY_FROM_ZERO)
    if target == np.bool_:
        return nearest != 0
    return _whole_to_integer(jnp.where(jnp.isnan(wide), jnp.zeros_like(wide), nearest), target)


def check_dtype(dtype, who: str = "dtype is") -> np.dtype:
    """Returns `dtype` as a NumPy dtype that images can have here, or raises a ConfigError."""
    try:
        target = None if dtype is None else np.dtype(dtype)
    except TypeError:
        target = None
    if target is None or target not in _DTYPES:
        raise ConfigError(
            f"{who} {dtype!r}; expected a NumPy or JAX dtype among {', '.join(known.name for known in _DTYPES)}."
        )
    if jax.dtypes.canonicalize_dtype(target) != target:
        raise ConfigError(f"{who} {target.name}, which JAX holds only with jax_enable_x64=True.")
    return target


def _integer_to_integer(x, target):
    if x.dtype == np.bool_:
        return x.astype(target)
    have, want = jnp.iinfo(x.dtype), jnp.iinfo(target)
    low, high = max(int(have.min), int(want.min)), min(int(have.max), int(want.max))
    return lax.clamp(x.dtype.type(low), x, x.dtype.type(high)).astype(target)


def _whole_to_integer(x, target):
    """Converts floating `x`, without fractions or NaN, to the integer dtype `target`, saturating.

    Platforms differ in how they convert numbers outside the range, so none must get that far.
    """
    want = jnp.iinfo(target)
    low, high = int(want.min), int(want.max)
    top = x.dtype.type(high)  # 2**31 for int32: just outside
    if int(top) > high:
        top = np.nextafter(top, x.dtype.type(0))
    held = lax.clamp(x.dtype.type(low), x, top).astype(target)
    return held if int(top) == high else jnp.where(x > top, np.asarray(high, target), held)
