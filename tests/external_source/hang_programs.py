"""Sources of whole batches that hang in C code and keep the GIL."""

from __future__ import annotations

import ctypes
import json
import time

import numpy as np
from es_tools import make, numbers
from processes import descendants, is_alive


class Hangs:
    """Gives iteration 0, then nothing more."""

    def __init__(self, log: str):
        self.log = log

    def batch(self, iteration: int):
        if iteration > 0:
            with open(self.log, "a") as file:
                file.write("x")
            ctypes.PyDLL(None).sleep(1000)  # holds the GIL, like C code that never releases it
            raise AssertionError("it woke up")
        return np.zeros((2, 1), np.int32)

    def batches(self, iteration):
        return self.batch(iteration)

    def generator(self):
        for iteration in range(3):
            yield self.batch(iteration)

    def split(self, worker_id, num_workers):
        for iteration in range(worker_id, 6, num_workers):
            yield self.batch(iteration)


def hang(start_method: str, kind: str, log: str) -> dict:
    """Waits in run() for a source that hangs; returns what it saw when it was interrupted."""
    pipe = make(
        getattr(Hangs(log), kind), start_method=start_method, workers=1 if kind == "generator" else 2, batch=True
    )
    numbers(pipe)
    try:
        print(json.dumps(descendants()), flush=True)
        numbers(pipe)
    except KeyboardInterrupt:
        interrupted = time.time()
        alive = [is_alive(pid) for pid in pipe.worker_pids()]
        pipe.close()
        return {"interrupted": interrupted, "workers": alive, "closed": time.time(), "left": descendants()}
    raise AssertionError("it returned")
