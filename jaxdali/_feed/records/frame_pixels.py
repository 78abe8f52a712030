"""Converts frames of video to pixels: red, green and blue."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np

from .. import _host

__all__ = ["FramePixels", "orientation_of"]

# Planar formats of 8 bits: whether the chroma planes have half of luma's height, and of its width; and whether luma uses
# all levels, whatever the frame says.
_FORMATS = {
    "yuv420p": (True, True, False),
    "yuvj420p": (True, True, True),
    "yuv422p": (False, True, False),
    "yuvj422p": (False, True, True),
    "yuv444p": (False, False, False),
    "yuvj444p": (False, False, True),
}
# The factors of FFmpeg's numbered color spaces, in libswscale's units of 2^-16: red to red, blue to blue, blue to green,
# and red to green. libswscale itself converts all other color spaces.
_BT601 = (104597, 132201, 25675, 53279)
_COLORS = {
    1: (117489, 138438, 13975, 34925),  # BT.709
    2: _BT601,  # unspecified
    5: _BT601,
    6: _BT601,
    7: (117579, 136230, 16907, 35559),  # SMPTE 240M
    9: (110013, 140363, 12277, 42626),  # BT.2020
}
_FULL_RANGE = 2
# In smaller frames, libswscale weighs chroma by other factors than halves and quarters.
_LEAST = 8
# How many kinds of frames `FramePixels` remembers.
_MOST_KNOWN = 4096

_Matrix = tuple[int, int, int, int, int, int]


class FramePixels:
    """Converts frames to pixels as DALI's CPU decoder does: with libswscale's interpolated chroma, each step rounded.

    For most files, a native function makes the same bits in a fifth of libswscale's time. The bits depend on where the
    file's chroma lies: between two columns, or at the left one. PyAV does not tell. So libswscale converts the first
    frames, until one of them shows it, and all frames of files for which the native function gives other bits.
    """

    def __init__(self) -> None:
        # For each kind of frame, where chroma may lie: whether at the left column.
        self._known: OrderedDict[object, tuple[bool, ...]] = OrderedDict()
        self._reformatter: Any = None
        # The frame as it is stored, before it is turned.
        self._stored = np.empty(0, np.uint8)

    def write(self, av: Any, name: str, frame: Any, out: np.ndarray, orientation: int = 1) -> None:
        """Writes the pixels of a frame.

        Args:
            av: the module.
            name: the name of the frame's file.
            frame: a frame of PyAV's.
            out: `uint8[height, width, 3]`, contiguous, of the frame's size in that orientation.
            orientation: how it is turned, as EXIF numbers it.

        Raises:
            av.FFmpegError: libswscale does not know the frame's format.
        """
        if orientation == 1:
            self._convert(av, name, frame, out)
            return
        if self._stored.shape != (frame.height, frame.width, 3):
            self._stored = np.empty((frame.height, frame.width, 3), np.uint8)
        self._convert(av, name, frame, self._stored)
        _host.copy_oriented(self._stored, orientation, out)

    def look(self, av: Any, name: str, frame: Any) -> tuple[tuple[int, ...], bool] | None:
        """Returns how `_host.yuv_to_rgb` converts frames like this one, with both axes of chroma halved: its factors, and
        whether chroma lies at the left; None if it does not, or the frame does not show where chroma lies.

        Args:
            av, name, frame: as for `write`.

        Raises:
            av.FFmpegError: libswscale does not know the frame's format.
        """
        matrix = _matrix(frame)
        if matrix is None or frame.interlaced_frame or _FORMATS[frame.format.name][:2] != (True, True):
            return None
        kind = _kind(name, frame, matrix)
        if len(self._known.get(kind, ())) != 1:
            self._convert(av, name, frame, np.empty((frame.height, frame.width, 3), np.uint8))
        known = self._known[kind]
        return (matrix, known[0]) if len(known) == 1 else None

    def _convert(self, av: Any, name: str, frame: Any, out: np.ndarray) -> None:
        matrix = _matrix(frame)
        if matrix is None:
            self._by_libswscale(av, frame, out)
            return
        planes = [_lines(plane) for plane in frame.planes]
        kind = _kind(name, frame, matrix)
        known = self._known.get(kind)
        if known is not None and len(known) == 1:
            luma, blue, red = planes
            _host.yuv_to_rgb(luma, blue, red, matrix, known[0], out)
            return
        self._by_libswscale(av, frame, out)
        if known is None:
            known = (True, False) if planes[1].shape[1] < planes[0].shape[1] else (False,)
        if known:
            tried = np.empty_like(out)
            self._known[kind] = tuple(at_left for at_left in known if _equal(planes, matrix, at_left, tried, out))
            if len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)

    def _by_libswscale(self, av: Any, frame: Any, out: np.ndarray) -> None:
        if self._reformatter is None:
            self._reformatter = av.video.reformatter.VideoReformatter()
        ways = av.video.reformatter.Interpolation
        how = ways.BILINEAR | ways.FULL_CHR_H_INT | ways.ACCURATE_RND
        out[:] = self._reformatter.reformat(frame, format="rgb24", interpolation=how, threads=1).to_ndarray()


def orientation_of(frame: Any) -> int:
    """Returns how a frame is to be turned before it is shown, as EXIF numbers it, 1 to 8, by its display matrix: the nearest
    turn by right angles.
    """
    found = frame.side_data.get("DISPLAYMATRIX")
    if found is None:
        return 1
    # Stored (x, y) are shown at (a * x + c * y, b * x + d * y), but for a shift.
    a, b, _, c, d = np.frombuffer(bytes(found)[:20], np.int32).tolist()
    if abs(a) + abs(d) >= abs(b) + abs(c):
        return {(False, False): 1, (True, False): 2, (True, True): 3, (False, True): 4}[a < 0, d < 0]
    return {(False, False): 5, (False, True): 6, (True, True): 7, (True, False): 8}[b < 0, c < 0]


def _kind(name: str, frame: Any, matrix: _Matrix) -> object:
    return name, frame.format.name, frame.height, frame.width, frame.interlaced_frame, matrix


def _equal(planes: list[np.ndarray], matrix: _Matrix, at_left: bool, tried: np.ndarray, out: np.ndarray) -> bool:
    luma, blue, red = planes
    _host.yuv_to_rgb(luma, blue, red, matrix, at_left, tried)
    return np.array_equal(tried, out)


def _lines(plane: Any) -> np.ndarray:
    """Returns a plane as `uint8[height, width]`, without a copy."""
    return np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)[: plane.height, : plane.width]


def _matrix(frame: Any) -> _Matrix | None:
    """Returns libswscale's factors for a frame (its `ff_yuv2rgb_c_init_tables`), or None if the native function does not
    convert such frames.
    """
    halved_height, halved_width, full = _FORMATS.get(frame.format.name, (False, False, None))
    colors = _COLORS.get(int(frame.colorspace))
    odd = frame.height % (1 + halved_height) or frame.width % (1 + halved_width)
    if full is None or colors is None or odd or min(frame.height, frame.width) < _LEAST:
        return None
    red, blue, blue_to_green, red_to_green = colors
    luma, black = 65536, 0
    if full or frame.color_range == _FULL_RANGE:
        red, blue, blue_to_green, red_to_green = (one * 224 // 255 for one in (red, blue, blue_to_green, red_to_green))
    else:
        luma, black = 65536 * 255 // 219, 16 << 16
    return (
        _rounded(luma << 13),
        _rounded(black << 9),
        _rounded(red << 13),
        _rounded(-red_to_green << 13),
        _rounded(-blue_to_green << 13),
        _rounded(blue << 13),
    )


def _rounded(number: int) -> int:
    return number + (1 << 15) >> 16
