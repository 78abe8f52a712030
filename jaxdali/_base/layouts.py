"""Layouts under DALI's names, and other things that programs use from its `types`."""

from __future__ import annotations

from jaxdali.errors import check_integer

__all__ = ["CPU_ONLY_DEVICE_ID", "NCHW", "NFCHW", "NFHWC", "NHWC", "SAME", "CUDAStream", "TensorLayout", "image_axes"]

# Layouts of a sample: the batch axis is not part of a layout.
NCHW = "CHW"
NHWC = "HWC"
NFHWC = "FHWC"
NFCHW = "FCHW"
SAME = ""

# `Pipeline(device_id=)` for a pipeline without a GPU; the same as None.
CPU_ONLY_DEVICE_ID = -99999


class TensorLayout(str):
    """A layout, which is a string: "HWC"."""


class CUDAStream:
    """A user's CUDA stream, given by its handle, for `cuda_stream=` of external sources and `Pipeline.feed_input`.

    Args:
        ptr: the handle; 0: the default stream.

    Raises:
        ConfigError: it is not an integer from 0 to 2**64 - 1.
    """

    def __init__(self, ptr: int = 0):
        self.ptr = check_integer("the handle of a CUDA stream", ptr, 0, (1 << 64) - 1)

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.ptr


def image_axes(layout: str, ndim: int) -> tuple[int, int] | None:
    """Returns the positions of height and width among a sample's axes; None if samples are not known to be images."""
    if not layout:
        return (0, 1) if ndim == 3 else None
    if len(layout) != ndim or "H" not in layout or "W" not in layout:
        return None
    return layout.index("H"), layout.index("W")
