"""Extents that come from nodes: arrays have static shapes, so their largest values must be known before there is data.

Limits of a node's numbers are known for draws, constants and shapes, and for what is computed from those.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jaxdali.errors import GraphError, check_shape
from ..graph.call import DataNode, Params, nodes_in
from .image_extents import constant_value, limits_of
from .values import BatchValue, Context

__all__ = ["extents_in", "known_beforehand", "known_most", "most_of_result", "shape_in", "whole_extents"]

# The limit on the numbers of a sample for which the largest values are tracked; more are not extents.
_MOST_NUMBERS = 16
# Operators that pass on the largest numbers of their inputs, and whether they do with some parameters.
_PASSING: dict[str, Callable[[Params], bool]] = {
    "cast": lambda _params: True,
    "cat": lambda _params: True,
    "stack": lambda _params: True,
    "slice": lambda params: params["dtype"] is None and params["out_of_bounds_policy"] not in ("pad", "constant"),
    "subscript": lambda params: not any(True for _ in nodes_in(params["key"])),
}
_GROWING = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "fdiv": np.divide, "div": np.divide}


def known_most(value: BatchValue, node: DataNode) -> BatchValue:
    """Returns a node's value with upper limits of its numbers, if the limits of its operator are known."""
    shape = value.data.shape[1:]
    if value.most is not None or value.shapes is not None or math.prod(shape) > _MOST_NUMBERS:
        return value
    limits = limits_of(node)
    if limits is None or not all(map(math.isfinite, limits)):
        return value
    if node.measured is not None and len(node.measured.places) == math.prod(shape):
        return value.bounded(np.asarray(node.measured.places).reshape(shape))
    constant = constant_value(node)
    if constant is not None:  # each number has its own: one below 0 stands for an inferred extent
        return value.bounded(constant.astype(np.float64))
    return value.bounded(np.full(shape, limits[1], np.float64))


def known_beforehand(node: DataNode) -> bool:
    """Whether the largest of a node's numbers are known without a look at data. False if that is not certain."""
    if node.measured is not None:
        return False
    limits, operator, params = limits_of(node), node.call.operator, node.call.params
    if operator.name == "shape" or (limits is not None and all(map(math.isfinite, limits))):
        return True
    if operator.name in _PASSING:
        passes = _PASSING[operator.name](params)
        inputs = node.call.inputs if operator.name in ("cat", "stack") else node.call.inputs[:1]
        return passes and all(map(known_beforehand, inputs))
    kind = operator.name.removeprefix("math.")
    if kind not in _GROWING:
        return False
    rest = iter(node.call.inputs)
    for position, constant in enumerate(params["constants"]):
        if constant is None:
            if not known_beforehand(next(rest)) or (position and kind in ("sub", "fdiv", "div")):
                return False
        elif not _keeps_order(kind, constant):
            return False
    return True


def _keeps_order(kind: str, constant: np.ndarray) -> bool:
    """Whether the largest result comes from the largest number of the other operand."""
    return bool(kind in ("add", "sub") or (constant > 0).all() or (kind == "mul" and (constant >= 0).all()))


def most_of_result(kind: str, operands: Sequence[BatchValue], constants: Sequence[np.ndarray | None]) -> Any:
    """Returns upper limits for the numbers of an arithmetic result; None if they are not known.

    Args:
        kind: DALI's name of the operation.
        constants: the operands that are the same for all samples; None for those that are nodes.
    """
    function = _GROWING.get(kind)
    if function is None or len(operands) != 2:
        return None
    most = []
    for position, (operand, constant) in enumerate(zip(operands, constants, strict=True)):
        if constant is None:
            # A subtrahend or divisor may be tiny. (Both factors of a product may be negative; code that takes extents
            # checks them once more.)
            if operand.most is None or (position and kind in ("sub", "fdiv", "div")):
                return None
            most.append(operand.most)
        elif _keeps_order(kind, constant):
            most.append(np.asarray(constant, np.float64))
        else:
            return None
    return function(*most)


def extents_in(context: Context, name: str, value: BatchValue, instead: str) -> tuple[list[Any], list[int]]:
    """Returns extents that a node gives as an argument: `[N]` for each axis, and their upper limits.

    Args:
        name: that of the argument.
        instead: what the user can do if the limits are not known.

    Raises:
        GraphError: the limits are not known, or samples differ in the number of extents.
    """
    word = f"{context.call.operator.display_name}({name}=)"
    if value.shapes is not None or value.data.dtype.kind not in "iuf":
        raise GraphError(f"{word} as a node expects the same number of extents for every sample")
    if value.most is None:
        raise GraphError(
            f"{word} as a node expects numbers whose largest is known before there is data, since arrays have static "
            "shapes: of fn.random.uniform(range=), of node.shape(), constants, or what `+`, `*`, subscripts, fn.slice, "
            f"fn.cast, fn.stack and fn.cat make of those. Else {instead}"
        )
    flat = value.data.reshape(len(value.data), -1)
    most = [max(math.floor(one + 0.5), 0) for one in np.ravel(value.most).tolist()]
    # Integers may have wrapped around.
    fits = (flat <= np.asarray(most, np.float32) + np.float32(0.5)).all(axis=1)
    context.require(
        fits,
        f"{name} of {context.call.operator.display_name} exceeds the bound that follows from what it is computed from",
    )
    return [flat[:, axis] for axis in range(flat.shape[1])], most


def shape_in(context: Context, shape: Any, instead: str) -> tuple[tuple[int, ...], Any]:
    """Returns a shape that is given as numbers or as a node's value: the shape of the array, and `int32[N, ndim]` of
    each sample, or None if all fill the array. Raises as `extents_in`.
    """
    import jax.numpy as jnp

    if not isinstance(shape, BatchValue):
        return tuple(shape), None
    extents, most = extents_in(context, "shape", shape, instead)
    check_shape(f"{context.call.operator.display_name}(shape=)", most)
    return tuple(most), jnp.stack(whole_extents(context, "shape", extents), axis=1)


def whole_extents(context: Context, name: str, extents: Sequence[Any]) -> list[Any]:
    """Returns `int32[N]` for each extent; requires that it is not negative.

    Raises:
        GraphError: they are not integers.
    """
    import jax.numpy as jnp

    found = []
    for extent in extents:
        if extent.dtype.kind == "f":
            raise GraphError(f"{context.call.operator.display_name}({name}=) as a node expects integers; fn.cast them")
        context.require(extent >= 0, f"{name} of {context.call.operator.display_name} has a negative extent")
        found.append(jnp.maximum(extent.astype(jnp.int32), 0))
    return found
