"""Joins several inputs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jaxdali.errors import GraphError
from ..declaration import Input, Static, operator
from ..values import BatchValue, Context
from .sample_axes import AXIS, LETTER, extents_of, shapes_of, single_axis

__all__ = ["cat", "stack"]

_INPUTS = [Input("inputs", "nodes to join, of the same type and number of dimensions", several=True)]


@operator(
    "cat",
    inputs=_INPUTS,
    params=[
        Static("axis", AXIS, 0, "axis along which they are concatenated; negative numbers count from the last axis"),
        Static("axis_name", LETTER, None, "name of this axis in the layout, instead of `axis`"),
    ],
    raises={"SourceDataError": "samples differ in an extent of another axis, where the batch is handed out"},
)
def cat(context: Context, *values: BatchValue, axis: int, axis_name: str | None) -> BatchValue:
    """Concatenates the samples of its inputs along an axis; DALI's `fn.cat`."""
    from jaxdali._device.numeric.concatenation import concatenate

    first = _checked(context, values)
    along = single_axis(context, axis, axis_name, first)
    # As in DALI, what holds no number in the whole batch is left out; its other extents do not matter.
    values = tuple(value for value in values if 0 not in value.data.shape[1:]) or values[:1]
    own = [extents_of(value) for value in values]
    for other in range(len(own[0])):
        if other != along:
            _require_equal(context, [extents[other] for extents in own], other)
    data, shapes = concatenate([value.data for value in values], [value.shapes for value in values], along)
    most = [one.most for one in values if one.most is not None]
    joined = np.concatenate(most, along) if len(most) == len(values) else None
    return BatchValue(data, shapes, first.layout, first.wide).bounded(joined)


@operator(
    "stack",
    inputs=_INPUTS,
    params=[
        Static("axis", AXIS, 0, "position of the new axis in the output; negative numbers count from its last axis"),
        Static(
            "axis_name",
            LETTER,
            None,
            "name of the new axis in the layout; if it is not given, the output has no layout",
        ),
    ],
    raises={"SourceDataError": "samples differ in shape, where the batch is handed out"},
)
def stack(context: Context, *values: BatchValue, axis: int, axis_name: str | None) -> BatchValue:
    """Stacks the samples of its inputs, which have the same shape, along a new axis; DALI's `fn.stack`."""
    import jax.numpy as jnp

    from jaxdali._device.numeric.concatenation import on_canvas

    first = _checked(context, values)
    rank = first.data.ndim - 1
    if not -rank - 1 <= axis <= rank:
        raise GraphError(f"axis={axis} of fn.stack is out of range for samples of {rank} dimensions")
    place = axis % (rank + 1)
    own = [extents_of(value) for value in values]
    for other in range(rank):
        _require_equal(context, [extents[other] for extents in own], other)
    canvas = [max(value.data.shape[k] for value in values) for k in range(1, rank + 1)]
    data = jnp.stack([on_canvas(value.data, canvas) for value in values], axis=place + 1)
    # If samples of one input fill their canvas, those of the others must have its extents.
    extents = [next((one for one in column if isinstance(one, int)), column[0]) for column in zip(*own, strict=True)]
    extents.insert(place, len(values))
    layout = _layout(values)
    layout = f"{layout[:place]}{axis_name}{layout[place:]}" if axis_name and (layout or not rank) else ""
    most = [one.most for one in values if one.most is not None]
    joined = np.stack(most, place) if len(most) == len(values) else None
    return BatchValue(data, shapes_of(extents, len(data)), layout, first.wide).bounded(joined)


def _checked(context: Context, values: Sequence[BatchValue]) -> BatchValue:
    """Returns the first value. Raises GraphError if the values differ in type or rank."""
    kinds = [f"{value.data.ndim - 1}-D {value.wide or value.data.dtype}" for value in values]
    if len(set(kinds)) > 1:
        raise GraphError(
            f"All inputs of {context.call.operator.display_name} must have the same type and number of dimensions, got "
            f"{', '.join(kinds)}"
        )
    return values[0]


def _require_equal(context: Context, extents: Sequence[object], axis: int) -> None:
    word, first = context.call.operator.display_name, extents[0]
    for one in extents[1:]:
        said = f"what {word} joins must have the same extent along axis {axis}"
        if isinstance(one, int) and isinstance(first, int):
            if one != first:
                raise GraphError(f"{said}, got {first} and {one}")
        else:
            context.require(one == first, said)


def _layout(values: Sequence[BatchValue]) -> str:
    """Returns the layout of the first input."""
    return values[0].layout
