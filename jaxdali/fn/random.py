"""Random numbers, one a sample: functions of (seed, operator, epoch, index of the sample in its epoch)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import types
from ..errors import ConfigError
from ..missing import explain_missing
from ..pipeline.node import DataNode
from ..pipeline.recording import recorded
from ..pipeline.trace import add_operator
from ..pipeline.value import BatchValue
from .arguments import check_numbers, check_seed, check_unsupported, numpy_dtype

__all__ = ["coin_flip", "uniform"]


@recorded("fn.random.uniform")
def uniform(
    *,
    range: Sequence[float] | None = None,
    values: Sequence[float] | None = None,
    shape: int | Sequence[int] = (),
    dtype: types.DALIDataType = types.FLOAT,
    seed: int | None = None,
    device: str | None = None,
    name: str | None = None,
    **dali: Any,
) -> DataNode:
    """Draws from [low, high), or one of `values`; DALI's `fn.random.uniform`.

    Args:
        range: (low, high), numbers; not given: (-1, 1).
        values: in place of a range.
        shape: of one sample's draw; a scalar by default.
        dtype: integers are the float32 draw rounded.
        seed: a stream of its own: two operators with the same seed draw the same numbers. Not given: the pipeline's
            seed, and the operator's number among the random ones.

    Raises:
        ConfigError: an empty range ("Invalid range"), both range and values, or a node in their place.
    """
    check_unsupported("random.uniform", dali, {}, ("range", "values", "shape", "dtype", "seed", "device", "name"))
    _check_constant("uniform", range=range, values=values, shape=shape)
    if range is not None and values is not None:
        raise ConfigError("fn.random.uniform got both range= and values=; give one of them")
    target = numpy_dtype(dtype)
    bounds = _bounds((-1.0, 1.0) if range is None else range)
    own_seed = check_seed(seed)

    def evaluate(context: Any, _inputs: list[Any], _arguments: dict[str, Any]) -> BatchValue:
        from ..random import uniform as draw

        keys = context.keys(operator.random_index, own_seed)
        chosen = {"values": values} if values is not None else {"range": bounds}
        return BatchValue(draw(keys, shape=shape, dtype=target, **chosen))

    operator = add_operator("random.uniform", evaluate, device=device, name=name, draws=True)
    return operator.node()


@recorded("fn.random.coin_flip")
def coin_flip(
    *,
    probability: float | DataNode = 0.5,
    shape: int | Sequence[int] = (),
    dtype: types.DALIDataType = types.INT32,
    seed: int | None = None,
    device: str | None = None,
    name: str | None = None,
    **dali: Any,
) -> DataNode:
    """Draws 1 with the given probability, else 0; DALI's `fn.random.coin_flip`.

    Args:
        probability: of 1; a number, or a node with one a sample.
        shape, dtype, seed: as in `uniform`.
    """
    check_unsupported("random.coin_flip", dali, {}, ("probability", "shape", "dtype", "seed", "device", "name"))
    check_numbers("random.coin_flip", {"probability": probability})
    _check_constant("coin_flip", shape=shape)
    target = numpy_dtype(dtype)
    own_seed = check_seed(seed)

    def evaluate(context: Any, _inputs: list[Any], arguments: dict[str, Any]) -> BatchValue:
        from ..random import coin_flip as draw

        keys = context.keys(operator.random_index, own_seed)
        return BatchValue(draw(keys, arguments["probability"], target, shape=shape))

    arguments = {"probability": probability}
    operator = add_operator("random.coin_flip", evaluate, (), arguments, device=device, name=name, draws=True)
    return operator.node()


def _bounds(range: Sequence[float]) -> tuple[float, ...]:
    try:
        low, high = (float(bound) for bound in range)
    except (TypeError, ValueError):
        raise ConfigError(f"Invalid range {range!r}: expected (low, high), two numbers") from None
    if not low < high:
        raise ConfigError(f"Invalid range {tuple(range)}: expected (low, high) with low < high")
    return low, high


def _check_constant(kind: str, **arguments: Any) -> None:
    for name, value in arguments.items():
        if isinstance(value, DataNode):
            raise ConfigError(
                f"fn.random.{kind}({name}=) must be known when the pipeline is defined, got {value!r}; draw from a "
                "fixed range and scale the result in the operator that uses it"
            )


__getattr__ = explain_missing("jaxdali.fn.random", __all__)


def __dir__() -> list[str]:
    return __all__
