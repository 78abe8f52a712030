"""Operations on images along two axes, for volumes along three."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike, DTypeLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from .axis_resize import flip_axes, resize_axes
from .image_arguments import check_number, is_host

__all__ = ["check_volumes", "flip_volumes", "resize_volumes"]


def check_volumes(volumes: Any, shapes: Any = None) -> jax.Array:
    """Returns `volumes` as an array `[N, D, H, W, C]`.

    Raises:
        ConfigError: it is not one, or `shapes` do not fit its samples.
    """
    if np.ndim(volumes) != 5:
        raise ConfigError(f"volumes have shape {np.shape(volumes)}; expected [N, D, H, W, C].")
    if shapes is not None and np.shape(shapes) != (len(volumes), 4):
        raise ConfigError(
            f"shapes have shape {np.shape(shapes)} for {len(volumes)} volumes; expected [N, 4] (depth, height, width, "
            "channels)."
        )
    return jnp.asarray(volumes)


@on_any_mesh
def flip_volumes(
    volumes: ArrayLike,
    horizontal: ArrayLike = 0,
    vertical: ArrayLike = 0,
    depthwise: ArrayLike = 0,
    shapes: Array | None = None,
) -> jax.Array:
    """Mirrors volumes along their axes.

    Args:
        volumes: `[N, D, H, W, C]`, any dtype.
        horizontal: whether to mirror left to right: a flag, a scalar or `[N]`.
        vertical: whether to mirror top to bottom: a flag, a scalar or `[N]`.
        depthwise: whether to mirror front to back: a flag, a scalar or `[N]`.
        shapes: `int32[N, 4]` (depth, height, width, channels) of each volume in the corner of its row, within which it is
            mirrored; None: it fills the row.

    Returns:
        An array like `volumes`.

    Raises:
        ConfigError: a shape does not fit.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> image.flip_volumes(np.array([1, 2, 3], np.uint8).reshape(1, 3, 1, 1, 1), depthwise=1)[0, :, 0, 0, 0]
        Array([3, 2, 1], dtype=uint8)
    """
    volumes = check_volumes(volumes, shapes)
    mirrors: list[Any] = []
    for name, flag in (("depthwise", depthwise), ("vertical", vertical), ("horizontal", horizontal)):
        check_number(flag, name)
        if np.shape(flag) not in ((), (len(volumes),)):
            raise ConfigError(
                f"{name} has shape {np.shape(flag)} for {len(volumes)} volumes; expected a scalar or one per sample, [N]."
            )
        mirrors.append(None if is_host(flag) and not np.any(flag) else jnp.asarray(flag) != 0)
    return flip_axes(volumes, mirrors, shapes)


@on_any_mesh
def resize_volumes(
    volumes: ArrayLike,
    size: Sequence[int],
    shapes: Array | None = None,
    *,
    antialias: bool = True,
    dtype: DTypeLike | None = None,
    min_filter: str = "linear",
    mag_filter: str = "linear",
    region: ArrayLike | None = None,
    extents: ArrayLike | None = None,
) -> jax.Array:
    """Resizes each volume to the same size, or to extents of its own; `jaxdali.image.resize` along three axes.

    Height and width come first, then the depth; intermediate results are float32.

    Args:
        volumes: `[N, D, H, W, C]`, integer or floating.
        size: (depth, height, width) of the result, known while tracing.
        shapes: `int32[N, 4]` (depth, height, width, channels) of each volume; None: it fills its row.
        antialias: whether the filter widens when an axis shrinks.
        dtype: that of the result, converted by `round_to_dtype`; None: that of `volumes`.
        min_filter: the filter of axes that shrink: "nearest", "linear", "cubic", "lanczos3", "triangular" (the same as
            "linear") or "gaussian".
        mag_filter: the filter of all other axes, one of the same.
        region: `float32[N, 6]`, z_lo, z_hi, y_lo, y_hi, x_lo, x_hi: the part to resize; None: the whole volume.
        extents: `int32[N, 3]`, the depth, height and width that each volume gets, at most `size`; zeros outside. None:
            `size`.

    Returns:
        `dtype[N, *size, C]`.

    Raises:
        ConfigError: a shape does not fit, or a filter is none of those.
    """
    volumes = check_volumes(volumes, shapes)
    if len(size) != 3:
        raise ConfigError(f"size is {size!r}; expected (depth, height, width).")
    options = {"antialias": antialias, "dtype": dtype, "min_filter": min_filter, "mag_filter": mag_filter}
    return resize_axes(volumes, (0, 1, 2), size, shapes, region=region, extents=extents, **options)
