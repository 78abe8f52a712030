"""Draws results: small multiples of bars, each with the spread of its rounds; lines for rows that form a series.

python benchmarks/plot.py RESULTS.json FILE.png
"""

from __future__ import annotations

import io
import json
import pathlib
import re
import statistics
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib
from harness import Results
from PIL import Image
from rows import ROWS
from table import short

matplotlib.use("Agg")
import matplotlib.pyplot as plt

__all__ = ["draw"]

COLOURS = {
    "jaxdali": "#1f5fa8",
    "Loader": "#7fb0e0",
    "DALI": "#76b900",
    "torch": "#ee6c4d",
    "grain": "#a07cc5",
    "SPDL": "#777777",
    "SPDL threads": "#bbbbbb",
}
COLUMNS = 4
METRICS = {"value": "", "cpu_us": "CPU \N{GREEK SMALL LETTER MU}s a sample", "close_s": "seconds"}
# Rows that differ in one number are drawn as one line per system.
_SERIES = re.compile(r"1 KiB(?: in)?,? (\d+) (output|worker)s?")


def _spread(values: Sequence[float]) -> tuple[float, list[list[float]]]:
    median = statistics.median(values)
    return median, [[median - min(values)], [max(values) - median]]


def _bars(axes: Any, title: str, unit: str, systems: Mapping[str, Sequence[float]]) -> None:
    for position, (system, values) in enumerate(systems.items()):
        median, spread = _spread(values)
        axes.barh(position, median, 0.7, color=COLOURS[system], xerr=spread, error_kw={"lw": 0.8, "capsize": 2})
        axes.text(max(values), position, f"  {short(median)}", va="center", fontsize=7)
    axes.set_yticks(range(len(systems)), systems, fontsize=7)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.25 * max(max(values) for values in systems.values()))
    axes.set_xticks([])
    axes.set_title(f"{title}\n{unit}", fontsize=8)


def _lines(axes: Any, title: str, unit: str, series: Mapping[str, Mapping[int, Sequence[float]]]) -> None:
    for system, points in series.items():
        medians, spreads = zip(*(_spread(values) for values in points.values()), strict=True)
        sides = [[spread[side][0] for spread in spreads] for side in (0, 1)]
        axes.errorbar(list(points), medians, sides, color=COLOURS[system], label=system, lw=1.2, capsize=2, marker=".")
    places = sorted({place for points in series.values() for place in points})
    axes.set_xscale("log", base=2)
    axes.set_xticks(places, places, fontsize=7)
    axes.yaxis.set_major_formatter(lambda value, _: short(value))
    axes.tick_params(labelsize=7)
    axes.set_ylim(0)
    axes.legend(fontsize=6, frameon=False)
    axes.set_title(f"{title}\n{unit}", fontsize=8)


def _panels(results: Results) -> list[tuple[Any, ...]]:
    """Returns (drawing function, title, unit, numbers) of each panel: first all rates, then all costs, series last."""
    bars, lines = [], {}
    for metric, unit in METRICS.items():
        for row, systems in results.items():
            numbers = {system: found[metric] for system, found in systems.items() if metric in found}
            what = unit or {"s": "seconds"}.get(ROWS[row].unit, ROWS[row].unit)
            if match := _SERIES.fullmatch(row):
                panel = lines.setdefault((match[2], metric), (_lines, f"1 KiB, number of {match[2]}s", what, {}))
                for system, values in numbers.items():
                    panel[3].setdefault(system, {})[int(match[1])] = values
            elif numbers and not (metric == "cpu_us" and ROWS[row].ideal):
                title = row.replace("start", "close") if metric == "close_s" else row
                bars.append((_bars, title, what, numbers))
    return bars + [panel for panel in lines.values() if panel[3]]


def draw(results: Results, path: str) -> None:
    """Writes a PNG."""
    panels = _panels(results)
    lines = -(-len(panels) // COLUMNS)
    figure, grid = plt.subplots(lines, COLUMNS, figsize=(13, 1.75 * lines), layout="constrained", squeeze=False)
    for axes in grid.flat:
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_visible(False)
    for axes, (function, title, unit, numbers) in zip(grid.flat, panels, strict=False):
        axes.set_visible(True)
        function(axes, title, unit, numbers)
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=100)
    # A palette halves the size.
    Image.open(drawn).convert("RGB").quantize(64).save(path, optimize=True)


if __name__ == "__main__":
    draw(json.loads(pathlib.Path(sys.argv[1]).read_text())["results"], sys.argv[2])
