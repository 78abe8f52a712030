"""Selects one of two values for each sample: the merged result of the branches of an `if`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jaxdali.errors import ConfigTypeError, GraphError
from ..argument_kinds import Kind
from ..declaration import Input, Param, operator
from ..values import BatchValue, Context
from .scalars import check_scalar

__all__ = ["TEXT", "select"]


def _text(word: str, value: object) -> str:
    if not isinstance(value, str):
        raise ConfigTypeError(f"{word} must be text, got {value!r:.80}")
    return value


TEXT = Kind("str", _text, ("`x`", "`y`"))


@operator(
    "select",
    namespace="",
    display="the branches",
    inputs=[
        Input("condition", "one number per sample", takes="truth"),
        Input("then", "values for samples where it is not 0"),
        Input("otherwise", "values for the other samples, of the same type and number of axes"),
    ],
    params=[Param("what", TEXT, "the value", "name of what is selected, for errors", hint=True)],
    joins=(1, 2),
)
def select(context: Context, condition: BatchValue, then: BatchValue, otherwise: BatchValue) -> BatchValue:
    """Selects one of two values for each sample. They may differ in extents."""
    import jax.numpy as jnp

    what = context.call.hints.get("what", "the value")
    where = f"`if` at {context.call.site}"
    check_scalar(condition, f"the condition of the {where}", "a number")
    for value in (then, otherwise):
        if not isinstance(value, BatchValue):
            raise GraphError(f"{what} holds files in the branches of the {where}; decode them there, or before it")
    dtypes = [np.dtype(value.wide or value.data.dtype) for value in (then, otherwise)]
    ranks = [value.data.ndim - 1 for value in (then, otherwise)]
    layouts = [value.layout for value in (then, otherwise)]
    for name, (one, other), advice in (
        ("types", dtypes, "; fn.cast makes them one"),
        ("numbers of axes", ranks, ""),
        ("layouts", layouts if all(layouts) else ["", ""], ""),
    ):
        if one != other:
            raise GraphError(f"the branches of the {where} give {what} different {name}: {one} and {other}{advice}")
    canvas = [max(pair) for pair in zip(then.data.shape[1:], otherwise.data.shape[1:], strict=True)]
    taken = condition.data.reshape(context.samples) != 0
    column = taken.reshape(-1, *[1] * ranks[0])
    data = jnp.where(column, _framed(then.data, canvas), _framed(otherwise.data, canvas))
    shapes = None
    if then.shapes is not None or otherwise.shapes is not None or then.data.shape[1:] != otherwise.data.shape[1:]:
        shapes = jnp.where(taken[:, None], _shapes(then, context), _shapes(otherwise, context))
    return BatchValue(data, shapes, max(layouts, key=len), then.wide)


def _framed(data: Any, canvas: list[int]) -> Any:
    import jax.numpy as jnp

    missing = [(0, most - extent) for most, extent in zip(canvas, data.shape[1:], strict=True)]
    return jnp.pad(data, [(0, 0), *missing]) if any(more for _, more in missing) else data


def _shapes(value: BatchValue, context: Context) -> Any:
    import jax.numpy as jnp

    shapes = jnp.asarray([value.data.shape[1:]], jnp.int32) if value.shapes is None else value.shapes
    return jnp.broadcast_to(shapes, (context.samples, shapes.shape[1]))
