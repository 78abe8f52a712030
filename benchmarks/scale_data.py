"""What it takes a process, and a worker, to know where samples are: memory, CPU time, and requests to the store."""

from __future__ import annotations

import gc
import pickle
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
from scale_measure import stopwatch
from scale_store import COUNTS, LATENCY, folder, tfrecords, wds

from jaxdali import source, tfrecord

__all__ = ["KINDS", "reading", "started_at", "starting"]

_TRACED = 10_000  # shards
_LARGE = 1 << 20  # arrays from this size on are shared by workers, as `Loader` says


def _tfrecords(shards: int, each: int) -> Any:
    paths, indices = tfrecords(shards, each)
    return source.TFRecords(paths, {"n": tfrecord.FixedLenFeature([], tfrecord.int64, 0)}, indices)


def _wds(shards: int, each: int) -> Any:
    paths, indices = wds(shards, each)
    return source.WebDataset(paths, ["jpg", "cls"], indices)


# By name, what makes data of (shards, samples in each). A folder's shards are its classes.
KINDS: dict[str, Callable[[int, int], Any]] = {
    "TFRecords": _tfrecords,
    "WebDataset": _wds,
    "ImageFolder": lambda shards, each: source.ImageFolder(folder(shards, each)),
}


def starting(kind: str, samples: int, shards: int) -> dict[str, float]:
    """Measures what a process needs to make data that lie in shards, and what each of its workers takes of it.

    Returns:
        "requests", "bytes" and "reads_at_once": those to the store. "cpu_s" and "worker_cpu_s". "kept" and "peak": bytes of
        memory of the process; "shared" and "private": bytes that all its workers have together, and that each has. Memory is
        traced, which takes minutes with 10^5 shards; beyond 10^4 these numbers are missing.
    """
    make = KINDS[kind]
    make(1, 1)  # imports, connections
    COUNTS.clear()
    with stopwatch() as spent:
        made = make(shards, samples // shards)
    found: dict[str, float] = {
        "samples": len(made),
        "requests": sum(COUNTS.requests.values()),
        "bytes": COUNTS.bytes,
        "reads_at_once": COUNTS.most_at_once["read"],
        "cpu_s": spent[1],
    }
    large: list[Any] = []
    text = pickle.dumps(made, protocol=5, buffer_callback=lambda buffer: _stays(buffer, large))
    began = time.process_time()
    pickle.loads(text, buffers=large)
    found["worker_cpu_s"] = time.process_time() - began
    found["shared"] = sum(buffer.raw().nbytes for buffer in large)
    if shards <= _TRACED:
        del made
        gc.collect()
        found |= _memory(lambda: make(shards, samples // shards), lambda: pickle.loads(text, buffers=large))
    return found


def _memory(make: Callable[[], Any], load: Callable[[], Any]) -> dict[str, float]:
    tracemalloc.start()
    made = make()
    kept, peak = tracemalloc.get_traced_memory()
    copy = load()
    private = tracemalloc.get_traced_memory()[0] - kept
    tracemalloc.stop()
    assert len(copy) == len(made)
    return {"kept": kept, "peak": peak, "private": private}


def _stays(buffer: pickle.PickleBuffer, large: list[Any]) -> bool:
    if buffer.raw().nbytes < _LARGE:
        return True
    large.append(buffer)
    return False


def started_at(kind: str, samples: int, shards: int, latency_s: float) -> float:
    """Returns the seconds by the clock until data are made, from a store that pauses before each answer."""
    make = KINDS[kind]
    make(1, 1)
    LATENCY.seconds = latency_s
    try:
        with stopwatch() as spent:
            make(shards, samples // shards)
    finally:
        LATENCY.seconds = 0.0
    return spent[0]


def reading(samples: int, shards: int, steps: int, rows: int) -> dict[str, float]:
    """Returns the requests to the store, and their bytes, for one step of a process that reads shuffled records."""
    data = _tfrecords(shards, samples // shards)
    order = source.ShuffleSampler(len(data), 7)
    COUNTS.clear()
    for step in range(steps):
        for index in order.indices(0, np.arange(step * rows, (step + 1) * rows)).tolist():
            assert data[index]["n"] == 0
    return {"requests": sum(COUNTS.requests.values()) / steps, "bytes": COUNTS.bytes / steps}
