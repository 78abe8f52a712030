"""A worker that hangs once; afterwards it is slow but works."""

from __future__ import annotations

import logging
import os
import time

import numpy as np

import jaxdali as dali
from jaxdali import fn

TIMEOUT_S, SLOW_S = 1.0, 0.3


def _hangs_once_and_is_slow(iteration):
    mark = f"{os.environ['MARKS']}/hung"
    if iteration == 1 and not os.path.exists(mark):
        with open(mark, "w"):
            time.sleep(600)
    time.sleep(SLOW_S)
    return np.full((2,), iteration)


def hang_once(folder: str) -> dict:
    """Takes three batches; the second one's worker hangs. Returns the batches, and how many workers died."""
    logging.getLogger("jaxdali").setLevel(logging.ERROR)  # each death is logged
    os.environ["MARKS"] = folder
    pipe = dali.Pipeline(
        batch_size=2, py_num_workers=1, py_start_method="fork", worker_timeout_s=TIMEOUT_S, worker_restarts=1
    )
    with pipe:
        pipe.set_outputs(fn.external_source(_hangs_once_and_is_slow, parallel=True, batch=True))
    with pipe:
        batches = [pipe.run()[0].as_array().tolist() for _ in range(3)]
        return {"batches": batches, "deaths": pipe._jaxdali_session.feeds[0].producer.counters.deaths}
