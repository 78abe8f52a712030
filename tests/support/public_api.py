"""What users may import: every name of every door, with what it stands for.

`python tests/support/public_api.py` writes tests/public_api.txt, the snapshot that a test compares with.
"""

from __future__ import annotations

import enum
import functools
import importlib
import inspect
import pathlib
import pkgutil
import types

import jaxdali

SNAPSHOT = pathlib.Path(__file__).resolve().parent.parent / "public_api.txt"
# Doors whose import is an error that says what to do.
_REFUSED = {f"jaxdali.plugin.{name}" for name in ("mxnet", "numba", "paddle", "pytorch", "tf")}


def doors() -> dict[str, types.ModuleType]:
    """Returns every public module of jaxdali by its full name, `jaxdali` included."""
    found = {"jaxdali": jaxdali}
    left = [("jaxdali", jaxdali.__path__)]
    while left:
        package, path = left.pop()
        for info in pkgutil.iter_modules(path, f"{package}."):
            if info.name.rpartition(".")[2].startswith("_") or info.name in _REFUSED:
                continue
            found[info.name] = module = importlib.import_module(info.name)
            if info.ispkg:
                left.append((info.name, module.__path__))
    return dict(sorted(found.items()))


@functools.cache
def public_objects() -> tuple[tuple[str, object], ...]:
    """Returns every public name that is no module, with its door: `("jaxdali.image.resize", <function>)`."""
    named = ((f"{door}.{name}", getattr(module, name)) for door, module in doors().items() for name in module.__all__)
    return tuple((name, thing) for name, thing in named if not inspect.ismodule(thing))


def _signature(thing: object) -> str:
    try:
        signature = inspect.signature(thing)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return "(...)"
    shown = [
        p.replace(annotation=p.empty, default=p.empty if p.default is p.empty else _Shown(p.default))
        for p in signature.parameters.values()
    ]
    return str(inspect.Signature(shown))


class _Shown:
    """A default as it is written in the snapshot: without addresses."""

    def __init__(self, value: object) -> None:
        plain = isinstance(value, bool | int | float | str | bytes | tuple | None | enum.Enum)
        self.text = repr(value) if plain else f"<{type(value).__name__}>"

    def __repr__(self) -> str:
        return self.text


def lines() -> list[str]:
    """Returns the snapshot's lines: a name, and the signature of what can be called, with defaults; of classes the
    methods and properties, too. What has several names is described once.
    """
    found, first = [], {}
    for name, thing in sorted(public_objects(), key=lambda one: (one[0].count("."), one[0])):
        if callable(thing) and (known := first.setdefault(id(thing), name)) != name:
            found.append(f"{name} = {known}")
        elif isinstance(thing, enum.EnumType):
            found.append(f"{name}: {', '.join(f'{one.name}={one.value!r}' for one in thing)}")
        elif isinstance(thing, type):
            bases = [base.__name__ for base in thing.__bases__ if base is not object]
            found.append(f"{name}{_signature(thing)}{' <- ' + ', '.join(bases) if bases else ''}")
            found += [f"{name}.{member}" for member in _members(thing)]
        else:
            found.append(f"{name}{_signature(thing) if callable(thing) else ''}")
    return sorted(found)


def _members(cls: type) -> list[str]:
    """Returns the public members that a class, or a base of it in jaxdali that is not public, defines."""
    public = {thing for _, thing in public_objects() if isinstance(thing, type)}
    found = {}
    for base in cls.__mro__:
        if base is cls or (base.__module__.startswith("jaxdali.") and base not in public):
            for name, value in vars(base).items():
                if not name.startswith("_"):
                    routine = inspect.isroutine(value) or isinstance(value, staticmethod | classmethod)
                    found.setdefault(name, f"{name}{_signature(getattr(cls, name)) if routine else ''}")
    return [found[name] for name in sorted(found)]


if __name__ == "__main__":
    SNAPSHOT.write_text("\n".join(lines()) + "\n")
