"""Which `except` clauses of jaxdali may take an error of its own, which is a RuntimeError and a ValueError, for Python's."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from import_graph import parsed

from jaxdali import errors

OURS = {name for name in errors.__all__ if isinstance(getattr(errors, name), type)}
# Python's classes of which ours are.
BASES = {
    base.__name__
    for name in OURS
    if issubclass(getattr(errors, name), BaseException)
    for base in getattr(errors, name).__mro__
    if base.__module__ == "builtins"
} - {"object", "BaseException", "Exception"}

_NONE = "the call raises none of ours"
# Clauses that are right, by file and function, and why.
TOLD = {
    "_device/ffi/cuda.py:_find": _NONE,
    "_dali/control/object_contents.py:_position_of": _NONE,
    "_dali/control/function_sources.py:_kept": _NONE,
    "_dali/control/function_sources.py:_transformed_code": "a function whose code is not understood stays as it is",
    "_dali/pipeline/serialization.py:_dump": _NONE,
    "_device/random/keys.py:_words_of": _NONE,
    "_feed/source/arrays.py:_make_direct": "an array that native code cannot read is read by NumPy",
    "_feed/source/classify.py:_is_split_factory": _NONE,
    "_feed/source/classify.py:positional_arguments": _NONE,
    "_feed/source/coco.py:__init__": "Python's error about the argument's name is replaced",
    "_feed/source/stream.py:check_state": _NONE,
    "_feed/source/stream.py:state": "the user's object, whose state may be of any type",
    "_feed/source/structure.py:_picked": "the user's sample, which is looked at in full behind it",
    "_feed/storage/filesystems.py:__init__": _NONE,
}


def taken_for_others(source: str, path: str) -> Iterator[tuple[str, str]]:
    """Yields `path:function`, and a text, of each clause that names one of Python's classes around a call of this package,
    unless ours pass: a clause before it names them, it asks whether the error is ours, or it raises it again.
    """
    tree = parsed(source)
    own = {"self", *(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef))}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            own.update(alias.asname or alias.name for alias in node.names)
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for attempt in (node for node in ast.walk(function) if isinstance(node, ast.Try)):
            calls = [call for part in attempt.body for call in _calls(part) if _called(call) in own]
            passed = False
            for clause in attempt.handlers if calls else ():
                passed = passed or bool(_names(clause.type) & OURS) or _asks(clause)
                if _names(clause.type) & BASES and not passed:
                    text = f"except {ast.unparse(clause.type)} around {ast.unparse(calls[0].func)}()"  # type: ignore
                    yield f"{path}:{function.name}", text


def _calls(part: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(part) if isinstance(node, ast.Call))


def _called(call: ast.Call) -> str | None:
    """Returns the name that leads to what is called: `self.f` for a method of the same object."""
    node: ast.expr = call.func
    text = ast.unparse(node)
    if text.startswith(("self.", "cls.")) and text.count(".") == 1:
        return "self"
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) and node.id != "self" else None


def _names(node: ast.AST | None) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} if node is not None else set()


def _asks(clause: ast.ExceptHandler) -> bool:
    """Whether a clause looks at what class the error is of, or raises it again."""
    again = any(isinstance(one, ast.Raise) and one.exc is None for one in ast.walk(clause))
    return again or any(ast.unparse(one.func) == "isinstance" for one in ast.walk(clause) if isinstance(one, ast.Call))
