"""Draws: one value, or one array, per key.

A value depends only on its key and the function that draws: the same keys give the same draw again. `split` makes keys
for further draws.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax
from jax.typing import ArrayLike, DTypeLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError, check_shape
from ..ffi import calls
from ..ffi.platforms import two_ways
from ..image.convert import check_dtype, round_to_dtype
from ..image.exact_arithmetic import product
from .draw_log import log_draw
from .keys import IMPLEMENTATION, check_keys

__all__ = ["beside", "coin_flip", "normal", "normal_of_bits", "random_bits", "uniform", "unit_of_bits"]

# Each function draws from its own stream, so that one key can serve several of them. Streams used elsewhere: 3 in
# `windows`, 5 and 7 in `choices`, 6 in `beta`, 8 and 10 in `pixels`, 9 in `jaxdali._device.boxes.crops`, 16 in `poisson`.
_UNIFORM, _COIN_FLIP, _NORMAL = 1, 2, 4

# For larger draws XLA makes vectorised code, which is worth its compilation time.
_MOST_BY_CALL = 256

_UNIT = (0.0, 1.0)
_FLOATS = tuple(np.dtype(t) for t in (jnp.float16, jnp.bfloat16, jnp.float32))
_INTEGERS = tuple(np.dtype(f"{sign}int{bits}") for bits in (8, 16, 32) for sign in ("", "u"))


def uniform(
    keys: jax.Array,
    shape: int | Sequence[int] = (),
    dtype: DTypeLike = jnp.float32,
    minval: ArrayLike = 0.0,
    maxval: ArrayLike = 1.0,
    *,
    values: npt.ArrayLike | None = None,
    counts: int | jax.Array | None = None,
    shapes: Array | None = None,
) -> jax.Array:
    """Draws from a uniform distribution. The arguments are those of `jax.random.uniform`, with one key per sample; what
    DALI calls `range` is `minval` and `maxval`.

    With u in [0, 1), 24 bits of Threefry, a draw is `minval + u * width`. Each step is rounded to float32, as `minval` and
    `width = maxval - minval` are before.

    Args:
        keys: typed threefry keys `[N]`, e.g. from `sample_keys`. Equal keys draw equal numbers; `split` makes others.
        shape: of each key's draw.
        dtype: f16, bf16, f32; with `values` also an integer type of up to 32 bits. `jaxdali.random.choice` draws integers.
        minval: the smallest draw: a number known while tracing; or a `jax.Array`, a scalar or `[N]`, one value per key,
            which is not checked.
        maxval: of the same kind, above `minval`. Draws are below it, even after rounding to `dtype`.
        values: in place of `minval` and `maxval`: a sequence of 1 to 65535 numbers, of which each draw picks one, all
            equally often. Or a `jax.Array` `[N, k]`, k numbers per key.
        counts: `int32[N]`: how many of the k numbers of each key there are, at least one, which is not checked. Or k.
        shapes: `int32[N, ndim]`, the shape of each key's own draw. It is in the corner of its row, with the same values
            whatever `shape` is; the rest of the row has no meaning. None: it fills its row.

    Returns:
        `dtype[N, *shape]`.

    Raises:
        ConfigError: the range from `minval` to `maxval` is empty or not finite ("Invalid range"), both a range and
            `values` are given, `shape` is not a shape, or `keys` are of another kind.

    Example:
        >>> from jaxdali import random
        >>> keys = random.sample_keys(seed=1, operator=0, epoch=0, indices=[0, 1, 2])
        >>> random.uniform(keys, minval=-1, maxval=1)
        Array([ 0.08726597, -0.44592273,  0.4434439 ], dtype=float32)
    """
    target = check_dtype(dtype)
    if target not in _FLOATS and (values is None or target not in _INTEGERS):
        raise ConfigError(
            f"dtype is {target}; expected float16, bfloat16, float32, or, of values, an integer of at most 32 bits. "
            "jaxdali.random.choice(keys, count) draws integers from 0 to count - 1."
        )
    traced = isinstance(minval, jax.Array) or isinstance(maxval, jax.Array)
    if values is not None and (traced or np.ndim(minval) or np.ndim(maxval) or (minval, maxval) != _UNIT):
        raise ConfigError("uniform got both values and minval or maxval; give one of them.")
    shape = _shape_of_draw(shape)
    log_draw(keys, "uniform", shape)
    bits = random_bits(keys, _UNIFORM, shape, shapes)
    if values is not None:
        return _pick(bits, values, counts, target)
    unit = unit_of_bits(bits)
    bounds = _bounds_of_keys if traced else _float_bounds
    low, width, smallest, largest = bounds(keys, minval, maxval, target)
    low, width, smallest, largest = (beside(bound, unit) for bound in (low, width, smallest, largest))
    draw = low + product(unit, width)
    return jnp.clip(draw, smallest, largest).astype(target)


def coin_flip(
    keys: jax.Array,
    probability: npt.ArrayLike = 0.5,
    dtype: DTypeLike = jnp.int32,
    *,
    shape: int | Sequence[int] = (),
    shapes: Array | None = None,
) -> jax.Array:
    """Draws 1 with the given probability, else 0.

    Args:
        keys: typed threefry keys `[N]`, e.g. from `sample_keys`. Equal keys draw equal numbers; `split` makes others.
        probability: that of 1; a scalar or one value per key, `[N]`. 0 never gives 1, and 1 always does.
        dtype: bool, integer or floating.
        shape: of each key's draw.
        shapes: `int32[N, ndim]`, the shape of each key's own draw, in the corner of its row; None: it fills its row.

    Returns:
        `dtype[N, *shape]`.

    Raises:
        ConfigError: a `probability` on the host is outside of 0 to 1, or a shape does not fit.

    Example:
        >>> from jaxdali import random
        >>> keys = random.sample_keys(seed=1, operator=0, epoch=0, indices=[0, 1, 2])
        >>> random.coin_flip(keys, [0, 0.5, 1])
        Array([0, 1, 1], dtype=int32)
    """
    target = check_dtype(dtype)
    unit = unit_of_bits(random_bits(keys, _COIN_FLIP, shape, shapes))
    given = np.shape(probability)
    if given not in ((), keys.shape):
        raise ConfigError(f"probability has shape {given} for {keys.shape[0]} keys; expected a scalar or [N].")
    if not isinstance(probability, jax.Array):
        probability = np.asarray(probability, np.float32)
        if not np.all((probability >= 0) & (probability <= 1)):
            raise ConfigError(f"probability is {probability.tolist()}; expected 0 to 1.")
    return (unit < beside(probability.astype(jnp.float32), unit)).astype(target)


def normal(
    keys: jax.Array,
    shape: int | Sequence[int] = (),
    dtype: DTypeLike = jnp.float32,
    *,
    mean: npt.ArrayLike = 0.0,
    stddev: npt.ArrayLike = 1.0,
    shapes: Array | None = None,
) -> jax.Array:
    """Draws from a normal distribution. The arguments are those of `jax.random.normal`, with one
    key per sample.

    With u the middle of one of 2**23 equal parts of (-1, 1), a draw is `mean + sqrt(2) * erfinv(u) * stddev` in
    float32, at most 5.3 standard deviations from the mean. `erfinv` is XLA's, so platforms may differ in the last
    places.

    Args:
        keys: typed threefry keys `[N]`, e.g. from `sample_keys`. Equal keys draw equal numbers; `split` makes others.
        shape: of each key's draw.
        dtype: f16, bf16, f32; or an integer type of up to 32 bits: the float32 draw is then converted by
            `round_to_dtype`.
        mean: a scalar, or one value per key, `[N]`.
        stddev: a scalar, or one value per key, `[N]`. A negative one mirrors the draw at the mean.
        shapes: `int32[N, ndim]`, the shape of each key's own draw, in the corner of its row; None: it fills its row.

    Returns:
        `dtype[N, *shape]`.

    Raises:
        ConfigError: another dtype, or a shape does not fit.

    Example:
        >>> from jaxdali import random
        >>> keys = random.sample_keys(seed=1, operator=0, epoch=0, indices=[0, 1, 2])
        >>> random.normal(keys, dtype="int32", mean=100, stddev=10)
        Array([104, 105,  97], dtype=int32)
    """
    target = check_dtype(dtype)
    if target not in _FLOATS and target not in _INTEGERS:
        raise ConfigError(f"dtype is {target}; expected float16, bfloat16, float32, or an integer of at most 32 bits.")
    shape = _shape_of_draw(shape, "mean= and stddev=")
    log_draw(keys, "normal", shape)
    standard = normal_of_bits(random_bits(keys, _NORMAL, shape, shapes))
    moments = []
    for name, value in (("mean", mean), ("stddev", stddev)):
        if np.shape(value) not in ((), keys.shape):
            raise ConfigError(
                f"{name} has shape {np.shape(value)} for {keys.shape[0]} keys; expected a scalar or [N]. The shape of each "
                "key's draw is shape=."
            )
        moments.append(beside(jnp.asarray(value, jnp.float32), standard))
    draw = moments[0] + product(standard, moments[1])
    return round_to_dtype(draw, target)


def random_bits(keys, stream: int, shape, shapes=None) -> jax.Array:
    """Random words, `uint32[N, *shape]`.

    Element i of a key's draw is the first word of `threefry2x32(threefry2x32(key, (0, stream)),
    (0, i))`. `jax.random.bits` would depend on `jax_threefry_partitionable`. Elements are counted
    in C order; with `shapes`, in that of each key's own draw.
    """
    check_keys(keys)
    shape = check_shape("shape", shape)
    data = jax.random.key_data(keys)
    own = () if shapes is None else (shapes,)
    words = (_words if math.prod(shape) <= _MOST_BY_CALL else _generic)(data, *own, stream=stream, shape=shape)
    return words.reshape(keys.shape + shape)


def _generic(keys, shapes=None, *, stream, shape):
    def first_words(key, counters):
        key = jax.random.fold_in(jax.random.wrap_key_data(key, impl=IMPLEMENTATION), stream)
        return jax.vmap(lambda i: jax.random.key_data(jax.random.fold_in(key, i))[0])(counters)

    if shapes is None:
        return jax.vmap(first_words, (0, None))(keys, jnp.arange(math.prod(shape), dtype=jnp.uint32))
    return jax.vmap(first_words)(keys, jax.vmap(lambda own: _counted(own, shape))(shapes))


def _native(keys, shapes=None, *, stream, shape):
    count, draws = keys.shape[0], math.prod(shape)
    if shapes is None:
        counters = np.zeros((1, 1, 0), np.uint32)
    else:
        counters = jax.vmap(lambda own: _counted(own, shape))(shapes)[..., None]
    first = np.full((1, 1, 1), stream, np.uint32)
    words = calls.threefry(keys, first, counters, (count, draws, 1), counted=shapes is None)
    return words.reshape(count, draws)


_words = two_ways(
    "jaxdali_random_bits",
    lambda keys, *_, stream, shape: ((keys.shape[0], math.prod(shape)), jnp.uint32),
    _generic,
    _native,
)


def _counted(own, shape):
    """Flat indices of the elements of an array of shape `own` in the corner of one of `shape`, `uint32[product]`."""
    numbers = jnp.zeros((), jnp.uint32)
    for axis, extent in enumerate(shape):
        along = jnp.arange(extent, dtype=jnp.uint32).reshape((-1,) + (1,) * (len(shape) - axis - 1))
        numbers = numbers * own[axis].astype(jnp.uint32) + along
    return jnp.broadcast_to(numbers, shape).reshape(-1)


def beside(values, draws):
    """Shapes a scalar, or `[N]`, so that it broadcasts against draws `[N, ...]`."""
    return values.reshape(values.shape + (1,) * (draws.ndim - 1)) if values.ndim else values


def unit_of_bits(bits) -> jax.Array:
    """`float32` in [0, 1): the upper 24 bits as a fraction, without rounding."""
    return (bits >> 8).astype(jnp.float32) * np.float32(2**-24)


def normal_of_bits(bits) -> jax.Array:
    """`float32` from the standard normal distribution."""
    # Odd numbers below 2**24: exact, and never at an end of the interval.
    unit = (2 * (bits >> 9) + 1).astype(jnp.float32) * np.float32(2**-23) - 1
    return lax.erf_inv(unit) * np.float32(math.sqrt(2))


def _pick(bits, values, counts, target):
    """Picks one of `values` per draw."""
    table = values if isinstance(values, jax.Array) else np.asarray(values)
    of_keys = isinstance(values, jax.Array) and table.ndim == 2
    count = table.shape[-1] if table.ndim else 0
    if not (of_keys or table.ndim == 1) or not 1 <= count <= 0xFFFF or table.dtype.kind not in "iuf":
        raise ConfigError(f"values have shape {table.shape} and dtype {table.dtype}; expected 1 to 65535 numbers.")
    if of_keys and isinstance(counts, jax.Array):
        count = beside(counts.astype(jnp.uint32), bits)
    # (bits * count) >> 32 in 32-bit arithmetic: nothing overflows below 2**16 values
    low = ((bits & 0xFFFF) * count) >> 16
    index = ((bits >> 16) * count + low) >> 16
    if of_keys:
        picked = jnp.take_along_axis(table, index.reshape(len(index), -1).astype(jnp.int32), axis=1)
        return round_to_dtype(picked.reshape(index.shape), target)
    # An Explicit mesh must be told the result's sharding; elsewhere this changes nothing.
    return round_to_dtype(table, target).at[index].get(out_sharding=jax.typeof(index).sharding)


def _shape_of_draw(shape, moments: str = "minval= and maxval=") -> tuple[int, ...]:
    try:
        return check_shape("shape", shape)
    except ConfigError as error:
        raise ConfigError(f"{error} The distribution is {moments}.") from None


def _bounds_of_keys(keys, minval, maxval, dtype) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
    """Like `_float_bounds`, for the range of each key."""
    for name, value in (("minval", minval), ("maxval", maxval)):
        if np.shape(value) not in ((), keys.shape):
            raise ConfigError(f"{name} has shape {np.shape(value)} for {keys.shape[0]} keys; expected a scalar or [N].")
    low, high = jnp.asarray(minval, jnp.float32), jnp.asarray(maxval, jnp.float32)
    smallest, largest = low.astype(dtype), high.astype(dtype)
    up, down = (jnp.nextafter(end, jnp.full_like(end, to)) for end, to in ((smallest, np.inf), (largest, -np.inf)))
    smallest = jnp.where(smallest.astype(jnp.float32) < low, up, smallest)
    largest = jnp.where(largest.astype(jnp.float32) >= high, down, largest)
    return low, high - low, smallest.astype(jnp.float32), largest.astype(jnp.float32)


def _float_bounds(_, minval, maxval, dtype) -> tuple[np.float32, np.float32, np.float32, np.float32]:
    """minval, maxval - minval, and the smallest and largest `dtype` in [minval, maxval), as float32."""
    try:
        low, high = float(minval), float(maxval)
    except (TypeError, ValueError):
        raise ConfigError(
            f"Invalid range from {minval!r:.80} to {maxval!r:.80}: expected two numbers, or jax.Arrays, scalars or [N]."
        ) from None
    limit = float(jnp.finfo(dtype).max)
    in_limits = -limit <= low < high <= limit and high - low <= float(np.finfo(np.float32).max)
    if not in_limits:
        raise ConfigError(
            f"Invalid range [{low}, {high}): expected low < high, neither beyond {limit:.3g}, the "
            f"largest {dtype.name}, and a difference that float32 holds."
        )
    smallest = dtype.type(low)
    if float(smallest) < low:
        smallest = np.nextafter(smallest, dtype.type(np.inf))
    largest = dtype.type(high)
    if float(largest) >= high:
        largest = np.nextafter(largest, dtype.type(-np.inf))
    if not float(smallest) <= float(largest):
        raise ConfigError(f"Invalid range [{low}, {high}): it holds no {dtype.name}.")
    return np.float32(low), np.float32(high - low), np.float32(smallest), np.float32(largest)
