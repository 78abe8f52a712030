"""The custom calls on files and recipes, and those that draw, as Python functions: shapes in, arrays out.

`pixel_calls.py` has those on pixels that CPUs and GPUs have, `cpu_calls.py` those that only CPUs have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxdali.errors import ConfigError
from . import load
from .compat import varying_like
from .unsupported_platforms import refuse_elsewhere

__all__ = [
    "DECODE_RESAMPLE_TARGET",
    "DECODE_TARGET",
    "IMAGES_TARGET",
    "decode",
    "decode_resample",
    "images",
    "resized_crop_window",
    "threefry",
]

DECODE_TARGET = "jaxdali_decode_v1"
DECODE_RESAMPLE_TARGET = "jaxdali_decode_resample_v1"
IMAGES_TARGET = "jaxdali_images_v1"
_THREEFRY_TARGET = "jaxdali_threefry_v1"
_WINDOW_TARGET = "jaxdali_resized_crop_window_v1"


def decode(
    encoded: jax.Array,
    rows: jax.Array,
    *,
    canvas: tuple[int, int],
    raise_on_error: bool,
    threads: int,
    decoder: int,
    fancy_upsampling: bool,
    affinity: Sequence[Sequence[int]],
) -> tuple[jax.Array, jax.Array]:
    """Binds `jaxdali_decode_v1`: decodes the images of one device's shard.

    Args:
        encoded: `uint8[1, capacity]`, the files; in host memory (on a GPU: memory kind `pinned_host`).
        rows: `int32[N, 8]`, columns as `jaxdali.image.Row`.
        canvas: height and width of each result.
        raise_on_error: whether a row that is not OK fails the call; the error names the row.
        threads: most host threads to use; 0 = as many as XLA's pool has.
        decoder: on a GPU, index in `jaxdali._base.batch.DECODERS` of the decoder to use.
        fancy_upsampling: on a GPU, whether chroma is interpolated.
        affinity: for each of those threads, the ids of the CPUs it may run on while it works, the calling thread's
            first; empty: it stays where it is.

    Returns:
        pixels: `uint8[N, H, W, 3]`, RGB; zeros outside each image and for rows that are not OK.
        status: `int32[N]`, one `jaxdali.image.Status` per row.
    """
    load.register_targets()
    count = rows.shape[0]
    call = jax.ffi.ffi_call(
        DECODE_TARGET,
        (
            varying_like(rows, (count, *canvas, 3), jnp.uint8),
            varying_like(rows, (count,), jnp.int32),
        ),
        vmap_method=None,  # never reached: `_refuse_vmap` raises first
    )
    attributes = _decoding_attributes(raise_on_error, threads, decoder, fancy_upsampling, affinity)

    def bind(encoded, rows):
        return call(
            encoded,
            refuse_elsewhere(rows, "decode"),
            **attributes,
        )

    return _refuse_vmap(
        bind,
        "jaxdali.image.decode works on a whole batch and cannot be mapped by jax.vmap: decode "
        "before vmap, and map over the pixels.",
    )(encoded, rows)


def decode_resample(
    encoded: jax.Array,
    rows: jax.Array,
    windows: jax.Array,
    flips: jax.Array,
    table: jax.Array,
    *,
    size: tuple[int, int],
    channels_first: bool,
    raise_on_error: bool,
    threads: int,
    decoder: int,
    fancy_upsampling: bool,
    affinity: Sequence[Sequence[int]],
) -> tuple[jax.Array, jax.Array]:
    """Binds `jaxdali_decode_resample_v1`: decodes windows of one device's shard and resizes them.

    Args:
        encoded: `uint8[1, capacity]`, the files; in host memory, as for `decode`.
        rows: `int32[N, 8]`, columns as `jaxdali.image.Row`.
        windows: `int32[N, 4]`: top, left, height, width in pixels of the image as displayed.
        flips: `bool[N]`; whether to mirror the result left to right.
        table: `T[1, 3, 256]` or `T[N, 3, 256]`: the value that replaces each level of each channel. `T` has 1, 2 or
            4 bytes.
        size: height and width of each result.
        channels_first: whether channels are an image's first axis, else its last.
        raise_on_error, threads, decoder, fancy_upsampling, affinity: as for `decode`.

    Returns:
        images: `T[N, h, w, 3]`, or `T[N, 3, h, w]`; zeros for rows that are not OK.
        status: `int32[N]`, one `jaxdali.image.Status` per row.
    """
    load.register_targets()
    count = rows.shape[0]
    extents = (3, *size) if channels_first else (*size, 3)
    call = jax.ffi.ffi_call(
        DECODE_RESAMPLE_TARGET,
        (
            jax.ShapeDtypeStruct((count, *extents), table.dtype),
            jax.ShapeDtypeStruct((count,), jnp.int32),
        ),
        vmap_method=None,  # never reached: `_refuse_vmap` raises first
    )
    attributes = _decoding_attributes(raise_on_error, threads, decoder, fancy_upsampling, affinity)

    def bind(encoded, rows, *operands):
        return call(
            encoded,
            refuse_elsewhere(rows, "decode_resample"),
            *operands,
            **attributes,
            channels_first=np.bool_(channels_first),
        )

    return _refuse_vmap(
        bind,
        "jaxdali.image.decode_resample works on a whole batch and cannot be mapped by jax.vmap: call "
        "it before vmap, and map over its result.",
    )(encoded, rows, windows, flips, table)


def images(
    data: jax.Array,
    info: jax.Array,
    recipes: Sequence[tuple[jax.Array, jax.Array, jax.Array, jax.Array]],
    outputs: Sequence[jax.ShapeDtypeStruct],
    *,
    source: int,
    color: int = 0,
    channels: int = 3,
    bits: int = 8,
    channels_first: Sequence[bool],
    raise_on_error: bool,
    threads: int,
    decoder: int,
    fancy_upsampling: bool,
    affinity: Sequence[Sequence[int]],
) -> tuple[list[jax.Array], jax.Array]:
    """Binds `jaxdali_images_v1`: computes several results from each image of one source.

    Args:
        data: files, `uint8[1, capacity]`, in host memory, as for `decode`; or a canvas, `[N, H, W, C]` of int8, int16,
            int32, uint8, uint16, float16, bfloat16 or float32.
        info: for files, their rows, `int32[N, 8]`; for a canvas, each image's height, width and channels,
            `int32[N, 3]`, zeros for an image that failed.
        recipes: the operands of each result; the numbers in them are those of `recipes`:
            geometry, `int32[N, 17]`;
            regions, `float32[N, 4]`: y_lo, y_hi, x_lo, x_hi, in pixels of the (mirrored) hard window; this soft
            window is what is resized to the extents;
            instructions, `int32[S]`, S from 1 to 64; and constants, `float32[1 or N, S, k]`.
        outputs: for each result its shape, `[N, h, w, C]` or `[N, C, h, w]`, and its dtype.
        source: 0 files, 1 a canvas.
        color: for files: 0 RGB, 1 gray, 2 whatever each file has.
        channels: for files: 3 for RGB, 1 for gray, else 1 to 4; channels that a file lacks are zeros, and a file with
            more is TOO_LARGE.
        bits: for files, 8 or 16: their images are uint8 or uint16; 255 and 65535 are the same level.
        channels_first: for each result, whether channels are an image's first axis, else its last.
        raise_on_error, threads, decoder, fancy_upsampling, affinity: as for `decode`.

    Returns:
        results: shaped as `outputs`; zeros for images that are not OK.
        status: `int32[N]`, one `jaxdali.image.Status` per image.
    """
    load.register_targets()
    status = jax.ShapeDtypeStruct((info.shape[0],), jnp.int32)
    call = jax.ffi.ffi_call(
        IMAGES_TARGET,
        (*outputs, status),
        vmap_method=None,  # never reached: `_refuse_vmap` raises first
    )
    attributes = _decoding_attributes(raise_on_error, threads, decoder, fancy_upsampling, affinity)

    def bind(*operands):
        return call(
            *operands,
            **attributes,
            source=np.int32(source),
            color=np.int32(color),
            channels=np.int32(channels),
            bits=np.int32(bits),
            channels_first=np.array(channels_first, np.int32),
        )

    *results, status = _refuse_vmap(
        bind,
        "jaxdali's call on images works on a whole batch and cannot be mapped by jax.vmap: call it before vmap, "
        "and map over its results.",
    )(data, info, *(operand for recipe in recipes for operand in recipe))
    return results, status


def threefry(
    keys: ArrayLike, first: ArrayLike, second: ArrayLike, shape: tuple[int, int, int], *, counted: bool
) -> jax.Array:
    """Binds `jaxdali_threefry_v1`: folds words into keys, as `jax.random.fold_in` does.

    Args:
        keys: `uint32[1 or N, 2]`.
        first: `uint32[1 or N, 1, k]`, words that are folded in one after the other.
        second: `uint32[1 or N, 1 or M, k]`, folded in next.
        shape: `[N, M, 2]` to get keys, or `[N, M, 1]` to get only their first words.
        counted: whether the number of the draw, 0 to M - 1, is folded in last.
    """
    load.register_targets()
    call = jax.ffi.ffi_call(_THREEFRY_TARGET, jax.ShapeDtypeStruct(shape, jnp.uint32))
    return call(keys, first, second, counted=np.bool_(counted))


def resized_crop_window(keys: jax.Array, sizes: jax.Array, table: np.ndarray, **bounds: int) -> jax.Array:
    """Binds `jaxdali_resized_crop_window_v1`: the random windows of `jaxdali.random`.

    Args:
        keys: `uint32[N, 2]`.
        sizes: `int32[N, 2 or more]`: height, width, ...
        table: `uint32[2, 4096]`: square roots of 1 / ratio and of the aspect ratio, with 16 binary places.
        bounds: stream, area_low, area_high (with 30 binary places), low_numerator, low_denominator, high_numerator,
            high_denominator (of the aspect ratio), attempts; all uint32.

    Returns:
        `int32[N, 4]`: top, left, height, width.
    """
    load.register_targets()
    call = jax.ffi.ffi_call(_WINDOW_TARGET, jax.ShapeDtypeStruct((keys.shape[0], 4), jnp.int32))
    return call(keys, sizes, table, **{name: np.uint32(value) for name, value in bounds.items()})


def _decoding_attributes(
    raise_on_error: bool, threads: int, decoder: int, fancy_upsampling: bool, affinity: Sequence[Sequence[int]]
) -> dict[str, Any]:
    """Returns the attributes that all calls have which decode; `decode` describes them."""
    return {
        "raise_on_error": np.bool_(raise_on_error),
        "threads": np.int32(threads),
        "decoder": np.int32(decoder),
        "fancy_upsampling": np.bool_(fancy_upsampling),
        # For each thread the number of its CPUs, followed by their ids.
        "affinity": np.array([word for cpus in affinity for word in (len(cpus), *cpus)], np.int32),
    }


def _refuse_vmap(function: Callable, message: str) -> Callable:
    """Makes `jax.vmap` of a function raise one sentence.

    Without a rule, JAX would complain about a primitive that no user has heard of. A custom rule is the public way
    to intercept the call.
    """
    wrapped = jax.custom_batching.custom_vmap(function)

    @wrapped.def_vmap
    def _rule(axis_size, in_batched, *operands):
        raise ConfigError(message)

    return wrapped
