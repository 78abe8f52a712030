"""Runs systems beside each other, round by round, and writes what came out.

Each measurement is a process of its own, so that no system sees another's threads, imports or caches; rounds go
through all systems in turn, so that a machine that slows down slows all of them. Only ratios of one run mean much.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["available", "interleave", "machine", "print_table", "write_json"]


def available(modules: Mapping[str, str]) -> list[str]:
    """The systems whose module can be imported; the others are named on stderr."""
    found = [name for name, module in modules.items() if importlib.util.find_spec(module)]
    for name in modules.keys() - set(found):
        print(f"{name} is not installed and left out", file=sys.stderr)
    return found


def machine() -> dict[str, Any]:
    """What the numbers were taken on."""
    cpu = platform.processor()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            cpu = line.partition(":")[2].strip()
            break
    names = ("jaxdali", "jax", "jaxlib", "numpy", "nvidia-dali-cuda130", "grain", "torch", "spdl")
    versions = {}
    for name in names:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return {
        "cpu": cpu,
        "cpus": len(os.sched_getaffinity(0)),
        "load_before": os.getloadavg()[0],
        "python": platform.python_version(),
        "versions": versions,
        "command": " ".join([pathlib.Path(sys.argv[0]).name, *sys.argv[1:]]),
        "date": time.strftime("%Y-%m-%d"),
    }


def _measure(program: str, system: str, workload: str, timeout_s: float) -> float | None:
    """Runs `program --one SYSTEM WORKLOAD`, which prints one number last. None: it failed, and said why."""
    done = subprocess.run(
        [sys.executable, program, "--one", system, workload],
        capture_output=True,
        text=True,
        timeout=timeout_s,
    )
    if done.returncode:
        print(f"{system} failed at {workload}:\n{done.stderr[-2000:]}", file=sys.stderr)
        return None
    return float(done.stdout.split()[-1])


def interleave(
    program: str, workloads: Mapping[str, Sequence[str]], rounds: int, timeout_s: float = 120
) -> dict[str, dict[str, list[float]]]:
    """Measures every system of every workload once a round.

    Args:
        program: path of the script; see `_measure`.
        workloads: the systems of each workload.

    Returns:
        workload -> system -> one number a round.
    """
    results: dict[str, dict[str, list[float]]] = {w: {s: [] for s in systems} for w, systems in workloads.items()}
    for _ in range(rounds):
        for workload, systems in workloads.items():
            for system in systems:
                value = _measure(program, system, workload, timeout_s)
                if value is not None:
                    results[workload][system].append(value)
    return results


def print_table(results: Mapping[str, Mapping[str, Sequence[float]]], units: Mapping[str, str], base: str) -> None:
    """Median, spread, and the ratio to `base`, a row a workload and system."""
    print("| workload | system | median | min to max | ratio to jaxdali |\n|---|---|---|---|---|")
    for workload, systems in results.items():
        reference = statistics.median(systems[base]) if systems.get(base) else None
        for system, values in systems.items():
            if not values:
                print(f"| {workload} | {system} | failed | | |")
                continue
            median = statistics.median(values)
            ratio = f"{median / reference:.2f}" if reference else ""
            spread = f"{_short(min(values))} to {_short(max(values))}"
            print(f"| {workload} | {system} | {_short(median)} {units[workload]} | {spread} | {ratio} |")


def _short(value: float) -> str:
    return f"{value / 1000:.1f}k" if value >= 10_000 else f"{value:.3g}"


def write_json(path: str, results: Any, about: Mapping[str, Any]) -> None:
    pathlib.Path(path).write_text(json.dumps({"machine": about, "results": results}, indent=1) + "\n")
