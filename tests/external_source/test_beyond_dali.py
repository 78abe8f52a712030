"""What sources may do here but not in DALI; the same for every number of workers and every start method."""

from __future__ import annotations

import beyond_programs
import numpy as np
import pytest
from processes import run_program

from jaxdali import types

METHODS = ("fork", "spawn", "forkserver")
WAYS = [(None, 0), ("fork", 1), ("fork", 2), ("fork", 3), ("fork", 8), ("spawn", 2), ("forkserver", 3)]


# LENGTHS

# Lengths of the sources (below 0: without a length, raises StopIteration), batch_size -> samples of an epoch.
LENGTHS = [
    ((13,), 4, 13),
    ((12,), 4, 12),
    ((3,), 4, 3),
    ((1,), 1, 1),
    ((0,), 4, 0),
    ((9, 5), 4, 5),
    ((5, 9), 4, 5),
    ((6, 6, 10), 4, 6),
    ((6, -9), 4, 6),
    ((-9, 6), 4, 6),
    ((9, -6), 4, 4),
    ((-6,), 4, 4),
]


def test_a_source_with_a_length_has_a_partial_last_batch_and_the_shortest_decides():
    cases = [(sizes, batch_size) for sizes, batch_size, _ in LENGTHS]
    expected = []
    for sizes, batch_size, samples in LENGTHS:
        epochs: list = []
        for epoch in range(2):
            for first in range(0, samples, batch_size):
                rows = range(first, min(first + batch_size, samples))
                epochs.append([[1000 * place + 100 * epoch + row for row in rows] for place in range(len(sizes))])
            epochs.append("stop")
        expected.append(epochs)
    for way, seen in zip(WAYS[:5], run_program(beyond_programs.lengths, WAYS[:5], cases), strict=True):
        assert seen == expected, way


# RESETS

DEPTHS = [(None, 0, 2, None), ("fork", 1, 1, 1), ("fork", 2, 2, 1), ("fork", 3, 2, 3), ("fork", 2, 1, 4)]
FRESH = [("spawn", 2, 2, 1), ("forkserver", 2, 2, 2)]
PLANS = [(1, 7), (2, 3, 7), (4, 1, 7), (5, 7), (6, 2, 7), (1, 1, 1, 1, 7), (0, 2, 0, 7)]


def batches(epoch, iterations):
    return [[[100 * epoch + 2 * iteration + row for row in range(2)]] for iteration in iterations]


def anew(plan, counts_epochs):
    """What comes if a reset begins the next epoch anew, and does nothing where nothing ran since the last one."""
    seen: list = []
    epoch = 0
    for runs in plan:
        seen += (batches(epoch if counts_epochs else 0, range(5)) + ["stop"] * 9)[:runs]
        seen.append("reset")
        epoch += runs > 0
    return seen


def onward(plan, repeats):
    """What comes if a reset changes nothing: what was made ahead comes after it."""
    every = batches(0, range(5)) * 9 if repeats else batches(0, range(5)) + ["stop"] * 99
    seen: list = []
    for runs in plan:
        seen += every[:runs]
        every = every[runs:]
        seen.append("reset")
    return seen


@pytest.mark.parametrize("kind", ["samples", "batches"])
def test_a_reset_in_mid_epoch_begins_the_next_one_of_a_callable(kind):
    ways = DEPTHS + (FRESH if kind == "batches" else [])
    expected = [anew(plan, counts_epochs=True) for plan in PLANS]
    for way, seen in zip(ways, run_program(beyond_programs.resets, ways, kind, None, PLANS), strict=True):
        assert seen == expected, way


@pytest.mark.parametrize("kind", ["generator", "factory"])
@pytest.mark.parametrize("cycle", ["raise", "no", "quiet"])
def test_a_reset_in_mid_epoch_of_what_is_iterated(kind, cycle):
    ways = [(method, 1 if kind == "generator" and workers else workers, *depths) for method, workers, *depths in DEPTHS]
    if kind == "factory" and cycle == "quiet":
        # Parts of 3 and of 2 batches would each repeat at their own pace.
        ways = [(method, min(workers, 1), *depths) for method, workers, *depths in ways]
    if cycle == "raise":
        expected = [anew(plan, counts_epochs=False) for plan in PLANS]
    else:
        expected = [onward(plan, cycle == "quiet") for plan in PLANS]
    for way, seen in zip(ways, run_program(beyond_programs.resets, ways, kind, cycle, PLANS), strict=True):
        assert seen == expected, way


# PARTS

SIZES = [[4], [1, 3], [5, 1, 3], [0, 2, 1, 0]]
MERGED = {
    1: [0, 1, 2, 3],
    2: [0, 10, 11, 12],
    3: [0, 10, 20, 1, 21, 2, 22, 3, 4],
    4: [10, 20, 11],
}
PART_WAYS = [
    (method, workers, *depths) for workers in (1, 2, 3, 4) for method, *depths in (("fork", 2, 1), ("fork", 1, 4))
]


def check_parts(ways, cycle, runs, expected):
    for way, seen in zip(ways, run_program(beyond_programs.parts, ways, SIZES, cycle, runs), strict=True):
        assert seen == expected[way[1]], way


@pytest.mark.parametrize("cycle", ["no", "raise"])
def test_parts_of_other_sizes_come_in_turn_until_each_is_at_its_end(cycle):
    ways = [*PART_WAYS, ("spawn", 3, 2, 1), ("forkserver", 2, 2, 3)]
    epoch = {workers: (merged + ["stop"] * 11)[:11] for workers, merged in MERGED.items()}
    again = {workers: seen if cycle == "raise" else ["stop"] * 11 for workers, seen in epoch.items()}
    check_parts(ways, cycle, 11, {workers: seen + again[workers] for workers, seen in epoch.items()})


def test_a_quiet_cycle_repeats_every_part_by_itself():
    endless = [
        [10 * worker + index % size for index in range(99)]
        for sizes in SIZES
        for worker, size in enumerate(sizes)
        if size
    ]
    by_workers = [endless[:1], endless[1:3], endless[3:6], endless[6:]]
    expected = {}
    for workers, of_parts in enumerate(by_workers, 1):
        merged = [number for turn in zip(*of_parts, strict=True) for number in turn]
        expected[workers] = merged[:22]
    # A worker without data is at its end. In the fourth case only workers 1 and 2 have data.
    assert expected[4][:5] == [10, 20, 11, 20, 10]
    check_parts(PART_WAYS, "quiet", 11, expected)


def test_a_factory_that_returns_no_iterable_is_named():
    sequential, parallel = run_program(beyond_programs.wrong_factory)
    for error, worker in ((sequential, None), (parallel, 0)):
        assert "no_factory" in error["text"] and "must return an iterable, but it returned int" in error["text"]
        assert "SourceDataError" in error["types"] or worker is None
        assert (error["iteration"], error["worker_id"]) == (0, worker)


# RANDOM NUMBERS AND ORDERS


def test_random_numbers_of_a_sample_are_the_same_for_all_workers_and_batch_sizes():
    info = types.sample_info_type(5)
    expected = [
        [index, *info(index, 0, 0, epoch).rng.integers(1 << 30, size=2).tolist()]
        for epoch in range(2)
        for index in range(10)
    ]
    ways = [(None, 0, 4), *((method, workers, 4) for method in METHODS for workers in (1, 2, 3, 8)), ("fork", 2, 3)]
    for way, seen in zip(ways, run_program(beyond_programs.draws, ways), strict=True):
        assert seen == expected, way


def test_a_shuffled_and_sharded_source_needs_no_table_and_gives_every_sample_once_an_epoch():
    length, num_shards = 26, 3
    first, *others = run_program(beyond_programs.shuffles, WAYS, length, num_shards)
    assert all(other == first for other in others)
    orders = []
    for epoch in range(3):
        order: list[int] = []
        for shard in first:
            ends = [place for place, outcome in enumerate(shard) if outcome == "stop"]
            begin = 0 if epoch == 0 else ends[epoch - 1] + 1
            rows = [number for (numbers,) in shard[begin : ends[epoch]] for number in numbers]
            assert len(rows) in (8, 9)
            order += rows
        assert sorted(order) == list(range(length))
        orders.append(order)
    assert len({tuple(order) for order in orders}) == 3
    assert not np.array_equal(orders[0], range(length))
