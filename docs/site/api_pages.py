"""The pages of the API: one a door, with every public name on it. mkdocstrings renders docstrings where `:::` stands."""

from __future__ import annotations

import enum
import functools
import inspect
from collections.abc import Iterable

import public_api

from jaxdali._dali.operators.declaration import Operator

__all__ = ["ALONE", "addresses", "pages"]

# Walks through the package each time.
_doors = functools.cache(public_api.doors)

# What is long enough for a page of its own.
ALONE = ("jaxdali.Loader", "jaxdali.Pipeline")
# Old functions of what is a method of nodes.
_METHODS = ("shape",)
_OPERATORS = ("jaxdali.fn", "jaxdali.ops")


def pages() -> dict[str, str]:
    """Returns the pages, by path in the site."""
    doors, found = _doors(), {}
    for door, module in doors.items():
        if not _has_page(door):
            continue
        text = _operators(door) if door in _OPERATORS else _door(door)
        found[page_of(door)] = f"# {door}\n\n{inspect.getdoc(module) or ''}\n{text}"
    found |= {page_of(name): f"# {name}\n\n::: {name}\n    options: {{ heading_level: 2 }}\n" for name in ALONE}
    return found | {"api/index.md": _index(doors)}


def _has_page(door: str) -> bool:
    """Whether a door has a page of its own: rooms of operators are on that of all operators."""
    return door in _OPERATORS or not door.startswith(_OPERATORS)


def _door_of(name: str) -> str:
    """The door on whose page a name is: the longest one that has a page, since the name may be that of a method."""
    doors = [door for door in _doors() if _has_page(door) and name.startswith(f"{door}.")]
    return max(doors, key=len)


def page_of(name: str) -> str:
    """Returns the page of a door, or of a name that has one to itself: "jaxdali.image" is on "api/image.md"."""
    return f"api/{name.removeprefix('jaxdali.')}.md"


@functools.cache
def homes() -> dict[str, str]:
    """Returns for every public name the one under which the same thing is described: an error is one of `jaxdali.errors`,
    and everything else is described where it has the fewest dots in its name.
    """
    things = dict(public_api.public_objects())
    names = sorted(things, key=lambda one: (not one.startswith("jaxdali.errors."), one.count("."), one))
    first: dict[int, str] = {}
    return {name: first.setdefault(id(things[name]), name) if callable(things[name]) else name for name in names}


@functools.cache
def addresses() -> dict[str, tuple[str, str]]:
    """Returns for every public name, members of classes included, the page and the anchor where it is described."""
    found = {}
    for name, thing in public_api.public_objects():
        operator, home = _operator(thing), homes()[name]
        if operator is not None and operator.name not in _METHODS:
            page, _, anchor = operator_link(operator.name).removeprefix("../").partition("#")
            found[name] = (page, anchor)
            continue
        if operator is not None:
            home = f"jaxdali.DataNode.{operator.name}"
        found[name] = (page_of(next((one for one in ALONE if f"{home}.".startswith(f"{one}.")), _door_of(home))), home)
        if isinstance(thing, type) and not isinstance(thing, enum.EnumType):
            described = [one for one, value in vars(thing).items() if not one.startswith("_") and inspect.getdoc(value)]
            found |= {f"{name}.{one}": (found[name][0], f"{home}.{one}") for one in described}
    return found | {door: (page_of(door), "") for door in _doors() if _has_page(door)}


def _summary(thing: object) -> str:
    own = inspect.isroutine(thing) or isinstance(thing, type) or vars(type(thing)).get("__doc__") != thing.__doc__
    text = (inspect.getdoc(thing) or "") if own else ""
    return text.split("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def _rendered(thing: object) -> bool:
    """Whether it has a docstring of its own to show, and not only a value."""
    return inspect.isroutine(thing) or isinstance(thing, type)


def _link(name: str, thing: object) -> str:
    page, anchor = addresses()[name]
    return f"[`{name}`][{name}]" if _rendered(thing) else f"[`{name}`]({page.removeprefix('api/')}#{anchor})"


def _rows(names: Iterable[tuple[str, str]]) -> str:
    """A table of names and what is said of them."""
    rows = "".join(f"| {name} | {said} |\n" for name, said in names)
    return f"\n| name | |\n|---|---|\n{rows}" if rows else ""


def _value(thing: object) -> str:
    """A constant as its type's documentation has it."""
    return f"`{thing}`, {thing.value!r}" if isinstance(thing, enum.Enum) else f"`{thing!r}`"


def _door(door: str) -> str:
    """What a door has: a table of all, and the docstrings of those that have their home here."""
    home, table, bodies, things = homes(), [], [], dict(public_api.public_objects())
    for name, thing in things.items():
        if name.rpartition(".")[0] != door:
            continue
        last = name.rpartition(".")[2]
        if home[name] != name:
            same = _link(home[name], things[home[name]])
            table.append((f"[](){{ #{name} }}`{last}`", f"is {same}: {_summary(thing)}".removesuffix(": ")))
        elif _rendered(thing):
            table.append((f"[`{last}`][{name}]", _summary(thing)))
            bodies.append("" if name in ALONE else f"\n::: {name}\n")
        else:
            said = _summary(thing) if callable(thing) else _value(thing)
            table.append((f"[](){{ #{name} }}`{last}`", said))
    return _rows(table) + "".join(bodies)


def operator_link(operator: str) -> str:
    """Returns where an operator is described, from a page of this folder.

    Args:
        operator: its name in `fn`, "readers.file".
    """
    return f"../operators/fn.{operator}.md"


def _operators(door: str) -> str:
    """The operators of a door and its rooms, and what else is there: `ops.Compose`."""
    found, others = [], ""
    for room in _doors():
        if not f"{room}.".startswith(f"{door}."):
            continue
        mine = [(name, thing) for name, thing in public_api.public_objects() if name.rpartition(".")[0] == room]
        others += "".join(f"\n::: {name}\n" for name, thing in mine if _operator(thing) is None)
        rows = [(_linked(name, thing), _summary(thing)) for name, thing in sorted(mine)]
        found.append(f"\n## {room}\n{_rows(rows)}" if rows else "")
    return "".join(found) + others


def _operator(thing: object) -> Operator | None:
    """The operator of a function of `fn` or a class of `ops`; None: it is none, as `ops.Compose`."""
    found = getattr(thing, "operator", None) or getattr(thing, "_OperatorObject__operator", None)
    return found if isinstance(found, Operator) else None


def _linked(name: str, thing: object) -> str:
    """A function of `fn` or a class of `ops`, linked to the page of its operator."""
    shown, operator = f"`{name.removeprefix('jaxdali.')}`", _operator(thing)
    if operator is None:
        return f"[{shown}][{name}]"
    anchor = f"[](){{ #{name} }}"
    if operator.name in _METHODS:
        return f"{anchor}[{shown}][jaxdali.DataNode.{operator.name}]"
    return f"{anchor}[{shown}]({operator_link(operator.name)})"


def _index(doors: Iterable[str]) -> str:
    listed = [
        (f"[`{door}`]({door.removeprefix('jaxdali.')}.md)", _summary(module))
        for door, module in doors.items()
        if _has_page(door)
    ]
    return f"# API\n\nWhat can be imported, by module.\n{_rows(listed)}"
