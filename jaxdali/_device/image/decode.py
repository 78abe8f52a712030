"""Decodes the files of a batch to RGB pixels."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Literal, overload

import jax
import jax.core
import numpy as np

from jaxdali._base.batch import DEFAULT_DECODER
from jaxdali.errors import ConfigError, check_shape
from ..ffi import calls
from .call_placement import (
    CALL_SETTINGS,
    as_files,
    check_affinity,
    check_decoder,
    effective_sharding,
    map_over_batch,
)
from .decoding_log import log_decoding
from .encoded import EncodedBatch
from .failure_log import deliver, raises_on_error
from .image_arguments import check_static_integer
from .misuse import called_as

__all__ = ["decode"]


@overload
def decode(
    batch: EncodedBatch,
    canvas: tuple[int, int] | None = None,
    *,
    on_error: Literal["raise"] | None = None,
    threads: int = 0,
    decoder: str = DEFAULT_DECODER,
    jpeg_fancy_upsampling: bool = True,
    affinity: Sequence[Sequence[int]] = (),
) -> jax.Array: ...
@overload
def decode(
    batch: EncodedBatch,
    canvas: tuple[int, int] | None = None,
    *,
    on_error: Literal["zeros"],
    threads: int = 0,
    decoder: str = DEFAULT_DECODER,
    jpeg_fancy_upsampling: bool = True,
    affinity: Sequence[Sequence[int]] = (),
) -> tuple[jax.Array, jax.Array]: ...
@called_as("decode(batch, (height, width)), a canvas that holds the largest; decode_resample resizes")
def decode(
    batch: EncodedBatch,
    canvas: tuple[int, int] | None = None,
    *,
    on_error: str | None = None,
    threads: int = 0,
    decoder: str = DEFAULT_DECODER,
    jpeg_fancy_upsampling: bool = True,
    affinity: Sequence[Sequence[int]] = (),
) -> jax.Array | tuple[jax.Array, jax.Array]:
    """Decodes every image of a batch into the top left corner of a canvas.

    The pixels are those of Pillow's `ImageOps.exif_transpose(Image.open(f)).convert("RGB")`: EXIF orientation is
    applied, gray and CMYK become RGB. Works inside `jit`, `cond` and `scan`; not under `vmap`, since it takes a whole
    batch. If `batch.sharding` names several devices, each decodes its own rows and the results are sharded along the
    batch in the same way.

    Args:
        batch: `EncodedBatch` of `N` images; or of `[N, T]`, or a list of T of N, whose results have both axes.
        canvas: height and width of every result, static; None, allowed only outside `jit`, takes the largest height and
            the largest width of the batch.
        on_error: "raise": an image that cannot be decoded fails the call when it runs (`jax.errors.JaxRuntimeError`,
            which names the row and why); "zeros": its pixels are zeros and its status says why. None: "raise"; but in
            the function of a `Loader(on_error="zeros")`, zeros for images of the batches it is given, which the loader
            counts.
        threads: the most host threads to use for each device; 0: all of XLA's pool, or on a GPU all of jaxdali's own.
        decoder: the decoder on a GPU: "cuda" (jaxdali's own kernels), "hardware" (nvJPEG with the GPU's JPEG engine, if
            it has one; else "gpu"), "gpu" (nvJPEG, all of it on the GPU), "hybrid" (nvJPEG, entropy decoding on the
            host) or "cpu" (libjpeg-turbo). Files that are neither baseline nor progressive JPEGs (baseline for
            nvJPEG), or are damaged, are always decoded by libjpeg-turbo. The choice for an image depends on this
            argument and the file alone. On the CPU it is always libjpeg-turbo.
        jpeg_fancy_upsampling: interpolate chroma, as libjpeg-turbo does. Then the pixels of "cuda" are those of the
            CPU, "hardware" differs by at most 1 level, nvJPEG's other two by at most 3, and a few pixels at the lower
            edges of "gpu" vary by a level from batch to batch, with what nvJPEG decodes together. False: repeat chroma
            (on a GPU, except for files that libjpeg-turbo decodes).
        affinity: for each of those threads, the ids of the CPUs that it runs on while it decodes, the calling thread's
            first. A thread without an entry, or with an empty one, stays where it is. Static.

    Returns:
        `uint8[N, H, W, 3]`, RGB in [0, 255], zeros outside an image. With `on_error="zeros"` a pair of that and
        `int32[N]`, a `jaxdali.image.Status` for each image. An image larger than the canvas is TOO_LARGE, one whose row
        contradicts the file CORRUPT.

    Raises:
        ConfigError: an argument is out of range; `canvas` is None inside `jit`; the batch's arrays do not fit its
            sharding, or their number its `failures`; `decode` is called under `vmap`. (If `vmap` is given a batch of
            several images to map over, JAX finds that its arrays have different first axes, and raises ValueError
            before it calls anything.)
        BackendUnavailable: the compiled custom calls are missing.

    Example:
        >>> import io, PIL.Image
        >>> from jaxdali import image
        >>> PIL.Image.new("RGB", (3, 2), "gray").save(file := io.BytesIO(), "JPEG")
        >>> batch = image.EncodedBatch.from_encoded([file.getvalue()])
        >>> image.decode(batch, canvas=(3, 4))[0, :, :, 0]
        Array([[128, 128, 128,   0],
               [128, 128, 128,   0],
               [  0,   0,   0,   0]], dtype=uint8)
    """
    batch = as_files("decode", batch)
    if batch.rows.ndim == 3:
        options = {"threads": threads, "decoder": decoder, "affinity": affinity}
        decode_flat = functools.partial(decode, jpeg_fancy_upsampling=jpeg_fancy_upsampling, **options)
        made = decode_flat(batch.ravel(), canvas, on_error=on_error)
        return jax.tree.map(lambda part: part.reshape(*batch.rows.shape[:2], *part.shape[1:]), made)
    log_decoding(number := check_decoder(decoder), bool(jpeg_fancy_upsampling))
    pixels, status = _decode(
        batch.bytes,
        batch.rows,
        sharding=effective_sharding("decode", batch),
        canvas=_static_canvas(batch, canvas),
        raise_on_error=raises_on_error(batch.failures, on_error),
        threads=check_static_integer("threads", threads, 0),
        decoder=number,
        fancy_upsampling=bool(jpeg_fancy_upsampling),
        affinity=check_affinity(affinity),
    )
    return deliver(batch.failures, on_error, pixels, status)


@functools.partial(jax.jit, static_argnames=("sharding", "canvas", *CALL_SETTINGS))
def _decode(encoded, rows, *, sharding, canvas, **settings):
    call = functools.partial(calls.decode, canvas=canvas, **settings)
    return map_over_batch(call, sharding, (True, True))(encoded, rows)


def _static_canvas(batch: EncodedBatch, canvas: tuple[int, int] | None) -> tuple[int, int]:
    if canvas is None:
        if isinstance(batch.sizes, jax.core.Tracer):
            raise ConfigError(
                "canvas=None takes the largest extents of the batch, which are not known inside "
                "jit; give canvas=(height, width)."
            )
        extents = np.asarray(batch.sizes)[:, :2].max(axis=0, initial=0)
        return int(extents[0]), int(extents[1])
    try:
        height, width = canvas
    except (TypeError, ValueError):
        raise ConfigError(f"canvas must be (height, width) or None, got {canvas!r}") from None
    height, width = check_static_integer("canvas height", height, 1), check_static_integer("canvas width", width, 1)
    check_shape("canvas", (height, width, 3))
    return height, width
