"""What a graph knows of an operator, and the table of all operators by their names."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Protocol

__all__ = ["Declared", "declare", "declare_later", "operator_named", "operators"]


class Declared(Protocol):
    """The declaration of an operator; those of `jaxdali.operators`.

    Attributes:
        name: unique; for operators of `fn` the name there, such as "decoders.image".
        spoken: as the user wrote it: "fn.resize", "math.sqrt", "operator `+`".
        draws: it is random; its calls are numbered.
        transparent: its output is known by its input's name.
    """

    @property
    def name(self) -> str: ...
    @property
    def spoken(self) -> str: ...
    @property
    def draws(self) -> bool: ...
    @property
    def transparent(self) -> bool: ...

    def __call__(self, *inputs: Any, **arguments: Any) -> Any:
        """Calls the operator: the nodes of its outputs."""
        ...

    def again(self, inputs: Any, params: Any, hints: Any, device: str) -> Any:
        """A `Call` of what another call has, checked as if it were written anew."""
        ...

    def unsaved(self, call: Any, /) -> str | None:
        """Why a call cannot be saved; None: it can."""
        ...

    def identity(self, call: Any, /) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """What makes a call another one, by name: its parameters, or what they stand for; and their usual values."""
        ...


_operators: dict[str, Declared] = {}
# The modules of those that nobody has asked for yet.
_modules: dict[str, str] = {}


def declare(operator: Any) -> Any:
    """Enters an operator into the table, and returns it.

    Raises:
        ValueError: another one has its name.
    """
    if _operators.setdefault(operator.name, operator) is not operator:
        raise ValueError(f"two operators are called {operator.name!r}")
    return operator


def declare_later(modules: Mapping[str, str]) -> None:
    """Says which module declares an operator when it is imported, by the operator's name; "room.*" are all of a room."""
    _modules.update(modules)


def operator_named(name: str) -> Declared:
    """The operator of that name.

    Raises:
        KeyError: there is none.
    """
    if name not in _operators:
        module = _modules.get(name) or _modules.get(f"{name.partition('.')[0]}.*")
        if module is not None:
            importlib.import_module(module)
    return _operators[name]


def operators() -> Mapping[str, Declared]:
    """All that there are, by their names."""
    for module in _modules.values():
        importlib.import_module(module)
    return _operators
