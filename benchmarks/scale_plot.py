"""The plot of `scale.py`, as an SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import matplotlib as mpl
from scale_tables import of_each_sample, series

mpl.use("svg")
import matplotlib.pyplot as plt

__all__ = ["draw"]

_NOW, _BEFORE = "#1f77b4", "#999999"


def draw(results: Mapping[str, Any], before: Mapping[str, Any] | None, path: str) -> None:
    """Draws what grows with the processes, the shards and the samples; numbers of an earlier run in gray."""
    with mpl.rc_context(
        {"svg.hashsalt": "jaxdali", "font.size": 8, "axes.spines.top": False, "axes.spines.right": False}
    ):
        figure, panels = plt.subplots(2, 2, figsize=(9, 5.6), layout="constrained")
        runs = [(results, _NOW, "now" if before else "")]
        runs += [(before, _BEFORE, "before")] if before else []
        for found, color, words in runs:
            _of_processes(panels[0, 0], found, color, words)
            _of_shards(panels[1, 0], found, color, words)
            _of_memory(panels[1, 1], found, color, words, len(runs))
        _of_steps(panels[0, 1], results)
        for panel in panels.flat:
            if panel.get_legend_handles_labels()[1]:
                panel.legend(frameon=False)
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)


def _lines(panel: Any, points: Mapping[int, float], color: str, words: str, style: str = "o-") -> None:
    panel.plot(list(points), list(points.values()), style, color=color, label=words, markersize=3)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xticks(list(points), [str(number) for number in points])
    panel.minorticks_off()


def _of_processes(panel: Any, found: Mapping[str, Any], color: str, words: str) -> None:
    panel.set_title("to make a Loader together:\nbytes from the service to all P")
    panel.set_xlabel("processes P")
    _lines(panel, series(found, "apart", lambda row: row["asked"]["start"]["received"]), color, words)


def _of_steps(panel: Any, found: Mapping[str, Any]) -> None:
    panel.set_title("for a step: CPU ms of a process,\nand calls of the service by all P")
    panel.set_xlabel("processes P")
    spent: Callable[[Any], float] = lambda row: row["seconds"]["step"] * 1e3  # noqa: E731
    _lines(panel, series(found, "apart", spent), _NOW, "ms")
    _lines(panel, series(found, "agree", spent), "#2ca02c", "ms, agree=True")
    calls = series(found, "agree", lambda row: row["asked"]["steps"]["calls"])
    _lines(panel, calls, "#2ca02c", "calls, agree=True", "s--")


def _of_shards(panel: Any, found: Mapping[str, Any], color: str, words: str) -> None:
    panel.set_title("to read the indices of remote shards:\ns by the clock, with 5 ms for each answer")
    panel.set_xlabel("shards")
    for kind, style in (("TFRecords", "o-"), ("WebDataset", "s--")):
        points = {int(name.split()[1]): s for name, s in found["latency"].items() if name.startswith(kind)}
        _lines(panel, points, color, f"{kind} {words}", style)


def _of_memory(panel: Any, found: Mapping[str, Any], color: str, words: str, runs: int) -> None:
    panel.set_title("to know where a sample is: bytes of a process,\nand of each of its workers (hatched)")
    kinds = list(dict.fromkeys(name.split()[0] for name in found["data"]))
    width = 0.8 / (2 * runs)
    for place, kind in enumerate(kinds):
        for bar, what in enumerate(("kept", "private")):
            at = place + (bar * runs + (words != "before" and runs > 1)) * width
            named = words if place == bar == 0 else ""
            height = of_each_sample(found, kind, what)
            panel.bar(at, height, width * 0.9, color=color, label=named, hatch="///" * bar, edgecolor="white")
    panel.set_xticks([place + 0.4 - width / 2 for place in range(len(kinds))], kinds)
