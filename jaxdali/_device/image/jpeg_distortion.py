"""What JPEG does to images, without files: the integer arithmetic of libjpeg.

The 1-dimensional transforms of libjpeg's accurate integer method are linear up to one rounding, so each is a table of
integers. Sums may wrap around in 32 bits on the way, but the final ones fit. On CPUs a custom call computes the same
numbers.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.typing import ArrayLike

from jaxdali._base.aliases import Array
from jaxdali.errors import ConfigError
from ..any_mesh import on_any_mesh
from ..ffi import cpu_calls
from ..ffi.platforms import two_ways
from .barrier import materialize
from .image_arguments import check_images, check_shapes, is_host
from .sampling import cleared
from .stencil import border_index

__all__ = ["jpeg_distortion"]

# The tables of annex K of the JPEG standard, for quality 50.
_LUMA = """
16 11 10 16 24 40 51 61 12 12 14 19 26 58 60 55 14 13 16 24 40 57 69 56 14 17 22 29 51 87 80 62
18 22 37 56 68 109 103 77 24 35 55 64 81 104 113 92 49 64 78 87 103 121 120 101 72 92 95 98 112 100 103 99
"""
_CHROMA = """
17 18 24 47 99 99 99 99 18 21 26 66 99 99 99 99 24 26 56 99 99 99 99 99 47 66 99 99 99 99 99 99
99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99
"""
_TABLES = np.asarray([text.split() for text in (_LUMA, _CHROMA)], np.int32).reshape(2, 8, 8)
_BITS = 13  # fractional bits in the transforms
_PASS = 2  # additional bits of values between the two transforms


def _fix(number: float, bits: int = _BITS) -> int:
    return int(number * (1 << bits) + 0.5)


def _forward() -> np.ndarray:
    """The matrix of libjpeg's forward transform of eight values ("islow"), `int32[8, 8]`: its flow graph on units."""
    x = np.eye(8, dtype=np.int64)
    t0, t1, t2, t3 = (x[k] + x[7 - k] for k in range(4))
    t7, t6, t5, t4 = (x[k] - x[7 - k] for k in range(4))
    e0, e3, e1, e2 = t0 + t3, t0 - t3, t1 + t2, t1 - t2
    z1 = (e2 + e3) * _fix(0.541196100)
    even = (e0 + e1) << _BITS, z1 + e3 * _fix(0.765366865), (e0 - e1) << _BITS, z1 - e2 * _fix(1.847759065)
    odd = _odd(t4, t5, t6, t7)[::-1]
    return np.stack([row for pair in zip(even, odd, strict=True) for row in pair]).astype(np.int32)


def _inverse() -> np.ndarray:
    x = np.eye(8, dtype=np.int64)
    z1 = (x[2] + x[6]) * _fix(0.541196100)
    t2, t3 = z1 - x[6] * _fix(1.847759065), z1 + x[2] * _fix(0.765366865)
    t0, t1 = (x[0] + x[4]) << _BITS, (x[0] - x[4]) << _BITS
    even = t0 + t3, t1 + t2, t1 - t2, t0 - t3
    odd = _odd(x[7], x[5], x[3], x[1])[::-1]
    rows = [a + b for a, b in zip(even, odd, strict=True)] + [a - b for a, b in zip(even[::-1], odd[::-1], strict=True)]
    return np.stack(rows).astype(np.int32)


def _odd(t0: Any, t1: Any, t2: Any, t3: Any) -> list[Any]:
    """The odd part, which is the same in both directions."""
    z1, z2, z3, z4 = t0 + t3, t1 + t2, t0 + t2, t1 + t3
    z5 = (z3 + z4) * _fix(1.175875602)
    z1, z2 = -z1 * _fix(0.899976223), -z2 * _fix(2.562915447)
    z3, z4 = -z3 * _fix(1.961570560) + z5, -z4 * _fix(0.390180644) + z5
    return [
        t0 * _fix(0.298631336) + z1 + z3,
        t1 * _fix(2.053119869) + z2 + z4,
        t2 * _fix(3.072711026) + z2 + z3,
        t3 * _fix(1.501321110) + z1 + z4,
    ]


_FORWARD, _INVERSE = _forward(), _inverse()


@on_any_mesh
def jpeg_distortion(images: ArrayLike, quality: ArrayLike = 50, shapes: ArrayLike | None = None) -> jax.Array:
    """The images as they look after being saved as JPEG and read again; DALI's `fn.jpeg_compression_distortion`.

    Chroma has half the resolution (4:2:0), and is interpolated when read. The numbers are those of libjpeg with its
    accurate transform, on every platform.

    Args:
        images: `uint8[N, H, W, 3]`, RGB.
        quality: 1 to 100, to which other values are clipped; a number or `[N]`.
        shapes: `int32[N, 3]` (height, width, channels) of each image on the canvas, outside of which there are zeros;
            None: every image fills it.

    Returns:
        `uint8[N, H, W, 3]`.

    Raises:
        ConfigError: images have another type or not three channels, or a shape does not fit.
    """
    images = check_images(images)
    if images.dtype != np.uint8 or images.shape[-1] != 3:
        raise ConfigError(f"images are {images.dtype} with {images.shape[-1]} channels; expected uint8 with 3.")
    if shapes is not None:
        check_shapes(shapes, images)
    if np.shape(quality) not in ((), (len(images),)):
        raise ConfigError(f"quality has shape {np.shape(quality)} for {len(images)} images; expected a number or [N].")
    height, width = images.shape[1:3]
    if 0 in images.shape:
        return images
    own = jnp.asarray([[height, width]], jnp.int32) if shapes is None else jnp.asarray(shapes)[:, :2].astype(jnp.int32)
    return _distorted(images, jnp.asarray(_quantizers(quality)), own)


def _distorted_generically(images, tables, own):
    height, width = images.shape[1:3]
    pixels = _clamped(_clamped(images, 1, own[:, 0], _up(height, 16)), 2, own[:, 1], _up(width, 16))
    luma, *chroma = _to_ycc(materialize(pixels).astype(jnp.int32))
    luma = _coded(luma, tables[:, 0])
    half = (own + 1) // 2
    made = []
    for plane in chroma:
        small = _halved(plane)
        # Below an image, the last row of subsampled chroma is repeated, not the last row of pixels.
        small = _coded(_clamped(materialize(small), 1, half[:, 0], small.shape[1]), tables[:, 1])
        made.append(_doubled(small, half))
    return cleared(_to_rgb(luma, *made)[:, :height, :width], own)


_distorted = two_ways(
    "jaxdali_jpeg_distorted",
    lambda images, *_: (images.shape, jnp.uint8),
    _distorted_generically,
    cpu_calls.jpeg_distortion,
    on_gpus=False,
)


def _up(extent: int, step: int) -> int:
    return -(-extent // step) * step


def _quantizers(quality: ArrayLike) -> jax.Array | np.ndarray:
    """The divisors for luma and chroma: `int32[N or 1, 2, 8, 8]`."""
    xp = np if is_host(quality) else jnp
    quality = xp.clip(xp.asarray(quality), 1, 100).astype(np.int32).reshape(-1)
    scale = xp.where(quality < 50, 5000 // quality, 200 - 2 * quality).reshape(-1, 1, 1, 1)
    return xp.clip((_TABLES * scale + 50) // 100, 1, 255).astype(np.int32)


def _clamped(pixels: jax.Array, axis: int, extent: jax.Array, length: int) -> jax.Array:
    """Repeats the last row of each image in all rows after it."""
    index = border_index("clamp", lax.broadcasted_iota(jnp.int32, (1, length), 1), extent)
    if len(index) == 1:
        return jnp.take(pixels, index[0], axis=axis)
    shape = [1] * pixels.ndim
    shape[0], shape[axis] = index.shape
    return jnp.take_along_axis(pixels, index.reshape(shape), axis=axis, mode="promise_in_bounds")


def _to_ycc(pixels: jax.Array) -> tuple[Array, Array, Array]:
    """Luma and chroma planes `int32[N, H, W]`, from 0 to 255."""
    red, green, blue = (pixels[..., channel] for channel in range(3))
    center = (128 << 16) + 32767
    luma = (19595 * red + 38470 * green + 7471 * blue + 32768) >> 16
    return (
        luma,
        (-11059 * red - 21709 * green + 32768 * blue + center) >> 16,
        (32768 * red - 27439 * green - 5329 * blue + center) >> 16,
    )


def _halved(plane: jax.Array) -> jax.Array:
    samples, height, width = plane.shape
    fours = plane.reshape(samples, height // 2, 2, width // 2, 2).sum(axis=(2, 4), dtype=jnp.int32)
    return (fours + 1 + jnp.arange(width // 2, dtype=jnp.int32)[None, None] % 2) >> 2


def _coded(plane: jax.Array, table: jax.Array) -> jax.Array:
    """Transforms, quantizes and restores the blocks of a plane: `int32[N, H, W]`. Edge pixels pad the last blocks."""
    samples, height, width = plane.shape
    sides = [(0, 0), *((0, _up(extent, 8) - extent) for extent in (height, width))]
    blocks = jnp.pad(plane, sides, mode="edge")
    high, wide = (extent // 8 for extent in blocks.shape[1:])
    blocks = materialize(
        blocks.reshape(samples, high, 8, wide, 8).transpose(2, 4, 0, 1, 3).reshape(8, 8, samples, high * wide)
    )
    rows = materialize(_transformed(blocks - 128, _FORWARD, 1, _BITS - _PASS))
    numbers = _transformed(rows, _FORWARD, 0, _BITS + _PASS)
    table = jnp.asarray(table).transpose(1, 2, 0)[..., None]
    eights = 8 * table
    levels = (abs(numbers) + (eights >> 1)) // eights
    back = materialize(jnp.where(numbers < 0, -levels, levels) * table)
    columns = materialize(_transformed(back, _INVERSE, 0, _BITS - _PASS))
    found = jnp.clip(_transformed(columns, _INVERSE, 1, _BITS + _PASS + 3) + 128, 0, 255)
    found = found.reshape(8, 8, samples, high, wide).transpose(2, 3, 0, 4, 1).reshape(samples, high * 8, wide * 8)
    return found[:, :height, :width]


def _transformed(blocks: jax.Array, table: np.ndarray, axis: int, bits: int) -> Array:
    """Transforms the first or second axis, and drops that many bits with rounding."""
    shape = (8, 1, 1, 1) if axis == 0 else (1, 8, 1, 1)
    total = np.int32(1 << (bits - 1))
    for k in range(8):
        total = total + lax.slice_in_dim(blocks, k, k + 1, axis=axis) * jnp.asarray(table[:, k].reshape(shape))
    return total >> bits


def _doubled(plane: jax.Array, extents: jax.Array) -> jax.Array:
    """Doubles height and width: each value is three parts of the nearest one and one part of the next nearest, along
    both axes. In narrow images, values are repeated.
    """
    samples, height, width = plane.shape
    plane = materialize(plane)
    last = extents - 1
    place = jnp.arange(height, dtype=jnp.int32)[None]
    above = _at(plane, 1, jnp.maximum(place - 1, 0))
    below = _at(plane, 1, jnp.minimum(place + 1, last[:, :1]))
    rows = materialize(jnp.stack([3 * plane + above, 3 * plane + below], axis=2).reshape(samples, 2 * height, width))
    place = jnp.arange(width, dtype=jnp.int32)[None]
    left = _at(rows, 2, jnp.maximum(place - 1, 0))
    right = _at(rows, 2, jnp.minimum(place + 1, last[:, 1:]))
    both = jnp.stack([(3 * rows + left + 8) >> 4, (3 * rows + right + 7) >> 4], axis=3)
    found = both.reshape(samples, 2 * height, 2 * width)
    plain = jnp.repeat(jnp.repeat(plane, 2, axis=1), 2, axis=2)
    return jnp.where((extents[:, 1] <= 2).reshape(-1, 1, 1), plain, found)


def _at(plane: jax.Array, axis: int, index: jax.Array) -> jax.Array:
    if len(index) == 1:
        return jnp.take(plane, index[0], axis=axis)
    shape = (*index.shape, 1) if axis == 1 else (len(index), 1, index.shape[1])
    return jnp.take_along_axis(plane, index.reshape(shape), axis=axis, mode="promise_in_bounds")


def _to_rgb(luma: jax.Array, blue: jax.Array, red: jax.Array) -> jax.Array:
    blue, red = blue[:, : luma.shape[1], : luma.shape[2]] - 128, red[:, : luma.shape[1], : luma.shape[2]] - 128
    channels = (
        luma + ((91881 * red + 32768) >> 16),
        luma + ((-22554 * blue - 46802 * red + 32768) >> 16),
        luma + ((116130 * blue + 32768) >> 16),
    )
    return jnp.clip(jnp.stack(channels, axis=-1), 0, 255).astype(jnp.uint8)
