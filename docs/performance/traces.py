"""Records traces of small training loops with jax.profiler, and draws them: the pictures of idle_accelerator.md.

    python docs/performance/traces.py                    # writes docs/performance/*.svg
    python docs/performance/traces.py FOLDER FILE.svg    # draws a trace of yours, on CPUs or GPUs, that is in FOLDER

A picture has a row for the thread that trains, with the blocks that jaxdali and the program name in it, and one for the
programs that a device runs.
"""

from __future__ import annotations

import argparse
import html
import pathlib
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxdali

STEPS, BATCH = 7, 8
WAIT, WRITE = "wait for the last loss", "write a picture"
# Readable on white and on black. What jaxdali waits for is red to yellow; what trains is green.
COLORS = {
    "jaxdali.source": "#d55e00",
    "jaxdali.decoder": "#cc79a7",
    "jaxdali.device": "#b0a030",
    "jaxdali.dispatch": "#56b4e9",
    "jaxdali.prepare": "#7fb0d0",
    "PjitFunction(train_step)": "#0072b2",
    WAIT: "#a0a0a0",
    WRITE: "#e69f00",
    "device_function": "#56b4e9",
    "train_step": "#009688",
}
OTHER, INK = "#999933", "#808182"
Block = tuple[str, float, float]  # what, from, to in ms


class Rows:
    """Samples that take their time to read, and differ in length if they are to.

    Args:
        seconds: how long one takes, as from a slow file server.
        longer: by how many numbers each batch is longer than the one before.
    """

    def __init__(self, seconds: float, longer: int = 0):
        self._seconds, self._longer = seconds, longer

    def __len__(self) -> int:
        return 4096

    def __getitem__(self, index: int) -> np.ndarray:
        time.sleep(self._seconds)
        return np.full(64 + self._longer * (index // BATCH), index, np.float32)


def loop_of(loader: jaxdali.Loader, work: Callable[[], None] | None) -> Iterator[None]:
    """Trains; a yield is a step. `work` is what the thread does itself after a step that it has waited for."""
    weights = jnp.full((256, 256), 0.01)

    @jax.jit
    def train_step(weights: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        weights = jax.lax.fori_loop(0, 40, lambda _, w: jnp.tanh(w @ w + x.mean()), weights)
        return weights, weights.mean()

    last = jnp.float32(0)
    for batch in loader:
        weights, loss = train_step(weights, batch)
        with jax.profiler.TraceAnnotation(WAIT):
            jax.block_until_ready(last if work is None else loss)
        last = loss
        if work is not None:
            with jax.profiler.TraceAnnotation(WRITE):
                work()
        yield


def record(data: Rows, workers: int, work: Callable[[], None] | None = None, **options: Any) -> tuple[Any, str]:
    """Returns a trace of some steps after the first ones, and what `advice` says after more of them."""

    def augment(batch: Any, keys: jax.Array) -> jax.Array:
        return (batch[0] if options else batch) * 2.0

    with (
        tempfile.TemporaryDirectory() as folder,
        jaxdali.Loader(data, augment, batch_size=BATCH, workers=workers, **options) as loader,
    ):
        steps = loop_of(loader, work)
        for _ in range(3):  # which compile
            next(steps)
        settings = jax.profiler.ProfileOptions()
        settings.python_tracer_level = 0  # only blocks that have names
        with jax.profiler.trace(folder, profiler_options=settings):
            for _ in range(STEPS):
                next(steps)
        for _ in range(20):
            next(steps)
        return trace_in(pathlib.Path(folder)), loader.stats().advice


def trace_in(folder: pathlib.Path) -> Any:
    newest = max(folder.rglob("*.xplane.pb"), key=lambda path: path.stat().st_mtime)
    return jax.profiler.ProfileData.from_file(str(newest))


def blocks_of(trace: Any) -> tuple[list[Block], list[Block]]:
    """Returns the blocks of the thread that trains, and the programs that devices ran, in ms after the first of them."""
    thread: list[Block] = []
    runs: dict[tuple[str, object], Block] = {}
    for plane in trace.planes:
        for line in plane.lines:
            for event in line.events:
                stats = dict(event.stats)
                begin, end = event.start_ns / 1e6, (event.start_ns + event.duration_ns) / 1e6
                if "hlo_module" in stats:
                    name = str(stats["hlo_module"]).removeprefix("jit_")
                    key = name, stats.get("run_id", stats.get("group_id"))
                    _, first, last = runs.get(key, (name, begin, end))
                    runs[key] = name, min(first, begin), max(last, end)
                elif event.name in COLORS:
                    thread.append((event.name, begin, end))
    device = list(runs.values())
    zero = min(begin for _, begin, _ in thread + device)
    thread, device = ([(name, begin - zero, end - zero) for name, begin, end in row] for row in (thread, device))
    return thread, device


def drawn(title: str, thread: list[Block], device: list[Block]) -> str:
    """Returns an SVG of both rows, 900 wide."""
    until = max(end for _, _, end in thread + device)
    scale, left = 800 / until, 90

    def bars(row: list[Block], top: int) -> Iterator[str]:
        for name, begin, end in row:
            tip = f"<title>{html.escape(name)}: {end - begin:.1f} ms</title>"
            place = (
                f'x="{left + begin * scale:.1f}" y="{top}" width="{max((end - begin) * scale, 0.7):.1f}" height="30"'
            )
            yield f'<rect {place} fill="{COLORS.get(name, OTHER)}">{tip}</rect>'

    def text(x: float, y: float, words: str, anchor: str = "start") -> str:
        return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{INK}">{html.escape(words)}</text>'

    every = next(step for step in (10, 20, 50, 100, 200, 500, 1000, 5000, 60000) if until / step <= 10)
    marks = [text(left + k * every * scale, 112, f"{k * every} ms", "middle") for k in range(int(until / every) + 1)]
    lines = [
        f'<path d="M{left + k * every * scale:.1f} 20V100" stroke="{INK}" stroke-opacity=".35"/>'
        for k in range(int(until / every) + 1)
    ]
    totals: dict[str, float] = {}
    for name, begin, end in thread + device:
        totals[name] = totals.get(name, 0.0) + end - begin
    legend, x = [], float(left)
    for name in [name for name in dict.fromkeys([*COLORS, *totals]) if totals.get(name, 0.0) > until / 100]:
        legend += [
            f'<rect x="{x:.0f}" y="126" width="12" height="12" fill="{COLORS.get(name, OTHER)}"/>',
            text(x + 17, 137, name),
        ]
        x += 32 + 6.3 * len(name)
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 910 146" font-family="system-ui, sans-serif" font-size="12">',
        f"<title>{html.escape(title)}</title>",
        *lines,
        text(0, 45, "your thread"),
        *bars(thread, 24),
        text(0, 83, "device"),
        *bars(device, 62),
        *marks,
        *legend,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


CASES: dict[str, tuple[str, Callable[[], tuple[Any, str]]]] = {
    "fed": (
        "The device runs one training step after the other",
        lambda: record(Rows(0.001), workers=4),
    ),
    "slow_source": (
        "Gaps of the device lie under jaxdali.source: one worker is too slow",
        lambda: record(Rows(0.012), workers=1),
    ),
    "own_thread": (
        "Gaps of the device lie under work of the thread itself",
        lambda: record(Rows(0.001), workers=4, work=lambda: time.sleep(0.04)),
    ),
    "compiling": (
        "Gaps of the device lie under long jaxdali.dispatch: each batch has another shape, and is compiled",
        lambda: record(Rows(0.001, longer=64), workers=4, ragged=[()]),
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, help="of a trace; by default new ones are recorded")
    parser.add_argument("picture", nargs="?", type=pathlib.Path, default=pathlib.Path("trace.svg"))
    arguments = parser.parse_args()
    if arguments.folder is not None:
        thread, device = blocks_of(trace_in(arguments.folder))
        arguments.picture.write_text(drawn(str(arguments.folder), thread, device))
        return
    for name, (title, recorded) in CASES.items():
        trace, advice = recorded()
        thread, device = blocks_of(trace)
        pathlib.Path(__file__).with_name(f"{name}.svg").write_text(drawn(title, thread, device))
        print(f"{name}: {advice}", flush=True)


if __name__ == "__main__":
    main()
