"""Normalisation by mean and standard deviation."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax.typing import ArrayLike, DTypeLike

from jaxdali.errors import ConfigError
from .convert import check_dtype, round_to_dtype
from .exact_arithmetic import product, quotient, to_float32
from .image_arguments import check_images, check_number, is_host

__all__ = ["check_moments", "normalize"]


def normalize(
    images: ArrayLike,
    mean: npt.ArrayLike,
    std: npt.ArrayLike,
    *,
    scale: ArrayLike = 1.0,
    shift: ArrayLike = 0.0,
    dtype: DTypeLike = jnp.float32,
    output_layout: str = "HWC",
) -> jax.Array:
    """Normalises: `(in - mean) / std * scale + shift`.

    Computed in float32 as `(in - mean) * (scale / std) + shift`, the order of DALI's kernel; the arguments and each
    step are rounded to float32, and the result is converted by `round_to_dtype`. The quotient is computed once per
    channel, and everything is the same on every platform, bit for bit (see `exact_arithmetic`).

    Args:
        images: `[N, H, W, C]`. The canvas around images is normalised as the value 0.
        mean: in units of the input; a scalar, one value per channel `[C]` (or `[1]`), or `[N, C]` (`[N, 1]`).
        std: of the same shapes, not 0.
        scale: factor; a scalar.
        shift: added last; a scalar.
        dtype: that of the result.
        output_layout: "HWC" or "CHW".

    Returns:
        `dtype[N, H, W, C]`, or `dtype[N, C, H, W]` for "CHW".

    Raises:
        ConfigError: a shape does not fit, `std` is a host value and has a 0, or `output_layout` is neither.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> images = np.full((1, 2, 1, 3), 200, np.uint8)
        >>> image.normalize(images, mean=[100, 150, 200], std=50)[0]
        Array([[[2., 1., 0.]],
        <BLANKLINE>
               [[2., 1., 0.]]], dtype=float32)
    """
    images = check_images(images)
    target = check_dtype(dtype)
    if output_layout not in ("HWC", "CHW"):
        raise ConfigError(f"output_layout is {output_layout!r}; expected 'HWC' or 'CHW'.")
    check_moments(mean, std, scale, shift, images.shape[0], images.shape[3])
    mean, std = _per_channel(mean), _per_channel(std)
    factor = quotient(to_float32(scale), std)
    out = product(to_float32(images) - mean, factor) + to_float32(shift)
    out = round_to_dtype(out, target)
    return out.transpose(0, 3, 1, 2) if output_layout == "CHW" else out


def check_moments(mean, std, scale, shift, samples: int, channels: int) -> None:
    """Raises ConfigError if `normalize` could not use these arguments for `samples` images."""
    for name, value in (("scale", scale), ("shift", shift)):
        check_number(value, name)
        if np.shape(value) != ():
            raise ConfigError(f"{name} has shape {np.shape(value)}; expected a scalar.")
    for name, value in (("mean", mean), ("std", std)):
        check_number(value, name)
        if np.shape(value) not in ((), (1,), (channels,), (samples, channels), (samples, 1)):
            raise ConfigError(
                f"{name} has shape {np.shape(value)} for {samples} images of {channels} channels; expected a scalar, "
                f"one value per channel [{channels}], or one per sample and channel [{samples}, {channels}]."
            )
    if is_host(std) and not np.all(to_float32(std)):
        raise ConfigError(
            f"std is {np.ravel(std).tolist()}; a standard deviation of 0 (in float32) cannot divide. "
            "Use 1 for a channel that is to keep its scale."
        )


def _per_channel(value):
    """`value` as float32, shaped to broadcast against images `[N, H, W, C]`."""
    value = to_float32(value)
    return value.reshape(value.shape[0] if value.ndim == 2 else 1, 1, 1, -1) if value.ndim else value
