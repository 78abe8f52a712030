"""Finds what code names: variables and attributes, and which of them hold what it has computed once."""

from __future__ import annotations

import ast
import dis
import functools
import types
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from .changes import changed_names

__all__ = ["Mentions", "Used", "kept_in", "used_by"]


class Used(NamedTuple):
    """What code names. Keys are names of variables, and `.name` for attributes.

    Attributes:
        names: the variables that it loads.
        attributes: the attributes that it loads, without the dot.
        stored: the attributes and global variables that it sets or deletes, without a dot.
        words: what its strings say, if that can be a name: `setattr(box, "value", 1)`.
        modules: the modules that it imports.
        kept: the keys of what it computes once and keeps, see `kept_in`.
    """

    names: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    stored: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()

    def __or__(self, other: Used) -> Used:  # type: ignore[override]
        """Returns what both name. What one of them keeps and the other names otherwise is not kept."""
        kept = (self.kept - (other.keys - other.kept)) | (other.kept - (self.keys - self.kept))
        pairs = zip(self[:-1], other[:-1], strict=True)
        several: Any = [*(one | two for one, two in pairs), kept]
        return Used._make(several)

    @property
    def keys(self) -> frozenset[str]:
        """The keys of all that it loads."""
        return self.names | {f".{name}" for name in self.attributes}


class Mentions:
    """What the statements of one function name, and how often: an `if` counts those inside it once.

    Args:
        body: the function's statements.
        parameters: the names of its arguments.
    """

    def __init__(self, body: Iterable[ast.stmt], parameters: Iterable[str] = ()):
        self._counted: dict[int, tuple[ast.stmt, Counter[tuple[str, str]]]] = {}
        body = list(body)
        self._all = self._of(body)
        self._kept = kept_in(body, parameters)

    def used(self, statements: Iterable[ast.stmt]) -> Used:
        """Returns what some of the statements name. What the function also names elsewhere is not kept."""
        found = self._of(statements)
        kinds = ("variable", "attribute", "stored", "word", "module")
        named = (frozenset(name for kind, name in found if kind == wanted) for wanted in kinds)
        kept = frozenset(key for key in self._kept if found[_mentioned(key)] == self._all[_mentioned(key)])
        several: Any = [*named, kept]
        return Used._make(several)

    def changed(self, statements: Iterable[ast.stmt]) -> set[str]:
        """Returns the variables of the frame that some of the statements set."""
        return {name for kind, name in self._of(statements) if kind == "changed"}

    def _of(self, statements: Iterable[ast.stmt]) -> Counter[tuple[str, str]]:
        found: Counter[tuple[str, str]] = Counter()
        for one in statements:
            if id(one) not in self._counted:
                # The statement is kept, too, because another could get its identity.
                self._counted[id(one)] = one, self._one(one)
            found.update(self._counted[id(one)][1])
        return found

    def _one(self, statement: ast.stmt) -> Counter[tuple[str, str]]:
        if isinstance(statement, ast.If):
            found = self._of([*statement.body, *statement.orelse])
            found.update(_counted(statement.test))
            found.update(("changed", name) for name in changed_names([ast.Expr(statement.test)]))
            return found
        found = Counter(_counted(statement))
        found.update(("changed", name) for name in changed_names([statement]))
        return found


def _counted(top: ast.AST) -> Iterator[tuple[str, str]]:
    for node in ast.walk(top):
        if isinstance(node, ast.AugAssign):  # it also loads what it sets
            if isinstance(node.target, ast.Name):
                yield "variable", node.target.id
            elif isinstance(node.target, ast.Attribute):
                yield "attribute", node.target.attr
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield "variable", node.id
        elif isinstance(node, ast.Attribute):
            yield "attribute" if isinstance(node.ctx, ast.Load) else "stored", node.attr
        elif isinstance(node, ast.Global | ast.Nonlocal):
            yield from (("stored", name) for name in node.names)
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str) and node.value.isidentifier():
                yield "word", node.value
        elif isinstance(node, ast.Import):
            yield from (("module", one.name) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "module", node.module or ""
            yield from (("attribute", one.name) for one in node.names)


def _mentioned(key: str) -> tuple[str, str]:
    return ("attribute", key[1:]) if key.startswith(".") else ("variable", key)


@functools.lru_cache(maxsize=4096)
def used_by(code: types.CodeType) -> Used:
    """Returns what a function's code names, without what it keeps: that is seen in its source only."""
    names, attributes, stored, modules = set(code.co_freevars), set(), set(), set()
    for one in dis.get_instructions(code):
        name = one.argval
        if not isinstance(name, str):
            continue
        if one.opname.startswith(("LOAD_GLOBAL", "LOAD_NAME")):
            names.add(name)
        elif one.opname.startswith(("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER", "IMPORT_FROM")):
            attributes.add(name)
        elif one.opname == "IMPORT_NAME":
            modules.add(name)
        if one.opname.startswith(("STORE_ATTR", "DELETE_ATTR", "STORE_GLOBAL", "DELETE_GLOBAL")):
            stored.add(name)
    words = {one for one in code.co_consts if isinstance(one, str) and one.isidentifier()}
    found = Used(*map(frozenset, (names, attributes, stored, words, modules)))
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found |= used_by(inner)
    return found


def _key(node: ast.AST | None) -> str | None:
    """Returns the key of a variable or attribute."""
    if isinstance(node, ast.Name):
        return node.id
    return f".{node.attr}" if isinstance(node, ast.Attribute) else None


# METHODS that change what they are called on otherwise than by keeping something under a key.
_CHANGING = {
    "append",
    "extend",
    "insert",
    "add",
    "update",
    "pop",
    "popitem",
    "remove",
    "discard",
    "clear",
    "move_to_end",
}


def kept_in(statements: Iterable[ast.AST], parameters: Iterable[str]) -> set[str]:
    """Returns the keys of what statements compute once and keep: they ask whether it is there, by `in`, `is None`,
    `hasattr`, `not` or an exception, set it to something that depends on no argument but its key, and change it in no other
    way.

        if size not in TABLES:
            TABLES[size] = make(size)

    Args:
        parameters: the names of the function's arguments.
    """
    given_names = set(parameters) - {"self", "cls"}
    asked: set[str | None] = set()
    given: set[str | None] = set()
    changed: set[str | None] = set()
    got: dict[str, set[str | None]] = {}  # variables that hold what `.get` of a key has given
    nodes = [node for statement in statements for node in ast.walk(statement)]
    for node in nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            got.setdefault(node.targets[0].id, set()).add(_got(node.value))
        elif isinstance(node, ast.NamedExpr):
            got.setdefault(node.target.id, set()).add(_got(node.value))
    for node in nodes:
        asked.update(_asked(node, got))
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                key = _key(target.value if isinstance(target, ast.Subscript) else target)
                entry = set() if not isinstance(target, ast.Subscript) else {one.id for one in _names(target.slice)}
                depends = {one.id for one in _names(node.value)} & (given_names - entry)
                (changed if depends or _changes(node.value, key) else given).add(key)
        elif isinstance(node, ast.AugAssign | ast.Delete):
            for target in node.targets if isinstance(node, ast.Delete) else [node.target]:
                changed.add(_key(target.value if isinstance(target, ast.Subscript) else target))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "setdefault":
                asked.add(_key(node.func.value))
                given.add(_key(node.func.value))
            elif node.func.attr in _CHANGING:
                changed.add(_key(node.func.value))
    return {key for key in (asked & given) - changed if key is not None}


def _got(node: ast.AST) -> str | None:
    """Returns the key of the dictionary whose `get` is called; or of an attribute that `getattr` is called for."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
        return _key(node.func.value)
    if isinstance(node, ast.Call) and _key(node.func) == "getattr" and len(node.args) == 3:
        return f".{node.args[1].value}" if isinstance(node.args[1], ast.Constant) else None
    return None


def _asked(node: ast.AST, got: dict[str, set[str | None]]) -> Iterator[str | None]:
    """Yields the keys that a node asks for."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            yield _key(node.comparators[0])
        elif isinstance(node.ops[0], ast.Is | ast.IsNot) and _is_none(node.comparators[0]):
            left = node.left.target if isinstance(node.left, ast.NamedExpr) else node.left
            yield _key(left)
            yield _got(left)
            yield from got.get(left.id, ()) if isinstance(left, ast.Name) else ()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _key(node.operand)
    elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        yield _key(node.values[0])
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hasattr":
        name = node.args[1] if len(node.args) == 2 else None
        if isinstance(name, ast.Constant):
            yield f".{name.value}"
    elif isinstance(node, ast.Try):
        caught = {one.id for handler in node.handlers if handler.type for one in _names(handler.type)}
        for one in (inner for statement in node.body for inner in ast.walk(statement)):
            if isinstance(one, ast.Subscript) and caught & {"KeyError", "LookupError"}:
                yield _key(one.value)
            elif isinstance(one, ast.Attribute) and "AttributeError" in caught:
                yield _key(one)


def _names(node: ast.AST) -> Iterator[ast.Name]:
    return (one for one in ast.walk(node) if isinstance(one, ast.Name))


def _is_none(node: Any) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _changes(node: ast.AST, key: str | None) -> bool:
    """Whether a value is made from what it replaces; `TABLE or make()` is not."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and _key(node.values[0]) == key:
        return any(_changes(one, key) for one in node.values[1:])
    return key is not None and any(_key(one) == key for one in ast.walk(node))
