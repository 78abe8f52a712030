"""What a GPU does in a training step besides the step itself, from a trace by jax's profiler."""

from __future__ import annotations

import collections
import gzip
import json
import pathlib
import tempfile
from collections.abc import Callable

__all__ = ["print_more", "times_of"]

# What is shorter is left out, in ms a step.
SHORTEST = 0.005


def times_of(run: Callable[[], object]) -> dict[str, list[float]]:
    """Runs a function under the profiler. Returns how long each kernel, copy and so on took on the GPU, in ms."""
    import jax

    with tempfile.TemporaryDirectory() as folder:
        with jax.profiler.trace(folder):
            run()
        [path] = pathlib.Path(folder).rglob("*.trace.json.gz")
        events = json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]
    processes = {event["pid"]: event["args"]["name"] for event in events if event.get("name") == "process_name"}
    threads = {
        (event["pid"], event["tid"]): event["args"]["name"] for event in events if event.get("name") == "thread_name"
    }
    found = collections.defaultdict(list)
    for event in events:
        is_done = event.get("ph") == "X" and "GPU" in processes.get(event["pid"], "")
        if is_done and threads.get((event["pid"], event["tid"]), "").startswith("Stream"):
            found[short(event["name"])].append(event["dur"] / 1e3)
    return found


def short(name: str) -> str:
    """Returns a kernel's name without namespaces and arguments."""
    whole = name.removeprefix("void ").replace("(anonymous namespace)", "")
    return whole.split("(")[0].split("<")[0].split("::")[-1]


def print_more(found: dict[str, list[float]], without: dict[str, list[float]], steps: int) -> None:
    """Prints what takes longer in one trace than in another, both of so many steps, in ms a step."""
    more = {name: sum(times) - sum(without.get(name, [])) for name, times in found.items()}
    for name, time in sorted(more.items(), key=lambda item: -item[1]):
        count = len(found[name]) - len(without.get(name, []))
        if time / steps >= SHORTEST:
            print(f"{time / steps:9.3f} ms a step, {count / steps:.1f} more: {name}")
    if not found:
        print("nothing: jax's profiler tells of GPUs only")
