"""`and`, `or` and `not` of nodes."""

from __future__ import annotations

from ..argument_kinds import choice
from ..declaration import REQUIRED, Input, Static, operator
from ..values import BatchValue, Context
from .scalars import check_scalar

__all__ = ["logical"]


@operator(
    "logical",
    namespace="",
    display="the logical expression",
    inputs=[
        Input("left", "BOOL; of `not` any number", takes="truth"),
        Input("right", "BOOL; not given for `not`", takes="truth", optional=True),
    ],
    params=[Static("word", choice("and", "or", "not"), REQUIRED, "which one")],
)
def logical(context: Context, left: BatchValue, right: BatchValue | None = None, *, word: str) -> BatchValue:
    """Combines one or two BOOL values."""
    from jaxdali.errors import GraphError

    values = [left] if right is None else [left, right]
    if len(values) != (1 if word == "not" else 2):
        raise GraphError(f"`{word}` of {len(values)} value(s)")
    wanted, kinds = ("a number", "buif") if word == "not" else ("one BOOL", "b")
    for value in values:
        check_scalar(value, f"what `{word}` at {context.call.site} takes", wanted, kinds)
    found = [value.data.reshape(context.samples) != 0 for value in values]
    if word == "not":
        return BatchValue(~found[0])
    return BatchValue(found[0] & found[1] if word == "and" else found[0] | found[1])
