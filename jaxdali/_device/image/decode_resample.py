"""Decodes a window of each file and resizes, mirrors and normalises it, in one pass."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any, Literal, overload

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from jax.typing import DTypeLike

from jaxdali._base.batch import DECODERS, DEFAULT_DECODER
from jaxdali.errors import ConfigError
from .call_placement import as_files, check_affinity, check_decoder
from .convert import check_dtype, round_to_dtype
from .decoding_log import log_decoding
from .encoded import EncodedBatch
from .exact_arithmetic import to_float32
from .failure_log import deliver, raises_on_error
from .image_arguments import check_number, check_size, check_static_integer, is_host, warn_of_scale
from .image_arrays import evaluate
from .image_normalize import check_moments
from .images import Images
from .misuse import called_as
from .pixel_program import PIXEL_DTYPES
from .stacked_images import unstacked

__all__ = ["decode_resample"]

_CHANNELS = 3
# Arguments that may differ between images, and how many axes they have for one.
_RANKS = {"window": 1, "flip": 0, "mean": 1, "std": 1}


@overload
def decode_resample(
    batch: EncodedBatch,
    window: npt.ArrayLike | None,
    size: tuple[int, int],
    *,
    flip: npt.ArrayLike | None = None,
    mean: npt.ArrayLike | None = None,
    std: npt.ArrayLike | None = None,
    scale: npt.ArrayLike = 1.0,
    shift: npt.ArrayLike = 0.0,
    dtype: DTypeLike | None = None,
    layout: str = "HWC",
    on_error: Literal["raise"] | None = None,
    threads: int = 0,
    decoder: str = DEFAULT_DECODER,
    jpeg_fancy_upsampling: bool = True,
    affinity: Sequence[Sequence[int]] = (),
) -> jax.Array: ...
@overload
def decode_resample(
    batch: EncodedBatch,
    window: npt.ArrayLike | None,
    size: tuple[int, int],
    *,
    flip: npt.ArrayLike | None = None,
    mean: npt.ArrayLike | None = None,
    std: npt.ArrayLike | None = None,
    scale: npt.ArrayLike = 1.0,
    shift: npt.ArrayLike = 0.0,
    dtype: DTypeLike | None = None,
    layout: str = "HWC",
    on_error: Literal["zeros"],
    threads: int = 0,
    decoder: str = DEFAULT_DECODER,
    jpeg_fancy_upsampling: bool = True,
    affinity: Sequence[Sequence[int]] = (),
) -> tuple[jax.Array, jax.Array]: ...
@called_as(
    "decode_resample(batch, windows, (height, width)); windows may be None, for whole images. Other filters than the "
    "triangular one are those of image.open(batch).resized_crop(windows, (height, width), filter=)"
)
def decode_resample(
    batch: EncodedBatch,
    window: npt.ArrayLike | None,
    size: tuple[int, int],
    *,
    flip: npt.ArrayLike | None = None,
    mean: npt.ArrayLike | None = None,
    std: npt.ArrayLike | None = None,
    scale: npt.ArrayLike = 1.0,
    shift: npt.ArrayLike = 0.0,
    dtype: DTypeLike | None = None,
    layout: str = "HWC",
    on_error: str | None = None,
    threads: int = 0,
    decoder: str = DEFAULT_DECODER,
    jpeg_fancy_upsampling: bool = True,
    affinity: Sequence[Sequence[int]] = (),
) -> jax.Array | tuple[jax.Array, jax.Array]:
    """Decodes a window of each image, resizes it, and mirrors and normalises the result.

    The result is, bit for bit, that of `decode`, `crop`, `resize`, `flip` and `normalize` one after the other,
    including the rounding of the resized window to uint8; but it decodes no more than the window needs and stores
    nothing in between. Works inside `jit`, `cond` and `scan`; not under `vmap`, since it takes a whole batch. If
    `batch.sharding` names several devices, each decodes its own rows and the results are sharded along the batch in the
    same way.

    Args:
        batch: `EncodedBatch` of `N` images; or of `[N, T]`, or a list of T of N. Then results have both axes, and what is
            `[N, ...]` below may also be `[N, T, ...]`.
        window: `int32[N, 4]`, (top, left, height, width) in pixels of each image as it is shown, after EXIF
            orientation; or one `[4]` for all; None: the whole images. See `jaxdali.random.resized_crop_window`.
        size: (height, width) of each result in pixels, static.
        flip: a flag, scalar or `[N]`: whether to mirror left to right. None: no.
        mean: in units of levels, 0 to 255; a scalar, one value per channel `[3]` (or `[1]`), or `[N, 3]` (`[N, 1]`).
            None: 0.
        std: of the same shapes, not 0. None: 1.
        scale: a scalar: the result is `(level - mean) * (scale / std) + shift`, computed like `normalize`.
        shift: a scalar, added last.
        dtype: that of the result, at most 32 bits. None: uint8 if neither mean nor std is given, else float32.
        layout: "HWC" or "CHW".
        on_error: "raise": an image that cannot be decoded fails the call when it runs (`jax.errors.JaxRuntimeError`,
            which names the row and why); "zeros": its result is zeros and its status says why. None: "raise", or what a
            Loader that gave the batch does with failures.
        threads: the most host threads to use for each device; 0: all of XLA's pool, or on a GPU all of jaxdali's own.
        decoder: the decoder on a GPU: "cuda", "hardware", "gpu", "hybrid" or "cpu"; `decode` describes them.
        jpeg_fancy_upsampling: interpolate chroma, as libjpeg-turbo does. False: repeat chroma (on a GPU).
        affinity: for each of those threads, the ids of the CPUs that it runs on while it decodes, the calling thread's
            first. Static.

    Returns:
        `dtype[N, h, w, 3]`, or `dtype[N, 3, h, w]` for "CHW". With `on_error="zeros"` a pair of that and `int32[N]`, a
        `jaxdali.image.Status` for each image. A window that is not within its image is TOO_LARGE. A file whose data end
        early is TRUNCATED whatever the window is; other damage below the window is not detected.

    Raises:
        ConfigError: an argument is out of range or has another shape; the batch's arrays do not fit its sharding, or
            their number its `failures`; `decode_resample` is called under `vmap`. (If `vmap` is given a batch of
            several images to map over, JAX finds that its arrays have different first axes, and raises ValueError
            before it calls anything.)
        BackendUnavailable: the compiled custom calls are missing.

    Example:
        >>> import io, PIL.Image
        >>> from jaxdali import image
        >>> PIL.Image.new("RGB", (8, 6), "white").save(file := io.BytesIO(), "JPEG")
        >>> batch = image.EncodedBatch.from_encoded([file.getvalue()])
        >>> image.decode_resample(batch, (0, 0, 6, 6), (1, 2), mean=127.5, std=127.5)[0]
        Array([[[1., 1., 1.],
                [1., 1., 1.]]], dtype=float32)
    """
    batch = as_files("decode_resample", batch)
    if batch.rows.ndim == 3:
        return _of_stacked(batch, locals())
    warn_of_scale(mean, std, scale, np.dtype(np.uint8))
    if layout not in ("HWC", "CHW"):
        raise ConfigError(f"layout is {layout!r}; expected 'HWC' or 'CHW'.")
    target = check_dtype((jnp.uint8 if mean is None and std is None else jnp.float32) if dtype is None else dtype)
    if target.itemsize > 4:
        raise ConfigError(f"dtype is {target}; expected one of at most 32 bits.")
    samples = len(batch)
    moments = (0.0 if mean is None else mean, 1.0 if std is None else std, scale, shift)
    check_moments(*moments, samples, _CHANNELS)
    log_decoding(check_decoder(decoder), bool(jpeg_fancy_upsampling))
    images, status = _decode_resample(
        batch,
        _checked_window(batch, window),
        _checked_flip(samples, flip),
        tuple(map(to_float32, moments)),
        size=check_size(size),
        dtype=target,
        layout=layout,
        raises=raises_on_error(batch.failures, on_error),
        options=(
            ("threads", check_static_integer("threads", threads, 0)),
            ("decoder", DECODERS[check_decoder(decoder)]),
            ("jpeg_fancy_upsampling", bool(jpeg_fancy_upsampling)),
            ("affinity", check_affinity(affinity)),
        ),
    )
    return deliver(batch.failures, on_error, images, status)


def _of_stacked(batch: EncodedBatch, given: dict[str, Any]) -> Any:
    shape = batch.rows.shape[:2]
    given |= {name: unstacked(given[name], rank, shape, name) for name, rank in _RANKS.items()}
    made = decode_resample(**{**given, "batch": batch.ravel()})
    return jax.tree.map(lambda part: part.reshape(*shape, *part.shape[1:]), made)


@functools.partial(jax.jit, static_argnames=("size", "dtype", "layout", "raises", "options"))
def _decode_resample(batch, window, flip, moments, *, size, dtype, layout, raises, options):
    images = Images.open(dataclasses.replace(batch, failures=None), **dict(options))
    if window is not None:
        images = images.cut(window + batch.sizes[:, :1] * 0)
    mean, std, scale, shift = moments
    stored = dtype if dtype in PIXEL_DTYPES else np.dtype(np.float32)
    made = (
        images.resample(size).flip(flip).normalize(mean, std, scale=scale, shift=shift, dtype=stored).to_layout(layout)
    )
    (result,), status = evaluate([made], [None], "raise" if raises else "zeros")
    return round_to_dtype(result, dtype), status


def _checked_window(batch: EncodedBatch, window):
    """Returns the windows as `int32[N, 4]` or `[1, 4]`."""
    if window is None:
        return None
    window = np.asarray(window) if is_host(window) else window
    if window.shape not in ((4,), (len(batch), 4)):
        raise ConfigError(
            f"window has shape {window.shape} for {len(batch)} images; expected [N, 4] (top, left, height, width), "
            "or [4] for all."
        )
    if window.dtype.kind not in "iu":
        raise ConfigError(f"window is {window.dtype}; expected whole pixels (integers).")
    return window.reshape(-1, 4).astype(np.int32)


def _checked_flip(samples: int, flip):
    """Returns the flags as an integer array, a scalar or `[N]`."""
    if flip is None:
        return np.int32(0)
    check_number(flip, "flip")
    if np.shape(flip) not in ((), (samples,)):
        raise ConfigError(
            f"flip has shape {np.shape(flip)} for {samples} images; expected a scalar or one per sample, [N]."
        )
    return (flip if isinstance(flip, jax.Array) else np.asarray(flip)).astype(np.bool_).astype(np.int32)
