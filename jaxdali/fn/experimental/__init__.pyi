from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ...pipeline import DataNode
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
    """Replaces each pixel with the largest of its neighbours, by channel; DALI's operator on GPUs.

    See `jaxdali.image.dilate`.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HW" or "HWC" or "FHWC", by their number of axes.
        mask_size: (width, height) of the neighbourhood, or one number for both. May be a node with one value per
            sample.
        anchor: (column, row) of the pixel in it, or one number for both; -1: its middle. May be a node with one value
            per sample.
        iterations: how many times to repeat it.
        border_mode: how images are extended beyond their edges; "constant": only the pixels in the image count.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

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
    """Replaces each pixel with the smallest of its neighbours, by channel; DALI's operator on GPUs.

    See `jaxdali.image.erode`.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HW" or "HWC" or "FHWC", by their number of axes.
        mask_size: (width, height) of the neighbourhood, or one number for both. May be a node with one value per
            sample.
        anchor: (column, row) of the pixel in it, or one number for both; -1: its middle. May be a node with one value
            per sample.
        iterations: how many times to repeat it.
        border_mode: how images are extended beyond their edges; "constant": only the pixels in the image count.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

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
    """Replaces each pixel with the median of its neighbours, by channel; DALI's operator on GPUs.

    Beyond the edges the pixels at the edge are repeated. It is fastest if the window is a number. See
    `jaxdali.image.median_blur`.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HW" or "HWC" or "FHWC", by their number of axes.
        window_size: (height, width) of the neighbourhood, odd, or one number for both. May be a node with one value per
            sample.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

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
    """Moves pixels according to two maps, with zeros outside of images; DALI's operator. See `jaxdali.image.remap`.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HWC" or "FHWC", by their number of axes.
        mapx: the column in the image for each pixel of the output, FLOAT [h, w] or [h, w, 1].
        mapy: its row, likewise.
        interp: INTERP_NN, INTERP_LINEAR or INTERP_CUBIC.
        pixel_origin: what (0, 0) is of the first pixel: its corner, or its centre.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...

def warp_perspective(
    data: DataNode,
    matrix_input: DataNode | None = None,
    *,
    matrix: Sequence[float] | np.ndarray | DataNode | None = ...,
    size: float | Sequence[float] | DataNode | None = ...,
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
    """Moves pixels by a perspective map, for example to show a photographed page from the front; DALI's operator.

    Output pixel `(x, y)` is the value of the input at `(u / w, v / w)`, where `(u, v, w) = matrix @ (x, y, 1)`. See
    `jaxdali.image.warp_perspective`.

    Args:
        data: images with the layout "HWC", "CHW" or "HW"; for sequences ("FHWC", ...) each frame. Without a layout they
            are taken for "HW" or "HWC" or "FHWC", by their number of axes.
        matrix_input: perspective maps, `[3, 3]`, instead of `matrix`.
        matrix: perspective map: nine numbers, in three rows of three. May be a node with one value per sample.
        size: (height, width) of the output, rounded to whole pixels. The fraction of a node's numbers is cut off. May
            be a node with one value per sample.
        inverse_map: the map leads from the output to the input; False: from the input to the output.
        border_mode: how images are extended beyond their edges.
        fill_value: level outside of the images with "constant": one number, or one per channel.
        interp_type: INTERP_NN, INTERP_LINEAR or INTERP_CUBIC.
        pixel_origin: what (0, 0) is of the first pixel: its corner, or its centre.
        device: where it runs: "cpu" or "gpu". By default where its first input is.
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        bytes_per_sample_hint: without effect: XLA knows the exact size of each buffer of its program before it runs.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Raises:
        ConfigError: an argument cannot be honoured.
    """
    ...
