"""One thread at a time, in one process: everyone else gets an error, and no batch is lost."""

from __future__ import annotations

import contextlib
import threading
import time

import jax
import numpy as np
import pytest
import turn_programs
from processes import SOON_S, run_program, until

from jaxdali import Loader, Pipeline, StateError, fn
from jaxdali.plugin.jax import DALIGenericIterator, data_iterator
from jaxdali.plugin.jax.clu import DALIGenericPeekableIterator


class Gate:
    """A source of numbers that can be held up while it makes one, or can call a function then."""

    def __init__(self):
        self.at = -1
        self.entered = threading.Event()
        self.go_on = threading.Event()
        self.call = None

    def pass_at(self, index: int) -> None:
        if index == self.at:
            self.at = -1
            self.entered.set()
            if self.call is not None:
                self.call()
            else:
                assert self.go_on.wait(60)

    def __call__(self, info):
        self.pass_at(info.idx_in_epoch)
        return np.array([info.idx_in_epoch], np.int32)

    def __len__(self):
        return 80

    def __getitem__(self, index):
        self.pass_at(index)
        return np.array([index], np.int32)


def turn_of(front):
    if isinstance(front, Pipeline):
        return front._jaxdali_session.exclusive
    return front._step_runner.exclusive if isinstance(front, Loader) else front._jaxdali.exclusive


class Run:
    """`Pipeline.run`."""

    def __init__(self, gate):
        self.front = Pipeline(batch_size=4, prefetch_queue_depth=1)
        with self.front:
            self.front.set_outputs(fn.external_source(lambda info: gate(info), batch=False))

    def take(self):
        return self.front.run()[0].as_array().ravel().tolist()


class Next:
    """`next` of an iterator."""

    kind = DALIGenericIterator

    def __init__(self, gate):
        self.front = self.kind([Run(gate).front], ["x"], prepare_first_batch=False)

    def take(self):
        return np.asarray(next(self.front)["x"]).ravel().tolist()


class Peekable(Next):
    """`next` of a peekable iterator, which has a lock of its own."""

    kind = DALIGenericPeekableIterator


class Load:
    """`next` of a Loader without workers."""

    def __init__(self, gate):
        self.front = Loader(gate, batch_size=4, workers=0, prefetch=1)
        self.steps = iter(self.front)

    def take(self):
        return np.asarray(next(self.steps)).ravel().tolist()


ALL = pytest.mark.parametrize("kind", [Run, Next, Peekable, Load])


def batch(number: int) -> list[int]:
    return list(range(4 * number, 4 * number + 4))


def in_a_thread(work) -> tuple[threading.Thread, list]:
    """Starts a thread that does `work`, and returns it with a list that gets the result or error."""
    outcome: list = []

    def do():
        try:
            outcome.append(work())
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    return thread, outcome


@pytest.mark.parametrize("kind", [Run, Next, Load])
def test_a_second_thread_hears_so_at_once_and_nothing_is_lost(kind):
    gate = Gate()
    front = kind(gate)
    with front.front:
        seen = [front.take()]
        gate.at = 5
        thread, outcome = in_a_thread(front.take)
        assert gate.entered.wait(SOON_S)
        for _ in range(3):
            with pytest.raises(StateError, match="in use by another thread"):
                front.take()
        gate.go_on.set()
        thread.join(SOON_S)
        assert [*seen, *outcome, front.take(), front.take()] == [batch(number) for number in range(4)]


@pytest.mark.parametrize("kind", [Run, Next, Peekable, Load])
def test_a_function_that_is_traced_cannot_take_batches(kind):
    """It would have the same batch for ever."""
    front = kind(Gate())
    with front.front if kind in (Run, Load) else contextlib.nullcontext():
        for trace in (
            lambda: jax.jit(lambda: np.asarray(front.take()))(),
            lambda: jax.eval_shape(lambda x: x + np.asarray(front.take()), 1),
            lambda: jax.lax.scan(lambda carry, _: (carry, np.asarray(front.take())), 0, None, length=2),
            lambda: jax.jit(jax.grad(lambda x: x * front.take()[0]))(1.0),
        ):
            with pytest.raises(StateError, match="used in a function that JAX traces, such as one under jit"):
                trace()
        # These call the function each time.
        assert jax.grad(lambda x: x * front.take()[1])(1.0) == 1.0
        assert jax.vmap(lambda x: x * front.take()[0])(np.ones(2, np.int32)).tolist() == [4, 4]
        with jax.disable_jit():
            assert jax.jit(lambda: front.take()[0])() == 8
        assert front.take() == batch(3)


def test_other_calls_wait_for_their_turn_as_well():
    gate = Gate()
    run, load = Run(gate), Load(Gate())
    with run.front as pipe, load.front:
        run.take()
        gate.at = 4
        thread, _ = in_a_thread(run.take)
        assert gate.entered.wait(SOON_S)
        for call in (pipe.reset, pipe.run_arrays):
            with pytest.raises(StateError, match="in use by another thread"):
                call()
        gate.go_on.set()
        thread.join(SOON_S)
    gate = Gate()
    load = Load(gate)
    with load.front as loader:
        load.take()
        gate.at = 4
        thread, outcome = in_a_thread(load.take)
        assert gate.entered.wait(SOON_S)
        for call in (lambda: loader.seek(0), lambda: loader.at(0), loader.start):
            with pytest.raises(StateError, match="in use by another thread"):
                call()
        gate.go_on.set()
        thread.join(SOON_S)
        assert [*outcome, load.take()] == [batch(1), batch(2)]


@ALL
def test_threads_may_take_turns(kind):
    front = kind(Gate())
    seen = []
    with front.front:
        for _ in range(4):
            thread, outcome = in_a_thread(front.take)
            thread.join(SOON_S)
            seen += [*outcome, front.take()]
    assert seen == [batch(number) for number in range(8)]


def test_threads_may_share_a_peekable_iterator():
    front = Peekable(Gate())
    with front.front:
        threads = [in_a_thread(lambda: [front.take() for _ in range(5)]) for _ in range(4)]
        for thread, _ in threads:
            thread.join(SOON_S)
    assert sorted(one for _, (taken,) in threads for one in taken) == [batch(number) for number in range(20)]


@ALL
def test_who_asks_again_in_the_midst_hears_so(kind):
    """As a signal handler does, which runs in the main thread wherever that thread is."""
    gate = Gate()
    front = kind(gate)
    heard = []

    def ask():
        with pytest.raises(StateError, match="by this thread") as error:
            front.take()
        heard.append(error)

    with front.front:
        seen = [front.take()]
        gate.at, gate.call = 6, ask
        seen += [front.take() for _ in range(3)]
    assert heard and seen == [batch(number) for number in range(4)]


@ALL
def test_closed_in_the_midst_by_another_thread(kind):
    gate = Gate()
    front = kind(gate)
    front.take()
    gate.at = 5
    thread, outcome = in_a_thread(lambda: [front.take() for _ in range(10)])
    assert gate.entered.wait(SOON_S)
    closer, closed = in_a_thread(front.front.close)
    until(lambda: turn_of(front.front).closed)
    gate.go_on.set()
    thread.join(SOON_S)
    closer.join(SOON_S)
    (error,) = outcome
    assert isinstance(error, StateError) and "closed" in str(error) and closed == [None]
    front.front.close()
    with pytest.raises(StateError, match="closed"):
        front.take()


@ALL
def test_closed_in_the_midst_by_the_same_thread(kind):
    gate = Gate()
    front = kind(gate)
    front.take()
    gate.at, gate.call = 5, front.front.close
    with pytest.raises(StateError, match="closed"):
        [front.take() for _ in range(3)]
    front.front.close()
    assert turn_of(front.front)._ended


def test_close_ends_a_wait_for_what_is_fed():
    pipe = Pipeline(batch_size=2)
    with pipe:
        pipe.set_outputs(fn.external_source(name="fed", blocking=True))
    pipe.build()
    thread, outcome = in_a_thread(pipe.run)
    until(lambda: pipe._jaxdali_session.exclusive.user is not None)
    time.sleep(0.1)  # it is waiting by then, or will be; both end alike
    pipe.close()
    thread.join(SOON_S)
    assert isinstance(outcome[0], StateError)


def test_close_ends_a_wait_for_workers():
    def hang(info):
        if info.iteration:
            time.sleep(600)
        return np.array([info.idx_in_epoch])

    pipe = Pipeline(batch_size=4, py_num_workers=2, py_start_method="spawn")
    with pipe:
        pipe.set_outputs(fn.external_source(hang, parallel=True, batch=False))
    pipe.run()
    pids = pipe.worker_pids()
    thread, outcome = in_a_thread(pipe.run)
    until(lambda: pipe._jaxdali_session.exclusive.user is not None)
    pipe.close()
    thread.join(SOON_S)
    assert isinstance(outcome[0], StateError) and "closed by another thread" in str(outcome[0])
    assert pids and pipe._jaxdali_session.exclusive._ended and not pipe.worker_pids()


def test_close_of_an_iterator_ends_its_pipelines_wait():
    gate = Gate()

    @data_iterator(output_map=["x"], prepare_first_batch=False)
    def numbers():
        return fn.external_source(lambda info: gate(info), batch=False)

    iterator = numbers(batch_size=4, device_id=None)
    next(iterator)
    gate.at = 9
    thread, outcome = in_a_thread(lambda: [next(iterator) for _ in range(10)])
    assert gate.entered.wait(SOON_S)
    closer, _ = in_a_thread(iterator.close)
    until(lambda: iterator._jaxdali.exclusive.closed)
    gate.go_on.set()
    thread.join(SOON_S)
    closer.join(SOON_S)
    assert isinstance(outcome[0], StateError)


# FORKS


@pytest.mark.parametrize("start_method", [None, "fork", "spawn", "forkserver"])
def test_a_forked_child_cannot_use_or_disturb_its_parents_pipeline(start_method):
    told = run_program(turn_programs.forked, start_method)
    assert list(told) == list(turn_programs.USES)
    for number, (use, found) in enumerate(told.items()):
        assert found["seen"] == [4 * batch for batch in range(8 * number, 8 * number + 8)] and found["status"] == 0, use
        if use in ("close", "leave the block", "leave"):
            assert found["words"] == "", use
        else:
            parent, child = found["pids"]
            assert f"belongs to process {parent}, and this process ({child}) is a fork" in found["words"], use


def test_what_was_only_drawn_may_be_built_in_a_forked_child():
    assert run_program(turn_programs.fork_before_build) == [0, 4, 8]


# THE END OF THE PROGRAM


@pytest.mark.parametrize("front", turn_programs.FRONTS)
def test_the_program_ends_while_a_thread_takes_batches(front):
    for _ in range(2):
        assert run_program(turn_programs.end_while_a_thread_takes, front) == "main ends"


def test_what_is_done_at_exit_spares_the_main_thread():
    assert run_program(turn_programs.run_at_exit) == 4
