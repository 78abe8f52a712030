"""The wire format of a batch of encoded images: what a row of `EncodedBatch.rows` means.

One row describes one image. The columns are read by the custom calls of every platform
(ffi/rows/rows.h holds the same numbers; tests/test_rows.py compares the two).
"""

from __future__ import annotations

import enum
from typing import Any

__all__ = [
    "ALIGNMENT",
    "DECODERS",
    "DEFAULT_DECODER",
    "DEFAULT_MAX_IMAGE_PIXELS",
    "ROW_FIELDS",
    "Codec",
    "Row",
    "Status",
]

# 64: the alignment that XLA requires of a buffer that it aliases on the CPU, and the size of a cache line. Offsets are
# in units of it, so that an int32 reaches 128 GiB.
ALIGNMENT = 64

# 2**27 pixels are 384 MiB of RGB; a 23 KB file can claim 65500x65500.
DEFAULT_MAX_IMAGE_PIXELS = 1 << 27

# The decoders on a GPU, as numbered in ffi/calls/decode/attributes.h.
DECODERS = ("hardware", "gpu", "hybrid", "cpu", "cuda")
DEFAULT_DECODER = "cuda"


class Row(enum.IntEnum):
    """Columns of `rows: int32[N, 8]`."""

    OFFSET = 0  # start of the image's bytes, in units of ALIGNMENT
    SIZE = 1  # number of bytes
    HEIGHT = 2  # as stored in the file, before EXIF orientation
    WIDTH = 3
    COMPONENTS = 4  # as stored in the file: 1, 3 or 4; for RAW and RAW16 the channels, 1 to 4
    CODEC = 5  # a Codec
    ORIENTATION = 6  # EXIF, 1 to 8; 1 = as stored
    STATUS = 7  # a Status known before decoding; anything but OK is not decoded


ROW_FIELDS = len(Row)


class Codec(enum.IntEnum):
    """How to read the bytes of a row."""

    RAW = 0  # already decoded: uint8[HEIGHT, WIDTH, COMPONENTS]; gray, gray and alpha, RGB, or RGB and alpha
    JPEG = 1
    RAW16 = 2  # the same as uint16

    @classmethod
    def of_pixels(cls, dtype: Any) -> Codec:
        """Returns the codec of already decoded pixels, uint8 or uint16."""
        return {1: cls.RAW, 2: cls.RAW16}[dtype.itemsize]


class Status(enum.IntEnum):
    """The outcome of decoding an image. The image of a row that is not OK is all zeros. All but OK and MISSING are
    failures.
    """

    OK = 0
    TRUNCATED = 1  # the data end early (an error, as in Pillow)
    CORRUPT = 2  # not an image, or one whose parts contradict each other
    TOO_LARGE = 3  # more pixels than max_image_pixels, or larger than the canvas
    UNSUPPORTED = 4  # a format or a variant that no decoder here reads
    MISSING = 5  # the sample has no image here
