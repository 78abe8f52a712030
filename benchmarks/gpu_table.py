"""Results of `gpu.py` as a Markdown table and as a picture."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from gpu_task import DECODE_ONLY
from table import short

__all__ = ["draw", "print_gpu_table"]

# system -> metric -> one number per round.
Found = Mapping[str, Mapping[str, Sequence[float]]]


def _per_image(numbers: Mapping[str, Sequence[float]], metric: str) -> float:
    """Microseconds per image, as the median of the rounds."""
    images = [rate * elapsed for rate, elapsed in zip(numbers["value"], numbers["elapsed_s"], strict=True)]
    return statistics.median(1e6 * cpu / count for cpu, count in zip(numbers[metric], images, strict=True))


def _line(system: str, numbers: Mapping[str, Sequence[float]], reference: float | None) -> str:
    rates = numbers["value"]
    median = statistics.median(rates)
    memory = statistics.median(numbers["engine_bytes"]) / (1 << 20)
    hits = f"{sum(numbers['used']):.0f} / {sum(numbers['missed']):.0f}" if memory or any(numbers["missed"]) else ""
    cells = [
        f"{system}, decode only" if system in DECODE_ONLY else system,
        f"{short(median)} images/s",
        f"{short(min(rates))} to {short(max(rates))}",
        f"{median / reference:.3g}" if reference else "",
        f"{statistics.median(numbers['p50_ms']):.3g}, {statistics.median(numbers['p99_ms']):.3g} ms",
        f"{_per_image(numbers, 'main_cpu_s'):.3g}",
        f"{_per_image(numbers, 'workers_cpu_s'):.3g}",
        f"{memory:.0f} MiB" if memory else "",
        hits,
    ]
    return f"| {' | '.join(cells)} |"


def print_gpu_table(found: Found, base: str) -> None:
    """Prints median, spread, the ratio to `base`, the time of a batch, and the cost: one line per system."""
    print(
        f"| system | median | min to max | ratio to {base} | a batch: median, p99 | CPU us an image, main process | "
        "its workers | engine's memory | images found / missed |\n|---|---|---|---|---|---|---|---|---|"
    )
    measured = {system: numbers for system, numbers in found.items() if numbers}
    reference = statistics.median(measured[base]["value"]) if base in measured else None
    for system, numbers in found.items():
        print(_line(system, numbers, reference) if numbers else f"| {system} | failed | | | | | | | |")


def draw(found: Found, path: str) -> None:
    """Writes a bar chart of the rates, with the spread of the rounds, and of the CPU time.

    Raises:
        ModuleNotFoundError: matplotlib is not installed.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    measured = {system: numbers for system, numbers in found.items() if numbers}
    figure, (rates, costs) = plt.subplots(
        1, 2, figsize=(11, 0.4 * len(measured) + 1), layout="constrained", sharey=True
    )
    for position, (system, numbers) in enumerate(measured.items()):
        values = numbers["value"]
        _bar(rates, position, values, _colour(system))
        main, workers = (_per_image(numbers, metric) for metric in ("main_cpu_s", "workers_cpu_s"))
        costs.barh(position, main, 0.7, color=_colour(system))
        costs.barh(position, workers, 0.7, left=main, color=_colour(system), alpha=0.4)
        costs.text(main + workers, position, f"  {short(main + workers)}", va="center", fontsize=7)
    names = [f"{system}\ndecode only" if system in DECODE_ONLY else system for system in measured]
    rates.set_yticks(range(len(measured)), names, fontsize=7)
    rates.invert_yaxis()
    for axes, title in ((rates, "images/s"), (costs, "CPU \N{GREEK SMALL LETTER MU}s an image (pale: workers)")):
        axes.spines[["top", "right"]].set_visible(False)
        axes.margins(x=0.2)
        axes.set_xlim(0)
        axes.set_xticks([])
        axes.set_title(title, fontsize=8)
    figure.savefig(path, dpi=100)


def _colour(system: str) -> str:
    first = system.replace(",", " ").split()[0]
    return {"jaxdali": "#1f5fa8", "engine": "#7fb0e0", "DALI": "#76b900", "torchvision": "#ee6c4d"}.get(
        first, "#777777"
    )


def _bar(axes: Any, position: int, values: Sequence[float], colour: str) -> None:
    median = statistics.median(values)
    spread = [[median - min(values)], [max(values) - median]]
    axes.barh(position, median, 0.7, color=colour, xerr=spread, error_kw={"lw": 0.8, "capsize": 2})
    axes.text(max(values), position, f"  {short(median)}", va="center", fontsize=7)
