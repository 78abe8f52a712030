"""Draws the rounds of a measurement. Imports matplotlib, which jaxdali does not depend on."""

from __future__ import annotations

from typing import Any

import matplotlib  # pyright: ignore[reportMissingImports]

__all__ = ["draw_rounds"]


def draw_rounds(result: dict[str, Any], path: str) -> None:
    """Writes a PNG: a bar a round, a line at their median.

    Args:
        result: what `jaxdali bench --json` writes.
    """
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt  # pyright: ignore[reportMissingImports]

    figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
    rounds = result["rounds"]
    axes.bar(range(1, len(rounds) + 1), rounds, color="#7fb0e0")
    axes.axhline(result["images_per_s"], color="#1f5fa8", label=f"median {result['images_per_s']:.0f}")
    axes.set_xticks(range(1, len(rounds) + 1))
    axes.set_xlabel("round")
    axes.set_ylabel("images/s")
    axes.set_title(
        f"{result['files']} files, {result['device']}, {result['workers']} workers, batches of {result['batch_size']}",
        fontsize=9,
    )
    axes.legend(frameon=False)
    figure.savefig(path, format="png", dpi=120)
