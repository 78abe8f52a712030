"""Objects in labelled masks: blobs of connected pixels with the same label."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from ..ffi import cpu_calls
from ..ffi.platforms import two_ways
from ..numeric.ragged import inside
from ..random.choices import choice
from ..random.draws import coin_flip
from ..random.keys import split
from ..random.mask_pixels import picked, pixel, pixel_words

__all__ = ["blobs", "random_object"]


@on_any_mesh
def blobs(labels: Array, foreground: Array | None = None) -> jax.Array:
    """Finds the connected components of each mask: pixels of one label that touch along an axis.

    Args:
        labels: integers `[N, ...]`.
        foreground: `bool[N, ...]`, the pixels that may belong to a blob; None: all.

    Returns:
        `int32[N, ...]`: for each pixel the index of its blob's first pixel, in C order; -1 for pixels outside blobs.

    Example:
        >>> import jax.numpy as jnp
        >>> from jaxdali import boxes
        >>> boxes.blobs(jnp.array([[5, 5, 0, 5]])).tolist()
        [[0, 0, 2, 3]]
    """
    held = jnp.ones(labels.shape, bool) if foreground is None else foreground
    # The custom call cannot read empty arrays, and its labels have 32 bits.
    if 0 in labels.shape or labels.dtype.itemsize > 4:
        return _blobs_generically(labels, held)
    return _blobs(labels.astype(jnp.int32), held)


def _blobs_generically(labels, held):
    # Each pixel points at a pixel of its blob that comes no later; in the end all point at the first one. As in FastSV
    # (Zhang, Azad and Hu, 2020), an iteration is a few passes over all pixels, and the number of iterations grows with
    # the logarithm of a blob's size.
    count, size = len(labels), int(np.prod(labels.shape[1:]))
    places = jnp.arange(size, dtype=jnp.int32).reshape(1, *labels.shape[1:])
    joined = []
    for axis in range(1, labels.ndim):
        before, behind = (slice(None, -1), slice(1, None))
        one, other = ((*[slice(None)] * axis, part) for part in (before, behind))
        joined.append((labels[one] == labels[other]) & held[one] & held[other])

    def flat(array):
        return array.reshape(count, size)

    def nearest(found):
        """The least index that a pixel and its connected neighbours point at."""
        least = found
        for axis, same in enumerate(joined, 1):
            sides = [(0, 0)] * axis, [(0, 0)] * (labels.ndim - axis - 1)
            for part, room in ((slice(1, None), (0, 1)), (slice(None, -1), (1, 0))):
                beside = jnp.where(same, found[(*[slice(None)] * axis, part)], size)
                least = jnp.minimum(least, jnp.pad(beside, [*sides[0], room, *sides[1]], constant_values=size))
        return least

    def pointed(found):
        return jnp.take_along_axis(flat(found), flat(found), axis=1, mode="promise_in_bounds").reshape(found.shape)

    def turn(state):
        found, ahead, _ = state
        least = nearest(ahead)
        # If a pixel's neighbours point at an earlier pixel, the one that it points at must point there, too.
        at = jnp.where(flat(least < ahead), flat(found), size)
        hooked = jax.vmap(lambda one, at, value: one.at[at].min(value, mode="drop"))(flat(found), at, flat(least))
        made = jnp.minimum(jnp.minimum(hooked.reshape(found.shape), least), ahead)
        return made, pointed(made), (made != found).any()

    # Resolves the last axis at once: points at the first pixel of each run of a blob in a line.
    last = labels.ndim - 1
    begins = jnp.pad(~joined[-1], [*[(0, 0)] * last, (1, 0)], constant_values=True)
    begin = lax.cummax(jnp.where(begins, places, 0), axis=last)
    found, _, _ = lax.while_loop(lambda state: state[2], turn, (begin, pointed(begin), (begin == begin).any()))
    return jnp.where(held, found, -1)


_blobs = two_ways(
    "jaxdali_blobs",
    lambda labels, _: (labels.shape, jnp.int32),
    _blobs_generically,
    cpu_calls.blobs,
    on_gpus=False,
)


@on_any_mesh
def random_object(
    keys: jax.Array,
    labels: Array,
    shapes: jax.Array | np.ndarray | None = None,
    *,
    background: Any = 0,
    classes: Any = None,
    class_weights: Any = None,
    foreground_prob: Any = 1.0,
    threshold: Any = None,
    k_largest: int | None = None,
    ignore_class: bool = False,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Draws an object from each mask, as DALI's `fn.segmentation.random_object_bbox` does: first its class, then an
    object of that class.

    Args:
        keys: typed threefry keys `[N]`.
        labels: integers of up to 32 bits, `[N, ...]`.
        shapes: `int32[N, ndim]`, of the masks, each in the corner of its row; None: they fill it.
        background: label of pixels outside objects, a number or `[N]`.
        classes: labels of objects, `[C]` or `[N, C]`; None: all but the background, or with
            `class_weights` as many labels as there are weights, from 0 on without the background.
        class_weights: relative probabilities of the classes, `[C]` or `[N, C]`; None: all are equally likely.
        foreground_prob: probability of drawing an object rather than the whole mask; a number or `[N]`.
        threshold: the smallest extents of an object, `[ndim]` or `[N, ndim]`, or one number.
        k_largest: draw only from this many objects of the class, those with the largest boxes.
        ignore_class: all objects are equally likely, whatever their class.

    Returns:
        Start and end of the object's box, `int32[N, ndim]` each, and its label, `int32[N]`. Without an object, those of
        the whole mask, and the background label.

    Raises:
        ConfigError: arguments contradict each other.
    """
    if ignore_class and (classes is not None or class_weights is not None):
        raise ConfigError("ignore_class cannot be combined with classes or class_weights.")
    count, axes = len(labels), labels.ndim - 1
    few = labels.dtype in (np.bool_, np.uint8)
    labels = labels.astype(jnp.int32)
    if not labels.size:
        whole = jnp.asarray([labels.shape[1:]], jnp.int32) if shapes is None else shapes
        end = jnp.broadcast_to(whole, (count, axes))
        return jnp.zeros_like(end), end, jnp.zeros(count, jnp.int32) + background
    if classes is None and class_weights is not None:
        above, label = jnp.asarray(background, jnp.int32).reshape(-1, 1), np.arange(np.shape(class_weights)[-1])
        classes = label + ((above >= 0) & (label >= above))
    there = jnp.ones(labels.shape, bool) if shapes is None else inside(labels, shapes)
    behind = jnp.broadcast_to(jnp.asarray(background, jnp.int32), (count,))
    held = labels != behind.reshape(-1, *[1] * axes)
    if classes is not None:
        classes = jnp.broadcast_to(jnp.asarray(classes, jnp.int32), (count, np.shape(classes)[-1]))
        held = (labels[..., None] == classes.reshape(count, *[1] * axes, -1)).any(axis=-1)
    held = held & there
    found = blobs(labels, held).reshape(count, -1)
    flat, held = labels.reshape(count, -1), held.reshape(count, -1)
    places = jnp.arange(flat.shape[1], dtype=jnp.int32)[None]
    roots = held & (found == places)
    if threshold is not None:
        sizes = _sizes(found.reshape(labels.shape)).reshape(count, -1, axes)
        least = jnp.asarray(threshold, jnp.int32)
        least = least.reshape(-1, 1, least.shape[-1]) if least.ndim else least
        roots = roots & (sizes >= least).all(axis=-1)
    for_class, for_blob, for_coin = split(keys, 3)
    if not ignore_class:
        label, any_class = _class(for_class, flat, roots, classes, class_weights, few)
        roots = roots & (flat == label[:, None]) & any_class[:, None]
    if k_largest is not None:
        roots = _largest(found.reshape(labels.shape), roots.reshape(labels.shape), most=k_largest).reshape(count, -1)
    number = roots.sum(axis=1, dtype=jnp.int32)
    root = pixel(for_blob, roots)[:, 0]
    probability: Any = jnp.clip(jnp.asarray(foreground_prob, jnp.float32), 0, 1)
    taken = (number > 0) & (coin_flip(for_coin, probability) == 1)
    mine = ((found == root[:, None]) & held).reshape(labels.shape)
    start, end = _box(mine)
    whole = jnp.asarray([labels.shape[1:]], jnp.int32) if shapes is None else shapes
    start, end = jnp.where(taken[:, None], start, 0), jnp.where(taken[:, None], end, whole)
    own = jnp.take_along_axis(flat, root[:, None], axis=1)[:, 0]
    return start, end, jnp.where(taken, own, behind)


def _class(keys, labels, roots, classes, weights, few: bool):
    """Draws a class for each mask, among those that have objects, and says whether there is one."""
    if classes is None:
        found = _any_label(labels, roots, pixel_words(keys), few=few)
        return found[:, 0], found[:, 1] > 0
    present = jnp.stack(
        [(roots & (labels == classes[:, k, None])).any(axis=1) for k in range(classes.shape[1])], axis=1
    )
    likely = jnp.ones(present.shape, jnp.float32) if weights is None else jnp.asarray(weights, jnp.float32)
    likely = jnp.where(present, likely, 0)
    held = (likely >= 0).all(axis=1) & (likely > 0).any(axis=1)
    drawn = choice(keys, classes.shape[1], p=jnp.where(held[:, None], likely, 1))
    return jnp.take_along_axis(classes, drawn[:, None], axis=1)[:, 0], held


def _sizes_generically(found):
    """Extents of each blob's bounding box, `int32[N, ..., ndim]`, stored at its first pixel."""
    count, *shape = found.shape
    size = int(np.prod(shape))
    grid = np.stack(np.unravel_index(np.arange(size), shape), axis=-1).astype(np.int32)
    places = jnp.where(found >= 0, found, size).reshape(count, size)

    def of_one(places):
        first = jnp.full((size + 1, len(shape)), np.iinfo(np.int32).max, jnp.int32).at[places].min(grid)
        last = jnp.full((size + 1, len(shape)), -1, jnp.int32).at[places].max(grid)
        return jnp.where(last >= 0, last - first + 1, 0)[:size]

    return jax.vmap(of_one)(places).reshape(*found.shape, len(shape))


_sizes = two_ways(
    "jaxdali_blob_sizes",
    lambda found: ((*found.shape, found.ndim - 1), jnp.int32),
    _sizes_generically,
    cpu_calls.blob_extents,
    on_gpus=False,
)


def _largest_generically(found, roots, *, most: int):
    """Among the first pixels of blobs, `bool[N, ...]`, picks those of the `most` largest boxes, the first of equal
    ones. Avoids sorting all pixels.
    """
    count = len(found)
    volume = jnp.prod(_sizes_generically(found), axis=-1).reshape(count, -1)
    places = jnp.arange(volume.shape[1], dtype=jnp.int32)[None]

    def taken(state):
        number, left, kept = state
        best = jnp.argmax(jnp.where(left, volume, -1), axis=1)
        mine = left & (places == best[:, None])
        return number + 1, left & ~mine, kept | mine

    flat = roots.reshape(count, -1)
    state = (0, flat, flat & False)
    kept = lax.while_loop(lambda state: (state[0] < most) & state[1].any(), taken, state)[2]
    return kept.reshape(roots.shape)


_largest = two_ways(
    "jaxdali_largest_blobs",
    lambda found, *_, most: (found.shape, jnp.bool_),
    _largest_generically,
    lambda found, roots, most: cpu_calls.largest_blobs(found, roots, most),
    on_gpus=False,
)


def _box(flags):
    """Start and end of the box around the true values in `flags[N, ...]`, `int32[N, ndim]` each."""
    starts, ends = [], []
    for axis in range(1, flags.ndim):
        lines = flags.any(axis=tuple(k for k in range(1, flags.ndim) if k != axis))
        starts.append(jnp.argmax(lines, axis=1))
        ends.append(lines.shape[1] - jnp.argmax(lines[:, ::-1], axis=1))
    return (jnp.stack(one, axis=1).astype(jnp.int32) for one in (starts, ends))


def _any_label_generically(labels, flags, words, *, few):
    if few:
        seen = jax.vmap(lambda row, held: jnp.zeros(256, bool).at[row].max(held))(labels, flags)
        order = jnp.arange(256, dtype=jnp.int32)[None]
    else:
        # Only one pixel counts for each label.
        order = jnp.sort(jnp.where(flags, labels, np.iinfo(np.int32).max), axis=1)
        seen = jnp.concatenate([jnp.ones_like(order[:, :1], bool), order[:, 1:] != order[:, :-1]], axis=1)
        seen = seen & (jnp.arange(order.shape[1])[None] < flags.sum(axis=1, dtype=jnp.int32)[:, None])
    place = picked(seen, words)
    found = jnp.take_along_axis(order, jnp.maximum(place, 0)[:, None], axis=1)[:, 0]
    return jnp.stack([jnp.where(place < 0, 0, found), seen.sum(axis=1, dtype=jnp.int32)], axis=1)


_any_label = two_ways(
    "jaxdali_any_label",
    lambda labels, *_, few: ((labels.shape[0], 2), jnp.int32),
    _any_label_generically,
    lambda labels, flags, words, few: cpu_calls.pick_label(labels, flags, words),
    on_gpus=False,
)
