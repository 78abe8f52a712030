"""Results as a Markdown table."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from harness import Results

__all__ = ["print_table", "short"]


def short(value: float) -> str:
    """Formats a number with about three digits: 1.12M, 44.8k, 5718, 0.143."""
    for factor, suffix in ((1e6, "M"), (1e3, "k")):
        if value >= 10 * factor or value >= 1e6:
            return f"{value / factor:.1f}{suffix}" if value >= 10 * factor else f"{value / factor:.2f}{suffix}"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _line(row: str, system: str, values: Sequence[float], unit: str, reference: float | None, cpu: str) -> str:
    median = statistics.median(values)
    ratio = f"{median / reference:.3g}" if reference else ""
    spread = f"{short(min(values))} to {short(max(values))}"
    return f"| {row} | {system} | {short(median)} {unit} | {spread} | {ratio} | {cpu} |"


def print_table(results: Results, units: Mapping[str, str], base: str) -> None:
    """Prints median, spread, the ratio to `base`, and the CPU time per sample: one line per row and system.

    The time to close is a separate row.
    """
    print(f"| row | system | median | min to max | ratio to {base} | CPU us a sample |\n|---|---|---|---|---|---|")
    for row, systems in results.items():
        for metric in ("value", "close_s"):
            title, unit = (row, units[row]) if metric == "value" else (row.replace("start", "close"), "s")
            shown = {system: numbers[metric] for system, numbers in systems.items() if metric in numbers}
            reference = statistics.median(shown[base]) if base in shown else None
            for system, numbers in systems.items():
                if system in shown:
                    cpu = f"{statistics.median(numbers['cpu_us']):.3g}" if "cpu_us" in numbers else ""
                    print(_line(title, system, shown[system], unit, reference, cpu))
                elif metric == "value" or any("close_s" in other for other in systems.values()):
                    print(f"| {title} | {system} | failed | | | |")
