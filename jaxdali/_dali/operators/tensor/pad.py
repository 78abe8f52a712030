"""Pads arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode
from ..argument_kinds import Kind
from ..branch_batch import BranchBatch
from ..c_conversion import stored
from ..declaration import PerSample, Static, operator
from ..extent_bounds import extents_in
from ..image_extents import limits_of
from ..operator_inputs import ANY
from ..values import BatchValue, Context
from .sample_axes import AXES, INTEGERS, LETTERS, axes_of_samples, extents_of, numbers_of_axes, picked_axes, shapes_of

__all__ = ["pad"]


def _align(word: str, value: object) -> tuple[int, ...]:
    found = INTEGERS.read(word, value)
    if found and min(found) < 1:
        raise ConfigError(f"{word} must be above 0, one for all axes or one for each, got {value!r:.80}")
    return found


def _check(display_name: str, _inputs: Sequence[DataNode], params: Any, _device: object) -> None:
    if params["axes"] is not None and params["axis_names"] is not None:
        raise ConfigError(f"{display_name} got both axes= and axis_names=; give one of them")


@operator(
    "pad",
    inputs=[ANY],
    params=[
        PerSample(
            "axes",
            None,
            "axes to pad; negative numbers count from the last axis. By default, or if there are none, all axes",
            AXES,
            ragged=True,
        ),
        Static("axis_names", LETTERS, None, "names of these axes in the layout, instead of `axes`"),
        PerSample(
            "shape",
            None,
            "smallest extents, one for each of the axes, or one for all; a negative number, or not given: the largest"
            " extent in the batch",
            Kind("int | Sequence[int]", INTEGERS.read, (9, (9, 10, -1))),
            bounded=True,
        ),
        PerSample(
            "align",
            None,
            "round extents up to multiples of this number, one for each of the axes, or one for all",
            Kind("int | Sequence[int]", _align, (4, (4, 1, 2))),
            bounded=True,
        ),
        PerSample(
            "fill_value", 0.0, "value of the padding. For integer types, its fraction is cut off and it wraps around"
        ),
    ],
    check=_check,
    of_batch=True,
)
def pad(
    context: Context,
    value: BatchValue,
    *,
    axes: Any,
    axis_names: str | None,
    shape: Any,
    align: object,
    fill_value: Any,
) -> BatchValue:
    """Pads samples at the end of their axes; DALI's `fn.pad`.

    Without `shape`, all samples are padded to the largest extent in the batch along each of the axes; in a branch, to
    that of the samples which take it.
    """
    import jax.numpy as jnp

    from jaxdali._device.numeric.array_windows import pad as compute

    extents, canvas, batch = extents_of(value), list(value.data.shape[1:]), BranchBatch.of(context)
    rows = picked = counts = None
    if isinstance(axes, BatchValue):
        rows, counts = axes_of_samples(context, value, axes)
    else:
        picked = picked_axes(context, value, axes, axis_names)
    # As in DALI, no axes means all of them.
    picked = picked or tuple(range(value.data.ndim - 1))
    count = len(picked) if rows is None else rows.shape[1]
    wanted = _given(context, "shape", shape, -1, count, counts)
    steps = _given(context, "align", align, 1, count, counts)
    for place, axis in enumerate(picked):
        if rows is None:
            extents[axis], canvas[axis] = _padded(extents[axis], canvas[axis], wanted[place], steps[place], batch)
            continue
        before, most = extents[axis], canvas[axis]
        for index in range(count):
            extent, above = _padded(before, most, wanted[index], steps[index], batch)
            extents[axis] = jnp.where(rows[:, index] == axis, extent, extents[axis])
            canvas[axis] = max(canvas[axis], above)
    if getattr(fill_value, "ndim", 0) > 1:
        raise GraphError(
            f"fill_value of fn.pad expects one number per sample, got samples of shape {fill_value.shape[1:]}"
        )
    shapes = shapes_of(extents, len(value.data))
    fill = stored(fill_value, value.data.dtype)
    return BatchValue(compute(value.data, value.shapes, shapes, canvas, fill), shapes, value.layout, value.wide)


def _padded(
    extent: Any, most: int, wanted: tuple[Array, int], aligned: tuple[Array, int], batch: BranchBatch
) -> tuple[Any, int]:
    """Returns the padded extent of an axis, and its limit; `wanted` and `aligned` have limits, too."""
    import jax.numpy as jnp

    (least, least_most), (step, step_most) = wanted, aligned
    if not isinstance(least, int):
        largest = extent if isinstance(extent, int) else batch.largest(extent)
        extent, most = jnp.maximum(extent, jnp.where(least < 0, largest, least)), max(most, least_most)
    elif least >= most:
        extent = most = least
    elif not isinstance(extent, int):
        extent = jnp.maximum(extent, least)
        if least < 0:
            extent = jnp.broadcast_to(batch.largest(extent), extent.shape)
    # Aligning to a node's number, of which only the limit is known, adds at most that limit - 1.
    above = -(-most // step) * step if isinstance(step, int) else most + step_most - 1
    return -(-extent // step) * step, above


def _given(
    context: Context, name: str, given: Any, default: int, count: int, counts: int | Array | None
) -> list[tuple[Any, int]]:
    """Returns a number or `int32[N]` for each of `count` axes, with its upper limit.

    Args:
        counts: how many axes each sample has; None: `count`.
    """
    import jax.numpy as jnp

    if given is None or (len(given) if isinstance(given, tuple) else math.prod(given.data.shape[1:])) == 0:
        given = (default,)
    found = numbers_of_axes(context, name, given, count if counts is None else counts, count)
    if not isinstance(given, BatchValue):
        return _each([(number, number) for number in found], count)
    columns, most = extents_in(context, name, _limited(context.call.params[name], given, found), "give numbers")
    if name == "align":
        context.require((found > 0).all(axis=1), "align of fn.pad must be above 0")
        columns = [jnp.maximum(column, 1) for column in columns]
    if any(column.dtype.kind == "f" for column in columns):
        raise GraphError(f"fn.pad({name}=) as a node expects integers; fn.cast them")
    return _each([(column.astype(jnp.int32), max(one, 1)) for column, one in zip(columns, most, strict=True)], count)


def _limited(node: DataNode, given: BatchValue, numbers: Array) -> BatchValue:
    """Returns the numbers for axes, `[N, axes]`, that were made of those of a node, with upper limits if these are known."""
    most = given.most
    if most is None and given.shapes is not None and (limits := limits_of(node)) is not None:
        most = np.full(1, limits[1])
    if most is not None:
        most = np.ravel(most) if most.size == numbers.shape[1] else np.full(numbers.shape[1], most.max())
    return BatchValue(numbers).bounded(most)


def _each(numbers: list[tuple[Any, int]], count: int) -> list[tuple[Any, int]]:
    return numbers * count if len(numbers) == 1 else numbers
