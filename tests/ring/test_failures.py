"""Bad input to a pipeline: the error's text, how soon it comes, what continues, and what is left."""

from __future__ import annotations

import functools
import random
import struct

import failing_sources
import pytest
from failing_sources import BAD_SAMPLE, BATCH
from jpeg_files import pillow_jpeg, start_of_frame
from processes import SOON_S, run_program, run_several
from tiers import start_methods

from jaxdali._base.batch import Status

# How -> (type of the error, words of its text).
RAISED = {
    "raises": ("LookupError", ["LookupError: no such thing", "Traceback", "failing_sources.py"]),
    "raises_unprintable": ("SourceError", ["Unprintable", "Traceback"]),
    "exits": ("SourceError", ["SystemExit: enough"]),
    "interrupts": ("SourceError", ["KeyboardInterrupt: by itself", "Traceback", "failing_sources.py"]),
    "leaves": ("SourceError", ["GeneratorExit: too early", "Traceback"]),
    "is_cancelled": ("SourceError", ["CancelledError: by itself", "Traceback"]),
    "raises_of_odd_module": ("SourceError", ["Odd: where from?", "Traceback"]),
    "raises_with_large_number": ("LookupError", ["LookupError: too large", "Traceback"]),
    "returns_string": ("SourceDataError", ["Unsupported callback return type: str", "np.asarray"]),
    "returns_dtype": ("SourceDataError", ["expected data of type INT32 and got: FLOAT64"]),
    "returns_rank": ("SourceDataError", ["number of dimensions"]),
}
DIED = {
    "is_killed": (-9, "signal 9 (SIGKILL)"),
    "ends_process": (7, "exit code 7"),
}
RESTARTS = [("is_killed", 3), ("is_killed", 0), ("ends_process", 1)]


@functools.cache
def results(start_method):
    """(how, worker_restarts) -> the result of `fail`, all from one program: each case checks itself for leftovers."""
    cases = [*((how, 3) for how in RAISED), *RESTARTS]
    found = run_several(failing_sources.fail, [(how, start_method, restarts) for how, restarts in cases])
    return dict(zip(cases, found, strict=True))


def check_place(error, pids):
    """Attributes and text of the error name output, sample, iteration, worker and process."""
    assert (error["output"], error["iteration"], error["epoch"]) == ("data", 1, 0)
    assert BAD_SAMPLE <= error["sample_index"] < 2 * BATCH
    if error["type"] != "WorkerError":  # which names the last of several processes
        assert error["pid"] == pids[error["worker_id"]]
    place = (
        f"output 'data', sample {error['sample_index']}, iteration 1, epoch 0, "
        f"worker {error['worker_id']} (pid {error['pid']})"
    )
    assert place in error["text"]


def check_nothing_is_left(result):
    assert result["close_s"] < SOON_S
    before, after = result["before"], result["after"]
    assert after["descriptors"] == before["descriptors"]
    assert after["children"] == before["children"] == []
    # OpenBLAS ends its threads before a fork.
    assert after["threads"] <= before["threads"]


@start_methods("fork", "forkserver")
@pytest.mark.parametrize("how", RAISED)
def test_what_a_callback_does_wrong_is_named_and_the_next_epoch_is_right(how, start_method):
    result = results(start_method)[how, 3]
    kind, words = RAISED[how]
    error = result["error"]
    assert error["type"] == kind and error["took_s"] < SOON_S
    assert all(word in error["text"] for word in words), error["text"]
    check_place(error, result["pids"])
    if how != "returns_rank":  # there, either of the first two samples that differ may be named
        assert error["sample_index"] == BAD_SAMPLE
    # The batch before the failure came, the error stays until reset, and the slots keep working.
    assert result["good"] == [[0, 1, 2, 3]]
    assert result["again"] == {**error, "took_s": result["again"]["took_s"]}
    assert result["next_epoch"] == [100, 101, 102, 103]
    check_nothing_is_left(result)


@start_methods("fork", "forkserver")
@pytest.mark.parametrize(("how", "restarts"), RESTARTS)
def test_a_dead_worker_is_named_with_how_it_died(how, restarts, start_method):
    result = results(start_method)[how, restarts]
    exit_code, words = DIED[how]
    error = result["error"]
    assert error["type"] == "WorkerError" and error["took_s"] < SOON_S
    assert error["exit_code"] == exit_code and words in error["text"]
    assert "it was working on samples 6 to 7" in error["text"]
    check_place(error, result["pids"])
    # It was tried as often as allowed. The error stays until reset, which replaces the dead workers.
    assert result["deaths"] == 1 + restarts
    if restarts:
        assert f"{1 + restarts} workers died of it (worker_restarts)" in error["text"]
    assert result["again"]["type"] == "WorkerError" and words in result["again"]["text"]
    assert result["next_epoch"] == [100, 101, 102, 103]
    check_nothing_is_left(result)


def test_a_source_that_cannot_be_loaded_is_named():
    result = run_program(failing_sources.fail, "explodes", "spawn")
    error = result["error"]
    assert error["type"] == "SourceError" and error["took_s"] < SOON_S
    assert "could not load the source: LookupError: not at home" in error["text"]
    assert error["pid"] == result["pids"][error["worker_id"]]
    assert f"worker {error['worker_id']} (pid {error['pid']})" in error["text"]
    assert result["good"] == []
    check_nothing_is_left(result)


def bad_files() -> dict[Status, bytes]:
    good = pillow_jpeg(40, 60)
    huge = bytearray(pillow_jpeg(200, 300, quality=90))
    frame = start_of_frame(huge)
    huge[frame + 5 : frame + 9] = struct.pack(">HH", 65500, 65500)
    return {
        Status.TRUNCATED: good[: len(good) * 2 // 3],
        Status.CORRUPT: random.Random(0).randbytes(3000),
        Status.TOO_LARGE: bytes(huge),
    }


@start_methods("forkserver")
def test_a_bad_image_is_named_and_the_next_batch_comes(start_method):
    good, bad = pillow_jpeg(40, 60), bad_files()
    files = {**bad, "empty": b""}
    sequence = [good, *(file for file in files.values() for file in (file, good))]
    result = run_program(failing_sources.fail_to_decode, start_method, [file.hex() for file in sequence])
    expected = dict(enumerate([Status.TRUNCATED, Status.CORRUPT, Status.TOO_LARGE, Status.CORRUPT]))
    assert len(result["results"]) == len(sequence)
    for iteration, outcome in enumerate(result["results"]):
        if iteration % 2 == 0:
            assert outcome == [[40, 60, 3]]
            continue
        status = expected[iteration // 2]
        assert (outcome["type"], outcome["status"]) == ("DecodeError", status)
        assert outcome["took_s"] < SOON_S
        place = f"output 'files', sample {iteration}, iteration {iteration}, epoch 0, "
        assert f"{place}worker 0 (pid {result['pids'][0]})" in outcome["text"]
        assert status.name in outcome["text"]
        assert (outcome["worker_id"], outcome["pid"]) == (0, result["pids"][0])
    assert result["after"]["children"] == []
    kinds = result["after"]["descriptors"]
    assert not [kind for kind in kinds if "memfd" in kind or kind == "socket" or "pidfd" in kind]
