"""Exceptions that are not the data's, wherever they come in `run`: the next run returns the batch that would have come."""

from __future__ import annotations

import contextlib
import gc

import numpy as np
import pytest
from interrupts import INTERRUPTIONS, Interrupt
from jpeg_files import pillow_jpeg

from jaxdali import DecodeError, Pipeline, fn
from jaxdali._dali.pipeline import definition, outputs, pipeline, session
from jaxdali._feed.ring import chunk_filling as fill
from jaxdali._feed.ring import feed, host_batch, inline, slot_reader
from jaxdali._feed.source import iterables, push_source
from jaxdali._feed.source import source_kinds as kinds
from jaxdali._run.executor import exclusive_use, host_stage, prefetch, program_chain, step

GOOD = np.frombuffer(pillow_jpeg(8, 8), np.uint8)
RUNS, INTERRUPTED = 7, 3  # number of batches, and how many of them may be interrupted
TRIED = 60  # about so many of the places; all with --thorough
# Modules in which batches and slots change hands.
FILES = tuple(
    str(module.__file__)
    for module in (
        host_batch,
        definition,
        push_source,
        feed,
        fill,
        host_stage,
        inline,
        iterables,
        kinds,
        outputs,
        pipeline,
        prefetch,
        slot_reader,
        session,
        step,
        exclusive_use,
    )
)


class Numbers:
    """An iterator, which gives every number only once."""

    def __init__(self, shape):
        self.shape = shape
        self.next = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.next += 1
        return np.full(self.shape, self.next - 1)


def generate():
    for number in range(99):
        yield np.full((2, 3), number)


SOURCES = {
    "batches": lambda: fn.external_source(lambda iteration: np.full((2, 3), iteration), batch=True),
    "samples": lambda: fn.external_source(lambda info: np.array([info.iteration]), batch=False),
    "iterator of batches": lambda: fn.external_source(Numbers((2, 3)), batch=True),
    "iterator of samples": lambda: fn.external_source(Numbers((3,)), batch=False),
    "generator of batches": lambda: fn.external_source(generate, batch=True, cycle="raise"),
}


def run_interrupted(
    kinds, at: int, files=FILES, raised=KeyboardInterrupt
) -> tuple[list[list[list[int]]], list[int], Interrupt]:
    """Interrupts `run` at place `at` (0: never). Returns batches (by source and sample), used slots, the interrupt."""
    pipe = Pipeline(batch_size=2, prefetch_queue_depth=2)
    with pipe:
        pipe.set_outputs(*(SOURCES[kind]() for kind in kinds))
    interrupt, seen, kept = Interrupt(at, files, raised), [], []
    with pipe:
        pipe.build()
        while len(seen) < RUNS:
            made = None
            try:
                made = interrupt.call(pipe.run) if len(seen) < INTERRUPTED else pipe.run()
            except raised as error:
                kept.append(error)  # as notebooks do; its frames must not keep slots
            if made is not None:
                seen.append([output.as_array().reshape(2, -1)[:, 0].tolist() for output in made])
        feeds, executor = pipe._jaxdali_session.feeds, pipe._jaxdali_session.executor
        made = None
        assert executor is not None
        executor._steps.clear()
        feeds[0]._drain()
        gc.collect()
        return seen, [feed.leased for feed in feeds], interrupt


@pytest.mark.parametrize("raised", INTERRUPTIONS)
@pytest.mark.parametrize(
    "kinds",
    [
        ("batches", "iterator of batches"),
        ("samples", "iterator of samples"),
        ("iterator of batches",) * 2,
        ("generator of batches",),
    ],
)
def test_an_interruption_loses_no_batch_and_no_slot(kinds, raised, sampled):
    def expected(kind):
        if kind == "iterator of samples":
            return [[2 * iteration, 2 * iteration + 1] for iteration in range(RUNS)]
        return [[iteration] * 2 for iteration in range(RUNS)]

    right = [list(batch) for batch in zip(*map(expected, kinds), strict=True)]
    _, _, looked = run_interrupted(kinds, 0)
    places = looked.places
    assert {"pipeline.py", "session.py", "outputs.py", "prefetch.py", "exclusive_use.py"} <= looked.files
    assert places > 300  # interpreters differ in how often they check for interrupts
    for at in sampled(places, TRIED if raised == "Ctrl-C" else TRIED // 4):
        seen, leased, _ = run_interrupted(kinds, at, raised=INTERRUPTIONS[raised])
        assert seen == right, at
        assert not any(leased), at


def run_reset(at: int) -> tuple[list[list[int]], int, int]:
    """Interrupts and repeats a reset. Returns the first samples of all batches, the epoch, and the number of places."""
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
        return seen, pipe.epoch_idx, interrupt.places


def test_an_interrupted_reset_is_done_again():
    places = run_reset(0)[2]
    assert places > 15
    for at in range(places + 1):
        seen, epoch, _ = run_reset(at)
        assert seen == [[0, 0], [1, 1], [2, 2], [0, 3], [1, 4], [2, 5], [3, 6]], at
        assert epoch == 1, at


def test_a_batch_that_was_being_written_is_not_asked_for_again():
    kinds, files = ("iterator of batches",), (str(fill.__file__),)
    places = run_interrupted(kinds, 0, files)[2].places
    assert places > 20
    for at in range(1, places + 1):
        assert run_interrupted(kinds, at, files)[0] == [[[iteration] * 2] for iteration in range(RUNS)], at


def test_what_was_claimed_is_not_lost():
    """The interrupt comes while a younger slot could be claimed next."""
    kinds, files = ("samples",), (str(inline.__file__),)
    places = run_interrupted(kinds, 0, files)[2].places
    assert places > 20
    for at in range(1, places + 1):
        seen, leased, _ = run_interrupted(kinds, at, files)
        assert seen == [[[iteration] * 2] for iteration in range(RUNS)], at
        assert not any(leased), at


def run_failing(at: int) -> tuple[list[str], int]:
    """Runs a failing source, with one interrupt. Returns the errors raised, and the number of places."""

    def fail(info):
        raise LookupError(f"sample {info.idx_in_epoch}")

    pipe = Pipeline(batch_size=2)
    with pipe:
        pipe.set_outputs(fn.external_source(fail, batch=False))
    interrupt, heard = Interrupt(at, FILES), []
    with pipe:
        pipe.build()
        for _ in range(3):
            try:
                interrupt.call(pipe.run)
            except KeyboardInterrupt:
                continue
            except LookupError as error:
                heard.append(str(error))
                assert len(set(error.__notes__)) == len(error.__notes__), at
    return heard, interrupt.places


def test_an_error_is_not_lost():
    _, places = run_failing(0)
    assert places > 50
    for at in range(1, places + 1):
        heard, _ = run_failing(at)
        assert set(heard) == {"sample 0"} and len(heard) >= 2, at


def run_fed(at: int) -> tuple[list[int], int]:
    pipe = Pipeline(batch_size=2)
    with pipe:
        pipe.set_outputs(fn.external_source(name="fed"))
    interrupt, seen = Interrupt(at, FILES), []
    with pipe:
        for number in range(5):
            pipe.feed_input("fed", np.full((2, 3), number))
        pipe.build()
        while len(seen) < 5:
            with contextlib.suppress(KeyboardInterrupt):
                (made,) = interrupt.call(pipe.run)
                seen.append(int(made.as_array()[0, 0]))
    return seen, interrupt.places


def test_what_was_fed_is_not_lost(sampled):
    _, places = run_fed(0)
    assert places > 100
    for at in sampled(places, TRIED):
        assert run_fed(at)[0] == [0, 1, 2, 3, 4], at


def run_scheduled(at: int) -> tuple[list[int], Interrupt]:
    pipe = Pipeline(batch_size=2)
    with pipe:
        pipe.set_outputs(SOURCES["iterator of samples"]())
    interrupt, seen = Interrupt(at, FILES), []

    def ask_and_take():
        pipe.schedule_run()
        return pipe.share_outputs()

    with pipe:
        pipe.build()
        while len(seen) < RUNS:
            with contextlib.suppress(KeyboardInterrupt):
                (made,) = interrupt.call(ask_and_take)
                seen.append(int(made.as_array()[0, 0]))
    return seen, interrupt


def test_an_interrupt_loses_nothing_that_was_scheduled(sampled):
    looked = run_scheduled(0)[1]
    places = looked.places
    assert {"pipeline.py", "session.py"} <= looked.files
    assert places > 300
    for at in sampled(places, TRIED):
        assert run_scheduled(at)[0] == [2 * number for number in range(RUNS)], at


def run_with_a_bad_image(at: int) -> tuple[list[object], int]:
    """Runs three batches, of which the second cannot be decoded, with one interrupt."""

    def file(info):
        return np.zeros(9, np.uint8) if info.iteration == 1 else GOOD

    pipe = Pipeline(batch_size=1, prefetch_queue_depth=1)
    with pipe:
        files = fn.external_source(file, batch=False)
        pipe.set_outputs(fn.resize(fn.decoders.image(files), size=4))
    interrupt, seen = Interrupt(at, FILES), []
    with pipe:
        pipe.build()
        while len(seen) < 3:
            with contextlib.suppress(KeyboardInterrupt):
                try:
                    seen.append(interrupt.call(pipe.run)[0].as_array().shape)
                except DecodeError as error:
                    seen.append(error.iteration)
    return seen, interrupt.places


def test_an_error_of_one_batch_is_not_lost(sampled):
    _, places = run_with_a_bad_image(0)
    assert places > 300
    for at in sampled(places, TRIED // 3):
        assert run_with_a_bad_image(at)[0] == [(1, 4, 4, 3), 1, (1, 4, 4, 3)], at


def run_chain(at: int) -> tuple[list[list[int]], list[int], int]:
    """Runs two programs with a function in between, and one interrupt. Returns batches, calls of the function, places."""
    called = []

    def negative(batch):
        called.append(int(batch[0]))
        return -batch

    pipe = Pipeline(batch_size=1, prefetch_queue_depth=1)
    with pipe:
        pipe.set_outputs(fn.python_function(SOURCES["iterator of samples"]() + 1, function=negative) * 2)
    interrupt, seen = Interrupt(at, (str(program_chain.__file__), str(step.__file__))), []
    with pipe:
        pipe.build()
        while len(seen) < 2:
            with contextlib.suppress(KeyboardInterrupt):
                seen.append(interrupt.call(pipe.run)[0].as_array()[0].tolist())
    return seen, called, interrupt.places


def test_only_the_link_that_was_under_way_runs_again(sampled):
    _, called, places = run_chain(0)
    assert called == [1, 2] and places > 30
    for at in sampled(places, TRIED // 4):
        seen, called, _ = run_chain(at)
        assert seen == [[-2] * 3, [-4] * 3], at
        assert called in ([1, 2], [1, 1, 2], [1, 2, 2]), at
