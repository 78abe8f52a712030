"""What processes do that share a Loader, in every order and with delays: nobody waits for ever, and all get the same."""

import random
import sys
import time

import hypothesis
import numpy as np
import pytest
import threads_as_processes
from hypothesis import strategies as st
from threads_as_processes import STEPS, Place, Rows, no_delay, run, steps_and_errors

from jaxdali import source
from jaxdali._run.multihost.shared_end import SharedEnd
from jaxdali._run.multihost.step_history import StepHistory

APART = "the processes take different steps: process 0 went on at step"
LEFT = "it closed its Loader, or has ended"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    threads_as_processes.be_quick(monkeypatch)


def told(found, words):
    return [came for came in found if isinstance(came, tuple) and words in came[2]]


def leave_at_once(place):
    """Takes nothing."""


def leave_after_steps(place):
    place.take(2)


def leave_before_a_seek(place):
    place.take(4)


def leave_elsewhere(place):
    place.take(4)
    for step in (0, 6, 6):
        place.seek(step)


def stay(place):
    place.take(4)
    place.seek(0)
    place.until(LEFT)
    place.seek(1)  # nobody comes there either
    place.until(LEFT)


@pytest.mark.parametrize("who", [0, 2])
@pytest.mark.parametrize("leave", [leave_at_once, leave_after_steps, leave_before_a_seek, leave_elsewhere])
def test_whoever_leaves_is_missed_wherever_the_others_are(leave, who):
    found = run([leave if process == who else stay for process in range(3)], [Rows() for _ in range(3)], agree=True)
    for process in {0, 1, 2} - {who}:
        name, step, words = told(found[process], LEFT)[0]
        assert name == "PeerError" and f"process {who} failed at step {step}" in words
        taken = [came for came in found[process] if isinstance(came, int)]
        assert taken == list(range(len(taken)))  # and what it had dispatched already is handed out
        assert len(found[who]) <= len(taken) <= len(found[who]) + 2 * bool(found[who])


def fail_and_go_on(place):
    place.take(4)
    place.seek(3)
    place.take(3)


@pytest.mark.parametrize("second", ["raises", "ragged"])
@pytest.mark.parametrize("first", ["raises", "ragged"])
def test_two_errors_of_one_step_are_one_for_all_that_agree(first, second):
    """Nothing follows the step, or its successor does, in all of them."""
    found = run([fail_and_go_on] * 3, [Rows({4: first}), Rows({5: second}), Rows()], agree=True)
    after = ("error", 2) if "raises" in (first, second) else 3
    assert {tuple(steps_and_errors(came)[3:]) for came in found} == {(after, 3, 4, 5)}
    assert all(came[:2] == [0, 1] and isinstance(came[2], tuple) for came in found)


def break_early(place):
    place.take(2)
    place.seek(5)
    place.until(APART)


def break_late(place):
    place.take(4)
    place.seek(5)
    place.until(APART)


def go_on(place):
    place.take(2)
    place.until(APART)


def seek_once_more(place):
    place.take(2)
    place.seek(2)
    place.until(APART)


def seek_by_detours(place):
    place.take(2)
    place.seek(7)
    place.seek(2)
    place.until(APART)


UNLIKE = [(break_early, go_on), (break_early, break_late), (break_early, seek_once_more)]
# Where nothing is agreed on, these take the same steps.
UNLIKE_MOVES = [(seek_once_more, go_on), (seek_by_detours, seek_once_more)]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("pair", "agree"),
    [*((pair, agree) for pair in UNLIKE for agree in (False, True)), *((p, True) for p in UNLIKE_MOVES)],
)
def test_processes_that_go_apart_are_told(pair, agree, turned):
    """Also where one of them does not move at all: it would take steps, or wait for some, that the others have left."""
    pair = pair[::-1] if turned else pair
    found = run(pair, [Rows(), Rows()], agree)
    assert all("Call seek, set_state and epoch alike" in told(came, APART)[0][2] for came in found)
    if agree:
        steps = [[came for came in one if isinstance(came, int)] for one in found]
        assert steps[0][:2] == steps[1][:2] == [0, 1] and 5 not in steps[0] + steps[1]
        assert not any("make the Loader with agree=True" in came[2] for one in found for came in told(one, APART))


def interrupted(place):
    for step in (0, 4, 4, 1):
        place.seek(step)
        place.take(3)
        time.sleep(0.05)  # the others look where it is


@pytest.mark.parametrize("agree", [False, True])
def test_an_interrupted_next_is_no_other_step(agree):
    data = [Rows({5: "interrupt", 9: "interrupt"}), Rows({3: "interrupt", 8: "interrupt", 12: "interrupt"})]
    found = run([interrupted] * 2, data, agree)
    assert found[0] == found[1] == [0, 1, 2, 4, 5, 6, 4, 5, 6, 1, 2, 3]


@pytest.mark.parametrize("agree", [False, True])
@pytest.mark.parametrize("method", ["check", "taken"])
def test_an_interrupt_between_a_step_and_the_others_learning_of_it_loses_no_step(method, agree, monkeypatch):
    tell, left = getattr(SharedEnd, method), {2: 1, 5: 1}

    def interrupted_once(self, step):
        if sys._getframe(1).f_code.co_name == method and left.pop(step, 0):  # `enter` calls `check`, too
            raise KeyboardInterrupt
        return tell(self, step)

    def go_on(place):
        place.take(4)
        assert place.loader.step == 4
        place.take(4)

    monkeypatch.setattr(SharedEnd, method, interrupted_once)
    assert run([go_on] * 2, [Rows(), Rows()], agree) == [[*range(8)]] * 2
    assert left == {}


@pytest.mark.parametrize("agree", [False, True])
def test_an_epoch_that_is_begun_again_after_such_an_interrupt_is_no_other_move(agree, monkeypatch):
    tell, left = SharedEnd.taken, [KeyboardInterrupt]

    def interrupted_once(self, step):
        if left:
            raise left.pop()
        tell(self, step)

    def begin(place):
        try:
            next(place.loader.epoch(0))
        except KeyboardInterrupt:
            place.epoch(0, 4)
        else:
            place.found.append(0)
            place.take(3)

    monkeypatch.setattr(SharedEnd, "taken", interrupted_once)
    assert run([begin] * 2, [Rows(), Rows()], agree) == [[*range(4)]] * 2


@pytest.mark.parametrize("who", [0, 1])
def test_how_often_a_failed_step_is_tried_again_does_not_matter(who):
    def try_again(place):
        place.take(3 + 2 * (place.process == who))
        for step in (3, 5, 7):
            place.seek(step)
            place.take(1)
            time.sleep(0.1)  # the others look where it is

    found = run([try_again] * 2, [Rows({4: "raises"}), Rows()], agree=True)
    assert all(steps_and_errors(came)[:3] == [0, 1, ("error", 2)] and came[-3:] == [3, 5, 7] for came in found)


def test_an_interrupted_seek_is_the_same_move_when_it_is_repeated(monkeypatch):
    def move(place):
        place.take(2)
        if place.process:
            restart = place.loader._step_runner.executor.restart
            place.loader._step_runner.executor.restart = interrupt
            with pytest.raises(KeyboardInterrupt):
                place.loader.seek(5)
            place.loader._step_runner.executor.restart = restart
        place.seek(5)
        place.take(2)

    def interrupt(*_):
        raise KeyboardInterrupt

    assert run([move] * 2, [Rows(), Rows()], agree=True) == [[0, 1, 5, 6]] * 2


def test_an_error_of_the_last_step_of_an_epoch_leaves_the_next_epoch_to_all():
    def two_epochs(place):
        place.epoch(0, STEPS + 1)
        place.epoch(1, 2)

    for bad in ("raises", "ragged"):
        found = run([two_epochs] * 2, [Rows({2 * STEPS - 1: bad}), Rows()], agree=True)
        assert all(came[:9] == list(range(9)) and came[-2:] == [10, 11] for came in found)
        assert all({("error", {"raises": 9, "ragged": 10}[bad])} == {*steps_and_errors(came)[9:-2]} for came in found)


class Counting:
    """A stream that knows where it stands."""

    def __iter__(self):
        return Counter()


class Counter:
    def __init__(self):
        self.at = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.at >= 40:
            raise StopIteration
        self.at += 1
        return {"n": np.full(1, self.at - 1, np.int32)}

    def get_state(self):
        return self.at

    def set_state(self, state):
        self.at = state


def test_a_stream_goes_back_while_another_process_is_slow():
    def go_back(place):
        place.take(2)
        state = place.loader.get_state()
        place.take(2)
        place.loader.set_state(state)
        place.take(4)

    def slow(process, name, key):
        if (process, name) == (1, "get"):
            time.sleep(0.05)

    data = [source.Iterable(Counting()) for _ in range(2)]
    assert run([go_back] * 2, data, agree=True, delay=slow, epochs=None) == [[0, 1, 2, 3, 2, 3, 4, 5]] * 2


CALLS = ("set", "increment", "dir_get", "get", "delete")


def act(place: Place, what: tuple) -> None:
    name, *arguments = what
    getattr(place, name)(*arguments)


MOVES = st.one_of(
    st.tuples(st.just("take"), st.integers(1, 4)),
    st.tuples(st.just("seek"), st.integers(0, STEPS - 1)),
    st.tuples(st.just("epoch"), st.integers(0, 1), st.integers(1, 4)),
)


@hypothesis.settings(max_examples=15, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture])
@hypothesis.given(
    st.integers(2, 4),
    st.lists(MOVES, min_size=1, max_size=5),
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(2, 19), st.sampled_from(["raises", "ragged", "interrupt"])), max_size=3
    ),
    st.dictionaries(st.tuples(st.integers(0, 3), st.sampled_from(CALLS)), st.sampled_from([0.003, 0.02]), max_size=3),
    st.integers(1, 3),
    st.integers(0, 1 << 20),
)
def test_processes_that_do_alike_get_the_same_steps_and_errors(processes, moves, bad, slow, prefetch, seed):
    """Whoever is late, and wherever."""
    of_process = [random.Random(seed + process) for process in range(processes)]

    def delay(process, name, key):
        time.sleep(slow.get((process, name), 0.0) * of_process[process].random())

    def live(place):
        for move in [*moves, ("take", 2)]:
            time.sleep(0.01 * of_process[place.process].random())
            act(place, move)

    data = [Rows({at: how for who, at, how in bad if who % processes == process}) for process in range(processes)]
    found = run([live] * processes, data, True, delay if slow else no_delay, prefetch=prefetch)
    assert all(steps_and_errors(came) == steps_and_errors(found[0]) for came in found), found
    assert not any(told(came, APART) or told(came, LEFT) for came in found), found


def places_of(moves, count):
    """Where a process is after `count` of its steps; a move is the step to go to, or None for the next one."""
    history, step, sent = StepHistory(), 0, 0
    for move in moves[:count]:
        if move is not None:
            step, sent = move, sent + 1
        history.enter(step, sent)
        step = history.behind = step + 1
    return history


FEW = hypothesis.settings(max_examples=50)
STEPS_TAKEN = st.lists(st.one_of(st.none(), st.none(), st.integers(0, 5)), min_size=1, max_size=12)


@FEW
@hypothesis.given(STEPS_TAKEN, st.data())
def test_processes_of_one_history_never_differ_however_far_each_is(moves, data):
    first, second = (places_of(moves, data.draw(st.integers(0, len(moves)))) for _ in range(2))
    assert first.difference(second.to_text()) is None


@FEW
@hypothesis.given(STEPS_TAKEN, STEPS_TAKEN)
def test_processes_of_two_histories_differ_once_both_are_beyond_the_place_where_these_part(moves, others):
    common = next((at for at, (one, other) in enumerate(zip(moves, others, strict=False)) if one != other), None)
    hypothesis.assume(common is not None)
    # The four runs that are told of go back far enough: one may be any number ahead of the other else.
    for ahead in range(min(3, len(moves) - common)):
        for behind in range(min(3, len(others) - common)):
            first = places_of(moves, common + 1 + ahead)
            second = places_of(others, common + 1 + behind)
            assert first.difference(second.to_text()) is not None
            assert second.difference(first.to_text()) is not None
