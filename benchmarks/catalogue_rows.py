"""Prints a row of a Markdown table for each use and size in `catalogue.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catalogue_inputs import SIZES
from table import short

__all__ = ["print_head", "print_row", "print_slow", "ratios"]

# An application to a batch that takes less than this counts as free: by wall clock and CPU time where these are
# measured, and on a GPU by wall clock and GPU time.
NOTHING_US = {"cpu": {"": 100.0, ", CPU": 100.0}, "gpu": {"": 20.0, ", GPU": 5.0}}


def ratios(answer: Mapping[str, Any], device: str) -> list[float]:
    """DALI's time over jaxdali's, by wall clock and by CPU or GPU time: more is better. Empty if it was not measured.

    Times below `NOTHING_US` are raised to it, so that noise is not compared with noise.
    """
    found = []
    for kind, nothing in NOTHING_US["cpu" if device == "cpu" else "gpu"].items():
        ours, theirs = answer.get(f"jaxdali{kind}"), answer.get(f"DALI{kind}")
        if ours and theirs:
            mine, its = (max(middle, nothing) for middle, _, _ in (ours, theirs))
            found.append(round(its / mine, 3))
    return found


def print_head(device: str) -> None:
    of = "CPU" if device == "cpu" else "GPU"
    print(
        f"| operator | use | size | jaxdali, us | min to max | DALI, us | min to max | ratio | of {of} time | apart |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)


def print_row(name: str, text: str, size: str, answer: dict[str, Any], device: str) -> None:
    figures = []
    for system in ("jaxdali", "DALI"):
        middle, least, most = map(short, answer[system]) if system in answer else ("", "", "")
        figures.append(f"{middle} | {least} to {most}" if middle else " | ")
    shown = " | ".join([f"{one:.2g}" for one in ratios(answer, device)] + ["", ""][len(ratios(answer, device)) :])
    print(f"| {name} | {text} | {size} | {' | '.join(figures)} | {shown} | {_apart(answer)} |", flush=True)


def _apart(answer: Mapping[str, Any]) -> str:
    for key in ("failed", "DALI failed", "far", "DALI has it on", "not traced"):
        if key in answer:
            return answer[key] if key == "failed" else f"{key}: {answer[key]}"
    return "drawn" if "drawn" in answer else f"{answer['largest']:.2g}" if "largest" in answer else ""


def print_slow(results: Mapping[str, Any], share: float = 1 / 3) -> None:
    """Prints cases with less than `share` of DALI's speed by CPU time, the slowest first."""
    found = [
        (*answer["ratio"][::-1], name, case["text"], size, answer["jaxdali, CPU"][0], answer["DALI, CPU"][0])
        for name, cases in results.items()
        for case in cases
        for size, answer in case.items()
        if size in SIZES and answer.get("ratio", [1, 1])[1] < share
    ]
    print("| operator | use | size | jaxdali, us of CPU | DALI | ratio | by the clock |\n|---|---|---|---|---|---|---|")
    for of_cpu, ratio, name, text, size, ours, theirs in sorted(found):
        print(f"| {name} | {text} | {size} | {short(ours)} | {short(theirs)} | {of_cpu:.2g} | {ratio:.2g} |")
