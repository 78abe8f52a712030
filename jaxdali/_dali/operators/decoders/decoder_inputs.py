"""The common parts of image decoders."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jaxdali._base.batch import DECODERS, DEFAULT_DECODER, Status
from jaxdali._base.dtypes import (
    ANY_DATA,
    BGR,
    FLOAT,
    GRAY,
    INT8,
    INT16,
    INT32,
    RGB,
    UINT8,
    UINT16,
    DALIDataType,
    DALIImageType,
    YCbCr,
)
from jaxdali.errors import ConfigError, GraphError, check_integer, check_shape
from ...graph.call import Call, DataNode, Params
from ..argument_kinds import FLAG, IMAGE_TYPE, Kind, choice, numpy_dtype
from ..declaration import Input, Old, Operator, Param, Static, operator
from ..file_decoding_arguments import Decoding
from ..size_hints import check_hint
from ..values import Context, EncodedValue, ImageSource, ImagesValue

__all__ = [
    "FILES",
    "ON_ERROR",
    "check_files",
    "color_steps",
    "image_decoder",
    "is_rgb",
    "open_files",
    "window_steps",
]

FILES = Input("data", "an output of `external_source` or of a reader: files as `uint8[n]`", takes="files")

# The rows of ITU-R BT.601 in studio range, for levels 0 to 255.
_YCBCR = (
    (0.25678823529, 0.50412941176, 0.09790588235, 16.0),
    (-0.14822289945, -0.29099278682, 0.43921568627, 128.0),
    (0.43921568627, -0.36778831435, -0.07142737192, 128.0),
)
_AXES = ("height", "width")
_MEMORY = "memory for decoding grows to what the batches need, and stays; see `decode_memory` of `Pipeline`"
_SHARE = 'who decodes an image follows from the file and from `decoder` ("cuda", "hardware", "gpu", "hybrid" or "cpu")'
_ACCEPTED = {
    "affine": "threads belong to XLA",
    "hybrid_huffman_threshold": _SHARE,
    "hw_decoder_load": _SHARE,
    **dict.fromkeys(("device_memory_padding", "host_memory_padding"), _MEMORY),
    **dict.fromkeys(("device_memory_padding_jpeg2k", "host_memory_padding_jpeg2k"), _MEMORY),
    **dict.fromkeys(("preallocate_width_hint", "preallocate_height_hint"), _MEMORY),
    "use_fast_idct": "the accurate inverse transform is used, whose pixels equal Pillow's; on CPUs of today it is as fast",
}
_OLD = dict.fromkeys(("memory_stats", "split_stages", "use_chunk_allocator"), Old())

# The colour formats in which files are opened; others are mixed from RGB.
_COLORS = {GRAY: "GRAY", ANY_DATA: "ANY"}

# Matrices for RGB; the last column is added.
_MIXED: dict[DALIImageType, Any] = {
    BGR: ((0, 0, 1, 0), (0, 1, 0, 0), (1, 0, 0, 0)),
    YCbCr: _YCBCR,
}
_DTYPES = (UINT8, INT8, UINT16, INT16, INT32, FLOAT)


def _dtype(word: str, value: object) -> DALIDataType:
    if not isinstance(value, DALIDataType) or value not in _DTYPES:
        names = ", ".join(f"types.{one.name}" for one in _DTYPES)
        raise ConfigError(f"{word} must be one of {names}, got {value!r:.80}; fn.cast makes others")
    return value


def _canvas(word: str, value: object) -> tuple[int, int]:
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 2:
        raise ConfigError(f"{word} must be (height, width), got {value!r:.80}")
    height, width = (
        check_integer(f"the {axis} of {word}", extent, 1) for axis, extent in zip(_AXES, value, strict=True)
    )
    check_shape(word, (height, width, 3))
    return height, width


def _image_bytes(_word: str, value: object) -> int:
    hint = check_hint(value, 1)
    return hint[0] if isinstance(hint, tuple) else hint or 0


ON_ERROR = Static(
    "on_error",
    choice("raise", "zeros"),
    None,
    '"raise": a file that cannot be decoded is a DecodeError, and its batch is not returned; "zeros": its image and '
    'all outputs made from it are zeros, `Pipeline.stats` counts the failure, and warnings of the logger "jaxdali" '
    "name the first ten of a pipeline. None: as the pipeline's `on_error` says. The extents of such an image are "
    "those in its header, or else those of the others in the batch if they agree, or none",
)

_DECODING: tuple[Param, ...] = (
    Static(
        "output_type",
        IMAGE_TYPE,
        RGB,
        "RGB, BGR, YCbCr (studio range, ITU-R BT.601) or GRAY: one channel, a JPEG's luma as it is in the file. "
        "ANY_DATA: the channels of each file, gray, gray and alpha, RGB, or RGB and alpha, on the CPU. A batch has as"
        " many channels as the widest of its files; the additional ones of other files are zeros, and not part of "
        "their shapes",
    ),
    Static(
        "dtype",
        Kind("DALIDataType", _dtype, (FLOAT, INT16)),
        UINT8,
        "that of the output: UINT8, INT8, UINT16, INT16, INT32 or FLOAT. White is the largest number of that type; 1 "
        "for FLOAT. UINT16, supported only on the CPU so far, keeps the levels of 16-bit files; other types round "
        "them to 8 bits",
    ),
    Static(
        "canvas",
        Kind("Sequence[int]", _canvas, ((16, 16), (16, 18))),
        None,
        "(height, width) of the padded array that the images of every batch are decoded to. Iterators then return the"
        " output, and what is made from it without another size, as a pair: `[N, height, width, 3]`, each image in "
        "the top left corner, and its shape, `int32[N, 3]`. A larger image is TOO_LARGE, see `on_error`. Iterators "
        "over several devices need a canvas for images that keep their sizes. None: as large as each batch needs. "
        "With a canvas, images are always decoded whole",
    ),
    ON_ERROR,
    Static(
        "adjust_orientation",
        FLAG,
        True,
        "rotate images as EXIF orientation says; False: leave them as they are stored. Decoders of the same files "
        "must agree",
    ),
    Static("decoder", choice(*DECODERS), DEFAULT_DECODER, "the decoder on a GPU; see `jaxdali.image.decode`"),
    Static(
        "jpeg_fancy_upsampling",
        FLAG,
        True,
        "interpolate chroma, as libjpeg-turbo does; False repeats it on a GPU. DALI's default is False",
    ),
    Param(
        "bytes_per_sample_hint",
        Kind("int | Sequence[int]", _image_bytes, (1000, 2000)),
        None,
        "bytes of a decoded image, on average in a batch: a GPU reserves that much memory for each batch decoded "
        "ahead, from the beginning and within `decode_memory`",
        hint=True,
    ),
)


def image_decoder(
    name: str,
    *inputs: Input,
    params: Sequence[Param] = (),
    accepted: Mapping[str, str] = {},
    check: Callable[..., None] | None = None,
    **traits: Any,
) -> Callable[[Callable[..., Any]], Operator]:
    """Declares an operator that decodes images: adds files, further inputs, and common arguments and traits.

    Args:
        check: further checks after `check_files`.
        traits: as in `operator`.
    """

    def checked(display_name: str, nodes: Sequence[DataNode], given: Params, device: str | None) -> None:
        check_files(display_name, nodes, given, device)
        if check is not None:
            check(display_name, nodes, given, device)

    return operator(
        name,
        inputs=[FILES, *inputs],
        params=[*params, *_DECODING],
        accepted={**_ACCEPTED, **accepted},
        old=_OLD,
        devices=["cpu", "mixed"],
        raises={"GraphError": "`data` does not come straight from a source"},
        check=checked,
        decoding=_decoding_of,
        **traits,
    )


def check_files(display_name: str, inputs: Sequence[DataNode], _params: Params, device: str | None) -> None:
    """Raises GraphError unless the input comes straight from a source or from the host, in host memory."""
    if device == "gpu":
        raise GraphError(f'{display_name} takes files in host memory; use device="mixed"')
    made_by: Any = inputs[0].call.operator
    if made_by.transparent:
        raise GraphError(f'{display_name} takes files in host memory: leave out device="gpu" of the external_source')
    if made_by.source is None and made_by.on_host is None:
        raise GraphError(f"{display_name} takes files from a source, got the output of {made_by.display_name}")


def _decoding_of(call: Call) -> Decoding:
    """Returns how a decoder's call decodes."""
    params = call.params
    options = {name: params[name] for name in ("decoder", "jpeg_fancy_upsampling")}
    hint = call.hints.get("bytes_per_sample_hint", 0)
    kind, as_stored = params["output_type"], not params["adjust_orientation"]
    luma = kind is GRAY and _read_as(params) == np.uint8
    return Decoding(params["on_error"], options, params["canvas"], hint, kind is ANY_DATA, as_stored, luma)


def color_steps(params: Params) -> tuple[str, ...]:
    """The `Lazy.steps` of `open_files`."""
    plain = params["output_type"] not in _MIXED and numpy_dtype(params["dtype"]) == _read_as(params)
    return () if plain else ("pixels",)


def window_steps(params: Params) -> tuple[str, ...]:
    """The `Lazy.steps` of a window of what `open_files` returns."""
    return (*color_steps(params), "cut")


def is_rgb(_stage: str, params: Params) -> bool:
    """The `Lazy.one_window` of `open_files`."""
    return params["output_type"] is RGB and params["dtype"] is UINT8


def open_files(context: Context, files: EncodedValue) -> ImagesValue:
    """Returns the images of files. Calls that decode in the same way share one source."""
    call = context.call
    decoding, kind, dtype = _decoding_of(call), call.params["output_type"], numpy_dtype(call.params["dtype"])
    color = _COLORS.get(kind, "RGB")
    if decoding.canvas is not None:
        value = _on_canvas(context, files, decoding, color)
    else:
        value = context.once(
            (files.column, color, _read_as(call.params), *decoding.options.items()),
            lambda: _opened(context, files, files.canvas, color),
        )
        value.source.on_error.add(decoding.on_error)
    return value.then(_colored(value.images, kind, dtype))


def _read_as(params: Params) -> np.dtype:
    """Returns the type of the levels that files are read as: UINT16 keeps all levels of 16 bits."""
    return np.dtype(np.uint16 if params["dtype"] is UINT16 else np.uint8)


def _colored(images: Any, kind: DALIImageType, dtype: Any) -> Any:
    """Converts levels of RGB or GRAY to the requested colours and type."""
    if kind not in _MIXED and dtype == images.dtype:
        return images
    most = np.float32(1 if dtype == np.float32 else np.iinfo(dtype).max)
    factor = most / np.float32(np.iinfo(images.dtype).max)
    if kind not in _MIXED:
        return images.normalize(0.0, 1.0, scale=factor, dtype=dtype)
    matrix = np.asarray(_MIXED[kind], np.float64)
    # The added values are parts of 256, scaled to the non-negative range of the type.
    added = matrix[:, 3:] / 256 * (1.0 if dtype == np.float32 else float(np.iinfo(dtype).max) + 1)
    return images.mix(np.concatenate([matrix[:, :3] * np.float64(factor), added], axis=1), dtype)


def _opened(context: Context, files: EncodedValue, canvas: tuple[int, int] | None, color: str) -> ImagesValue:
    from jaxdali._device.image.images import (
        Images,  # loads jax, which is needed when a pipeline runs, not when it is defined
    )

    options = {**_decoding_of(context.call).options, "threads": context.threads, "affinity": context.affinity}
    options["dtype"] = _read_as(context.call.params)
    channels = files.channels if color == "ANY" else None
    images = Images.open(files.batch, color=color, channels=channels, canvas=canvas, **options)
    return ImagesValue(images, ImageSource(column=files.column))


def _on_canvas(context: Context, files: EncodedValue, decoding: Decoding, color: str) -> ImagesValue:
    """Decodes whole images on the user's canvas, so that the choice of images that are too large does not depend on
    what follows.
    """
    import jax.numpy as jnp

    from jaxdali._device.image.image_arrays import evaluate
    from jaxdali._device.image.images import Images

    canvas = decoding.canvas
    assert canvas is not None
    sizes = files.batch.sizes
    most = jnp.asarray([(*canvas, 3)], jnp.int32)
    # Cuts the shape of a larger image to the canvas, so that it can be decoded; it becomes zeros.
    shapes = jnp.minimum(sizes, most)
    opened = _opened(context, files, canvas, color).images
    windows = jnp.concatenate([jnp.zeros_like(shapes[:, :2]), shapes[:, :2]], axis=1)
    (pixels,), status = evaluate([opened.cut(windows)], [canvas], "zeros")
    assert status is not None
    too_large = (sizes > most).any(axis=1)
    status = jnp.where((status == Status.OK) & too_large, jnp.int32(Status.TOO_LARGE), status)
    context.report(files.column, decoding.on_error, status)
    pixels = jnp.where(too_large.reshape(-1, 1, 1, 1), jnp.zeros_like(pixels), pixels)
    own = opened.input.own_channels
    channels = shapes[:, 0] * 0 + opened.channels if own is None else own
    shapes = jnp.concatenate([shapes[:, :2], channels[:, None]], axis=1)
    return ImagesValue(Images.of(pixels, shapes, own_channels=own is not None), ImageSource(canvas=canvas))
