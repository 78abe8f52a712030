"""Puts old faults back into copies of the package, and notes which tests are red then."""

from __future__ import annotations

import pathlib
import shutil
from typing import Any

import guard_runs
from guard_faults import FAULTS, Fault, put_back
from guard_record import Record
from guard_tree import GUARD, Tree, git


def _prepare(name: str, fault: Fault) -> tuple[Tree, dict[str, Any]]:
    tree = _tree_of(name)
    shutil.rmtree(tree.folder, ignore_errors=True)
    tree.extract("HEAD")
    texts = put_back(tree.suite / "jaxdali", fault)
    for path, text in texts.items():
        (tree.suite / "jaxdali" / path).write_text(text)
    tree.make_environment()
    tree.copy_package()
    return tree, {"why": fault.why, "files": [*texts], "ran": {}}


def _tree_of(name: str) -> Tree:
    return Tree(GUARD / "fixes" / name.replace(" ", "_"))


def _rounds(tree: Tree, fault: Fault) -> list[list[str]]:
    """Returns which test files to run: those that came with the fix, those of the same rooms, and all."""
    suite = {path.relative_to(tree.suite).as_posix() for path in (tree.suite / "tests").rglob("test_*.py")}
    suite = {path for path in suite if not path.startswith(guard_runs.LEFT_OUT)}
    first = {*fault.tests}
    rooms = {part for change in fault.changes for part in pathlib.PurePath(change.path).parent.parts}
    rooms |= {room.removeprefix("_") for room in rooms}
    near = {path for path in suite if rooms & {*pathlib.PurePath(path).parts}}
    return [sorted(first), sorted(near - first), sorted(suite - near - first)]


def _red_anyway(file: str, red: list[str], record: Record) -> set[str]:
    """Returns which of the red tests of a file are red without the fault, too."""
    known = record.values.setdefault("red without a fault", {})
    asked = {test for test in red if test not in known}
    if asked:
        tree = Tree(GUARD / "fixes" / "none")
        if not tree.site.exists():
            tree.extract(git("rev-parse", "HEAD").strip())
            tree.make_environment()
            tree.copy_package()
        outcome = guard_runs.run(tree, [file], ["-n", "0"], chosen=asked)
        known |= {test: test in outcome.red for test in asked}
        record.save()
    return {test for test in red if known[test]}


def fixes(only: str | None, limit_s: float = 600) -> None:
    """Puts each fault back and runs tests, round by round, until one of the gate is red.

    Args:
        only: the name of one fault.
        limit_s: for a file of tests.
    """
    if only is not None and only not in FAULTS:
        raise SystemExit(f"--only {only}: not one of the names in FAULTS, which are {', '.join(FAULTS)}")
    record = Record(GUARD / "fixes.json")
    head = git("rev-parse", "HEAD").strip()
    if record.values.get("of") != head:  # what is known is about other sources
        shutil.rmtree(GUARD / "fixes", ignore_errors=True)
        record.values = {"of": head}
    for name, fault in FAULTS.items() if only is None else [(only, FAULTS[only])]:
        tree = _tree_of(name)
        if name not in record.values or not tree.site.exists():
            tree, record.values[name] = _prepare(name, fault)
            record.save()
        tree.copy_own()
        entry = record.values[name]
        flags = ["-n", "0", *([guard_runs.FLAG] if guard_runs.has_flag(tree.suite) else [])]
        for files in _rounds(tree, fault):
            for file in files:
                if file not in entry["ran"]:
                    outcome = guard_runs.run(tree, [file], flags, limit_s=limit_s)
                    anyway = _red_anyway(file, outcome.red, record) if outcome.red else set()
                    entry["ran"][file] = [test for test in outcome.red if test not in anyway]
                    record.save()
            red = [test for tests in entry["ran"].values() for test in tests]
            if guard_runs.gate() & {*red}:
                break
        entry["complete"] = True
        record.save()
        print(name, f"{len(red)} red:", *red[:3], flush=True)
