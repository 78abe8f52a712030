"""Draws mutations, finds the tests that reach them, and runs those with each mutation in effect."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
import pathlib
import subprocess
import sysconfig
import time
from collections.abc import Callable, Set
from typing import Any

import guard_draw
import guard_python
import guard_runs
from guard_python import Mutation
from guard_record import Record
from guard_tree import GUARD, HERE, Tree, git

# Which folder of tests looks at a room first, where it is not the folder of the same name.
_MIRRORS = {
    "executor": "pipeline",
    "planner": "pipeline",
    "graph": "pipeline",
    "eager": "pipeline",
    "records": "source",
}
_NATIVE_MIRRORS = {"records": "readers", "ring": "ring", "audio": "audio", "video": "readers"}
# A file whose tests take no longer is run whole: what was traced or kept by an earlier test is reached by a later one, too.
_WHOLE_S = 20


def record_of(seed: int) -> Record:
    return Record(GUARD / str(seed) / "record.json")


def _compiles(root: pathlib.Path, one: Mutation) -> bool:
    """Whether the compiler accepts a mutation with its switch."""
    file = root / one.path
    include = pathlib.Path(sysconfig.get_path("purelib")) / "jaxlib" / "include"
    folders = [f"-I{folder}" for folder in (root / "ffi", file.parent, HERE, include)]
    text = guard_draw.guard_native.with_switches(file.read_text(), {1: one})
    command = ["g++", "-std=c++17", "-fsyntax-only", "-w", *folders, "-x", "c++", "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True).returncode == 0


def prepare(seed: int, count: int) -> Record:
    """Makes the copy with all mutations of a seed, unless it is there."""
    record = record_of(seed)
    if "mutations" in record.values:
        return record
    tree = Tree(record.path.parent)
    commit = git("rev-parse", "HEAD").strip()
    tree.extract(commit)
    drawn = guard_draw.draw(tree.suite, seed, count, lambda one: _compiles(tree.suite, one))
    entries: dict[str, Any] = {}
    for number, one in drawn.items():
        before, after = guard_python.before_and_after((tree.suite / one.path).read_text(), one)
        entries[str(number)] = {**dataclasses.asdict(one), "before": before, "after": after, "ran": {}}
    guard_draw.write(tree.suite, drawn)
    (tree.suite / "ffi" / "guard_switch.h").write_text((HERE / "guard_switch.h").read_text())
    tree.make_environment()
    tree.build()
    record.values = {"seed": seed, "commit": commit, "covered": {}, "red": [], "seconds": {}, "mutations": entries}
    record.save()
    return record


def _parts_of_suite(record: Record) -> dict[str, list[str]]:
    """Returns the suite in parts that run one after another: first the folders that mirror what is mutated."""
    tests = Tree(record.path.parent).suite / "tests"
    parts = {"tests/*.py": [f"tests/{path.name}" for path in sorted(tests.glob("test_*.py"))]}
    for path in sorted(tests.iterdir()):
        if path.is_dir() and any(path.rglob("test_*.py")):
            parts[f"tests/{path.name}"] = [f"tests/{path.name}"]
    kept = {name: [file for file in files if file not in guard_runs.LEFT_OUT] for name, files in parts.items()}
    near = {f"tests/{_mirror(entry['path'])}" for entry in record.values["mutations"].values()}
    return {name: kept[name] for name in sorted(kept, key=lambda name: name not in near) if kept[name]}


def reach(record: Record) -> None:
    """Runs all tests without a mutation, a part at a time, and notes which mutations each reaches."""
    tree = Tree(record.path.parent)
    values = record.values
    arguments = [f"--ignore={path}" for path in guard_runs.LEFT_OUT] + ["-n", "2", "--dist", "worksteal"]
    arguments += [guard_runs.FLAG] if guard_runs.has_flag(tree.suite) else []
    for name, files in _parts_of_suite(record).items():
        if name in values["covered"]:
            continue
        started = time.monotonic()
        outcome = guard_runs.run(tree, files, arguments, reached=tree.folder / "reached")
        values["seconds"] |= outcome.seconds
        values["red"] = sorted({*values["red"], *outcome.red})
        values["covered"][name] = round(time.monotonic() - started)
        record.save()
        print(f"{name}: {values['covered'][name]} s, red without a mutation: {outcome.red}", flush=True)


def is_covered(record: Record) -> bool:
    """Whether all of the suite was looked at for the tests that reach the mutations."""
    return record.values["covered"].keys() >= _parts_of_suite(record).keys()


def reaching(record: Record) -> dict[int, set[str]]:
    """Returns the tests that reach each mutation, as far as they are green without one."""
    found: dict[int, set[str]] = {int(number): set() for number in record.values["mutations"]}
    notes = record.path.parent / "reached"
    for line in notes.read_text().splitlines() if notes.exists() else ():
        number, _, test = line.partition("\t")
        found[int(number)].add(test.rpartition(" (")[0])
    known = record.values["seconds"].keys() - {*record.values["red"]}
    return {number: tests & known for number, tests in found.items()}


def _mirror(path: str) -> str:
    """Returns the folder of tests that looks at a file of the product first."""
    top, room, *_ = pathlib.PurePath(path).parts
    return _NATIVE_MIRRORS.get(room, "image") if top == "ffi" else _MIRRORS.get(room, room)


def _nearness(path: str, file: str, seconds: float) -> tuple[int, float]:
    """The order in which the files of tests are tried: the folder that mirrors the mutated one, then short ones."""
    mirror = _mirror(path)
    stem = pathlib.PurePath(path).stem
    near = f"/{mirror}/" in file or mirror == file.removeprefix("tests/test_").removesuffix(".py")
    return (0 if f"test_{stem}." in file else 1 if near else 2, seconds)


def _sort_killers(ran: dict[str, Any], outside: set[str]) -> None:
    """What the gate ran before a test left it counts as a run of the thorough tests; the gate has the rest to run.

    Args:
        ran: the files that ran with a mutation.
        outside: the tests that are not in the gate.
    """
    for key in [key for key in ran if key.startswith("gate ")]:
        if ran[key]["killer"] in outside:
            ran[f"thorough {key.partition(' ')[2]}"] = ran.pop(key)


def _judge_tier(
    record: Record, number: int, tier: str, tests: Set[str], green: Set[str], stop: Callable[[], bool]
) -> bool:
    """Runs the tests of a tier that reach a mutation, file by file, until `stop`; returns whether it came to the end.

    Args:
        record: of all mutations.
        number: of this one.
        tier: "gate" or "thorough".
        tests: those of the tier that reach it.
        green: all of the tier.
        stop: asked before each file.
    """
    entry, seconds = record.values["mutations"][str(number)], record.values["seconds"]
    tree = Tree(record.path.parent)
    by_file: dict[str, set[str]] = {}
    for test in tests:
        by_file.setdefault(test.partition("::")[0], set()).add(test)
    cost = {file: sum(seconds[test] for test in own) for file, own in by_file.items()}
    for file in sorted(by_file, key=lambda file: _nearness(entry["path"], file, cost[file])):
        if f"{tier} {file}" in entry["ran"]:
            continue
        if stop():
            return False
        whole = {test for test in green if test.startswith(f"{file}::")}
        chosen = whole if sum(seconds[test] for test in whole) < _WHOLE_S else by_file[file]
        limit_s = 5 * sum(seconds[test] for test in chosen) + 60
        flags = [
            "-n",
            "0",
            "-x",
            *([guard_runs.FLAG] if tier == "thorough" and guard_runs.has_flag(tree.suite) else []),
        ]
        outcome = guard_runs.run(tree, [file], flags, chosen=chosen, mutation=number, limit_s=limit_s)
        killer = outcome.red[0] if outcome.red else None
        entry["ran"][f"{tier} {file}"] = {"killer": killer, "end": outcome.end, "tests": len(chosen)}
        record.save()
    return True


def judge(record: Record, number: int, gate: Set[str], *, killers: int, limit_s: float) -> None:
    """Runs the tests of the gate that reach a mutation until enough files are red; if none is, all others."""
    entry = record.values["mutations"][str(number)]
    _sort_killers(entry["ran"], record.values["seconds"].keys() - gate)
    entry["complete"] = False
    green = record.values["seconds"].keys() - {*record.values["red"]}
    tests = reaching(record)[number]
    until = time.monotonic() + limit_s

    def killed(*tiers: str) -> int:
        return sum(one["killer"] is not None for key, one in entry["ran"].items() if key.startswith(tiers))

    def enough(tiers: tuple[str, ...], wanted: int) -> bool:
        return killed(*tiers) >= wanted or time.monotonic() > until

    if _judge_tier(record, number, "gate", tests & gate, green & gate, lambda: enough(("gate",), killers)):
        stop = functools.partial(enough, ("gate", "thorough"), 1)
        done = _judge_tier(record, number, "thorough", tests - gate, green - gate, stop)
        entry["complete"] = (done and is_covered(record)) or killed("gate", "thorough") > 0
    record.save()


def mutations(
    seed: int, count: int, only: int | None, *, killers: int, limit_s: float, jobs: int, covered: bool
) -> None:
    """Does all of it, from where it stopped.

    Args:
        seed, count: of the mutations; see `prepare`.
        only: the number of one mutation.
        killers: red files after which no further tests run with a mutation.
        limit_s: for each mutation, in this call.
        jobs: mutations that are looked at at the same time.
        covered: does without tests of which it is not yet known what they reach.
    """
    record = prepare(seed, count)
    tree = Tree(record.path.parent)
    tree.copy_own()
    if not covered:
        reach(record)
    gate = guard_runs.gate()
    numbers = [int(number) for number in record.values["mutations"]] if only is None else [only]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = {
            pool.submit(judge, record, number, gate, killers=killers, limit_s=limit_s): number for number in numbers
        }
        for done in concurrent.futures.as_completed(waiting):
            done.result()
            ran = record.values["mutations"][str(waiting[done])]["ran"].values()
            print(waiting[done], [one["killer"] for one in ran if one["killer"]] or "no killer so far", flush=True)
