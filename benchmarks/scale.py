"""How a run grows with its processes, samples and shards, without its data: memory, time, requests, and the service's load.

    python benchmarks/scale.py [--processes 1 2 ... 128] [--real 2 4 8] [--before FILE] [--json FILE] [--plot FILE]
        [--parts PART ...] [--quick]

Processes are simulated: each is a thread with a Loader of its own, made by the package's code, whose service
(`scale_service.py`), store of objects (`scale_store.py`) and devices are in this process. With `--real` as many processes
of jax.distributed do the same, and samples, states and calls of the service have to be equal. Times are CPU time of a
process's thread, so it matters little what else the machine does. `--before` names the JSON of an earlier run, which the
tables and the plot show beside this one.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import harness
import jax
import scale_data
import scale_measure
from scale_history import ROWS
from scale_real import differences, run_real
from scale_tables import print_tables

# Records are looked for in as many of them as take seconds; beyond, the tables multiply.
SAMPLES = {"TFRecords": 200_000, "WebDataset": 50_000, "ImageFolder": 200_000}
SHARDS = {"TFRecords": (10, 1000, 10_000), "WebDataset": (10, 1000), "ImageFolder": (10, 1000)}
LENGTHS = (10**6, 10**7, 10**8, 10**9)
PROCESSES = (1, 2, 4, 8, 16, 32, 64, 128)
LATENCY_S = 0.005
PARTS = ("processes", "lengths", "store", *SAMPLES)


def of_processes(counts: Sequence[int], length: int, waiting_s: float) -> dict[str, Any]:
    """Measures runs of as many processes, which go on in half as many."""
    found: dict[str, Any] = {}
    scale_measure.together(1, length, False)  # imports
    for processes in counts:
        for agree in (False, True) if processes > 1 else (False,):
            whole = scale_measure.together(processes, length, agree)
            steps = scale_measure.check_rows(whole, length, ROWS * processes)
            row = scale_measure.summed(whole)
            row["checked_steps"] = steps
            row["kept"] = scale_measure.memory_of(processes, length, agree)
            if processes > 1:
                row["lost"] = scale_measure.lost(processes, agree)
                row["waiting"] = scale_measure.waiting(processes, waiting_s) if agree else 0.0
                half = scale_measure.together(processes // 2, length, agree, ROWS * processes, whole[0].state)
                scale_measure.check_rows(half, length, ROWS * processes)
                row["resume"] = scale_measure.summed(half)["seconds"]["resume"]
            found[f"{processes} {'agree' if agree else 'apart'}"] = row
            _tell(f"{processes} processes, agree={agree}")
    return found


def of_lengths(lengths: Sequence[int], processes: int) -> dict[str, Any]:
    """Measures runs of so many samples, of which nothing is known but their number."""
    found = {}
    for length in lengths:
        whole = scale_measure.together(processes, length, False)
        scale_measure.check_rows(whole, length, ROWS * processes)
        found[str(length)] = scale_measure.summed(whole)["seconds"] | {
            "kept": scale_measure.memory_of(processes, length, False)
        }
        _tell(f"{length} samples")
    return found


def of_data(samples: Mapping[str, int], shards: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    """Measures what it takes to know where samples are."""
    found: dict[str, Any] = {}
    for kind, most in samples.items():
        for count in shards[kind]:
            found[f"{kind} {most} {count}"] = scale_data.starting(kind, most, count)
            _tell(f"{kind}, {most} samples in {count} shards")
    return found


def of_latency(shards: Sequence[int]) -> dict[str, Any]:
    """Measures how long a process waits for a store that pauses before each answer."""
    kinds = list(scale_data.KINDS)
    return {f"{kind} {n}": scale_data.started_at(kind, 10 * n, n, LATENCY_S) for kind in kinds for n in shards}


def of_real(counts: Sequence[int], length: int) -> dict[str, Any]:
    """Compares real processes with as many simulated ones. Raises SystemExit if they differ."""
    found: dict[str, Any] = {}
    for processes in counts:
        for agree in (False, True):
            real, rate = run_real(processes, length, agree)
            simulated = scale_measure.together(processes, length, agree)
            if wrong := differences(real, simulated):
                raise SystemExit(f"{processes} real processes (agree={agree}) differ: " + "; ".join(wrong))
            steps = scale_measure.check_rows(real, length, ROWS * processes)
            sums = [scale_measure.summed(one)["asked"]["start"] for one in (real, simulated)]
            found[f"{processes} {'agree' if agree else 'apart'}"] = {
                "checked_steps": steps,
                "calls_per_s": rate,
                "real_start": sums[0],
                "simulated_start": sums[1],
            }
            _tell(f"{processes} real processes, agree={agree}")
    return found


def _tell(words: str) -> None:
    print(f"measured: {words}", file=sys.stderr, flush=True)


def parse_arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--processes", type=int, nargs="*", default=PROCESSES, help="numbers of simulated processes")
    parser.add_argument("--real", type=int, nargs="*", default=[], help="numbers of real processes to compare with")
    parser.add_argument(
        "--parts", nargs="*", default=PARTS, choices=PARTS, help="what to measure; the rest is in --json"
    )
    parser.add_argument("--before", help="the JSON of an earlier run")
    parser.add_argument("--json", help="where to write every number")
    parser.add_argument("--plot", help="where to draw an SVG")
    parser.add_argument("--quick", action="store_true", help="four processes and few samples, to try things out")
    return parser.parse_args(given)


def measured(arguments: argparse.Namespace) -> dict[str, Any]:
    """Returns the results of the parts that were asked for."""
    samples, shards, lengths = SAMPLES, SHARDS, LENGTHS
    counts, waits = arguments.processes, (10, 100, 1000)
    if arguments.quick:
        samples, shards = dict.fromkeys(SAMPLES, 2000), dict.fromkeys(SAMPLES, (10, 100))
        lengths, counts, waits = (10**4, 10**9), (1, 2, 4), (10, 20)
    parts = arguments.parts
    found: dict[str, Any] = {"data": of_data({kind: samples[kind] for kind in samples if kind in parts}, shards)}
    if "processes" in parts:
        found["processes"] = of_processes(counts, lengths[-1], 0.5 if arguments.quick else 3.0)
    if "lengths" in parts:
        found["lengths"] = of_lengths(lengths, 8)
    if "store" in parts:
        found["latency"] = of_latency(waits)
        found["reading"] = scale_data.reading(1000, 10, 4, ROWS)
    if arguments.real:
        found["real"] = of_real(arguments.real, lengths[-1])
    return found


def main(given: Sequence[str] | None = None) -> None:
    arguments = parse_arguments(given)
    jax.config.update("jax_platforms", "cpu")
    about = harness.machine()
    results: dict[str, Any] = {"processes": {}, "data": {}, "real": {}}
    if arguments.json and pathlib.Path(arguments.json).exists():
        results |= json.loads(pathlib.Path(arguments.json).read_text())["results"]
    found = measured(arguments)
    results |= found | {name: results[name] | found.get(name, {}) for name in ("processes", "data", "real")}
    if arguments.json:
        harness.write_json(arguments.json, results, about)
    kinds = {name.split()[0] for name in results["data"]}
    if not {"lengths", "latency", *SAMPLES} <= {*results, *kinds} or not results["processes"]:
        return  # more parts are to come
    before = json.loads(pathlib.Path(arguments.before).read_text())["results"] if arguments.before else None
    harness.report(results, about, lambda found: print_tables(found, before), None)
    if arguments.plot:
        from scale_plot import draw

        draw(results, before, arguments.plot)


if __name__ == "__main__":
    main()
