"""The common parts of reductions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, Params
from ..argument_kinds import FLAG
from ..declaration import Input, Param, Static
from ..tensor.sample_axes import AXES, LETTERS, extents_of, picked_axes, shapes_of
from ..values import BatchValue, Context

__all__ = ["AXES_OF", "DATA", "beside", "check_axes", "reduced", "reduced_axes"]

DATA = Input("data", "any numbers")
AXES_OF: tuple[Param, ...] = (
    Static("axes", AXES, None, "axes to reduce; negative numbers count from the last axis. By default all axes"),
    Static("axis_names", LETTERS, None, "names of these axes in the layout, instead of `axes`"),
    Static("keep_dims", FLAG, False, "keep the reduced axes, with the extent 1"),
)


def check_axes(display_name: str, _inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    """Raises ConfigError if axes are given twice."""
    if params["axes"] is not None and params["axis_names"] is not None:
        raise ConfigError(f"{display_name} got both axes= and axis_names=; give one of them")


def reduced_axes(context: Context, value: BatchValue, axes: Any, axis_names: str | None) -> tuple[int, ...]:
    """Returns the axes that are reduced, as indices from 0."""
    found = picked_axes(context, value, axes, axis_names)
    return tuple(range(value.data.ndim - 1)) if found is None else found


def reduced(value: BatchValue, data: Any, axes: Sequence[int], keep: bool, wide: Any = None) -> BatchValue:
    """Wraps the result of a reduction, whose reduced axes have the extent 1 in `data`."""
    extents, layout = extents_of(value), value.layout
    kept = range(len(extents)) if keep else [axis for axis in range(len(extents)) if axis not in axes]
    left = [1 if axis in axes else extents[axis] for axis in kept]
    if not keep:
        data = data.reshape(len(data), *(data.shape[axis + 1] for axis in kept))
        layout = "".join(value.layout[axis] for axis in kept) if layout else ""
    return BatchValue(data, shapes_of(left, len(data)), layout, wide)


def beside(context: Context, value: BatchValue, other: BatchValue, axes: Sequence[int]) -> Any:
    """Returns a statistic of samples, `[N, ...]`, in a shape that broadcasts over the samples.

    Raises:
        GraphError: it has other extents.
    """
    from jaxdali._device.numeric.concatenation import on_canvas

    data, rank = other.data, value.data.ndim - 1
    if all(extent == 1 for extent in data.shape[1:]):
        return data.reshape(len(data), *[1] * rank)
    if data.ndim - 1 == rank - len(axes):
        kept = iter(data.shape[1:])
        data = data.reshape(len(data), *(1 if axis in axes else next(kept) for axis in range(rank)))
    canvas = value.data.shape[1:]
    if data.ndim != value.data.ndim:
        raise GraphError(
            f"{other.data.ndim - 1} dimensions do not match samples of {rank} in {context.call.operator.display_name}"
        )
    wanted = [1 if have == 1 else extent for have, extent in zip(data.shape[1:], canvas, strict=True)]
    if value.shapes is None and other.shapes is None and list(data.shape[1:]) != wanted:
        raise GraphError(
            f"{context.call.operator.display_name}: samples of shape {data.shape[1:]} do not match {canvas}"
        )
    return on_canvas(data, wanted)
