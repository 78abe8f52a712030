"""The record of a program's run: its structure, and its values as far as they are predictable."""

from __future__ import annotations

import hashlib
import json
import pathlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from kinds import IN_A_PROCESS_OF_ITS_OWN, kinds
from processes import run_program
from running import Leaf, leaves, run

RECORD = pathlib.Path(__file__).with_name("recorded_facts.json")

# Means of some thousand numbers may be off by a few steps.
_MEANS = 0.01


def facts(name: str, system: str) -> list[Any]:
    """Returns the facts of a run as JSON values, with a text in place of each leaf."""
    found = []
    for item in run(name, system):
        count = len([*leaves(item)])
        found.append(_written(item, iter(kinds(name, count) if count else ())))
    return found


def facts_with(name: str, system: str) -> list[Any]:
    """The same as `facts`, in a process of its own for programs that need one."""
    return run_program(facts, name, system) if name in IN_A_PROCESS_OF_ITS_OWN else facts(name, system)


def recorded() -> dict[str, Any]:
    """Returns what `record.py` recorded, by program."""
    return json.loads(RECORD.read_text())


def _written(item: Any, of: Any) -> Any:
    if isinstance(item, list):
        return [_written(part, of) for part in item]
    if not isinstance(item, Leaf):
        return item
    kind = next(of)
    if kind == "exact":
        return f"{item.form} = {_digest(item.arrays)}"
    if kind == "close":
        return f"{item.form} ~ {' '.join(f'{mean:.4f}' for mean in _means(item.arrays))}"
    return f"{item.form} ?"


def _digest(arrays: Sequence[np.ndarray]) -> str:
    found = hashlib.sha256()
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()[:12]


def _means(arrays: Sequence[np.ndarray]) -> list[float]:
    """Returns each array's mean, and a weighted mean that counts earlier values more."""
    found = []
    for array in arrays:
        flat = array.astype(np.float64).ravel()
        found += [float(flat.mean()), float((flat * np.linspace(1, 0, flat.size)).mean())]
    return found


def fit(ours: Any, recorded: Any) -> bool:
    """Whether facts agree: means approximately, and everything else exactly."""
    if isinstance(ours, list):
        same = isinstance(recorded, list) and len(ours) == len(recorded)
        return same and all(fit(one, other) for one, other in zip(ours, recorded, strict=True))
    if isinstance(ours, str) and isinstance(recorded, str) and " ~ " in ours:
        (form, means), (other, wanted) = (text.split(" ~ ") for text in (ours, recorded))
        return form == other and np.allclose(_numbers(means), _numbers(wanted), rtol=0, atol=_MEANS)
    return type(ours) is type(recorded) and ours == recorded


def _numbers(text: str) -> list[float]:
    return [float(word) for word in text.split()]
