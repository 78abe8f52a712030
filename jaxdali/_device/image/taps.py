"""Which source pixels a result weighs along one axis, and by how much, traced: for any filter, region and extents.

The numbers are those of NumPy (`recipes_reference.axis_taps`) and of the custom call on the CPU, bit for bit, because
every operation rounds once, see exact_arithmetic.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.typing import ArrayLike, DTypeLike

from ..ffi.recipes import Filter
from .exact_arithmetic import product, product_error, quotient
from .filters import GAUSSIAN_SUPPORT, TABLES

__all__ = ["Axis", "Taps", "axis_taps"]

f32 = np.float32
_LINEAR = (Filter.LINEAR, Filter.TRIANGULAR)
_SQRT_2 = f32(math.sqrt(2))
_SQRT_2_REST = f32(math.sqrt(2) - float(_SQRT_2))
# Below this product of extents, integers along an axis fit int32.
_MOST_PRODUCT = f32(1 << 29)


class Axis(NamedTuple):
    """An axis of N images, and how it is resized."""

    source: jax.Array
    """`int32[N, 1]`, pixels of each; 0 of a failed one, which weighs nothing."""
    extent: jax.Array
    """`int32[N, 1]`, what they are resized to."""
    region: tuple[Any, Any] | None
    """`float32[N, 1]` each: the part that is resized, from and to; None: all of it."""
    filters: tuple[Filter, Filter]
    """For an axis that shrinks, and for any other."""
    antialias: bool


class Taps(NamedTuple):
    """Result `i` is the sum of `raw(k) / total * source[first + k]`, for k ascending below `count`."""

    first: jax.Array
    """`int32[N, out]`"""
    count: Any
    """At least that of any result; an int or `int32[]`."""
    raw: Callable[[Any], jax.Array]
    """`float32[N, out]` of k; 0 behind a result's last tap."""
    total: jax.Array
    """`float32[N, out]`, not 0"""

    def weight(self, k: ArrayLike) -> jax.Array:
        """The normalised weight of tap k, `float32[N, out]`."""
        return quotient(self.raw(k), self.total)


def axis_taps(axis: Axis, index: jax.Array, most: int | None, fits: bool) -> Taps:
    """The taps of results.

    Args:
        index: `int32[N, out]`, the pixels of the resized axis to compute.
        most: an upper limit of a result's taps, before those beyond an edge are added to the pixel at the edge; None if
            it is not known while tracing.
        fits: whether it is known that no integer of a triangle over a whole axis overflows.
    """
    source, extent = jnp.maximum(axis.source, 1), jnp.maximum(axis.extent, 1)
    low, high = (
        (jnp.zeros_like(source, jnp.float32), source.astype(jnp.float32)) if axis.region is None else axis.region
    )
    shrinks = high - low > extent.astype(jnp.float32)
    scale = quotient(high - low, extent.astype(jnp.float32))
    kinds: list[tuple[Any, Taps]] = []  # with a condition that says where each applies

    def either(holds: Callable[[Filter], bool]) -> Any:
        """For each image, whether something holds for its filter; a bool if it holds for both filters or neither."""
        down, up = (holds(filter) for filter in axis.filters)
        return down if down == up else shrinks == down

    only_integers = fits and axis.region is None and set(axis.filters) <= {*_LINEAR, Filter.NEAREST}
    if set(axis.filters) != {Filter.NEAREST} and not only_integers:
        kinds.append((True, _from_table(axis, source, scale, shrinks, low, index, most)))
    whole = True if axis.region is None else (low == 0) & (high == source.astype(jnp.float32))
    linear = either(lambda filter: filter in _LINEAR)
    if linear is not False:
        exact = True if fits else _fits(source, extent, axis.antialias)
        kinds.append((linear & whole & exact, _of_integers(source, extent, index, axis.antialias, most)))
    nearest = either(lambda filter: filter == Filter.NEAREST)
    if nearest is not False:
        place = product(index.astype(jnp.float32) + f32(0.5), scale) + low
        first = jnp.clip(jnp.floor(place).astype(jnp.int32), 0, source - 1)
        one = jnp.ones_like(place)
        kinds.append((nearest, Taps(first, 1, lambda k: jnp.where(k == 0, one, f32(0)), one)))
    return _merged(kinds, axis.source > 0)


def _merged(kinds: list[tuple[Any, Taps]], good: jax.Array) -> Taps:
    """For each image, the last of several taps whose condition holds."""
    first, count, _, total = kinds[0][1]
    for holds, taps in kinds[1:]:
        static = isinstance(count, int) and isinstance(taps.count, int)
        first, total = jnp.where(holds, taps.first, first), jnp.where(holds, taps.total, total)
        count = (max if static else jnp.maximum)(count, taps.count)

    def raw(k: ArrayLike) -> jax.Array:
        found = kinds[0][1].raw(k)
        for holds, taps in kinds[1:]:
            found = jnp.where(holds, taps.raw(k), found)
        return jnp.where(good, found, f32(0))

    return Taps(first, count, raw, total)


def _fits(source: jax.Array, extent: jax.Array, antialias: bool) -> jax.Array:
    """Whether no number in `_of_integers` overflows. Otherwise the table's weights are used, whose last bits differ."""
    n, m = source.astype(jnp.float32), extent.astype(jnp.float32)
    reach = f32(2) * (jnp.maximum(n, m) if antialias else m)
    return (n * m <= _MOST_PRODUCT) & (reach * reach < m * f32(1 << 31))


def _of_integers(source: jax.Array, extent: jax.Array, index: jax.Array, antialias: bool, most: int | None) -> Taps:
    """The triangle filter over a whole axis; see `resize_pixels._taps` and ffi/recipes/resample_axis.h."""
    step = 2 * extent
    reach = 2 * jnp.maximum(source, extent) if antialias else step
    center = (2 * index + 1) * source - extent
    first = jnp.maximum((center - reach) // step + 1, 0)
    behind = center - step * (center // step)
    total = _sum_beyond(reach - behind + step, extent) + _sum_beyond(reach + behind, extent)
    before = _sum_beyond(reach - center, extent)
    after = _sum_beyond(reach - (step * (source - 1) - center), extent)
    none = jnp.uint32(0)

    def raw(k: ArrayLike) -> jax.Array:
        j = first + k
        tap = jnp.maximum(reach - jnp.abs(center - step * j), 0).astype(jnp.uint32)
        tap = tap + jnp.where(j == 0, before, none) + jnp.where(j == source - 1, after, none)
        return jnp.where(j < source, tap, none).astype(jnp.float32)

    count = jnp.max(-(-2 * reach // step), initial=1) if most is None else most
    return Taps(first, count, raw, jnp.maximum(total, 1).astype(jnp.float32))


def _sum_beyond(height: jax.Array, extent: jax.Array) -> jax.Array:
    """Sum of the positive values among `height - 2 * extent`, `height - 4 * extent`, ..., uint32."""
    count = (jnp.maximum(height, 0) // (2 * extent)).astype(jnp.uint32)
    # Intermediate values may wrap around, but the result fits.
    return count * height.astype(jnp.uint32) - extent.astype(jnp.uint32) * count * (count + 1)


def _from_table(axis: Axis, source, scale, shrinks, low, index: jax.Array, most: int | None) -> Taps:
    """Taps from the kernels of `filters.TABLES`."""
    # All tables are in one array, each followed by a zero: a kernel reaches 0 one step after its end.
    kinds = [filter for filter in axis.filters if filter != Filter.NEAREST]
    tables = [TABLES[filter] for filter in kinds]
    samples = jnp.asarray(np.concatenate([np.append(table.samples, f32(0)) for table in tables]))

    def chosen(values: list[Any], dtype: DTypeLike) -> jax.Array:
        down, up = (jnp.asarray(value, dtype) for value in (values[0], values[-1]))
        return jnp.where(shrinks, down, up)

    sizes = [len(table.samples) for table in tables]
    start, size = chosen([0, sizes[0] + 1] if len(tables) > 1 else [0], np.int32), chosen(sizes, np.int32)
    wide = jnp.where(shrinks, jnp.maximum(scale, f32(1)), f32(1)) if axis.antialias else jnp.ones_like(scale)
    support = chosen([_support(filter, wide) for filter in kinds], np.float32)
    steps = (size - 1).astype(jnp.float32)
    factor = quotient(steps, support)
    base = low + ((scale * f32(0.5) - f32(0.5)) - quotient(steps * f32(0.5), factor))
    place = product(index.astype(jnp.float32), scale) + base
    first = jnp.ceil(place)
    ahead = first - place
    count = jnp.ceil(quotient(steps, factor)).astype(jnp.int32)
    left = first.astype(jnp.int32)

    def value(k: Any) -> jax.Array:
        """The value of tap k, for any k."""
        x = product(ahead + jnp.asarray(k, jnp.float32), factor)
        below = jnp.floor(x).astype(jnp.int32)
        at = start + jnp.clip(below, 0, size - 1)
        here = samples[at]
        between = here + product(x - jnp.floor(x), samples[at + 1] - here)
        return jnp.where((below >= 0) & (below < size) & (k >= 0) & (k < count), between, f32(0))

    def add(k: ArrayLike, sums: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
        total, before, after = sums
        own, j = value(k), left + k
        return (
            total + own,
            before + jnp.where(j <= 0, own, f32(0)),
            after + jnp.where(j >= source - 1, own, f32(0)),
        )

    longest = jnp.max(count, initial=1) if most is None else most
    total, before, after = lax.fori_loop(0, longest, add, (jnp.zeros_like(place),) * 3)
    begin, last = jnp.clip(left, 0, source - 1), jnp.clip(left + count - 1, 0, source - 1)

    def raw(k: ArrayLike) -> jax.Array:
        j = begin + k
        own = jnp.where(j == source - 1, after, jnp.where(j == 0, before, value(j - left)))
        own = jnp.where((j == 0) & (source == 1), total, own)
        return jnp.where(j <= last, own, f32(0))

    longest = jnp.max(last - begin, initial=0) + 1 if most is None else most
    return Taps(begin, longest, raw, jnp.where(total == 0, f32(1), total))


def _support(filter: Filter, wide: jax.Array) -> jax.Array:
    """`filters.support` for scales of at least 1."""
    width = product(wide, f32(2 * TABLES[filter].radius))
    if filter != Filter.GAUSSIAN:
        return width
    # A quarter of it divided by the root of two, as float64 would compute it.
    quarter = width * f32(0.25)
    near = quotient(quarter, _SQRT_2)
    back = product(near, _SQRT_2)
    left = ((quarter - back) - product_error(near, _SQRT_2, back)) - product(near, _SQRT_2_REST)
    return jnp.maximum(f32(1), product(near + quotient(left, _SQRT_2), GAUSSIAN_SUPPORT))
