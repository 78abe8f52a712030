"""Draws the rounds of a measurement. Imports matplotlib, which jaxdali does not depend on."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

import matplotlib  # pyright: ignore[reportMissingImports]

__all__ = ["draw_rounds"]


def draw_rounds(rounds: Sequence[float], unit: str, title: str, path: str) -> None:
    """Writes a PNG with a bar per round and a line at their median.

    Args:
        rounds: the rate of each, per second.
        unit: what is counted, such as "images".
    """
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt  # pyright: ignore[reportMissingImports]

    figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
    axes.bar(range(1, len(rounds) + 1), rounds, color="#7fb0e0")
    median = statistics.median(rounds)
    axes.axhline(median, color="#1f5fa8", label=f"median {median:.0f}")
    axes.set_xticks(range(1, len(rounds) + 1))
    axes.set_xlabel("round")
    axes.set_ylabel(f"{unit}/s")
    axes.set_title(title, fontsize=9)
    axes.legend(frameon=False)
    figure.savefig(path, format="png", dpi=120)
