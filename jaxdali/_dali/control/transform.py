"""Transforms a function so that its branches may be on nodes. Works on syntax trees only and runs nothing.

An `if` becomes, in the same frame,

    with control.Frame() as frame:           # once a function
        ...
        b = frame.branches(test, its number, variables that the branches set, what they name, locals(), globals())
        if b.first:
            ...                              # what stood behind `if`
            b.leave(locals())
        if b.second:
            if b.splits: x, y = b.before()   # as they were
            ...                              # what stood behind `else`
            b.leave(locals())
        if b.splits: x, y = b.merged()

so that `return`, `break` and `continue` are Python's if the test is a Python value. A `return` in an `if` outside of
loops becomes the last statement of its branch: the statements behind the `if` move into the branches that reach them.

In comes the syntax tree of a function, and out goes a copy of it, or None if nothing in it branches or calls.
`_one_return` moves `return`s to the end, `_Transformer` rewrites statement by statement, and `framed` puts the body
into its `with`. It relies on function_conversion.py, which gives the compiled function what it
calls, under the name CONTROL.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from .changes import changed_names, own_nodes
from .used import Mentions

__all__ = ["CONTROL", "transformed"]

# The name by which a transformed function refers to `jaxdali._dali.control`, and the variable of its result.
CONTROL = "_jaxdali_control"
_RESULT = "_jaxdali_result"
_BRANCHES = "_jaxdali_branches_"
_FRAME = "_jaxdali_frame"
# The limit on syntax tree nodes behind an `if` that are copied into several branches.
_MOST_COPIED = 20_000
# Not transformed: they look at their caller's frame, or call no user code.
_LEFT_ALONE = {"super", "locals", "globals", "vars", "dir", "eval", "exec", "print"}

_HELD = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)


def transformed(
    function: ast.FunctionDef | ast.Lambda, owner: str | None = None
) -> ast.FunctionDef | ast.Lambda | None:
    """Returns the same function with branches that may be on nodes, or None if nothing in it branches or calls.

    Args:
        owner: the class that its private names belong to.
    """
    if not any(
        isinstance(node, ast.If | ast.IfExp | ast.BoolOp | ast.UnaryOp | ast.Compare | ast.Call)
        for node in own_nodes(function.body if isinstance(function.body, list) else [function.body])
    ):
        return None
    made = copy.deepcopy(function)
    if isinstance(made, ast.Lambda):
        made.body = _Transformer(made, owner).visit(made.body)
    else:
        made.decorator_list = []
        made.body = _one_return(made.body)
        transformer = _Transformer(made, owner)
        body = transformer.block(made.body)
        made.body = transformer.framed(body)
    return ast.fix_missing_locations(made)


# ONE RETURN -----------------------------------------------------------------------------------------------------------


def _one_return(body: list[ast.stmt]) -> list[ast.stmt]:
    """Moves the `return`s inside an `if` of a function's body to the end of what it does."""
    settled = _settled(body, [_MOST_COPIED])
    last = settled[-1] if settled else None
    if not isinstance(last, ast.If) or not _returns(last):
        return settled
    _assign_results(settled)
    result = ast.copy_location(ast.Return(_name(_RESULT, last)), last)
    return [*settled, result]


def _settled(block: list[ast.stmt], left: list[int]) -> list[ast.stmt]:
    """Rewrites a block at the end of a function; `left` is how many nodes may still be copied."""
    for number, statement in enumerate(block):
        if not isinstance(statement, ast.If) or not _returns(statement):
            continue
        rest = block[number + 1 :]
        reaching = [name for name in ("body", "orelse") if _goes_on(getattr(statement, name))]
        if len(reaching) == 2 and rest:
            left[0] -= sum(1 for one in rest for _ in ast.walk(one))
            if left[0] < 0:
                return block
        for position, name in enumerate(reaching):
            setattr(statement, name, [*getattr(statement, name), *(copy.deepcopy(rest) if position else rest)])
        for name in ("body", "orelse"):
            setattr(statement, name, _settled(getattr(statement, name), left))
        return block[: number + 1]
    return block


def _returns(statement: ast.If) -> bool:
    """Whether an `if` contains a `return` outside of loops and the like."""
    inside = [*statement.body, *statement.orelse]
    return any(isinstance(one, ast.Return) or (isinstance(one, ast.If) and _returns(one)) for one in inside)


def _goes_on(block: Sequence[ast.stmt]) -> bool:
    """Whether the statements behind a block can be reached."""
    if not block:
        return True
    last = block[-1]
    if isinstance(last, ast.If):
        return _goes_on(last.body) or _goes_on(last.orelse)
    return not isinstance(last, ast.Return | ast.Raise | ast.Continue | ast.Break)


def _assign_results(block: list[ast.stmt]) -> None:
    """Turns the `return` at the end of a block into an assignment; a block without one assigns None."""
    last = block[-1] if block else None
    if isinstance(last, ast.If) and _returns(last):
        for name in ("body", "orelse"):
            inner = getattr(last, name)
            if not inner:
                inner.append(ast.copy_location(ast.Pass(), last))
            _assign_results(inner)
    elif isinstance(last, ast.Return):
        value = last.value or ast.copy_location(ast.Constant(None), last)
        block[-1] = ast.copy_location(ast.Assign([_name(_RESULT, last, store=True)], value), last)
    elif last is not None and not isinstance(last, ast.Raise):
        block.append(ast.copy_location(ast.Assign([_name(_RESULT, last, store=True)], ast.Constant(None)), last))


# WHAT ASKS ------------------------------------------------------------------------------------------------------------


class _Transformer(ast.NodeTransformer):
    """Transforms the statements and expressions of one function.

    Args:
        function: the function.
        owner: the class that its private names belong to.
    """

    def __init__(self, function: ast.FunctionDef | ast.Lambda, owner: str | None):
        body = function.body if isinstance(function.body, list) else []
        self._outer = {name for node in own_nodes(body) if isinstance(node, ast.Global) for name in node.names}
        positional = [*function.args.posonlyargs, *function.args.args]
        self._mentions = Mentions(body, [one.arg for one in (*positional, *function.args.kwonlyargs)])
        self._first = positional[0].arg if positional else ""
        shared = {
            name for node in own_nodes(body) if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names
        }
        arguments = {one.arg for one in (*positional, *function.args.kwonlyargs)}
        self._local = {name for name in (changed_names(body) | arguments) - shared if not name.startswith("__")}
        self._owner = (owner or "").lstrip("_")
        self._ifs = 0

    def framed(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Puts a function's body with an `if` into the block of its frame, behind its docstring."""
        if not self._ifs:
            return body
        at = body[0]
        whole = ast.With([ast.withitem(_call("Frame", [], at), _name(_FRAME, at, store=True))], body)
        return [ast.copy_location(whole, at)]

    def _stored(self, name: str) -> str:
        """Returns the name under which a variable is kept."""
        private = name.startswith("__") and not name.endswith("__")
        return f"_{self._owner}{name}" if private and self._owner else name

    def block(self, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in statements:
            made = self.visit(statement)
            found.extend(made if isinstance(made, list) else [made])
        return found

    # Inner functions and classes are transformed when they are called.
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_If(self, node: ast.If) -> list[ast.stmt]:
        inside = [*node.body, *node.orelse]
        used = self._mentions.used(inside)
        changed = self._mentions.changed(inside)
        names, attributes, stored = (frozenset(map(self._stored, one)) for one in used[:3])
        used = used._replace(names=names, attributes=attributes, stored=stored | (changed & self._outer))
        names = sorted(changed - self._outer)
        self._ifs += 1
        number = self._ifs
        mine = f"{_BRANCHES}{number}"
        at = ast.copy_location(ast.Pass(), node.test)
        test = self.visit(node.test)

        def method(name: str, *arguments: ast.expr) -> ast.expr:
            return ast.Call(_attribute(mine, name, at), list(arguments), [])

        def now(variables: str) -> ast.expr:
            return ast.Call(_name(variables, at), [], [])

        def assigned(call: str) -> ast.stmt:
            targets = ast.Tuple([_name(name, at, store=True) for name in names], ast.Store())
            statement = ast.Assign([targets], method(call)) if names else ast.Expr(method(call))
            return ast.If(_attribute(mine, "splits", at), [statement], [])

        def branch(flag: str, before: list[ast.stmt], block: list[ast.stmt]) -> ast.stmt:
            leave = ast.Expr(method("leave", now("locals")))
            return ast.If(_attribute(mine, flag, at), [*before, *self.block(block), leave], [])

        first = branch("first", [], node.body)
        second = branch("second", [assigned("before")], node.orelse)
        arguments = [
            test,
            _constant((number, self._ifs)),
            _constant(tuple(map(self._stored, names))),
            _constant(tuple(tuple(sorted(one)) for one in used)),
            now("locals"),
            now("globals"),
        ]
        begin = ast.Call(_attribute(_FRAME, "branches", at), arguments, [])
        made = [ast.Assign([_name(mine, at, store=True)], begin), first, second, assigned("merged")]
        if local := sorted(self._local):
            targets = ast.Tuple([_name(name, at, store=True) for name in local], ast.Store())
            rebound = ast.Assign(
                [targets], method("replaced", _constant(tuple(map(self._stored, local))), now("locals"))
            )
            made.append(ast.If(_attribute(mine, "replaces", at), [rebound], []))
        return [ast.copy_location(one, at) for one in made]

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.iter = _call("iterated", [node.iter], node.iter)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        if not node.is_async:
            node.iter = _call("iterated", [node.iter], node.iter)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        if _holds(node.body, node.orelse):
            return self.generic_visit(node)
        test, yes, no = (self.visit(one) for one in (node.test, node.body, node.orelse))
        return _call("if_expression", [test, _later(yes), _later(no)], node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        if _holds(*node.values[1:]):
            return self.generic_visit(node)
        word = "and" if isinstance(node.op, ast.And) else "or"
        first, *others = (self.visit(value) for value in node.values)
        return _call("logical", [ast.Constant(word), first, *map(_later, others)], node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return _call("negated", [node.operand], node) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) == 1:
            self.generic_visit(node)
            return _compared(node.left, node.ops[0], node.comparators[0], node)
        if _holds(*node.comparators[1:]):
            return self.generic_visit(node)
        first, *others = (self.visit(value) for value in (node.left, *node.comparators))
        steps = []
        for operation, other in zip(node.ops, others, strict=True):
            pair = _compared(_name("left", node), operation, _name("right", node), node)
            arguments = ast.arguments([], [ast.arg("left"), ast.arg("right")], None, [], [], None, [])
            steps.append(ast.Tuple([ast.Lambda(arguments, pair), _later(other)], ast.Load()))
        return _call("chained", [first, *steps], node)

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        node.test = _call("truth", [node.test], node.test)
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        self.generic_visit(node)
        node.subject = _call("truth", [node.subject], node.subject)
        return node

    def visit_Starred(self, node: ast.Starred) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.value = _call("iterated", [node.value], node.value)
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        self.generic_visit(node)
        pairs = zip(node.keys, node.values, strict=True)
        node.values = [_call("iterated", [value], value) if key is None else value for key, value in pairs]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        alone = isinstance(node.func, ast.Name) and node.func.id in _LEFT_ALONE
        function = node.func
        self.generic_visit(node)
        if isinstance(function, ast.Name) and function.id in ("locals", "vars") and not node.args:
            return _call("own_variables", [node], node)
        if alone and not node.args and ast.unparse(function) == "super" and self._first:
            # Bare `super()` finds neither its class nor its object inside a lambda.
            node.args = [_name("__class__", node), _name(self._first, node)]
        if not alone:
            node.func = _call("convert_call", [node.func], function)
        return node


def _compared(left: ast.expr, operation: ast.cmpop, right: ast.expr, at: ast.AST) -> ast.expr:
    """Returns a comparison, which samples may answer differently if it asks for identity or membership."""
    asks = {ast.In: "contains", ast.NotIn: "contains", ast.Is: "same", ast.IsNot: "same"}.get(type(operation))
    if asks is None:
        return _located(ast.Compare(left, [operation], [right]), at)
    found = _call(asks, [left, right], at)
    return _call("negated", [found], at) if isinstance(operation, ast.NotIn | ast.IsNot) else found


def _constant(value: Any) -> ast.Constant:
    return ast.Constant(value)


def _holds(*values: ast.expr) -> bool:
    """Whether an expression contains something that cannot be moved into a function."""
    return any(isinstance(node, _HELD) for value in values for node in ast.walk(value))


def _later(value: ast.expr) -> ast.expr:
    arguments = ast.arguments([], [], None, [], [], None, [])
    return ast.copy_location(ast.Lambda(arguments, value), value)


def _call(function: str, arguments: list[Any], at: ast.AST) -> ast.expr:
    return _located(ast.Call(_attribute(CONTROL, function, at), arguments, []), at)


def _name(name: str, at: ast.AST, store: bool = False) -> ast.Name:
    return ast.copy_location(ast.Name(name, ast.Store() if store else ast.Load()), at)


def _attribute(name: str, attribute: str, at: ast.AST) -> ast.Attribute:
    return ast.copy_location(ast.Attribute(_name(name, at), attribute, ast.Load()), at)


_Located = TypeVar("_Located", bound=ast.AST)


def _located(made: _Located, at: ast.AST) -> _Located:
    """Gives new nodes the source position of another node."""
    for node in ast.walk(made):
        if "lineno" in node._attributes and not hasattr(node, "lineno"):
            ast.copy_location(node, at)
    return made
