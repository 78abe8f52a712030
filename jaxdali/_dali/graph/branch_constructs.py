"""Finds which construct of the user's code tested the truth of a node."""

from __future__ import annotations

import ast
import dis
import linecache
from collections.abc import Iterator
from types import FrameType
from typing import Any

from .call_sites import user_frame

__all__ = ["describe_branch", "describe_wish", "mark_edited"]

# Files whose functions are other code than was imported.
_edited: set[str] = set()


def mark_edited(file: str) -> None:
    """Marks a file whose functions' source is not what was imported, so that their branches cannot be on nodes."""
    _edited.add(file)


def describe_wish() -> str:
    """Returns what functions with branches on nodes must be, and what is wrong with those around this call."""
    wish = "functions whose source is available and that are not @do_not_convert"
    frame: FrameType | None = user_frame()
    while frame is not None:
        file = frame.f_code.co_filename
        if file in _edited:
            return f"{wish}. {file} is not what was imported: it was edited. Start Python again, or reload it"
        frame = frame.f_back
    return wish


def describe_branch() -> str:
    """Returns the construct in the innermost caller outside this package, and its site: "`if` at train.py:12". Without
    source code the construct is "a test".
    """
    frame = user_frame()
    return f"{_construct(frame) or 'a test'} at {frame.f_code.co_filename}:{frame.f_lineno}"


def _construct(frame: FrameType) -> str | None:
    last = frame.f_lasti
    while (
        dis.opname[frame.f_code.co_code[last]] == "CACHE"
    ):  # a call of a Python function stands behind its instruction
        last -= 2
    positions = list(frame.f_code.co_positions())[last // 2]
    source = "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    calls = dis.opname[frame.f_code.co_code[last]].startswith(("CALL", "PRECALL"))
    for path in _paths(tree, []):
        node = path[-1]
        span = tuple(getattr(node, name, None) for name in ("lineno", "end_lineno", "col_offset", "end_col_offset"))
        # A name, and a statement that consists of only that name, span the same text.
        if span == positions and (named := _named(path, calls)) is not None:
            return named
    return None


def _paths(node: ast.AST, above: list[ast.AST]) -> Iterator[list[ast.AST]]:
    """Yields the path from the root to every node of a tree."""
    path = [*above, node]
    yield path
    for child in ast.iter_child_nodes(node):
        yield from _paths(child, path)


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _named(path: list[ast.AST], calls: bool) -> str | None:
    """Returns the construct that tests the last node of a path. From Python 3.12 on the position of a test is that of
    the tested expression; before, it is that of the construct around it.

    Args:
        calls: the last node is a call, and the called function tests the truth.
    """
    node = path[-1]
    if calls and isinstance(node, ast.Call):
        return f"`{ast.unparse(node.func)}(...)`"
    if isinstance(node, _COMPREHENSIONS):
        return "`if` of a comprehension"
    inner: Any = None
    for outer in reversed(path):
        if isinstance(outer, ast.BoolOp):
            return "`and`" if isinstance(outer.op, ast.And) else "`or`"
        if isinstance(outer, ast.UnaryOp) and isinstance(outer.op, ast.Not):
            return "`not`"
        if isinstance(outer, ast.Compare) and inner is None:
            if isinstance(outer.ops[0], ast.In | ast.NotIn):
                return "`in`"
            if len(outer.ops) > 1:
                return "a chained comparison"
        if isinstance(outer, ast.If | ast.While | ast.Assert) and inner in (None, outer.test):
            return f"`{type(outer).__name__.lower()}`"
        if isinstance(outer, ast.IfExp) and inner in (None, outer.test):
            return "`... if ... else ...`"
        if isinstance(outer, ast.comprehension) and inner in outer.ifs:
            return "`if` of a comprehension"
        if isinstance(outer, ast.match_case) and inner is outer.guard:
            return "`if` of a case"
        inner = outer
    return None
