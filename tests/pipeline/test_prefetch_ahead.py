"""What an executor does with steps that are decoded ahead, depending on when they are decoded."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxdali._run.executor.host_stage import Step
from jaxdali._run.executor.prefetch import Executor

DEPTH, AHEAD = 2, 3


class Source:
    """A host stage with this many steps, each of which is ready when `draw` says so."""

    def __init__(self, steps, draw):
        self.steps, self.draw = steps, draw
        self.taken = 0
        self.interrupted = False

    def ask(self, ahead):
        assert ahead >= 0

    def ready(self):
        return self.draw()

    def starved(self):
        return []

    def take(self):
        if self.taken == self.steps:
            raise StopIteration
        self.taken += 1
        return Step(0, self.taken - 1, 4 * (self.taken - 1), 4, [])

    def acknowledge_error(self):
        assert self.taken == self.steps

    def restart(self, epoch, step, unused, pending, *, goes_on):
        if self.interrupted:
            raise KeyboardInterrupt
        self.taken = step


@dataclasses.dataclass
class Decoding:
    number: int
    log: list
    draw: Callable[[], bool]
    decoded: bool = False

    @property
    def is_ready(self):
        self.decoded = self.decoded or self.draw()
        return self.decoded

    def wait(self, seconds):
        self.log.append(("wait", self.number))
        return self.is_ready

    def close(self):
        self.log.append(("close", self.number))


class Device:
    """Logs its calls. Dispatching a prepared step returns a batch without data."""

    engine_counts = None

    def __init__(self, draw):
        self.draw, self.log = draw, []

    def prepare(self, step):
        self.log.append(("prepare", step.iteration))
        return Decoding(step.iteration, self.log, self.draw)

    def dispatch(self, prepared):
        assert prepared.decoded, "the device would have to wait for a decoder"
        self.log.append(("dispatch", prepared.number))
        return Batch()


class Batch:
    def check(self, step):
        pass

    def close(self, used):
        assert not used


def run(steps, decoded, there):
    device = Device(decoded)
    source: Any = Source(steps, there)
    executor = Executor(source, device, DEPTH, AHEAD)
    rounds = []
    for number in range(steps):
        before = len(device.log)
        assert executor.next().step.iteration == number
        rounds.append(device.log[before:])
        counts = {what: sum(1 for name, _ in device.log if name == what) for what in ("prepare", "dispatch")}
        assert number + 1 <= counts["dispatch"] <= number + DEPTH
        assert counts["prepare"] <= number + DEPTH + AHEAD
    for what in ("prepare", "dispatch"):
        assert [number for name, number in device.log if name == what] == list(range(steps))
    return rounds


@given(st.randoms(use_true_random=False), st.integers(0, 12))
def test_steps_are_prepared_and_dispatched_once_and_in_order(draws, steps):
    often = draws.random()
    run(steps, lambda: draws.random() < 0.1 + often, lambda: draws.random() < 0.5)


def test_what_is_decoded_is_dispatched_before_more_is_prepared():
    rounds = run(9, lambda: True, lambda: True)
    # The first call fills up the queues; from then on each dispatches the next step and prepares a later one.
    assert rounds[0] == [("prepare", k) for k in range(5)] + [("dispatch", 0), ("dispatch", 1)]
    assert rounds[1] == [("dispatch", 2), ("prepare", 5)]
    assert rounds[2] == [("dispatch", 3), ("prepare", 6)]


def test_a_step_that_is_not_decoded_does_not_keep_more_from_being_prepared():
    decoded = iter([False, True])  # for the first step: when it is looked at, and after waiting for it
    rounds = run(1, lambda: next(decoded), lambda: True)
    assert rounds[0] == [("prepare", 0), ("wait", 0), ("dispatch", 0)]


def test_an_interrupted_restart_closes_nothing_and_a_whole_one_everything():
    device = Device(lambda: True)
    source: Any = Source(9, lambda: True)
    executor = Executor(source, device, DEPTH, AHEAD)
    executor.next()
    source.interrupted = True
    with pytest.raises(KeyboardInterrupt):
        executor.restart(0)
    assert ("close", 2) not in device.log and executor.next().step.iteration == 1
    source.interrupted = False
    executor.restart(0)
    # The earlier steps were dispatched already.
    assert [number for name, number in device.log if name == "close"] == [3, 4, 5]
    assert executor.next().step.iteration == 0
