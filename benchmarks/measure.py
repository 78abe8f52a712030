"""Runs one system and row in its own process: `measure.py ROW SYSTEM FOLDER SECONDS` prints its numbers as JSON.

It is separate from the program that prints the table, so that processes that import the main module again load little.
"""

from __future__ import annotations

import gc
import itertools
import json
import os
import sys
import time

from dataset import Batches, Check, Samples
from processes import cpu_s, descendants, end, wait_for_end
from rows import MODULES, ROWS, Row
from systems import Stream, Task, open_stream

# Before the timed window: at least this many batches, and this long.
WARM_BATCHES, WARM_S = 10, 0.3
CLOSE_TIMEOUT_S = 20.0


def _open(row: Row, system: str, folder: str) -> tuple[Stream, Check]:
    if row.whole:
        data = Batches(row.rows, folder, row.batch)
    else:
        data = Samples(row.rows, folder, row.pieces, row.work_s)
    check = Check(row.rows, folder, row.batch, row.pieces, wraps=not row.whole)
    return open_stream(system, Task(data, row.batch, row.workers, row.depth, row.start), row.to_jax), check


def _stream(row: Row, system: str, folder: str, seconds: float) -> dict[str, float]:
    stream, check = _open(row, system, folder)
    numbers = itertools.count()

    def consume(until_s: float, batches: int) -> int:
        """Takes batches for `until_s`, at least `batches`, and a multiple of the workers, who take turns."""
        started, count = time.perf_counter(), 0
        for number, batch in zip(numbers, stream, strict=False):
            arrived = time.perf_counter()
            check(number, batch)
            while time.perf_counter() - arrived < row.step_s:
                pass
            count += 1
            if count >= batches and not count % row.workers and time.perf_counter() - started >= until_s:
                return count
        raise SystemExit("the stream has ended")

    consume(WARM_S, WARM_BATCHES)
    workers = descendants()
    cpu, started = cpu_s(workers), time.perf_counter()
    samples = consume(seconds, 1) * row.batch
    elapsed = time.perf_counter() - started
    cpu = cpu_s(workers) - cpu
    rate = samples / elapsed
    return {"value": 100 * rate / row.ideal if row.ideal else rate, "cpu_us": 1e6 * cpu / samples}


def _start(row: Row, system: str, folder: str) -> dict[str, float]:
    __import__(MODULES[system])
    if system == "Loader":  # a Loader returns arrays on a device, for which XLA must be started first
        import jax

        jax.devices("cpu")
    stream, check = _open(row, system, folder)
    started = time.perf_counter()
    first = next(stream)  # a generator, so nothing was done before
    elapsed = time.perf_counter() - started
    check(0, first)
    del first
    workers = descendants()
    gc.collect()  # garbage from imports is not the system's to clean up
    started = time.perf_counter()
    stream.close()
    gone = wait_for_end(workers, CLOSE_TIMEOUT_S)
    return {"value": elapsed, **({"close_s": time.perf_counter() - started} if gone else {})}


def main() -> None:
    name, system, folder, seconds = sys.argv[1:]
    row = ROWS[name]
    if row.kind == "start":
        numbers = _start(row, system, folder)
    else:
        numbers = _stream(row, system, folder, min(row.seconds or float(seconds), 2 * float(seconds)))
    print(json.dumps(numbers), flush=True)
    # Not every system ends its threads and processes if its stream is abandoned.
    end(descendants())
    os._exit(0)


if __name__ == "__main__":
    main()
