"""The indices that sources are told, and how far ahead they are asked, by DALI's tables."""

from __future__ import annotations

import index_programs
import pytest
from index_programs import EPOCHS, ITERATIONS
from processes import run_program
from tiers import gate

BATCH = 3


@pytest.mark.parametrize(
    ("start_method", "workers"),
    gate(
        [(None, 0), ("fork", 1), ("fork", 2), ("fork", 8), ("spawn", 2), ("forkserver", 2)],
        [(None, 0), ("fork", 2), ("forkserver", 2)],
    ),
)
def test_sources_are_told_where_they_are(start_method, workers):
    told = run_program(index_programs.indices, start_method, workers)
    places = [(epoch, iteration) for epoch in range(EPOCHS) for iteration in range(ITERATIONS)]
    assert told["samples"] == [
        [[BATCH * iteration + row, row, iteration, epoch] for row in range(BATCH)] for epoch, iteration in places
    ]
    assert told["batches"] == [[[iteration, epoch]] for epoch, iteration in places]
    assert told["index"] == told["optional"] == [[[iteration]] for _, iteration in places]
    assert told["short"] == [[[iteration]] * (iteration + 1) for _, iteration in places]


# kind, depth of the pipeline, depth of the source, iterations that the first run asks for.
AHEAD = [
    (kind, depth, ahead, depth + (ahead or 1))
    for kind in ("samples", "batches", "generator")
    for depth in (1, 2)
    for ahead in (None, 1, 3, 4)
]
RUNS = (0, 1, 2, 4)


def check_requests(parallel, table):
    cases = [(parallel, kind, depth, ahead, runs) for kind, depth, ahead, _ in table for runs in RUNS]
    expected = [first + runs - 1 if runs else 0 for *_, first in table for runs in RUNS]
    asked = run_program(index_programs.all_requests, cases)
    for case, seen, count in zip(cases, asked, expected, strict=True):
        if parallel and case[-1] == 0:
            # Workers get the work of the first run when they start, and may have begun with it.
            count = min(len(seen), next(first for *own, first in table if tuple(own) == case[1:4]))
        assert seen == list(range(count)), case


def test_the_first_run_asks_for_as_much_as_both_depths_say_and_each_further_run_for_one_more():
    check_requests(True, AHEAD)


def test_without_workers_so_much_is_asked_for_as_the_pipeline_is_deep():
    check_requests(
        False, [(kind, depth, None, depth) for kind in ("samples", "batches", "generator") for depth in (1, 2)]
    )


@pytest.mark.parametrize("kind", ["samples", "batches"])
def test_past_the_end_no_more_is_asked_for_than_lies_ahead(kind):
    last = 3
    cases = [(True, kind, depth, ahead, last + 3, last) for depth in (1, 2) for ahead in (1, 3)]
    for (_, _, depth, ahead, _, _), asked in zip(cases, run_program(index_programs.all_requests, cases), strict=True):
        assert last in asked
        assert asked == list(range(len(asked))) and asked[-1] < last + depth + ahead
    (asked,) = run_program(index_programs.all_requests, [(False, kind, 2, None, last + 3, last)])
    assert asked == [0, 1, 2, 3]


def test_a_batch_of_samples_is_cut_into_as_many_pieces_as_there_are_workers():
    cases = {
        (2, 5): [[0, 1, 2], [3, 4]],
        (3, 7): [[0, 1, 2], [3, 4], [5, 6]],
        (1, 3): [[0, 1, 2]],
        (8, 3): [[0], [1], [2]],
    }
    assert run_program(index_programs.pieces, list(cases)) == list(cases.values())
