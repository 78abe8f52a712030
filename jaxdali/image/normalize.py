"""Normalisation by mean and standard deviation."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from ..errors import ConfigError
from .arguments import check_images, check_number, is_host
from .convert import check_dtype, round_to_dtype
from .exact import product, quotient, to_float32

__all__ = ["normalize"]


def normalize(
    images,
    mean,
    std,
    *,
    scale=1.0,
    shift=0.0,
    dtype=jnp.float32,
    output_layout: str = "HWC",
) -> jax.Array:
    """Normalises: `(in - mean) / std * scale + shift`.

    Computed in float32 as `(in - mean) * (scale / std) + shift`, the order of DALI's kernel; the
    arguments and each step are rounded to float32, the result is converted by `round_to_dtype`. The
    quotient is taken once a channel, so that the rest is the same on every platform, bit for bit
    (see `exact`).

    Args:
        images: `[N, H, W, C]`. What lies outside of the images of a canvas is normalised as the
            value 0.
        mean: in units of the input; a scalar, one value a channel `[C]` (or `[1]`), or `[N, C]`
            (`[N, 1]`).
        std: the same shapes. Not 0.
        scale: factor; a scalar.
        shift: added last; a scalar.
        dtype: of the result.
        output_layout: "HWC" or "CHW".

    Returns:
        `dtype[N, H, W, C]`, or `dtype[N, C, H, W]` for "CHW".

    Raises:
        ConfigError: a shape does not fit, `std` is a host value and has a 0, or `output_layout` is
            another one.
    """
    images = check_images(images)
    target = check_dtype(dtype)
    if output_layout not in ("HWC", "CHW"):
        raise ConfigError(f"output_layout is {output_layout!r}; expected 'HWC' or 'CHW'.")
    for name, value in (("scale", scale), ("shift", shift)):
        check_number(value, name)
        if np.shape(value) != ():
            raise ConfigError(f"{name} has shape {np.shape(value)}; expected a scalar.")
    mean = _per_channel(mean, "mean", images)
    std = _per_channel(std, "std", images)
    if is_host(std) and not np.all(std):
        raise ConfigError(
            f"std is {std.ravel().tolist()}; a standard deviation of 0 (in float32) cannot divide. "
            "Use 1 for a channel that is to keep its scale."
        )
    factor = quotient(to_float32(scale), std)
    out = product(to_float32(images) - mean, factor) + to_float32(shift)
    out = round_to_dtype(out, target)
    return out.transpose(0, 3, 1, 2) if output_layout == "CHW" else out


def _per_channel(value, name: str, images):
    """`value` as float32, shaped to broadcast against `images: [N, H, W, C]`."""
    samples, channels = images.shape[0], images.shape[3]
    check_number(value, name)
    shape = np.shape(value)
    if shape not in ((), (1,), (channels,), (samples, channels), (samples, 1)):
        raise ConfigError(
            f"{name} has shape {shape} for images {images.shape}; expected a scalar, one value a "
            f"channel [{channels}], or one a sample and channel [{samples}, {channels}]."
        )
    value = to_float32(value)
    return value.reshape(samples, 1, 1, -1) if len(shape) == 2 else value
