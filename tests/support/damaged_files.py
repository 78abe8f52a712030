"""A source of files, some of which cannot be decoded. Imports no jax, because workers import this file."""

from __future__ import annotations

import io

import numpy as np
from jpeg_files import pillow_jpeg
from PIL import Image

GOOD = pillow_jpeg(40, 56)


def broken_png() -> bytes:
    stream = io.BytesIO()
    Image.fromarray(np.zeros((30, 30, 3), np.uint8)).save(stream, "PNG")
    return stream.getvalue()[:-40]


# Four batches of four; in the second, all files are good. 200 x 200 pixels are more than MAX_IMAGE_PIXELS.
FILES = [GOOD] * 16
FILES[1], FILES[2] = GOOD[: len(GOOD) // 2], b"no image at all"
FILES[8], FILES[11] = broken_png(), pillow_jpeg(200, 200)
FILES[15] = b""
FAILED = {1: "TRUNCATED", 2: "CORRUPT", 8: "TRUNCATED", 11: "TOO_LARGE", 15: "CORRUPT"}
MAX_IMAGE_PIXELS = 10_000


class Files:
    """For an external source."""

    def __len__(self) -> int:
        return len(FILES)

    def __call__(self, info):
        return np.frombuffer(FILES[info.idx_in_epoch], np.uint8), np.int32([info.idx_in_epoch])


class Folder:
    """For a Loader."""

    def __len__(self) -> int:
        return len(FILES)

    def __getitem__(self, index: int):
        return {"image": FILES[index], "index": np.int32(index)}
