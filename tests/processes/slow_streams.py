"""Streams whose batches take longer than the limit for an item, and whose items may be stuck."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from patience_programs import impatient

import jaxdali as dali
from jaxdali import errors

ROWS, STUCK = 8, 13
TIMEOUT_S, SLOW_S = 1.0, 0.15


class Slow:
    """Every item takes a moment; one takes for ever, if there is such an item."""

    def __init__(self, stuck: int | None = None):
        self.stuck = stuck

    def __iter__(self) -> Iterator[dict[str, np.int32]]:
        for index in range(4 * ROWS):
            time.sleep(600 if index == self.stuck else SLOW_S)
            yield {"x": np.int32(index)}


def _loader(stuck: int | None) -> dali.Loader:
    return dali.Loader(
        Slow(stuck), batch_size=ROWS, workers=1, worker_timeout_s=TIMEOUT_S, worker_restarts=0, prefetch=1
    )


def _failure(batches: Iterator[Any]) -> dict[str, str]:
    """Returns what is said while a batch is awaited that does not come, and its error."""
    told = impatient("x^", lambda: None)
    try:
        next(batches)
    except errors.WorkerError as error:
        return {"stuck": str(error), "line": [line for line in told.lines if line.startswith("waiting")][-1]}
    raise AssertionError("the batch came")


def read() -> dict[str, Any]:
    """Reads two batches, the second of which has an item that is stuck."""
    logging.getLogger("jaxdali").propagate = False
    with _loader(STUCK) as loader:
        batches = iter(loader)
        return {"seen": np.asarray(next(batches)["x"]).tolist(), **_failure(batches)}


def resume() -> dict[str, Any]:
    """Resumes at the third batch, which passes the items of two; then also with one of these that is stuck."""
    logging.getLogger("jaxdali").propagate = False
    with _loader(None) as loader:
        loader.seek(2)
        first = int(np.asarray(next(iter(loader))["x"])[0])
    with _loader(STUCK) as loader:
        loader.seek(2)
        return {"first": first, **_failure(iter(loader))}
