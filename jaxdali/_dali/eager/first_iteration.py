"""Records what the first iteration of debug mode wrote. Later ones must write the same, with other data."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from jaxdali._base.dtypes import from_numpy_type
from jaxdali._run.executor.device_io.canvas import padded_extent
from jaxdali.errors import StateError
from ..graph.call import Call, DataNode, map_nodes
from ..operators.declaration import Operator, declaration_of
from ..operators.image_extents import limits_of
from .eager_values import Value

__all__ = ["Written", "limits_within", "plain", "raise_of_order"]

_BATCH = object()


def raise_of_order(call: Call) -> NoReturn:
    """Raises StateError because an operator was written in place of another one, or of none."""
    raise StateError(
        f"Unexpected operator '{call.operator.name}'. Debug mode does not support changing the order of operators "
        f"executed within the pipeline: at {call.site} the first iteration called another one, or none. Let Python "
        "choose values only, and call the same operators in each iteration"
    )


@dataclasses.dataclass(frozen=True)
class Written:
    """A call as the first iteration wrote it.

    Attributes:
        call: a copy whose nodes hold no data.
        metas: the types and layouts of its operands, in order.
    """

    call: Call
    metas: Sequence[Mapping[str, object]]

    @classmethod
    def of(cls, call: Call, operands: Sequence[Value]) -> Written:
        """Records a call."""
        return cls(plain(call), [value.meta for value in operands])

    def is_again(self, call: Call) -> bool:
        """Whether a call is of the same operator, written at the same site."""
        return call.operator is self.call.operator and call.site == self.call.site

    def check(self, call: Call, operands: Sequence[Value]) -> None:
        """Raises StateError if a call differs, or has other constants, or operands of other types."""
        first, name = self.call, call.operator.name
        if not self.is_again(call):
            raise_of_order(call)
        if len(call.inputs) != len(first.inputs):
            raise StateError(
                f"Trying to use operator '{name}' with different number of inputs than when it was built. Expected: "
                f"{len(first.inputs)} inputs, got {len(call.inputs)}."
            )
        if call.source is None:
            self._check_arguments(call)
        words = [f"Input {number}" for number in range(len(call.inputs))]
        words += ["An argument"] * (len(operands) - len(words))
        for word, before, value in zip(words, self.metas, operands, strict=False):
            for what, found in value.meta.items():
                if len(value.column) and found != before[what]:
                    shown = [from_numpy_type(one) if what == "dtype" else one for one in (found, before[what])]
                    raise StateError(f"{word} for operator '{name}' has {what} = {shown[0]}, expected: {shown[1]}.")

    def _check_arguments(self, call: Call) -> None:
        operator = declaration_of(call)
        for name, value in call.params.items():
            now, then = (map_nodes(one, lambda _: _BATCH) for one in (value, self.call.params[name]))
            if (now is _BATCH) != (then is _BATCH):
                kinds = ("batch", "constant") if now is _BATCH else ("constant", "batch")
                raise StateError(
                    f"Argument {name} for operator '{operator.name}' is a {kinds[0]} but was a {kinds[1]} when created."
                )
            # A Python function is called as it is now; other functions are part of a compiled program.
            if not (callable(now) and operator.on_host is not None) and not _same(now, then):
                raise StateError(
                    f"Argument '{name}' for operator '{operator.name}' unexpectedly changed value from '{then!s:.80}' "
                    f"to '{now!s:.80}'. Give values that change as a batch: a node, a TensorList, or a list with an "
                    "array for each sample"
                )


Limits = tuple[float, float] | None
# The limit on the numbers per sample of an operand whose limits are measured: extents and the like.
_FEW = 16

# Stands in for the operands of a call that is computed by itself.
_HELD = Operator(name="held", namespace="", limits=lambda params, _inputs: params["limits"])


def plain(call: Call, limits: Sequence[Limits] | None = None) -> Call:
    """Copies a call without its data, with a separate operand in each place.

    Args:
        limits: the limits of the operands' numbers, in order; None if they do not matter.
    """
    rest = iter(limits or ())

    def stand_in(node: DataNode) -> DataNode:
        mine, known = node.call, next(rest, None)
        if mine.operator.name == "constant":  # kept: other code may ask for its number
            return DataNode(dataclasses.replace(mine, outputs=()))
        return DataNode(
            Call(operator=_HELD, params={"limits": known}, device=mine.device, name=node.name, site=mine.site)
        )

    inputs = tuple(map(stand_in, call.inputs))
    params = {name: map_nodes(value, stand_in) for name, value in call.params.items()}
    branch = tuple((stand_in(node), taken) for node, taken in call.branch)
    own = dataclasses.replace(call, params=params, inputs=inputs, branch=branch)
    own.outputs = [DataNode(own, node.index, node.numbered) for node in call.outputs]
    return own


def limits_within(call: Call, operands: Sequence[Value]) -> list[Limits]:
    """Returns the limits of a call's operands, on which its program depends: those known beforehand, else, for operands
    of a few numbers, those of the batch, rounded up as canvases are.
    """
    return [_limits(node, value) for node, value in zip(call.dependencies, operands, strict=True)]


def _limits(node: DataNode, value: Value) -> Limits:
    column = value.column
    if (
        (known := limits_of(node)) is not None
        or not len(column)
        or not column.uniform
        or column.dtype.kind not in "iuf"
    ):
        return known
    numbers = np.asarray(column.dense(), np.float64)
    if numbers[0].size > _FEW or not np.isfinite(numbers).all():
        return None
    least, largest = float(numbers.min(initial=np.inf)), float(numbers.max(initial=0))
    # Rounded, so that there are few different limits: each one needs a program of its own.
    return 1.0 if least >= 1 else min(least, 0.0), float(padded_extent(math.ceil(largest)))


def _same(one: object, other: object) -> bool:
    """Whether two constants are the same. Functions are, if they were written in the same place and hold the same
    values.
    """
    if one is other:
        return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        if not isinstance(one, np.ndarray) or not isinstance(other, np.ndarray) or one.dtype != other.dtype:
            return False
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, slice) and isinstance(other, slice):
        return all(_same(getattr(one, end), getattr(other, end)) for end in ("start", "stop", "step"))
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, float) and isinstance(other, float) and one != one and other != other:
        return True
    codes = getattr(one, "__code__", None), getattr(other, "__code__", None)
    if None not in codes:
        return codes[0] is codes[1] and _same(_held(one), _held(other))
    return type(one) is type(other) and bool(one == other)


def _held(function: Any) -> list[object]:
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    return [*cells, *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).items()]
