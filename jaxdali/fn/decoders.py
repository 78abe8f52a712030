"""Decoders: files in, images out."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from .. import types
from ..batch import DECODERS
from ..errors import ConfigError, GraphError, check_integer, check_shape
from ..executor.failures import check_on_error
from ..missing import explain_missing
from ..pipeline.fusion import Decoding, Planned, Step, Undecoded
from ..pipeline.inputs import ON_GPU
from ..pipeline.node import DataNode
from ..pipeline.presize import check_hint
from ..pipeline.recording import recorded
from ..pipeline.trace import add_operator
from ..pipeline.value import BatchValue, EncodedValue
from .arguments import check_unsupported, one_of
from .windows import RandomWindow

__all__ = ["image", "image_random_crop"]

_BY_FILE = 'which decoder an image gets follows from the file and from decoder= ("hardware", "gpu", "hybrid" or "cpu")'
_GROWS = "memory for decoding grows to what the batches need, and stays; see decode_memory= of Pipeline"
_AXES = ("height", "width")
_NO_CACHE = "decoded images are not cached; keep them in the source"
_UNSUPPORTED: dict[str, tuple[Any, str]] = {
    "output_type": (types.RGB, "images are decoded to RGB; convert them afterwards"),
    "dtype": (types.UINT8, "images are decoded to uint8; convert them with the operator that follows"),
    "adjust_orientation": (True, "EXIF orientation is always applied"),
    "affine": (True, "threads belong to XLA"),
    "use_fast_idct": (False, "the accurate inverse transform is used, so that pixels equal Pillow's"),
    "hybrid_huffman_threshold": (1000000, _BY_FILE),
    "hw_decoder_load": (0.65, _BY_FILE),
    "device_memory_padding": (16777216, _GROWS),
    "host_memory_padding": (8388608, _GROWS),
    "device_memory_padding_jpeg2k": (0, _GROWS),
    "host_memory_padding_jpeg2k": (0, _GROWS),
    "preallocate_width_hint": (0, _GROWS),
    "preallocate_height_hint": (0, _GROWS),
    "cache_size": (0, _NO_CACHE),
    "cache_threshold": (0, _NO_CACHE),
    "cache_type": ("", _NO_CACHE),
    "cache_batch_copy": (True, _NO_CACHE),
    "cache_debug": (False, _NO_CACHE),
}


@recorded("fn.decoders.image")
def image(
    data: DataNode,
    *,
    canvas: Sequence[int] | None = None,
    on_error: str | None = None,
    decoder: str = "hardware",
    jpeg_fancy_upsampling: bool = True,
    device: str = "cpu",
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> DataNode:
    """Decodes images to RGB, `uint8[H, W, 3]`, layout "HWC"; DALI's `fn.decoders.image`.

    JPEG (baseline and progressive, gray, CMYK), PNG, WebP, BMP and TIFF; EXIF orientation is applied. On the CPU the
    pixels are those of Pillow's `Image.open(file).convert("RGB")`. Files of more than 8 bits a channel, and of other
    formats, are UNSUPPORTED: return arrays from your source.

    Args:
        data: an output of `external_source` or `readers.file`: files as `uint8[n]`.
        canvas: (height, width) of the padded array that the images of every batch are decoded to. Iterators then give the
            output, and what is made of it without another size, as a pair: `[N, height, width, 3]`, each image in the top
            left corner, and its shape, `int32[N, 3]`. A larger image is TOO_LARGE, which `on_error` is for. Iterators over
            several devices need it for images that keep their sizes. None: as large as each batch wants it. With a canvas,
            images are decoded whole whatever follows.
        on_error: "raise": a file that cannot be decoded is a DecodeError, and its batch is not handed out; "zeros": its
            image and all outputs made of it are zeros, the failure is counted in `Pipeline.stats`, and the first ten of
            a pipeline are named in warnings of the logger "jaxdali". None: as the
            pipeline's `on_error` says. The image has the extents that its header tells, or else those of the others in
            the batch if they agree, or none.
        decoder: who decodes on a GPU: "hardware", "gpu", "hybrid" or "cpu"; see `jaxdali.image.decode`.
        jpeg_fancy_upsampling: interpolate chroma, as libjpeg-turbo does; on a GPU False repeats it. DALI's default is
            False.
        device: "cpu" or "mixed" (files on the host, images on the pipeline's device).
        dali: DALI's other arguments, with the values that describe how it is done here; others are refused. And
            `bytes_per_sample_hint`: bytes of a decoded image, on average in a batch: so much memory of a GPU is there for
            each batch that is decoded ahead, from the beginning and within `decode_memory`.

    Raises:
        GraphError: `data` does not come straight from a source.
        ConfigError: an argument cannot be honoured.
    """
    _check("image", data, device, dali, preserve)
    decoding = _decoding("decoders.image", canvas, on_error, decoder, jpeg_fancy_upsampling, dali)

    def evaluate(context: Any, inputs: list[EncodedValue], _: dict[str, Any]) -> BatchValue:
        return _decode(context, inputs[0], decoding)

    settings = Step(_plan(decoding), lambda _context, images, _arguments: images, decoding)
    return add_operator("decoders.image", evaluate, [data], device=device, name=name, settings=settings).node()


@recorded("fn.decoders.image_random_crop")
def image_random_crop(
    data: DataNode,
    *,
    random_area: Sequence[float] = (0.08, 1.0),
    random_aspect_ratio: Sequence[float] = (3 / 4, 4 / 3),
    num_attempts: int = 10,
    seed: int | None = None,
    canvas: Sequence[int] | None = None,
    on_error: str | None = None,
    decoder: str = "hardware",
    jpeg_fancy_upsampling: bool = True,
    device: str = "cpu",
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> DataNode:
    """Decodes a random window of each image to RGB; DALI's `fn.decoders.image_random_crop`.

    Windows differ in size. Where `fn.resize` with a fixed size follows, only the windows are decoded.

    Args:
        data: an output of `external_source`: files as `uint8[n]`.
        random_area: (smallest, largest) fraction of the image that the window covers.
        random_aspect_ratio: (smallest, largest) width / height of the window.
        num_attempts: windows to draw before the largest one that fits is taken; see
            `jaxdali.random.resized_crop_window`.
        seed: a stream of its own, see `fn.random.uniform`.
        canvas: as of `image`; the images are to fit, of which the windows are parts.
        on_error, decoder, jpeg_fancy_upsampling: as of `image`.
        device: "cpu" or "mixed".
        dali: DALI's other arguments, with the values that describe how it is done here; others are refused. And
            `bytes_per_sample_hint`: bytes of a decoded image, on average in a batch: so much memory of a GPU is there for
            each batch that is decoded ahead, from the beginning and within `decode_memory`.

    Raises:
        GraphError: `data` does not come straight from a source.
        ConfigError: an argument cannot be honoured.
    """
    _check("image_random_crop", data, device, dali, preserve)
    decoding = _decoding("decoders.image_random_crop", canvas, on_error, decoder, jpeg_fancy_upsampling, dali)
    draw = RandomWindow.of("decoders.image_random_crop", random_area, random_aspect_ratio, num_attempts, seed)

    def evaluate(context: Any, inputs: list[EncodedValue], _: dict[str, Any]) -> BatchValue:
        import jax.numpy as jnp

        from ..image import crop_windows

        images = _decode(context, inputs[0], decoding)
        shapes = images.image_shapes()
        windows = draw(context, operator, shapes)
        cut = crop_windows(images.data, windows, images.shapes)
        return BatchValue(cut, jnp.concatenate([windows[:, 2:], shapes[:, 2:]], axis=1), "HWC")

    def apply(context: Any, images: Undecoded, _: dict[str, Any]) -> Undecoded:
        return images.cut(draw(context, operator, images.extents))

    settings = Step(_plan(decoding), apply, decoding)
    operator = add_operator(
        "decoders.image_random_crop", evaluate, [data], device=device, name=name, draws=True, settings=settings
    )
    return operator.node()


def _check(kind: str, data: Any, device: str, dali: dict[str, Any], preserve: bool) -> None:
    known = {**_UNSUPPORTED, "preserve": (False, "return the node")}
    if kind == "image_random_crop":
        known = {name: value for name, value in known.items() if not name.startswith("cache_")}
    arguments = ("canvas", "on_error", "decoder", "jpeg_fancy_upsampling")
    if kind == "image_random_crop":
        arguments += ("random_area", "random_aspect_ratio", "num_attempts", "seed")
    check_unsupported(f"decoders.{kind}", {**dali, "preserve": preserve}, known, arguments)
    if device == "gpu":
        raise GraphError(f'fn.decoders.{kind} takes files in host memory; use device="mixed"')
    if isinstance(data, DataNode) and data.operator.kind == ON_GPU:
        raise GraphError(
            f'fn.decoders.{kind} takes files in host memory: leave device="gpu" of the external_source out'
        )
    if isinstance(data, DataNode) and data.operator.evaluate is not None:
        raise GraphError(f"fn.decoders.{kind} takes files from a source, got the output of fn.{data.operator.kind}")


def _decoding(
    kind: str,
    canvas: Sequence[int] | None,
    on_error: str | None,
    decoder: str,
    jpeg_fancy_upsampling: bool,
    dali: dict[str, Any],
) -> Decoding:
    if on_error is not None:
        check_on_error(on_error)
    one_of(kind, "decoder", decoder, DECODERS)
    if not isinstance(jpeg_fancy_upsampling, bool):
        raise ConfigError(f"jpeg_fancy_upsampling must be True or False, got {jpeg_fancy_upsampling!r}")
    size = None if canvas is None else _canvas(kind, canvas)
    hint = check_hint(dali.get("bytes_per_sample_hint"), 1)
    sample_bytes = hint[0] if isinstance(hint, tuple) else hint or 0
    return Decoding(on_error, {"decoder": decoder, "jpeg_fancy_upsampling": jpeg_fancy_upsampling}, size, sample_bytes)


def _canvas(kind: str, canvas: Any) -> tuple[int, int]:
    if isinstance(canvas, str) or not isinstance(canvas, Sequence) or len(canvas) != 2:
        raise ConfigError(f"canvas= of fn.{kind} must be (height, width), got {canvas!r}")
    height, width = (
        check_integer(f"the {axis} of canvas=", extent, 1) for axis, extent in zip(_AXES, canvas, strict=True)
    )
    check_shape(f"canvas= of fn.{kind}", (height, width, 3))
    return height, width


def _plan(decoding: Decoding) -> Callable[[Planned], Planned]:
    """With a canvas of its own a decoder begins no chain: which images are too large must not depend on what follows."""
    finished = decoding.canvas is not None
    return lambda planned: dataclasses.replace(planned, finished=finished)


def _decode(context: Any, files: EncodedValue, decoding: Decoding) -> BatchValue:
    from ..image import decode  # jax is loaded when a pipeline runs, not when it is written

    canvas = decoding.canvas or (files.canvas.height, files.canvas.width)
    pixels, status = decode(
        files.batch,
        canvas,
        on_error="zeros",
        threads=context.threads,
        affinity=context.affinity,
        **decoding.options,
    )
    context.report(files.column, decoding.on_error, status)
    if decoding.canvas is not None:
        import jax.numpy as jnp

        # The image of a larger one is zeros, and ends with the canvas.
        return BatchValue(pixels, jnp.minimum(files.batch.sizes, jnp.asarray((*canvas, 3), jnp.int32)), "HWC")
    return BatchValue(pixels, None if files.canvas.exact else files.batch.sizes, "HWC")


__getattr__ = explain_missing("jaxdali.fn.decoders", __all__)


def __dir__() -> list[str]:
    return __all__
