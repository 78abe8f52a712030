"""Waits for sources that are stuck, and for stopped processes: what the log says, and that no batch is lost."""

from __future__ import annotations

import fcntl
import logging
import os
import re
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from processes import children, until

import jaxdali as dali
from jaxdali import errors, fn
from jaxdali._base import patience

SAMPLES = 12


class Enough(BaseException):
    """Raised by the log itself, where an interrupt may come, too."""


class Told(logging.Handler):
    """Keeps what the log says, and calls a function with every line that a pattern is found in."""

    def __init__(self, pattern: str, on_line: Callable[[], object]):
        super().__init__()
        self.lines: list[str] = []
        self.pattern, self.on_line = pattern, on_line

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())
        if re.search(self.pattern, self.lines[-1]):
            self.on_line()


def _enough() -> None:
    raise Enough


def impatient(pattern: str, on_line: Callable[[], object] = _enough) -> Told:
    """Makes waits tell soon, and keeps what they tell; a line with a pattern calls a function."""
    patience.FIRST_S, patience.AGAIN_S = 0.1, 0.2
    logger, told = logging.getLogger("jaxdali"), Told(pattern, on_line)
    logger.handlers, logger.propagate = [told], False
    return told


class Held:
    """A file whose lock this process holds until `release`. Whoever calls `hold`, in any process, waits for it."""

    def __init__(self, path: str):
        self.path = path
        self._file = open(path, "w")
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def release(self) -> None:
        self._file.close()


def hold(path: str) -> None:
    with open(path) as file:
        fcntl.flock(file, fcntl.LOCK_SH)


def taken(take: Callable[[], list[int]], release: Callable[[], object], pattern: str) -> dict[str, Any]:
    """Takes all batches. A line of the log with a pattern interrupts that, and frees the source. Returns the samples
    and the lines.
    """
    told, seen = impatient(pattern), []
    while len(seen) < SAMPLES:
        try:
            seen += take()
        except Enough:
            release()
    return {"lines": told.lines, "seen": seen}


def of_pipeline(
    source: object, start_method: str, release: Callable[[], object], pattern: str, workers: int = 2, **options: Any
) -> dict[str, Any]:
    pipe = dali.Pipeline(batch_size=4, py_num_workers=workers, py_start_method=start_method)
    with pipe:
        pipe.set_outputs(fn.external_source(source, **{"parallel": True, "name": "data", **options}))
    with pipe:
        result = taken(lambda: pipe.run()[0].as_array().ravel().tolist(), release, pattern)
        return {**result, "pids": pipe.worker_pids()}


def of_loader(data: object, release: Callable[[], object], pattern: str) -> dict[str, Any]:
    with dali.Loader(data, batch_size=4, workers=2) as loader:
        batches = iter(loader)
        result = taken(lambda: np.asarray(next(batches)["x"]).tolist(), release, pattern)
        return {**result, "pids": [*loader._step_runner.feeds[0].producer.pids.values()]}


class Data:
    """The sample `stuck` waits for a lock."""

    def __init__(self, path: str, stuck: int = 5):
        self.path, self.stuck = path, stuck

    def __len__(self) -> int:
        return SAMPLES

    def __getitem__(self, index: int) -> dict[str, np.int32]:
        if index == self.stuck:
            hold(self.path)
        return {"x": np.int32(index)}

    def source_info(self, index: int) -> str:
        return f"sample-{index}.jpg"


class SlowToLoad:
    """Waits for a lock when a process loads it."""

    def __init__(self, path: str):
        self.path = path

    def __reduce__(self):
        return _loaded, (self.path,)

    def __call__(self, info):
        return np.int32([info.idx_in_epoch])


def _loaded(path: str) -> SlowToLoad:
    hold(path)
    return SlowToLoad(path)


def stuck_sources(start_method: str, folder: str) -> dict[str, Any]:
    """Returns what the log says of each kind of source that is stuck, and the samples that come when it goes on."""
    held = [Held(f"{folder}/{number}") for number in range(6)]
    paths = [one.path for one in held]

    def sample(info):
        if info.idx_in_epoch == 5:
            hold(paths[0])
        return np.int32([info.idx_in_epoch])

    def batch(iteration):
        if iteration == 1:
            hold(paths[1])
        return np.arange(4 * iteration, 4 * iteration + 4, dtype=np.int32)

    def items() -> Iterator[np.ndarray]:
        for iteration in range(3):
            if iteration == 1:
                hold(paths[2])
            yield np.arange(4 * iteration, 4 * iteration + 4, dtype=np.int32)

    class Stream:
        def __iter__(self):
            for index in range(SAMPLES):
                if index == 5:
                    hold(paths[4])
                yield {"x": np.int32(index)}

    return {
        "sample": of_pipeline(sample, start_method, held[0].release, "batch 1 .* in sample 5", batch=False),
        "batch": of_pipeline(batch, start_method, held[1].release, "batch 1 .* in batch 1", 1, batch=True),
        "items": of_pipeline(items, start_method, held[2].release, "making it", 1, batch=True),
        "data": of_loader(Data(paths[3]), held[3].release, "batch 1 .* in sample 5"),
        "stream": of_loader(Stream(), held[4].release, "batch 1 .* in sample"),
        "loading": of_pipeline(SlowToLoad(paths[5]), start_method, held[5].release, "loading", 1, batch=False),
    }


def stopped_processes() -> dict[str, Any]:
    """Returns what the log says of a worker and of a process that forks workers, which are stopped."""
    found: dict[str, Any] = {}

    def sample(info):
        return np.int32([info.idx_in_epoch])

    for name in ("worker", "forker"):
        pipe = dali.Pipeline(batch_size=4, py_num_workers=1, py_start_method="forkserver", prefetch_queue_depth=1)
        with pipe:
            pipe.set_outputs(fn.external_source(sample, parallel=True, batch=False, prefetch_queue_depth=1))
        with pipe:
            pipe.start_py_workers()
            pid = children()[0] if name == "forker" else pipe.worker_pids()[0]
            os.kill(pid, signal.SIGSTOP)
            found[name] = {
                **taken(
                    lambda pipe=pipe: pipe.run()[0].as_array().ravel().tolist(),
                    lambda pid=pid: os.kill(pid, signal.SIGCONT),
                    "stopped",
                ),
                "pids": [pid],
            }
    return found


def nothing_is_fed() -> dict[str, Any]:
    pipe = dali.Pipeline(batch_size=4, prefetch_queue_depth=1)
    with pipe:
        pipe.set_outputs(fn.external_source(name="fed", blocking=True))
    with pipe:

        def feed() -> None:
            for first in range(0, SAMPLES, 4):
                pipe.feed_input("fed", np.arange(first, first + 4, dtype=np.int32))

        return {**taken(lambda: pipe.run()[0].as_array().ravel().tolist(), feed, "fed;"), "pids": []}


def _of_the_loader() -> list[str]:
    # jax's own threads come and go, and each that calls Python counts as one.
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("jaxdali")]


def first_samples(folder: str) -> dict[str, Any]:
    """Returns what is said about a Loader's first sample that does not come, with a time limit and without one."""
    held = Held(f"{folder}/first")
    told = impatient("first sample", held.release)
    data = Data(held.path, stuck=0)
    with dali.Loader(data, batch_size=4, workers=1) as loader:
        threads = _of_the_loader()
        first = np.asarray(next(iter(loader))["x"]).tolist()
    late = Held(f"{folder}/late")
    impatient("first sample", lambda: None)
    try:
        dali.Loader(Data(late.path, stuck=0), batch_size=4, workers=1, worker_timeout_s=0.3)
        error = None
    except errors.SourceError as raised:
        error = str(raised)
    late.release()
    until(lambda: not _of_the_loader())
    # The data's own errors and the caller's context go through the thread of a limit unchanged.
    with dali.Loader(data, batch_size=4, workers=1, worker_timeout_s=60) as loader:
        limited = np.asarray(next(iter(loader))["x"]).tolist()
    return {"lines": told.lines, "first": first, "threads": threads, "error": error, "limited": limited}


def all_of_them(start_method: str) -> dict[str, Any]:
    """Returns what is said of all sources and processes, in one interpreter."""
    with tempfile.TemporaryDirectory() as folder:
        return {**stuck_sources(start_method, folder), **stopped_processes(), "fed": nothing_is_fed()}
