"""What decoders of images have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ... import types
from ...batch import DECODERS
from ...errors import ConfigError, GraphError, check_integer, check_shape
from ...graph.call import Call, DataNode
from ..kinds import FLAG, Kind, choice
from ..presize import check_hint
from ..record import Input, Only, Param, Static
from ..undecoded import Decoding, Planned, Step
from ..values import BatchValue, Context, EncodedValue

__all__ = ["ACCEPTED", "DECODING", "DEVICES", "FILES", "REFUSED", "check_files", "decode_whole", "decoding_of", "step"]

DEVICES = ("cpu", "mixed")
FILES = Input("data", "an output of `external_source` or of a reader: files as `uint8[n]`", takes="files")

_AXES = ("height", "width")
_MEMORY = "memory for decoding grows to what the batches need, and stays; see `decode_memory` of `Pipeline`"
_SHARE = 'which decoder an image gets follows from the file and from `decoder` ("hardware", "gpu", "hybrid" or "cpu")'
ACCEPTED = {
    "affine": "threads belong to XLA",
    "hybrid_huffman_threshold": _SHARE,
    "hw_decoder_load": _SHARE,
    **dict.fromkeys(("device_memory_padding", "host_memory_padding"), _MEMORY),
    **dict.fromkeys(("device_memory_padding_jpeg2k", "host_memory_padding_jpeg2k"), _MEMORY),
    **dict.fromkeys(("preallocate_width_hint", "preallocate_height_hint"), _MEMORY),
}

REFUSED = {
    "output_type": Only(types.RGB, "images are decoded to RGB; convert them afterwards"),
    "dtype": Only(types.UINT8, "images are decoded to uint8; convert them with the operator that follows"),
    "adjust_orientation": Only(True, "EXIF orientation is always applied"),
    "use_fast_idct": Only(False, "the accurate inverse transform is used, so that pixels equal Pillow's"),
}


def _canvas(word: str, value: Any) -> tuple[int, int]:
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 2:
        raise ConfigError(f"{word} must be (height, width), got {value!r:.80}")
    height, width = (
        check_integer(f"the {axis} of {word}", extent, 1) for axis, extent in zip(_AXES, value, strict=True)
    )
    check_shape(word, (height, width, 3))
    return height, width


def _image_bytes(_word: str, value: Any) -> int:
    hint = check_hint(value, 1)
    return hint[0] if isinstance(hint, tuple) else hint or 0


DECODING: tuple[Param, ...] = (
    Static(
        "canvas",
        Kind("Sequence[int]", _canvas, ((16, 16), (16, 18))),
        None,
        "(height, width) of the padded array that the images of every batch are decoded to. Iterators then give the "
        "output, and what is made of it without another size, as a pair: `[N, height, width, 3]`, each image in the top "
        "left corner, and its shape, `int32[N, 3]`. A larger image is TOO_LARGE, which `on_error` is for. Iterators over "
        "several devices need it for images that keep their sizes. None: as large as each batch wants it. With a canvas, "
        "images are decoded whole whatever follows",
    ),
    Static(
        "on_error",
        choice("raise", "zeros"),
        None,
        '"raise": a file that cannot be decoded is a DecodeError, and its batch is not handed out; "zeros": its image and '
        "all outputs made of it are zeros, the failure is counted in `Pipeline.stats`, and the first ten of a pipeline are "
        'named in warnings of the logger "jaxdali". None: as the pipeline\'s `on_error` says. The image has the extents '
        "that its header tells, or else those of the others in the batch if they agree, or none",
    ),
    Static("decoder", choice(*DECODERS), "hardware", "who decodes on a GPU; see `jaxdali.image.decode`"),
    Static(
        "jpeg_fancy_upsampling",
        FLAG,
        True,
        "interpolate chroma, as libjpeg-turbo does; on a GPU False repeats it. DALI's default is False",
    ),
    Param(
        "bytes_per_sample_hint",
        Kind("int | Sequence[int]", _image_bytes, (1000, 2000)),
        None,
        "bytes of a decoded image, on average in a batch: so much memory of a GPU is there for each batch that is decoded "
        "ahead, from the beginning and within `decode_memory`",
        hint=True,
    ),
)


def check_files(spoken: str, inputs: Sequence[DataNode], _params: Mapping[str, Any], device: str | None) -> None:
    """Raises GraphError unless the input comes straight from a source, in host memory."""
    if device == "gpu":
        raise GraphError(f'{spoken} takes files in host memory; use device="mixed"')
    made_by: Any = inputs[0].call.operator
    if made_by.transparent:
        raise GraphError(f'{spoken} takes files in host memory: leave device="gpu" of the external_source out')
    if made_by.source is None:
        raise GraphError(f"{spoken} takes files from a source, got the output of {made_by.spoken}")


def decoding_of(call: Call) -> Decoding:
    """How a decoder's call decodes."""
    params = call.params
    options = {name: params[name] for name in ("decoder", "jpeg_fancy_upsampling")}
    return Decoding(params["on_error"], options, params["canvas"], call.hints.get("bytes_per_sample_hint", 0))


def step(params: Mapping[str, Any], apply: Any) -> Step:
    """With a canvas of its own a decoder begins no chain: which images are too large must not depend on what follows."""
    finished = params["canvas"] is not None
    return Step(lambda planned: Planned(planned.extent, planned.resampled, finished), apply)


def decode_whole(context: Context, files: EncodedValue) -> BatchValue:
    """The images of files, whole."""
    from ...image import decode  # jax is loaded when a pipeline runs, not when it is written

    decoding = decoding_of(context.call)
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
