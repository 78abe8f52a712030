"""Runs one system in its own process: `gpu_measure.py TASK` prints a line of JSON when the system runs.

For every line that it reads it prints another line, with a measurement. It ends with its input.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import time
from typing import Any

from gpu_decoders import EngineAlone, NvImageCodec, NvjpegAlone, Torchvision
from gpu_streams import DaliStream, JaxdaliStream, LoaderStream
from gpu_task import Task
from processes import cpu_s, descendants, end

KINDS: dict[str, Any] = {
    "nvJPEG": NvjpegAlone,
    "engine": EngineAlone,
    "jaxdali": JaxdaliStream,
    "Loader": LoaderStream,
    "DALI": DaliStream,
    "torchvision": Torchvision,
    "nvImageCodec": NvImageCodec,
}


def looked_at(results: list[Any]) -> list[int]:
    """Returns the checksums of batches that were summed; ends the process if a batch was not finite."""
    found = [result for result in results if result is not None]
    for number, (_, finite) in enumerate(found):
        if not bool(finite):
            raise SystemExit(f"batch {number} of the measurement is not finite")
    return [int(checksum) for checksum, _ in found]


def measure(system: Any, task: Task) -> dict[str, Any]:
    """Measures batches after a warm-up: their time, and their CPU time in this process and its descendants."""
    system.rewind()
    results = [system.step() for _ in range(task.warm_up)]
    others = descendants()
    before, own, all_cpu = system.counts(), time.process_time(), cpu_s(others)
    started = time.perf_counter()
    ends = [started]
    for _ in range(task.batches):
        results.append(system.step())
        ends.append(time.perf_counter())
    elapsed = ends[-1] - started
    steps_s = sorted(end - begin for begin, end in itertools.pairwise(ends))
    all_cpu, own, after = cpu_s(others) - all_cpu, time.process_time() - own, system.counts()
    images = task.batch * task.batches
    return {
        "value": images / elapsed,
        "elapsed_s": elapsed,
        "p50_ms": 1e3 * steps_s[len(steps_s) // 2],
        "p99_ms": 1e3 * steps_s[int(0.99 * (len(steps_s) - 1))],
        "main_cpu_s": own,
        "workers_cpu_s": max(all_cpu - own, 0.0),
        "engine_bytes": after.get("allocated", 0),
        "used": after.get("used", 0) - before.get("used", 0),
        "missed": after.get("missed", 0) - before.get("missed", 0),
        "checksums": system.sums(looked_at(results)),
    }


def main() -> None:
    # Redirects what libraries print, because this process's output must be lines of JSON.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    task = Task.from_text(sys.argv[1])
    system = KINDS[task.system.replace(",", " ").split()[0]](task)
    system.check()
    for _ in range(task.warm_up):
        system.step()
    print(json.dumps({"device": system.device}), file=answers)
    for _ in sys.stdin:
        print(json.dumps(measure(system, task)), file=answers)
    # Not every system ends its threads and processes if it is abandoned.
    end(descendants())
    os._exit(0)


if __name__ == "__main__":
    main()
