"""Workers that are killed at random, or always at the same sample."""

from __future__ import annotations

import contextlib
import logging
import os
import random
import signal
import threading
import time

import numpy as np
from processes import resources

import jaxdali as dali
from jaxdali import errors, fn
from jaxdali._feed.processes.dead_work import DeadWork

BATCH, WORKERS = 12, 4
# How many batches are taken between two kills. If the clock decided, kills could come faster than workers can start
# on a busy machine, and no batch would ever be finished.
BETWEEN_KILLS = (0, 1, 5, 20, 40)


def size_of(index: int) -> int:
    """Size of a ragged sample in bytes: varies irregularly, and grows with the index."""
    return 1 + index * 7919 % min(1000 + 400 * index, 500_000)


def busy(info):
    """Makes a fixed and a ragged output that contain their sample's index."""
    time.sleep(0.0005)
    index = info.idx_in_epoch
    return np.full((5, 3), index, np.int64), np.full(size_of(index), index % 251, np.uint8)


def right(first: int, fixed, ragged) -> bool:
    indices = range(first, first + BATCH)
    if not np.array_equal(fixed.as_array()[:, 4, 2], indices):
        return False
    return all(
        len(sample) == size_of(index) and (sample == index % 251).all()
        for index, sample in zip(indices, map(ragged.at, range(BATCH)), strict=True)
    )


def massacre(start_method: str, least: int, deaths: int, redone: int) -> dict:
    """Takes batches while threads kill workers and look at them. Returns the number of batches, how many were wrong,
    and more.

    Args:
        least, deaths, redone: goes on until there were this many batches, deaths of workers, and repeated chunks.
    """
    logging.getLogger("jaxdali").setLevel(logging.ERROR)
    before = resources()
    pipe = dali.Pipeline(batch_size=BATCH, py_num_workers=WORKERS, py_start_method=start_method, worker_restarts=1000)
    with pipe:
        pipe.set_outputs(fn.external_source(busy, num_outputs=2, parallel=True, batch=False, prefetch_queue_depth=2))
    pipe.start_py_workers()
    started = pipe.external_source_shm_statistics()["capacities"]
    over = threading.Event()
    tickets, wrong = 0, 0

    def kill():
        chance = random.Random(start_method)
        due = 0
        while not over.wait(chance.uniform(0.0, 0.02)):
            if tickets < due:
                continue
            try:
                os.kill(chance.choice(pipe.worker_pids()), signal.SIGKILL)
            except (IndexError, ProcessLookupError):
                continue
            due = tickets + chance.choice(BETWEEN_KILLS)

    def look():
        while not over.wait(0.001):
            pipe.worker_pids()

    threads = [threading.Thread(target=target) for target in (kill, look, look)]
    for thread in threads:
        thread.start()
    counters = pipe._jaxdali_session.feeds[0].producer.counters
    while tickets < least or counters.deaths < deaths or counters.redone < redone:
        wrong += not right(tickets * BATCH, *pipe.run())
        tickets += 1
    over.set()
    for thread in threads:
        thread.join()
    grown = pipe.external_source_shm_statistics()["capacities"]
    pipe.close()
    return {
        "tickets": tickets,
        "wrong": wrong,
        "deaths": counters.deaths,
        "redone": counters.redone,
        "grown": max(grown) > max(started),
        "before": before,
        "after": resources(),
    }


def _killed_at_17(info):
    if info.idx_in_epoch == 17:
        with open(f"{os.environ['KILLS']}/{os.getpid()}", "w"):
            os.kill(os.getpid(), signal.SIGKILL)
    return np.array([info.idx_in_epoch])


def always_at_one_sample(start_method: str, folder: str, restarts: int) -> dict:
    """One sample kills every worker that reaches it."""
    logging.getLogger("jaxdali").setLevel(logging.ERROR)
    os.environ["KILLS"] = folder
    options = {"py_start_method": start_method, "worker_restarts": restarts}
    pipe = dali.Pipeline(batch_size=4, py_num_workers=2, **options)
    with pipe:
        pipe.set_outputs(fn.external_source(_killed_at_17, parallel=True, batch=False, name="data"))
    seen: list[int] = []
    try:
        while True:
            seen += pipe.run()[0].as_array()[:, 0].tolist()
    except errors.WorkerError as error:
        kills = len(os.listdir(folder))
        pipe.close()
        return {
            "seen": seen,
            "kills": kills,
            "text": str(error),
            "sample": error.sample_index,
            "code": error.exit_code,
        }


class _Ends:
    """Batches 0, 1, ... of an iterator whose worker dies at the one numbered `at`, after some seconds."""

    def __init__(self, at: int, after_s: float):
        self.at, self.after_s = at, after_s

    def __iter__(self):
        for number in range(9):
            if number == self.at:
                time.sleep(self.after_s)
                os._exit(self.at)
            yield np.full((2, 1), number)


def positions_are_lost(start_method: str, order: list[int]) -> list:
    """Two iterators lose their workers, the one that is due later at once. Returns the batches, and each error's code.

    Args:
        order: which of them is the first output.
    """
    logging.getLogger("jaxdali").setLevel(logging.ERROR)
    sources = [_Ends(2, 0.3), _Ends(4, 0.0)]
    pipe = dali.Pipeline(batch_size=2, py_num_workers=2, py_start_method=start_method)
    with pipe:
        options = {"parallel": True, "batch": True, "prefetch_queue_depth": 5}
        pipe.set_outputs(*(fn.external_source(sources[index], **options) for index in order))
    seen: list[int | list[int]] = []
    with pipe:
        for _ in range(2):
            for _ in range(4):
                try:
                    seen.append([int(output.at(0)[0]) for output in pipe.run()])
                except errors.WorkerError as error:
                    seen.append(error.exit_code or 0)
            pipe.reset()
    return seen


def recovery_is_interrupted(start_method: str, rounds: int) -> list:
    """An iterator's worker dies in each epoch, and an interrupt cuts the next `reset` short. Returns the batches, and each
    error's code.
    """
    logging.getLogger("jaxdali").setLevel(logging.ERROR)
    pipe = dali.Pipeline(batch_size=2, py_num_workers=1, py_start_method=start_method)
    with pipe:
        pipe.set_outputs(fn.external_source(_Ends(2, 0.0), parallel=True, batch=True))
    forget, seen, left = DeadWork.forget, [], []

    def interrupted(self):
        if left:
            raise left.pop()
        forget(self)

    DeadWork.forget = interrupted
    with pipe:
        for _ in range(rounds):
            for _ in range(3):
                try:
                    seen.append(int(pipe.run()[0].at(0)[0]))
                except errors.WorkerError as error:
                    seen.append(-(error.exit_code or 0))
            left.append(KeyboardInterrupt())
            with contextlib.suppress(KeyboardInterrupt):
                pipe.reset()
            assert not left
            pipe.reset()
    return seen
