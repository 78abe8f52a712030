"""Draws mutations by a seed: of each important room alike, some of anywhere, and some of the C++ of CPUs."""

from __future__ import annotations

import pathlib
import random
import re
from collections.abc import Callable

import guard_native
import guard_python
from guard_python import Mutation

ROOMS = (
    "_run/executor",
    "_dali/operators",
    "_dali/planner",
    "_feed/ring",
    "_loader",
    "_feed/source",
    "_feed/processes",
    "",
)  # "": anywhere
NATIVE_SHARE = 6 / 46
# What no CPU runs, and what the fuzzers are made of.
_NOT_ON_CPUS = re.compile(r"ffi/(engine|gpu_decoding|gpu_video|tests|bindings)/|/gpu_|\bmodel\.cc|orient\.cc")


def files_of(root: pathlib.Path, room: str) -> list[str]:
    """Returns the files of a room, or of `ffi`, by their paths below the root."""
    if room == "ffi":
        found = [path.relative_to(root).as_posix() for path in (root / "ffi").rglob("*.cc")]
        return sorted(path for path in found if not _NOT_ON_CPUS.search(path))
    return sorted(path.relative_to(root).as_posix() for path in (root / "jaxdali" / room).rglob("*.py"))


def candidates(root: pathlib.Path, room: str) -> dict[tuple[str, int], list[Mutation]]:
    """Returns the mutations of a room by file and line, so that a long line is not drawn more often than a short one."""
    of = guard_native if room == "ffi" else guard_python
    lines: dict[tuple[str, int], list[Mutation]] = {}
    for path in files_of(root, room):
        for one in of.candidates(path, (root / path).read_text()):
            lines.setdefault((path, one.line), []).append(one)
    return lines


def draw(root: pathlib.Path, seed: int, count: int, compiles: Callable[[Mutation], bool]) -> dict[int, Mutation]:
    """Returns mutations by number, from 1.

    Args:
        root: a checkout.
        seed: equal seeds draw equal mutations of equal sources.
        count: how many.
        compiles: whether a mutation of C++ is accepted by the compiler.
    """
    chance = random.Random(seed)
    native = round(count * NATIVE_SHARE)
    rooms = [ROOMS[(k + seed * (count < len(ROOMS))) % len(ROOMS)] for k in range(count - native)] + ["ffi"] * native
    known = {room: candidates(root, room) for room in {*rooms}}
    drawn: dict[int, Mutation] = {}
    lines: set[tuple[str, int]] = set()
    for number, room in enumerate(rooms, 1):
        while True:
            line = chance.choice(sorted(known[room].keys() - lines))
            kinds = sorted({one.kind for one in known[room][line]})
            kind = chance.choice(kinds)
            one = chance.choice([one for one in known[room][line] if one.kind == kind])
            if room != "ffi" or compiles(one):
                break
        lines.add(line)
        drawn[number] = one
    return drawn


def write(root: pathlib.Path, mutations: dict[int, Mutation]) -> None:
    """Writes the mutations into the files of a copy of the checkout."""
    for path in {one.path for one in mutations.values()}:
        of = guard_python if path.endswith(".py") else guard_native
        file = root / path
        file.write_text(of.with_switches(file.read_text(), {k: m for k, m in mutations.items() if m.path == path}))
