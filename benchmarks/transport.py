"""How fast samples come from worker processes, and how fast workers start. No GPU, no decoding.

    python benchmarks/transport.py [--rounds 5] [--json FILE]

Every batch that is counted is checked. Peers (the extra `bench`) take part where they are installed.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import os
import sys
import time

import harness
import numpy as np
import systems

SECONDS = 2.0
WORKLOADS = {
    "1 KiB": systems.Workload((1024,), 256),
    "224x224x3": systems.Workload((224, 224, 3), 64),
    "5 ms of work": systems.Workload((1024,), 16, work_s=0.005),
}
MODULES = {
    "jaxdali": "jaxdali",
    "Loader": "jaxdali",
    "DALI": "nvidia.dali",
    "torch": "torch",
    "grain": "grain",
    "SPDL": "spdl",
}
# What a row measures, and in which unit.
UNITS = {
    "1 KiB, to host": "samples/s",
    "1 KiB, to jax.Array": "samples/s",
    "224x224x3, to host": "samples/s",
    "224x224x3, to jax.Array": "samples/s",
    "start, spawn": "s",
    "start, fork": "s",
    "5 ms of work, to host": "% of the ideal",
}


def takes_part(system: str, row: str) -> bool:
    """Grain cannot fork; the Loader neither forks nor gives anything but `jax.Array`s."""
    if system == "Loader":
        return row.endswith("jax.Array") or row == "start, spawn"
    return (system, row) != ("grain", "start, fork")


def check(number: int, data: np.ndarray, labels: np.ndarray, workload: systems.Workload) -> None:
    """Exits unless this is batch `number`."""
    first = number * workload.batch
    indices = np.arange(first, first + workload.batch)
    expected = (37 * indices) % 251
    flat = data.reshape(workload.batch, -1)
    same = np.array_equal(labels.reshape(-1), indices)
    # The ends of every sample, and all of one of them: stale or torn data do not pass.
    same = same and np.array_equal(flat[:, 0], expected) and np.array_equal(flat[:, -1], expected)
    row = number % workload.batch
    if not same or not (flat[row] == expected[row]).all():
        sys.exit(f"batch {number} is wrong")


def throughput(system: str, workload: systems.Workload, to_jax: bool) -> float:
    """Samples a second over SECONDS, after the workers have warmed up."""
    method = "spawn" if to_jax or system == "grain" else "fork"
    stream = systems.to_jax(system, workload, method) if to_jax else systems.HOST[system](workload, method)
    numbered = enumerate(stream)
    for number, (data, labels) in itertools.islice(numbered, 10):
        check(number, np.asarray(data), np.asarray(labels), workload)
    started = time.perf_counter()
    count = 0
    for number, (data, labels) in numbered:
        check(number, np.asarray(data), np.asarray(labels), workload)
        count += workload.batch
        if time.perf_counter() - started >= SECONDS:
            break
    return count / (time.perf_counter() - started)


def start_s(system: str, method: str) -> float:
    """Seconds from building the pipeline to its first batch; the system itself is imported before."""
    __import__(MODULES[system])
    workload = WORKLOADS["1 KiB"]
    if system == "Loader":  # it gives arrays on a device, which XLA starts first
        import jax

        jax.devices("cpu")
    started = time.perf_counter()
    stream = systems.jaxdali_loader(workload) if system == "Loader" else systems.HOST[system](workload, method)
    data, labels = next(stream)
    elapsed = time.perf_counter() - started
    check(0, np.asarray(data), np.asarray(labels), workload)
    return elapsed


def measure(system: str, name: str) -> float:
    kind, _, target = name.partition(", ")
    if kind == "start":
        return start_s(system, target)
    rate = throughput(system, WORKLOADS[kind], target == "to jax.Array")
    work_s = WORKLOADS[kind].work_s
    return rate if not work_s else 100 * rate * work_s / systems.WORKERS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", nargs="+", choices=UNITS, default=list(UNITS), help="only these rows")
    parser.add_argument("--systems", nargs="+", choices=MODULES, default=list(MODULES), help="only these")
    parser.add_argument("--json", help="where to write every number")
    parser.add_argument("--one", nargs=2, metavar=("SYSTEM", "WORKLOAD"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(measure(*arguments.one), flush=True)
        for child in multiprocessing.active_children():
            child.kill()
        os._exit(0)  # not every system ends its threads when its stream is left in the middle
    found = harness.available({system: MODULES[system] for system in arguments.systems})
    workloads = {row: [system for system in found if takes_part(system, row)] for row in arguments.rows}
    about = harness.machine()
    results = harness.interleave(__file__, workloads, arguments.rounds)
    print(f"{about['cpu']}, {about['cpus']} CPUs, Python {about['python']}, {about['versions']}")
    harness.print_table(results, UNITS, "jaxdali")
    if arguments.json:
        harness.write_json(arguments.json, results, about)


if __name__ == "__main__":
    main()
