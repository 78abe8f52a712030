"""Ctrl-C in the iterators and the Loader, wherever it comes: the next call returns the batch that would have come."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from interrupts import Interrupt

from jaxdali import Loader, Pipeline, fn
from jaxdali.executor import exclusive_use, host_stage, prefetch
from jaxdali.iterator import assemble
from jaxdali.loader import course, loader, output_sharding
from jaxdali.pipeline import definition, outputs, pipeline, session
from jaxdali.planner import device
from jaxdali.plugin.jax import DALIGenericIterator, iterator, peekable
from jaxdali.plugin.jax.clu import DALIGenericPeekableIterator
from jaxdali.ring import feed, inline

FILES = tuple(
    str(module.__file__)
    for module in (
        assemble,
        course,
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


def run_interrupted(kind, at: int) -> tuple[list[list[int]], Interrupt]:
    """Interrupts an early batch at place `at` (0: never). Returns batches, and the interrupt, which counts places."""
    front, interrupt, seen, ends = kind(), Interrupt(at, FILES), [], 0
    with front.front:
        while len(seen) < len(kind.batches) - 1:
            with contextlib.suppress(KeyboardInterrupt):
                try:
                    batch = interrupt.call(front.take) if len(seen) < 4 else front.take()
                except StopIteration:
                    ends += 1
                    assert ends < 10, at
                    continue
                seen.append(np.asarray(batch).ravel().tolist())
    return seen, interrupt


@pytest.mark.parametrize("kind", [Iterate, IterateSeveral, Peek, PeekNot, Load])
def test_an_interrupt_loses_no_batch(kind, sampled):
    run_interrupted(kind, 0)  # compiles, so that the next run does not
    seen, looked = run_interrupted(kind, 0)
    places = looked.places
    assert {"course.py" if kind is Load else "session.py", "prefetch.py", "exclusive_use.py"} <= looked.files
    assert seen == kind.batches[:-1] and places > 150
    for at in sampled(places, TRIED):
        assert run_interrupted(kind, at)[0] == seen, at
