"""Creates images that are evaluated lazily, in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from jax.typing import ArrayLike, DTypeLike

from jaxdali._base.batch import DEFAULT_DECODER
from .call_placement import as_files
from .encoded import EncodedBatch
from .images import Images
from .recipe import Size
from .stacked_images import arrays_of, stacked, unstacked

__all__ = ["arrays", "open"]


def open(
    batch: EncodedBatch | Sequence[EncodedBatch] | ArrayLike,
    shapes: ArrayLike | None = None,
    *,
    color: str = "RGB",
    channels: int | None = None,
    dtype: DTypeLike = np.uint8,
    canvas: Size | None = None,
    decoder: str = DEFAULT_DECODER,
    jpeg_fancy_upsampling: bool = True,
    threads: int = 0,
    affinity: Sequence[Sequence[int]] = (),
) -> Images:
    """Images to which you apply operations; they are computed when arrays are asked for, in one pass over each image::

        images = jaxdali.image.open(batch["image"])
        pixels = images.resize(resize_shorter=256).crop(224, 224).flip(flags).normalize(mean, std).array()

    Only what the result needs is decoded. The pixels are, bit for bit, those of the same functions one after the other.
    Works inside `jit`, `cond` and `scan`. The result is not a JAX value, so such a function cannot return it: call
    `array`.

    An image that does not contain a window that is cut out of it is TOO_LARGE, whatever was done to it before. Like a
    file that cannot be decoded it fails its call, or becomes zeros, as `on_error` of `array` says. What is known to be
    out of bounds while tracing is a ConfigError. Only under `vmap`, and on platforms other than CPUs and GPUs, nothing
    can fail a call: `on_error="zeros"` gives the statuses there, too.

    A batch of `[N, T]` files, such as the frames of N clips or several views of each sample, gives arrays with both axes,
    `[N, T, H, W, C]`, and statuses `[N, T]`. What an operation takes for each image, such as windows, may then be for each
    sample, `int32[N, 4]`, or for each file, `int32[N, T, 4]`. All files are read in one call.

    Args:
        batch: `EncodedBatch` of `N` images, or of `[N, T]`; or a list of T of N, as a Loader makes of a list of files, see
            `EncodedBatch.stack`; or pixels `[N, H, W, C]`, or `[N, T, H, W, C]`, such as N clips of T frames.
        shapes: of pixels, `int32[N, 3]` (height, width, channels) of each image in the canvas' top left corner, or of each
            frame `int32[N, T, 3]`; None: each fills it. An image without pixels, or larger than the canvas, has failed
            before: it becomes zeros.
        color: of files, "RGB", "GRAY" (one channel, the file's own luma), or "ANY": the channels that each file has
            (gray, gray and alpha, RGB, or RGB and alpha), whose number `shapes` gives, followed by zeros. Only the CPU
            supports others than RGB so far.
        channels: of "ANY", 1 to 4: an image that has more is TOO_LARGE.
        dtype: that of the pixels of files, uint8 or (on the CPU) uint16. As uint16, files of 8 bits per channel are
            scaled to 16 bits, and others keep their values; as uint8, 16 bits are rounded to the nearest level.
        canvas: (height, width) of at least the largest image. On platforms other than the CPU, chains other than a
            single resized window decode whole images to it.
        decoder: of files, the decoder on a GPU: "cuda", "hardware", "gpu", "hybrid" or "cpu"; `decode` describes them.
        jpeg_fancy_upsampling: of files, interpolate chroma, as libjpeg-turbo does. False: repeat chroma (on a GPU).
        threads: of files, the most host threads to use for each device; 0: all of XLA's pool, or on a GPU all of
            jaxdali's own.
        affinity: of files, for each of those threads, the ids of the CPUs that it runs on while it decodes, the calling
            thread's first. Static.

    Returns:
        `Images`, whose operations give `Images` again; `array` and `jaxdali.image.arrays` compute the pixels. Of `[N, T]`
        files, or frames, they are `StackedImages`.

    Raises:
        ConfigError: an argument is out of range, or the batch is mapped by `vmap`.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> pixels = np.arange(16, dtype=np.uint8).reshape(1, 4, 4, 1)
        >>> image.open(pixels).crop(2, 2).flip().array()[0, :, :, 0]
        Array([[ 6,  5],
               [10,  9]], dtype=uint8)
    """
    pixels: Any = batch
    if not isinstance(batch, EncodedBatch) and getattr(pixels, "ndim", 0) == 4:
        return Images.of(pixels, shapes)
    if not isinstance(batch, EncodedBatch) and getattr(pixels, "ndim", 0) == 5:
        samples, frames = pixels.shape[:2]
        own = None if shapes is None else unstacked(shapes, 1, (samples, frames), "shapes")
        return stacked(Images.of(pixels.reshape(samples * frames, *pixels.shape[2:]), own), frames)
    files = as_files("open", batch)
    options = {"decoder": decoder, "jpeg_fancy_upsampling": jpeg_fancy_upsampling, "threads": threads}
    options |= {"color": color, "channels": channels, "dtype": dtype, "canvas": canvas, "affinity": affinity}
    images = Images.open(files.ravel(), **options)
    return images if files.rows.ndim == 2 else stacked(images, files.rows.shape[1])


def arrays(*images: Images, canvases: Sequence[Size | None] | None = None, on_error: str | None = None) -> Any:
    """The pixels of several images made from one `open`: each file is read once.

    Args:
        *images: `Images` of the same N files or pixels.
        canvases: for each (height, width) of its array, at least that of its largest image, or None, which outside of
            jit stands for the largest extents. None: none is given.
        on_error: "raise": an image that fails, fails the call; "zeros": its pixels are zeros and its status says why.
            None: "raise"; but a Loader may have it otherwise for files, as `jaxdali.image.decode` explains.

    Returns:
        A list of arrays, `dtype[N, H, W, C]` or `[N, C, H, W]`. With `on_error="zeros"` a pair of that and `int32[N]`,
        a `jaxdali.image.Status` for each image.

    Raises:
        ConfigError: the images come from several calls of `open`.

    Example:
        >>> import numpy as np
        >>> from jaxdali import image
        >>> images = image.open(np.zeros((2, 8, 8, 3), np.uint8))
        >>> small, strip = image.arrays(images.resize(size=(4, 4)), images.crop(8, 2))
        >>> small.shape, strip.shape
        ((2, 4, 4, 3), (2, 8, 2, 3))
    """
    return arrays_of(images, (None,) * len(images) if canvases is None else canvases, on_error)
