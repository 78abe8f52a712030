"""Removes axes of extent 1, and adds new ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode
from ..declaration import REQUIRED, Input, Static, operator
from ..operator_inputs import ANY
from ..values import BatchValue, Context
from .sample_axes import AXES, LAYOUT, LETTERS, extents_of, picked_axes, shapes_of

__all__ = ["expand_dims", "squeeze"]


def _check(display_name: str, _inputs: Sequence[DataNode], params: Any, _device: object) -> None:
    if (params["axes"] is None) == (params["axis_names"] is None):
        raise ConfigError(f"{display_name} expects either axes= or axis_names=")


@operator(
    "squeeze",
    inputs=[Input("data", "any numbers; without the removed axes, samples have as many of them", takes="columns")],
    params=[
        Static("axes", AXES, None, "axes to remove, counted from 0", instead="give numbers, or axis_names="),
        Static("axis_names", LETTERS, None, "names of these axes in the layout, instead of `axes`"),
    ],
    check=_check,
    raises={"SourceDataError": "numbers would be removed with an axis, where the batch is handed out"},
)
def squeeze(context: Context, value: BatchValue, *, axes: Any, axis_names: str | None) -> BatchValue:
    """Removes axes with the extent 1, or any axes of samples that have no numbers with or without them; DALI's
    `fn.squeeze`.
    """
    import jax.numpy as jnp

    gone = picked_axes(context, value, axes, axis_names, negative=False)
    assert gone is not None
    extents, data = extents_of(value), value.data
    kept = [axis for axis in range(len(extents)) if axis not in gone]
    whole, left = (math.prod(extents[axis] for axis in axes) for axes in (range(len(extents)), kept))
    for axis in gone:
        said = f"fn.squeeze removes axes of extent 1, but axis {axis} has another"
        if isinstance(whole, int) and whole != left and extents[axis] != 1:
            raise GraphError(f"{said}: {extents[axis]}")
        if not isinstance(whole, int):
            context.require((whole == left) | (jnp.asarray(extents[axis]) == 1), said)
        data = data[(*[slice(None)] * (axis + 1), slice(0, 1))]
    canvas = [value.data.shape[axis + 1] for axis in kept]
    data = data.reshape(len(data), *canvas) if data.size else jnp.zeros((len(data), *canvas), data.dtype)
    layout = "".join(value.layout[axis] for axis in kept) if value.layout else ""
    shapes = shapes_of([extents[axis] for axis in kept], len(data)) if kept else None
    return BatchValue(data, shapes, layout, value.wide)


def _check_new(display_name: str, _inputs: Sequence[DataNode], params: Any, _device: object) -> None:
    names, axes = params["new_axis_names"], params["axes"]
    if names and len(names) != len(axes):
        raise ConfigError(
            f"{display_name}(new_axis_names={names!r}) does not have one letter for each of the {len(axes)} new axes"
        )
    if any(axis < 0 for axis in axes):
        raise ConfigError(f"{display_name}(axes={list(axes)}) must not be negative")


@operator(
    "expand_dims",
    inputs=[ANY],
    params=[
        Static("axes", AXES, REQUIRED, "positions of the new axes in the output"),
        Static(
            "new_axis_names",
            LAYOUT,
            "",
            "names of the new axes in the layout; if axes are added without names, the output has no layout",
        ),
    ],
    check=_check_new,
)
def expand_dims(context: Context, value: BatchValue, *, axes: Sequence[int], new_axis_names: str) -> BatchValue:
    """Adds axes with the extent 1; DALI's `fn.expand_dims`."""
    rank = value.data.ndim - 1 + len(axes)
    if any(axis >= rank for axis in axes):
        raise GraphError(f"axes={list(axes)} of fn.expand_dims: the output has {rank} dimensions, 0 to {rank - 1}")
    if new_axis_names and not value.layout and value.data.ndim > 1:
        raise GraphError("new_axis_names of fn.expand_dims needs an input with a layout")
    old = iter(zip(extents_of(value), value.data.shape[1:], value.layout or " " * rank, strict=False))
    extents, canvas, letters = [], [], []
    for axis in range(rank):
        extent, most, letter = (
            next(old) if axis not in axes else (1, 1, (new_axis_names or " " * rank)[axes.index(axis)])
        )
        extents.append(extent)
        canvas.append(most)
        letters.append(letter)
    data = value.data.reshape(len(value.data), *canvas)
    layout = "".join(letters) if new_axis_names else value.layout if not axes else ""
    return BatchValue(data, shapes_of(extents, len(data)), layout, value.wide)
