"""Small files of every kind that a GPU's engine meets, and a source with them."""

from __future__ import annotations

import functools
import io

import numpy as np
from jpeg_files import pillow_jpeg
from PIL import Image

__all__ = ["BATCH", "Data", "engine_counts", "file_of"]

BATCH = 8


@functools.cache
def file_of(index: int) -> bytes:
    """Mostly plain JPEG files; also progressive ones, CMYK, and PNG."""
    index %= 64
    if index % 9 == 1:
        return pillow_jpeg(60 + index % 7, 80 - index % 5, mode="CMYK")
    if index % 9 == 4:
        return pillow_jpeg(60 + index % 7, 80 - index % 5, progressive=True)
    if index % 9 == 7:
        stream = io.BytesIO()
        pixels = np.random.default_rng(index).integers(0, 256, (50 + index % 5, 70, 3), np.uint8)
        Image.fromarray(pixels).save(stream, "PNG")
        return stream.getvalue()
    return pillow_jpeg(60 + index % 7, 80 - index % 5, subsampling=index % 3, quality=60 + index % 30)


class Data:
    """A map-style source; `first` is the number of sample 0's file, `bad` the sample whose file is truncated."""

    def __init__(self, first: int = 0, bad: int | None = None):
        self.first = first
        self.bad = bad

    def __len__(self) -> int:
        return 64

    def __getitem__(self, index: int) -> dict:
        file = file_of(self.first + index)
        if index == self.bad:
            plain = file_of(2)
            file = plain[: len(plain) // 2]
        return {"image": file, "label": np.int32(index)}


def engine_counts() -> dict[str, int]:
    """The engine's counters for the first GPU."""
    from jaxdali._device.ffi.compat import local_gpus
    from jaxdali._device.ffi.cuda import cuda_module

    return cuda_module().engine_counts(local_gpus()[0].local_hardware_id)
