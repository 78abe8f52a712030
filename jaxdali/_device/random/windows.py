"""Random windows of images: their fraction of the image, their shape, and their position."""

from __future__ import annotations

import decimal
import functools
from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from jaxdali.errors import ConfigError, check_integer
from ..ffi import calls
from ..ffi.platforms import two_ways
from .draws import random_bits
from .keys import IMPLEMENTATION, check_keys
from .uint64 import multiply, multiply_high, ratio16, shift_right, square_root

__all__ = ["resized_crop_window"]

# The random stream of windows; `draws` has the others.
_WINDOW = 3

# Number of steps of the aspect ratio, equal in its logarithm. For (3/4, 4/3), one step moves the edge of a window of
# 1000 pixels by a fourteenth of a pixel.
_RATIOS = 4096

# Binary places of area fractions, of roots of areas in pixels, and of roots of ratios.
_AREA_BITS, _ROOT_BITS, _RATIO_BITS = 30, 12, 16

# With this limit, products with extents below 2**20 fit 32 bits.
_LARGEST_TERM = (1 << 12) - 1

_MAX_ASPECT_RATIO = 64
_MAX_AREA = 4


def resized_crop_window(
    keys: jax.Array,
    sizes: npt.ArrayLike,
    area: tuple[float, float] = (0.08, 1.0),
    aspect_ratio: tuple[float, float] = (3 / 4, 4 / 3),
    attempts: int = 10,
) -> jax.Array:
    """Draws a window of each image, as DALI's `random_resized_crop` and `image_random_crop` do.

    The window's fraction of the image's area is uniform, the logarithm of its aspect ratio (width / height) is uniform,
    in 4096 steps; height and width are rounded to pixels. A window that does not fit into its image, or whose rounded
    aspect ratio is out of range, is drawn again. (Hardly any window fits whose area is larger than the image's.) If all
    attempts fail, it is the largest window with an aspect ratio in range, shrunk to at most `area[1]` of the image. Its
    position is uniform.

    All of this is integer arithmetic: on every platform a window is the same function of key, size and arguments, to
    the pixel (as in tests/support/draws_reference.py).

    Args:
        keys: typed threefry keys `[N]`, e.g. from `sample_keys`. Equal keys draw equal numbers; `split` makes others.
        sizes: `int32[N, 3]` (height, width, channels) of each image, e.g. `EncodedBatch.sizes`; columns after the first
            two are not read. Extents below 2**20, areas below 2**31.
        area: (smallest, largest) fraction of the image's area, more than 0 and at most 4; known while tracing.
        aspect_ratio: (smallest, largest) width / height, 1/64 to 64; known while tracing. Rounded windows are compared
            with fractions of terms below 4096.
        attempts: 1 to 1000.

    Returns:
        `int32[N, 4]`: top, left, height, width in pixels. (0, 0, 1, 1) for an image without pixels.

    Raises:
        ConfigError: a range is empty or out of bounds, a shape does not fit, or keys are of another kind.

    Example:
        >>> from jaxdali import random
        >>> keys = random.sample_keys(seed=1, operator=0, epoch=0, indices=[0, 1])
        >>> random.resized_crop_window(keys, [[480, 640, 3], [32, 24, 3]])
        Array([[231, 449, 207, 182],
               [  8,   4,  17,  17]], dtype=int32)
    """
    smallest, largest = _bounds("area", area, 0.0, _MAX_AREA)
    ratios = _bounds("aspect_ratio", aspect_ratio, 1 / _MAX_ASPECT_RATIO, _MAX_ASPECT_RATIO)
    attempts = check_integer("attempts", attempts, 1, 1000)
    check_keys(keys)
    if np.ndim(sizes) != 2 or np.shape(sizes)[1] < 2 or np.shape(sizes)[0] != keys.shape[0]:
        raise ConfigError(
            f"sizes have shape {np.shape(sizes)} for {keys.shape[0]} keys; expected [N, 3] (height, width, channels)."
        )
    data = jax.random.key_data(keys)
    return _draw(data, jnp.asarray(sizes), area=(smallest, largest), ratios=ratios, attempts=attempts)


def _native(keys, sizes, *, area: tuple[float, float], ratios: tuple[float, float], attempts: int) -> jax.Array:
    low, high = (_as_fraction(bound) for bound in ratios)
    return calls.resized_crop_window(
        keys,
        sizes.astype(jnp.int32),
        _ratio_table(*ratios),
        stream=_WINDOW,
        area_low=_as_area(area[0]),
        area_high=_as_area(area[1]),
        low_numerator=low.numerator,
        low_denominator=low.denominator,
        high_numerator=high.numerator,
        high_denominator=high.denominator,
        attempts=attempts,
    )


@functools.partial(jax.jit, static_argnames=("area", "ratios", "attempts"))
def _generic(keys, sizes, *, area: tuple[float, float], ratios: tuple[float, float], attempts: int) -> jax.Array:
    keys, sizes = jax.random.wrap_key_data(keys, impl=IMPLEMENTATION), sizes[:, :2]
    bits = random_bits(keys, _WINDOW, (2 + 2 * attempts,))
    # `+ 0 *`: gives host sizes the sharding of the keys.
    extents = sizes.astype(jnp.uint32) + 0 * bits[:, :2]
    height, width = extents[:, 0], extents[:, 1]
    area_low, area_high = (_as_area(bound) for bound in area)
    pixels = height * width

    fraction = jnp.uint32(area_low) + multiply_high(bits[:, 2::2], jnp.uint32(area_high - area_low + 1))
    root = _root_of_area(fraction, pixels[:, None])
    heights, widths = (
        jnp.maximum(shift_right(multiply(root, factor), _ROOT_BITS + _RATIO_BITS, rounded=True), 1)
        for factor in _factors(bits[:, 3::2], ratios)
    )
    low, high = (_as_fraction(bound) for bound in ratios)
    fits = (heights <= height[:, None]) & (widths <= width[:, None])
    fits &= widths * low.denominator >= heights * low.numerator
    fits &= widths * high.denominator <= heights * high.numerator
    otherwise = _largest_window(height, width, _root_of_area(jnp.full_like(pixels, area_high), pixels), low, high)
    # The first one that fits, as sums of one-hot values to avoid a gather.
    first = fits & (jnp.cumsum(fits, axis=1, dtype=jnp.int32) == 1)
    found = jnp.any(fits, axis=1)
    size = [
        jnp.where(found, jnp.sum(jnp.where(first, values, 0), axis=1, dtype=jnp.uint32), fallback)
        for values, fallback in zip((heights, widths), otherwise, strict=True)
    ]
    place = [multiply_high(bits[:, axis], extents[:, axis] - size[axis] + 1) for axis in (0, 1)]
    return jnp.stack([*place, *size], axis=1).astype(jnp.int32)


_draw = two_ways(
    "jaxdali_resized_crop_window", lambda keys, *_, **__: ((keys.shape[0], 4), jnp.int32), _generic, _native
)


def _as_area(fraction: float) -> int:
    # Limited such that the number of fractions in a range is a uint32, too.
    return min(round(Fraction(fraction) * (1 << _AREA_BITS)), (1 << 32) - 2)


def _bounds(name: str, bounds, least: float, most: float) -> tuple[float, float]:
    try:
        low, high = (float(bound) for bound in bounds)
    except (TypeError, ValueError, OverflowError, jax.errors.ConcretizationTypeError):
        raise ConfigError(f"{name} is {bounds!r}; expected (smallest, largest), known while tracing.") from None
    if not (least <= low <= high <= most and low > 0):
        raise ConfigError(
            f"{name} is {bounds!r}; expected smallest <= largest, both {'more than 0' if least == 0 else f'from {least}'} "
            f"to {most:g}."
        )
    return low, high


def _as_fraction(ratio: float) -> Fraction:
    """The nearest fraction with small terms; 1.333333 becomes 4/3."""
    exact = Fraction(ratio)
    return exact.limit_denominator(_LARGEST_TERM // max(1, -(-exact.numerator // exact.denominator)))


def _root_of_area(fraction, pixels) -> jax.Array:
    """`sqrt(fraction * pixels)` in pixels, with `_ROOT_BITS` binary places, rounded down."""
    high, low = multiply(fraction, pixels)
    unused = _AREA_BITS - 2 * _ROOT_BITS
    return square_root((high >> unused, (high << (32 - unused)) | (low >> unused)))


def _factors(bits, ratios: tuple[float, float]) -> tuple[jax.Array, jax.Array]:
    """Factors that turn the root of an area into height and width, with `_RATIO_BITS` binary places."""
    table = _ratio_table(*ratios)
    index = (bits >> (32 - 12)).astype(jnp.int32)
    pick = functools.partial(_pick, index=index, sharding=jax.typeof(index).sharding)
    return pick(table[0]), pick(table[1])


def _pick(table, *, index, sharding):
    return jnp.asarray(table).at[index].get(out_sharding=sharding)


@functools.lru_cache(maxsize=32)
def _ratio_table(low: float, high: float) -> np.ndarray:
    """`uint32[2, 4096]`: `sqrt(1 / r)` and `sqrt(r)` for ratios whose logarithms are the middles of
    equal steps. Uses decimal arithmetic, which is the same on every machine, unlike a C library's exp.
    """
    with decimal.localcontext(decimal.Context(prec=40)):
        first, last = decimal.Decimal(low).ln(), decimal.Decimal(high).ln()
        half_step = (last - first) / (2 * _RATIOS)
        root, step = ((first + half_step) / 2).exp(), half_step.exp()
        one = decimal.Decimal(1 << _RATIO_BITS)
        table = np.empty((2, _RATIOS), np.uint32)
        for k in range(_RATIOS):
            table[:, k] = round(one / root), round(one * root)
            root *= step
    return table


def _largest_window(height, width, root_of_most, low: Fraction, high: Fraction) -> tuple[jax.Array, jax.Array]:
    """Height and width of the largest window with a ratio in range and at most the area whose root is given."""
    too_wide = width * high.denominator > height * high.numerator
    too_high = width * low.denominator < height * low.numerator
    widest = jnp.where(too_wide, height * high.numerator // high.denominator, width)
    highest = jnp.where(too_high, width * low.denominator // low.numerator, height)
    widest, highest = jnp.maximum(widest, 1), jnp.maximum(highest, 1)
    whole = _root_of_area(jnp.full_like(height, 1 << _AREA_BITS), widest * highest)
    shrunk = ratio16(root_of_most, whole)
    highest, widest = (jnp.maximum(shift_right(multiply(extent, shrunk), 16), 1) for extent in (highest, widest))
    return highest, widest
