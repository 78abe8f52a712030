"""Sources of every kind that go wrong once, in the second epoch: the errors, what comes next, and what is left."""

from __future__ import annotations

import logging
import os
import pathlib
import signal
import sys
import time
from typing import Any, ClassVar

import numpy as np
from es_tools import STOP, described, make, numbers
from processes import resources

from jaxdali import types

BATCH, BATCHES, BAD_ITERATION, BAD_SAMPLE = 2, 3, 1, 3
TIMEOUT_S = 0.3


class _Goes:
    """Makes batches, one of them wrong in the way `how`. If `once` is a path, only once: a file there says so."""

    def __init__(self, how: str, once: str | None = None):
        self.how = how
        self.once = once
        self.opened = 0

    def rows(self, iteration: int, bad: bool) -> Any:
        rows = np.arange(BATCH * iteration, BATCH * (iteration + 1), dtype=np.int32)[:, None]
        if not bad or iteration != BAD_ITERATION:
            return rows
        if self.once is not None:
            if os.path.exists(self.once):
                return rows
            pathlib.Path(self.once).touch()
        return getattr(self, self.how)(rows)

    def iterate(self, iterations):
        self.opened += 1
        bad = self.opened == 2
        for iteration in iterations:
            yield self.rows(iteration, bad)

    def raises(self, rows):
        raise LookupError("no such thing")

    def exits(self, rows):
        sys.exit("enough")

    def gives_text(self, rows):
        return "pixels"

    def gives_a_row_of_text(self, rows):
        return [rows[0], "pixels"]

    def gives_floats(self, rows):
        return rows.astype(np.float64)

    def is_killed(self, rows):
        os.kill(os.getpid(), signal.SIGKILL)

    def ends_process(self, rows):
        os._exit(7)

    def hangs(self, rows):
        time.sleep(1000)


class Samples(_Goes):
    options: ClassVar = {"batch": False}

    def __call__(self, info):
        bad = info.epoch_idx == 1 and info.idx_in_epoch == BAD_SAMPLE
        if info.iteration >= BATCHES:
            raise StopIteration
        rows = self.rows(info.iteration, bad)
        # A value that is wrong as a batch is wrong as a sample, too.
        return rows[info.idx_in_batch] if isinstance(rows, np.ndarray) else rows


class Batches(_Goes):
    options: ClassVar = {"batch": True, "batch_info": True}

    def __call__(self, info):
        if info.iteration >= BATCHES:
            raise StopIteration
        return self.rows(info.iteration, bad=info.epoch_idx == 1)


class Iterable(_Goes):
    options: ClassVar = {"batch": True, "cycle": "raise"}

    def __iter__(self):
        return self.iterate(range(BATCHES))


class Generator(_Goes):
    options: ClassVar = {"batch": True, "cycle": "raise"}

    def __call__(self):
        yield from self.iterate(range(BATCHES))


class Split(_Goes):
    options: ClassVar = {"batch": True, "cycle": "raise"}

    def __call__(self, worker_id, num_workers):
        return self.iterate(range(worker_id, BATCHES, num_workers))


KINDS = {kind.__name__: kind for kind in (Samples, Batches, Iterable, Generator, Split)}


def _epoch(pipe) -> list:
    seen = [numbers(pipe)]
    while seen[-1] != STOP:
        seen.append(numbers(pipe))
    return seen


def _scenario(start_method, kind: str, how: str, once: str | None) -> dict:
    before = resources()
    workers = 1 if kind in ("Iterable", "Generator") else 2
    source = KINDS[kind](how, once)
    settings = {"worker_restarts": 0 if once is None else 1, "worker_timeout_s": TIMEOUT_S if how == "hangs" else None}
    pipe = make(
        (source, {**source.options, "dtype": types.INT32, "name": "data"}),
        start_method=start_method,
        workers=workers,
        batch_size=BATCH,
        settings=settings,
    )
    pipe.start_py_workers()
    pids = pipe.worker_pids()
    first = _epoch(pipe)
    pipe.reset()
    good = []
    error = described(lambda: good.append(numbers(pipe)))
    while error is None and len(good) <= BATCHES:
        error = described(lambda: good.append(numbers(pipe)))
    again = described(lambda: numbers(pipe)) if error is not None else None
    pipe.reset()
    anew = _epoch(pipe)
    pipe.close()
    after = resources()
    return {
        "first": first,
        "good": good,
        "error": error,
        "again": again,
        "anew": anew,
        "pids": pids,
        "before": before,
        "after": after,
    }


def scenarios(start_method, cases) -> list[dict]:
    """Returns the outcome of each case (kind, how, path of the file for what goes wrong only once)."""
    logging.getLogger("jaxdali").setLevel(logging.ERROR)  # each death is logged
    return [_scenario(start_method, *case) for case in cases]
