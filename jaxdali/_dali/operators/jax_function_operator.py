"""JAX functions in a graph, traced into the pipeline's own program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jaxdali._base.interruptions import is_interruption
from jaxdali._feed.ring.originals import as_source_error
from jaxdali.errors import ConfigError, ConfigTypeError, GraphError
from ..graph.call import Call, MutableParams, Params
from .argument_kinds import OUTPUT_LAYOUTS, Kind, integer
from .declaration import REQUIRED, Input, Operator, Static
from .values import BatchValue, Context

__all__ = ["JAX_FUNCTION"]

_MOST_INPUTS = 64


def _function(word: str, value: object) -> Callable[..., object]:
    if not callable(value):
        raise ConfigTypeError(f"{word} must be a function of jax.Arrays, got {value!r:.80}")
    return value


def _prepare(params: MutableParams) -> MutableParams:
    layouts, count = params["output_layouts"], params["num_outputs"]
    if isinstance(layouts, tuple) and len(layouts) != count:
        raise ConfigError(f"jax_function(output_layouts=) has {len(layouts)} layouts, but there are {count} outputs")
    return params


class _JaxFunction(Operator):
    def unsaved(self, _call: Call) -> str | None:
        return "it is a function of Python's"


def _compute(
    context: Context, *values: Any, function: Callable[..., Any], num_outputs: int, output_layouts: Any
) -> tuple[BatchValue, ...]:
    for value in values:
        if not isinstance(value, BatchValue):
            raise GraphError("a jax_function takes arrays, but this input is encoded files; decode them first")
        if value.shapes is not None:
            raise GraphError(
                "a jax_function takes batches whose samples have one shape that is known beforehand, but this node's "
                "may differ; resize or pad them first"
            )
    where = f"the function of {context.call.description}"
    try:
        made = function(*(value.data for value in values))
    except Exception as error:
        if isinstance(error, RuntimeError) or is_interruption(error):
            error.add_note(f"in {where}")
            raise
        raised = as_source_error(error, f"{type(error).__name__}: {error}, in {where}")
        raise raised.with_traceback(error.__traceback__) from error
    several: Sequence[object] = (made,) if num_outputs == 1 and not isinstance(made, tuple | list) else made
    if not isinstance(several, tuple | list) or len(several) != num_outputs:
        got = f"{len(several)} values" if isinstance(several, tuple | list) else type(several).__name__
        raise GraphError(f"a jax_function with num_outputs={num_outputs} returned {got}")
    found = []
    for index, array in enumerate(several):
        shape = getattr(array, "shape", None)
        if not shape or shape[0] != context.samples:
            raise GraphError(
                f"output {index} of a jax_function must be an array with a row for each of {context.samples} samples, got "
                f"{f'the shape {shape}' if shape is not None else type(array).__name__}"
            )
        found.append(BatchValue(array, None, _layout_of(index, array, output_layouts, values)))
    return tuple(found)


def _layout_of(index: int, array: Any, layouts: Any, values: Sequence[BatchValue]) -> str:
    """Returns the declared layout, or else that of the input at the same position if it has as many axes."""
    if layouts is not None:
        layout = layouts if isinstance(layouts, str) else layouts[index]
        if layout and len(layout) != array.ndim - 1:
            raise GraphError(f"output_layouts of a jax_function has {layout!r} for samples of {array.ndim - 1} axes")
        return layout
    same = index < len(values) and values[index].data.ndim == array.ndim
    return values[index].layout if same else ""


def _count(params: Params) -> int | None:
    return None if params["num_outputs"] == 1 else params["num_outputs"]


# Not in the table of operators: its function exists only in the process that defined it.
JAX_FUNCTION = _JaxFunction(
    name="jax_function",
    namespace="plugin.jax.fn",
    inputs=[Input(f"data{number}", "any numbers", optional=True) for number in range(_MOST_INPUTS)],
    params=[
        Static("function", Kind("Callable[..., Any]", _function), REQUIRED, "a function of `jax.Array`s"),
        Static("num_outputs", integer(1), 1, "number of arrays that the function returns"),
        Static("output_layouts", OUTPUT_LAYOUTS, None, "layouts of the outputs"),
    ],
    outputs=_count,
    prepare=_prepare,
    compute=_compute,
)
