"""Sources of every kind that go wrong: the error's text is right, so is the next epoch, and nothing is left behind."""

from __future__ import annotations

import failure_programs
import pytest
from failure_programs import BAD_ITERATION, BAD_SAMPLE, BATCH, BATCHES, KINDS
from processes import run_program
from tiers import gate

ROWS = [[[BATCH * iteration + row for row in range(BATCH)]] for iteration in range(BATCHES)]
RAISING = ("raises", "exits")
# How it goes wrong -> a part of the error's text.
BAD_DATA = {
    "gives_text": "Unsupported callback return type: str",
    "gives_a_row_of_text": "Unsupported callback return type: str",
    "gives_floats": "expected data of type INT32 and got: FLOAT64",
}
DYING = {
    "is_killed": "signal 9 (SIGKILL)",
    "ends_process": "exit code 7",
    "hangs": "after it made no progress for 0.3 s (worker_timeout_s)",
}
STATEFUL = ("Iterable", "Generator", "Split")


def bad_rows(kind, how):
    """Returns the samples that an error may name."""
    if how == "gives_a_row_of_text":
        return [BAD_SAMPLE]
    if kind == "Samples":
        # A worker that dies is at that sample: it reports its progress after each one.
        return [BAD_SAMPLE]
    if how in DYING or how == "gives_floats":
        return [BATCH * BAD_ITERATION]
    return [None]


def check_left(result):
    before, after = result["before"], result["after"]
    assert after["descriptors"] == before["descriptors"]
    assert after["children"] == before["children"] == []
    assert after["threads"] <= before["threads"]


def check_place(error, kind, how, pids):
    place = (error["output"], error["iteration"], error["epoch"])
    if how in DYING and kind in STATEFUL:
        # Nobody knows in which epoch what it was making would have come.
        assert place == ("data", None, None) and "it was working on the next batch" in error["text"]
        return
    assert place == ("data", BAD_ITERATION, 1)
    assert error["sample_index"] in bad_rows(kind, how)
    sample = "" if error["sample_index"] is None else f"sample {error['sample_index']}, "
    words = f"output 'data', {sample}iteration {BAD_ITERATION}, epoch 1"
    assert words in error["text"]
    if pids:
        assert error["pid"] == pids[error["worker_id"]]
        assert f"{words}, worker {error['worker_id']} (pid {error['pid']})" in error["text"]
    else:
        assert (error["worker_id"], error["pid"]) == (None, None)


def check(case, result, start_method):
    kind, how, once = case
    assert result["first"] == result["anew"] == [*ROWS, "stop"]
    check_left(result)
    error = result["error"]
    if once is not None:
        # Another worker asks the callable again.
        assert error is None and result["good"] == [*ROWS, "stop"]
        return
    assert result["good"] == ROWS[:BAD_ITERATION]
    if how in RAISING and start_method is None:
        # An error in a sequential source is raised unchanged.
        assert error["types"][0] == {"raises": "LookupError", "exits": "SystemExit"}[how]
        place = "iteration 1, epoch 1" if kind != "Samples" else "sample 3, iteration 1, epoch 1"
        raised, site = error["notes"]
        assert raised == f"raised by the source of output 'data', {place}"
        assert site.startswith("in fn.external_source (data), defined at ")
        return
    assert result["again"]["types"] == error["types"] and result["again"]["text"] == error["text"]
    if how in RAISING:
        assert "SourceError" in error["types"] and "failure_programs.py" in error["text"]
        assert {"raises": "LookupError: no such thing", "exits": "SystemExit: enough"}[how] in error["text"]
        assert ("LookupError" in error["types"]) == (how == "raises")
    elif how in BAD_DATA:
        assert error["types"][0] == "SourceDataError" and BAD_DATA[how] in error["text"]
    else:
        assert error["types"][0] == "WorkerError" and DYING[how] in error["text"]
        reason = "cannot be restarted, because it remembers where it was" in error["text"]
        assert reason == (kind in STATEFUL)
    check_place(error, kind, how, result["pids"])


def check_all(start_method, cases):
    results = run_program(failure_programs.scenarios, start_method, cases, timeout_s=120)
    for case, result in zip(cases, results, strict=True):
        try:
            check(case, result, start_method)
        except AssertionError as error:
            raise AssertionError(f"{case}: {result}") from error


IN_PROCESS = [
    (kind, how, None)
    for kind in KINDS
    for how in (*RAISING, *BAD_DATA)
    if not (kind == "Samples" and how == "gives_a_row_of_text")
]
IN_WORKERS = [*IN_PROCESS, *((kind, how, None) for kind in KINDS for how in DYING)]


def redone(folder):
    return [(kind, how, str(folder / (kind + how))) for kind in ("Samples", "Batches") for how in DYING]


def test_without_workers():
    check_all(None, IN_PROCESS)


def test_with_forked_workers(tmp_path):
    check_all("fork", IN_WORKERS + redone(tmp_path))


@pytest.mark.parametrize("start_method", gate(["spawn", "forkserver"], ["forkserver"]))
def test_with_fresh_workers(start_method, tmp_path):
    cases = [
        (kind, how, None) for kind in ("Batches", "Generator", "Split") for how in ("raises", "is_killed", "hangs")
    ]
    check_all(start_method, [*cases, *redone(tmp_path)[-1:]])
