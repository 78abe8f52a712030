"""Prints what the stages of the guard know. Which tests are in the gate is asked of the checkout as it is now."""

from __future__ import annotations

from typing import Any

import guard_runs
from guard_mutations import record_of
from guard_record import Record
from guard_tree import GUARD

_ONLY_THOROUGH = "KILLED BY THOROUGH TESTS ONLY"


def verdict(entry: dict[str, Any]) -> tuple[str, str]:
    """Returns what became of a mutation, and the test that says so."""
    red = [one for one in entry["ran"].values() if one["killer"] is not None]
    texts = {one["killer"]: one["killer"] + (f" ({one['end']})" if one["end"] else "") for one in red}
    for test, text in texts.items():
        if _in_gate(test):
            return "killed by the gate", text
    if not entry.get("complete") or any(key.startswith("gate ") and one in red for key, one in entry["ran"].items()):
        return "not done", "its killers left the gate, so the rest of the gate must run" if red else ""
    for test, text in texts.items():
        if test in guard_runs.thorough():
            return _ONLY_THOROUGH, text
    if red:
        return "killed by tests that are no more", next(iter(texts.values()))
    return ("survived" if entry["ran"] else "no test reaches it"), ""


def _in_gate(test: str) -> bool:
    """Whether a test, or one of a file that was red as a whole, is in the gate."""
    file, _, rest = test.partition(" (as a whole")
    return test in guard_runs.gate() or (bool(rest) and any(one.startswith(f"{file}::") for one in guard_runs.gate()))


def print_mutations(seed: int) -> int:
    """Returns how many mutations pass the gate but not all tests."""
    values = record_of(seed).values
    counts: dict[str, int] = {}
    print(
        f"\nMutations of {values['commit'][:8]}, seed {seed}; red without one, so not counted: {len(values['red'])} tests"
    )
    for number, entry in values["mutations"].items():
        outcome, test = verdict(entry)
        counts[outcome] = counts.get(outcome, 0) + 1
        print(f"{number:>3}  {entry['path']}:{entry['line']}  {outcome}  {test}")
        print(f"       {entry['before']}\n    -> {entry['after']}")
    print("\n" + ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    return counts.get(_ONLY_THOROUGH, 0)


def print_fixes() -> int:
    """Returns how many faults pass the gate, or all tests."""
    record = Record(GUARD / "fixes.json").values
    faults = {name: entry for name, entry in record.items() if isinstance(entry, dict) and "why" in entry}
    print(f"\nOld faults put back: {len(faults)}")
    passed = 0
    for name, entry in faults.items():
        red = [test for tests in entry["ran"].values() for test in tests]
        in_gate = [test for test in red if _in_gate(test)]
        passed += not in_gate and (bool(red) or bool(entry.get("complete")))
        outcome = "found by the gate" if in_gate else "FOUND BY THOROUGH TESTS ONLY" if red else "not done"
        if not red and entry.get("complete"):
            outcome = "NOT FOUND by any test: replace it in FAULTS"
        print(f"  {name}  {outcome}  {len(in_gate)} of {len(red)} red tests are in the gate  {entry['why']}")
        for test in in_gate[:3] or red[:3]:
            print(f"            {test}")
    return passed
