"""Extracts elements of sequences."""

from __future__ import annotations

from typing import Any

from jaxdali.errors import ConfigError, GraphError
from ...graph.call import Params
from ..argument_kinds import Kind
from ..declaration import REQUIRED, Input, Static, operator
from ..values import BatchValue, Context
from .axis_selection import At
from .sample_axes import INTEGERS
from .subscripting import take

__all__ = ["element_extract"]


def _elements(word: str, value: object) -> tuple[int, ...]:
    elements = INTEGERS.read(word, value)
    if not elements or min(elements) < 0:
        raise ConfigError(f"{word} must be one index or several, from 0 on, got {value!r:.80}")
    return elements


def _count(params: Params) -> int | None:
    count = len(params["element_map"])
    return None if count == 1 else count


@operator(
    "element_extract",
    inputs=[Input("input", 'sequences; their layout, if they have one, begins with "F"', takes="sequences")],
    params=[
        Static(
            "element_map",
            Kind("int | Sequence[int]", _elements, (1, (0, 1))),
            REQUIRED,
            "indices of the elements along the first axis, counted from 0",
        )
    ],
    outputs=_count,
    returns="A node for each element, in a list; of one element the node.",
    raises={"SourceDataError": "a sequence is too short, where the batch is handed out"},
)
def element_extract(context: Context, value: BatchValue, *, element_map: Any) -> tuple[BatchValue, ...]:
    """Extracts elements of sequences, each as a separate output; DALI's `fn.element_extract`."""
    if value.layout and value.layout[0] != "F":
        raise GraphError(f'fn.element_extract expects sequences, whose layout begins with "F", got {value.layout!r}')
    return tuple(take(context, value, [At(element)], "fn.element_extract") for element in element_map)
