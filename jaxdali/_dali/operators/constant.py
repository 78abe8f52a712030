"""Constants in a graph, which are the same for every sample."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np

from jaxdali._base.constants import Constant, promoted
from jaxdali._base.dtypes import from_numpy_type, to_numpy_type
from jaxdali.errors import ConfigError, ConfigTypeError, GraphError, GraphTypeError
from ..graph.call import DataNode, MutableParams
from ..graph.unset import Unset
from .argument_kinds import DTYPE, SHAPE, Kind
from .declaration import Param, Static, operator
from .int64_values import wide_type
from .values import BatchValue, Context

__all__ = ["constant", "constant_array", "constant_node", "output_nodes"]


def _array(word: str, value: np.ndarray) -> np.ndarray:
    if not isinstance(value, np.ndarray | np.generic) or value.dtype.kind not in "buif":
        raise ConfigError(f"{word} must be an array of numbers, got {value!r:.80}")
    from_numpy_type(value.dtype)
    return np.asarray(value)


def _layout(word: str, value: object) -> str:
    if not isinstance(value, str):
        raise ConfigTypeError(f"{word} must be text, got {value!r:.80}")
    return value


def _numbers(word: str, value: object) -> np.ndarray:
    array = np.asarray(value)
    if array.dtype.kind not in "buif" or array.ndim > 1 or not array.size:
        raise ConfigError(f"{word} must be a number, or several, got {value!r:.80}")
    if word.endswith("(idata=)") and array.dtype.kind == "f":
        raise ConfigError(f"{word} must be integers, got {value!r:.80}; fdata= takes others")
    return array


def _rounded(numbers: np.ndarray, target: np.dtype) -> np.ndarray:
    """Rounds to the nearest value of the type, halves away from zero."""
    if target.kind not in "iu":
        return numbers.astype(target)
    limits = np.iinfo(cast(Any, target))
    found = [int(math.copysign(math.floor(abs(one) + 0.5), one)) for one in numbers.tolist()]
    return np.asarray([min(max(one, int(limits.min)), int(limits.max)) for one in found], target)


def _prepare(params: MutableParams) -> MutableParams:
    """Returns the parameters with the `value` that the others describe."""
    given = {name: params.pop(name) for name in ("fdata", "idata", "shape", "dtype")}
    if params["value"] is not None:
        return params | dict.fromkeys(given)
    if (given["fdata"] is None) == (given["idata"] is None):
        raise ConfigError("fn.constant expects either fdata= or idata=")
    kind, numbers = (np.float32, given["fdata"]) if given["idata"] is None else (np.int32, given["idata"])
    target = np.dtype(kind) if given["dtype"] is None else np.dtype(to_numpy_type(given["dtype"]))
    shape = numbers.reshape(-1).shape if given["shape"] is None else given["shape"]
    if numbers.size not in (1, math.prod(shape)):
        raise ConfigError(f"fn.constant(shape={shape}) does not hold the {numbers.size} numbers that were given")
    array = _rounded(numbers.reshape(-1), target)
    value = np.full(shape, array[0]) if numbers.size == 1 else array.reshape(shape)
    if params["layout"] and len(params["layout"]) != value.ndim:
        raise ConfigError(
            f"fn.constant(layout={params['layout']!r}) does not have one letter for each of {value.ndim} axes"
        )
    return {**params, **dict.fromkeys(given), "value": value}


@operator(
    "constant",
    params=[
        Param(
            "value",
            Kind("np.ndarray", _array, (np.float32(1.5), np.zeros(2, np.int32))),
            None,
            "shape of every sample",
            hidden=True,
        ),
        Static("fdata", Kind("float | Sequence[float]", _numbers, (1.5, (0.5, 2.0))), None, "the numbers, as FLOAT"),
        Static(
            "idata", Kind("int | Sequence[int]", _numbers, (1, (2, 3))), None, "instead of `fdata`: integers, as INT32"
        ),
        Static("shape", SHAPE, None, "a shape that one number fills; by default a vector of the numbers"),
        Static("dtype", DTYPE, None, "another type; integers are rounded half away from zero and saturated"),
        Static("layout", Kind("str", _layout, ("A", "B")), "", "of the value"),
    ],
    prepare=_prepare,
    limits=lambda params, _inputs: (
        (float(params["value"].min()), float(params["value"].max())) if params["value"].size else None
    ),
)
def constant(context: Context, *, value: np.ndarray, layout: str, **_unused: None) -> BatchValue:
    """Gives the same numbers for every sample; DALI's `fn.constant`. `types.Constant` is another way to write it."""
    import jax.numpy as jnp

    made = jnp.broadcast_to(constant_array(value), (context.samples, *value.shape))
    return BatchValue(made, None, layout, wide_type(value.dtype))


def constant_node(value: Constant) -> DataNode:
    """Makes a node that gives the constant to every sample."""
    return constant(value=value.value, layout=value.layout, device=value.device)


def constant_array(value: np.ndarray) -> np.ndarray:
    """Converts to a type that JAX has: without x64, at most 32 bits.

    Raises:
        ConfigError: a number does not fit.
    """
    import jax

    target = jax.dtypes.canonicalize_dtype(value.dtype)
    narrowed = value.astype(target)
    if value.dtype.kind in "iu" and not np.array_equal(narrowed, value):
        raise ConfigError(f"the constant {value!r} does not fit {target}; set jax_enable_x64, or make it smaller")
    return narrowed


def output_nodes(outputs: Sequence[object]) -> list[DataNode]:
    """Returns the nodes of a pipeline's outputs. Lists that contain nodes are flattened; other values become constants.

    Raises:
        GraphTypeError: a value is neither.
    """
    nodes = []
    for position, value in enumerate(_flatten(outputs)):
        if isinstance(value, Unset):
            raise GraphError(f"output {position} of the pipeline: {value!r}")
        if not isinstance(value, DataNode):
            try:
                if isinstance(value, enum.Enum):
                    raise ConfigError("of an enumeration, write types.Constant(...)")
                value = constant_node(promoted(value))
            except ConfigError as error:
                raise GraphTypeError(
                    f"output {position} of the pipeline is a {type(value).__name__}, expected a DataNode or a constant: "
                    f"{error}"
                ) from error
        nodes.append(value)
    return nodes


def _flatten(values: Sequence[object]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list | tuple) and _holds_nodes(value):
            yield from _flatten(value)
        else:
            yield value


def _holds_nodes(value: object) -> bool:
    if isinstance(value, list | tuple):
        return not value or any(_holds_nodes(entry) for entry in value)
    return isinstance(value, DataNode)
