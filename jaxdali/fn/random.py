"""Random numbers, one a sample: functions of (seed, operator, epoch, index of the sample in its epoch)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import types
from ..errors import ConfigError, GraphError, check_shape
from ..missing import explain_missing
from ..pipeline.node import DataNode, Operator
from ..pipeline.recording import recorded
from ..pipeline.trace import add_operator
from ..pipeline.value import BatchValue
from .arguments import check_numbers, check_seed, check_unsupported, numpy_dtype

__all__ = ["coin_flip", "normal", "uniform"]

_COMMON = ("shape", "dtype", "seed", "device", "name")


@recorded("fn.random.uniform")
def uniform(
    shape_like: DataNode | None = None,
    *,
    range: Sequence[float] | DataNode | None = None,
    values: Sequence[float] | DataNode | None = None,
    shape: int | Sequence[int] | None = None,
    dtype: types.DALIDataType = types.FLOAT,
    seed: int | None = None,
    device: str | None = None,
    name: str | None = None,
    **dali: Any,
) -> DataNode:
    """Draws from [low, high), or one of `values`; DALI's `fn.random.uniform`.

    Args:
        shape_like: every sample's draw has the shape of this node's sample; its numbers do not count. What is drawn for a
            sample is the same whatever the other samples' shapes are.
        range: (low, high), numbers; or a node with two numbers a sample, low < high. Not given: (-1, 1).
        values: in place of a range: numbers, or a node with as many for every sample.
        shape: of one sample's draw, known when the pipeline is defined; not with `shape_like`. A scalar by default.
        dtype: integers are the float32 draw rounded.
        seed: a stream of its own: two operators with the same seed draw the same numbers. Not given: the pipeline's
            seed, and the operator's number among the random ones.

    Raises:
        ConfigError: an empty range ("Invalid range"), both range and values, or both `shape_like` and `shape`. An empty
            range of a node's sample is a SourceDataError, where the batch is handed out.
    """
    check_unsupported("random.uniform", dali, {}, ("range", "values", *_COMMON))
    if range is not None and values is not None:
        raise ConfigError("fn.random.uniform got both range= and values=; give one of them")
    bounds = range if isinstance(range, DataNode) else _bounds((-1.0, 1.0) if range is None else range)
    arguments = {name: node for name, node in (("range", range), ("values", values)) if isinstance(node, DataNode)}

    def draw(context: Any, keys: Any, given: dict[str, Any], **shape: Any) -> Any:
        from ..random import uniform as compute

        if "range" in given:
            ranges = _numbers(operator, "range", given["range"])
            if ranges.shape[1:] != (2,):
                raise GraphError(f"range of fn.random.uniform wants two numbers a sample, got {_samples(ranges)}")
            context.require(
                ranges[:, 0] < ranges[:, 1], f"Invalid range of fn.random.uniform at {operator.site}: low < high"
            )
            return compute(keys, ranges, **shape)
        if "values" in given:
            choices = _numbers(operator, "values", given["values"])
            return compute(keys, values=choices.reshape(len(choices), -1), **shape)
        chosen: dict[str, Any] = {"values": values} if values is not None else {"range": bounds}
        return compute(keys, **chosen, **shape)

    operator = _drawn("uniform", draw, shape_like, shape, arguments, dtype, seed, device, name)
    return operator.node()


@recorded("fn.random.normal")
def normal(
    shape_like: DataNode | None = None,
    *,
    mean: float | DataNode = 0.0,
    stddev: float | DataNode = 1.0,
    shape: int | Sequence[int] | None = None,
    dtype: types.DALIDataType = types.FLOAT,
    seed: int | None = None,
    device: str | None = None,
    name: str | None = None,
    **dali: Any,
) -> DataNode:
    """Draws from a normal distribution; DALI's `fn.random.normal`.

    Args:
        mean, stddev: numbers, or nodes with one a sample.
        shape_like, shape, dtype, seed: as in `uniform`. Integers of `dtype` end where they end: 300 is 255 in UINT8.

    Raises:
        ConfigError: as `uniform`.
    """
    check_unsupported("random.normal", dali, {}, ("mean", "stddev", *_COMMON))
    arguments = {"mean": mean, "stddev": stddev}
    check_numbers("random.normal", arguments)

    def draw(_context: Any, keys: Any, given: dict[str, Any], **shape: Any) -> Any:
        from ..random import normal as compute

        return compute(keys, *(_single(operator, name, given[name]) for name in ("mean", "stddev")), **shape)

    operator = _drawn("normal", draw, shape_like, shape, arguments, dtype, seed, device, name)
    return operator.node()


@recorded("fn.random.coin_flip")
def coin_flip(
    shape_like: DataNode | None = None,
    *,
    probability: float | DataNode = 0.5,
    shape: int | Sequence[int] | None = None,
    dtype: types.DALIDataType = types.INT32,
    seed: int | None = None,
    device: str | None = None,
    name: str | None = None,
    **dali: Any,
) -> DataNode:
    """Draws 1 with the given probability, else 0; DALI's `fn.random.coin_flip`.

    Args:
        probability: of 1; a number, or a node with one a sample. A node's may be below 0, which gives 0, or above 1, which
            gives 1.
        shape_like, shape, dtype, seed: as in `uniform`.

    Raises:
        ConfigError: as `uniform`.
    """
    check_unsupported("random.coin_flip", dali, {}, ("probability", *_COMMON))
    arguments = {"probability": probability}
    check_numbers("random.coin_flip", arguments)

    def draw(_context: Any, keys: Any, given: dict[str, Any], **shape: Any) -> Any:
        from ..random import coin_flip as compute

        return compute(keys, _single(operator, "probability", given["probability"]), **shape)

    operator = _drawn("coin_flip", draw, shape_like, shape, arguments, dtype, seed, device, name)
    return operator.node()


def _drawn(
    kind: str,
    draw: Callable[..., Any],
    shape_like: DataNode | None,
    shape: Any,
    arguments: dict[str, Any],
    dtype: types.DALIDataType,
    seed: int | None,
    device: str | None,
    name: str | None,
) -> Operator:
    """The operator that draws.

    Args:
        draw: `(context, keys, arguments, shape=, shapes=, dtype=) -> array`, see `jaxdali.random`.
    """
    if isinstance(shape, DataNode):
        raise ConfigError(
            f"fn.random.{kind}(shape=) must be known when the pipeline is defined, got {shape!r}: give shape_like= a node "
            "whose samples have the shapes"
        )
    if shape is not None and shape_like is not None:
        raise ConfigError(
            f'fn.random.{kind}: Providing argument "shape" is incompatible with providing a shape-like input; leave one out'
        )
    target = numpy_dtype(dtype)
    own_seed = check_seed(seed)
    shape = () if shape is None else check_shape(f"shape of fn.random.{kind}", shape)

    def evaluate(context: Any, inputs: list[Any], given: dict[str, Any]) -> BatchValue:
        keys = context.keys(operator.random_index, own_seed)
        own, shapes = (inputs[0].data.shape[1:], inputs[0].shapes) if inputs else (shape, None)
        return BatchValue(draw(context, keys, given, shape=own, shapes=shapes, dtype=target), shapes)

    inputs = [] if shape_like is None else [shape_like]
    operator = add_operator(
        f"random.{kind}", evaluate, inputs, arguments, device=device, name=name, draws=True, keeps_extents=bool(inputs)
    )
    return operator


def _numbers(operator: Operator, name: str, value: Any) -> Any:
    if value.dtype.kind not in "buif":
        raise GraphError(f"{name} of fn.{operator.kind} wants numbers, got {value.dtype}")
    return value


def _single(operator: Operator, name: str, value: Any) -> Any:
    """An argument of one number a sample."""
    if np.ndim(value) > 1:
        raise GraphError(f"{name} of fn.{operator.kind} wants one number a sample, got {_samples(value)}")
    return value


def _samples(value: Any) -> str:
    return f"samples of shape {value.shape[1:]}"


def _bounds(range: Sequence[float]) -> tuple[float, ...]:
    try:
        low, high = (float(bound) for bound in range)
    except (TypeError, ValueError, OverflowError):
        raise ConfigError(f"Invalid range {range!r:.80}: expected (low, high), two numbers") from None
    if not low < high:
        raise ConfigError(f"Invalid range {tuple(range)}: expected (low, high) with low < high")
    return low, high


__getattr__ = explain_missing("jaxdali.fn.random", __all__)


def __dir__() -> list[str]:
    return __all__
