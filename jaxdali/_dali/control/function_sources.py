"""Finds the source of functions, and compiles what becomes of it."""

from __future__ import annotations
import __future__

import ast
import copy
import functools
import linecache
import sys
import threading
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..graph.branch_constructs import mark_edited
from .transform import CONTROL, transformed
from .used import kept_in

__all__ = ["kept_by", "transformed_code"]

# A field of syntax trees from Python 3.12 on.
_NO_TYPE_PARAMS: Any = {"type_params": []} if sys.version_info >= (3, 12) else {}
# The depth of calls for chains of hundreds of `elif`s or early returns, each of which is a level of the syntax tree.
_DEEPEST = 20_000
# Threads would give each other's limit back.
_limit = threading.Lock()


def transformed_code(function: types.FunctionType) -> types.CodeType | None:
    """Returns the code of a function whose branches may be on nodes. None if nothing in it branches or calls, and if its
    source is not available or is not what was imported: a node in it then says what a branch needs.
    """
    with _limit:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, _DEEPEST))
        try:
            return _transformed_code(function)
        finally:
            sys.setrecursionlimit(limit)


def _transformed_code(function: types.FunctionType) -> types.CodeType | None:
    code = function.__code__
    try:
        written, source = _written(function), _source_of(function)
        if written is None:
            if source and not code.co_filename.startswith("<"):
                mark_edited(code.co_filename)
            return None
        made = transformed(written.node, written.owner)
        if made is None:
            return None
        found = _compiled(written, made, code)
        if not _is_imported(function, written, source):
            mark_edited(code.co_filename)
            return None
        return found
    except (SyntaxError, ValueError, RecursionError, LookupError):
        return None


def kept_by(function: types.FunctionType) -> frozenset[str]:
    """Returns the keys of what a function computes once and keeps, see `used.kept_in`."""
    return _kept(function.__code__, function.__code__.co_filename, function)


@functools.lru_cache(maxsize=4096)
def _kept(code: types.CodeType, _file: str, function: types.FunctionType) -> frozenset[str]:
    try:
        written = _written(function)
    except (SyntaxError, ValueError, RecursionError, LookupError):
        return frozenset()
    if written is None or isinstance(written.node, ast.Lambda):
        return frozenset()
    return frozenset(kept_in(written.node.body, code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]))


def _written(function: types.FunctionType) -> _Written | None:
    code = function.__code__
    candidates = _functions_of(code.co_filename, _source_of(function)).get((code.co_name, code.co_firstlineno))
    if candidates is None:
        return None
    return candidates[0] if len(candidates) == 1 else _lambda_of(code, candidates)


def _source_of(function: types.FunctionType) -> str:
    file = function.__code__.co_filename
    linecache.checkcache(file)  # it may have been edited and loaded anew
    return "".join(linecache.getlines(file, function.__globals__))


def _is_imported(function: types.FunctionType, written: _Written, source: str) -> bool:
    """Whether a function's code is that of the source, which may have been edited since."""
    code = function.__code__
    plain = _codes_of(code.co_filename, source, _future(code)).get((code.co_name, code.co_firstlineno), [])
    if any(_signature(one) == _signature(code) for one in plain):
        return True
    loader = function.__globals__.get("__loader__")
    hook = type(loader).__module__
    if loader is None or hook.startswith(("_frozen", "zipimport", "importlib")):
        return False
    if hook.startswith("_pytest") and not any(isinstance(node, ast.Assert) for node in ast.walk(written.node)):
        return False
    # An import hook adds to the code: what was written is all there.
    return any(_words(one) <= _words(code) for one in plain)


@functools.lru_cache(maxsize=64)
def _codes_of(file: str, source: str, flags: int) -> dict[tuple[str, int], list[types.CodeType]]:
    """Returns the codes of a file's functions, by name and first line. All of it is compiled, because what a function's
    code is depends on what the file imports.
    """
    found: dict[tuple[str, int], list[types.CodeType]] = {}
    waiting = [compile(source, file, "exec", dont_inherit=True, flags=flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)]
    while waiting:
        code = waiting.pop()
        found.setdefault((code.co_name, code.co_firstlineno), []).append(code)
        waiting.extend(one for one in code.co_consts if isinstance(one, types.CodeType))
    return found


def _signature(code: types.CodeType) -> Any:
    consts = tuple(_signature(one) if isinstance(one, types.CodeType) else (type(one), one) for one in code.co_consts)
    return code.co_name, code.co_code, consts, code.co_names, code.co_varnames, code.co_argcount, code.co_kwonlyargcount


def _words(code: types.CodeType) -> set[Any]:
    found: set[Any] = {*code.co_names, *code.co_varnames}
    for one in code.co_consts:
        found.update(_words(one) if isinstance(one, types.CodeType) else {(type(one), repr(one))})
    return found


def _lambda_of(code: types.CodeType, candidates: list[_Written]) -> _Written:
    """Returns which of several lambdas that begin on one line a code object belongs to: the innermost one that contains
    most of it.
    """
    spots = [(line, column) for line, _, column, _ in code.co_positions() if line is not None and column is not None]

    def fit(written: _Written) -> tuple[int, int, int]:
        body: Any = written.node.body
        begin, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
        inside = sum(begin <= spot < end for spot in spots)
        return inside, begin[0] - end[0], begin[1] - end[1]

    return max(candidates, key=fit)


class _Written(NamedTuple):
    """A function in a file; `owner` is the innermost class that contains it."""

    node: ast.FunctionDef | ast.Lambda
    owner: str | None


@functools.lru_cache(maxsize=64)
def _functions_of(_file: str, source: str) -> dict[tuple[str, int], list[_Written]]:
    """Returns the functions of a file, by name and first line."""
    found: dict[tuple[str, int], list[_Written]] = {}
    for node, owner in _functions(ast.parse(source), None):
        if isinstance(node, ast.Lambda):
            found.setdefault(("<lambda>", node.lineno), []).append(_Written(node, owner))
        else:
            line = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            found.setdefault((node.name, line), []).append(_Written(node, owner))
    return found


def _functions(tree: ast.AST, owner: str | None) -> Iterator[tuple[Any, str | None]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            yield node, owner
        yield from _functions(node, node.name if isinstance(node, ast.ClassDef) else owner)


def _compiled(written: _Written, node: Any, code: types.CodeType) -> types.CodeType:
    """Compiles a function. It has the same free variables as before, and one more."""
    bare = copy.copy(node)
    bare.args = _without_defaults(node.args)
    inner: Any = ast.copy_location(ast.Expr(bare), node) if isinstance(node, ast.Lambda) else bare
    if not isinstance(node, ast.Lambda):
        bare.returns = None
    path = ["_around", code.co_name]
    if written.owner is not None:  # private names are mangled with the class name
        inner = ast.ClassDef(written.owner, bases=[], keywords=[], body=[inner], decorator_list=[], **_NO_TYPE_PARAMS)
        path.insert(1, written.owner)
    outer = [name for name in (*code.co_freevars, CONTROL) if name != "__class__" or written.owner is None]
    arguments = ast.arguments([], [ast.arg(name) for name in outer], None, [], [], None, [])
    # What stands around it is not what these names mean in the function: the class is there for its private names, and a
    # function that calls itself means the global one.
    own = {written.owner, None if isinstance(node, ast.Lambda) else node.name} - {None, *outer}
    body = [*([ast.Global(sorted(own))] if own else []), inner]
    around = ast.FunctionDef("_around", arguments, body, [], **_NO_TYPE_PARAMS)
    module = ast.fix_missing_locations(ast.Module([around], []))
    found = compile(module, code.co_filename, "exec", dont_inherit=True, flags=_future(code))
    for name in path:
        inside = [one for one in found.co_consts if isinstance(one, types.CodeType) and one.co_name == name]
        if not inside:
            raise LookupError(name)
        found = inside[0]
    return found


def _without_defaults(arguments: ast.arguments) -> ast.arguments:
    """Drops defaults and annotations, which the function object has already."""

    def bare(one: Any) -> Any:
        return one and ast.copy_location(ast.arg(one.arg), one)

    nothing: Any = ast.Constant(None)
    return ast.arguments(
        [bare(one) for one in arguments.posonlyargs],
        [bare(one) for one in arguments.args],
        bare(arguments.vararg),
        [bare(one) for one in arguments.kwonlyargs],
        [one and nothing for one in arguments.kw_defaults],
        bare(arguments.kwarg),
        [nothing for _ in arguments.defaults],
    )


def _future(code: types.CodeType) -> int:
    """Returns the flags of what a file imports from `__future__`."""
    return sum(flag for name in __future__.all_feature_names if (flag := _flag(name)) & code.co_flags)


def _flag(feature: str) -> int:
    return getattr(__future__, feature).compiler_flag
