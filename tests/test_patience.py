"""Waits that take long say what they are for; those that do not cost nothing."""

from __future__ import annotations

import concurrent.futures
import fcntl
import logging
import signal
import threading
import types

import pytest

from jaxdali._base import patience
from jaxdali._feed.ring.waiting import patience_for_slot
from jaxdali._feed.storage import loop
from jaxdali._feed.storage import remote_objects as objects
from jaxdali._feed.storage.cache import ByteRange, make_cache
from jaxdali._run.executor.prefetch import Executor
from jaxdali._run.executor.step import Step
from jaxdali._run.executor.waits import Waits


@pytest.fixture
def told(monkeypatch):
    """Waits tell at once, and then again; yields what they tell, and the functions to call with each line."""
    monkeypatch.setattr(patience, "FIRST_S", 0.02)
    monkeypatch.setattr(patience, "AGAIN_S", 0.04)
    monkeypatch.setattr(patience, "_LOOK_S", 0.02)
    lines: list[str] = []
    calls: list = []

    class Keeper(logging.Handler):
        def emit(self, record):
            lines.append(record.getMessage())
            for call in calls:
                call()

    keeper = Keeper()
    logging.getLogger("jaxdali").addHandler(keeper)
    yield lines, calls
    logging.getLogger("jaxdali").removeHandler(keeper)


def test_a_future_says_what_it_is_and_gives_its_result(told):
    lines, calls = told
    future: concurrent.futures.Future[int] = concurrent.futures.Future()
    calls.append(lambda: len(lines) == 2 and future.set_result(7))
    assert patience.awaited(future, lambda: "the number seven") == 7
    assert lines == ["waiting for 0 s for the number seven"] * 2


def test_a_timeout_of_the_future_itself_is_its_error(told):
    lines, calls = told
    future: concurrent.futures.Future[int] = concurrent.futures.Future()
    calls.append(lambda: future.set_exception(TimeoutError("its own")))
    with pytest.raises(TimeoutError, match="its own"):
        patience.awaited(future, lambda: "an error")
    assert len(lines) == 1


@pytest.mark.parametrize("place", ["handler", "what", "look"])
@pytest.mark.parametrize("prints", [True, False])
def test_what_goes_wrong_with_a_line_is_printed_as_of_a_handler_and_breaks_no_wait(
    told, monkeypatch, capsys, place, prints
):
    lines, calls = told
    monkeypatch.setattr(logging, "raiseExceptions", prints)
    called = []

    def fails() -> str:
        called.append(1)
        raise RuntimeError("broken")

    calls += [fails] if place == "handler" else []
    waiting = patience.Patience(fails if place == "what" else lambda: "it", fails if place == "look" else lambda: None)
    while len(called) < 2:
        waiting.wait()
    assert ("RuntimeError: broken" in capsys.readouterr().err) == prints
    assert len(lines) == (2 if place == "handler" else 0)


def test_an_interrupt_in_a_line_passes(told):
    _, calls = told

    def times_out(number, frame):
        raise TimeoutError("of a handler")

    before = signal.signal(signal.SIGUSR1, times_out)
    calls.append(lambda: signal.raise_signal(signal.SIGUSR1))
    waiting = patience.Patience(lambda: "it")
    try:
        with pytest.raises(TimeoutError, match="of a handler"):
            while True:
                waiting.wait()
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_the_time_in_which_the_process_was_stopped_does_not_count(monkeypatch, caplog):
    now = [0.0]
    monkeypatch.setattr(patience, "time", types.SimpleNamespace(monotonic=lambda: now[0]))
    waiting = patience.Patience(lambda: "it")
    for seconds in (1.0, 1.0, 12.0, 1.0, 1.0):
        now[0] += seconds
        waiting.wait()
    assert not caplog.messages
    now[0] += 1.0
    waiting.wait()
    assert caplog.messages == ["waiting for 5 s for it"]


def test_what_is_there_at_once_needs_no_patience(monkeypatch):
    monkeypatch.delattr(patience, "Patience")
    future: concurrent.futures.Future[int] = concurrent.futures.Future()
    future.set_result(7)
    assert patience.awaited(future, lambda: "the number seven") == 7


def test_a_block_that_waits_is_told_of_from_another_thread_which_ends_with_it(told):
    lines, calls = told
    over, threads = threading.Event(), threading.active_count()
    calls.append(lambda: len(lines) == 2 and over.set())
    with patience.Patience(lambda: "a block").beside():
        assert threading.active_count() == threads + 1 and over.wait(60)
    assert threading.active_count() == threads and lines[0] == "waiting for 0 s for a block"


def test_a_block_runs_though_the_system_has_no_more_threads(monkeypatch):
    def refuse(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with patience.Patience(lambda: "a block").beside():
        pass
    with pytest.raises(RuntimeError, match="of the block"), patience.Patience(lambda: "a block").beside():
        raise RuntimeError("of the block")


def test_an_object_is_named_without_its_secrets(told, monkeypatch):
    lines, calls = told
    there = threading.Event()

    async def fetch_later(url, offset, size):
        while not there.is_set():
            await loop.asyncio.sleep(0.001)
        return b"1234"

    calls.append(there.set)
    monkeypatch.setattr(objects, "fetch_later", fetch_later)
    assert objects.fetch("https://host/data.tar?token=secret", 3, 4) == b"1234"
    assert "for bytes 3 to 7 of https://host/data.tar" in lines[0] and "secret" not in lines[0]


def test_a_cache_that_another_process_keeps_locked_is_named(told, tmp_path):
    lines, calls = told
    cache = make_cache(str(tmp_path), None)
    (tmp_path / ".bytes").touch()
    holder = open(tmp_path / ".bytes")
    fcntl.flock(holder, fcntl.LOCK_EX)
    calls.append(holder.close)
    one = ByteRange("https://host/data.tar", 0, 4)
    cache.put(one, b"1234")
    assert cache.get(one) == b"1234" and str(tmp_path) in lines[0]


def test_a_step_that_a_gpu_decodes_is_named(told):
    lines, _ = told
    decoding = types.SimpleNamespace(
        is_ready=False, wait=lambda seconds: threading.Event().wait(seconds) or bool(lines)
    )
    executor = types.SimpleNamespace(_take=lambda set_up: None, _waits=Waits())
    Executor._await(executor, Step(2, 5, 20, 4, [], ahead=decoding), None)
    assert "the images of batch 5 of epoch 2" in lines[0]


def test_who_keeps_all_slots_is_told(told):
    lines, _ = told
    whereabouts = types.SimpleNamespace(look=lambda: None, holdup=lambda served, slot: "worker 0 (pid 1) is stuck")
    served = types.SimpleNamespace(
        ring=types.SimpleNamespace(slots=5, free_slots=0), source=types.SimpleNamespace(description="the Data object")
    )
    for leased, words in (
        (5, "the caller keeps 5 batches"),
        (2, "the caller keeps 2 batches, and 3 that nobody wants any more are being made: worker 0 (pid 1) is stuck"),
    ):
        lines.clear()
        waiting = patience_for_slot(served, whereabouts, lambda leased=leased: leased)
        while not lines:
            waiting.wait()
        assert lines[0].endswith(f"for a free slot for the Data object: {words}")
