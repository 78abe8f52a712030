"""Requires that a number of each sample is one of a few."""

from __future__ import annotations

import functools

from jaxdali.errors import ConfigError
from ..argument_kinds import Kind
from ..declaration import Input, Param, operator
from ..values import BatchValue, Context
from .scalars import check_scalar
from .select import TEXT

__all__ = ["one_of"]


def _numbers(word: str, value: object) -> tuple[int, ...]:
    if not isinstance(value, tuple | list) or not value or not all(type(one) is int for one in value):
        raise ConfigError(f"{word} must be integers, got {value!r:.80}")
    return tuple(value)


@operator(
    "one_of",
    namespace="",
    display="a choice",
    inputs=[Input("number", "an integer per sample", takes="count")],
    params=[
        Param("numbers", Kind("Sequence[int]", _numbers, ((0, 1), (0, 2))), (0, 1), "the accepted numbers"),
        Param("what", TEXT, "the value", "name of the number, for errors", hint=True),
    ],
)
def one_of(context: Context, number: BatchValue, *, numbers: tuple[int, ...]) -> BatchValue:
    """Returns the numbers, and requires that each is one of the accepted ones."""
    what = context.call.hints.get("what", "the value")
    flat = BatchValue(number.data.reshape(context.samples)) if number.data.size == context.samples else number
    check_scalar(flat, f"{what} as a node", "an integer", kinds="iu")
    holds = functools.reduce(lambda left, right: left | right, [flat.data == one for one in numbers])
    context.require(holds, f"{what} as a node expects one of {', '.join(map(str, numbers))}, and this is another")
    return flat
