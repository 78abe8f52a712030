"""Reads clips whose frames are images in folders."""

from __future__ import annotations

from jaxdali._base.dtypes import ANY_DATA, BGR, GRAY, RGB, DALIImageType
from jaxdali._feed.source.frame_clips import FrameClips
from jaxdali.errors import ConfigError
from ...graph.call import Params
from ...graph.declarations import declare
from ..argument_kinds import IMAGE_TYPE, PATH, Kind, integer
from ..declaration import REQUIRED, Operator, Param, Static
from .reader_params import ACCEPTED, READING, SHARDING, caching, describe_reader, hints, reader_spec
from .reader_spec import ReaderSpec

__all__ = ["sequence_reader"]

_COLORS = {RGB: "rgb", BGR: "bgr", GRAY: "gray", ANY_DATA: "file"}


def _image_type(word: str, value: object) -> DALIImageType:
    found = IMAGE_TYPE.read(word, value)
    if found not in _COLORS:
        raise ConfigError(
            f"{word} must be RGB, BGR, GRAY or ANY_DATA, got {found}; read RGB, and convert it with "
            "fn.color_space_conversion"
        )
    return found


_PARAMS: tuple[Param, ...] = (
    Static(
        "file_root",
        PATH,
        REQUIRED,
        "a folder with one subfolder per video. A subfolder contains the frames of the video, one image each, in the "
        "order of their names",
    ),
    Static("sequence_length", integer(1), REQUIRED, "number of frames per clip"),
    Static("step", integer(1), 1, "distance from the first frame of a clip to that of the next clip"),
    Static("stride", integer(1), 1, "distance from one frame of a clip to the next"),
    Static(
        "image_type",
        Kind("DALIImageType", _image_type, (GRAY, BGR)),
        RGB,
        "`RGB`, `BGR`, `GRAY`, or `ANY_DATA`: the channels that the files have",
    ),
    # DALI's reader has no other order.
    *(one for one in SHARDING if not one.name.startswith("shuffle_after_epoch")),
    *hints("of the clip", 1),
)


def _spec(given: Params) -> ReaderSpec:
    data = FrameClips(
        given["file_root"],
        given["sequence_length"],
        given["step"],
        given["stride"],
        _COLORS[given["image_type"]],
        **caching(given),
    )
    return reader_spec(
        "sequence", data, {**given, "shuffle_after_epoch": False, "shuffle_after_epoch_seed": None}, 1, ("FHWC",)
    )


sequence_reader = declare(
    Operator(
        name="readers.sequence",
        doc=f"""Reads clips of videos whose frames are images in folders, forever; DALI's `fn.readers.sequence`.

    No clip reaches from one folder into the next, and there are only full ones. Where the videos themselves are there,
    `fn.readers.video` reads them from fewer bytes.

    Images are decoded in the worker processes, by Pillow, and turned as their Exif data say.

    {READING}""",
        params=_PARAMS,
        accepted={**ACCEPTED, "lazy_init": "files are listed when the operator is written"},
        devices=("cpu",),
        returns="A node of clips, `uint8[sequence_length, height, width, C]`, layout FHWC.",
        raises={
            "OSError": "a folder cannot be read. That of a file comes as SourceError from `run`, with its path",
            "SourceDataError": "from `run`: a frame cannot be decoded, or is not as large as the first one of its clip",
        },
        source=_spec,
        describe=describe_reader,
    )
)
