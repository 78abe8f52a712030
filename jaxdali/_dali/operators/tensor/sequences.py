"""Reorders the frames of sequences, and marks arguments as per frame."""

from __future__ import annotations

from typing import Any

from jaxdali.errors import ConfigError, GraphError
from ..argument_kinds import FLAG, Kind
from ..declaration import REQUIRED, Input, PerSample, Static, operator
from ..operator_inputs import ANY
from ..values import BatchValue, Context
from .sample_axes import INTEGERS, extents_of, shapes_of

__all__ = ["per_frame", "sequence_rearrange"]


def _order(word: str, value: object) -> tuple[int, ...]:
    order = INTEGERS.read(word, value)
    if not order or min(order) < 0:
        raise ConfigError(f"{word} must be one index of a frame or several, from 0 on, got {value!r:.80}")
    return order


@operator(
    "sequence_rearrange",
    inputs=[Input("input", 'sequences; their layout, if they have one, begins with "F"', takes="sequences")],
    params=[
        PerSample(
            "new_order",
            REQUIRED,
            "for each returned frame its index in the sequence; an index may occur more than once, and others not at "
            "all. The samples of a node may differ in length",
            Kind("int | Sequence[int]", _order, ((1, 0), (0, 1, 1))),
            ragged=True,
        )
    ],
    raises={"SourceDataError": "a sequence has no such frame, or none would be left, where the batch is handed out"},
)
def sequence_rearrange(context: Context, value: BatchValue, *, new_order: Any) -> BatchValue:
    """Rearranges the frames of each sequence; DALI's operator."""
    import jax.numpy as jnp

    from jaxdali._device.numeric.ragged import outside_filled

    if value.data.ndim < 2 or (value.layout and value.layout[0] != "F"):
        raise GraphError(
            f'fn.sequence_rearrange expects sequences, whose layout begins with "F", got samples of {value.data.ndim - 1} '
            f"dimensions with the layout {value.layout!r}"
        )
    count, extents = len(value.data), extents_of(value)
    kept: Any
    if isinstance(new_order, BatchValue):
        if new_order.data.ndim > 2 or new_order.data.dtype.kind not in "iuf":
            raise GraphError(
                f"new_order of fn.sequence_rearrange is a list of indices, got {new_order.data.dtype} of "
                f"{new_order.data.shape[1:]}"
            )
        order = new_order.data.reshape(count, -1).astype(jnp.int32)
        kept = order.shape[1] if new_order.shapes is None else new_order.shapes[:, 0]
    else:
        order, kept = jnp.broadcast_to(jnp.asarray(new_order, jnp.int32), (count, len(new_order))), len(new_order)
    used = jnp.arange(order.shape[1]) < jnp.reshape(jnp.asarray(kept), (-1, 1))
    frames = jnp.reshape(jnp.asarray(extents[0]), (-1, 1))
    context.require(((order >= 0) & (order < frames) | ~used).all(axis=1), "fn.sequence_rearrange has no such frame")
    context.require(jnp.broadcast_to(jnp.asarray(kept) > 0, (count,)), "fn.sequence_rearrange leaves no frame")
    place = jnp.clip(order, 0, max(value.data.shape[1] - 1, 0)).reshape(*order.shape, *[1] * (value.data.ndim - 2))
    found = jnp.take_along_axis(value.data, place, axis=1)
    shapes = shapes_of([kept, *extents[1:]], count)
    return BatchValue(outside_filled(found, shapes), shapes, value.layout, value.wide)


@operator(
    "per_frame",
    inputs=[ANY],
    params=[
        Static(
            "replace",
            FLAG,
            False,
            'replace the first letter of the layout with "F"; by default a layout that begins with another letter is '
            "an error",
        )
    ],
    keeps_extents=True,
)
def per_frame(context: Context, value: BatchValue, *, replace: bool) -> BatchValue:
    """Marks the first axis of samples as frames; DALI's operator.

    Used as an argument of an operator on sequences, such as `sigma=fn.per_frame(sigma)` of `fn.gaussian_blur`, it gives
    each frame its own value. Samples without a layout get one: "F", followed by "*" for the other axes.
    """
    axes = value.data.ndim - 1
    if not axes:
        raise GraphError("fn.per_frame expects samples of one dimension at least, got scalars")
    if value.layout and value.layout[0] != "F" and not replace:
        raise GraphError(
            f'fn.per_frame expects a layout that begins with "F", got {value.layout!r}; with replace=True its first letter '
            "is replaced"
        )
    layout = "F" + (value.layout[1:] if value.layout else "*" * (axes - 1))
    return BatchValue(value.data, value.shapes, layout, value.wide)
