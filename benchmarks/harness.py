"""Runs systems in turn, round by round, and writes the results.

Each measurement is a process of its own, so that no system sees another's threads, imports or caches. Rounds go
through all systems in turn, so that a slowdown of the machine affects all. Only ratios within one run mean much.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

__all__ = ["Results", "available", "headline", "interleave", "machine", "measure", "report", "write_json"]

# row -> system -> metric -> one number per round.
Results = dict[str, dict[str, dict[str, list[float]]]]


def available(modules: Mapping[str, str]) -> list[str]:
    """Returns the systems whose module can be imported; names the others on stderr."""
    found = []
    for name, module in modules.items():
        with contextlib.suppress(ModuleNotFoundError):  # the module's package is missing
            if importlib.util.find_spec(module):
                found.append(name)
                continue
        print(f"{name} is not installed and left out", file=sys.stderr)
    return found


def machine() -> dict[str, Any]:
    """Describes the machine on which the numbers were taken."""
    cpu = platform.processor()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            cpu = line.partition(":")[2].strip()
            break
    names = (
        "jaxdali",
        "jax",
        "jaxlib",
        "jax-cuda13-plugin",
        "numpy",
        "nvidia-dali-cuda120",
        "nvidia-dali-cuda130",
        "grain",
        "nvidia-nvjpeg",
        "nvidia-nvimgcodec-cu13",
        "torch",
        "torchvision",
        "spdl-core",
        "tensorflow",
        "tensorflow-cpu",
    )
    versions = {}
    for name in names:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions[name] = importlib.metadata.version(name)
    return {
        "cpu": cpu,
        "cpus": len(os.sched_getaffinity(0)),
        "load_before": os.getloadavg()[0],
        "python": platform.python_version(),
        "versions": versions,
        # Without folders, which mean nothing on other machines.
        "command": " ".join(
            pathlib.Path(word).name if word == sys.argv[0] or word[:1] == "/" else word for word in sys.argv
        ),
        "date": time.strftime("%Y-%m-%d"),
    }


def headline(about: Mapping[str, Any]) -> str:
    """The line about the machine, above a table."""
    return f"{about['cpu']}, {about['cpus']} CPUs, Python {about['python']}, {about['versions']}"


def report(
    results: Results, about: Mapping[str, Any], print_table: Callable[[Results], None], json_path: str | None
) -> None:
    """Prints the machine and the table, and writes all numbers if `json_path` is given."""
    print(headline(about))
    print_table(results)
    if json_path:
        write_json(json_path, results, about)


def measure(command: Sequence[str], timeout_s: float = 120) -> dict[str, Any] | str:
    """Runs a program whose last output is a JSON object, and returns that, or the error as text."""
    process = subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that its workers are killed with it
    )
    try:
        out, err = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return f"it took more than {timeout_s} s\n{process.communicate()[1][-2000:]}"
    if process.returncode:
        with contextlib.suppress(ProcessLookupError):  # the program ended, but maybe not its workers
            os.killpg(process.pid, signal.SIGKILL)
        return err[-2000:]
    return json.loads(out.splitlines()[-1])


def interleave(
    program: str, rows: Mapping[str, Sequence[str]], arguments: Sequence[str], rounds: int, timeout_s: float = 120
) -> Results:
    """Measures every system of every row once per round, by `program ROW SYSTEM *arguments`.

    A system that fails is named on stderr, and tried again in the next round.

    Args:
        rows: the systems of each row.
    """
    results: Results = {row: {system: {} for system in systems} for row, systems in rows.items()}
    for number in range(rounds):
        for row, systems in rows.items():
            for system in systems:
                numbers = measure([program, row, system, *arguments], timeout_s)
                if isinstance(numbers, str):
                    print(f"round {number + 1}: {system} failed at {row!r}: {numbers}", file=sys.stderr)
                    continue
                for metric, value in numbers.items():
                    results[row][system].setdefault(metric, []).append(value)
    return results


def write_json(path: str, results: Results, about: Mapping[str, Any]) -> None:
    pathlib.Path(path).write_text(json.dumps({"machine": about, "results": results}, indent=1) + "\n")
