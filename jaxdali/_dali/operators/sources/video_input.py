"""Cuts videos that are fed into sequences of frames."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from jaxdali._base.dtypes import UINT8
from jaxdali._base.missing import load_extra
from jaxdali._feed.source.fed_videos import FedVideos
from ...graph.call import Call, DataNode, Params
from ...graph.declarations import declare
from ..argument_kinds import FLAG, Kind, choice, integer
from ..declaration import REQUIRED, Operator, Param, Static
from .spec import SourceSpec
from .video_files import ORIENTED

__all__ = ["video_input"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class _VideoSpec(SourceSpec):
    """Videos that are fed.

    Attributes:
        length: the number of frames of a sequence.
        padded: the last sequence is padded to that length.
        upright: frames are turned as their video says that they are shown.
    """

    length: int
    padded: bool
    upright: bool

    def copied(self, owner: object) -> SourceSpec:
        """Returns the spec for a pipeline; each pipeline is fed by itself."""
        return dataclasses.replace(self, source=FedVideos(self.blocking, self.length, self.padded, self.upright))


def _spec(given: Params) -> _VideoSpec:
    return _VideoSpec(
        source=None,
        num_outputs=None,
        batch=True,
        parallel=False,
        dtype=(UINT8,),
        ndim=(4,),
        layout=("FHWC",),
        blocking=bool(given.get("blocking")),
        bytes_per_sample_hint=given.get("bytes_per_sample_hint"),
        length=given["sequence_length"],
        padded=given["last_sequence_policy"] == "pad",
        upright=given["adjust_orientation"],
    )


def _check(_display_name: str, _inputs: Sequence[DataNode], _params: Params, _device: str | None) -> None:
    load_extra("av", "video", "decoding videos")


def _describe(call: Call) -> tuple[Params, Params]:
    spec: _VideoSpec = call.source
    told = {"sequence_length": spec.length, "padded": spec.padded, "adjust_orientation": spec.upright}
    return told, {"padded": False, "adjust_orientation": True}


video_input = declare(
    Operator(
        name="experimental.inputs.video",
        doc="""Cuts videos that are fed, one file after the other, into sequences; DALI's `fn.experimental.inputs.video`.

    It wants `pip install 'jaxdali[video]'`: FFmpeg decodes, through PyAV, by one thread, also H.264, HEVC and AV1. Of a long
    video only the batch that is asked for is decoded.

    `pipe.feed_input(name, [file])`, or `pipe.run(name=[file])`, appends a video, whose file is `uint8[n]` or bytes. Each run
    gives `batch_size` sequences, the last one of a video what is left of it: fewer sequences, and with
    `last_sequence_policy="partial"` a last one of fewer frames. No batch has frames of two videos. A run without data is an
    error that leaves the pipeline as it was, while DALI's has to be built anew. Data that are not a video are refused when
    they are fed. There are no checkpoints, as in DALI.
    """,
        params=(
            Static("sequence_length", integer(1), REQUIRED, "number of frames per sequence"),
            Static(
                "last_sequence_policy",
                choice("partial", "pad"),
                "partial",
                'how to return the last sequence of a video if it has too few frames: "partial": a shorter sequence; '
                '"pad": a sequence of full length, padded with frames of zeros',
            ),
            ORIENTED,
            Param(
                "blocking",
                FLAG,
                False,
                "whether `run` waits for another thread to feed a video; otherwise a missing video is an error",
                hint=True,
            ),
            Param(
                "bytes_per_sample_hint",
                Kind("int | Sequence[int]", lambda _word, value: value, (1000, 2000)),
                None,
                "expected size of a sequence; slots start with this size and need not grow",
                hint=True,
            ),
        ),
        accepted={
            "affine": "a video is decoded by one thread",
            "no_copy": "the file is copied once, and may change when `feed_input` has returned",
        },
        devices=("cpu", "mixed"),
        returns="A node of sequences, `uint8[sequence_length, height, width, 3]`, layout FHWC.",
        raises={"BackendUnavailable": "PyAV is not installed"},
        check=_check,
        source=_spec,
        describe=_describe,
        layouts=lambda _params: ["FHWC"],
    )
)
