"""Plots as SVG that takes its text's color from the page, so that it is readable on light and dark ones."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping, Sequence

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure

__all__ = ["bars", "ratios"]

# What becomes the color of the page's text.
_INK = "#808182"
_OURS = "#009688"
# Of others, in the order of their names: told apart on white and on black, also by those who see no red.
_OTHERS = ("#e69f00", "#56b4e9", "#cc79a7", "#999933", "#d55e00", "#b0b0b0")


def _figure(rows: float) -> tuple[Figure, Axes]:
    matplotlib.rcParams.update(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": "jaxdali",
            "font.family": "sans-serif",
            "font.size": 11,
            "text.color": _INK,
        }
    )
    figure, axes = pyplot.subplots(figsize=(8, 0.9 + rows))
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(_INK)
    axes.tick_params(colors=_INK, length=0)
    axes.xaxis.label.set_color(_INK)
    axes.grid(axis="x", color=_INK, alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _svg(figure: Figure) -> str:
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True, bbox_inches="tight", metadata={"Date": None})
    pyplot.close(figure)
    svg = out.getvalue()
    svg = (
        svg[svg.index("<svg") :]
        .replace(_INK, "currentColor")
        .replace("font: 11px 'sans-serif'", "font: 11px sans-serif")
    )
    # As wide as the page has room.
    return re.sub(r' (width|height)="[\d.]+pt"', "", svg, count=2)


def _of_ours(names: Iterable[str]) -> list[str]:
    """The series that are jaxdali's: all of them, where it is beside nobody."""
    return [one for one in names if "jaxdali" in one or one in ("iterator", "Loader", "Pipeline.run")] or [*names]


def _color(name: str, names: Sequence[str]) -> str:
    ours = _of_ours(names)
    if name in ours:
        return (_OURS, "#26c6da", "#5c8a84")[ours.index(name)]
    return _OTHERS[[one for one in names if one not in ours].index(name) % len(_OTHERS)]


def bars(labels: Sequence[str], series: Mapping[str, Sequence[float | None]], axis: str, *, log: bool) -> str:
    """Returns groups of horizontal bars, a group a label and a bar for each series that has a number there."""
    ours = _of_ours(series)
    series = {name: series[name] for name in sorted(series, key=lambda one: one not in ours)}
    thickness = 0.8 / len(series)
    figure, axes = _figure(len(labels) * (0.16 * len(series) + 0.14))
    for at, (name, values) in enumerate(series.items()):
        known = [(row, value) for row, value in enumerate(values) if value is not None]
        places = [row + (at - (len(series) - 1) / 2) * thickness for row, _ in known]
        axes.barh(places, [value for _, value in known], thickness * 0.92, label=name, color=_color(name, list(series)))
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.set_xlabel(axis)
    if log:
        axes.set_xscale("log")
    axes.xaxis.set_major_formatter(matplotlib.ticker.EngFormatter(sep=""))
    if len(series) > 1:
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=5, frameon=False, labelcolor=_INK, borderaxespad=0)
    return _svg(figure)


def ratios(labels: Sequence[str], values: Sequence[float | None], axis: str) -> str:
    """Returns a dot a label, the largest first, beside a line at 1. Of more than 40 only the ends are named."""
    known = sorted(
        ((value, label) for label, value in zip(labels, values, strict=True) if value is not None), reverse=True
    )
    many = len(known) > 40
    figure, axes = _figure(len(known) * (0.035 if many else 0.2))
    axes.axvline(1, color=_INK, linewidth=1)
    places = range(len(known))
    colors = [_OURS if value >= 1 else _OTHERS[4] for value, _ in known]
    axes.scatter([value for value, _ in known], places, s=14 if many else 28, color=colors)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
    axes.xaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
    named = {0, len(known) // 2, len(known) - 1} if many else {*places}
    axes.set_yticks(sorted(named), [known[place][1] for place in sorted(named)])
    axes.invert_yaxis()
    axes.set_xlabel(axis)
    return _svg(figure)
