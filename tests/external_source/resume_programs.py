"""Resets of sources that go on where they stood: errors and the end neither get lost nor come twice."""

from __future__ import annotations

import logging
import os
import signal

import numpy as np
from es_tools import RESET, STOP, described, make, numbers
from processes import until


def _rows(iteration: int, size: int = 2):
    return [np.array([10 * iteration + row]) for row in range(size)]


def fails_at(iteration: int):
    for current in range(4):
        if current == iteration:
            raise LookupError(f"iteration {current}")
        yield _rows(current)


class FailsAt:
    def __init__(self, iteration: int):
        self.iteration = iteration

    def __call__(self):
        return fails_at(self.iteration)

    def __iter__(self):
        return self()


def other_size_at_2():
    for current in range(4):
        yield _rows(current, 1 if current == 2 else 2)


def same_size():
    for current in range(4):
        yield _rows(current)


def _outcomes(pipe, runs: int) -> list:
    seen: list = []
    for _ in range(runs):
        error = described(lambda: seen.append(numbers(pipe)))
        if error is not None:
            seen.append(
                error["text"].partition(" [output")[0] if "SourceDataError" in error["types"] else error["types"]
            )
    return seen


def _work_ahead_is_done(pipe) -> None:
    for feed in pipe._jaxdali_session.feeds:
        if feed.producer.waits:
            until(
                lambda feed=feed: all(feed.ring.state(entry.slot) for entry in feed.requested if entry.slot is not None)
            )


def unheard(start_method, depth: int, kind: str) -> list:
    """Resets after iteration 2 went wrong, but before that is reported."""
    sources = [FailsAt(2)] if kind == "error" else [other_size_at_2, same_size]
    with make(*sources, start_method=start_method, workers=len(sources), depth=depth, ahead=3, batch=True) as pipe:
        seen = _outcomes(pipe, 1)
        _work_ahead_is_done(pipe)
        seen += _outcomes(pipe, 1)
        pipe.reset()
        seen.append(RESET)
        pipe.reset()
        seen += _outcomes(pipe, 2)
        pipe.reset()
        seen.append(RESET)
        seen += _outcomes(pipe, 2)
        return seen


def _dies_at_2():
    for current in range(4):
        if current == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        yield _rows(current)


def unheard_death(start_method) -> list:
    """Resets after a worker's death was noticed, but before it is reported; and again after that."""
    logging.getLogger("jaxdali").setLevel(logging.ERROR)
    with make(_dies_at_2, start_method=start_method, workers=1, depth=1, ahead=3, batch=True) as pipe:
        seen = _outcomes(pipe, 1)
        feed = pipe._jaxdali_session.feeds[0]
        # The same happens with every batch that is taken.
        until(lambda: (feed.producer.look(), feed.producer.breaks(feed.served, None))[1])
        pipe.reset()
        seen += [RESET, *_outcomes(pipe, 2)]
        pipe.reset()
        return [*seen, RESET, *_outcomes(pipe, 2)]


def once():
    yield _rows(0)


def counted(info):
    return np.array([info.idx_in_epoch])


def for_ever_at_its_end(workers: int, epochs: int) -> list:
    """Runs an iterable next to a callable, which other workers run."""
    sources = [(once, {"batch": True}), (counted, {"batch": False})]
    with make(*sources, start_method="fork", workers=workers) as pipe:
        seen: list = []
        for _ in range(epochs):
            while (outcome := numbers(pipe)) != STOP:
                seen.append(outcome)
            seen.append(STOP)
            pipe.reset()
        return seen
