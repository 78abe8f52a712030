"""Runs simulated processes, as threads of this one, and adds up what they found."""

from __future__ import annotations

import contextlib
import gc
import statistics
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from jax.sharding import PartitionSpec
from scale_history import ROWS, STEPS, Found, Numbers, expected_rows, live, state_size
from scale_service import VAIN, CountedClient, Memory, MemoryClient, Place, Tally, is_background, placed, simulated

from jaxdali import Loader

__all__ = ["check_rows", "lost", "memory_of", "run", "stopwatch", "summed", "together", "waiting"]

# Stands for one that cuts batches among all processes: simulated devices look at nothing in it.
SHARDING = PartitionSpec("processes")

# A run that has not come to its end by then waits for ever.
_STUCK_S = 300.0


def run(processes: int, work: Callable[[Place, threading.Barrier], Any]) -> tuple[list[Any], Memory]:
    """Calls `work` in a thread for each process. Returns what each returned."""
    memory, barrier = Memory(), threading.Barrier(processes)
    results: list[Any] = [None] * processes
    wrong: list[BaseException] = []

    def one(process: int) -> None:
        place = Place(process, processes, CountedClient(MemoryClient(memory), Tally()))
        try:
            with placed(place):
                results[process] = work(place, barrier)
        except BaseException as error:
            wrong.append(error)
            barrier.abort()

    threads = [threading.Thread(target=one, args=(process,), daemon=True) for process in range(processes)]
    with simulated():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(_STUCK_S)
            if thread.is_alive():
                raise TimeoutError(f"a simulated process is stuck after {_STUCK_S} s")
    for error in wrong:
        if not isinstance(error, threading.BrokenBarrierError):
            raise error
    return results, memory


def together(
    processes: int, length: int, agree: bool, batch_size: int = 0, state: dict[str, Any] | None = None
) -> list[Found]:
    """Returns what each process found. With a state, they resume there.

    Args:
        batch_size: of the global batch; 0: `ROWS` for each process.
    """
    size = batch_size or ROWS * processes

    def work(place: Place, barrier: threading.Barrier) -> Found:
        return live(length, size, agree, SHARDING, place.client.tally, barrier.wait, state)

    return run(processes, work)[0]


def check_rows(found: Sequence[Found], length: int, batch_size: int) -> int:
    """Checks that the processes' rows are those of the global batches, each once. Returns how many steps it looked at."""
    for step in found[0].rows:
        rows = [row for process in found for row in process.rows[step]]
        if rows != expected_rows(length, batch_size, step):
            raise SystemExit(f"step {step} of {len(found)} processes has other samples than it should have")
    if any(process.state != found[0].state for process in found):
        raise SystemExit(f"{len(found)} processes have different states")
    return len(found[0].rows)


def memory_of(processes: int, length: int, agree: bool) -> float:
    """Returns the bytes that a process's Loader keeps once it has taken a step, without what the service has."""
    kept: list[float] = [0.0]

    def work(place: Place, barrier: threading.Barrier) -> None:
        options: dict[str, Any] = {"shuffle": True, "seed": 7, "epochs": 3, "workers": 0}
        with Loader(Numbers(length), batch_size=ROWS * processes, sharding=SHARDING, agree=agree, **options) as loader:
            loader.start()
            if barrier.wait() == 0:
                gc.collect()
                kept[0] = tracemalloc.get_traced_memory()[0]
            barrier.wait()

    run(processes, work)  # imports, caches
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        _, memory = run(processes, work)
        return (kept[0] - before - memory.size) / processes
    finally:
        tracemalloc.stop()


def lost(processes: int, agree: bool) -> dict[str, float]:
    """Has a sample of the last process fail. Returns the seconds until all have an error, and the calls meanwhile."""
    length, size = 64 * ROWS * processes, ROWS * processes
    step = 3
    bad = expected_rows(length, size, step)[-1]
    failed_at: list[float] = []

    def work(place: Place, barrier: threading.Barrier) -> tuple[float, list[int]]:
        options: dict[str, Any] = {"shuffle": True, "seed": 7, "epochs": 1, "workers": 0, "prefetch": 1}
        data = Numbers(length, bad if place.process == processes - 1 else -1)
        with Loader(data, batch_size=size, sharding=SHARDING, agree=agree, **options) as loader:
            steps = loader.enumerate()
            for _ in range(step):
                next(steps)
            barrier.wait()
            place.client.tally.found.clear()
            try:
                while True:  # without `agree`, those that did not fail go on until they learn of it
                    next(steps)
                    time.sleep(0.01)
            except Exception:
                came = time.monotonic()
            if place.process == processes - 1:
                failed_at.append(came)
            calls = place.client.tally.total()
            barrier.wait()
            return came, calls

    found, _ = run(processes, work)
    return {
        "seconds": max(came for came, _ in found) - failed_at[0],
        "calls": sum(calls[0] for _, calls in found) / processes,
        "bytes": sum(sum(calls[1:]) for _, calls in found) / processes,
    }


def waiting(processes: int, seconds: float) -> float:
    """Has the last process, which agrees on steps with the others, do nothing for a while. Returns how often a second each
    of the others asks the service meanwhile: so it is until JAX notices that a process is gone.
    """
    length, size = 64 * ROWS * processes, ROWS * processes

    def work(place: Place, barrier: threading.Barrier) -> float:
        options: dict[str, Any] = {"epochs": 1, "workers": 0, "prefetch": 1, "agree": True}
        with Loader(Numbers(length), batch_size=size, sharding=SHARDING, **options) as loader:
            steps = loader.enumerate()
            next(steps)
            barrier.wait()
            place.client.tally.found.clear()
            began = time.monotonic()
            if place.process == processes - 1:
                time.sleep(seconds)
            next(steps)
            spent = time.monotonic() - began
            calls = place.client.tally.total()[0] / spent
            barrier.wait()
            return calls

    return statistics.fmean(run(processes, work)[0][:-1])


def summed(found: Sequence[Found]) -> dict[str, Any]:
    """Returns medians of the processes' CPU time, and what all of them asked of the service.

    Of "steps" that is for one step. What is asked by the clock is left out, since the clock runs slower here.
    """
    seconds = {what: statistics.median(one.seconds[what] for one in found) for what in found[0].seconds}
    asked = {}
    for what in found[0].calls:
        times = STEPS if what == "steps" else 1
        entries = [entry for one in found for entry in one.calls[what]]
        entries = [entry for entry in entries if not is_background(entry[0]) and entry[1] != VAIN]
        asked[what] = {
            "calls": sum(entry[2] for entry in entries) / times,
            "sent": sum(entry[3] for entry in entries) / times,
            "received": sum(entry[4] for entry in entries) / times,
        }
    return {"seconds": seconds, "asked": asked, "state_bytes": state_size(found[0])}


@contextlib.contextmanager
def stopwatch() -> Iterator[list[float]]:
    """Gives a list to which the seconds of the block are added: by the clock, and of CPU time."""
    spent: list[float] = []
    began, used = time.perf_counter(), time.process_time()
    yield spent
    spent += [time.perf_counter() - began, time.process_time() - used]
