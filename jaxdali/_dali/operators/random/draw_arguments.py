"""The common parts of random operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, Params
from ..argument_kinds import DTYPE, SEED, SHAPE, numpy_dtype
from ..declaration import Input, Param, PerSample, Static
from ..extent_bounds import shape_in
from ..int64_values import narrow_integers, require_held, wide_type
from ..values import BatchValue, Context

__all__ = [
    "SEED_PARAM",
    "SHAPE_LIKE",
    "SHAPE_PARAM",
    "check_shape_given",
    "check_shape_like",
    "common",
    "draw",
    "numbers",
    "samples",
    "shape_of_draw",
    "single",
]

SHAPE_LIKE = Input(
    "shape_like",
    "a node whose samples have the shapes of the draws; its numbers are ignored. The draw for a sample does not "
    "depend on the shapes of other samples",
    optional=True,
    computed=False,
)


_INSTEAD = "give shape_like= a node whose samples have the shapes"
SHAPE_PARAM = PerSample(
    "shape",
    None,
    "shape of the draw for one sample; not with `shape_like`. By default a scalar",
    SHAPE,
    bounded=True,
)
SEED_PARAM = Static(
    "seed",
    SEED,
    None,
    "seed of a stream of its own: two operators with the same seed draw the same numbers. By default it follows from "
    "the pipeline's seed and the operator's position among the random operators",
)


def common(dtype: object) -> tuple[Param, ...]:
    """Returns the arguments that all of them have, with the default of `dtype`."""
    return SHAPE_PARAM, Static("dtype", DTYPE, dtype, "type of the output"), SEED_PARAM


def draw(context: Context, like: BatchValue | None, params: Params, compute: Callable[..., object]) -> BatchValue:
    """Draws numbers.

    Args:
        compute: `(keys, shape=, shapes=, dtype=) -> array`, see `jaxdali.random`.
    """
    keys = context.keys(params["seed"])
    from jaxdali._device.image.convert import round_to_dtype

    own, shapes = shape_of_draw(context, like, params["shape"])
    target = numpy_dtype(params["dtype"])
    assert target is not None
    wide = wide_type(target)
    # Numbers of 64 bits that JAX does not have are float32 draws; `compute` rounds others.
    drawn: Any = compute(keys, shape=own, shapes=shapes, dtype=target if wide is None else np.dtype(np.float32))
    if (narrow := narrow_integers(target)) is not None:
        require_held(context, drawn, narrow)
        drawn = round_to_dtype(drawn, narrow)
    return BatchValue(drawn, shapes, wide=wide)


def shape_of_draw(context: Context, like: BatchValue | None, shape: object) -> tuple[tuple[int, ...], Any]:
    """Returns the shape of the array to draw, and `int32[N, ndim]` of each sample, or None if all fill the array."""
    if like is not None:
        return like.data.shape[1:], like.shapes
    return ((), None) if shape is None else shape_in(context, shape, _INSTEAD)


def check_shape_like(display_name: str, inputs: Sequence[DataNode], params: Params, _device: object) -> None:
    """Raises ConfigError if a draw's shape is given twice."""
    check_shape_given(display_name, bool(inputs), params)


def check_shape_given(display_name: str, like: bool, params: Params) -> None:
    """Raises ConfigError if a draw's shape is given both by an input and by an argument."""
    if like and params["shape"] is not None:
        raise ConfigError(
            f'{display_name}: Providing argument "shape" is incompatible with providing a shape-like input; leave one out'
        )


def numbers(context: Context, name: str, value: Any) -> Any:
    """Returns an argument that came from a node; raises GraphError unless it has numbers."""
    if value.dtype.kind not in "buif":
        raise GraphError(f"{name} of {context.call.operator.display_name} expects numbers, got {value.dtype}")
    return value


def single(context: Context, name: str, value: Any) -> Any:
    """Returns an argument of one number per sample; raises GraphError if it has more."""
    if np.ndim(value) > 1:
        raise GraphError(
            f"{name} of {context.call.operator.display_name} expects one number per sample, got {samples(value)}"
        )
    return value


def row_of_each(value: BatchValue) -> tuple[Array, Array]:
    """Returns the numbers of a node's samples, which may differ in length, as `[N, K]`; and how many each has, K or
    `int32[N]`.
    """
    data = value.data.reshape(len(value.data), -1)
    return data, data.shape[1] if value.shapes is None else value.shapes.prod(axis=1)


def samples(value: Any) -> str:
    return f"samples of shape {value.shape[1:]}"
