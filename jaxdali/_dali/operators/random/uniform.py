"""Draws from uniform distributions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jaxdali._base.dtypes import FLOAT, FLOAT64, to_numpy_type
from jaxdali.errors import ConfigError, GraphError
from ...graph.call import DataNode, MutableParams, Params
from ..argument_kinds import NUMBERS, Kind
from ..declaration import PerSample, operator
from ..values import BatchValue, Context
from .draw_arguments import SHAPE_LIKE, check_shape_like, common, draw, numbers, row_of_each, samples

__all__ = ["uniform"]


def _range(word: str, value: Any) -> tuple[float, float]:
    try:
        low, high = (float(bound) for bound in value)
    except (TypeError, ValueError, OverflowError):
        raise ConfigError(f"Invalid range {value!r:.80} in {word}: expected (low, high), two numbers") from None
    return low, high


def _values(word: str, value: object) -> Any:
    values = NUMBERS.read(word, value)
    if not np.size(values) or np.ndim(values) != 1:
        raise ConfigError(f"{word} must be a list of numbers, got {value!r:.80}")
    return values


def _prepare(params: MutableParams) -> MutableParams:
    if params["range"] is not None and params["values"] is not None:
        raise ConfigError("fn.random.uniform got both range= and values=; give one of them")
    return params


def _limits(params: Params, _inputs: object) -> tuple[float, float] | None:
    given = params["range"] if params["values"] is None else params["values"]
    if isinstance(given, DataNode):
        return None
    low, high = (-1.0, 1.0) if given is None else (float(np.min(given)), float(np.max(given)))
    whole = params["dtype"] not in (FLOAT, FLOAT64)  # draws of other types are rounded
    return (math.floor(low), math.ceil(high)) if whole else (low, high)


@operator(
    "random.uniform",
    inputs=[SHAPE_LIKE],
    params=[
        PerSample(
            "range",
            None,
            "(low, high), two numbers; or a node with two numbers per sample, low < high. By default (-1, 1)",
            Kind("Sequence[float]", _range, ((0.0, 2.0), (1.0, 3.0))),
        ),
        PerSample(
            "values",
            None,
            "the values to draw from, instead of a range",
            Kind("Sequence[float] | np.ndarray", _values, ((1.0, 2.0), (3.0, 4.0, 5.0))),
            ragged=True,
        ),
        *common(FLOAT),
    ],
    prepare=_prepare,
    check=check_shape_like,
    is_random=True,
    keeps_extents=True,
    limits=_limits,
    raises={"SourceDataError": "the range of a node's sample is empty, where the batch is handed out"},
)
def uniform(context: Context, like: BatchValue | None = None, **params: Any) -> BatchValue:
    """Draws from [low, high), or one of `values`; DALI's `fn.random.uniform`. Integers are rounded float32 draws, and
    the ends of their range lose their fractions.
    """
    # DALI takes the ends of a range of integers without their fractions.
    whole = to_numpy_type(params["dtype"])(0).dtype.kind in "iu"

    def compute(keys: Any, dtype: Any, **shape: Any) -> Any:
        import jax.numpy as jnp

        from jaxdali._device.image.convert import round_to_dtype
        from jaxdali._device.random.draws import uniform as compute

        written = context.call.params
        if isinstance(written["values"], DataNode):
            choices, counts = row_of_each(params["values"])
            numbers(context, "values", choices)
            context.require(
                jnp.broadcast_to(jnp.asarray(counts) > 0, (context.samples,)), "values of fn.random.uniform are empty"
            )
            return compute(keys, values=choices, counts=counts, dtype=dtype, **shape)
        if params["values"] is not None:
            return compute(keys, values=params["values"], dtype=dtype, **shape)
        between = dtype if jnp.issubdtype(dtype, jnp.floating) else np.float32
        if not isinstance(written["range"], DataNode):
            low, high = params["range"] or (-1.0, 1.0)
            if not low < high:
                # Only where it is drawn from, as in DALI: a program may write it and not use it.
                text = f"Invalid range ({low:g}, {high:g}) of fn.random.uniform: expected (low, high) with low < high"
                if not context.call.branch:
                    raise ConfigError(text)
                context.require(np.zeros(context.samples, np.bool_), text)
                low, high = 0.0, 1.0
            if whole:
                low, high = math.trunc(low), math.trunc(high)
            if low == high:
                return compute(keys, values=[low], dtype=dtype, **shape)
            return round_to_dtype(compute(keys, minval=low, maxval=high, dtype=between, **shape), dtype)
        ranges: Any = numbers(context, "range", params["range"])
        if ranges.shape[1:] != (2,):
            raise GraphError(f"range of fn.random.uniform expects two numbers per sample, got {samples(ranges)}")
        context.require(
            ranges[:, 0] < ranges[:, 1], f"Invalid range of fn.random.uniform at {context.call.site}: low < high"
        )
        if whole:
            ranges = jnp.trunc(ranges.astype(jnp.float32))
        drawn = compute(keys, minval=ranges[:, 0], maxval=ranges[:, 1], dtype=between, **shape)
        return round_to_dtype(drawn, dtype)

    return draw(context, like, params, compute)
