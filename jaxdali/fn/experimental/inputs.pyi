from collections.abc import Sequence
from typing import Any, Literal

from ...graph.call import DataNode

def video(
    *,
    sequence_length: int,
    last_sequence_policy: Literal["partial", "pad"] = ...,
    blocking: bool = ...,
    bytes_per_sample_hint: int | Sequence[int] | None = ...,
    device: str | None = None,
    name: str | None = None,
    preserve: bool = False,
    **dali: Any,
) -> DataNode:
    """Sequences of frames of videos that are fed, one file after the other; DALI's `fn.experimental.inputs.video`.
    It wants `pip install 'jaxdali[video]'`: FFmpeg decodes, through PyAV, by one thread, also H.264, HEVC and AV1. Of a long
    video only the batch that is asked for is decoded.

    `pipe.feed_input(name, [file])`, or `pipe.run(name=[file])`, appends a video, whose file is `uint8[n]` or bytes. Each run
    gives `batch_size` sequences, the last one of a video what is left of it: fewer sequences, and with
    `last_sequence_policy="partial"` a last one of fewer frames. No batch has frames of two videos. A run without data is an
    error that leaves the pipeline as it was, while DALI's has to be built anew. What is no video is refused when it is fed.
    There are no checkpoints, as in DALI.

    Args:
        sequence_length: frames of a sequence.
        last_sequence_policy: what the last sequence of a video is that has too few frames: "partial": shorter; "pad":
            as long as the others, with frames of zeros.
        blocking: whether `run` waits for a video that is to be fed, by another thread; else it is an error where there
            is none.
        bytes_per_sample_hint: expected size of a sequence; slots start that large and need not grow.
        device: where it is placed: "cpu" or "mixed". Not given: "cpu".
        name: unique in its pipeline.
        preserve: computed although nothing that is returned depends on it.
        affine: without effect: a video is decoded by one thread.
        no_copy: without effect: the file is copied once, and may change when `feed_input` has returned.
        seed: deprecated: has no effect on what draws nothing; leave it out.

    Returns:
        A node of sequences, `uint8[sequence_length, height, width, 3]`, layout FHWC.

    Raises:
        ConfigError: an argument cannot be honoured.
        BackendUnavailable: PyAV is not installed.
    """
    ...
