"""How operators compare with DALI's: what docs/catalogue.json holds, as a table and as sentences of their pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jaxdali._dali.graph.declarations import operators
from jaxdali._dali.operators.declaration import Operator
from jaxdali._dali.operators.operator_functions import shown

__all__ = ["page", "sentences", "table"]


def page(measured: Mapping[str, Any]) -> str:
    """Returns the page with the table."""
    return f"# Operators beside DALI's\n{table(measured)}"


def sentences(measured: Mapping[str, Any]) -> dict[str, str]:
    """Returns for each operator what the table says of its results and costs, if it was measured."""
    found = {}
    for name, cases in measured["results"].items():
        if name in measured["not measured"]:
            continue
        apart = _apart([case[size] for case in cases for size in ("small", "images") if size in case])
        if apart == "drawn":
            said = "Its draws are others than DALI's, of the same distribution."
        elif apart == "equal":
            said = "Its results are equal to DALI's."
        else:
            far = apart.replace(" in ", ", in ").replace(" %", " % of the numbers")
            said = f"Its results differ from DALI's by at most {far}."
        ratios = [case["images"]["ratio"][1] for case in cases if "ratio" in case.get("images", ())]
        cost = (
            f" On images of 480 x 640 DALI's CPU time is {ratios[0]:.2g} times jaxdali's ([measured](measured.md))."
            if ratios
            else ""
        )
        found[name] = said + cost
    return found


def _operators() -> list[Operator]:
    found = [one for one in operators().values() if isinstance(one, Operator) and one.namespace == "fn"]
    return sorted(found, key=lambda one: one.name)


def table(measured: Mapping[str, Any]) -> str:
    """Returns a table with one row per operator: its arguments, its distance from DALI's results, and its costs.

    Args:
        measured: what docs/catalogue.json holds. What is "not measured" there gets those words in place of numbers.
    """
    machine, left_out, on_gpu = (
        measured["machine"],
        measured["left_out"],
        measured.get("gpu", {"results": {}}),
    )
    lines = [
        "\nThe columns:\n\n"
        "- `arguments`, `one value only`, `without effect`: how many of DALI's arguments have their effect here, which are "
        "honoured with one value only, and how many need none, each with the reason on its page.\n"
        "- `apart`: the largest difference from DALI's results, in levels of integers or parts of the largest float, and "
        "how many values differ. For random draws only types and numbers of axes are compared.\n"
        "- `small`, `images`: DALI's CPU time divided by jaxdali's, for batches of 8 images of 32 x 32 and of 480 x 640; "
        "more is better. A second number is that of another use, mostly with images of several sizes. Times below 0.1 ms "
        "a batch count as 0.1 ms. `benchmarks/catalogue.py` measures them, in several runs; the last one was "
        f"`{machine['command']}`: {machine['cpu']}, {machine['cpus']} CPUs, {machine['date']}, shared with other programs.\n"
        f"- {_gpu_text(on_gpu)}\n\n"
        "See [benchmarks](../benchmarks/operators.md).\n\n"
        "| operator | arguments | one value only | without effect | apart | small | images | GPU |\n"
        "|---|---|---|---|---|---|---|---|\n"
    ]
    for operator in _operators():
        name, cases = operator.name, measured["results"].get(operator.name)
        refused = ", ".join(f"`{one}`" for one in operator.refused) or "-"
        known = f"{len(shown(operator))} | {refused} | {len(operator.accepted)}"
        gpu = _gpu_cell(on_gpu["results"].get(name, ()))
        if cases is None or name in measured["not measured"]:
            reason = left_out.get(name) or left_out.get(name.partition(".")[0]) or "not measured"
            lines.append(f"| [fn.{name}](fn.{name}.md) | {known} | {reason} | | |{gpu and f' {gpu}'} |\n")
            continue
        gpu = gpu or ("on the host only" if list(operator.devices) == ["cpu"] else "not measured")
        costs = " | ".join(_ratios([case[size] for case in cases if size in case]) for size in ("small", "images"))
        apart = _apart([case[size] for case in cases for size in ("small", "images") if size in case])
        lines.append(f"| [fn.{name}](fn.{name}.md) | {known} | {apart} | {costs} | {gpu} |\n")
    return "".join(lines)


# An application on a GPU that keeps it busy for less is as good as free: NOTHING_US of benchmarks/catalogue_rows.py.
_NOTHING_US = 5


def _gpu_text(on_gpu: Mapping[str, Any]) -> str:
    """What the column of a GPU says, and where it was measured."""
    if not on_gpu["results"]:
        return "`GPU`: no operator has been measured by itself on a GPU yet."
    machine = on_gpu["machine"]
    return (
        "`GPU`: DALI's GPU time divided by jaxdali's, or jaxdali's time alone, for batches of "
        f"{machine['batch']} such images that are on the GPU already. Times below {_NOTHING_US} us a batch count as "
        f"{_NOTHING_US} us. `{machine['command']}`: "
        f"{machine['device']}, {machine['cpus']} CPUs, {machine['date']}."
    )


def _gpu_cell(uses: Sequence[Mapping[str, Any]]) -> str:
    """Ratios on a GPU, or jaxdali's microseconds and why there is no ratio. Empty: it was not measured there."""
    answers = [use["images"] for use in uses if "images" in use]
    own = [one.get("jaxdali, GPU", one.get("jaxdali")) for one in answers]
    times = ["failed" if mine is None else f"{max(mine[0], _NOTHING_US):.0f} us" for mine in own]
    if lacks := {one["DALI has it on"] for one in answers if "DALI has it on" in one}:
        return f"{', '.join(times)}; DALI: {', '.join(lacks)}"
    found = []
    for one, time in zip(answers, times, strict=True):
        alone = f"{time} (DALI fails)" if "DALI failed" in one else time
        ratio = f"{one['ratio'][-1]:.2g}" if "ratio" in one else alone
        if "not traced" in one:
            ratio += " (by the clock)"
        found.append(f"{ratio} (results differ)" if "far" in one else ratio)
    return ", ".join(found)


def _ratios(answers: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(f"{answer['ratio'][1]:.2g}" if "ratio" in answer else "-" for answer in answers)


def _apart(answers: Sequence[Mapping[str, Any]]) -> str:
    found = []
    if any("drawn" in answer for answer in answers):
        found.append("drawn")
    for floats in (False, True):
        mine = [answer for answer in answers if answer.get("floats") is floats]
        if largest := max((answer["largest"] for answer in mine), default=0.0):
            unit = "" if floats else " level" if largest == 1 else " levels"
            found.append(f"{largest:.2g}{unit} in {100 * max(answer['share'] for answer in mine):.2g} %")
    return "; ".join(found) or "equal"
