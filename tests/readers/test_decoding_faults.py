"""Interrupts, errors and deaths while other processes decode: nothing is lost, and the right file is named."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import random
import re
import signal
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest
from decoding_sources import BATCH, COUNT, FORMATS, Files, folder_of, pixels_of, read, slow_bmp
from PIL import Image
from pretended_cpus import pretend_four_cpus
from sound_files import sound_bytes
from tiers import gate

import jaxdali as dali
from jaxdali import fn, pipeline_def
from jaxdali._feed.processes.pool import WorkerPool


@pytest.fixture(autouse=True)
def four_cpus(monkeypatch):
    pretend_four_cpus(monkeypatch)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    return folder_of(tmp_path_factory.mktemp("mixed") / "all", FORMATS)


def test_processes_that_only_decode_do_not_stand_for_a_users_source(tmp_path):
    """Idle ones are not ended because a user's source is slow, and the death of one loses no place in it."""
    paths = folder_of(tmp_path / "png", ("PNG",))

    def slow(info: Any) -> np.ndarray:
        time.sleep(0.08)
        return np.int64(info.idx_in_epoch)

    def parts(worker_id: int, num_workers: int) -> Any:
        assert num_workers == 1
        return (np.full((BATCH,), batch, np.int64) for batch in range(100))

    @pipeline_def(batch_size=BATCH, worker_timeout_s=0.6, on_error="zeros")
    def program() -> Any:
        part = fn.external_source(parts, batch=True, parallel=True)
        numbers = fn.external_source(slow, batch=False, parallel=True, prefetch_queue_depth=2)
        return fn.decoders.image(fn.readers.file(files=paths)[0], device="cpu"), numbers, part

    with program() as pipe:
        found = []
        for batch in range(6):
            _, numbers, part = pipe.run()
            found.append((np.asarray(numbers.as_array()).tolist(), int(np.asarray(part.as_array())[0])))
            if batch == 2:
                pids = pipe.worker_pids()
                assert len(pids) == 4
                for pid in pids[1:]:
                    os.kill(pid, signal.SIGKILL)
        assert pipe.stats().worker_deaths == 3
    assert found == [([*range(batch * BATCH, (batch + 1) * BATCH)], batch) for batch in range(6)]


def test_an_interrupt_of_a_source_of_files_loses_no_sample_and_asks_for_none_twice(mixed):
    mine, asked = Files(mixed), []

    def interrupted(info: Any) -> np.ndarray:
        asked.append(info.idx_in_epoch)
        if asked.count(info.idx_in_epoch) == 1 and info.idx_in_epoch in (3, 7, 12):
            raise KeyboardInterrupt
        return mine.sample(info)

    @pipeline_def(batch_size=BATCH, num_threads=4, on_error="zeros", prefetch_queue_depth=1)
    def program() -> Any:
        return fn.decoders.image(fn.external_source(interrupted, batch=False))

    found, interrupts = [], 0
    with program() as pipe:
        while len(found) < COUNT:
            try:
                (images,) = pipe.run()
            except KeyboardInterrupt:
                interrupts += 1
                continue
            found += [np.asarray(images.at(row)).tobytes() for row in range(BATCH)]
    assert interrupts == 3 and found == pixels_of(mixed, "samples", 1)[0]
    assert all(asked.count(index) == 1 + (index in (3, 7, 12)) for index in range(COUNT))


class Enough(Exception):
    """Raised by the handler of a signal."""


def _enough(*_: object) -> None:
    raise Enough


@pytest.mark.parametrize("how", ["samples", "batches"])
def test_a_signal_while_files_are_awaited_loses_nothing(how):
    mine, timers = Files([]), {}
    mine.files = [np.frombuffer(slow_bmp(index), np.uint8) for index in range(COUNT)]

    def alarm(batch: int) -> None:
        if batch not in timers:
            timers[batch] = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1))
            timers[batch].start()

    def sample(info: Any) -> np.ndarray:
        if info.idx_in_batch == BATCH - 1:
            alarm(info.iteration)
        return mine.sample(info)

    def batch(iteration: int) -> list[np.ndarray]:
        alarm(iteration)
        return mine.batch(iteration)

    @pipeline_def(batch_size=BATCH, num_threads=4, prefetch_queue_depth=1)
    def program() -> Any:
        return fn.decoders.image(fn.external_source(sample if how == "samples" else batch, batch=how == "batches"))

    before = signal.signal(signal.SIGUSR1, _enough)
    found, interrupts = [], 0
    try:
        with program() as pipe:
            while len(found) < COUNT:
                try:
                    (images,) = pipe.run()
                except Enough:
                    interrupts += 1
                    continue
                found += [int(np.asarray(images.at(row))[0, 0, 0]) for row in range(BATCH)]
                timers[max(timers)].join()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert found == list(range(COUNT)) and len(timers) == COUNT // BATCH and interrupts >= 2


@pytest.mark.parametrize("how", ["samples", "parallel samples", "batches"])
def test_a_file_that_takes_too_long_is_named_and_the_next_batch_comes(mixed, how):
    mine = Files(mixed)
    mine.files[5] = np.frombuffer(slow_bmp(1, 9000), np.uint8)

    @pipeline_def(batch_size=BATCH, num_threads=4, worker_timeout_s=0.7, worker_restarts=1, on_error="zeros")
    def program() -> Any:
        source = mine.batch if how == "batches" else mine.sample
        return fn.decoders.image(fn.external_source(source, batch=how == "batches", parallel="parallel" in how))

    with program() as pipe:
        with pytest.raises(dali.errors.WorkerError, match=r"made no progress for 0.7 s.*sample 5\b") as raised:
            pipe.run()
        assert raised.value.sample_index == 5
        pipe.reset()
        if how != "parallel samples":  # there the workers keep what they were given
            mine.files[5] = mine.files[4]
            (images,) = pipe.run()
            assert np.asarray(images.at(5)).any()


def test_decoding_processes_that_are_killed_are_replaced_and_nothing_is_lost(mixed):
    ways = ("samples", "parallel samples", "batches")

    @pipeline_def(batch_size=BATCH, num_threads=4, on_error="zeros", worker_restarts=100)
    def program() -> Any:
        return tuple(fn.decoders.image(read(mixed, how)) for how in ways)

    found: list[list[bytes]] = [[] for _ in ways]
    deaths, chance = 0, random.Random(1)
    with program() as pipe:
        for number in range(30):
            if number % 3 == 1:
                with contextlib.suppress(ProcessLookupError):  # it was killed before, but not yet noticed
                    os.kill(chance.choice(pipe.worker_pids()), signal.SIGKILL)
            for images, kept in zip(pipe.run(), found, strict=True):
                kept += [np.asarray(images.at(row)).tobytes() for row in range(BATCH)]
        deaths = pipe.stats().worker_deaths
    assert deaths >= 5 and found == [pixels_of(mixed, "samples", 1)[0] * 10] * 3


def test_files_are_decoded_anew_by_another_process_when_one_dies_in_the_middle_of_them(tmp_path):
    """Large ones, and sounds that become two outputs, so that a death often comes while they are written."""
    pictures = []
    for index in range(4):
        file = io.BytesIO()
        Image.fromarray(np.full((1500, 1500, 3), index + 1, np.uint8)).save(file, "BMP")
        pictures.append(np.frombuffer(file.getvalue(), np.uint8))
    sounds = [sound_bytes(np.full(2_000_000, (index + 1) / 10, np.float32)) for index in range(4)]

    @pipeline_def(batch_size=4, num_threads=4, worker_restarts=1000, prefetch_queue_depth=1)
    def program() -> Any:
        images = fn.decoders.image(fn.external_source(lambda iteration: pictures))
        return images, *fn.decoders.audio(fn.external_source(lambda iteration: sounds))

    chance = random.Random(2)

    def kill(pipe: Any) -> None:
        for _ in range(6):
            time.sleep(chance.uniform(0.05, 0.2))
            with contextlib.suppress(ProcessLookupError, IndexError):
                os.kill(chance.choice(pipe.worker_pids()), signal.SIGKILL)

    with program() as pipe:
        pipe.run()
        killer = threading.Thread(target=kill, args=(pipe,))
        killer.start()
        while killer.is_alive():
            images, signals, rates = pipe.run()
            for row in range(4):
                assert (np.asarray(images.at(row)) == row + 1).all()
                assert np.ptp(np.asarray(signals.at(row))) == 0 and len(signals.at(row)) == 2_000_000
                assert float(rates.at(row)) == 16000
        killer.join()
        assert pipe.stats().worker_deaths >= 3


@pytest.mark.parametrize("at", gate(range(1, 16), (2, 5, 8, 11)))
def test_an_interrupt_while_the_processes_start_is_no_obstacle_for_the_next_call(mixed, at):
    """A handler raises at the `at`-th line of `WorkerPool.start`."""
    mine = Files(mixed)

    @pipeline_def(batch_size=BATCH, num_threads=2, on_error="zeros", prefetch_queue_depth=1)
    def program() -> Any:
        return fn.decoders.image(fn.external_source(mine.sample, batch=False))

    def trace(frame: Any, event: str, _: object) -> Any:
        if frame.f_code is not WorkerPool.start.__code__:
            return None
        lines.append(frame.f_lineno)
        if event == "line" and len(lines) == at + 1:
            signal.raise_signal(signal.SIGUSR1)
        return trace

    lines: list[int] = []
    before = signal.signal(signal.SIGUSR1, _enough)
    try:
        with program() as pipe:
            sys.settrace(trace)
            with contextlib.suppress(Enough):
                pipe.run()
            sys.settrace(None)
            (images,) = pipe.run()
            found = [np.asarray(images.at(row)).tobytes() for row in range(BATCH)]
            if len(lines) <= at:  # there are not so many lines: nothing was interrupted, and this is the second batch
                return
    finally:
        sys.settrace(None)
        signal.signal(signal.SIGUSR1, before)
    assert found == pixels_of(mixed, "samples", 1, batches=1)[0]


@pytest.mark.parametrize("parallel", [False, True])
def test_a_source_may_use_its_buffer_again(mixed, parallel):
    mine, buffer = Files(mixed), np.zeros(1 << 17, np.uint8)

    def same(info: Any) -> np.ndarray:
        file = mine.sample(info)
        buffer[: len(file)] = file
        return buffer[: len(file)]

    @pipeline_def(batch_size=BATCH, num_threads=4, on_error="zeros")
    def program() -> Any:
        return fn.decoders.image(fn.external_source(same, batch=False, parallel=parallel))

    with program() as pipe:
        (images,) = pipe.run()
        found = [np.asarray(images.at(row)).tobytes() for row in range(BATCH)]
    assert found == pixels_of(mixed, "samples", 1, batches=1)[0]


def test_the_processes_that_were_only_added_are_done_without_if_they_cannot_start(mixed, monkeypatch, caplog):
    launch = WorkerPool._launch

    def limited(self: WorkerPool, worker_id: int) -> None:
        if worker_id >= 2:
            raise OSError(errno.EAGAIN, "no more processes")
        launch(self, worker_id)

    monkeypatch.setattr(WorkerPool, "_launch", limited)
    expected = pixels_of(mixed, "samples", 1)[0]
    for how in ("reader", "samples"):
        caplog.clear()
        assert pixels_of(mixed, how, 4)[0] == expected
        assert ["2 processes decode" in message for message in caplog.messages].count(True) == 1


@pytest.mark.parametrize("how", ["samples", "batches", "parallel samples"])
def test_errors_behind_files_that_are_being_decoded_name_their_sample(mixed, how):
    mine = Files(mixed)

    def broken(info: Any) -> Any:
        if how == "batches":
            return [*mine.batch(0)[:5], np.zeros((2, 2), np.float32), *mine.batch(0)[6:]]
        if info.idx_in_epoch == 5:
            raise ValueError("no such file")
        return mine.sample(info)

    @pipeline_def(batch_size=BATCH, num_threads=4, on_error="zeros")
    def program() -> Any:
        return fn.decoders.image(fn.external_source(broken, batch=how == "batches", parallel="parallel" in how))

    with program() as pipe:
        with pytest.raises((ValueError, dali.errors.SourceError)) as raised:
            pipe.run()
        words = "\n".join([str(raised.value), *getattr(raised.value, "__notes__", [])])
        assert re.search("no such file|encoded image is bytes", words) and "sample 5" in words
