"""Videos that are fed, compared with DALI: sequences, what is left at the end, and how many runs a video lasts."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest
from beside_dali import SYSTEMS, load
from video_files import write_video

pytestmark = pytest.mark.dali

COUNTS = {"long.avi": 17, "short.avi": 5, "other.webm": 8}


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> list[np.ndarray]:
    """Videos of 17, 5 and 8 frames; DALI's CPU decoder refuses H.264."""
    root: pathlib.Path = tmp_path_factory.mktemp("fed")
    return [np.fromfile(write_video(root / name, count), np.uint8) for name, count in COUNTS.items()]


def runs(system: str, files: list[np.ndarray], batch_size: int, by_run: int = 0, **given: Any) -> list[Any]:
    """Returns each batch's sequences until there are no more, or of `by_run` runs, each fed with the first file."""
    dali = load(system)
    alone = {"prefetch_queue_depth": 1, "exec_async": False, "exec_pipelined": False} if by_run else {}
    pipe = dali.Pipeline(batch_size=batch_size, num_threads=1, device_id=None, **alone)
    with pipe:
        pipe.set_outputs(dali.fn.experimental.inputs.video(name="video", **given))
    pipe.build()
    for file in [] if by_run else files:
        pipe.feed_input("video", [file])
    found: list[Any] = []
    for number in range(by_run or 20):
        try:
            (batch,) = pipe.run(video=[files[0]]) if by_run else pipe.run()
        except RuntimeError as error:  # ours is a RuntimeError, too
            assert number and ("No data was provided" in str(error) or "call feed_input" in str(error))
            break
        found.append([batch.layout(), *(np.array(batch.at(k)) for k in range(len(batch)))])
    if system == "jaxdali":
        pipe.close()
    return found


@pytest.mark.parametrize(
    ("batch_size", "given"),
    [
        (3, {"sequence_length": 4}),
        (3, {"sequence_length": 4, "last_sequence_policy": "pad"}),
        (2, {"sequence_length": 5, "last_sequence_policy": "partial"}),
        (4, {"sequence_length": 1, "no_copy": True, "affine": False}),
        (1, {"sequence_length": 40, "last_sequence_policy": "pad"}),
        (2, {"sequence_length": 40}),
    ],
    ids=str,
)
def test_sequences_are_dalis(files, batch_size, given):
    theirs, ours = (runs(system, files, batch_size, **given) for system in SYSTEMS)
    assert [len(batch) for batch in ours] == [len(batch) for batch in theirs]
    for mine, other in zip(ours, theirs, strict=True):
        assert mine[0] == other[0] == "FHWC"
        for a, b in zip(mine[1:], other[1:], strict=True):
            np.testing.assert_array_equal(a, b)


def test_a_video_is_fed_by_each_run(files):
    theirs, ours = (runs(system, files, 3, by_run=3, sequence_length=4) for system in SYSTEMS)
    assert [[one.shape for one in batch[1:]] for batch in ours] == [
        [one.shape for one in batch[1:]] for batch in theirs
    ]
    assert all(
        np.array_equal(a, b) for x, y in zip(ours, theirs, strict=True) for a, b in zip(x[1:], y[1:], strict=True)
    )


def test_dali_has_no_checkpoints_either():
    for system in SYSTEMS:
        dali = load(system)
        pipe = dali.Pipeline(batch_size=1, num_threads=1, device_id=None, enable_checkpointing=True)
        with pipe:
            pipe.set_outputs(dali.fn.experimental.inputs.video(name="video", sequence_length=3))
        with pytest.raises(Exception, match=r"(?i)checkpointing is not implemented for"):
            pipe.build()
            pipe.run()
