"""Runs one program with one system in its own process: `programs_measure.py NAME KIND SYSTEM DATA FOLDER`.

It takes the first batches, and prints a line of JSON with their description and the time of one. Then, for each number
that it reads, it prints how long that many batches took. Preparing batches ahead is included, because a measurement
starts and ends with full queues.
"""

from __future__ import annotations

import importlib
import json
import os
import pathlib
import sys
import time
import warnings
from collections.abc import Iterator
from typing import Any

from processes import cpu_s, descendants, end
from programs_texts import enlarged, yields_of

# Before the measurement: at least this many batches, and this long, but not longer than the last.
WARM_BATCHES, WARM_S, MOST_WARM_S = 6, 1.0, 20.0
SHOWN = 3
# Queues count as full if all processes used less than this fraction of a pause.
PAUSE_S, IDLE_SHARE, MOST_PAUSES = 0.03, 0.1, 100


def program(name: str, kind: str, system: str, folder: str) -> Any:
    """Imports the program, written to a file so that spawned workers find it, too."""
    module = f"{name}_{kind}_with_{system.replace('.', '_')}"
    pathlib.Path(folder, f"{module}.py").write_text(enlarged(name, kind, system))
    sys.path.insert(0, folder)
    return importlib.import_module(module)


def arrays(value: Any) -> Iterator[Any]:
    """Yields the arrays, tensors and lists of tensors in what a program yields."""
    if isinstance(value, dict):
        value = [value[key] for key in sorted(value)]
    if isinstance(value, list | tuple):
        for part in value:
            yield from arrays(part)
    elif hasattr(value, "as_tensor") or (hasattr(value, "dtype") and getattr(value, "shape", ())):
        yield value


def form(value: Any) -> list[Any]:
    """Describes an array or list of tensors: dtype, layout, and its shape, or those of the samples."""
    if hasattr(value, "as_tensor"):
        return [value.dtype.name, value.layout(), [list(value.at(k).shape) for k in range(len(value))]]
    return [str(value.dtype), "", list(value.shape)]


class Batches:
    """Takes the batches of a program one by one, and waits for each."""

    def __init__(self, items: Iterator[Any], yields: int):
        self._items, self._yields = items, yields
        self.shown: list[Any] = []

    def take(self, count: int) -> None:
        count *= self._yields
        while count:
            if found := [*arrays(next(self._items))]:
                for one in found:
                    if hasattr(one, "as_tensor"):
                        one.at(0)
                    elif hasattr(one, "block_until_ready"):
                        one.block_until_ready()
                if len(self.shown) < SHOWN:
                    self.shown.append([form(one) for one in found])
                count -= 1


def wait_until_idle(pids: list[int]) -> None:
    for _ in range(MOST_PAUSES):
        before = cpu_s(pids)
        time.sleep(PAUSE_S)
        if cpu_s(pids) - before < IDLE_SHARE * PAUSE_S:
            return


def warm(batches: Batches) -> float:
    """Takes batches until their times are steady. Returns the seconds of one."""
    started, times = time.perf_counter(), []
    while len(times) < WARM_BATCHES or time.perf_counter() - started < WARM_S:
        begin = time.perf_counter()
        batches.take(1)
        times.append(time.perf_counter() - begin)
        if time.perf_counter() - started > MOST_WARM_S and len(times) >= SHOWN:
            break
    return sorted(times)[len(times) // 2]


def main() -> None:
    name, kind, system, data, folder = sys.argv[1:]
    # What a program prints is dropped.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    warnings.simplefilter("ignore")
    batches = Batches(iter(program(name, kind, system, folder).main(data)), yields_of(name))
    seconds = warm(batches)
    pids = descendants()
    wait_until_idle(pids)
    print(json.dumps({"shown": batches.shown, "seconds": seconds}), file=answers, flush=True)
    for line in sys.stdin:
        count = int(line)
        cpu, started = cpu_s(pids), time.perf_counter()
        batches.take(count)
        wall = time.perf_counter() - started
        wait_until_idle(pids)
        figures = {"cpu_ms": 1e3 * (cpu_s(pids) - cpu) / count, "ms": 1e3 * wall / count}
        print(json.dumps(figures), file=answers, flush=True)
    end(descendants())
    os._exit(0)  # threads of the system may still be waiting


if __name__ == "__main__":
    main()
