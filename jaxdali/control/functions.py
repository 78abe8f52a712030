"""Decides which functions are transformed, and makes their code."""

from __future__ import annotations
import __future__

import ast
import copy
import functools
import linecache
import os
import sys
import sysconfig
import types
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeVar

from ..graph.scope import current_scope
from . import branches as branches_of
from .transform import CONTROL, transformed

__all__ = ["called", "converted", "converted_here", "do_not_convert"]

_MARK = "__jaxdali_do_not_convert__"
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_PYTHON = tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib")})
_PACKAGES = tuple({sysconfig.get_path(name) + os.sep for name in ("purelib", "platlib")})
# Packages whose functions do not branch on nodes.
_OTHERS = {
    *("jax", "jaxlib", "flax", "optax", "orbax", "equinox", "numpy", "scipy", "pandas", "PIL", "cv2", "skimage"),
    *("torch", "torchvision", "tensorflow", "nvidia", "pytest", "_pytest", "IPython", "tqdm", "yaml", "hydra", "absl"),
}
_NO_FUNCTIONS = 0x20 | 0x80 | 0x100 | 0x200  # generators and coroutines

_F = TypeVar("_F")
_MOST_CODES = 4096
_codes: dict[tuple[types.CodeType, str], types.CodeType | None] = {}
# A field of syntax trees from Python 3.12 on.
_NO_TYPE_PARAMS: Any = {"type_params": []} if sys.version_info >= (3, 12) else {}


def do_not_convert(function: _F) -> _F:
    """Marks a function that `enable_conditionals=True` leaves unchanged, including what it calls; DALI's decorator.
    Python itself evaluates conditions in it. Marks and returns the function itself; wraps an object that takes no
    marks.
    """
    try:
        setattr(function, _MARK, True)
    except (AttributeError, TypeError):
        unmarked: Any = function

        def marked(*args: object, **kwargs: object) -> Any:
            return unmarked(*args, **kwargs)

        functools.update_wrapper(marked, unmarked, updated=())
        setattr(marked, _MARK, True)
        return marked  # type: ignore[return-value]
    return function


def converted(function: object) -> Any:
    """Transforms a function for graphs that may branch on nodes: its own branches, and at run time those of the
    functions that it calls. Functions without available source, generators, classes and functions of other packages
    stay as they are.
    """
    if isinstance(function, types.MethodType):
        inner = converted(function.__func__)
        return function if inner is function.__func__ else types.MethodType(inner, function.__self__)
    if isinstance(function, functools.partial):
        return functools.partial(converted(function.func), *function.args, **function.keywords)
    if isinstance(function, types.FunctionType):
        code = None if _is_left(function) else _code_of(function)
        return function if code is None else _function_of(function, code)
    if isinstance(function, type) or not callable(function):
        return function
    call = type(function).__call__
    if not isinstance(call, types.FunctionType) or getattr(function, _MARK, False):
        return function
    inner = converted(call)
    return function if inner is call else types.MethodType(inner, function)


def converted_here(function: object) -> Any:
    """Transforms a function as `converted` does, if the graph that is being defined takes branches on nodes."""
    scope = current_scope()
    return converted(function) if scope is not None and scope.converts else function


def called(function: object) -> Any:
    """Returns what a transformed function calls instead of another function."""
    if function is map or function is filter:
        return lambda inner, *several: function(converted(inner), *several)
    return converted(function)


def _is_left(function: types.FunctionType) -> bool:
    code = function.__code__
    if getattr(function, _MARK, False) or code.co_flags & _NO_FUNCTIONS or CONTROL in code.co_freevars:
        return True
    file = code.co_filename
    if file.startswith(("<frozen", _PACKAGE)) or (file.startswith(_PYTHON) and not file.startswith(_PACKAGES)):
        return True
    return (function.__module__ or "").partition(".")[0] in _OTHERS


def _function_of(function: types.FunctionType, code: types.CodeType) -> types.FunctionType:
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    cells[CONTROL] = types.CellType(sys.modules[__name__])
    closure = tuple(cells[name] for name in code.co_freevars)
    made = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__, made.__module__, made.__doc__ = function.__qualname__, function.__module__, function.__doc__
    made.__dict__.update(function.__dict__)
    return made


def _code_of(function: types.FunctionType) -> types.CodeType | None:
    # Code objects of two files may compare equal.
    key = function.__code__, function.__code__.co_filename
    if key not in _codes:
        if len(_codes) >= _MOST_CODES:
            _codes.clear()
        _codes[key] = _transformed_code(function)
    return _codes[key]


def _transformed_code(function: types.FunctionType) -> types.CodeType | None:
    code = function.__code__
    source = "".join(linecache.getlines(code.co_filename, function.__globals__))
    try:
        candidates = _functions_of(code.co_filename, source).get((code.co_name, code.co_firstlineno))
        if candidates is None:
            return None
        written = candidates[0] if len(candidates) == 1 else _lambda_of(code, candidates)
        made = transformed(written.node)
        return None if made is None else _compiled(written, made, code)
    except (SyntaxError, ValueError, RecursionError, LookupError):
        return None  # stays as it is without source; a node in it then says what a branch needs


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
    """A function in a file; `owner` is the class whose body directly contains it."""

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
        inner = node.name if isinstance(node, ast.ClassDef) else None if isinstance(node, ast.FunctionDef) else owner
        yield from _functions(node, inner)


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
    around = ast.FunctionDef("_around", arguments, [inner], [], **_NO_TYPE_PARAMS)
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


branches = branches_of.Branches
either = branches_of.either
logical = branches_of.logical
negated = branches_of.negated
chained = branches_of.chained
