"""An iterable that continues in every epoch, next to a function that kills workers."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import time

import numpy as np
from processes import until

import jaxdali as dali
from jaxdali import errors, fn


class Numbers:
    """An iterator that notes which process it runs in."""

    home = 0

    def __init__(self):
        self.next = 0

    def __iter__(self):
        return self

    def __next__(self):
        Numbers.home = os.getpid()
        self.next += 1
        return np.full((2, 3), self.next - 1)


# How many workers died at each sample of iteration 2; workers are forked, so they share it.
_deaths = multiprocessing.RawArray("i", 2)


def _kills_others(info):
    if info.epoch_idx == 0 and info.iteration == 2:
        if Numbers.home != os.getpid():
            _deaths[info.idx_in_batch] += 1
            os.kill(os.getpid(), signal.SIGKILL)
        until(lambda: max(_deaths) == 2)  # the other sample is left to the other workers
    return np.array([info.iteration])


def beside_dying_workers() -> dict:
    """Returns the iterable's batches up to the error and after the reset, and the error."""
    logging.getLogger("jaxdali").setLevel(logging.ERROR)  # each death is logged
    pipe = dali.Pipeline(batch_size=2, py_num_workers=3, py_start_method="fork", worker_restarts=1)
    with pipe:
        numbers = fn.external_source(Numbers(), batch=True, parallel=True, cycle="no")
        pipe.set_outputs(numbers, fn.external_source(_kills_others, batch=False, parallel=True))
    with pipe:
        seen: list[int] = []
        error = ""
        while len(seen) < 6:
            try:
                seen.append(int(pipe.run()[0].as_array()[0, 0]))
            except errors.WorkerError as raised:
                error = str(raised)
                pipe.reset()
        return {"seen": seen, "error": error}


class DiesAtSix(Numbers):
    def __next__(self):
        if self.next == 6:
            time.sleep(0.2)  # so that the error comes in the next epoch
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__next__()


def dies_in_the_next_epoch() -> dict:
    """Returns how many batches a second epoch had, and the error that ended it."""
    logging.getLogger("jaxdali").setLevel(logging.ERROR)
    pipe = dali.Pipeline(batch_size=2, py_num_workers=1, py_start_method="fork")
    with pipe:
        source = fn.external_source(DiesAtSix(), batch=True, parallel=True, cycle="no", prefetch_queue_depth=3)
        pipe.set_outputs(source)
    with pipe:
        for _ in range(4):
            pipe.run()
        pipe.reset()
        taken = 0
        try:
            while True:
                pipe.run()
                taken += 1
        except errors.WorkerError as error:
            place = [error.sample_index, error.iteration, error.epoch]
            return {"taken": taken, "place": place, "text": str(error)}
