from collections.abc import Sequence
from typing import Any, Literal

from ...pipeline import DataNode

def video(
    *,
    sequence_length: int,
    last_sequence_policy: Literal["partial", "pad"] = ...,
    adjust_orientation: bool = ...,
    blocking: bool = ...,
    bytes_per_sample_hint: int | Sequence[int] | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> DataNode:
    """Cuts videos that are fed, one file after the other, into sequences; DALI's `fn.experimental.inputs.video`.

    It wants `pip install 'jaxdali[video]'`: FFmpeg decodes, through PyAV, by one thread, also H.264, HEVC and AV1. Of a long
    video only the batch that is asked for is decoded.

    `pipe.feed_input(name, [file])`, or `pipe.run(name=[file])`, appends a video, whose file is `uint8[n]` or bytes. Each run
    gives `batch_size` sequences, the last one of a video what is left of it: fewer sequences, and with
    `last_sequence_policy="partial"` a last one of fewer frames. No batch has frames of two videos. A run without data is an
    error that leaves the pipeline as it was, while DALI's has to be built anew. Data that are not a video are refused when
    they are fed. There are no checkpoints, as in DALI.

    Args:
        sequence_length: number of frames per sequence.
        last_sequence_policy: how to return the last sequence of a video if it has too few frames: "partial": a shorter
            sequence; "pad": a sequence of full length, padded with frames of zeros.
        adjust_orientation: turn frames as the file says that they are shown, which is how phones store upright videos;
            False: leave them as they are stored, as DALI does, which has no such argument for videos.
        blocking: whether `run` waits for another thread to feed a video; otherwise a missing video is an error.
        bytes_per_sample_hint: expected size of a sequence; slots start with this size and need not grow.
        device: where it runs: "cpu" or "mixed". By default "cpu".
        name: unique in its pipeline.
        preserve: compute it even if no output depends on it.
        affine: without effect: a video is decoded by one thread.
        no_copy: without effect: the file is copied once, and may change when `feed_input` has returned.
        seed: deprecated: has no effect on an operator that draws nothing; leave it out.

    Returns:
        A node of sequences, `uint8[sequence_length, height, width, 3]`, layout FHWC.

    Raises:
        ConfigError: an argument cannot be honoured.
        BackendUnavailable: PyAV is not installed.
    """
    ...
