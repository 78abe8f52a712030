"""Pipelines that end, or lose a process; each scenario runs in a program of its own."""

from __future__ import annotations

import contextlib
import gc
import json
import logging
import os
import pathlib
import select
import signal
import socket
import time

from process_programs import index, make_pipe, run
from processes import children, descendants, is_alive, until

from jaxdali import errors
from jaxdali._feed.processes import zygote
from jaxdali._feed.processes.pool import WorkerPool
from jaxdali._feed.ring.columns import Column
from jaxdali._feed.ring.feed import Feed
from jaxdali._feed.ring.feed_options import FeedOptions
from jaxdali._feed.source.source_kinds import CallableSource
from jaxdali._run.executor.host_stage import HostStage


def _stop_after_two(info):
    if info.iteration == 2:
        raise StopIteration
    return index(info)


def _fail_after_two(info):
    if info.iteration == 2:
        raise LookupError
    return index(info)


def ways_to_end(start_method: str) -> dict:
    """Returns the children that are left after each way to end a pipeline, without the garbage collector's help."""
    gc.disable()
    left = {}

    def use(source, runs):
        pipe = make_pipe(source, start_method)
        with contextlib.suppress(StopIteration, errors.SourceError):
            for _ in range(runs):
                run(pipe)
        assert children()
        return pipe

    with use(index, 1):
        pass
    left["with"] = children()
    for name, source, runs in (
        ("never run", index, 0),
        ("running", index, 3),
        ("ended", _stop_after_two, 4),
        ("failed", _fail_after_two, 4),
    ):
        pipe = make_pipe(source, start_method) if not runs else use(source, runs)
        pipe.start_py_workers()
        del pipe
        left[name] = children()
    pipe = use(index, 1)
    pipe.close()
    pipe.close()
    left["closed twice"] = children()
    return left


def leave(start_method: str) -> list[int]:
    """Exits without closing its pipelines."""
    global kept  # as in a notebook
    kept = [make_pipe(index, start_method) for _ in range(2)]
    for pipe in kept:
        run(pipe)
    return descendants()


def hang(start_method: str, how: str, log: str) -> dict:
    """Waits in run() for a callback that hangs; returns when it was interrupted, and whether its workers were alive."""

    def source(info):
        if info.iteration == 1:
            with open(log, "a") as file:
                file.write("x")
            if how == "holding the GIL":
                sum(range(10**13))
            time.sleep(1000)
        return index(info)

    pipe = make_pipe(source, start_method)
    run(pipe)
    try:
        print(json.dumps(descendants()), flush=True)
        run(pipe)
    except KeyboardInterrupt:
        return {"interrupted": time.time(), "workers": [is_alive(p) for p in pipe.worker_pids()]}
    raise AssertionError("it returned")


def foreign_fork() -> dict:
    """Closes a pool while a process that the user forked holds copies of all descriptors."""
    pipe = make_pipe(index, "fork")
    run(pipe)
    workers = pipe.worker_pids()
    child = os.fork()
    if child == 0:
        signal.pause()
    start = time.perf_counter()
    pipe.close()
    took_s = time.perf_counter() - start
    left = [worker for worker in workers if is_alive(worker)]
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return {"took_s": took_s, "left": left}


def zygote_dies_and_is_replaced() -> dict:
    """Kills what forks workers twice, and returns the first sample of each batch."""
    logging.getLogger("jaxdali").setLevel(logging.ERROR)
    with make_pipe(index, "forkserver") as pipe:
        found, zygotes = [run(pipe)[0][2]], []
        for _ in range(2):
            (zygote,), workers = children(), pipe.worker_pids()
            zygotes.append(zygote)
            os.kill(zygote, signal.SIGKILL)
            until(lambda workers=workers: not any(map(is_alive, workers)))
            found += [run(pipe)[0][2] for _ in range(8)]
        zygotes += children()
        deaths = pipe.stats().worker_deaths
    return {"found": found, "zygotes": len({*zygotes}), "deaths": deaths, "left": children()}


def zygote_dies() -> dict:
    logging.getLogger("jaxdali").setLevel(logging.ERROR)
    pipe = make_pipe(_hang_in_iteration_5, "fork")
    run(pipe)
    (zygote,), workers = children(), pipe.worker_pids()
    os.kill(zygote, signal.SIGKILL)
    until(lambda: not any(map(is_alive, workers)))
    try:
        for _ in range(10):
            run(pipe)
    except errors.WorkerError as error:
        pipe.close()
        return {"text": str(error), "zygote": zygote, "left": children()}
    raise AssertionError("nothing was noticed")


def leave_with_an_unread_report() -> int:
    """Returns a zygote's exit status if its socket is closed before its own report was read."""
    size = FeedOptions(batch_size=1, ahead=1, max_leased=1, chunks=1)
    feed = Feed(CallableSource(index, None), [Column(name="data")], size)
    control, pid = zygote.start([feed.served], 1)
    ours, theirs = socket.socketpair()
    zygote.Messages(control).send_fork(0, theirs)
    until(lambda: select.select([control], [], [], 0)[0])
    control.close()
    ours.close()
    theirs.close()
    return os.waitpid(pid, 0)[1]


class _Slow(CallableSource):
    """Becomes ready when a file exists."""

    def __init__(self, gate: str):
        super().__init__(index, None)
        self.gate = gate

    def for_worker(self, worker_id, num_workers):
        until(lambda: os.path.exists(self.gate))
        return self


def leave_before_a_worker_is_ready(gate: str) -> int:
    """Returns a zygote's exit status if its worker notices first that the parent is gone."""
    size = FeedOptions(batch_size=1, ahead=1, max_leased=1, chunks=1)
    feed = Feed(_Slow(gate), [Column(name="data")], size)
    control, pid = zygote.start([feed.served], 1)
    ours, theirs = socket.socketpair()
    zygote.Messages(control).send_fork(0, theirs)
    until(lambda: select.select([control], [], [], 0)[0])
    (worker,) = children(pid)
    os.kill(pid, signal.SIGSTOP)  # else it would kill the worker
    control.close()
    ours.close()
    theirs.close()
    pathlib.Path(gate).touch()
    until(lambda: not is_alive(worker))
    os.kill(pid, signal.SIGCONT)
    return os.waitpid(pid, 0)[1]


def _hang_in_iteration_5(info):
    if info.iteration == 5:
        time.sleep(1000)
    return index(info)


def dead_worker_holds_slots(start_method: str) -> dict:
    """Both workers hang in an epoch that was given up, so that they hold all slots; then one of them dies."""
    logging.getLogger("jaxdali").setLevel(logging.ERROR)
    size = FeedOptions(batch_size=1, ahead=1, max_leased=1, chunks=1)
    feed = Feed(CallableSource(_hang_in_epoch_0, None), [Column(name="data")], size)
    feed.producer = WorkerPool([feed.served], workers=2, start_method=start_method)
    feed.producer.start()
    host = HostStage([feed], 1)
    host.ask(1)
    until(lambda: feed.ring.owned_by(1) and feed.ring.owned_by(2))
    host.restart(1)
    os.kill(feed.producer.pids[1], signal.SIGKILL)
    seen = [int(host.take().columns[0].at(0)[0]) for _ in range(3)]
    counters = feed.producer.counters
    host.close()
    return {"seen": seen, "deaths": counters.deaths, "redone": counters.redone, "left": children()}


def _hang_in_epoch_0(info):
    if info.epoch_idx == 0:
        time.sleep(1000)
    return index(info)
