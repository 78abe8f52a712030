"""Creates images that are evaluated lazily, in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from jax.typing import ArrayLike, DTypeLike

from jaxdali._base.batch import DEFAULT_DECODER
from .encoded import EncodedBatch
from .image_arrays import evaluate_logged
from .images import Images
from .recipe import Size

__all__ = ["arrays", "open"]


def open(
    batch: EncodedBatch | ArrayLike,
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

    Args:
        batch: `EncodedBatch` of `N` images; or pixels `[N, H, W, C]`.
        shapes: of pixels, `int32[N, 3]` (height, width, channels) of each image in the canvas' top left corner; None:
            each fills it. An image without pixels, or larger than the canvas, has failed before: it becomes zeros.
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
        `Images`, whose operations give `Images` again; `array` and `jaxdali.image.arrays` compute the pixels.

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
    if not isinstance(batch, EncodedBatch) and getattr(batch, "ndim", 0) == 4:
        return Images.of(batch, shapes)
    options = {"decoder": decoder, "jpeg_fancy_upsampling": jpeg_fancy_upsampling, "threads": threads}
    return Images.open(batch, color=color, channels=channels, dtype=dtype, canvas=canvas, affinity=affinity, **options)


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
    return evaluate_logged(images, (None,) * len(images) if canvases is None else canvases, on_error)
