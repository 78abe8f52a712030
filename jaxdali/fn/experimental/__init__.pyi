from collections.abc import Sequence
from typing import Any, Literal

from ...graph.call import DataNode
from .. import equalize as equalize
from .. import peek_image_shape as peek_image_shape
from . import decoders as decoders

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
