from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ...graph.call import DataNode
from ...types import DALIInterpType
from .. import audio_resample as audio_resample
from .. import debayer as debayer
from .. import equalize as equalize
from .. import filter as filter
from .. import peek_image_shape as peek_image_shape
from .. import tensor_resize as tensor_resize
from . import decoders as decoders
from . import inputs as inputs
from . import readers as readers

def dilate(
    data: DataNode,
    *,
    mask_size: int | Sequence[int] | DataNode = ...,
    anchor: int | Sequence[int] | DataNode = ...,
    iterations: int = ...,
    border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """The largest of the neighbours of each pixel, by channel; DALI's operator on GPUs. See `jaxdali.image.dilate`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        mask_size: (width, height) of the neighbourhood, or one number for both. May be a node, with a value a sample.
        anchor: (column, row) of the pixel in it, or one number for both; -1: its middle. May be a node, with a value a
            sample.
        iterations: how many times.
        border_mode: what images go on with beyond their edges; "constant": nothing, only the pixels in the image count.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a size or an anchor of a node is out of range, where the batch is handed out.
    """
    ...

def erode(
    data: DataNode,
    *,
    mask_size: int | Sequence[int] | DataNode = ...,
    anchor: int | Sequence[int] | DataNode = ...,
    iterations: int = ...,
    border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """The least of the neighbours of each pixel, by channel; DALI's operator on GPUs. See `jaxdali.image.erode`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        mask_size: (width, height) of the neighbourhood, or one number for both. May be a node, with a value a sample.
        anchor: (column, row) of the pixel in it, or one number for both; -1: its middle. May be a node, with a value a
            sample.
        iterations: how many times.
        border_mode: what images go on with beyond their edges; "constant": nothing, only the pixels in the image count.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a size or an anchor of a node is out of range, where the batch is handed out.
    """
    ...

def median_blur(
    data: DataNode,
    *,
    window_size: int | Sequence[int] | DataNode = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """The middle one of the neighbours of each pixel, by channel; DALI's operator on GPUs.

    Images go on beyond their edges with those. It is fastest where the window is a number. See `jaxdali.image.median_blur`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        window_size: (height, width) of the neighbourhood, odd, or one number for both. May be a node, with a value a
            sample.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
        SourceDataError: a size or an anchor of a node is out of range, where the batch is handed out.
    """
    ...

def remap(
    data: DataNode,
    mapx: DataNode,
    mapy: DataNode,
    *,
    interp: DALIInterpType = ...,
    pixel_origin: Literal["corner", "center"] = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Takes pixels from where two maps say, zeros from outside of images; DALI's operator. See `jaxdali.image.remap`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        mapx: of each pixel of the output its column in the image, FLOAT [h, w] or [h, w, 1].
        mapy: its row, likewise.
        interp: INTERP_NN, INTERP_LINEAR or INTERP_CUBIC.
        pixel_origin: what of the first pixel (0, 0) is: its corner, or its middle.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def warp_perspective(
    data: DataNode,
    matrix_input: DataNode | None = None,
    *,
    matrix: Sequence[float] | np.ndarray | DataNode | None = ...,
    size: float | Sequence[float] | None = ...,
    inverse_map: bool = ...,
    border_mode: Literal["constant", "replicate", "reflect", "reflect_101", "wrap"] = ...,
    fill_value: float | Sequence[float] = ...,
    interp_type: DALIInterpType = ...,
    pixel_origin: Literal["corner", "center"] = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    bytes_per_sample_hint: int | Sequence[int] | None = None,
    **dali: Any,
) -> DataNode:
    """Moves pixels by a perspective, as of a photographed page that is seen from the front; DALI's operator.

    Output pixel `(x, y)` is what the input has at `(u / w, v / w)`, `(u, v, w) = matrix @ (x, y, 1)`. See
    `jaxdali.image.warp_perspective`.

    Args:
        data: images, layout "HWC", or "CHW", "HW"; of sequences ("FHWC", ...) each frame.
        matrix_input: perspectives, `[3, 3]`, in place of `matrix`.
        matrix: perspective, nine numbers, three rows of three. May be a node, with a value a sample.
        size: (height, width) of the output, rounded.
        inverse_map: it leads from the output to the input; else from the input to the output.
        border_mode: what images go on with.
        fill_value: what is outside of the images with "constant", a number or one a channel.
        interp_type: INTERP_NN, INTERP_LINEAR or INTERP_CUBIC.
        pixel_origin: what of the first pixel (0, 0) is: its corner, or its middle.
        device: where it is placed: "cpu" or "gpu". Not given: as its first input.
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before that runs.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...
