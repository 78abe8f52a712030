"""Images of types that recipes do not support, such as FLOAT64 and INT64: operators change them at once.

This file loads jax; it is imported when a device function is traced.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax.typing import DTypeLike

from jaxdali._base.aliases import Array
from jaxdali._device.image.color import brightness_contrast
from jaxdali._device.image.convert import round_to_dtype
from jaxdali._device.image.geometry import crop_windows, flip
from jaxdali._device.image.image_normalize import normalize
from jaxdali._device.image.image_resize import resize
from jaxdali.errors import GraphError

__all__ = ["ArrayImages"]

Size = tuple[int, int]


@dataclasses.dataclass(frozen=True)
class ArrayImages:
    """The interface of `jaxdali.image.Images` for arrays, as far as operators use it.

    Attributes:
        data: `[N, H, W, C]`, or `[N, C, H, W]` for the layout "CHW".
        own: `int32[N, 3]` (height, width, channels) of each image; None if they fill the array.
    """

    data: Any
    own: Any
    layout: str = "HWC"

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(self.data.dtype)

    @property
    def channels(self) -> int:
        return self.data.shape[3]

    @property
    def size(self) -> Size | None:
        return (self.data.shape[1], self.data.shape[2]) if self.own is None else None

    @property
    def shapes(self) -> Any:
        if self.own is None or self.layout == "HWC":
            return self.own
        return self.own[:, jnp.asarray((2, 0, 1))]

    @property
    def extents(self) -> Any:
        return np.tile(np.asarray(self.size, np.int32), (len(self.data), 1)) if self.own is None else self.own[:, :2]

    def cut(self, windows: Any, size: Size | None = None) -> ArrayImages:
        cut = crop_windows(self.data, windows, self.own)
        if size is None:
            return self._with(cut, jnp.concatenate([windows[:, 2:], self._channels(windows)], axis=1))
        return self._with(_framed(cut, size), None)

    def pad_cut(self, windows: Any, size: Size | None = None, fill: object = 0.0) -> ArrayImages:
        if size is None:
            raise GraphError(
                f"windows of several sizes cannot reach beyond images of type {self.dtype}: cast the images first"
            )
        inside, data = True, self.data
        for axis in (1, 2):
            place = jnp.arange(size[axis - 1]) + windows[:, axis - 1 : axis]
            fits = (place >= 0) & (place < self.extents[:, axis - 1 : axis])
            shape = [len(data), 1, 1, 1]
            shape[axis] = size[axis - 1]
            data = jnp.take_along_axis(data, jnp.clip(place, 0, data.shape[axis] - 1).reshape(shape), axis=axis)
            inside = inside & fits.reshape(shape)
        filled = round_to_dtype(jnp.asarray(fill, jnp.float32), self.dtype)
        return self._with(jnp.where(inside, data, filled), None)

    def flip(self, horizontal: Any = 1, vertical: Any = 0) -> ArrayImages:
        return self._with(flip(self.data, horizontal, vertical, self.own), self.own)

    def resample(
        self,
        extents: object,
        region: object = None,
        *,
        min_filter: str = "linear",
        mag_filter: str = "linear",
        antialias: bool = True,
        dtype: DTypeLike | None = None,
    ) -> ArrayImages:
        size = extents if isinstance(extents, tuple) else None
        if size is None or region is not None or (min_filter, mag_filter) != ("linear", "linear"):
            raise GraphError(
                f"images of type {self.dtype} can only be resized with INTERP_LINEAR, as a whole, to whole numbers of "
                "pixels: cast them to types.FLOAT first"
            )
        return self._with(resize(self.data, size, self.own, antialias=antialias, dtype=dtype), None)

    def brightness_contrast(self, *factors: Any, **named: Any) -> ArrayImages:
        return self._with(brightness_contrast(self.data, *factors, **named), self.own)

    def normalize(
        self, mean: Array, std: Array, *, scale: Array = 1.0, shift: Array = 0.0, dtype: DTypeLike
    ) -> ArrayImages:
        data = normalize(self.data, mean, std, scale=scale, shift=shift, dtype=dtype)
        return self._with(data, self.own)

    def cast(self, dtype: DTypeLike) -> ArrayImages:
        return self._with(round_to_dtype(self.data, dtype), self.own)

    def pad_channels(self, channels: int, fill: object = 0.0) -> ArrayImages:
        more = channels - self.data.shape[3]
        if more <= 0:
            return self
        values = jnp.broadcast_to(jnp.asarray(fill, jnp.float32), (channels,))[channels - more :]
        filled = jnp.broadcast_to(round_to_dtype(values, self.dtype), (*self.data.shape[:3], more))
        own = None if self.own is None else self.own.at[:, 2].set(channels)
        return self._with(jnp.concatenate([self.data, filled], axis=3), own)

    def to_layout(self, layout: str) -> ArrayImages:
        if layout == "HWC":
            return self
        return ArrayImages(self.data.transpose(0, 3, 1, 2), self.own, layout)

    def _with(self, data: object, own: object) -> ArrayImages:
        return ArrayImages(data, own)

    def _channels(self, windows: Any) -> Any:
        return windows[:, :1] * 0 + self.data.shape[3]


def _framed(data: Any, size: Size) -> object:
    """Puts the images on a canvas of that size."""
    height, width = size
    data = data[:, :height, :width]
    return jnp.pad(data, ((0, 0), (0, height - data.shape[1]), (0, width - data.shape[2]), (0, 0)))
