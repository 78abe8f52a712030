"""Clips as a GPU's video engines take them (`ffi/gpu_video/packed_clip.h`): packets of a file, or pixels, and a header."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

__all__ = ["NO_FRAME", "Look", "Piece", "origin_of", "pack_packets", "pack_pixels", "shape_of"]

# Instead of a stamp: a frame that the file does not have.
NO_FRAME = -(1 << 63)

_MAGIC = 0x6A64636C69703031
_WORDS = 24
# Words of the header; the file named above has the others.
_SHAPE = slice(2, 5)
_ORIGIN = slice(21, 23)


class Look(NamedTuple):
    """What frames of a file have in common.

    Attributes:
        codec: the engine's number of it.
        height, width: as they are stored.
        orientation: how they are turned, as EXIF numbers it.
        at_left: chroma lies at the left one of two columns, else between them.
        matrix: factors of `_host.yuv_to_rgb`.
    """

    codec: int
    height: int
    width: int
    orientation: int
    at_left: bool
    matrix: tuple[int, ...]

    @property
    def shown(self) -> tuple[int, int]:
        """Height and width as frames are shown."""
        return (self.height, self.width) if self.orientation < 5 else (self.width, self.height)


class Piece(NamedTuple):
    """A packet: its bytes, when its frame is shown, and whether decoding begins anew with it."""

    data: bytes
    stamp: int
    begins: bool


def pack_pixels(frames: np.ndarray) -> np.ndarray:
    """Packs frames that are decoded, `uint8[T, H, W, 3]`."""
    header = _header(frames.shape[:3])
    header[20] = header.nbytes
    return np.concatenate([header.view(np.uint8), frames.reshape(-1)])


def pack_packets(
    look: Look,
    stamps: Sequence[int],
    fill: Sequence[int],
    pieces: Sequence[Piece],
    origin: dict[str, Any],
    content: bytes = b"",
) -> np.ndarray:
    """Packs packets.

    Args:
        stamps: of the clip's frames; `NO_FRAME` where the file has none.
        fill: the level of each channel in frames that the file does not have.
        pieces: packets in the order in which they are decoded.
        origin: what `origin_of` gives back, in JSON's types.
        content: of a file that has no path: all of it, which `origin_of` gives back as the file.
    """
    header = _header((len(stamps), *look.shown), 1)
    header[5:10] = look.codec, look.height, look.width, look.orientation, look.at_left
    header[10:16] = look.matrix
    header[16] = fill[0] | fill[1] << 8 | fill[2] << 16
    words = np.array(stamps, np.int64)
    table = np.zeros((len(pieces), 4), np.int64)
    note = json.dumps(origin).encode() + b"\n" + content
    begin = header.nbytes + words.nbytes + table.nbytes
    sizes = np.array([len(piece.data) for piece in pieces], np.int64)
    table[:, 0] = begin + np.cumsum(sizes) - sizes
    table[:, 1] = sizes
    table[:, 2] = [piece.stamp for piece in pieces]
    table[:, 3] = [piece.begins for piece in pieces]
    header[17:20] = len(pieces), header.nbytes, header.nbytes + words.nbytes
    header[_ORIGIN] = begin + int(sizes.sum()), len(note)
    return np.frombuffer(
        b"".join([header.tobytes(), words.tobytes(), table.tobytes(), *(piece.data for piece in pieces), note]),
        np.uint8,
    )


def shape_of(clip: np.ndarray) -> tuple[int, ...]:
    """Returns the shape of a packed clip's frames: `(T, H, W, 3)`."""
    return (*clip[: 8 * _WORDS].view(np.int64)[_SHAPE].tolist(), 3)


def origin_of(clip: np.ndarray) -> dict[str, Any]:
    """Returns what was said about a clip of packets when it was packed; nothing about one of pixels."""
    begin, size = clip[: 8 * _WORDS].view(np.int64)[_ORIGIN].tolist()
    note, _, content = clip[begin : begin + size].tobytes().partition(b"\n")
    return {} if not size else {**json.loads(note), **({"file": content} if content else {})}


def _header(shape: Sequence[int], is_packed: int = 0) -> np.ndarray:
    header = np.zeros(_WORDS, np.int64)
    header[0], header[1] = _MAGIC, is_packed
    header[_SHAPE] = shape
    return header
