"""Sources that go on where they stood when an epoch begins: whatever was made ahead comes, and only once."""

from __future__ import annotations

import pytest
import resume_programs
from processes import run_program, run_several

WAYS = pytest.mark.parametrize("start_method", [None, "fork"])
DEPTHS = (1, 2, 3)
BATCHES = [[[0, 1]], [[10, 11]], [[20, 21]], [[30, 31]]]


@WAYS
def test_an_error_that_nobody_heard_of_is_raised_after_the_reset_and_then_no_more(start_method):
    calls = [(start_method, depth, "error") for depth in DEPTHS]
    for depth, seen in zip(DEPTHS, run_several(resume_programs.unheard, calls), strict=True):
        error, again = seen[3:5]
        assert "LookupError" in error and again == error, depth
        # A generator that raised is at its end.
        assert seen == [*BATCHES[:2], "reset", error, error, "reset", "stop", "stop"], depth


@WAYS
def test_a_clash_of_sizes_that_nobody_heard_of_comes_after_the_reset_and_then_the_next_batch(start_method):
    both = [batch * 2 for batch in BATCHES]
    calls = [(start_method, depth, "clash") for depth in DEPTHS]
    for depth, seen in zip(DEPTHS, run_several(resume_programs.unheard, calls), strict=True):
        error, again = seen[3:5]
        assert "Batch size clash!" in error and again == error, depth
        assert seen == [*both[:2], "reset", error, error, "reset", both[3], "stop"], depth


@pytest.mark.parametrize("start_method", ["fork", "forkserver"])
def test_a_death_that_nobody_heard_of_is_raised_before_the_source_begins_anew(start_method):
    seen = run_program(resume_programs.unheard_death, start_method)
    assert "WorkerError" in seen[2] and seen[3] == seen[2]
    assert seen == [BATCHES[0], "reset", seen[2], seen[2], "reset", *BATCHES[:2]]


def test_an_iterable_at_its_end_is_not_begun_anew_by_another_worker():
    seen = run_program(resume_programs.for_ever_at_its_end, 4, 20)
    assert seen == [[[0, 1], [0, 1]]] + ["stop"] * 20
