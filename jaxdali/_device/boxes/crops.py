"""Random windows of images that keep enough of their boxes, and the boxes in those windows."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax import lax
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError, check_integer
from ..any_mesh import on_any_mesh
from ..image.exact_arithmetic import product, quotient, rounded
from ..random.draws import random_bits, unit_of_bits
from ..random.uint64 import multiply_high

__all__ = ["crop_boxes", "random_crop"]

# The random stream of these draws; `jaxdali._device.random.draws` has the others.
_CROP = 9
# A limit even if the user sets none: a device that searches forever cannot be stopped.
_MOST_ATTEMPTS = 10_000


@dataclasses.dataclass(frozen=True)
class _Search:
    """What windows to search for: the arguments of `random_crop`."""

    thresholds: tuple[float, ...]
    metric: str
    every: bool
    aspect_ratio: tuple[float, ...]
    scaling: tuple[float, float]
    least_part: float | None
    attempts: int
    total: int
    may_keep_all: bool


@on_any_mesh
def random_crop(
    keys: jax.Array,
    boxes: Array,
    counts: ArrayLike | None = None,
    *,
    thresholds: Sequence[float] = (0.0,),
    threshold_type: str = "iou",
    all_boxes_above_threshold: bool = True,
    allow_no_crop: bool = True,
    aspect_ratio: Sequence[float] = (1.0, 1.0),
    scaling: tuple[float, float] = (1.0, 1.0),
    prune_threshold: float | None = None,
    num_attempts: int = 1,
    total_num_attempts: int | None = None,
    input_shape: npt.ArrayLike | None = None,
    crop_shape: npt.ArrayLike | None = None,
) -> tuple[jax.Array, jax.Array]:
    """Draws a window of each image that keeps enough of its boxes, as DALI's `fn.random_bbox_crop` does.

    First draws one of `thresholds` or, with `allow_no_crop`, possibly that the whole image is kept. Then draws up to
    `num_attempts` windows, and takes the first one that overlaps boxes by at least the threshold and keeps at least
    one. If there is none, starts again.

    Args:
        keys: typed threefry keys `[N]`.
        boxes: `float32[N, n, 2 * D]`, start and end of each box, as fractions; D is 2 or 3.
        counts: `int32[N]`, the number of boxes of each image; None: all.
        thresholds: 0 to 1.
        threshold_type: "iou", intersection over union of box and window; or "overlap", the fraction of the box inside
            the window.
        all_boxes_above_threshold: all boxes must overlap that much; False: at least one must.
        allow_no_crop: the whole image may be kept: it is drawn as often as each of `thresholds`.
        aspect_ratio: (smallest, largest) ratio of the first extent to the second; for D = 3 also for axes (0, 2) and
            (1, 2). For a single ratio, the larger extent of the window is drawn.
        scaling: (smallest, largest) extents of windows, as fractions of the image's.
        prune_threshold: a window keeps a box if at least this fraction of it, and more than 0, is inside; None: if its
            centre is.
        num_attempts: at least 1.
        total_num_attempts: after this many attempts, takes the window that overlaps boxes most, or the whole image if
            no window had a fitting ratio; None: after 10,000.
        input_shape: `[D]` or `[N, D]`, extents of the images, in the units of ratios; None: all are equal.
        crop_shape: `[D]` or `[N, D]`, extents of the windows in those units; windows then start at integers. Replaces
            `aspect_ratio`, `scaling` and `allow_no_crop`.

    Returns:
        Start and extents of the windows, `float32[N, D]` each, as fractions of the image.

    Raises:
        ConfigError: arguments are out of range.
    """
    count, axes = boxes.shape[0], boxes.shape[2] // 2
    ratios = tuple(float(one) for one in aspect_ratio)
    if len(ratios) == 2:
        ratios = ratios * (1 if axes == 2 else 3)
    if boxes.shape[2] not in (4, 6) or len(ratios) != (2 if axes == 2 else 6):
        raise ConfigError(f"boxes are {boxes.shape} and aspect_ratio {aspect_ratio!r}; expected two or three axes.")
    if threshold_type not in ("iou", "overlap") or not len(thresholds):
        raise ConfigError(f'threshold_type is {threshold_type!r}; expected "iou" or "overlap", and a threshold.')
    if crop_shape is not None and input_shape is None:
        raise ConfigError("crop_shape is in the units of input_shape; give input_shape, too.")
    search = _Search(
        tuple(float(one) for one in thresholds),
        threshold_type,
        all_boxes_above_threshold,
        ratios,
        (float(scaling[0]), float(scaling[1])),
        prune_threshold,
        check_integer("num_attempts", num_attempts, 1),
        min(_MOST_ATTEMPTS if total_num_attempts is None else total_num_attempts, _MOST_ATTEMPTS),
        allow_no_crop and crop_shape is None,
    )
    there = jnp.ones(boxes.shape[:2], bool)
    if counts is not None:
        there = jnp.arange(boxes.shape[1])[None] < jnp.reshape(counts, (-1, 1))
    extents = np.ones((1, axes), np.float32) if input_shape is None else input_shape
    size = jnp.reshape(jnp.asarray(extents, jnp.float32), (-1, axes))
    crop = None if crop_shape is None else jnp.reshape(jnp.asarray(crop_shape, jnp.float32), (-1, axes))

    def go_on(state):
        return (state["block"] * search.attempts < search.total) & ~state["found"].all()

    def block(state):
        mine = jax.vmap(lambda key: jax.random.fold_in(key, state["block"]))(keys)
        return _block(search, mine, boxes, there, size, crop, state)

    # Under `shard_map`, a loop's initial values must vary over the same mesh axes as its results: derive them from boxes.
    zeros = product(boxes.sum(axis=(1, 2)), np.float32(0)) if boxes.shape[1] else jnp.zeros(count, jnp.float32)
    zeros = jnp.where(jnp.isfinite(zeros), zeros, 0)
    begin = {
        "block": jnp.zeros((), jnp.int32),
        "found": zeros != 0,
        "best": zeros - 1,
        "start": jnp.zeros((count, axes), jnp.float32) + zeros[:, None],
        "size": jnp.ones((count, axes), jnp.float32) + zeros[:, None],
    }
    found = lax.while_loop(go_on, block, begin)
    return found["start"], found["size"]


def _block(search: _Search, keys, boxes, there, size, crop, state):
    """Makes the attempts with one threshold."""
    count, axes = boxes.shape[0], boxes.shape[2] // 2
    bits = random_bits(keys, _CROP, (1 + search.attempts * 2 * axes,))
    options = len(search.thresholds) + search.may_keep_all
    option = multiply_high(bits[:, 0], jnp.uint32(options)).astype(jnp.int32)
    limit = jnp.asarray((*search.thresholds, 0.0), jnp.float32)[option]
    keeps = option == len(search.thresholds)
    start, extent, fits = _windows(search, bits[:, 1:].reshape(count, search.attempts, 2, axes), size, crop)
    attempt = state["block"] * search.attempts + jnp.arange(search.attempts)
    fits = fits & (attempt < search.total)[None]
    both, area, window = _overlaps(boxes[:, None], start[:, :, None], extent[:, :, None])
    whole = area if search.metric == "overlap" else rounded(rounded(area + window) - both)
    measure = jnp.where(whole > 0, quotient(both, jnp.where(whole > 0, whole, 1)), 0)
    mine, none = there[:, None], ~there.any(axis=1)[:, None]
    if boxes.shape[1]:
        least = jnp.where(mine, measure, np.inf).min(axis=2)
        score = least if search.every else jnp.where(none, np.inf, jnp.where(mine, measure, -np.inf).max(axis=2))
        kept = _kept(boxes[:, None], start[:, :, None], extent[:, :, None], search.least_part) & mine
        taken = fits & (score >= limit[:, None]) & (kept.any(axis=2) | none)
    else:
        score, taken = jnp.full(fits.shape, np.inf, jnp.float32), fits
    first = jnp.argmax(taken, axis=1)
    score = jnp.where(fits, score, -1)
    best = jnp.where(taken.any(axis=1), first, jnp.argmax(score, axis=1))
    start, extent, score = (jnp.take_along_axis(one, _pick(best, one), axis=1)[:, 0] for one in (start, extent, score))
    better = ~state["found"] & (taken.any(axis=1) | keeps | (score > state["best"]))
    start = jnp.where(keeps[:, None], 0, start)
    extent = jnp.where(keeps[:, None], 1, extent)
    return {
        "block": state["block"] + 1,
        "found": state["found"] | taken.any(axis=1) | keeps,
        "best": jnp.where(better, score, state["best"]),
        "start": jnp.where(better[:, None], start, state["start"]),
        "size": jnp.where(better[:, None], extent, state["size"]),
    }


def _pick(index, values):
    return index.reshape(-1, *[1] * (values.ndim - 1))


def _windows(search: _Search, bits, size, crop):
    """Returns the start and extents of each attempt's window, and whether its ratios fit."""
    size = size[:, None]
    if crop is not None:
        crop = crop[:, None]
        room = (size - crop).astype(jnp.int32)
        steps = multiply_high(bits[:, :, 0], (jnp.abs(room) + 1).astype(jnp.uint32)).astype(jnp.int32)
        start = jnp.where(room < 0, -steps, steps).astype(jnp.float32)
        extent = jnp.broadcast_to(quotient(crop, size), start.shape)
        return quotient(start, size), extent, jnp.ones(start.shape[:2], bool)
    unit = unit_of_bits(bits)
    low, high = (np.float32(bound) for bound in search.scaling)
    drawn = product(rounded(low + product(unit[:, :, 0], high - low)), size)
    extents = [drawn[..., axis] for axis in range(drawn.shape[-1])]
    pairs = ((0, 1), (0, 2), (1, 2))[: len(search.aspect_ratio) // 2]
    ranges = [*zip(pairs, search.aspect_ratio[::2], search.aspect_ratio[1::2], strict=True)]
    for (one, other), least, most in ranges:
        if least == most:
            larger = jnp.maximum(extents[one], extents[other])
            extents[one] = product(larger, np.float32(min(least, 1)))
            extents[other] = product(larger, np.float32(1 / max(least, 1)))
    fits = jnp.ones(drawn.shape[:2], bool)
    for (one, other), least, most in ranges:
        if least == most:  # a later pair of axes may have changed the ratio again
            wanted = product(extents[other], np.float32(least))
            fits = fits & (jnp.abs(extents[one] - wanted) <= product(wanted, np.float32(1e-5)))
        else:
            fits = fits & (extents[one] >= product(extents[other], np.float32(least)))
            fits = fits & (extents[one] <= product(extents[other], np.float32(most)))
    extent = quotient(jnp.stack(extents, axis=-1), size)
    return product(unit[:, :, 1], 1 - extent), extent, fits


def _overlaps(boxes, start, extent):
    """Volumes of the intersections of boxes and windows, of the boxes, and of the windows."""
    axes = boxes.shape[-1] // 2
    low, high = boxes[..., :axes], boxes[..., axes:]
    both = jnp.maximum(jnp.minimum(high, rounded(start + extent)) - jnp.maximum(low, start), 0)
    return _volume(both), _volume(high - low), _volume(extent)


def _volume(extents):
    found = extents[..., 0]
    for axis in range(1, extents.shape[-1]):
        found = product(found, extents[..., axis])
    return found


def _kept(boxes, start, extent, least_part: float | None):
    """Whether windows keep boxes."""
    if least_part is not None:
        both, area, _ = _overlaps(boxes, start, extent)
        return (both > 0) & (both >= product(area, np.float32(least_part)))
    axes = boxes.shape[-1] // 2
    middle = product(rounded(boxes[..., :axes] + boxes[..., axes:]), np.float32(0.5))
    return ((middle >= start) & (middle < rounded(start + extent))).all(axis=-1)


@on_any_mesh
def crop_boxes(
    boxes: jax.Array | np.ndarray,
    start: jax.Array | np.ndarray,
    size: jax.Array | np.ndarray,
    counts: ArrayLike | None = None,
    prune_threshold: float | None = None,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Returns the boxes of images that are inside windows of them; leaves out boxes outside.

    Args:
        boxes: `float32[N, n, 2 * D]`, start and end of each box, as fractions of the image.
        start: `float32[N, D]`, where the windows begin, as fractions.
        size: `float32[N, D]`, the extents of the windows, as fractions.
        counts: `int32[N]`, the number of boxes of each image; None: all.
        prune_threshold: keep boxes of which at least this fraction, and more than 0, is in the window; None: boxes
            whose centre is.

    Returns:
        The kept boxes as fractions of the window, first in their row and followed by zeros; `int32[N, n]`, their
        indices, followed by zeros; and their number, `int32[N]`. If the window is the whole image, boxes are unchanged.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from jaxdali import boxes
        >>> given = jnp.array([[[0.75, 0.75, 1, 1], [0, 0, 0.25, 0.5]]])
        >>> window = {"start": jnp.zeros((1, 2)), "size": jnp.full((1, 2), 0.5)}
        >>> kept, indices, number = jax.jit(boxes.crop_boxes)(given, **window)
        >>> kept.tolist(), indices.tolist(), number.tolist()
        ([[[0.0, 0.0, 0.5, 1.0], [0.0, 0.0, 0.0, 0.0]]], [[1, 0]], [1])
    """
    axes, number = boxes.shape[2] // 2, jnp.arange(boxes.shape[1], dtype=jnp.int32)[None]
    whole = ((start == 0) & (size == 1)).all(axis=1)[:, None]
    start, size = start[:, None], size[:, None]
    kept = _kept(boxes, start, size, prune_threshold) | whole
    if counts is not None:
        kept = kept & (number < jnp.reshape(counts, (-1, 1)))
    parts = (boxes[..., :axes], boxes[..., axes:])
    moved = [jnp.clip(quotient(rounded(part - start), size), 0, 1) for part in parts]
    moved = jnp.where(whole[..., None], boxes, jnp.concatenate(moved, axis=-1))
    order = jnp.argsort(~kept, axis=1, stable=True).astype(jnp.int32)
    total = kept.sum(axis=1, dtype=jnp.int32)
    inside = number < total[:, None]
    found = jnp.take_along_axis(moved, order[..., None], axis=1)
    return jnp.where(inside[..., None], found, 0), jnp.where(inside, order, 0), total
