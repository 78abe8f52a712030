"""Windows of resized images and volumes, computed as a single resize of the input."""

from __future__ import annotations

from typing import Any

from ...graph.call import Params
from ..image_extents import Extents
from ..values import Context
from .resizing import resized_bounds
from .volume_operators import asked_depth, most_of_window, pixels_of, start_of
from .window import Window, limited, window_extents

__all__ = ["cut_resized", "most_of_windows", "resized_windows_bounds"]


def resized_windows_bounds(params: Params, extents: Extents) -> Extents:
    """Returns the extents of windows of resized images. Windows may leave their images if the largest window is known
    beforehand.
    """
    policy = "pad" if limited(params) else "error"
    return window_extents({**params, "out_of_bounds_policy": policy}, resized_bounds(params, extents))


def cut_resized(context: Context, found: Any, whole: object, params: Params) -> Any:
    """Returns the extents of a window of each result, and the region that becomes the window. If the largest window is
    known beforehand, a window may leave its result: taps there repeat the pixels at the edge.

    Args:
        found: the `Resized` of the results.
        whole: `int32[N, axes]`, the extents of the input.
    """
    import jax.numpy as jnp

    from jaxdali._device.image.exact_arithmetic import product, quotient

    extents, region = jnp.asarray(found.extents, jnp.int32), found.region
    sizes, edges = [], []
    for axis, (letter, wanted) in enumerate(_asked(params, extents.shape[1])):
        extent = extents[:, axis]
        size = _size(wanted, extent)
        start = start_of(extent, size, params[f"crop_pos_{letter}"], params["rounding"])
        if region is None:
            low, length = jnp.float32(0), jnp.asarray(whole, jnp.float32)[:, axis]
        else:
            low, high = (jnp.asarray(region[:, 2 * axis + end]) for end in (0, 1))
            length = high - low
        for place in (start, start + size):
            reach = product(length, place.astype(jnp.float32))
            edges.append(low + quotient(reach, jnp.maximum(extent, 1).astype(jnp.float32)))
        sizes.append(jnp.where(extent > 0, size, 0))
    made = jnp.stack(sizes, axis=1)
    if not limited(context.call.params):
        context.require(
            (made <= extents).all(axis=1),
            f"a window of {context.call.operator.display_name} is larger than its input, and the largest window is not "
            "known "
            "beforehand: give numbers, or a node of fn.random.uniform(range=)",
        )
        made = jnp.minimum(made, extents)  # keeps windows that fail within their images
    return found._replace(extents=made, region=jnp.stack(edges, axis=1))


def most_of_windows(context: Context, params: Params, most: tuple[int, ...]) -> tuple[int, ...]:
    """Returns limits on the extents of windows, given limits `most` on the extents of volumes."""
    found = list(most)
    for axis, (_, wanted) in enumerate(_asked(params, len(most))):
        if isinstance(wanted, float):
            found[axis] = int(wanted)
        elif wanted is not None and limited(context.call.params):
            found[axis] = most_of_window(context, params, axis, most[axis])
    return tuple(found)


def _asked(params: Params, axes: int) -> list[tuple[str, Any]]:
    """Returns each axis and the extent of windows along it: a number, its values `[N]`, or None for the whole axis."""
    window = Window.of(params)
    pair = (None, None) if window is None else window.asked
    asked = (None if isinstance(one, float) and one < 1 else one for one in (asked_depth(params), *pair))
    return list(zip("zyx", asked, strict=True))[-axes:]


def _size(wanted: object, extent: Any) -> Any:
    """Returns the extents of windows, `int32[N]`."""
    import jax.numpy as jnp

    if wanted is None:
        return extent
    return jnp.full_like(extent, int(wanted)) if isinstance(wanted, float) else pixels_of(wanted, extent)
