"""The JSON file of `catalogue.py`: what was measured on a CPU, and under "gpu" on a GPU, each with its machine."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

from catalogue_cases import LEFT_OUT, cases_on

__all__ = ["merged", "postponed", "read", "save", "unmeasured"]

Rows = Mapping[str, Sequence[Mapping[str, Any]]]


def read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Returns the contents of the file; empty if there is none."""
    file = pathlib.Path(path)
    return json.loads(file.read_text()) if file.exists() else {}


def with_rows(known: Rows, new: Rows, device: str) -> dict[str, list[Mapping[str, Any]]]:
    """Rows of operators: a new use replaces the one with the same number; uses that are no longer measured are dropped."""
    cases = cases_on(device)
    found: dict[str, list[Mapping[str, Any]]] = {}
    for name in sorted({*known, *new} & cases.keys()):
        texts = [case.text for case in cases[name]]
        # Some uses may be missing, so their numbers are not their positions.
        uses = {use.get("use", place): use for rows in (known, new) for place, use in enumerate(rows.get(name, ()))}
        found[name] = [uses[number] for number, text in enumerate(texts) if uses.get(number, {}).get("text") == text]
    return {name: uses for name, uses in found.items() if uses}


def unmeasured(whole: Mapping[str, Any], device: str) -> list[str]:
    """Operators of which the file lacks a use, or has one that was changed since."""
    known = (whole if device == "cpu" else whole.get("gpu", {})).get("results", {})
    texts = {name: [use["text"] for use in uses] for name, uses in known.items()}
    return sorted(name for name, uses in cases_on(device).items() if texts.get(name) != [use.text for use in uses])


def postponed(whole: Mapping[str, Any]) -> dict[str, Any]:
    """The contents of a file in which operators that lack a measurement on the CPU count as "not measured"."""
    known = merged(whole, whole["machine"], {}, "cpu")
    return {**known, "not measured": unmeasured(known, "cpu")}


def merged(whole: Mapping[str, Any], machine: Mapping[str, Any], rows: Rows, device: str) -> dict[str, Any]:
    """The contents of a file with rows that were just measured on "cpu" or another device."""
    if device == "cpu":
        return {**whole, "machine": machine, "results": with_rows(whole.get("results", {}), rows, device)}
    known = whole.get("gpu", {}).get("results", {})
    return {**whole, "gpu": {"machine": machine, "results": with_rows(known, rows, device)}}


def save(path: str | os.PathLike[str], whole: Mapping[str, Any]) -> None:
    """Writes one operator per line, because the file is checked in and diffed; replaces the file atomically.

    What was "not measured" and now is does not stay in that list.
    """
    parts = [f'"left_out": {json.dumps(LEFT_OUT, indent=1)}']
    if "results" in whole:
        later = sorted({*whole.get("not measured", ())} & {*unmeasured(whole, "cpu")})
        parts = [f'"machine": {json.dumps(whole["machine"])}', *parts]
        parts += [f'"not measured": {json.dumps(later)}', f'"results": {_lines(whole["results"])}']
    if "gpu" in whole:
        on_gpu = whole["gpu"]
        parts.append(
            f'"gpu": {{\n"machine": {json.dumps(on_gpu["machine"])},\n"results": {_lines(on_gpu["results"])}\n}}'
        )
    new = pathlib.Path(f"{path}.new")
    new.write_text("{\n" + ",\n".join(parts) + "\n}\n")
    new.replace(path)


def _lines(results: Rows) -> str:
    return "{\n" + ",\n".join(f"  {json.dumps(name)}: {json.dumps(results[name])}" for name in sorted(results)) + "\n}"
