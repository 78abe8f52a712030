"""The directories of a TIFF file: just enough of them to know how much memory and time decoding would take.

A directory is a table of entries, each a tag, a type, a count, and the values or their offset in the file.
Many entries may share the same values, so a small file can claim gigabytes of them: only requested values are read.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .fields import EndsEarly, read

__all__ = ["BITS_PER_SAMPLE", "ROOM_BESIDES_PIXELS", "TiffDirectory"]

BITS_PER_SAMPLE = 258
_WIDTH, _HEIGHT, _SAMPLES_PER_PIXEL = 256, 257, 277
_TILE_WIDTH, _TILE_LENGTH = 322, 323
_STRIPS, _TILES = 273, 324
_PARTS = ((_STRIPS, 279), (_TILES, 325))  # tags of their offsets and byte counts

# TIFF types (TIFF 6.0, section 2; 13 and 16 to 18 from later supplements): bytes per value.
_TYPE_BYTES = (0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8)
# The integer types. None of the values read here can be negative.
_INTEGERS = frozenset({1, 3, 4, 6, 8, 9, 13, 16, 17, 18})

# Tags that point to further directories, which Pillow reads, too: Exif, GPS, and (perhaps within Exif)
# interoperability.
_FURTHER = (34665, 34853, 40965)

# A tile may be larger than its image. 2**22 pixels: 2048 x 2048.
ROOM_BESIDES_PIXELS = 1 << 22


class TiffDirectory:
    """A directory of a TIFF or BigTIFF file, or of Exif data, which have the same form.

    If the table is cut off, it has the entries that are there. Of a tag that occurs twice the first counts, as in
    Pillow.

    Args:
        at: its offset, if it is not the first directory.

    Attributes:
        cut: whether the table, or a value, extends beyond the content.
        value_bytes: total size of all values outside the table.
    """

    def __init__(self, content: bytes, at: int | None = None):
        self._content = content
        self._at = at
        self._order = "<" if content[:2] == b"II" else ">"
        self._entries: dict[int, tuple[int, int, int]] = {}  # tag -> type, count, offset
        self.cut = False
        self.value_bytes = 0
        try:
            for tag, kind, count, offset, size in self._table():
                if tag not in self._entries:
                    self._entries[tag] = kind, count, offset
                    self.value_bytes += size
                    self.cut |= offset + size > len(content)
        except EndsEarly:
            self.cut = True

    def _table(self) -> Iterator[tuple[int, int, int, int, int]]:
        """Yields tag, type, count, offset and size in bytes of the values; size 0 if they are in the entry itself."""
        content, order = self._content, self._order
        big = 0x2B in content[2:4]
        entry_bytes, room, integer = (20, 8, "Q") if big else (12, 4, "I")
        at = self._at
        if at is None:
            (at,) = read(order + integer, content, 8 if big else 4)
        (entries,) = read(order + ("Q" if big else "H"), content, at)
        at += 8 if big else 2
        for _ in range(entries):
            tag, kind, count = read(f"{order}HH{integer}", content, at)
            offset = at + entry_bytes - room
            size = count * (_TYPE_BYTES[kind] if kind < len(_TYPE_BYTES) else 0)
            if size > room:
                (offset,) = read(order + integer, content, offset)
            else:
                read(f"{room}s", content, offset)
                size = 0
            at += entry_bytes
            yield tag, kind, count, offset, size

    def values(self, tag: int) -> np.ndarray:
        """The integers of an entry, not copied; empty if there is no such entry, or its values are not in the file."""
        kind, count, offset = self._entries.get(tag, (0, 0, 0))
        if kind not in _INTEGERS or offset + count * _TYPE_BYTES[kind] > len(self._content):
            return np.zeros(0, np.uint8)
        return np.frombuffer(self._content, f"{self._order}u{_TYPE_BYTES[kind]}", count, offset)

    def largest(self, tag: int) -> int:
        """The largest of an entry's integers; 0 if there are none."""
        return int(self.values(tag).max(initial=0))

    def further(self) -> Iterator[TiffDirectory]:
        """The directories that this one points to, and those that the first of them points to."""
        for tag in _FURTHER:
            for offset in self.values(tag)[:1].tolist():
                directory = TiffDirectory(self._content, offset)
                yield directory
                if tag == _FURTHER[0]:
                    yield from (TiffDirectory(self._content, at) for at in directory.values(_FURTHER[2])[:1].tolist())

    @property
    def tile_pixels(self) -> int:
        """Pixels of one tile, which is decoded as a whole; 0 if the image has no tiles."""
        return self.largest(_TILE_WIDTH) * self.largest(_TILE_LENGTH)

    @property
    def spare_parts(self) -> bool:
        """Whether there are more strips or tiles than an image of this size can have. Pillow would decode them all."""
        rows = self.largest(_HEIGHT) * max(1, self.largest(_SAMPLES_PER_PIXEL))
        return len(self.values(_STRIPS)) > rows or len(self.values(_TILES)) > rows * self.largest(_WIDTH)

    @property
    def ends_early(self) -> bool:
        """Whether the table, a value, a strip or a tile extends beyond the content."""
        if self.cut:
            return True
        size = np.uint64(len(self._content))
        for starts_tag, lengths_tag in _PARTS:
            starts, lengths = self.values(starts_tag), self.values(lengths_tag)
            count = min(len(starts), len(lengths))
            starts, lengths = starts[:count].astype(np.uint64), lengths[:count].astype(np.uint64)
            if ((starts > size) | (lengths > size - np.minimum(starts, size))).any():
                return True
        return False
