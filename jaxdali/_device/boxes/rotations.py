"""Boxes of rotated images."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from ..image.exact_arithmetic import product, quotient, rounded, to_float32
from ..image.trigonometry import sine_and_cosine
from ..image.warp import rotated_extents

__all__ = ["ROTATED", "rotate_boxes"]

# How the size of a rotated box is chosen.
ROTATED = ("expand", "fixed", "halfway")


@on_any_mesh
def rotate_boxes(
    boxes: Array,
    degrees: ArrayLike,
    extents: ArrayLike,
    counts: ArrayLike | None = None,
    *,
    canvas: object = None,
    keep_size: bool = False,
    mode: str = "expand",
    remove_threshold: float = 0.1,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Returns the boxes of images rotated by `jaxdali.image.rotate`; leaves out boxes of which too little remains.

    Args:
        boxes: `float32[N, n, 4]`: left, top, right, bottom, as fractions of the image.
        degrees: by which the images are rotated, counter-clockwise; a number or `[N]`.
        extents: `int32[N or 1, 2]`, height and width of the images.
        counts: `int32[N]`, the number of boxes of each image; None: all.
        canvas: `float32[2]` or `[N, 2]`, height and width of the results, if given to `rotate`; None: what `rotate`
            uses by default, the extents of the whole rotated image, or with `keep_size` those of the image.
        keep_size: the results have the extents of the images; not used with `canvas`.
        mode: "expand": boxes enclose everything that was in them; "fixed": they keep their height and width, swapped if
            the rotation is closer to a quarter turn; "halfway": the mean of both.
        remove_threshold: leave out boxes of which a smaller fraction than this is in the result, 0 to 1.

    Returns:
        The kept boxes as fractions of the result and clipped to it, first in their row and followed by zeros; `int32[N,
        n]`, their indices, followed by zeros; and their number, `int32[N]`.

    Raises:
        ConfigError: boxes do not have four numbers, or the mode is unknown.
    """
    if boxes.ndim != 3 or boxes.shape[2] != 4 or mode not in ROTATED:
        raise ConfigError(f"boxes are {boxes.shape} and mode is {mode!r}; expected [N, n, 4] and one of {ROTATED}.")
    count, number = len(boxes), jnp.arange(boxes.shape[1], dtype=jnp.int32)[None]
    degrees = jnp.broadcast_to(to_float32(jnp.asarray(degrees)).reshape(-1), (count,))
    extents = jnp.broadcast_to(jnp.asarray(extents, jnp.int32), (count, 2))
    if canvas is None:
        canvas = extents if keep_size else rotated_extents(degrees, extents)
    # Boxes have x before y, extents the other way round.
    before = extents.astype(jnp.float32)[:, None, ::-1]
    behind = jnp.broadcast_to(jnp.asarray(canvas, jnp.float32).reshape(-1, 2), (count, 2))[:, None, ::-1]
    sine, cosine = (part[:, None] for part in sine_and_cosine(degrees))
    low, high = product(boxes[..., :2], before), product(boxes[..., 2:], before)
    half = product(rounded(high - low), np.float32(0.5))
    away = rounded(rounded(low + half) - product(before, np.float32(0.5)))
    middle = jnp.stack(
        [
            rounded(product(away[..., 0], cosine) + product(away[..., 1], sine)),
            rounded(product(away[..., 1], cosine) - product(away[..., 0], sine)),
        ],
        axis=-1,
    )
    sine, cosine = abs(sine), abs(cosine)
    reach = jnp.stack(
        [
            rounded(product(half[..., 0], cosine) + product(half[..., 1], sine)),
            rounded(product(half[..., 1], cosine) + product(half[..., 0], sine)),
        ],
        axis=-1,
    )
    if mode != "expand":
        lying = jnp.where(_is_turned(degrees)[:, None, None], half[..., ::-1], half)
        reach = lying if mode == "fixed" else product(rounded(reach + lying), np.float32(0.5))
    middle = rounded(middle + product(behind, np.float32(0.5)))
    both = [quotient(edge, behind) for edge in (rounded(middle - reach), rounded(middle + reach))]
    cut = [jnp.clip(edge, 0, 1) for edge in both]
    whole, left = (product(high[..., 0] - low[..., 0], high[..., 1] - low[..., 1]) for low, high in (both, cut))
    kept = left >= product(whole, np.float32(remove_threshold))
    if counts is not None:
        kept = kept & (number < jnp.reshape(counts, (-1, 1)))
    order = jnp.argsort(~kept, axis=1, stable=True).astype(jnp.int32)
    total = kept.sum(axis=1, dtype=jnp.int32)
    inside = number < total[:, None]
    found = jnp.take_along_axis(jnp.concatenate(cut, axis=-1), order[..., None], axis=1)
    return jnp.where(inside[..., None], found, 0), jnp.where(inside, order, 0), total


def _is_turned(degrees: Any) -> Any:
    """Whether a rotation is closer to a quarter turn than to none or a half turn."""
    rest = rounded(degrees - product(np.float32(180), jnp.floor(product(degrees, np.float32(1 / 180)))))
    return (rest > 45) & (rest < 135)
