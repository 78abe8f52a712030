"""Applies shot noise, the noise of counting photons."""

from __future__ import annotations

from ..argument_kinds import SEED
from ..declaration import PerSample, Static, operator
from ..image.pixelwise import within_extents
from ..operator_inputs import ANY
from ..random.draw_arguments import single
from ..values import BatchValue, Context

__all__ = ["shot"]


@operator(
    "noise.shot",
    inputs=[ANY],
    params=[
        PerSample("factor", 20.0, "amount by which one event raises a number; 0: no noise"),
        Static("seed", SEED, None, "seed of a stream of its own, see `fn.random.uniform`"),
    ],
    is_random=True,
    keeps_extents=True,
)
def shot(context: Context, value: BatchValue, *, factor: object, seed: int | None) -> BatchValue:
    """Adds the noise of counted photons; DALI's operator.

    Each number is replaced with a draw from a Poisson distribution that has this number as its mean, in units of `factor`.

    Numbers below 0 become 0. Integers are rounded half away from zero and saturated. See `jaxdali.random.poisson`.
    """
    import jax.numpy as jnp

    from jaxdali._device.image.convert import round_to_dtype
    from jaxdali._device.image.exact_arithmetic import product, quotient, rounded, to_float32
    from jaxdali._device.random.poisson import poisson

    factor = jnp.asarray(single(context, "factor", factor), jnp.float32).reshape(-1, *[1] * (value.data.ndim - 1))
    none = factor == 0
    share = quotient(jnp.float32(1), jnp.where(none, 1, factor))
    events = poisson(context.keys(seed), product(to_float32(value.data), share), shapes=value.shapes)
    noisy = round_to_dtype(rounded(product(events, factor)), value.data.dtype)
    return within_extents(value, jnp.where(none, value.data, noisy))
