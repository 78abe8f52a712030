"""Operators that pick one of each pixel's neighbours."""

from __future__ import annotations

from typing import Any

from jaxdali.errors import ConfigError, GraphError
from ..argument_kinds import Kind, choice, integer
from ..declaration import PerSample, Static, operator
from ..operator_inputs import IMAGES, assuming
from ..tensor.sample_axes import INTEGERS
from ..values import BatchValue, Context
from .warping import images_in

__all__ = ["dilate", "erode", "median_blur"]

_BORDERS = {
    "constant": "constant",
    "replicate": "clamp",
    "reflect": "reflect_1001",
    "reflect_101": "reflect_101",
    "wrap": "wrap",
}


def _pair(word: str, value: object, least: int, odd: bool = False) -> tuple[int, ...]:
    values = INTEGERS.read(word, value)
    if not 1 <= len(values) <= 2 or min(values) < least or (odd and not all(one % 2 for one in values)):
        wanted = f"{'an odd number' if odd else 'a number'} from {least} on, or two"
        raise ConfigError(f"{word} must be {wanted}, got {value!r:.80}")
    return values


def _kind(least: int, odd: bool, *examples: object) -> Kind:
    return Kind("int | Sequence[int]", lambda word, value: _pair(word, value, least, odd), examples)


_IMAGES = assuming(IMAGES, "HW", "HWC", "FHWC")
_MORPHOLOGY = (
    PerSample(
        "mask_size", (3, 3), "(width, height) of the neighbourhood, or one number for both", _kind(1, False, 2, (3, 2))
    ),
    PerSample(
        "anchor",
        (-1, -1),
        "(column, row) of the pixel in it, or one number for both; -1: its middle",
        _kind(-1, False, 1, (0, 1)),
    ),
    Static("iterations", integer(1, 1 << 10), 1, "how many times to repeat it"),
    Static(
        "border_mode",
        choice(*_BORDERS),
        "constant",
        'how images are extended beyond their edges; "constant": only the pixels in the image count',
    ),
)
_RAISES = {"SourceDataError": "a size or an anchor of a node is out of range, where the batch is handed out"}


@operator("experimental.dilate", inputs=[_IMAGES], params=_MORPHOLOGY, keeps_extents=True, raises=_RAISES)
def dilate(context: Context, value: BatchValue, **params: Any) -> BatchValue:
    """Replaces each pixel with the largest of its neighbours, by channel; DALI's operator on GPUs.

    See `jaxdali.image.dilate`.
    """
    from jaxdali._device.image.ranks import dilate as compute

    return _picked(context, value, compute, **params)


@operator("experimental.erode", inputs=[_IMAGES], params=_MORPHOLOGY, keeps_extents=True, raises=_RAISES)
def erode(context: Context, value: BatchValue, **params: Any) -> BatchValue:
    """Replaces each pixel with the smallest of its neighbours, by channel; DALI's operator on GPUs.

    See `jaxdali.image.erode`.
    """
    from jaxdali._device.image.ranks import erode as compute

    return _picked(context, value, compute, **params)


def _picked(
    context: Context,
    value: BatchValue,
    compute: Any,
    *,
    mask_size: object,
    anchor: object,
    iterations: int,
    border_mode: str,
) -> BatchValue:
    import jax.numpy as jnp

    value = _numbers_in(context, value)
    word = context.call.operator.display_name
    size, place = (_by_rows(context, name, one) for name, one in (("mask_size", mask_size), ("anchor", anchor)))
    if not (isinstance(size, tuple) and isinstance(place, tuple)):
        most, at = (jnp.broadcast_to(jnp.asarray(one, jnp.int32), (context.samples, 2)) for one in (size, place))
        context.require(
            ((most >= 1) & (at >= -1) & (at < most)).all(axis=1), f"{word} expects masks of pixels, and anchors in them"
        )
        size, place = most, jnp.clip(at, -1, most - 1)
    data = compute(value.data, size, place, value.shapes, iterations=iterations, border=_BORDERS[border_mode])
    return BatchValue(data, value.shapes, value.layout, value.wide)


@operator(
    "experimental.median_blur",
    inputs=[_IMAGES],
    params=[
        PerSample(
            "window_size",
            (3, 3),
            "(height, width) of the neighbourhood, odd, or one number for both",
            _kind(1, True, 5, (3, 5)),
        )
    ],
    keeps_extents=True,
    raises=_RAISES,
)
def median_blur(context: Context, value: BatchValue, *, window_size: Any) -> BatchValue:
    """Replaces each pixel with the median of its neighbours, by channel; DALI's operator on GPUs.

    Beyond the edges the pixels at the edge are repeated. It is fastest if the window is a number. See
    `jaxdali.image.median_blur`.
    """
    import jax.numpy as jnp

    from jaxdali._device.image.ranks import median_blur as compute

    value = _numbers_in(context, value)
    if not isinstance(window_size, tuple):
        window_size = window_size.reshape(context.samples, -1).astype(jnp.int32)
        context.require(
            ((window_size >= 1) & (window_size % 2 == 1)).all(axis=1),
            f"{context.call.operator.display_name} expects odd windows",
        )
        window_size = jnp.maximum(window_size | 1, 1)
    return BatchValue(compute(value.data, window_size, value.shapes), value.shapes, value.layout, value.wide)


def _numbers_in(context: Context, value: BatchValue) -> BatchValue:
    value = images_in(context, value)
    if value.data.dtype.kind not in "uif":
        raise GraphError(
            f"{context.call.operator.display_name} expects images of numbers, got {value.data.dtype}; cast them first"
        )
    return value


def _by_rows(context: Context, name: str, value: Any) -> Any:
    """Reverses an argument in (x, y) order to rows before columns: a tuple, or `int32[N, 2]`."""
    import jax.numpy as jnp

    if isinstance(value, tuple):
        return (value[-1], value[0])
    if value.ndim > 2 or (value.ndim == 2 and value.shape[1] > 2):
        raise GraphError(
            f"{name} of {context.call.operator.display_name} is a number or two, got {list(value.shape[1:])}"
        )
    pair = value.reshape(context.samples, -1).astype(jnp.int32)
    return jnp.stack([pair[:, -1], pair[:, 0]], axis=1)
