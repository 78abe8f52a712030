"""Arrays in larger ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import ConfigError, GraphError
from ...graph.call import DataNode
from ..inputs import ANY
from ..kinds import Kind
from ..record import PerSample, Static, operator
from ..stored import stored
from ..values import BatchValue, Context
from .axes import AXES, INTEGERS, LETTERS, extents_of, picked_axes, shapes_of

__all__ = ["pad"]


def _align(word: str, value: Any) -> tuple[int, ...]:
    found = INTEGERS.read(word, value)
    if not found or min(found) < 1:
        raise ConfigError(f"{word} must be above 0, one for all axes or one for each, got {value!r:.80}")
    return found


def _check(spoken: str, _inputs: Sequence[DataNode], params: Any, _device: Any) -> None:
    if params["axes"] is not None and params["axis_names"] is not None:
        raise ConfigError(f"{spoken} got both axes= and axis_names=; give one of them")


_BEFOREHAND = "shapes of arrays are known before there is data: give numbers"


@operator(
    "pad",
    inputs=[ANY],
    params=[
        Static("axes", AXES, None, "that are padded; below 0 counted from the last one. Not given: all", _BEFOREHAND),
        Static("axis_names", LETTERS, None, "the same by letters of the layout"),
        Static(
            "shape",
            Kind("int | Sequence[int]", INTEGERS.read, (9, (9, 10, -1))),
            None,
            "least extents, for each of the axes, or one for all; below 0, or not given: the largest extent of the batch",
            _BEFOREHAND,
        ),
        Static(
            "align",
            Kind("int | Sequence[int]", _align, (4, (4, 1, 2))),
            None,
            "extents are rounded up to multiples of it, for each of the axes, or one for all",
            _BEFOREHAND,
        ),
        PerSample(
            "fill_value", 0.0, "what is new. Of integers its fraction is cut off, and what is too much wraps round"
        ),
    ],
    check=_check,
)
def pad(
    context: Context, value: BatchValue, *, axes: Any, axis_names: str | None, shape: Any, align: Any, fill_value: Any
) -> BatchValue:
    """Makes samples larger, behind their ends; DALI's `fn.pad`.

    Without `shape` all are as large as the largest of the batch is in each of the axes.
    """
    import jax.numpy as jnp

    from ...numeric import pad as compute

    picked = picked_axes(context, value, axes, axis_names)
    picked = tuple(range(value.data.ndim - 1)) if picked is None else picked
    extents, canvas = extents_of(value), list(value.data.shape[1:])
    wanted = (-1,) * len(picked) if shape is None else _each("shape", shape, len(picked))
    steps = (1,) * len(picked) if align is None else _each("align", align, len(picked))
    for axis, least, step in zip(picked, wanted, steps, strict=True):
        extent, most = extents[axis], canvas[axis]
        if least >= most:
            extent = most = least
        elif not isinstance(extent, int):
            extent = jnp.maximum(extent, least)
            if least < 0:
                extent = jnp.broadcast_to(extent.max(initial=0), extent.shape)
        extents[axis], canvas[axis] = -(-extent // step) * step, -(-most // step) * step
    if getattr(fill_value, "ndim", 0) > 1:
        raise GraphError(f"fill_value of fn.pad wants one number a sample, got samples of shape {fill_value.shape[1:]}")
    shapes = shapes_of(extents, len(value.data))
    fill = stored(fill_value, value.data.dtype)
    return BatchValue(compute(value.data, value.shapes, shapes, canvas, fill), shapes, value.layout, value.wide)


def _each(name: str, given: Sequence[int], count: int) -> Sequence[int]:
    if len(given) not in (1, count):
        raise GraphError(f"{name}={list(given)} of fn.pad for {count} axes: give one, or one for each")
    return [*given] * count if len(given) == 1 else given
