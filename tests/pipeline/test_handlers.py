"""What a signal's handler raises inside of a source passes, and what the source raises itself is the data's error."""

from __future__ import annotations

import contextlib
import functools
import signal
import time
import types

import numpy as np
import pytest

from jaxdali import Loader, Pipeline, fn, pipeline_def
from jaxdali._base.interruptions import is_interruption
from jaxdali.errors import JaxDaliError, SourceDataError
from jaxdali.plugin.jax import DALIGenericIterator


class Ended(RuntimeError):
    """What a scheduler's handler raises."""


def handle(number, frame):
    raise Ended


class Handles:
    def __call__(self, number, frame):
        handle(number, frame)

    def method(self, number, frame):
        raise Ended


def once(number, frame):
    signal.signal(number, signal.SIG_DFL)
    raise Ended


def exits(number, frame):
    raise SystemExit(3)


def bound(code, number, frame):
    raise code


def late(number, frame):
    number = frame = None
    handle(number, frame)


HANDLERS = {
    "function": handle,
    "any arguments": lambda *given: handle(*given),
    "method": Handles().method,
    "object": Handles(),
    "partial": functools.partial(bound, TimeoutError()),
    "for one time": once,
    "exit": exits,
    "changes its arguments": late,
}
RAISED = (Ended, TimeoutError, SystemExit, KeyboardInterrupt)


class Signals:
    """Sends a signal from inside of the user's code, at sample or batch 5, once."""

    def __init__(self):
        self.sent = False

    def send(self, number):
        if number == 5 and not self.sent:
            self.sent = True
            signal.raise_signal(signal.SIGUSR1)
            time.sleep(0)  # where a pending handler runs at the latest


def row(number):
    return np.array([number], np.int32)


def batch(number):
    return np.full((2, 1), number, np.int32)


class Counts:
    """An iterator without a generator."""

    def __init__(self, signals):
        self.signals, self.next = signals, 0

    def __iter__(self):
        return self

    def __next__(self):
        self.signals.send(self.next)
        self.next += 1
        return batch(self.next - 1)


class Expressions(Counts):
    """Runs a generator expression in each call, which no longer lives when the next one comes; it rewinds by `iter`."""

    def __iter__(self):
        self.next = 0
        return self

    def __next__(self):
        made = list(self.signals.send(self.next) or number for number in (self.next, self.next))
        self.next += 1
        return np.array(made, np.int32).reshape(2, 1)


def of_samples(signals):
    def sample(info):
        signals.send(info.idx_in_epoch)
        return row(info.idx_in_epoch)

    return {"source": sample, "batch": False}


def of_batches(signals):
    def whole(iteration):
        signals.send(iteration)
        return batch(iteration)

    return {"source": whole}


LIVING = {
    "samples": of_samples,
    "batches": of_batches,
    "iterator": lambda signals: {"source": Counts(signals)},
    "quiet iterator": lambda signals: {"source": Counts(signals), "cycle": "quiet"},
    "iterator with an expression": lambda signals: {"source": Expressions(signals)},
    "quiet iterator with an expression": lambda signals: {"source": Expressions(signals), "cycle": "quiet"},
}


def generate(signals):
    for number in range(10):
        signals.send(number)
        yield batch(number)


class Iterates:
    def __init__(self, signals):
        self.signals = signals

    def __iter__(self):
        return generate(self.signals)


class Wraps:
    """An iterator that takes its items from a generator; it begins anew when the next epoch is asked for."""

    def __init__(self, signals):
        self.signals, self.inner = signals, None

    def __iter__(self):
        self.inner = generate(self.signals)
        return self

    def __next__(self):
        return next(self.inner)


def asks(signals):
    made = generate(signals)
    return lambda: next(made)


DYING = {
    "generator function": lambda signals: {"source": functools.partial(generate, signals)},
    "iterable": lambda signals: {"source": Iterates(signals)},
    "cycle": lambda signals: {"source": Iterates(signals), "cycle": "quiet"},
    "raise": lambda signals: {"source": Iterates(signals), "cycle": "raise"},
    "zip": lambda signals: {"source": Zips(signals)},
    "iterator over one": lambda signals: {"source": Wraps(signals)},
}


class Zips:
    def __init__(self, signals):
        self.signals = signals

    def __iter__(self):
        return map(np.copy, generate(self.signals))


def pipeline(options, depth=2):
    pipe = Pipeline(batch_size=2, prefetch_queue_depth=depth)
    with pipe:
        pipe.set_outputs(fn.external_source(**options))
    return pipe


@contextlib.contextmanager
def handled(handler):
    before = signal.signal(signal.SIGUSR1, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGUSR1, before)


def seen_of(take, count):
    """Calls `take` until it gave `count` batches; an exception that is not the data's is noted."""
    seen = []
    while sum(isinstance(one, list) for one in seen) < count:
        try:
            seen.append(np.asarray(take()).ravel().tolist())
        except RAISED as error:
            assert not isinstance(error, JaxDaliError), error
            seen.append("passed")
            assert seen.count("passed") == 1
    return seen


@pytest.mark.parametrize("handler", HANDLERS)
def test_what_a_handler_raises_is_not_the_source_s(handler):
    with handled(HANDLERS[handler]), pipeline(of_samples(Signals())) as pipe:
        seen = seen_of(lambda: pipe.run()[0].as_array(), 6)
    assert [one for one in seen if one != "passed"] == [[2 * k, 2 * k + 1] for k in range(6)]
    assert "passed" in seen


@pytest.mark.parametrize("handler", ["function", "exit"])
@pytest.mark.parametrize("source", LIVING)
@pytest.mark.parametrize("door", ["run", "scheduled", "iterator", "debug"])
def test_the_next_call_goes_on(source, door, handler):
    options = LIVING[source](Signals())
    with handled(HANDLERS[handler]):
        if door == "debug":
            make = pipeline_def(batch_size=2, debug=True)(lambda: fn.external_source(**options))
            pipe = make()
        else:
            pipe = pipeline(options)
        with pipe:
            if door == "iterator":
                iterator = DALIGenericIterator(pipe, ["x"], prepare_first_batch=False)
                seen = seen_of(lambda: next(iterator)["x"], 8)
            elif door == "scheduled":
                seen = seen_of(lambda: (pipe.schedule_run(), pipe.share_outputs())[1][0].as_array(), 8)
            else:
                seen = seen_of(lambda: pipe.run()[0].as_array(), 8)
    numbers = [one for one in seen if one != "passed"]
    assert numbers == [[2 * k, 2 * k + 1] if source == "samples" else [k, k] for k in range(8)]
    assert "passed" in seen


class Rows:
    def __init__(self, signals):
        self.signals = signals

    def __len__(self):
        return 16

    def __getitem__(self, index):
        self.signals.send(index)
        return {"x": row(index)}


class Several(Rows):
    def __getitems__(self, indices):
        return [self[index] for index in indices]


def stream_of(signals):
    def stream():
        for number in range(16):
            signals.send(number)
            yield {"x": row(number)}

    return stream


@pytest.mark.parametrize("data", [Rows, Several, stream_of])
@pytest.mark.parametrize("handler", ["function", "exit"])
def test_a_loader_goes_on(data, handler):
    def augment(batch, keys):
        return batch["x"] + 0

    with handled(HANDLERS[handler]), Loader(data(Signals()), augment, batch_size=2, workers=0, epochs=1) as loader:
        steps = iter(loader)
        seen = seen_of(lambda: next(steps), 8)
    assert [one for one in seen if one != "passed"] == [[2 * k, 2 * k + 1] for k in range(8)]
    assert "passed" in seen


def test_while_a_function_is_traced():
    signals, traced = Signals(), []

    def augment(batch, keys):
        traced.append(1)
        signals.send(5 if len(traced) > 1 else 0)  # the constructor traces, too
        return batch["x"] + 0

    with handled(handle), Loader(Rows(Signals()), augment, batch_size=2, workers=0, epochs=1) as loader:
        steps = iter(loader)
        seen = []
        for _ in range(9):
            try:
                seen.append(np.asarray(next(steps)).ravel().tolist())
            except Ended:
                seen.append("passed")
    assert [one for one in seen if one != "passed"][:4] == [[2 * k, 2 * k + 1] for k in range(4)]
    assert "passed" in seen


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("source", DYING)
def test_a_generator_that_was_interrupted_is_an_error_and_not_an_end(source, depth):
    with handled(signal.default_int_handler), pipeline(DYING[source](Signals()), depth) as pipe:
        seen = []
        while True:
            try:
                seen.append(int(pipe.run()[0].as_array()[0, 0]))
            except KeyboardInterrupt:
                seen.append("interrupted")
            except SourceDataError as error:
                assert "broken off by KeyboardInterrupt" in str(error) and "reset()" in str(error)
                break
        assert "interrupted" in seen
        assert [one for one in seen if one != "interrupted"] == list(range(5))
        pipe.reset()
        assert [int(pipe.run()[0].as_array()[0, 0]) for _ in range(7)] == list(range(7))


def test_a_generator_object_cannot_begin_anew():
    with handled(signal.default_int_handler), pipeline({"source": generate(Signals())}) as pipe:
        errors = []
        for _ in range(12):
            try:
                pipe.run()
            except KeyboardInterrupt:
                continue
            except SourceDataError as error:
                errors.append(str(error))
                pipe.reset()
    assert len(errors) > 2 and "runs only once" in errors[-1]


def test_a_callable_that_takes_from_a_generator():
    with handled(handle), pipeline({"source": asks(Signals())}) as pipe:
        for _ in range(5):
            with contextlib.suppress(Ended):
                pipe.run()
        with contextlib.suppress(Ended):
            pipe.run()
        with pytest.raises(SourceDataError, match="broken off by Ended"):
            pipe.run()


def test_memory_is_the_package_s_own_if_it_called_who_found_none():
    def caller(module):
        library = types.FunctionType(compile("raise MemoryError", "", "exec"), {"__name__": "numpy._core.shape_base"})
        names = {"__name__": module, "stack": library}
        return types.FunctionType(compile("stack()", "", "exec"), names)

    for module, own in (("jaxdali._run.executor.host_stage", True), ("train", False)):
        with pytest.raises(MemoryError) as caught:
            caller(module)()
        # The frames of this test are the user's; what they called comes last.
        assert is_interruption(caught.value) is own


@pytest.mark.parametrize("kind", [Ended, TimeoutError, SystemExit, MemoryError])
def test_what_the_source_raises_itself_is_its_error(kind):
    def sample(info):
        if info.idx_in_epoch == 5:
            raise kind("of the source")
        return row(info.idx_in_epoch)

    with handled(handle), pipeline({"source": sample, "batch": False}) as pipe:
        assert [int(pipe.run()[0].as_array()[0, 0]) for _ in range(2)] == [0, 2]
        for _ in range(3):
            with pytest.raises(kind, match="of the source"):
                pipe.run()
        pipe.reset()
        assert int(pipe.run()[0].as_array()[0, 0]) == 0
