"""PNG files of every kind, written with forced filters, parts, and interlacing, which Pillow cannot write."""

from __future__ import annotations

import dataclasses
import itertools
import struct
import zlib
from collections.abc import Sequence

import numpy as np

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GRAY: 1, RGB: 3, PALETTE: 1, GRAY_ALPHA: 2, RGBA: 4}
DEPTHS = {GRAY: (1, 2, 4, 8, 16), RGB: (8, 16), PALETTE: (1, 2, 4, 8), GRAY_ALPHA: (8, 16), RGBA: (8, 16)}
KINDS = [(color_type, depth) for color_type, depths in DEPTHS.items() for depth in depths]
PAETH = 4

# Of each pass of interlacing: the first column and row, and how far apart columns and rows are.
_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def chunk(name: bytes, body: bytes = b"") -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


@dataclasses.dataclass(frozen=True)
class Png:
    """A file of noise.

    Args:
        filters: the rows' filters, which repeat.
        parts: how many IDAT chunks there are.
        levels: rows have bytes below this.
        others, after: chunks before and behind the pixels.
        surplus: bytes of rows that do not belong to the image.
    """

    color_type: int = RGB
    depth: int = 8
    height: int = 5
    width: int = 7
    interlaced: bool = False
    filters: Sequence[int] = (0, 1, 2, 3, 4)
    level: int = 6
    parts: int = 1
    levels: int = 256
    palette: int = 256
    others: Sequence[tuple[bytes, bytes]] = ()
    after: Sequence[tuple[bytes, bytes]] = ()
    surplus: int = 0
    seed: int = 0

    def rows(self) -> bytes:
        """The filtered rows. What they are before is noise, as well."""
        rng = np.random.default_rng(self.seed)
        bits = self.depth * CHANNELS[self.color_type]
        parts, number = [], 0
        for left, top, across, down in _PASSES if self.interlaced else ((0, 0, 1, 1),):
            width, height = -(-(self.width - left) // across), -(-(self.height - top) // down)
            for _ in range(height if width > 0 else 0):
                row = rng.integers(0, self.levels, (width * bits + 7) // 8, np.uint8)
                parts.append(bytes([self.filters[number % len(self.filters)]]) + row.tobytes())
                number += 1
        return b"".join(parts)

    def header(self) -> bytes:
        return struct.pack(">IIBBBBB", self.width, self.height, self.depth, self.color_type, 0, 0, self.interlaced)

    def __bytes__(self) -> bytes:
        packed = zlib.compress(self.rows() + bytes(self.surplus), self.level)
        cuts = [len(packed) * k // self.parts for k in range(self.parts + 1)]
        colors = np.random.default_rng(self.seed + 1).integers(0, 256, 3 * self.palette, np.uint8).tobytes()
        chunks = [(b"IHDR", self.header()), *([(b"PLTE", colors)] if self.color_type == PALETTE else []), *self.others]
        chunks += [(b"IDAT", packed[begin:end]) for begin, end in itertools.pairwise(cuts)]
        return SIGNATURE + b"".join(chunk(*one) for one in [*chunks, *self.after, (b"IEND", b"")])
