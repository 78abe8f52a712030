"""Pipelines with worker processes; each scenario runs in a program of its own."""

from __future__ import annotations

import json
import os
import pathlib
import resource
import signal
import sys
import threading

import numpy as np
from processes import descendants, until

import jaxdali as dali
from jaxdali import errors, fn


def index(info):
    return np.array([info.epoch_idx, info.iteration, info.idx_in_epoch], np.int32)


def pid(info):
    return np.int64(os.getpid())


def make_pipe(source, start_method=None, *, workers=2, batch=4, depth=2, source_depth=None):
    pipe = dali.Pipeline(
        batch_size=batch,
        py_num_workers=workers,
        py_start_method=start_method,
        prefetch_queue_depth=depth,
    )
    with pipe:
        node = fn.external_source(
            source,
            parallel=workers > 0,
            batch=False,
            name="data",
            prefetch_queue_depth=source_depth,
        )
        pipe.set_outputs(node)
    return pipe


def run(pipe) -> list:
    return pipe.run()[0].as_array().tolist()


def pools(start_method: str) -> dict:
    """Starts two pipelines of four workers, twice. Returns the workers, and which processes ran the callbacks."""
    pipes = [make_pipe(pid, start_method, workers=4, batch=8) for _ in range(2)]
    for pipe in pipes:
        pipe.start_py_workers()
    started = [pipe.worker_pids() for pipe in pipes]
    for pipe in pipes:
        pipe.start_py_workers()
        pipe.build()
        pipe.start_py_workers()
    seen = [sorted({number for _ in range(20) for number in run(pipe)}) for pipe in pipes]
    return {
        "started": started,
        "still": [pipe.worker_pids() for pipe in pipes],
        "seen": seen,
        "own": os.getpid(),
        "descendants": descendants(),
    }


def surroundings(start_method: str, folder: str) -> dict:
    """Returns what a fresh worker sees while this process uses jax."""
    import jax

    jax.numpy.zeros(1)
    os.chdir(folder)
    pathlib.Path("only_here.py").write_text("word = 'found'\n")
    sys.path.insert(0, folder)

    def source(info):
        import only_here

        names = ("JAX_PLATFORMS", "CUDA_VISIBLE_DEVICES", "OMP_NUM_THREADS")
        seen = {
            "jax": [name for name in sys.modules if name.partition(".")[0] in ("jax", "jaxlib")],
            "modules": len(sys.modules),
            "environment": [os.environ[name] for name in names],
            "cwd": os.getcwd(),
            "path": sys.path,
            "word": only_here.word,
            "sigint": signal.getsignal(signal.SIGINT) is signal.SIG_IGN,
        }
        return np.frombuffer(json.dumps(seen).encode(), np.uint8)

    with make_pipe(source, start_method, workers=1, batch=1) as pipe:
        return {"seen": json.loads(bytes(pipe.run()[0].at(0))), "path": sys.path}


def epochs(modes: list) -> list:
    """Returns the batches of each mode in three epochs of seven samples, with batches of two."""

    def source(info):
        if info.idx_in_epoch >= 7:
            raise StopIteration
        return index(info)

    results = []
    for start_method, workers in modes:
        seen = []
        with make_pipe(source, start_method, workers=workers, batch=2) as pipe:
            for epoch in range(3):
                for _ in range(5):
                    try:
                        seen.append(run(pipe))
                    except StopIteration:
                        seen.append("stop")
                pipe.reset()
                assert pipe.epoch_idx == epoch + 1
        results.append(seen)
    return results


def requests(depth: int, source_depth: int | None, workers: int, runs: int) -> list[int]:
    """Returns the iterations that a source is asked for during that many runs."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)

    def source(info):
        os.write(writer, bytes([info.iteration]))
        return index(info)

    method = "fork" if workers else None
    pipe = make_pipe(source, method, workers=workers, depth=depth, source_depth=source_depth)
    pipe.build()
    for _ in range(runs):
        run(pipe)
    if runs and workers:
        # Waits until all requested batches are finished; then the workers end, so that nothing more can come.
        (feed,) = pipe._jaxdali_session.feeds
        until(lambda: all(feed.ring.state(batch.slot) for batch in feed.requested))
    pipe.close()
    try:
        return sorted(set(os.read(reader, 1 << 16)))
    except BlockingIOError:
        return []


def many_descriptors() -> list:
    """Forks workers while all new descriptors are above 1023, which select() does not support."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    files = [os.open("/dev/null", os.O_RDONLY) for _ in range(1100)]
    with make_pipe(index, "fork") as pipe:
        batch = run(pipe)
    return [max(files), batch]


class _Interrupts:
    """Raises SIGINT once, at sample 9."""

    def __init__(self):
        self.done = False

    def __call__(self, info):
        if info.idx_in_epoch == 9 and not self.done:
            self.done = True
            signal.raise_signal(signal.SIGINT)
        return index(info)


def interrupted_source(with_parallel: bool) -> list:
    """Returns the batches before and after an interrupt of a sequential source in its third batch."""
    pipe = dali.Pipeline(batch_size=4, py_num_workers=2, py_start_method="fork")
    with pipe:
        sources = [fn.external_source(_Interrupts(), batch=False, name="sequential")]
        if with_parallel:
            sources.append(fn.external_source(index, parallel=True, batch=False, name="parallel"))
        pipe.set_outputs(*sources)
    seen = []
    with pipe:
        while len(seen) < 6:
            try:
                seen.append([output.as_array()[:, 2].tolist() for output in pipe.run()])
            except KeyboardInterrupt:
                seen.append("interrupt")
    return seen


def reset_while_busy(start_method: str, gate: str) -> dict:
    """Starts a new epoch while both workers are stuck in the old one; then opens the gate."""

    def source(info):
        if info.epoch_idx == 0 and info.iteration == 1:
            until(lambda: os.path.exists(gate))
        return index(info)

    pipe = make_pipe(source, start_method)
    run(pipe)
    (feed,) = pipe._jaxdali_session.feeds
    until(lambda: len(feed.ring.owned_by(1) + feed.ring.owned_by(2)) == 2)
    pipe.reset()
    pathlib.Path(gate).touch()
    seen = [run(pipe) for _ in range(12)]
    # The old epoch's slots come back when the next batch is requested.
    until(lambda: (seen.append(run(pipe)), not feed._draining)[1])
    ahead = len(pipe._jaxdali_session.executor._steps)
    assert feed.ring.free_slots + feed.published + ahead == feed.ring.slots
    pipe.close()
    return {"seen": seen, "slots": feed.ring.slots}


def unpicklable() -> str:
    lock = threading.Lock()
    pipe = make_pipe(lambda info: lock and index(info), "spawn")
    try:
        pipe.start_py_workers()
    except errors.ConfigError as error:
        return str(error)
    raise AssertionError("it travelled")
