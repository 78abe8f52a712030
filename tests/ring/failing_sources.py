"""Sources that fail; each runs in a program of its own."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import time

import numpy as np
from processes import resources

import jaxdali as dali
from jaxdali import fn, types

BATCH, WORKERS, BAD_SAMPLE = 4, 2, 6


class Fails:
    """Fails once at sample BAD_SAMPLE, in epoch 0; other samples contain their index."""

    def __init__(self, how: str):
        self.how = how

    def __call__(self, info):
        if info.epoch_idx == 0 and info.idx_in_epoch == BAD_SAMPLE:
            return getattr(self, self.how)()
        return np.full((3,), 100 * info.epoch_idx + info.idx_in_epoch, np.int32)

    def raises(self):
        raise LookupError("no such thing")

    def raises_unprintable(self):
        class Unprintable(Exception):
            def __str__(self):
                raise ValueError

        raise Unprintable

    def exits(self):
        sys.exit("enough")

    def interrupts(self):
        raise KeyboardInterrupt("by itself")

    def leaves(self):
        raise GeneratorExit("too early")

    def is_cancelled(self):
        raise asyncio.CancelledError("by itself")

    def raises_of_odd_module(self):
        class Odd(Exception):
            pass

        Odd.__module__ = object()
        raise Odd("where from?")

    def raises_with_large_number(self):
        error = LookupError("too large")
        error.code = 10**6000
        raise error

    def returns_string(self):
        return "pixels"

    def returns_dtype(self):
        return np.zeros(3, np.float64)

    def returns_rank(self):
        return np.zeros((3, 3), np.int32)

    def is_killed(self):
        os.kill(os.getpid(), signal.SIGKILL)

    def ends_process(self):
        os._exit(7)


class ExplodesOnArrival:
    def __reduce__(self):
        return _explode, ()

    def __call__(self, info):
        raise AssertionError("it cannot have arrived")


def _explode():
    raise LookupError("not at home")


def describe(error, took_s: float) -> dict:
    fields = (
        "output",
        "sample_index",
        "iteration",
        "epoch",
        "worker_id",
        "pid",
        "exit_code",
        "status",
    )
    return {
        "type": type(error).__name__,
        "text": str(error),
        "took_s": took_s,
        **{name: getattr(error, name, None) for name in fields},
    }


def run_timed(pipe):
    """Returns `(outputs, None)` of a run, or `(None, description of the error)`."""
    start = time.perf_counter()
    try:
        return pipe.run(), None
    except Exception as error:
        return None, describe(error, time.perf_counter() - start)


def make_pipe(source, start_method: str, restarts: int = 3, **settings):
    pipe = dali.Pipeline(
        batch_size=BATCH, py_num_workers=WORKERS, py_start_method=start_method, worker_restarts=restarts
    )
    with pipe:
        pipe.set_outputs(fn.external_source(source, parallel=True, batch=False, name="data", **settings))
    return pipe


def fail(how: str, start_method: str, restarts: int = 3) -> dict:
    """Runs into the failure. Returns the errors then and afterwards, and what is left after close."""
    logging.getLogger("jaxdali").setLevel(logging.ERROR)  # each death is logged
    before = resources()
    source = ExplodesOnArrival() if how == "explodes" else Fails(how)
    pipe = make_pipe(source, start_method, restarts, dtype=types.INT32)
    pipe.start_py_workers()
    pids = pipe.worker_pids()
    good, error = [], None
    while error is None:
        outputs, error = run_timed(pipe)
        if outputs is not None:
            good.append(outputs[0].as_array()[:, 0].tolist())
    again = run_timed(pipe)[1]
    deaths = pipe._jaxdali_session.feeds[0].producer.counters.deaths
    pipe.reset()
    outputs, after_reset = run_timed(pipe)
    next_epoch = None if outputs is None else outputs[0].as_array()[:, 0].tolist()
    del outputs
    start = time.perf_counter()
    pipe.close()
    return {
        "error": error,
        "again": again,
        "good": good,
        "next_epoch": next_epoch,
        "after_reset": after_reset,
        "pids": pids,
        "deaths": deaths,
        "close_s": time.perf_counter() - start,
        "before": before,
        "after": resources(),
    }


def fail_to_decode(start_method: str, files: list[str]) -> dict:
    """One file per batch; returns the result of each run."""
    # The warning that "mixed" means the CPU here is no failure.
    logging.getLogger("jaxdali").setLevel(logging.ERROR)
    contents = [np.frombuffer(bytes.fromhex(file), np.uint8) for file in files]

    def source(info):
        if info.iteration == len(contents):
            raise StopIteration
        return contents[info.iteration]

    pipe = dali.Pipeline(batch_size=1, py_num_workers=1, py_start_method=start_method)
    with pipe:
        encoded = fn.external_source(source, parallel=True, batch=False, name="files")
        pipe.set_outputs(fn.decoders.image(encoded, device="mixed"))
    pipe.start_py_workers()
    pids = pipe.worker_pids()
    results = []
    while True:
        outputs, error = run_timed(pipe)
        if error is not None and error["type"] == "StopIteration":
            break
        results.append(error or outputs[0].shape())
    pipe.close()
    return {"results": results, "pids": pids, "after": resources()}
