"""Processes that are stopped, or that cannot be created; each scenario runs in a program of its own."""

from __future__ import annotations

import errno
import itertools
import json
import logging
import os
import pathlib
import resource
import signal
import sys
import time

import numpy as np
from process_programs import index, make_pipe, run
from processes import children, is_alive, until

import jaxdali as dali
from jaxdali import errors, fn
from jaxdali._feed import _host
from jaxdali._feed.processes import forks, zygote
from jaxdali._feed.processes import hang_watch as watch

CLAIMED = _host.WORD_STATES.index("claimed")


def quiet() -> None:
    logging.getLogger("jaxdali").setLevel(logging.ERROR)  # each death is logged


def state(pid: int) -> str:
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def stop(*pids: int) -> None:
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    until(lambda: all(state(pid) == "T" for pid in pids))


def stop_idle(pipe, pid: int) -> None:
    """Stops a worker while it holds no chunk. A chunk that it holds would wait for it until worker_timeout_s."""
    (feed,) = pipe._jaxdali_session.feeds

    def holds() -> bool:
        words = (word for slot in range(feed.ring.slots) for word in feed.ring.chunk_info(slot))
        return any(word == CLAIMED and feed.producer.worker_of(owner)[1] == pid for _, _, owner, word, _ in words)

    stop(pid)
    while holds():
        os.kill(pid, signal.SIGCONT)
        time.sleep(0.01)
        stop(pid)


def fails(pipe) -> str:
    """Runs a pipeline until it raises a WorkerError, and returns its text."""
    try:
        while True:
            run(pipe)
    except errors.WorkerError as error:
        return str(error)


def zygote_is_stopped(start_method: str) -> dict:
    """A zygote's workers die while it is stopped; it continues; then it is stopped for good, together with a worker."""
    quiet()
    forks._SILENT_S = 1.0
    pipe = make_pipe(index, start_method)
    run(pipe)
    (forker,) = children()
    workers = pipe.worker_pids()  # all of them have started
    stop(forker)
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    text, again = fails(pipe), fails(pipe)
    os.kill(forker, signal.SIGCONT)
    pipe.reset()
    after = run(pipe)
    workers = pipe.worker_pids()
    stop(forker, workers[0])
    start = time.monotonic()
    pipe.close()
    took_s = time.monotonic() - start
    until(lambda: not any(map(is_alive, workers)))
    return {"text": text, "again": again, "after": after, "forker": forker, "close_s": took_s, "left": children()}


def leave_stopped(start_method: str) -> list[int]:
    """Exits without closing its pipeline, while all of its processes are stopped."""
    global kept
    kept = make_pipe(index, start_method)
    run(kept)
    pids = [*children(), *kept.worker_pids()]
    stop(*pids)
    return pids


def be_killed_beside_the_stopped(start_method: str) -> None:
    global kept
    kept = make_pipe(index, start_method)
    run(kept)
    # Its second thread shows that a worker will end with its parent; one that is stopped earlier could not be ended.
    until(lambda: all(len(os.listdir(f"/proc/{worker}/task")) > 1 for worker in kept.worker_pids()))
    pids = [*children(), *kept.worker_pids()]
    stop(*pids)
    print(json.dumps(pids), flush=True)
    signal.pause()


def _one_chunk(iteration):
    return np.full((2,), iteration)


def one_of_many_is_stopped(start_method: str) -> list:
    """Returns batches of one chunk each, while one worker after the other is stopped, except the last."""
    pipe = dali.Pipeline(batch_size=2, py_num_workers=3, py_start_method=start_method)
    with pipe:
        pipe.set_outputs(fn.external_source(_one_chunk, parallel=True, batch=True, prefetch_queue_depth=1))
    with pipe:
        seen = [run(pipe)[0]]
        for worker in pipe.worker_pids()[:2]:
            stop_idle(pipe, worker)
            seen += [run(pipe)[0] for _ in range(4)]
        return seen


def become_another_program(start_method: str, log: str) -> None:
    """Calls exec while its workers hold the GIL; the new program keeps running and does nothing."""

    def source(info):
        if info.iteration == 1:
            with open(log, "a") as file:
                file.write("x")
            sum(range(10**13))
        return index(info)

    pipe = make_pipe(source, start_method)
    run(pipe)
    until(lambda: os.path.exists(log) and len(pathlib.Path(log).read_text()) == 2)
    print(json.dumps(pipe.worker_pids()), flush=True)
    os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(1000)"])


# FORKS THAT ARE REFUSED


def refused_forks(start_method: str) -> dict:
    """The zygote cannot create processes for a while. Must not run as root, for whom there is no limit."""
    quiet()
    pipe = make_pipe(index, start_method)
    run(pipe)
    (forker,) = children()
    limits = resource.getrlimit(resource.RLIMIT_NPROC)
    resource.prlimit(forker, resource.RLIMIT_NPROC, (1, limits[1]))
    for worker in pipe.worker_pids():
        os.kill(worker, signal.SIGKILL)
    text, again = fails(pipe), fails(pipe)
    resource.prlimit(forker, resource.RLIMIT_NPROC, limits)
    pipe.reset()
    after = [run(pipe) for _ in range(3)]
    same = children() == [forker]
    workers = len(pipe.worker_pids())
    pipe.close()
    return {"text": text, "again": again, "after": after, "same": same, "workers": workers, "left": children()}


def forks_refused_for_a_moment() -> list[int]:
    """Every other fork fails at first, as if memory were short."""
    quiet()
    fork, calls = zygote._fork, itertools.count()

    def scarce() -> int:
        if next(calls) % 2 == 0:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return fork()

    zygote._fork = scarce
    with make_pipe(index, "fork") as pipe:
        seen, counters = [run(pipe)], pipe._jaxdali_session.feeds[0].producer.counters
        os.kill(pipe.worker_pids()[0], signal.SIGKILL)
        seen += [run(pipe) for _ in range(20)]
        # The death may not even have been noticed.
        until(lambda: (seen.append(run(pipe)), counters.deaths and len(pipe.worker_pids()) == 2)[1])
        return [batch[0][2] for batch in seen]


# LOADING


class HangsOnArrival:
    def __reduce__(self):
        return time.sleep, (1000,)

    def __call__(self, info):
        raise AssertionError("it cannot have arrived")


def _generator():
    for iteration in range(1000):
        yield np.full((2,), iteration)


def _wait_for(source, start_method: str, timeout_s: float, workers: int, **options):
    pipe = dali.Pipeline(
        batch_size=2,
        py_num_workers=workers,
        py_start_method=start_method,
        worker_timeout_s=timeout_s,
        worker_restarts=1,
    )
    with pipe:
        pipe.set_outputs(fn.external_source(source, parallel=True, prefetch_queue_depth=1, **options))
    return pipe


def hang_in_loading(start_method: str) -> dict:
    quiet()
    watch.LOAD_S = 0.5
    pipe = _wait_for(HangsOnArrival(), start_method, 0.5, 2, batch=False)
    text = fails(pipe)
    deaths = pipe._jaxdali_session.feeds[0].producer.counters.deaths
    pipe.close()
    return {"text": text, "deaths": deaths, "left": children()}


def stopped_while_idle(start_method: str) -> dict:
    """Returns what happens to sources whose workers are all stopped while they are idle."""
    quiet()
    results = {}
    for name, source, batch in (("samples", index, False), ("generator", _generator, True)):
        with _wait_for(source, start_method, 3.0, 2 if name == "samples" else 1, batch=batch) as pipe:
            run(pipe)
            (feed,) = pipe._jaxdali_session.feeds
            # Wait until everything that was requested is made, and the workers sleep.
            until(lambda feed=feed: all(feed.ring.state(entry.slot) for entry in feed.requested))
            stop(*pipe.worker_pids())
            if name == "samples":
                results[name] = [run(pipe)[0][-1] for _ in range(8)]
            else:
                results[name] = fails(pipe)
                pipe.reset()
                results["anew"] = run(pipe)[0]
    return results
