"""What sources are told about their position, and which iterations they are asked for."""

from __future__ import annotations

import mmap
import os
import time
from typing import Any

import numpy as np
from es_tools import STOP, make, numbers, samples
from processes import until

EPOCHS, ITERATIONS = 3, 2


def told_samples(info):
    if info.iteration >= ITERATIONS:
        raise StopIteration
    return np.array([info.idx_in_epoch, info.idx_in_batch, info.iteration, info.epoch_idx])


def told_batches(info):
    if info.iteration >= ITERATIONS:
        raise StopIteration
    return [np.array([info.iteration, info.epoch_idx])]


def told_index(iteration):
    assert type(iteration) is int
    if iteration >= ITERATIONS:
        raise StopIteration
    return [np.array([iteration])]


def told_optional(iteration=17):
    return told_index(iteration)


class CountsWhatItGives:
    """Gives batches that are shorter than batch_size: the index of a sample does not depend on that."""

    def __call__(self, iteration):
        if iteration >= ITERATIONS:
            raise StopIteration
        return [np.array([iteration])] * (iteration + 1)


def indices(start_method, workers: int) -> dict[str, list]:
    """Returns what the callables were told, run by run: batches of 3, and a reset after each STOP."""
    results = {}
    cases: list[tuple[str, Any, dict[str, Any]]] = [
        ("samples", told_samples, {"batch": False}),
        ("batches", told_batches, {"batch": True, "batch_info": True}),
        ("index", told_index, {"batch": True}),
        ("optional", told_optional, {"batch": True}),
        ("short", CountsWhatItGives(), {"batch": True}),
    ]
    for name, source, options in cases:
        with make(source, start_method=start_method, workers=workers, batch_size=3, **options) as pipe:
            seen: list = []
            for epoch in range(EPOCHS):
                assert pipe.epoch_idx == epoch
                while (outcome := samples(pipe)) != STOP:
                    seen.append([values for _, _, values in outcome[0]])
                assert samples(pipe) == STOP
                pipe.reset()
            results[name] = seen
    return results


class Recorder:
    """Sources that record each iteration that they are asked for."""

    def __init__(self, last: int | None = None):
        self.last = last
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)

    def asked(self) -> list[int]:
        try:
            return sorted(set(os.read(self.reader, 1 << 16)))
        except BlockingIOError:
            return []

    def note(self, iteration):
        os.write(self.writer, bytes([iteration]))
        if self.last is not None and iteration >= self.last:
            raise StopIteration

    def samples(self, info):
        self.note(info.iteration)
        return np.zeros(1, np.int32)

    def batches(self, iteration):
        self.note(iteration)
        return np.zeros((4, 1), np.int32)

    def generator(self):
        for iteration in range(100):
            self.note(iteration)
            yield np.zeros((4, 1), np.int32)


def requests(parallel: bool, kind: str, depth: int, ahead: int | None, runs: int, last: int | None = None) -> list[int]:
    """Returns the iterations that a source is asked for in `runs` runs."""
    recorder = Recorder(last)
    method, workers = ("fork", 1 if kind == "generator" else 2) if parallel else (None, 0)
    options: dict[str, Any] = {"batch_size": 4, "depth": depth, "ahead": ahead, "batch": kind != "samples"}
    pipe = make(getattr(recorder, kind), start_method=method, workers=workers, **options)
    pipe.build()
    for _ in range(runs):
        numbers(pipe)
    if runs and parallel:
        # Waits until all that was asked for is done. Then the workers end, so nothing more can come.
        (feed,) = pipe._jaxdali_session.feeds
        until(lambda: all(feed.ring.state(entry.slot) for entry in feed.requested if entry.slot is not None))
    elif parallel:
        time.sleep(0.05)
    pipe.close()
    asked = recorder.asked()
    os.close(recorder.reader)
    os.close(recorder.writer)
    return asked


def all_requests(cases) -> list:
    return [requests(*case) for case in cases]


def pieces(cases) -> list[list[list[int]]]:
    """Returns the rows of the first batch that each worker made, for each (workers, batch_size)."""
    return [_pieces(*case) for case in cases]


def _pieces(workers: int, batch_size: int) -> list[list[int]]:
    present = mmap.mmap(-1, 1 << 16)  # shared with the forked workers

    def source(info):
        # No worker goes on before each of them has a piece of the first batch.
        present[os.getpid() % len(present)] = 1
        until(lambda: sum(present[:]) >= min(workers, batch_size))
        return np.array([os.getpid()])

    with make(source, start_method="fork", workers=workers, batch_size=batch_size, batch=False) as pipe:
        makers = pipe.run()[0].as_array()[:, 0].tolist()
    present.close()
    rows: dict[int, list[int]] = {}
    for row, maker in enumerate(makers):
        rows.setdefault(maker, []).append(row)
    return list(rows.values())
