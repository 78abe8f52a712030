"""Decodes video files."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.missing import load_extra
from jaxdali._feed.source.video_decoding import VideoReading
from jaxdali.errors import ConfigError, SourceDataError
from ...graph.call import Call, DataNode, MutableParams, Params
from ...graph.declarations import declare
from ..argument_kinds import FILL, Kind, integer
from ..declaration import Input, Operator, PerSample, Static
from ..sources.video_files import ORIENTED, PAD_MODE, pad_of
from .decoder_inputs import check_files

__all__ = ["video"]

_LARGEST = (1 << 31) - 1
# Arguments that select frames, and their names in `VideoReading`.
_PARTS: dict[str, str] = {
    "frames": "frames",
    "start_frame": "start",
    "end_frame": "end",
    "sequence_length": "length",
    "stride": "stride",
}


def _frames(word: str, value: object) -> tuple[int, ...]:
    found = np.asarray(value)
    if found.ndim > 1 or (found.size and found.dtype.kind not in "iu") or (np.abs(found) > _LARGEST).any():
        raise ConfigError(f"{word} must be numbers of frames, integers, got {value!r:.80}")
    return tuple(np.atleast_1d(found).tolist())


def _prepare(params: MutableParams) -> MutableParams:
    given = [name for name in _PARTS if params[name] is not None]
    if "frames" in given and len(given) > 1:
        raise ConfigError(
            f"fn.decoders.video got frames= and {given[1]}=; give the numbers of frames, or a part of the video"
        )
    if {"end_frame", "sequence_length"} <= {*given}:
        raise ConfigError("fn.decoders.video got sequence_length= and end_frame=; give one of them")
    if len(params["fill_value"]) not in (1, 3) or not all(0 <= one <= 255 for one in params["fill_value"]):
        raise ConfigError(
            f"fn.decoders.video(fill_value=) must be a number from 0 to 255, or one for each of 3 channels; got "
            f"{params['fill_value']!r:.80}"
        )
    return params


def _check(display_name: str, inputs: Sequence[DataNode], params: Params, device: str | None) -> None:
    load_extra("av", "video", "decoding videos")
    check_files(display_name, inputs, params, device)


def _reading(call: Call) -> VideoReading:
    """Returns what is known before there is data about the frames to read."""
    known = {_PARTS[name]: call.params[name] for name in _PARTS if not isinstance(call.params[name], DataNode)}
    pad, fill = call.params["pad_mode"], tuple(int(one) for one in call.params["fill_value"])
    upright = bool(call.params["adjust_orientation"])
    return VideoReading(**known, pad=pad_of(str(pad)), fill=fill, upright=upright)


def _on_host(call: Call, operands: Sequence[Sequence[Any]], _samples: int) -> list[list[object]]:
    """Decodes files that a function between two programs made, or for which arguments are nodes."""
    files, *others = operands
    names = [name for name in call.params if isinstance(call.params[name], DataNode)]
    read, made = _reading(call), []
    for number, file in enumerate(files):
        own = {}
        for name, values in zip(names, others, strict=True):
            several = tuple(int(one) for one in np.ravel(values[number]))
            if name != "frames" and len(several) != 1:
                raise SourceDataError(
                    f"sample {number} of {call.description}: {name}= has {len(several)} numbers, expected one"
                )
            own[_PARTS[name]] = several if name == "frames" else several[0]
        try:
            made += dataclasses.replace(read, **own)(file)
        except SourceDataError as error:
            raise SourceDataError(f"sample {number} of {call.description}: {error}") from None
    return [made]


_FRAME = Kind("int", integer(-_LARGEST, _LARGEST).read, (1, 2))

video = declare(
    Operator(
        name="decoders.video",
        doc="""Decodes files of video; DALI's `fn.decoders.video`.

    It decodes all frames, those of `frames`, or those from `start_frame` to `end_frame`, or `sequence_length` of
    them. It wants `pip install 'jaxdali[video]'`: FFmpeg decodes, through PyAV, a file by one thread, also H.264,
    HEVC and AV1. With `device="mixed"` the video engines of a GPU decode H.264 and HEVC of 8 bits and 4:2:0, with the
    same pixels, unless a function of Python takes the frames. FFmpeg shows what it conceals of a damaged file; there
    it is an error, or looks otherwise if the engine does not notice. `decode_ahead=0` of the pipeline leaves all to
    FFmpeg. Colors are converted as DALI's CPU decoder does. Frames are numbered in the order in which they are shown.
    Of several streams of video FFmpeg's choice is read; sound and subtitles are not.

    Files are decoded, or looked through for a GPU, where they are read: those of a reader, or of a source with
    `parallel=True`, in the workers. Where an argument is a node they are decoded on the host, between two programs of
    the device, one after the other. What cannot be decoded is a SourceError, which names the file. Where videos are
    on disk `fn.readers.video` reads of them what it needs.
    """,
        inputs=[
            Input(
                "encoded",
                "files as `uint8[n]`: an output of `external_source`, of a reader or of `io.file.read`",
                takes="videos",
            )
        ],
        params=[
            PerSample(
                "frames",
                None,
                "frame numbers, in any order; they may repeat",
                Kind("Sequence[int]", _frames, ((1, 0), (2, 2))),
            ),
            PerSample("start_frame", None, "the first frame; 0 by default. It must be in the video", _FRAME),
            PerSample("end_frame", None, "the end of the frames, exclusive; by default that of the video", _FRAME),
            PerSample("sequence_length", None, "number of frames, instead of an end", integer(0, _LARGEST)),
            PerSample("stride", None, "distance between frames; 1 by default", integer(1, _LARGEST)),
            Static(
                "pad_mode",
                PAD_MODE,
                "constant",
                'how to replace frames that the video does not have: by `fill_value`; by the nearest frame ("edge", '
                '"repeat"); or by those on the other side of the end, including the last one ("reflect_1001", '
                '"symmetric") or not ("reflect_101", "reflect"). "none": the clip ends earlier, and such numbers in '
                "`frames` are an error",
                "decode the video in a source, with jaxdali.source.VideoClips",
            ),
            Static("fill_value", FILL, (0.0,), "level of each channel, from 0 to 255, or one number for all"),
            ORIENTED,
        ],
        accepted={
            "affine": "a file is decoded by one thread",
            "build_index": "where frames are located is found without decoding",
        },
        devices=("cpu", "mixed"),
        returns="A node of clips, `uint8[frames, height, width, 3]`, layout FHWC.",
        raises={
            "BackendUnavailable": "PyAV is not installed",
            "GraphError": "`encoded` does not come straight from a source",
        },
        prepare=_prepare,
        check=_check,
        reading=_reading,
        on_host=_on_host,
        layouts=lambda _params: ["FHWC"],
    )
)
