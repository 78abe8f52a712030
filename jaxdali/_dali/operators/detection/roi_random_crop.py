"""Draws random windows around regions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, Params
from ..argument_kinds import Kind
from ..declaration import REQUIRED, Input, PerSample, operator
from ..random.draw_arguments import SEED_PARAM
from ..tensor.sample_axes import INTEGERS
from ..values import BatchValue, Context

__all__ = ["roi_random_crop"]


def _check(display_name: str, inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    if (params["roi_end"] is None) == (params["roi_shape"] is None):
        raise ConfigError(f"{display_name} takes roi_end= or roi_shape=, one of them")
    if inputs and params["in_shape"] is not None:
        raise ConfigError(f"{display_name} got both an input and in_shape=; give one of them")


def _places(word: str, value: object) -> tuple[int, ...]:
    numbers = INTEGERS.read(word, value)
    if not numbers or any(abs(one) >= 1 << 30 for one in numbers):
        raise ConfigError(f"{word} must be integers, one per axis, got {value!r:.80}")
    return numbers


def _kind(*examples: object) -> Kind:
    return Kind("int | Sequence[int]", _places, examples)


@operator(
    "roi_random_crop",
    inputs=[Input("data", "data that windows must not leave; only their shape counts", takes="windows", optional=True)],
    params=[
        PerSample("crop_shape", REQUIRED, "extents of the window", _kind((2, 3), (3, 2))),
        PerSample("roi_start", REQUIRED, "where the region begins", _kind((1, 0), (0, 1))),
        PerSample("roi_end", None, "where the region ends", _kind((4, 4), (3, 4))),
        PerSample("roi_shape", None, "extents of the region, instead of `roi_end`", _kind((3, 3), (2, 4))),
        PerSample(
            "in_shape",
            None,
            "shape that windows must not leave, instead of the input. Without either, windows may be anywhere",
            _kind((6, 7), (5, 5)),
        ),
        SEED_PARAM,
    ],
    check=_check,
    is_random=True,
    raises={"SourceDataError": "a region or a window does not fit into the input, where the batch is handed out"},
)
def roi_random_crop(
    context: Context,
    value: BatchValue | None = None,
    *,
    crop_shape: object,
    roi_start: object,
    roi_end: object,
    roi_shape: object,
    in_shape: object,
    seed: int | None,
) -> BatchValue:
    """Draws where a window begins that contains a region, or lies within a larger one; DALI's operator.

    The result is INT64 [axes].
    """
    import jax.numpy as jnp

    from jaxdali._device.random.mask_pixels import window_about

    size, start, end, extents, given = (_rows(one) for one in (crop_shape, roi_start, roi_end, roi_shape, in_shape))
    assert size is not None and start is not None
    axes = size.shape[1]
    if end is None:
        assert extents is not None
        end = start + extents
    if value is not None:
        shapes = jnp.asarray([value.data.shape[1:]], jnp.int32) if value.shapes is None else value.shapes
        given = shapes[:, :axes]
    told = [one.shape[1] for one in (size, start, end, given) if one is not None]
    if len(set(told)) > 1:
        raise GraphError(f"regions and windows of fn.roi_random_crop have {told} axes; give the same number for all")
    if given is not None:
        context.require(
            jnp.broadcast_to((size >= 0).all(axis=1), (context.samples,)), "crop_shape of fn.roi_random_crop is below 0"
        )
        fits = (start >= 0) & (end <= given) & (size <= given)
        context.require(
            jnp.broadcast_to(fits.all(axis=1), (context.samples,)),
            "a region or a window of fn.roi_random_crop does not fit into its input",
        )
    return BatchValue(window_about(context.keys(seed), start, end, size, given), wide=np.dtype(np.int64))


def _rows(value: Any) -> Any:
    """Returns `int32[N or 1, axes]`; None if the argument is not given."""
    import jax.numpy as jnp

    if value is None:
        return None
    if isinstance(value, tuple):
        return jnp.asarray([value], jnp.int32)
    return value.astype(jnp.int32).reshape(len(value), -1)
