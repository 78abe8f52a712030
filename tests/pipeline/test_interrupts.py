"""Ctrl-C in `run`, wherever it comes: the next run gives the batch that would have come, and no slot is lost."""

from __future__ import annotations

import contextlib
import gc

import numpy as np
import pytest
from interrupts import Interrupt

from jaxdali import Pipeline, fn

RUNS, INTERRUPTED = 7, 3  # batches, and those of them that may be interrupted
STRIDE = 7  # of the places that are tried
# Where batches and slots change hands.
FILES = tuple(
    f"jaxdali/{name}.py"
    for name in (
        "executor/host_stage",
        "executor/prefetch",
        "pipeline/pipeline",
        "workers/collect",
        "workers/feed",
        "workers/inline",
        "workers/records",
    )
)


class Numbers:
    """An iterator: what it has given once, it does not give again."""

    def __init__(self, shape):
        self.shape = shape
        self.next = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.next += 1
        return np.full(self.shape, self.next - 1)


SOURCES = {
    "batches": lambda: fn.external_source(lambda iteration: np.full((2, 3), iteration), batch=True),
    "samples": lambda: fn.external_source(lambda info: np.array([info.iteration]), batch=False),
    "iterator of batches": lambda: fn.external_source(Numbers((2, 3)), batch=True),
    "iterator of samples": lambda: fn.external_source(Numbers((3,)), batch=False),
}


def run_interrupted(kinds, at: int, files=FILES) -> tuple[list[list[list[int]]], list[int], int]:
    """The batches (of each source, of each sample), the slots that are still in use, and the number of places."""
    pipe = Pipeline(batch_size=2, prefetch_queue_depth=2)
    with pipe:
        pipe.set_outputs(*(SOURCES[kind]() for kind in kinds))
    interrupt, seen = Interrupt(at, files), []
    with pipe:
        while len(seen) < RUNS:
            outputs = None
            with contextlib.suppress(KeyboardInterrupt):
                outputs = interrupt.call(pipe.run) if 0 < len(seen) <= INTERRUPTED else pipe.run()
            if outputs is not None:
                seen.append([output.as_array().reshape(2, -1)[:, 0].tolist() for output in outputs])
        feeds, executor = pipe._feeds, pipe._executor
        outputs = None
        assert executor is not None
        executor._queue.clear()
        feeds[0]._drain()
        gc.collect()
        return seen, [feed.leased for feed in feeds], interrupt.places


@pytest.mark.parametrize(
    "kinds", [("batches", "iterator of batches"), ("samples", "iterator of samples"), ("iterator of batches",) * 2]
)
def test_an_interrupt_loses_no_batch_and_no_slot(kinds):
    def expected(kind):
        if kind == "iterator of samples":
            return [[2 * iteration, 2 * iteration + 1] for iteration in range(RUNS)]
        return [[iteration] * 2 for iteration in range(RUNS)]

    right = [list(batch) for batch in zip(*map(expected, kinds), strict=True)]
    _, _, places = run_interrupted(kinds, 0)
    assert places > 300  # interpreters differ in how often they look
    for at in range(1, places + 1, STRIDE):
        seen, leased, _ = run_interrupted(kinds, at)
        assert seen == right, at
        assert not any(leased), at


def run_reset(at: int) -> tuple[list[list[int]], int]:
    """The first samples of batches before and after an interrupted reset that is done again, and the number of places."""
    pipe = Pipeline(batch_size=2, prefetch_queue_depth=2)
    with pipe:
        pipe.set_outputs(SOURCES["batches"](), SOURCES["iterator of batches"]())
    interrupt, seen = Interrupt(at, FILES), []

    def take(count):
        for _ in range(count):
            seen.append([int(output.as_array()[0, 0]) for output in pipe.run()])

    with pipe:
        take(3)
        with contextlib.suppress(KeyboardInterrupt):
            interrupt.call(pipe.reset)
        pipe.reset()
        take(4)
    return seen, interrupt.places


def test_an_interrupted_reset_is_done_again():
    for at in range(run_reset(0)[1] + 1):
        assert run_reset(at)[0] == [[0, 0], [1, 1], [2, 2], [0, 3], [1, 4], [2, 5], [3, 6]], at


def test_a_batch_that_was_being_written_is_not_asked_for_again():
    kinds, files = ("iterator of batches",), ("jaxdali/workers/fill.py",)
    _, _, places = run_interrupted(kinds, 0, files)
    for at in range(1, places + 1):
        assert run_interrupted(kinds, at, files)[0] == [[[iteration] * 2] for iteration in range(RUNS)], at
