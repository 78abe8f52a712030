"""What docstrings are checked for that ruff has no rule for: sections with bodies, and entries of what exists.

Reads syntax trees; imports nothing. Whether everything has a docstring, or every argument an entry, is asked only of
what users call in the doors of functions and sources, of which `argument_faults` looks at the objects themselves.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

SECTIONS = ("Args", "Attributes", "Example", "Examples", "Note", "Raises", "Returns", "Warns", "Yields")
# Sections of entries, `name: text` or `name, other: text`, whose text goes on further right.
OF_ENTRIES = ("Args", "Attributes", "Raises")
_STEP = 4

_ENTRY = re.compile(r"(\*{0,2}[\w.]+(?:, \*{0,2}[\w.]+)*): \S")
_NAME = re.compile(r"(?<![\w.`])\*{0,2}(\w+)(?=: )")

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class _Line(NamedTuple):
    number: int  # in the file
    indent: int  # beyond the quotes of the docstring
    text: str


def docstring_faults(source: str, path: str) -> list[str]:
    """Returns what is wrong with the docstrings of a file, as `path:line: fault`."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Documented) and (lines := _lines(node)):
            if _is_head(lines[0]):
                found.append((lines[0], "begins with a section; say first what it does"))
            for head, body in _sections(lines):
                found += _layout_faults(head, body)
                if head.text[:-1] in OF_ENTRIES:
                    found += _entry_faults(head.text[:-1], body, node)
    return [f"{path}:{line.number}: {fault}: {line.text!r}" for line, fault in found]


def _lines(node: Documented) -> list[_Line]:
    text = ast.get_docstring(node, clean=False)
    if text is None:
        return []
    quotes, found = node.body[0], []
    for count, line in enumerate(text.split("\n")):
        indent = len(line) - len(line.lstrip()) - quotes.col_offset if count else 0
        found.append(_Line(quotes.lineno + count, indent, line.strip()))
    return found


def _is_head(line: _Line) -> bool:
    return line.text.endswith(":") and line.text[:-1] in SECTIONS


def _sections(lines: list[_Line]) -> Iterator[tuple[_Line, list[_Line]]]:
    """The head of each section, and its lines: until the next head, or an empty line before one as far left as the head."""
    starts = [at for at, line in enumerate(lines) if _is_head(line)]
    for start, end in itertools.pairwise([*starts, len(lines)]):
        head, body = lines[start], []
        for before, line in itertools.pairwise(lines[start:end]):
            if line.text and line.indent <= head.indent and not before.text:
                break
            body.append(line)
        yield head, [line for line in body if line.text]


def _layout_faults(head: _Line, body: list[_Line]) -> Iterator[tuple[_Line, str]]:
    if head.indent:
        yield head, "a section that is indented"
    if not body or body[0].indent <= head.indent:
        yield head, "a section without indented lines below it"
        return
    begin, entries = head.indent + _STEP, head.text[:-1] in OF_ENTRIES
    for line in body:
        if line.indent < begin or (entries and line.indent % _STEP):
            yield line, f"is indented neither as {head.text} nor as what continues it"
        elif entries and line.indent == begin and not _ENTRY.match(line.text):
            yield line, f"no `name: text` of {head.text} if it continues one, it belongs further right"


def _entry_faults(section: str, body: list[_Line], node: Documented) -> Iterator[tuple[_Line, str]]:
    """Entries of what does not exist, and entries within the text of another one."""
    known, has_others = _known_names(section, node)
    entries = [(line, _ENTRY.match(line.text)) for line in body if line.indent == _STEP]
    named = [(line, name.lstrip("*")) for line, entry in entries if entry for name in entry[1].split(", ")]
    for line, name in named:
        if not has_others and name not in known:
            yield line, f"{name} is not among {', '.join(sorted(known)) or 'its parameters: it has none'}"
    own = {name for _, name in named}
    for line in body:
        for name in _NAME.findall(line.text):
            if name not in own and (name in known or (section == "Raises" and name[0].isupper())):
                yield line, f"{name} stands in the text of another entry and has none"


def _known_names(section: str, node: Documented) -> tuple[set[str], bool]:
    """The names that a section may list, and whether there may be others that the file does not show."""
    if section == "Raises":
        return set(), True
    if isinstance(node, ast.ClassDef):
        return _attributes(node) if section == "Attributes" else _parameters_of_class(node)
    if isinstance(node, ast.Module):
        return set(), section == "Attributes"
    return _parameters(node)


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[set[str], bool]:
    args = function.args
    named = [*args.posonlyargs, *args.args, *args.kwonlyargs, *filter(None, (args.vararg, args.kwarg))]
    return {one.arg for one in named}, args.kwarg is not None


def _parameters_of_class(node: ast.ClassDef) -> tuple[set[str], bool]:
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and one.name in ("__init__", "__new__"):
            return _parameters(one)
    return _fields(node), bool(node.bases)


def _fields(node: ast.ClassDef) -> set[str]:
    return {one.target.id for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)}


def _attributes(node: ast.ClassDef) -> tuple[set[str], bool]:
    stored = [one for one in ast.walk(node) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)]
    methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
    return _fields(node) | methods | {one.attr for one in stored}, bool(node.bases)


# What an entry begins with that leaves its text to the docstring of another function.
_ELSEWHERE = re.compile(r"(as (in|for|of)|see|like(wise)?|that of) `", re.IGNORECASE)


def argument_faults(function: Callable[..., object]) -> list[str]:
    """Returns what a user who reads about a function or a method cannot learn of its parameters.

    Each has an annotation and, of a function, an entry of its own. A method may name it in its text instead.
    """
    text, signature = inspect.getdoc(function) or "", inspect.signature(function)
    given = [name for name in signature.parameters if name not in ("self", "cls")]
    unsaid = [name for name in (*given, "return") if _annotation(signature, name) is inspect.Signature.empty]
    faults = [f"{name} has no annotation" for name in unsaid]
    entries = {}
    for head, told in re.findall(r"^    (\*{0,2}\w[\w, *]*): (\S.*)", _arguments(text), re.MULTILINE):
        if "," in head:
            faults.append(f"{head}: each needs an entry of its own")
        entries |= {name.strip(" *"): told for name in head.split(",")}
    is_method = len(given) < len(signature.parameters) or inspect.ismethod(function)
    for name in given:
        if name not in entries and not (is_method and re.search(rf"`([^`]*[^\w`])?{name}\b", text)):
            faults.append(f"says nothing of {name}")
    faults += [f"{name}: {told!r} is told elsewhere" for name, told in entries.items() if _ELSEWHERE.match(told)]
    if not text or re.match(r"[Ss]ee `", text):
        faults.append(f"{text!r} is told elsewhere")
    return faults


def _arguments(text: str) -> str:
    found = re.search(r"^Args:\n((?:    .*\n?|\n)*)", text, re.MULTILINE)
    return found[1] if found else ""


def _annotation(signature: inspect.Signature, name: str) -> object:
    return signature.return_annotation if name == "return" else signature.parameters[name].annotation
