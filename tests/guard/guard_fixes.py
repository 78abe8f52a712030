"""Puts old faults back: undoes what a past fix changed in the package, and notes which tests are red then."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import tempfile
from typing import Any

import guard_runs
from guard_record import Record
from guard_tree import GUARD, Tree, git

# What was wrong before a commit, by the commit. Of a large one only the named files are put back.
FIXES: dict[str, tuple[str, tuple[str, ...]]] = {
    "cd7590af": ("an index below 0 gave the last image without its objects, and a clip of another file", ()),
    "30e2ec7e": ("a region that begins behind its array was an array of nothing", ()),
    "9acb7afb": (
        "a draw of one sample was taken for another's, and an empty list for a leaf",
        ("_loader/", "_device/random/"),
    ),
    "c0d9d48c": ("a list of files that begins with a byte order mark named a file that is not there", ()),
    "ebcfe81f": ("times of frames did not count from the first frame of their file", ("_feed/source/",)),
    "c86e27b4": ("only the first directory of a TIFF file was bounded", ()),
    "46e86b5c": ("enable_checkpointing was not checked as other bools are", ("_dali/planner/",)),
    "36f02d04": ("images decoded in workers were turned where they were asked for as they are stored", ()),
    "a557b6d7": ("a sampler of another batch size was accepted", ()),
    "abf897d4": ("the shape of a leaf with given widths was that of the first sample", ()),
    "8910df4e": ("memory of feeds was not measured where statistics of it were asked for", ()),
}


def _renamed(commit: str) -> dict[str, str]:
    """Returns today's name of each file of the package that had another one at a commit."""
    lines = git("diff", "-M30%", "--diff-filter=R", "--name-status", commit, "HEAD", "--", "jaxdali").splitlines()
    return {old: new for _, old, new in (line.split("\t") for line in lines)}


def _undone(now: pathlib.Path, commit: str, path: str) -> str | None:
    """Returns the text of a file without what a commit changed in it, or None if later changes stand in the way."""
    with tempfile.TemporaryDirectory(prefix="guard-") as name:
        after, before = pathlib.Path(name, "after"), pathlib.Path(name, "before")
        after.write_text(git("show", f"{commit}:{path}"))
        before.write_text(git("show", f"{commit}~1:{path}"))
        merged = subprocess.run(["git", "merge-file", "-p", now, after, before], capture_output=True, text=True)
        return merged.stdout if merged.returncode == 0 else None


def undo(tree: Tree, commit: str) -> list[str]:
    """Takes a commit out of the copy of the package, where nothing stands in the way; returns which files changed."""
    renamed = _renamed(commit)
    changed: list[str] = []
    for path in git("diff", "--name-only", "--diff-filter=M", f"{commit}~1", commit, "--", "jaxdali").splitlines():
        now = tree.suite / renamed.get(path, path)
        named = FIXES[commit][1]
        if now.suffix != ".py" or not now.exists() or not any(f"jaxdali/{part}" in str(now) for part in named or ("",)):
            continue
        text = _undone(now, commit, path)
        if text is not None and text != now.read_text():
            now.write_text(text)
            changed.append(now.relative_to(tree.suite).as_posix())
    return changed


def _prepare(commit: str) -> tuple[Tree, dict[str, Any]]:
    tree = Tree(GUARD / "fixes" / commit)
    shutil.rmtree(tree.folder, ignore_errors=True)
    tree.extract("HEAD")
    files = undo(tree, commit)
    if not files:
        raise RuntimeError(f"{commit} cannot be taken out of the sources any more; replace it in FIXES")
    tree.make_environment()
    tree.copy_package()
    return tree, {"why": FIXES[commit][0], "files": files, "ran": {}}


def _rounds(tree: Tree, commit: str, files: list[str]) -> list[list[str]]:
    """Returns which test files to run: those that the commit changed, those of the same rooms, and all."""
    suite = {path.relative_to(tree.suite).as_posix() for path in (tree.suite / "tests").rglob("test_*.py")}
    suite = {path for path in suite if not path.startswith(guard_runs.LEFT_OUT)}
    named = {pathlib.PurePath(path).name for path in git("diff", "--name-only", f"{commit}~1", commit).splitlines()}
    first = {path for path in suite if pathlib.PurePath(path).name in named}
    rooms = {pathlib.PurePath(file).parts[1].removesuffix(".py") for file in files}
    near = {path for path in suite if any(f"/{room}/" in path or path == f"tests/test_{room}.py" for room in rooms)}
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
        only: one commit.
        limit_s: for a file of tests.
    """
    if only is not None and only not in FIXES:
        raise SystemExit(f"--only {only}: not one of the commits in FIXES, which are {', '.join(FIXES)}")
    record = Record(GUARD / "fixes.json")
    head = git("rev-parse", "HEAD").strip()
    if record.values.get("of") != head:  # what is known is about other sources
        shutil.rmtree(GUARD / "fixes", ignore_errors=True)
        record.values = {"of": head}
    for commit in FIXES if only is None else [only]:
        tree = Tree(GUARD / "fixes" / commit)
        if commit not in record.values or not tree.site.exists():
            tree, record.values[commit] = _prepare(commit)
            record.save()
        tree.copy_own()
        entry = record.values[commit]
        flags = ["-n", "0", *([guard_runs.FLAG] if guard_runs.has_flag(tree.suite) else [])]
        for files in _rounds(tree, commit, entry["files"]):
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
        print(commit, f"{len(red)} red:", *red[:3], flush=True)
