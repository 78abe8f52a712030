"""Extents that come from nodes: arrays have static shapes, so the largest of each must be known before there is data.

What is known of a node's numbers begins with draws, constants and shapes, and follows what is computed of those.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import GraphError, check_shape
from ..graph.call import DataNode
from .extents import limits_of
from .values import BatchValue, Context

__all__ = ["extents_in", "known_most", "most_of_result", "shape_in", "whole_extents"]

# Numbers of a sample of which the largest are known; more are not extents.
_MOST_NUMBERS = 16
_GROWING = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "fdiv": np.divide, "div": np.divide}


def known_most(value: BatchValue, node: DataNode) -> BatchValue:
    """A node's value, with the largest that its numbers can be, where that follows from the limits of its operator."""
    shape = value.data.shape[1:]
    if value.most is not None or value.shapes is not None or math.prod(shape) > _MOST_NUMBERS:
        return value
    limits = limits_of(node)
    if limits is None or not all(map(math.isfinite, limits)):
        return value
    return value.bounded(np.full(shape, limits[1], np.float64))


def most_of_result(kind: str, operands: Sequence[BatchValue], constants: Sequence[np.ndarray | None]) -> Any:
    """The largest that the numbers of an arithmetic result can be; None: that is not known.

    Args:
        kind: DALI's name of the operation.
        constants: the operands that are the same for all samples; None where they are nodes.
    """
    function = _GROWING.get(kind)
    if function is None or len(operands) != 2:
        return None
    most = []
    for position, (operand, constant) in enumerate(zip(operands, constants, strict=True)):
        if constant is None:
            # What is taken away, or divided by, may be nothing. (Of two factors both may be below 0; whoever takes extents
            # looks at them once more.)
            if operand.most is None or (position and kind in ("sub", "fdiv", "div")):
                return None
            most.append(operand.most)
        elif kind in ("add", "sub") or (constant > 0).all() or (kind == "mul" and (constant >= 0).all()):
            most.append(np.asarray(constant, np.float64))
        else:
            return None
    return function(*most)


def extents_in(context: Context, name: str, value: BatchValue, instead: str) -> tuple[list[Any], list[int]]:
    """Extents that a node gives as an argument: of each axis `[N]`, and the largest that they can be.

    Args:
        name: of the argument.
        instead: what to do where that is not known.

    Raises:
        GraphError: it is not known, or samples differ in how many there are.
    """
    word = f"{context.call.operator.spoken}({name}=)"
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
    context.require(fits, f"{name} of {context.call.operator.spoken} is larger than what it is computed of can be")
    return [flat[:, axis] for axis in range(flat.shape[1])], most


def shape_in(context: Context, shape: Any, instead: str) -> tuple[tuple[int, ...], Any]:
    """A shape that is given as numbers, or as the value of a node: of the array, and `int32[N, ndim]` of each sample, or
    None where all fill it. Raises as `extents_in`.
    """
    import jax.numpy as jnp

    if not isinstance(shape, BatchValue):
        return tuple(shape), None
    extents, most = extents_in(context, "shape", shape, instead)
    check_shape(f"{context.call.operator.spoken}(shape=)", most)
    return tuple(most), jnp.stack(whole_extents(context, "shape", extents), axis=1)


def whole_extents(context: Context, name: str, extents: Sequence[Any]) -> list[Any]:
    """`int32[N]` each, of integers that must not be negative.

    Raises:
        GraphError: they are not integers.
    """
    import jax.numpy as jnp

    found = []
    for extent in extents:
        if extent.dtype.kind == "f":
            raise GraphError(f"{context.call.operator.spoken}({name}=) as a node expects integers; fn.cast them")
        context.require(extent >= 0, f"{name} of {context.call.operator.spoken} has a negative extent")
        found.append(jnp.maximum(extent.astype(jnp.int32), 0))
    return found
