"""Finds which variables statements set."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

__all__ = ["changed_names", "own_nodes"]

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def own_nodes(statements: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yields the nodes of statements, except the bodies of functions and classes that they define."""
    waiting = list(statements)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))


def changed_names(statements: Iterable[ast.stmt]) -> set[str]:
    """Returns the variables of the surrounding frame that statements set."""
    return set(_names(statements))


def _names(statements: Iterable[ast.AST], in_comprehension: bool = False) -> Iterator[str]:
    for node in statements:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and not in_comprehension:
            yield node.id
        elif isinstance(node, ast.NamedExpr):
            yield node.target.id  # it sets a variable of the frame even in a comprehension
            yield from _names([node.value], in_comprehension)
            continue
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
            continue
        elif isinstance(node, ast.Lambda):
            continue
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((one.asname or one.name).partition(".")[0] for one in node.names)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
        yield from _names(ast.iter_child_nodes(node), in_comprehension or isinstance(node, _COMPREHENSIONS))
