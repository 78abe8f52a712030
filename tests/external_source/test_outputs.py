"""How many outputs a source has, what is declared about them, and the errors where they do not fit."""

from __future__ import annotations

import output_programs
import pytest
from output_programs import BATCH_COUNTS, COUNTS, DECLARED, PAIR
from processes import run_program

WAYS = pytest.mark.parametrize("start_method", [None, "fork"])
MODES = pytest.mark.parametrize("batch", [False, True], ids=["samples", "batches"])


def check_error(outcome, words, start_method, sample):
    assert isinstance(outcome, dict) and "SourceDataError" in outcome["types"], outcome
    assert words in outcome["text"]
    worker = None if start_method is None else 0
    place = (outcome["sample_index"], outcome["iteration"], outcome["epoch"], outcome["worker_id"])
    assert place == (sample, 0, 0, worker)
    assert "iteration 0, epoch 0" in outcome["text"]


@WAYS
@MODES
def test_num_outputs(start_method, batch):
    table = BATCH_COUNTS if batch else COUNTS
    for row, outcome in zip(table, run_program(output_programs.counts, start_method, batch), strict=True):
        expected = row[2]
        if isinstance(expected, str):
            check_error(outcome, expected, start_method, None if batch else 0)
            continue
        wanted = [[[str(array.dtype), list(array.shape), array.tolist()]] * 2 for array in PAIR[:expected]]
        assert outcome == wanted, row


@WAYS
@MODES
def test_what_is_declared_is_checked(start_method, batch):
    outcomes = run_program(output_programs.declared, start_method, batch)
    for (arguments, expected), outcome in zip(DECLARED, outcomes, strict=True):
        if isinstance(expected, list):
            assert outcome == expected, arguments
            continue
        words, output = expected
        check_error(outcome, words, start_method, 0)
        assert outcome["output"] == f"__ExternalSource_0[{output}]"


def test_sources_that_differ_in_size_are_named():
    ways = [(None, None), ("fork", "fork"), ("fork", None), (None, "fork")]
    for way, (errors, sizes) in zip(ways, run_program(output_programs.clashes, ways), strict=True):
        assert errors, way
        for error in errors:
            assert "Batch size clash! The input operator '" in error["text"], way
            assert "which is different than " in error["text"]
            assert ("SourceDataError" in error["types"], error["iteration"], error["epoch"]) == (True, 0, 0)
            assert ("3" in error["text"], "4" in error["text"]) == (True, True)
            assert (error["worker_id"] is not None) == (
                dict(zip(("first", "second"), way, strict=True))[error["output"]] is not None
            )
        assert sizes == [2, 2]


@WAYS
def test_unused_outputs_are_said_and_the_source_is_called_all_the_same(start_method):
    (some, none), called = run_program(output_programs.warnings_of_outputs, start_method)
    assert len(some) == 2 and none == []
    for text, index in zip(some, (0, 2), strict=True):
        assert f"produces 3 outputs, but the output at the index {index} is not used" in text
        assert "output_programs.py" in text
    assert called == (0 if start_method else 4)  # workers have their own copies of the list


def test_workers_that_iterables_cannot_use_are_not_started():
    results = run_program(output_programs.numbers_of_workers)
    assert [count for _, count in results] == [1, 2, 4, 4, 4, 4, 4]
    for words, count in results[:2]:
        (text,) = words
        assert f"There will be run only {count} python worker(s), even though 4 were specified" in text
    assert not any(words for words, _ in results[2:])
