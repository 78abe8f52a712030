"""What an executor does with steps that are decoded ahead, depending on when they are decoded."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from interrupts import Interrupt

from jaxdali._run.executor import prefetch, step
from jaxdali._run.executor.prefetch import Executor
from jaxdali._run.executor.step import Step

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
        step = Step(0, self.taken, 4 * self.taken, 4, [])
        self.taken += 1  # as in a host stage: after an interrupt it is still to be taken, or the caller has it
        return step

    def acknowledge_error(self):
        assert self.taken == self.steps

    def restart(self, epoch, step, unused, pending, *, goes_on):
        if self.interrupted:
            raise KeyboardInterrupt
        self.taken = step

    @property
    def failed(self):
        return None


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

    def close(self, used):
        assert not used
        self.log.append(("close", self.number))


class Device:
    """Logs its calls. Dispatching a prepared step computes nothing, and lets go of its images."""

    engine_counts = None

    def __init__(self, draw):
        self.draw, self.log = draw, []

    def prepare(self, step):
        self.log.append(("prepare", step.iteration))
        step.ahead = Decoding(step.iteration, self.log, self.draw)

    def dispatch(self, step):
        assert step.ahead.decoded, "the device would have to wait for a decoder"
        self.log.append(("dispatch", step.iteration))
        step.ahead = None

    def check(self, step):
        assert step.state == "dispatched"


def run(steps, decoded, there):
    device = Device(decoded)
    source: Any = Source(steps, there)
    executor = Executor(source, device, DEPTH, AHEAD)
    rounds = []
    for number in range(steps):
        before = len(device.log)
        assert executor.next().iteration == number
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
    assert ("close", 2) not in device.log and executor.next().iteration == 1
    source.interrupted = False
    executor.restart(0)
    # The earlier steps were dispatched already.
    assert [number for name, number in device.log if name == "close"] == [3, 4, 5]
    assert executor.next().iteration == 0


def run_interrupted(at):
    """Takes four steps and the end, with an interrupt at place `at`. Returns places, sorted log, and what came out."""
    device, interrupt, seen = Device(lambda: True), Interrupt(at, (str(prefetch.__file__), str(step.__file__))), []
    source: Any = Source(4, lambda: True)
    executor = Executor(source, device, DEPTH, AHEAD)
    while "the end" not in seen:
        try:
            seen.append(interrupt.call(executor.next).iteration)
        except StopIteration:
            seen.append("the end")
        except KeyboardInterrupt:
            continue
    assert executor.ended and not executor.failed_feed
    return interrupt.places, sorted(device.log), seen


def test_an_interrupt_repeats_nothing_that_was_done():
    places, log, seen = run_interrupted(0)
    assert places > 100 and seen == [0, 1, 2, 3, "the end"]
    assert log == [(what, number) for what in ("dispatch", "prepare") for number in range(4)]
    for at in range(1, places + 1):
        assert run_interrupted(at)[1:] == (log, seen), at
