"""The markers of a JPEG 2000 file (ISO/IEC 15444-1): how much memory and time OpenJPEG would take.

OpenJPEG keeps tables of all tiles, precincts and packets, which a few bytes of a file can ask for by the million. So a file
whose markers are not all in their places is refused before Pillow sees it.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable

from .fields import EndsEarly, read

__all__ = ["Jpeg2000Damaged", "Jpeg2000File"]

_SIZ, _COD, _COC, _SOT, _SOD, _EOC = 0xFF51, 0xFF52, 0xFF53, 0xFF90, 0xFF93, 0xFFD9
# Those that a header may have besides: CAP, TLM, PLM, PLT, CPF, QCD, QCC, RGN, POC, PPM, PPT, CRG and COM.
_OTHERS = {0xFF50, 0xFF55, 0xFF57, 0xFF58, 0xFF59, 0xFF5C, 0xFF5D, 0xFF5E, 0xFF5F, 0xFF60, 0xFF61, 0xFF63, 0xFF64}
_SOC_BYTES, _SOT_BYTES = 2, 12
_WHOLE = 15  # the exponent of precincts that are not cut
_HAS_PRECINCTS = 1
_MOST_LEVELS = 32


class Jpeg2000Damaged(Exception):
    """The markers are not those of a JPEG 2000 file."""


@dataclasses.dataclass(frozen=True)
class _Size:
    """The marker SIZ: the image, of which a tile may be cut off."""

    height: int
    width: int
    tile_height: int
    tile_width: int
    tiles: int
    components: int
    bits: int


class Jpeg2000File:
    """The header of a file, a bare codestream or one in boxes (`.jp2`).

    Attributes:
        height, width: in pixels.
        components: the number of channels, from 1 to 4.
        bits: the most bits that a channel has.
        tiles: into how many parts the image is cut.
        precincts: the most that a tile has, in all resolutions of all components.

    Raises:
        EndsEarly: the content ends within the sizes of the image.
        Jpeg2000Damaged: it is no such file, or a marker is not in its place.
    """

    def __init__(self, content: bytes):
        self._content = content
        self._begin = _codestream(content)
        size = self._size()
        self.height, self.width, self.components, self.bits = size.height, size.width, size.components, size.bits
        self.tiles = size.tiles
        self._tile = size.tile_height, size.tile_width
        self._layers = self._steps = self.precincts = 1
        with contextlib.suppress(EndsEarly):  # Pillow may still find an image in what is there
            self._walk(self._note)

    def _size(self) -> _Size:
        marker, length = read(">HH", self._content, self._begin + _SOC_BYTES)
        at = self._begin + _SOC_BYTES + 6
        if marker != _SIZ:
            raise Jpeg2000Damaged
        right, down, left, top, across, along, tile_left, tile_top, count = read(">8IH", self._content, at)
        good = left < right and top < down and across and along and tile_left <= left and tile_top <= top
        if not good or not 1 <= count <= 4 or length != 38 + 3 * count:
            raise Jpeg2000Damaged
        depths = [depth for depth, _, _ in (read(">BBB", self._content, at + 34 + 3 * k) for k in range(count))]
        tiles = -(-(right - tile_left) // across) * -(-(down - tile_top) // along)
        height, width = down - top, right - left
        tile = min(along, height), min(across, width)
        return _Size(height, width, *tile, tiles, count, max((depth & 0x7F) + 1 for depth in depths))

    @property
    def packets(self) -> int:
        """The most packets that the tiles together can have, also those that are not in the file."""
        return self._layers * self._steps * self.tiles

    def check_end(self) -> None:
        """Returns if the codestream has its end.

        Raises:
            EndsEarly: it has not.
            Jpeg2000Damaged: a marker is not in its place.
        """
        self._walk(lambda marker, at, length: None)

    def _walk(self, visit: Callable[[int, int, int], None]) -> None:
        """Calls `visit(marker, place, length)` for each marker of each header."""
        content = self._content
        (size,) = read(">H", content, self._begin + _SOC_BYTES + 2)
        at = self._headers(self._begin + _SOC_BYTES + 2 + size, _SOT, visit)
        while True:
            (length,) = read(">I", content, at + 6)
            self._headers(at + _SOT_BYTES, _SOD, visit)
            if length == 0:  # the last tile, up to the end
                if not content.rstrip(b"\0").endswith(_EOC.to_bytes(2, "big")):
                    raise EndsEarly
                return
            at += length
            (marker,) = read(">H", content, at)
            if marker == _EOC:
                return
            if marker != _SOT or length < _SOT_BYTES + 2:
                raise Jpeg2000Damaged

    def _headers(self, at: int, end: int, visit: Callable[[int, int, int], None]) -> int:
        """Visits the markers up to one that ends a header, and returns the place of that."""
        while True:
            marker, length = read(">HH", self._content, at)
            if marker == end:
                return at
            if (marker not in (_COD, _COC) and marker not in _OTHERS) or length < 2:
                raise Jpeg2000Damaged
            visit(marker, at + 4, length - 2)
            at += 2 + length

    def _note(self, marker: int, at: int, length: int) -> None:
        """Notes the most layers and precincts of a tile that a marker says."""
        content = self._content
        if marker == _COD:
            style, layers, levels = read(">BxHxB", content, at)
            self._layers = max(self._layers, layers)
            place = at + 10
        elif marker == _COC:
            style, levels = read(">xBB", content, at)
            place = at + 7
        else:
            return
        exponents = [(_WHOLE, _WHOLE)] * (levels + 1)
        if style & _HAS_PRECINCTS:
            exponents = [(one & 15, one >> 4) for one in read(f">{levels + 1}B", content, place)]
        if levels > _MOST_LEVELS:
            raise Jpeg2000Damaged
        # Of every resolution, the lowest first; wherever a tile begins, it touches one more than fit into it.
        height, width = ([(extent - 1 >> levels - k) + 1 for k in range(levels + 1)] for extent in self._tile)
        precincts = [
            ((across - 1 >> x) + 2) * ((along - 1 >> y) + 2)
            for across, along, (x, y) in zip(width, height, exponents, strict=True)
        ]
        self.precincts = max(self.precincts, sum(precincts) * self.components)
        self._steps = max(self._steps, max(precincts) * (levels + 1) * self.components)


def _codestream(content: bytes) -> int:
    """Returns where the codestream begins, in a file of boxes in the first box of one."""
    if content.startswith(b"\xff\x4f"):
        return 0
    at = 0
    while True:
        size, name = read(">I4s", content, at)
        head = 8
        if size == 1:
            (size,) = read(">Q", content, at + 8)
            head = 16
        if name == b"jp2c":
            if content[at + head : at + head + 2] != b"\xff\x4f":
                raise Jpeg2000Damaged
            return at + head
        if size < head:
            raise Jpeg2000Damaged
        at += size
