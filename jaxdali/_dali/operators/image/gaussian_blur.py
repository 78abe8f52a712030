"""Blurs images with Gaussian windows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, MutableParams, Params
from ..argument_kinds import DTYPE, NUMBERS, Kind, numpy_dtype
from ..declaration import PerSample, Static, operator
from ..image_extents import limits_of
from ..operator_inputs import AXES
from ..values import BatchValue, Context
from .spatial import Spatial

__all__ = ["gaussian_blur"]

_MOST = 1 << 15


def _extents(word: str, value: object) -> tuple[float, ...]:
    read = NUMBERS.read(word, value)
    values = read if isinstance(read, tuple) else (read,)
    if not 1 <= len(values) <= 3 or not all(isinstance(entry, float) and 0 <= entry < _MOST for entry in values):
        raise ConfigError(
            f"{word} must be a number, or one for each axis, such as (height, width), from 0 on; got {value!r:.80}"
        )
    return values


def _windows(word: str, value: object) -> tuple[float, ...]:
    values = _extents(word, value)
    if any(entry and entry % 2 != 1 for entry in values):
        raise ConfigError(f"{word} must be odd, so that a window has a middle; got {value!r:.80}")
    return values


_SIGMA = Kind("float | Sequence[float]", _extents, (0.75, (1.0, 2.0)))
_WINDOW = Kind("int | Sequence[int]", _windows, (3, (5, 3)))


def _given(params: MutableParams) -> MutableParams:
    sigma, window = params["sigma"], params["window_size"]
    if isinstance(sigma, tuple) and isinstance(window, tuple):
        for axis in range(max(len(sigma), len(window))):
            if not sigma[min(axis, len(sigma) - 1)] and not window[min(axis, len(window) - 1)]:
                raise ConfigError("fn.gaussian_blur expects sigma= or window_size= above 0, for each axis")
    return params


def _largest(params: Params) -> int | None:
    """Returns a limit on the radius of windows; None if it is not known beforehand."""
    found = []
    for name, radius in (("sigma", lambda value: math.ceil(3 * value)), ("window_size", lambda value: value / 2)):
        value = params[name]
        limits = limits_of(value) if isinstance(value, DataNode) else (0, max(value))
        if limits is None or not math.isfinite(limits[1]):
            return None
        found.append(int(radius(max(limits[1], 0))) + (1 if isinstance(value, DataNode) else 0))
    return max(found)


@operator(
    "gaussian_blur",
    inputs=[AXES],
    params=[
        PerSample(
            "sigma",
            (0.0,),
            "standard deviation in pixels, one per sample or one per axis; 0: derived from the window",
            _SIGMA,
        ),
        PerSample("window_size", (0.0,), "number of taps, odd, likewise; 0: `2 * ceil(3 * sigma) + 1`", _WINDOW),
        Static("dtype", DTYPE, None, "that of the output; by default the input's"),
    ],
    prepare=_given,
    keeps_extents=True,
)
def gaussian_blur(context: Context, value: BatchValue, *, dtype: Any, **params: Any) -> BatchValue:
    """Blurs images, volumes and arrays of one axis with Gaussian windows; DALI's `fn.gaussian_blur`.

    Beyond their edges they are mirrored. Without a layout all axes are spatial; with one, all but frames and channels. It
    is fastest if the window is small and known in advance, as for a number or
    `fn.random.uniform(range=)`. See `jaxdali.image.gaussian_blur`.
    """
    import jax.numpy as jnp

    from jaxdali._device.image.blur import gaussian_blur as compute

    images = Spatial.of(context, value)
    axes, shapes = images.value.data.ndim - 2, images.value.shapes
    given = {name: _values(context, name, params[name], axes) for name in ("sigma", "window_size")}
    if any(isinstance(params[name], jnp.ndarray) for name in given):
        sigma, window = (jnp.broadcast_to(jnp.asarray(one), (context.samples, axes)) for one in given.values())
        context.require(
            ((sigma >= 0) & (window >= 0) & ((sigma > 0) | (window > 0)) & ((window == 0) | (window % 2 == 1))).all(
                axis=1
            ),
            "fn.gaussian_blur expects sigma= or window_size= above 0, for each axis, and windows that are odd",
        )
    data = compute(
        images.value.data, **given, shapes=shapes, max_radius=_largest(context.call.params), dtype=numpy_dtype(dtype)
    )
    return images.restored(value, data, shapes)


def _values(context: Context, name: str, value: Any, axes: int) -> Any:
    """Returns `float32[N or 1, axes]`."""
    given = isinstance(context.call.params[name], DataNode)
    rows = value.reshape(len(value), -1).astype(np.float32) if given else np.asarray([value], np.float32)
    if rows.shape[1] not in (1, axes) or (given and value.ndim > 2):
        raise GraphError(f"{name}= of fn.gaussian_blur expects one number, or {axes}, got {rows.shape[1]}")
    if not given:
        return np.broadcast_to(rows, (1, axes))
    import jax.numpy as jnp

    return jnp.broadcast_to(rows, (len(rows), axes))
