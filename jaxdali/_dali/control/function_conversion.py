"""Decides which functions are transformed, and makes their code."""

from __future__ import annotations

import functools
import sys
import types
from typing import Any, TypeVar

from ..graph.scope import current_scope
from . import branches as branches_of
from .function_sources import transformed_code
from .ownership import is_foreign_file
from .questions import asked, contains, iterated, own_variables, same, truth
from .transform import CONTROL

__all__ = ["convert", "convert_call", "convert_here", "do_not_convert"]
__all__ += [
    "contains",
    "iterated",
    "own_variables",
    "same",
    "truth",
]  # what transformed functions call, like those at the end

_MARK = "__jaxdali_do_not_convert__"
_NO_FUNCTIONS = 0x20 | 0x80 | 0x100 | 0x200  # generators and coroutines

_F = TypeVar("_F")
_MOST_CODES = 4096
_codes: dict[tuple[types.CodeType, str], types.CodeType | None] = {}


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


def convert(function: object) -> Any:
    """Transforms a function for graphs that may branch on nodes: its own branches, and at run time those of the
    functions that it calls. Functions without available source, generators, classes and functions of other packages
    stay as they are.
    """
    if isinstance(function, types.MethodType):
        inner = convert(function.__func__)
        return function if inner is function.__func__ else types.MethodType(inner, function.__self__)
    if isinstance(function, functools.partial):
        return functools.partial(convert(function.func), *function.args, **function.keywords)
    if isinstance(function, types.FunctionType):
        code = None if _is_left(function) else _code_of(function)
        return function if code is None else _function_of(function, code)
    if isinstance(function, type) or not callable(function):
        return function
    call = type(function).__call__
    if not isinstance(call, types.FunctionType) or getattr(function, _MARK, False):
        return function
    inner = convert(call)
    return function if inner is call else types.MethodType(inner, function)


def convert_here(function: object) -> Any:
    """Transforms a function as `convert` does, if the graph that is being defined takes branches on nodes."""
    scope = current_scope()
    return convert(function) if scope is not None and scope.converts else function


def convert_call(function: object) -> Any:
    """Returns what a transformed function calls instead of another function."""
    if function is map or function is filter:
        return lambda inner, *several: function(convert(inner), *map(iterated, several))
    if isinstance(function, type | types.BuiltinFunctionType | types.MethodWrapperType):
        return asked(function)
    return convert(function)


def _is_left(function: types.FunctionType) -> bool:
    code = function.__code__
    if getattr(function, _MARK, False) or code.co_flags & _NO_FUNCTIONS or CONTROL in code.co_freevars:
        return True
    return is_foreign_file(function)


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
        _codes[key] = transformed_code(function)
    return _codes[key]


# What transformed functions call.
Frame = branches_of.Frame
if_expression = branches_of.if_expression
logical = branches_of.logical
negated = branches_of.negated
chained = branches_of.chained
