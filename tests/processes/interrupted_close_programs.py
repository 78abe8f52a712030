"""Interrupts while workers are ended."""

from __future__ import annotations

import contextlib
import gc

import numpy as np
from interrupts import Interrupt
from processes import children

from jaxdali import Pipeline, fn
from jaxdali._dali.pipeline import pipeline, session
from jaxdali._feed.processes import forks, interpreter, launch, pool, zygote
from jaxdali._run.executor import exclusive_use, prefetch

FILES = tuple(
    str(module.__file__)
    for module in (forks, interpreter, launch, pipeline, pool, prefetch, session, exclusive_use, zygote)
)


def close(start_method: str, at: int, again: bool) -> Interrupt:
    """Interrupts `close` at a place; then closes again, or drops the pipeline. Returns the interrupt."""
    pipe = Pipeline(batch_size=4, py_num_workers=2, py_start_method=start_method)
    with pipe:
        pipe.set_outputs(fn.external_source(lambda info: np.array([info.idx_in_epoch]), parallel=True, batch=False))
    pipe.run()
    interrupt = Interrupt(at, FILES)
    with contextlib.suppress(KeyboardInterrupt):
        interrupt.call(pipe.close)
    if again:
        pipe.close()
    del pipe
    gc.collect()
    return interrupt


def close_everywhere(start_method: str, tried: int) -> tuple[int, list[int]]:
    """Returns the number of places, and those after which a process was left."""
    looked = close(start_method, 0, True)
    assert {"session.py", "exclusive_use.py"} <= looked.files
    places, left = looked.places, []
    for at in range(1, places + 1, max(places // tried, 1)):
        for again in (True, False):
            close(start_method, at, again)
            if children():
                left.append(at)
    return places, left
