"""Adds noise to each number, or replaces some pixels with noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..argument_kinds import FLAG, SEED
from ..declaration import PerSample, Static, operator
from ..image.pixelwise import within_extents
from ..operator_inputs import ANY
from ..random.draw_arguments import single
from ..values import BatchValue, Context

__all__ = ["gaussian", "salt_and_pepper"]

_SEED = Static("seed", SEED, None, "seed of a stream of its own, see `fn.random.uniform`")
_RECORD: dict[str, Any] = {"inputs": [ANY], "is_random": True, "keeps_extents": True}


@operator(
    "noise.gaussian",
    params=[
        PerSample("mean", 0.0, "mean of the noise"),
        PerSample("stddev", 1.0, "standard deviation of the noise"),
        _SEED,
    ],
    **_RECORD,
)
def gaussian(context: Context, value: BatchValue, *, seed: int | None, **params: object) -> BatchValue:
    """Adds noise from a normal distribution to each number; DALI's operator. Integers are rounded half away from zero
    and saturated.
    """
    from jaxdali._device.image.convert import round_to_dtype
    from jaxdali._device.image.exact_arithmetic import rounded, to_float32
    from jaxdali._device.random.draws import normal

    moments = {name: single(context, name, params[name]) for name in ("mean", "stddev")}
    draw = normal(context.keys(seed), value.data.shape[1:], **moments, shapes=value.shapes)
    return within_extents(value, round_to_dtype(rounded(to_float32(value.data) + rounded(draw)), value.data.dtype))


@operator(
    "noise.salt_and_pepper",
    params=[
        PerSample("prob", 0.05, "probability that a pixel is replaced"),
        PerSample("salt_vs_pepper", 0.5, "probability that a replaced pixel becomes salt"),
        PerSample("salt_val", None, "level of salt; by default the largest number for integers, 1 for floats"),
        PerSample("pepper_val", None, "level of pepper; by default the smallest number for integers, -1 for floats"),
        Static(
            "per_channel",
            FLAG,
            False,
            "draw for each channel separately. Channels are the axis C of the layout; without a layout the last axis",
        ),
        _SEED,
    ],
    **_RECORD,
)
def salt_and_pepper(
    context: Context, value: BatchValue, *, per_channel: bool, seed: int | None, **params: object
) -> BatchValue:
    """Replaces random pixels with the brightest or the darkest level; DALI's operator."""
    import jax.numpy as jnp

    from jaxdali._device.image.convert import round_to_dtype
    from jaxdali._device.image.exact_arithmetic import product
    from jaxdali._device.random.draws import uniform

    data, shapes, ndim = value.data, value.shapes, value.data.ndim
    floating = jnp.issubdtype(data.dtype, jnp.floating)
    limits = (1.0, -1.0) if floating else (np.iinfo(data.dtype).max, np.iinfo(data.dtype).min)
    salt, pepper = (
        jnp.asarray(limit, data.dtype) if params[name] is None else _along(context, name, params[name], ndim)
        for name, limit in zip(("salt_val", "pepper_val"), limits, strict=True)
    )
    shape = list(data.shape[1:])
    channels = value.layout.find("C") if value.layout else len(shape) - 1
    if channels >= 0 and not per_channel:
        shape[channels] = 1
        shapes = None if shapes is None else shapes.at[:, channels].set(1)
    draw = uniform(context.keys(seed), tuple(shape), shapes=shapes)
    prob, share = (_along(context, name, params[name], ndim) for name in ("prob", "salt_vs_pepper"))
    found = jnp.where(draw < prob, round_to_dtype(pepper, data.dtype), data)
    found = jnp.where(draw < product(prob, share), round_to_dtype(salt, data.dtype), found)
    return within_extents(value, found)


def _along(context: Context, name: str, value: object, ndim: int) -> Any:
    """Returns one number per sample, `float32`, in a shape that broadcasts against the samples."""
    import jax.numpy as jnp

    return jnp.asarray(single(context, name, value), jnp.float32).reshape(-1, *[1] * (ndim - 1))
