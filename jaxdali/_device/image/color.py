"""Brightness and contrast."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax.typing import ArrayLike, DTypeLike

from jaxdali.errors import ConfigError
from .convert import check_dtype, round_to_dtype
from .exact_arithmetic import product, to_float32
from .image_arguments import per_sample

__all__ = ["brightness_contrast", "default_contrast_center", "largest"]


def brightness_contrast(
    images: ArrayLike,
    brightness: npt.ArrayLike = 1.0,
    brightness_shift: npt.ArrayLike = 0.0,
    contrast: npt.ArrayLike = 1.0,
    contrast_center: npt.ArrayLike | None = None,
    dtype: DTypeLike | None = None,
) -> jax.Array:
    """Changes brightness and contrast; DALI's operator of the same name.

    `out = brightness_shift * R + brightness * (c + contrast * (in - c))`, where `c` is
    `contrast_center` and `R` the largest value of an integer `dtype`, 1 for a floating one. Each
    parameter is rounded to float32 first, and so is the result of each step, in the order written;
    the final result is converted by `round_to_dtype`. So it equals the formula written in NumPy, on every
    platform (`exact_arithmetic` lists the exceptions).

    Args:
        images: `[N, ...]`, of rank 1 or more, integer or floating. A canvas may be given as it is:
            the area outside the images is changed, too: black becomes `round(formula(0))`.
        brightness: factor; a scalar or one value per sample, `[N]`.
        brightness_shift: added, in units of `R`; a scalar or `[N]`.
        contrast: factor; a scalar or `[N]`.
        contrast_center: the input value that contrast does not change, in units of the input; a scalar
            or `[N]`. None: half of the input's range, 128 for uint8, 16384 for int16, 0.5 for floating.
        dtype: that of the result; None: that of `images`. Nothing is rescaled: uint8 to float32
            keeps 0 to 255.

    Returns:
        `dtype[N, ...]`, the shape of `images`.

    Raises:
        ConfigError: a parameter is neither a scalar nor `[N]`, or a dtype is not an integer or
            floating one.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> images = np.array([[0, 128, 255], [0, 128, 255]], np.uint8)
        >>> image.brightness_contrast(images, contrast=[0.5, 2])
        Array([[ 64, 128, 192],
               [  0, 128, 255]], dtype=uint8)
    """
    images = jnp.asarray(images)
    if images.ndim < 1:
        raise ConfigError("images are a scalar; expected a batch [N, ...].")
    source = check_dtype(images.dtype, "images have dtype")
    target = source if dtype is None else check_dtype(dtype)
    if np.bool_ in (source, target):
        raise ConfigError(f"brightness_contrast from {source} to {target}: bool has no brightness.")
    if contrast_center is None:
        contrast_center = default_contrast_center(source)
    center = per_sample(contrast_center, "contrast_center", images)
    contrast = per_sample(contrast, "contrast", images)
    brightness = per_sample(brightness, "brightness", images)
    shift = product(per_sample(brightness_shift, "brightness_shift", images), np.float32(largest(target)))
    # No term is omitted even if it looks like the identity: 1 * (in - c) + c rounds in float32. Without
    # the rounded product between them XLA would merge the two constants into one.
    around_center = product(contrast, to_float32(images) - center)
    return round_to_dtype(shift + product(brightness, center + around_center), target)


def default_contrast_center(dtype) -> float:
    """Half of the range of `dtype` by DALI's rule: 128 for uint8, 16384 for int16, 0.5 for floating."""
    dtype = np.dtype(dtype)
    return (largest(dtype) + 1) / 2 if np.issubdtype(dtype, np.integer) else 0.5


def largest(dtype: np.dtype) -> int:
    """The largest value of an integer dtype; 1 of a floating one."""
    return int(np.iinfo(dtype).max) if np.issubdtype(dtype, np.integer) else 1
