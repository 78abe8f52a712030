"""Finds what can be changed in a Python file, one expression of one line at a time, and writes changes behind a switch.

Mutation tools such as mutmut and cosmic-ray rewrite a tree or a function for each mutation. Here the function must keep
its signature, its name and its line numbers, which operators and messages depend on, so an expression is replaced by
`(changed if on(k) else original)`: one copy of the package has all mutations, and an environment variable chooses.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Iterator, Mapping

SWITCH = '__import__("guard_switch").on'

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
# What these are given are texts for people, or types.
_NOT_WITHIN = {"warn", "debug", "info", "warning", "error", "log", "print", "isinstance", "issubclass", "cast"}


@dataclasses.dataclass(frozen=True)
class Mutation:
    """A change in one line: the bytes `start` to `end` of a file become `changed`."""

    path: str
    line: int
    kind: str
    start: int
    end: int
    changed: str


def _inner(node: ast.AST) -> Iterable[ast.AST]:
    """Returns the parts of a node in which something may be changed."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return node.body  # decorators, defaults and annotations run once, or never
        case ast.Lambda():
            return [node.body]
        case ast.AnnAssign():
            return filter(None, [node.value])
        case ast.match_case():
            return filter(None, [node.guard, *node.body])
        case ast.Raise() | ast.Assert() | ast.Import() | ast.ImportFrom():
            return []  # texts of errors, and what no test can see
        case ast.JoinedStr():
            return []  # its nodes have no exact position
        case ast.If() if "TYPE_CHECKING" in ast.unparse(node.test):
            return []
        case ast.Call() if _is_for_people(node):
            return []
        case _:
            return ast.iter_child_nodes(node)


def _is_for_people(call: ast.Call) -> bool:
    name = ast.unparse(call.func).rpartition(".")[2]
    return name in _NOT_WITHIN or name.endswith(("Error", "Warning"))


def _with(node: ast.AST, **changed: object) -> ast.AST:
    return type(node)(**{**{name: getattr(node, name) for name in node._fields}, **changed})


def _is_computed(node: ast.BinOp) -> bool:
    """Whether an operation is on numbers, as far as one can see: not on texts, nor on lists."""
    for side in (node.left, node.right):
        if isinstance(side, ast.JoinedStr | ast.List | ast.Tuple | ast.Set | ast.Dict):
            return False
        if isinstance(side, ast.Constant) and isinstance(side.value, str):
            return False
    return type(node.op) in _COMPUTED


def _changes(node: ast.AST) -> Iterator[tuple[ast.AST, str, ast.AST | str]]:
    """Yields which node becomes what, and the kind of the change."""
    match node:
        case ast.If() | ast.IfExp() if "TYPE_CHECKING" not in ast.unparse(node.test):
            yield node.test, "condition", "True"
            yield node.test, "condition", "False"
        case ast.While():
            yield node.test, "condition", "False"
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield value, "return", "None"
        case ast.Break():
            yield node, "jump", "continue"
        case ast.Continue():
            yield node, "jump", "break"
        case ast.Compare():
            yield node, "comparison", _with(node, ops=[_COMPARED[type(node.ops[0])](), *node.ops[1:]])
        case ast.BoolOp():
            yield node, "and/or", _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not()):
            yield node, "not", node.operand
        case ast.UnaryOp(op=ast.USub()):
            yield node, "sign", node.operand
        case ast.BinOp() if _is_computed(node):
            yield node, "arithmetic", _with(node, op=_COMPUTED[type(node.op)]())
        case ast.Constant(value=bool()):
            yield node, "constant", repr(not node.value)
        case ast.Constant(value=int() | float()):
            yield node, "constant", repr(node.value + 1)
        case ast.Call() if not _is_for_people(node):
            for keyword in node.keywords:
                if keyword.arg is not None:
                    others = [other for other in node.keywords if other is not keyword]
                    yield node, "keyword", _with(node, keywords=others)


def _in_functions(node: ast.AST, inside: bool = False) -> Iterator[ast.AST]:
    """Yields the nodes that run when a function does, in the order of the text."""
    if inside:
        yield node
    inside = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    for part in _inner(node):
        yield from _in_functions(part, inside)


def candidates(path: str, source: str) -> list[Mutation]:
    """Returns every mutation of a file of Python that the operators above know."""
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found: list[Mutation] = []
    for outer in _in_functions(ast.parse(source)):
        for node, kind, changed in _changes(outer):
            if isinstance(node, ast.expr | ast.stmt) and node.lineno == node.end_lineno:
                text = changed if isinstance(changed, str) else ast.unparse(changed)
                first = starts[node.lineno - 1]
                start, end = first + node.col_offset, first + (node.end_col_offset or 0)
                found.append(Mutation(path, node.lineno, kind, start, end, text))
    return found


def _guarded(number: int, mutation: Mutation, original: str, indent: str) -> str:
    if mutation.kind == "jump":  # a statement, which no expression can hold
        return f"if {SWITCH}({number}): {mutation.changed}\n{indent}{original}"
    return f"(({mutation.changed}) if {SWITCH}({number}) else ({original}))"


def _from_last(mutations: Mapping[int, Mutation]) -> Iterator[tuple[int, Mutation]]:
    yield from sorted(mutations.items(), key=lambda item: -item[1].start)


def with_switches(source: str, mutations: Mapping[int, Mutation]) -> str:
    """Returns a file in which each mutation, by its number, is in effect if the switch says so."""
    text = source.encode()
    for number, one in _from_last(mutations):
        original = text[one.start : one.end].decode()
        line = text[text.rfind(b"\n", 0, one.start) + 1 : one.start].decode()
        new = _guarded(number, one, original, line)
        text = text[: one.start] + new.encode() + text[one.end :]
    return text.decode()


def before_and_after(source: str, one: Mutation) -> tuple[str, str]:
    """Returns the line of a mutation as it is and as it becomes, to be read."""
    text = source.encode()
    changed = text[: one.start] + one.changed.encode() + text[one.end :]
    return tuple(side.decode().splitlines()[one.line - 1].strip() for side in (text, changed))  # pyright: ignore
