"""Regular expressions that see bytes, names and lines of others take time that grows with the input, not faster."""

from __future__ import annotations

import ast
import importlib
import itertools
import pathlib
import re

import pytest
from growth import assert_linear

ROOT = pathlib.Path(__file__).parent.parent / "jaxdali"

# What a name, a line or a file may consist of, to be repeated.
PIECES = [
    "a",
    "1",
    " ",
    ".",
    "-",
    "/",
    ":",
    "\n",
    "<!",
    "<?xml",
    "<svg",
    "P1",
    ".tar",
    ".jpg",
    ".tfrecord",
    "e+1",
    "s3",
    "x\0",
]
PIECES += ["1 ", " 1", "a ", "jaxdali_decode_v1: row 1", ": a", " (of the", "Ref", "%", "(a"]

# Functions whose patterns the program's own user writes, such as filters for names. (All of `control` reads only his code.)
ELSEWHERE = {
    "_feed/source/numpy_files.py:find_arrays",
    "_dali/readers/listing.py:_matcher",
    "_feed/source/file_format.py:FileFormat",
}


def calls_of_re():
    """Yields file, and the name of the definition, for each call of `re` in the package."""
    for path in sorted(ROOT.rglob("*.py")):
        text = path.read_text()
        for top in ast.parse(text).body if "\nimport re\n" in text else ():
            for node in ast.walk(top):
                function = node.func if isinstance(node, ast.Call) else None
                if isinstance(function, ast.Attribute) and getattr(function.value, "id", "") == "re":
                    name = getattr(top, "name", None) or top.targets[0].id
                    yield path.relative_to(ROOT).as_posix(), name


def uses_of(file, name):
    """Returns the methods of a pattern that its file calls."""
    nodes = ast.walk(ast.parse((ROOT / file).read_text()))
    named = [node for node in nodes if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == name]
    return {node.attr for node in named} or {"match"}


def patterns():
    """Returns all patterns that are compiled when a module is loaded, by file and name, and the methods that are called."""
    found = {}
    for file, name in calls_of_re():
        module = importlib.import_module("jaxdali." + file[: -len(".py")].replace("/", "."))
        if isinstance(pattern := getattr(module, name), re.Pattern):
            found[f"{file}:{name}"] = pattern, uses_of(file, name)
    return found


PATTERNS = patterns()


def test_each_is_measured_or_is_the_users_own():
    others = {f"{file}:{name}" for file, name in calls_of_re() if not file.startswith("_dali/control/")} - set(PATTERNS)
    assert others == ELSEWHERE
    assert len(PATTERNS) >= 8


@pytest.mark.parametrize("name", PATTERNS)
def test_time_grows_with_the_input(name):
    pattern, uses = PATTERNS[name]
    text = (lambda words: words.encode()) if isinstance(pattern.pattern, bytes) else (lambda words: words)

    def work(given):
        for one in given:
            pattern.match(one)
            if uses != {"match"}:
                any(False for _ in pattern.finditer(one))

    for first in PIECES:

        def make(size, first=first):
            pairs = itertools.product((first,), ("", *PIECES), ("", "x"))
            return [text(one * size + other * size + end) for one, other, end in pairs]

        assert_linear(make, work, 150, f"{name} on {first!r}")


def test_a_pattern_that_does_not_would_be_found():
    for pattern, piece in ((r"(?:<!.*?)*<svg", "<!"), (r"(\.(a|b)(\.(c|a))?)+$", ".a"), (r"(\d+\s*)*x", "1")):
        with pytest.raises(AssertionError, match="s for"):
            assert_linear(lambda size, piece=piece: piece * size + "!", re.compile(pattern).match, 2000, pattern)
