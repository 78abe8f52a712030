"""Takes clips out of a video file without decoding them, for the video engines of a GPU."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from jaxdali.errors import SourceDataError
from .packed_clip import NO_FRAME, Look, Piece, pack_packets
from .video_file import Video

__all__ = ["Offered", "PackedVideo"]

# For the number of each codec that engines offer: the least height and width, the largest ones, and the most blocks of
# 16 x 16 pixels in a frame.
Offered = Mapping[int, tuple[int, int, int, int, int]]

# For FFmpeg's codecs: the engine's number, the profiles that engines decode, and the filter that gives start codes.
_CODECS = {
    "h264": (4, ("Constrained Baseline", "Main", "High", "Progressive High", "Constrained High"), "h264_mp4toannexb"),
    "hevc": (8, ("Main",), "hevc_mp4toannexb"),
}
_BLOCK = 16
_START = b"\0\0\1"
# How many kinds of frames are remembered of a file.
_MOST_LOOKS = 64


class PackedVideo(Video):
    """An open video file whose clips are decoded here, or packed to be decoded by a GPU."""

    _filter: Any = None

    def __init__(self, *of_video: Any, **named: Any):
        super().__init__(*of_video, **named)
        # What frames look like, by the parameter sets of their sequence: colors and extents may change within a file.
        self._looks: dict[tuple[bytes, ...], Look | None] = {}

    def pack(self, numbers: Sequence[int], fill: Sequence[int], offered: Offered) -> np.ndarray | None:
        """Returns a clip as `packed_clip` describes it; None if it has to be decoded here.

        Args:
            numbers: the frames' numbers; below 0: the file has no such frame.
            fill: the level of each channel of those.
            offered: what the engine decodes.
        """
        frames, wanted = self.frames, sorted({number for number in numbers if number >= 0})
        if not wanted or not len(frames.keys) or len(frames.stamps) != frames.count:
            return None
        context = self._stream.codec_context
        if (codec := _CODECS.get(context.name)) is None or codec[0] not in offered or context.profile not in codec[1]:
            return None
        try:
            pieces = self._pieces(wanted)
            look = None if pieces is None else self._look_of(pieces, wanted[0], offered)
        except SourceDataError:
            return None  # decoding it here says what is wrong
        if look is None or pieces is None:
            return None
        stamps = [int(frames.stamps[number]) if number >= 0 else NO_FRAME for number in numbers]
        origin = {"file": self.name, "numbers": [*map(int, numbers)], "upright": self._upright, "fill": [*fill]}
        content = self._file if isinstance(self._file, bytes) else b""
        return pack_packets(look, stamps, fill, pieces, origin, content)

    def _look_of(self, pieces: Sequence[Piece], number: int, offered: Offered) -> Look | None:
        """Returns what frames of packets look like, of which one is `number`; None if they differ, or no engine takes
        them.
        """
        name = self._stream.codec_context.name
        found = {sequences for piece in pieces if (sequences := _sequences(name, piece.data))}
        if len(found) != 1:
            return None
        (sequences,) = found
        if sequences not in self._looks:
            if len(self._looks) >= _MOST_LOOKS:
                self._looks.clear()
            self._looks[sequences] = self._find_look(number)
        look = self._looks[sequences]
        return look if look is not None and _fits(look, offered[look.codec]) else None

    def _find_look(self, number: int) -> Look | None:
        """Decodes the key frame before frame `number`, and returns what can be seen in it; None if engines do not take such
        frames, or it does not show where chroma lies.
        """
        context = self._stream.codec_context
        codec, key = _CODECS[context.name][0], self.frames.key_before(number)
        frame = self._frame(self.frames.number_of_key(key))
        found = self._pixels.look(self._av, self.name, frame)
        if found is None:
            return None
        matrix, at_left = found
        return Look(codec, frame.height, frame.width, self._shown(frame)[0], at_left, matrix)

    def _pieces(self, wanted: Sequence[int]) -> list[Piece] | None:
        """Returns the packets that frames are decoded from, with start codes; None if it is not known which these are."""
        by_key: dict[int, set[int]] = {}
        for number in wanted:
            by_key.setdefault(self.frames.key_before(number), set()).add(int(self.frames.stamps[number]))
        pieces: list[Piece] = []
        for key, missing in by_key.items():
            if key < 0 or not self._add_from(key, missing, pieces):
                return None
        return pieces

    def _add_from(self, key: int, missing: set[int], pieces: list[Piece]) -> bool:
        """Adds packets from key frame `key` on until all of `missing` are there. Returns False if they do not come."""
        begins, known, begin = True, set[int](), int(self.frames.keys[key])
        # HEVC's parser leaves out what comes before its key frame, but gives its stamp to another frame. H.264's frames
        # are counted, so there they stay, and the engine's user leaves them out.
        skips = self._stream.codec_context.name == "hevc"
        with self._errors(lambda: f"{self.name}: the packets from key frame {key} on cannot be read"):
            for packet in self._packets_from(key):
                stamp = packet.pts
                if not packet.size or stamp is None or stamp in known or packet.has_sidedata("new_extradata"):
                    return False
                known.add(stamp)
                if skips and stamp < begin:
                    continue
                pieces += self._with_start_codes(packet, begins)
                begins = False
                missing.discard(stamp)
                if not missing:
                    return True
        return False

    def _packets_from(self, key: int) -> Iterator[Any]:
        """Yields the packets of key frame `key` and what follows it in the file; nothing if it is not found."""
        begin = int(self.frames.keys[key])
        # If FFmpeg's search overshoots: from the key frame before, or from the beginning.
        for one in (key, key - 1, -1):
            if one >= 0:
                self._seek(one)
            else:
                self.close()
                self._open()
                self._filter = None
            # What is read here is not decoded.
            self._decoded, self._next, self._fresh = None, None, False
            packets = self._container.demux(self._stream)
            for packet in packets:
                if packet.pts == begin:
                    yield packet
                    yield from packets
                    return
                if packet.is_keyframe and packet.pts is not None and packet.pts > begin:
                    break

    def _with_start_codes(self, packet: Any, begins: bool) -> list[Piece]:
        context = self._stream.codec_context
        if self._filter is None:
            name = _CODECS[context.name][2]
            self._filter = self._av.bitstream.BitStreamFilterContext(name, self._stream)
        if begins:
            self._filter.flush()
        made = [Piece(bytes(one), int(one.pts), begins) for one in self._filter.filter(packet)]
        # The filter gives parameter sets before key frames that a stream may begin with, but not before others, from which
        # it can be decoded as well.
        if begins and made and context.name == "h264":
            if not _sequences("h264", made[0].data):
                made[0] = made[0]._replace(data=_parameter_sets(bytes(context.extradata or b"")) + made[0].data)
        return made


def _fits(look: Look, limits: tuple[int, int, int, int, int]) -> bool:
    least_height, least_width, most_height, most_width, most_blocks = limits
    blocks = -(-look.height // _BLOCK) * -(-look.width // _BLOCK)
    fits = least_height <= look.height <= most_height and least_width <= look.width <= most_width
    return fits and blocks <= most_blocks


def _sequences(codec: str, packet: bytes) -> tuple[bytes, ...]:
    """Returns the parameter sets of sequences in a packet with start codes. They come before its slices."""
    found, place = [], packet.find(_START)
    while 0 <= place < len(packet) - 3:
        kind = packet[place + 3] & 31 if codec == "h264" else packet[place + 3] >> 1 & 63
        if (1 <= kind <= 5) if codec == "h264" else kind < 32:
            break
        end = packet.find(_START, place + 3)
        if kind == (7 if codec == "h264" else 33):
            found.append(packet[place + 3 : end if end >= 0 else len(packet)].rstrip(b"\0"))
        place = end
    return tuple(found)


def _parameter_sets(extradata: bytes) -> bytes:
    """Returns the parameter sets of an H.264 file with start codes: it has them so, or counted as MP4 does."""
    if extradata[:1] != b"\1":
        return extradata
    found, place = [], 5
    for mask in (31, 255):  # of the numbers of sequences, and of pictures
        count, place = extradata[place] & mask if place < len(extradata) else 0, place + 1
        for _ in range(count):
            size = int.from_bytes(extradata[place : place + 2], "big")
            found.append(b"\0\0\0\1" + extradata[place + 2 : place + 2 + size])
            place += 2 + size
    return b"".join(found)
