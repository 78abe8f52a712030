"""The pages of the API: one a door, with every public name on it. mkdocstrings renders docstrings where `:::` stands."""

from __future__ import annotations

import inspect
from collections.abc import Iterable

import public_api

__all__ = ["homes", "operator_link", "pages"]

# What is long enough for a page of its own.
_ALONE = ("jaxdali.Loader", "jaxdali.Pipeline")
# Old functions of what is a method of nodes.
_METHODS = ("shape",)
_OPERATORS = ("jaxdali.fn", "jaxdali.ops")


def pages() -> dict[str, str]:
    """Returns the pages, by path in the site."""
    doors, found = public_api.doors(), {}
    for door, module in doors.items():
        if door.startswith(_OPERATORS) and door not in _OPERATORS:
            continue  # rooms are on the door's page
        text = _operators(door) if door in _OPERATORS else _door(door)
        found[page_of(door)] = f"# {door}\n\n{inspect.getdoc(module) or ''}\n{text}"
    found |= {page_of(name): f"# {name}\n\n::: {name}\n    options: {{ heading_level: 2 }}\n" for name in _ALONE}
    return found | {"api/index.md": _index(doors)}


def page_of(name: str) -> str:
    """Returns the page of a door, or of a name that has one to itself: "jaxdali.image" is on "api/image.md"."""
    return f"api/{name.removeprefix('jaxdali.')}.md"


def homes() -> dict[str, str]:
    """Returns for every public name the one under which the same thing is described: an error is one of `jaxdali.errors`,
    and everything else is described where it has the fewest dots in its name.
    """
    names = sorted((name for name, _ in public_api.public_objects()), key=lambda one: (one.count("."), one))
    things = dict(public_api.public_objects())
    names.sort(key=lambda one: not one.startswith("jaxdali.errors."))
    first: dict[int, str] = {}
    return {name: first.setdefault(id(things[name]), name) if callable(things[name]) else name for name in names}


def _summary(thing: object) -> str:
    own = inspect.isroutine(thing) or isinstance(thing, type) or vars(type(thing)).get("__doc__") != thing.__doc__
    text = (inspect.getdoc(thing) or "") if own else ""
    return text.split("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def _rendered(thing: object) -> bool:
    """Whether it has a docstring of its own to show, and not only a value."""
    return inspect.isroutine(thing) or isinstance(thing, type)


def _link(name: str, thing: object) -> str:
    page = page_of(name if name in _ALONE else name.rpartition(".")[0]).removeprefix("api/")
    return f"[`{name}`][{name}]" if _rendered(thing) else f"[`{name}`]({page}#{name})"


def _rows(names: Iterable[tuple[str, str]]) -> str:
    """A table of names and what is said of them."""
    rows = "".join(f"| {name} | {said} |\n" for name, said in names)
    return f"\n| name | |\n|---|---|\n{rows}" if rows else ""


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
            bodies.append("" if name in _ALONE else f"\n::: {name}\n")
        else:
            said = _summary(thing) if callable(thing) else f"`{thing!r}`"
            table.append((f"[](){{ #{name} }}`{last}`", said))
    return _rows(table) + "".join(bodies)


def operator_link(operator: str) -> str:
    """Returns where an operator is described, from a page of this folder.

    Args:
        operator: its name in `fn`, "readers.file".
    """
    return f"../operators.md#fn{operator.replace('.', '')}"


def _operators(door: str) -> str:
    """The operators of a door and its rooms."""
    found = []
    for room in public_api.doors():
        if not f"{room}.".startswith(f"{door}."):
            continue
        mine = [(name, thing) for name, thing in public_api.public_objects() if name.rpartition(".")[0] == room]
        rows = [(f"[](){{ #{name} }}{_linked(name, thing)}", _summary(thing)) for name, thing in sorted(mine)]
        found.append(f"\n## {room}\n{_rows(rows)}" if rows else "")
    return "".join(found)


def _linked(name: str, thing: object) -> str:
    """A function of `fn` or a class of `ops`, linked to its operator. `ops.Compose` is none."""
    shown = f"`{name.removeprefix('jaxdali.')}`"
    operator = getattr(thing, "operator", None) or getattr(thing, "_OperatorObject__operator", None)
    if operator is None:
        return shown
    if operator.name in _METHODS:
        return f"[{shown}][jaxdali.DataNode.{operator.name}]"
    return f"[{shown}]({operator_link(operator.name)})"


def _index(doors: Iterable[str]) -> str:
    listed = [
        (f"[`{door}`]({door.removeprefix('jaxdali.')}.md)", _summary(module))
        for door, module in doors.items()
        if door in _OPERATORS or not door.startswith(_OPERATORS)
    ]
    return f"# API\n\nWhat can be imported, by module.\n{_rows(listed)}"
