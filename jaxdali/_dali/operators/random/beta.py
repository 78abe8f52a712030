"""Draws from beta distributions."""

from __future__ import annotations

import numpy as np

from jaxdali._base.dtypes import FLOAT, FLOAT64, DALIDataType
from jaxdali.errors import ConfigError
from ..argument_kinds import DTYPE, NUMBER, Kind
from ..declaration import PerSample, Static, operator
from ..values import BatchValue, Context
from .draw_arguments import SEED_PARAM, SHAPE_LIKE, SHAPE_PARAM, check_shape_like, draw, single

__all__ = ["beta"]


def _positive(word: str, value: object) -> float:
    number = NUMBER.read(word, value)
    if not 0 < number < np.inf:
        raise ConfigError(f"{word} must be a number above 0, got {value!r:.80}")
    return number


def _dtype(word: str, value: object) -> DALIDataType:
    dtype: DALIDataType = DTYPE.read(word, value)
    if dtype not in (FLOAT, FLOAT64):
        raise ConfigError(f"{word} must be FLOAT or FLOAT64, got {dtype!r}; fn.cast makes others of the draws")
    return dtype


_POSITIVE = Kind("float", _positive, (0.5, 2.0))


@operator(
    "random.beta",
    inputs=[SHAPE_LIKE],
    params=[
        PerSample("alpha", 1.0, "first parameter of the distribution, above 0", _POSITIVE),
        PerSample("beta", 1.0, "second parameter of the distribution, above 0", _POSITIVE),
        SHAPE_PARAM,
        Static(
            "dtype",
            Kind("DALIDataType", _dtype, (FLOAT, FLOAT64)),
            FLOAT,
            "type of the output: FLOAT, or FLOAT64 of the same draws",
        ),
        SEED_PARAM,
    ],
    check=check_shape_like,
    is_random=True,
    keeps_extents=True,
    limits=lambda _params, _inputs: (0.0, 1.0),
    raises={"SourceDataError": "a parameter of a node is not above 0, where the batch is handed out"},
)
def beta(context: Context, like: BatchValue | None = None, **params: object) -> BatchValue:
    """Draws numbers from 0 to 1 from a beta distribution; DALI's `fn.random.beta`."""
    import jax.numpy as jnp

    from jaxdali._device.image.convert import round_to_dtype
    from jaxdali._device.random.beta_draws import beta as compute

    given = []
    for name in ("alpha", "beta"):
        value = jnp.asarray(single(context, name, params[name]), jnp.float32)
        held = (value > 0) & jnp.isfinite(value)
        context.require(jnp.broadcast_to(held, (context.samples,)), f"{name} of fn.random.beta must be above 0")
        given.append(jnp.where(held, value, 1))
    return draw(
        context, like, params, lambda keys, dtype, **shape: round_to_dtype(compute(keys, *given, **shape), dtype)
    )
