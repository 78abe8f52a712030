"""Reorders axes."""

from __future__ import annotations

from collections.abc import Sequence

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import Params
from ..argument_kinds import FLAG, Kind
from ..declaration import Static, operator
from ..lazy import Lazy
from ..operator_inputs import ANY
from ..values import BatchValue, Context, ImagesValue
from .sample_axes import AXES, SOME_LETTERS

__all__ = ["transpose"]

_TO_CHW = (2, 0, 1)


def _permutation(word: str, value: object) -> tuple[int, ...]:
    axes = AXES.read(word, value)
    if sorted(axes) != list(range(len(axes))):
        raise ConfigError(f"{word} must have each axis from 0 on once, got {value!r:.80}")
    return axes


def _steps(params: Params) -> Sequence[str] | None:
    plain = params["transpose_layout"] and params["output_layout"] is None
    return ("to_layout",) if params["perm"] == _TO_CHW and plain else None


@operator(
    "transpose",
    inputs=[ANY],
    params=[
        Static(
            "perm",
            Kind("int | Sequence[int]", _permutation, ((0, 1, 2), (1, 0, 2))),
            None,
            "axis i of the output is axis `perm[i]` of the input. By default the order of the axes is reversed",
        ),
        Static("transpose_layout", FLAG, True, "reorder the layout, too; False: it stays the same"),
        Static("output_layout", SOME_LETTERS, None, "layout of the output, instead of the reordered one"),
    ],
    lazy=Lazy(_steps),
)
def transpose(
    context: Context,
    value: BatchValue | ImagesValue,
    *,
    perm: tuple[int, ...] | None,
    transpose_layout: bool,
    output_layout: str | None,
) -> BatchValue | ImagesValue:
    """Reorders the axes of samples; DALI's `fn.transpose`."""
    import jax.numpy as jnp

    if isinstance(value, ImagesValue):
        return value.then(value.images.to_layout("CHW"))
    rank = value.data.ndim - 1
    order = tuple(reversed(range(rank))) if perm is None else perm
    if len(order) != rank:
        raise GraphError(f"perm={list(order)} of fn.transpose has {len(order)} axes, but samples have {rank}")
    layout = "".join(value.layout[axis] for axis in order) if transpose_layout and value.layout else value.layout
    if output_layout is not None:
        if len(output_layout) != rank:
            raise GraphError(
                f"output_layout={output_layout!r} of fn.transpose does not have one letter for each of {rank} axes"
            )
        layout = output_layout
    data = value.data.transpose(0, *(axis + 1 for axis in order))
    shapes = None if value.shapes is None else value.shapes[:, jnp.asarray(order, jnp.int32)]
    return BatchValue(data, shapes, layout, value.wide)
