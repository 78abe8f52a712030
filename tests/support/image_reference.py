"""The image functions in plain NumPy, one image at a time, with which the fast ones are compared.

Written from the documentation of those functions, without sharing code with them. They promise exact bits,
and so do these, in float32. Images, windows and flags are NumPy arrays; errors are NumPy's.
"""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np

__all__ = [
    "brightness_contrast",
    "crop",
    "crop_anchor",
    "crop_windows",
    "decode_reference",
    "decode_resample",
    "flip",
    "normalize",
    "resize",
    "round_half_away",
    "round_to_dtype",
]


def decode_reference(data: bytes) -> np.ndarray:
    """Decodes the image file `data` with Pillow to `uint8[H, W, 3]`, RGB, with EXIF orientation applied."""
    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(ImageOps.exif_transpose(image).convert("RGB"))


def round_half_away(x) -> np.ndarray:
    """Rounds each element to the nearest integer, halves away from zero, in float64."""
    with np.errstate(invalid="ignore"):  # signalling NaNs; inf - inf
        wide = np.asarray(x).astype(np.float64)
        magnitude = np.abs(wide)
        whole = np.trunc(magnitude)
        return np.copysign(whole + (magnitude - whole >= 0.5), wide)


def round_to_dtype(x, dtype) -> np.ndarray:
    """`jaxdali.image.round_to_dtype`, element by element with Python's integers."""
    x, dtype = np.asarray(x), np.dtype(dtype)
    if dtype.kind not in "biu":  # floating; ml_dtypes' bfloat16 has kind "V"
        with np.errstate(over="ignore"):
            return x.astype(dtype)
    whole = x if x.dtype.kind in "biu" else round_half_away(x)
    if dtype.kind == "b":
        return whole != 0
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)

    def convert(value):
        if isinstance(value, float) and not math.isfinite(value):
            return 0 if math.isnan(value) else low if value < 0 else high
        return min(max(int(value), low), high)

    out = np.fromiter(map(convert, whole.ravel().tolist()), dtype, whole.size)
    return out.reshape(x.shape)


def brightness_contrast(
    images,
    brightness=1.0,
    brightness_shift=0.0,
    contrast=1.0,
    contrast_center=None,
    dtype=None,
) -> np.ndarray:
    """`jaxdali.image.brightness_contrast`: the formula in float32, rounded step by step."""
    f32 = np.float32
    images = np.asarray(images)
    dtype = images.dtype if dtype is None else np.dtype(dtype)
    if contrast_center is None:
        half = {"u1": 128, "u2": 32768, "u4": 2**31, "i1": 64, "i2": 16384, "i4": 2**30}
        contrast_center = half.get(images.dtype.str[1:], 0.5)
    out_range = f32(np.iinfo(dtype).max if dtype.kind in "iu" else 1)
    out = np.empty(images.shape, f32)
    for k, image in enumerate(images):
        factor, shift, slope, center = (
            f32(np.asarray(value)[k] if np.ndim(value) else value)
            for value in (brightness, brightness_shift, contrast, contrast_center)
        )
        scaled = slope * (image.astype(f32) - center)
        out[k] = shift * out_range + factor * (center + scaled)
    return round_to_dtype(out, dtype)


def normalize(images, mean, std, *, scale=1.0, shift=0.0, dtype: Any = np.float32, output_layout="HWC") -> np.ndarray:
    """`jaxdali.image.normalize`: `(in - mean) * (scale / std) + shift` in float32."""
    f32 = np.float32
    mean, std = np.asarray(mean, f32), np.asarray(std, f32)
    out = np.empty(np.shape(images), f32)
    for k, image in enumerate(np.asarray(images)):
        own_mean = mean[k] if mean.ndim == 2 else mean
        own_std = std[k] if std.ndim == 2 else std
        out[k] = (image.astype(f32) - own_mean) * (f32(scale) / own_std) + f32(shift)
    out = round_to_dtype(out, dtype)
    return np.moveaxis(out, 3, 1) if output_layout == "CHW" else out


def crop_anchor(shapes, size, position=(0.5, 0.5), rounding="round") -> np.ndarray:
    """`jaxdali.image.crop_anchor`."""
    anchors = np.empty((len(shapes), 2), np.int32)
    for k, shape in enumerate(shapes):
        for axis in (0, 1):
            fraction = np.float32(np.broadcast_to(position[axis], len(shapes))[k])
            offset = float(fraction) * (int(shape[axis]) - size[axis])  # exact in float64
            anchors[k, axis] = round_half_away(offset) if rounding == "round" else int(offset)
    return anchors


def crop(images, anchor, size, shapes=None) -> np.ndarray:
    """`jaxdali.image.crop` as inside jit: a window that leaves its image becomes all zeros."""
    images = np.asarray(images)
    out = np.zeros((len(images), *size, images.shape[3]), images.dtype)
    for k, image in enumerate(images):
        top, left = (int(value) for value in (anchor if np.ndim(anchor) == 1 else anchor[k]))
        height, width = image.shape[:2] if shapes is None else shapes[k][:2]
        if min(top, left) >= 0 and top + size[0] <= height and left + size[1] <= width:
            out[k] = image[top : top + size[0], left : left + size[1]]
    return out


def crop_windows(images, windows, shapes=None) -> np.ndarray:
    """`jaxdali.image.crop_windows`."""
    images = np.asarray(images)
    out = np.zeros_like(images)
    for k, (image, window) in enumerate(zip(images, windows, strict=True)):
        top, left, height, width = map(int, window)
        extents = image.shape[:2] if shapes is None else shapes[k][:2]
        if min(top, left, height, width) >= 0 and top + height <= extents[0] and left + width <= extents[1]:
            out[k, :height, :width] = image[top : top + height, left : left + width]
    return out


def flip(images, horizontal=1, vertical=0, shapes=None) -> np.ndarray:
    """`jaxdali.image.flip`."""
    out = np.array(images)
    for k, image in enumerate(out):
        height, width = image.shape[:2] if shapes is None else shapes[k][:2]
        own = image[:height, :width]
        if np.broadcast_to(horizontal, len(out))[k]:
            own[...] = own[:, ::-1].copy()
        if np.broadcast_to(vertical, len(out))[k]:
            own[...] = own[::-1].copy()
    return out


_flip_each = flip  # where `flip` is an argument


def resize(images, size, shapes=None, *, antialias=True, dtype=None) -> np.ndarray:
    """`jaxdali.image.resize`: float32 sums over the source pixels, added one after the other."""
    images = np.asarray(images)
    out = np.zeros((len(images), *size, images.shape[3]), np.float32)
    for k, image in enumerate(images):
        height, width = image.shape[:2] if shapes is None else shapes[k][:2]
        if not (height and width):
            continue
        columns = _weigh(image[:height, :width].astype(np.float32), size[0], antialias)
        out[k] = _weigh(columns.swapaxes(0, 1), size[1], antialias).swapaxes(0, 1)
    return round_to_dtype(out, images.dtype if dtype is None else dtype)


def _weigh(x: np.ndarray, extent_out: int, antialias: bool) -> np.ndarray:
    """Resizes the first axis of a float32 array."""
    out = np.zeros((extent_out, *x.shape[1:]), np.float32)
    for i in range(extent_out):
        taps = _taps(i, len(x), extent_out, antialias)
        total = np.float32(sum(taps.values()))
        for j in sorted(taps):
            out[i] += np.float32(taps[j]) / total * x[j]
    return out


def _taps(i: int, extent_in: int, extent_out: int, antialias: bool) -> dict[int, int]:
    """Integers proportional to the weight of each source pixel in result pixel `i`; a tap beyond
    an edge is added to the pixel at the edge. All lengths are in units of `1 / (2 * extent_out)` pixel.
    """
    center = (2 * i + 1) * extent_in - extent_out
    pixel = 2 * extent_out
    radius = 2 * max(extent_in, extent_out) if antialias else pixel
    taps: dict[int, int] = {}
    for j in range((center - radius) // pixel, (center + radius) // pixel + 1):
        tap = radius - abs(pixel * j - center)
        if tap > 0:
            inside = min(max(j, 0), extent_in - 1)
            taps[inside] = taps.get(inside, 0) + tap
    return taps


def decode_resample(
    files,
    windows,
    size,
    *,
    flip=0,
    mean=None,
    std=None,
    scale=1.0,
    shift=0.0,
    dtype=np.uint8,
    layout="HWC",
) -> np.ndarray:
    """`jaxdali.image.decode_resample` for files that can be decoded, step by step."""
    out = np.zeros((len(files), *size, 3), np.uint8)
    for k, (file, (top, left, height, width)) in enumerate(zip(files, windows, strict=True)):
        window = decode_reference(file)[top : top + height, left : left + width]
        out[k] = resize(window[None], size)[0]
    out = _flip_each(out, flip)
    return normalize(
        out,
        0.0 if mean is None else mean,
        1.0 if std is None else std,
        scale=scale,
        shift=shift,
        dtype=dtype,
        output_layout=layout,
    )
