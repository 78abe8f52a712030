"""Layouts by DALI's names, and what else programs take from its `types`."""

from __future__ import annotations

from .errors import check_integer

__all__ = ["CPU_ONLY_DEVICE_ID", "NCHW", "NFCHW", "NFHWC", "NHWC", "SAME", "CUDAStream", "TensorLayout", "image_axes"]

# Of a sample: the batch has no axis of its own in a layout.
NCHW = "CHW"
NHWC = "HWC"
NFHWC = "FHWC"
NFCHW = "FCHW"
SAME = ""

# `Pipeline(device_id=)` of a pipeline without a GPU; as None.
CPU_ONLY_DEVICE_ID = -99999


class TensorLayout(str):
    """A layout, which is text: "HWC"."""


class CUDAStream:
    """A CUDA stream of the user's by its handle, for `cuda_stream=` of external sources and `Pipeline.feed_input`.

    Args:
        ptr: the handle; 0: the default stream.

    Raises:
        ConfigError: it is not an integer of 0 to 2**64 - 1.
    """

    def __init__(self, ptr: int = 0):
        self.ptr = check_integer("the handle of a CUDA stream", ptr, 0, (1 << 64) - 1)

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.ptr


def image_axes(layout: str, ndim: int) -> tuple[int, int] | None:
    """Height and width among the axes of samples; None: they are not images, or none is known to be."""
    if not layout:
        return (0, 1) if ndim == 3 else None
    if len(layout) != ndim or "H" not in layout or "W" not in layout:
        return None
    return layout.index("H"), layout.index("W")
