"""Reads clips of videos, like DALI's older reader."""

from __future__ import annotations

import copy
import hashlib
import math
from collections.abc import Callable

import numpy as np

from jaxdali._base.dtypes import FLOAT, RGB, UINT8, DALIDataType
from jaxdali._feed.records.packed_video import Offered
from jaxdali._feed.records.video_frames import Frames
from jaxdali._feed.source.video import VideoClips
from jaxdali.errors import ConfigError
from ...graph.call import Params
from ...graph.declarations import declare
from ..argument_kinds import DTYPE, FILL, FLAG, PATH, Kind, choice, integer
from ..declaration import REQUIRED, Only, Operator, Param, Static
from .reader_params import ACCEPTED, READING, SHARDING, describe_reader, hints, reader_spec
from .reader_spec import ReaderSpec
from .video_files import FILES, FRAME_NUMBERS, ORIENTED, PAD_MODE, has_labels, pad_of, video_files

__all__ = ["experimental_video_reader", "video_reader"]

_ROUNDING = {
    "start_down_end_up": (math.floor, math.ceil),
    "start_up_end_down": (math.ceil, math.floor),
    "all_up": (math.ceil, math.ceil),
    "all_down": (math.floor, math.floor),
}
# Videos at URLs are read in pieces, as the file requires, and are not cached.
_HINTS = tuple(one for one in hints("one number per output", None) if not one.name.startswith("cache_"))
# DALI's readers have no other order.
_CUT = tuple(one for one in SHARDING if not one.name.startswith("shuffle_after_epoch"))
_CLIPS: tuple[Param, ...] = (
    Static("sequence_length", integer(1), REQUIRED, "number of frames per clip"),
    Static("stride", integer(1), 1, "distance from one frame of a clip to the next"),
    Static(
        "step",
        integer(-(1 << 31)),
        -1,
        "distance from the first frame of a clip to that of the next clip; less than 1: `sequence_length * stride`, "
        "as in DALI, whose documentation says `sequence_length`",
    ),
    ORIENTED,
)
_ACCEPTED = {
    **ACCEPTED,
    "lazy_init": "files are looked through when the operator is written",
}
_COLORS = Only(
    RGB,
    "frames are red, green and blue; fn.color_space_conversion makes another color space of them",
)
_RAISES = {
    "OSError": "a file, a folder or the list cannot be read",
    "SourceDataError": "from `run`: a frame cannot be decoded; names the file and the frame",
}
_DECODING = """FFmpeg decodes, through PyAV (`pip install 'jaxdali[video]'`), in worker processes, as many as
    `num_threads` and the CPUs allow, a clip by one thread; colors are converted as DALI's CPU decoder does. With
    `device="gpu"` clips are on the GPU, whose video engines decode H.264 and HEVC of 8 bits and 4:2:0, with the same
    pixels, unless a function of Python takes the clips. FFmpeg shows what it conceals of a damaged clip; there it is
    an error, or looks otherwise if the engine does not notice. `decode_ahead=0` of the pipeline leaves all to FFmpeg.
    Frames are numbered in the order in which they are shown; what a file has before the first frame that can be
    decoded does not count. All frames of a clip have one size. Of several streams of video FFmpeg's choice is read;
    sound and subtitles are not."""
_LIST = (
    'path of a text with "path label [start [end]]" in every line; relative paths begin at the current folder, as in '
    "DALI. "
)


_NUMBERS = (
    'also return numbers: `"scalar"` or True, of the first frame of the clip, `int32[1]`; `"sequence"`, of each, '
    "`int32[sequence_length]`"
)
_TIMES = "also return when frames are shown, in seconds after the first one of the file: `float64[sequence_length]`"
_RETURNS = (
    "A node of clips, `uint8[sequence_length, height, width, 3]`, or `float32`, layout FHWC; a list of nodes where there "
    "are labels, `int32[1]`, with `file_root`, `file_list` and `labels`, numbers or times."
)


def _pixel_type(word: str, value: object) -> DALIDataType:
    found = DTYPE.read(word, value)
    if found not in (UINT8, FLOAT):
        raise ConfigError(f"{word} must be UINT8 or FLOAT, got {found}; fn.cast makes another type of it")
    return found


def _outputs(given: Params) -> int | None:
    count = 1 + has_labels(given) + (given["enable_frame_num"] != "none") + given["enable_timestamps"]
    return count if count > 1 else None


class _Wanted:
    """Clips with the requested information about each, for a reader."""

    # Clips are shuffled regardless of their file, before shards are cut.
    bounds = None
    decodes = "videos"

    def __init__(self, clips: VideoClips, given: Params, dtype: np.dtype, scale: float):
        self.clips = clips
        self._labels, self._numbers, self._times = (
            has_labels(given),
            given["enable_frame_num"],
            given["enable_timestamps"],
        )
        self._dtype, self._scale = dtype, np.float32(scale)
        self._offered: Offered | None = None

    def __len__(self) -> int:
        return len(self.clips)

    def row(self, index: int) -> tuple[np.ndarray, ...]:
        """Returns the reader's values for clip `index`."""
        if self._offered is None:
            pixels, label, numbers, times = self.clips.row(index)
        else:
            sample = self.clips.packed(index, self._offered)
            pixels, numbers, times = (sample[name] for name in ("frames", "numbers", "times"))
            label = np.array([sample["label"]])
        if self._dtype != np.uint8 and self._offered is None:
            pixels = pixels.astype(self._dtype) * self._scale if self._scale != 1 else pixels.astype(self._dtype)
        found = [pixels]
        found += [label] if self._labels else []
        found += {"none": [], "scalar": [numbers[:1]], "sequence": [numbers]}[self._numbers]
        return *found, *([times] if self._times else [])

    def packing(self, offered: Offered) -> _Wanted:
        """Returns the same clips, whose frames are packed for the video engine of a GPU, which decodes what it offers."""
        packed = copy.copy(self)
        packed._offered = offered
        return packed

    @property
    def factor(self) -> float | None:
        """What levels are multiplied by, as float32; None: frames are uint8."""
        return None if self._dtype == np.uint8 else float(self._scale)

    def direct(self) -> None:
        """Returns None: FFmpeg decodes, through PyAV."""
        return None

    def ahead(self) -> None:
        """Returns None: FFmpeg requests what it reads."""
        return None

    def source_info(self, index: int) -> str:
        """See `VideoClips.source_info`."""
        return self.clips.source_info(index)

    def name_of(self, index: int, output: int) -> str:
        """See `VideoClips.name_of`."""
        return self.clips.name_of(index, output)

    def digest(self) -> str:
        """Returns a digest that identifies what is read."""
        how = f"{self.clips.digest()} {self._labels} {self._numbers} {self._times} {self._dtype} {self._scale}"
        return hashlib.sha256(how.encode()).hexdigest()


def _reader_spec(name: str, clips: VideoClips, given: Params) -> ReaderSpec:
    dtype = np.dtype(np.float32 if given.get("dtype", UINT8) == FLOAT else np.uint8)
    data = _Wanted(clips, given, dtype, 1 / 255 if given.get("normalized") else 1)
    outputs = _outputs(given) or 1
    # Relative paths are not relative to the list's folder.
    sharing = {**given, "shuffle_after_epoch": False, "shuffle_after_epoch_seed": None, "file_list": None}
    return reader_spec(name, data, sharing, outputs, ("FHWC", *[""] * (outputs - 1)))


def _step(given: Params) -> int:
    return max(given["step"], 0)


def _time(seconds: float, frames: Frames, rounded: Callable[[float], int]) -> int:
    """Returns the index of the frame at a time, or of the next frame."""
    times = frames.times
    near = int(np.abs(times - seconds).argmin())
    if abs(times[near] - seconds) < 1e-6:
        return near
    return int(np.searchsorted(times, seconds)) - (rounded is math.floor)


def _experimental(given: Params) -> ReaderSpec:
    down, up = _ROUNDING[given["file_list_rounding"]]
    is_number = given["file_list_format"] == "frames"

    def place(value: float, frames: Frames, rounded: Callable[[float], int]) -> int:
        if not is_number:
            return _time(value, frames, rounded)
        return rounded(value) + (frames.count if value < 0 else 0)

    def bounds(start: float | None, end: float | None, frames: Frames) -> tuple[int, int]:
        first = 0 if start is None else place(start, frames, down)
        return first, frames.count if end is None else place(end, frames, up)

    clips = VideoClips(
        video_files(given, bounds),
        given["sequence_length"],
        given["stride"],
        _step(given),
        pad_of(given["pad_mode"]),
        [int(value) for value in given["fill_value"]],
        given["uniform_sample"],
        spanned=True,
        adjust_orientation=given["adjust_orientation"],
    )
    return _reader_spec("experimental.video", clips, given)


def _older(given: Params) -> ReaderSpec:
    if given["normalized"] and given["dtype"] != FLOAT:
        raise ConfigError("normalized=True makes fractions: it needs dtype=FLOAT")
    is_number, preceding = given["file_list_frame_num"], given["file_list_include_preceding_frame"]
    down, up = (math.floor, math.ceil) if preceding and not is_number else (math.ceil, math.floor)

    def bounds(start: float | None, end: float | None, frames: Frames) -> tuple[int, int]:
        scale = 1.0 if is_number else frames.rate
        found = [0, frames.count]
        for place, (value, rounded) in enumerate(((start, down), (end, up))):
            if value is not None:
                number = rounded(round(value * scale, 6))
                found[place] = number + frames.count if value < 0 else number
        return found[0], found[1]

    pad = "constant" if given["pad_sequences"] else "none"
    files = video_files(given, bounds)
    clips = VideoClips(
        files,
        given["sequence_length"],
        given["stride"],
        _step(given),
        pad,
        adjust_orientation=given["adjust_orientation"],
    )
    if not given.get("skip_vfr_check") and (uneven := clips.uneven):
        raise ConfigError(
            f"{uneven} has frames at different distances, so frame numbers do not give times; pass "
            "skip_vfr_check=True, or use experimental.readers.video, which counts by each frame's time"
        )
    return _reader_spec("video", clips, given)


video_reader = declare(
    Operator(
        name="readers.video",
        doc=f"""Reads clips of videos, forever; DALI's `fn.readers.video`.

    {_DECODING}

    {READING}""",
        params=(
            *FILES,
            Static(
                "file_list",
                PATH,
                None,
                f"{_LIST}From `start` to `end`, exclusive, in seconds, of which the first frame is `ceil(start * rate)` and "
                "the end `floor(end * rate)`; less than 0: from the end of the file",
            ),
            Static("file_list_frame_num", FLAG, False, "`start` and `end` in the list are frame numbers"),
            Static(
                "file_list_include_preceding_frame",
                FLAG,
                False,
                "round outwards: the first frame is `floor(start * rate)`, and the end is `ceil(end * rate)`",
            ),
            *_CLIPS,
            Static(
                "pad_sequences",
                FLAG,
                False,
                "add one more clip if the end of a file is too short for a full one. The missing frames are 0, and "
                "their numbers and times are -1",
            ),
            Static(
                "dtype",
                Kind("DALIDataType", _pixel_type, (UINT8, FLOAT)),
                UINT8,
                "`UINT8` or `FLOAT`; `FLOAT` takes four times the memory in transit",
            ),
            Static("normalized", FLAG, False, "scale floats to 0 to 1; by default they are 0 to 255"),
            Static("enable_frame_num", FRAME_NUMBERS, "none", _NUMBERS),
            Static("enable_timestamps", FLAG, False, _TIMES),
            Param(
                "skip_vfr_check", FLAG, False, "also read files whose frames are not evenly spaced in time", hint=True
            ),
            *_CUT,
            *_HINTS,
        ),
        accepted={
            **_ACCEPTED,
            "additional_decode_surfaces": "a decoder has as many as its video needs",
        },
        refused={"image_type": _COLORS, "channels": Only(3, "frames are red, green and blue")},
        outputs=_outputs,
        returns=_RETURNS,
        raises=_RAISES,
        source=_older,
        describe=describe_reader,
    )
)
experimental_video_reader = declare(
    Operator(
        name="experimental.readers.video",
        doc=f"""Reads clips of videos, forever, with DALI's newer arguments; DALI's `fn.experimental.readers.video`.

    {_DECODING}

    {READING}""",
        params=(
            *FILES,
            Static(
                "file_list",
                PATH,
                None,
                f"{_LIST}Clips are of what is from `start` to `end`, exclusive",
            ),
            Static(
                "file_list_format",
                choice("timestamps", "frames"),
                "timestamps",
                "unit of `start` and `end` in the list: seconds, or frame numbers, where negative ones count from the"
                " end of the file",
            ),
            Static(
                "file_list_rounding",
                choice(*_ROUNDING),
                "start_down_end_up",
                "how a `start` or `end` between two frames is rounded",
            ),
            *_CLIPS,
            Static(
                "pad_mode",
                PAD_MODE,
                "none",
                'how to pad one more clip if the end of a file is too short for a full one. "constant": the missing '
                'frames are `fill_value`, and their numbers and times are -1; "edge", "repeat": the last frame is '
                'repeated; "reflect_1001", "symmetric": the preceding frames in reverse order, including the last '
                'one; "reflect_101", "reflect": the same without the last one; "none": there is no such clip',
            ),
            Static("fill_value", FILL, (0.0,), "level of each channel, from 0 to 255, or one number for all"),
            Static(
                "uniform_sample",
                FLAG,
                False,
                "read one clip per file, with frames evenly spaced from the first to the last frame; `stride`, `step`"
                " and `pad_mode` are ignored",
            ),
            Static("enable_frame_num", FRAME_NUMBERS, "none", _NUMBERS),
            Static("enable_timestamps", FLAG, False, _TIMES),
            *_CUT,
            *_HINTS,
        ),
        accepted={
            **_ACCEPTED,
            "file_list_include_end": "the end is exclusive, as in DALI, where this changes nothing either",
        },
        refused={"image_type": _COLORS},
        outputs=_outputs,
        returns=_RETURNS,
        raises=_RAISES,
        source=_experimental,
        describe=describe_reader,
    )
)
