"""Exceptions that are not the data's, wherever they come: the next call returns the batch that would have come."""

from __future__ import annotations

import contextlib
import functools
import pathlib

import numpy as np
import pytest
from interrupts import INTERRUPTIONS, Interrupt
from tiers import gate

import jaxdali
from jaxdali import Loader, Pipeline, fn, pipeline_def
from jaxdali._dali.eager import eager_sources as eager_sources
from jaxdali._dali.eager import run as eager_run
from jaxdali._dali.epochs import epochs
from jaxdali._dali.iterators import batches, iterator, lookahead, peekable
from jaxdali._dali.pipeline import debug_pipeline as debugging
from jaxdali._dali.pipeline import definition, outputs, pipeline, session
from jaxdali._dali.planner import device
from jaxdali._feed.ring import feed, inline
from jaxdali._feed.source import stream_source
from jaxdali._loader import loader, output_sharding, step_runner, steps
from jaxdali._run.executor import exclusive_use, host_stage, prefetch, step
from jaxdali._run.multihost import assemble
from jaxdali.plugin.jax import DALIGenericIterator
from jaxdali.plugin.jax.clu import DALIGenericPeekableIterator

FILES = tuple(
    str(module.__file__)
    for module in (
        assemble,
        batches,
        step_runner,
        debugging,
        epochs,
        eager_run,
        eager_sources,
        lookahead,
        steps,
        stream_source,
        definition,
        device,
        feed,
        host_stage,
        inline,
        iterator,
        loader,
        outputs,
        peekable,
        pipeline,
        prefetch,
        session,
        step,
        output_sharding,
        exclusive_use,
    )
)
TRIED = 40  # about so many of the places; all with --thorough


class Source:
    """Ten samples: the last batch of four is not full."""

    def __len__(self):
        return 10

    def __call__(self, info):
        return np.array([info.idx_in_epoch], np.int32)


def numbers():
    pipe = Pipeline(batch_size=4)
    with pipe:
        pipe.set_outputs(fn.external_source(Source(), batch=False))
    return pipe


class Iterate:
    """An iterator over epochs of three batches, which resets itself."""

    kind = DALIGenericIterator
    batches = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 9, 9]] * 3

    def __init__(self):
        self.front = self.kind(numbers(), ["x"], auto_reset=True, prepare_first_batch=False)

    def take(self):
        return next(self.front)["x"]


class IterateSeveral(Iterate):
    """Two pipelines: each has a part of every batch."""

    batches = [[*batch, *batch] for batch in ([0, 1, 2, 3], [4, 5, 6, 7])] * 4

    def __init__(self):
        self.front = DALIGenericIterator(
            [endless(), endless()], ["x"], size=16, auto_reset=True, prepare_first_batch=False
        )


def endless():
    pipe = Pipeline(batch_size=4)
    with pipe:
        pipe.set_outputs(fn.external_source(lambda info: np.array([info.idx_in_epoch], np.int32), batch=False))
    return pipe


class Peek(Iterate):
    """`peek`, then `next`."""

    kind = DALIGenericPeekableIterator

    def take(self):
        with contextlib.suppress(StopIteration):  # `next` raises it once more
            self.front.peek()
        return next(self.front)["x"]


class PeekNot(Iterate):
    """`next` of a peekable iterator."""

    kind = DALIGenericPeekableIterator


class Load:
    """A Loader."""

    batches = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 8, 9]] * 3

    def __init__(self):
        self.front = Loader([np.array([number], np.int32) for number in range(10)], batch_size=4, workers=0)
        self.front.start()
        self.steps = iter(self.front)

    def take(self):
        return next(self.steps)


class LoadEpochs(Load):
    """A Loader's epochs."""

    def __init__(self):
        super().__init__()
        self.epoch, self.steps = 0, self.front.epoch(0)

    def take(self):
        try:
            return next(self.steps)
        except StopIteration:
            self.epoch += 1
            self.steps = self.front.epoch(self.epoch)
            raise


def fours(turn):
    """Returns nine batches of four numbers, which begin anew after `turn`."""
    return [[number % turn for number in range(first, first + 4)] for first in range(0, 36, 4)]


def stream():
    for number in range(10):
        yield {"x": np.array([number], np.int32)}


class LoadStream:
    """A Loader over a stream, which it decodes nothing of, with a function of the user's on the device."""

    batches = fours(10)

    def __init__(self):
        self.front = Loader(stream, lambda batch, keys: batch["x"] + 0, batch_size=4, workers=0)
        self.front.start()
        self.steps = iter(self.front)

    def take(self):
        return next(self.steps)


class Debug:
    """A pipeline in debug mode."""

    batches = fours(99)

    def __init__(self):
        self.front = debug_pipeline()
        self.front.build()

    def take(self):
        return self.front.run()[0].as_array()


@pipeline_def(batch_size=4, debug=True)
def debug_pipeline():
    return fn.external_source(lambda info: np.array([info.idx_in_epoch], np.int32), batch=False)


def run_interrupted(
    kind, at: int, raised=KeyboardInterrupt, files=FILES
) -> tuple[list[list[int]], list[int], Interrupt]:
    """Interrupts an early batch at place `at` (0: never).

    Returns:
        The batches; how many there were at each end of an epoch; and the interrupt, which counts places.
    """
    front, interrupt, seen, ends = kind(), Interrupt(at, files, raised), [], []
    kept = []  # the exceptions and the batches, as a notebook keeps them
    with front.front:
        while len(seen) < len(kind.batches) - 1:
            try:
                kept.append(interrupt.call(front.take) if len(seen) < 4 else front.take())
            except StopIteration:
                ends.append(len(seen))
                assert len(ends) < 10, at
                continue
            except raised as error:
                kept.append(error)
                continue
            seen.append(np.asarray(kept[-1]).ravel().tolist())
    return seen, ends, interrupt


@pytest.mark.parametrize("raised", INTERRUPTIONS)
@pytest.mark.parametrize("kind", [Iterate, IterateSeveral, Peek, PeekNot, Load, LoadEpochs, LoadStream, Debug])
def test_an_interruption_loses_no_batch(kind, raised, sampled):
    run_interrupted(kind, 0)  # compiles, so that the next run does not
    seen, ends, looked = run_interrupted(kind, 0)
    places = looked.places
    main = "debug_pipeline.py" if kind is Debug else "step_runner.py" if "Load" in kind.__name__ else "session.py"
    assert {main, "feed.py", "exclusive_use.py"} <= looked.files
    assert seen == kind.batches[:-1] and places > 150
    for at in sampled(places, TRIED if raised == "Ctrl-C" else TRIED // 4):
        assert run_interrupted(kind, at, INTERRUPTIONS[raised])[:2] == (seen, ends), at


@pytest.mark.parametrize("kind", [Iterate, IterateSeveral, Peek, PeekNot, Load, LoadEpochs, LoadStream])
def test_nothing_is_called_once_a_batch_counts(kind):
    """Whatever module it would be in: the last places of each call, behind which it returns."""
    everywhere = tuple(map(str, pathlib.Path(jaxdali.__file__).parent.rglob("*.py")))
    run_interrupted(kind, 0)
    seen, ends, looked = run_interrupted(kind, 0, files=everywhere)
    for at in {end - back for end in looked.ends for back in range(3)}:
        assert run_interrupted(kind, at, files=everywhere)[:2] == (seen, ends), at


@pytest.mark.parametrize("raised", gate(INTERRUPTIONS, ["Ctrl-C"]))
def test_a_kept_exception_and_kept_batches_do_not_stop_workers(raised, sampled):
    """As in a notebook, which keeps the last exception, and whose user keeps the batches. Each may hold a slot."""
    data, kept, counted = [np.array([number], np.int32) for number in range(40)], [], 0
    with Loader(data, batch_size=4, workers=1, prefetch=1) as loader:
        looked = Interrupt(0, FILES)
        steps = iter(loader)
        for _ in range(3):
            kept.append(looked.call(functools.partial(next, steps)))
        for at in sampled(looked.places, 30):
            loader.seek(0)
            interrupt, steps, seen = Interrupt(at, FILES, INTERRUPTIONS[raised]), iter(loader), []
            while len(seen) < 5:
                try:
                    kept.append(interrupt.call(functools.partial(next, steps)))
                except INTERRUPTIONS[raised] as error:
                    kept.append(error)
                    counted += 1
                    continue
                seen.append(np.asarray(kept[-1]).ravel().tolist())
            assert seen == [list(range(first, first + 4)) for first in range(0, 20, 4)], at
    assert counted > 10


class CountsTwice:
    """Batches 0, 1, ... of one number each; the one numbered `stops_at` is interrupted once, inside."""

    def __init__(self, stops_at=None):
        self.next, self.stops_at = 0, stops_at

    def __iter__(self):
        return self

    def __next__(self):
        if self.next == self.stops_at:
            self.stops_at = None
            raise KeyboardInterrupt
        self.next += 1
        return np.full((4, 1), self.next - 1)


@pytest.mark.parametrize("stops_at", [0, 2])
def test_a_reset_after_an_interrupt_leaves_pipelines_in_step(stops_at):
    pipes = []
    for source in (CountsTwice(), CountsTwice(stops_at)):
        with Pipeline(batch_size=4, prefetch_queue_depth=1) as pipe:
            pipe.set_outputs(fn.external_source(source))
        pipes.append(pipe)
    iterator = DALIGenericIterator(pipes, ["x"], size=80, prepare_first_batch=False)
    seen = []
    while len(seen) < 5:
        try:
            seen.append(np.asarray(next(iterator)["x"]).reshape(2, 4)[:, 0].tolist())
        except KeyboardInterrupt:
            iterator.reset()
    assert seen == [[number, number] for number in range(5)]
