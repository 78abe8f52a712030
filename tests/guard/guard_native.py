"""Finds what can be changed in a line of C++, and writes changes behind a switch, as guard_python.py does.

Only lines whose expression a pattern can tell for sure are taken: conditions, returned values, and values that are
assigned. What does not compile is not drawn, see guard_draw.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from guard_python import Mutation

# The middle group is the expression.
_LINES = [
    re.compile(r"^(\s*(?:\} else )?(?:else )?if \()([^;{}]+)(\) (?:\{|return.*;|continue;|break;))$"),
    re.compile(r"^(\s*while \()([^;{}]+)(\) \{)$"),
    re.compile(r"^(\s*for \([^;]*; )([^;]+)(; [^;]*\) \{)$"),
    re.compile(r"^(\s*return )([^;{}\"]+)(;)$"),
    re.compile(r"^(\s+(?:const )?[\w:.\[\]>-]+(?: [\w]+)? [-+*]?= )([^;{}\"]+)(;)$"),
]
_CHANGES = [
    *(("comparison", rf" {old} ", f" {new} ") for old, new in (("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"))),
    *(("comparison", rf" {old} ", f" {new} ") for old, new in (("==", "!="), ("!=", "=="))),
    *(("arithmetic", rf" \{old} ", f" {new} ") for old, new in (("+", "-"), ("-", "+"), ("*", "+"), ("/", "*"))),
    ("and/or", r" && ", " || "),
    ("and/or", r" \|\| ", " && "),
    ("not", r"!(?=[\w(])", ""),
]
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.'])")
# Known to the compiler only, or templates: a switch cannot be there.
_NEVER = re.compile(r"constexpr|static_assert|template|operator|//|sizeof|std::move|#|\bstatic\b|\?|&\w|\bthrow\b")


def _whole(expression: str) -> bool:
    """Whether brackets match, and no comma or angle bracket of a template is outside of them."""
    depth = 0
    for letter in expression:
        depth += (letter in "([") - (letter in ")]")
        if depth < 0 or (letter == "," and depth == 0):
            return False
    return depth == 0


def _changes(expression: str) -> Iterator[tuple[str, str]]:
    for kind, old, new in _CHANGES:
        for match in re.finditer(old, expression):
            yield kind, expression[: match.start()] + new + expression[match.end() :]
    for match in _NUMBER.finditer(expression):
        yield "constant", f"{expression[: match.start()]}{int(match[0]) + 1}{expression[match.end() :]}"


def candidates(path: str, source: str) -> list[Mutation]:
    """Returns the mutations of a file of C++: of expressions that are on one line."""
    found: list[Mutation] = []
    start = 0
    previous = ""
    for number, line in enumerate(source.splitlines(keepends=True), 1):
        text = line.rstrip("\n")
        whole = previous.endswith((";", "{", "}", ":")) or not previous.strip()
        match = next(filter(None, (pattern.match(text) for pattern in _LINES)), None)
        if whole and match and _whole(match[2]) and not _NEVER.search(text):
            begin = start + len(match[1].encode())
            end = begin + len(match[2].encode())
            found += [Mutation(path, number, kind, begin, end, new) for kind, new in _changes(match[2])]
        start += len(line.encode())
        previous = text
    return found


def with_switches(source: str, mutations: dict[int, Mutation]) -> str:
    """Returns a file in which each mutation, by its number, is in effect if the switch says so."""
    text = source.encode()
    for number, one in sorted(mutations.items(), key=lambda item: -item[1].start):
        original = text[one.start : one.end].decode()
        new = f"(guard::on({number}) ? ({one.changed}) : ({original}))"
        text = text[: one.start] + new.encode() + text[one.end :]
    return '#include "guard_switch.h"\n' + text.decode()
