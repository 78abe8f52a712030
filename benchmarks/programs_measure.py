"""One program with one system, in a process of its own: `programs_measure.py NAME KIND SYSTEM DATA FOLDER`.

It takes the first batches, says as a line of JSON what they are and how long one takes, and then, for each number of batches
that it reads, what so many took. What a system prepares ahead is part of it: a measurement begins and ends with full queues.
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

# Before anything is measured: at least so many batches, so long, and not longer than that.
WARM_BATCHES, WARM_S, MOST_WARM_S = 6, 1.0, 20.0
SHOWN = 3
# Queues are full when all processes took less than a share of so long.
PAUSE_S, IDLE_SHARE, MOST_PAUSES = 0.03, 0.1, 100


def program(name: str, kind: str, system: str, folder: str) -> Any:
    """The module, written anew, so that workers that are spawned find it too."""
    module = f"{name}_{kind}_with_{system.replace('.', '_')}"
    pathlib.Path(folder, f"{module}.py").write_text(enlarged(name, kind, system))
    sys.path.insert(0, folder)
    return importlib.import_module(module)


def arrays(value: Any) -> Iterator[Any]:
    """The arrays, tensors and lists of tensors in what a program yields."""
    if isinstance(value, dict):
        value = [value[key] for key in sorted(value)]
    if isinstance(value, list | tuple):
        for part in value:
            yield from arrays(part)
    elif hasattr(value, "as_tensor") or (hasattr(value, "dtype") and getattr(value, "shape", ())):
        yield value


def form(value: Any) -> list[Any]:
    """What an array or list of tensors is: type, layout, and the shape, or those of the samples."""
    if hasattr(value, "as_tensor"):
        return [value.dtype.name, value.layout(), [list(value.at(k).shape) for k in range(len(value))]]
    return [str(value.dtype), "", list(value.shape)]


class Batches:
    """The batches of a program, one by one, each waited for."""

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
    """Takes batches until they come evenly. Returns the seconds of one."""
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
    # What a program prints is nobody's business.
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
    os._exit(0)  # threads of both systems may be waiting


if __name__ == "__main__":
    main()
