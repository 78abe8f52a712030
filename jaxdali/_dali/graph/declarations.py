"""What a graph knows about an operator, and the table of all operators by name."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Protocol

from jaxdali._base.documentation import page_url
from jaxdali.errors import ConfigError

__all__ = ["Declared", "declare", "declare_later", "operator_named", "operators"]


class Declared(Protocol):
    """The declaration of an operator, see `jaxdali._dali.operators`.

    Attributes:
        name: unique; for operators of `fn` their name there, such as "decoders.image".
        display_name: how the user writes it: "fn.resize", "math.sqrt", "operator `+`".
        is_random: it is random, so its calls are numbered.
        transparent: its output has the name of its input.
    """

    @property
    def name(self) -> str: ...
    @property
    def display_name(self) -> str: ...
    @property
    def is_random(self) -> bool: ...
    @property
    def transparent(self) -> bool: ...

    def __call__(self, *inputs: Any, **arguments: Any) -> Any:
        """Calls the operator and returns the nodes of its outputs."""
        ...

    def from_saved(self, inputs: Any, params: Any, hints: Any, device: str) -> Any:
        """Makes a `Call` with what another call was given, checked as if it were newly written."""
        ...

    def unsaved(self, call: Any, /) -> str | None:
        """Returns the reason why a call cannot be saved, or None if it can."""
        ...

    def identity(self, call: Any, /) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Returns what distinguishes a call from others: its parameters by name, or what they stand for, and their
        defaults.
        """
        ...


_operators: dict[str, Declared] = {}
# The modules of operators that are not loaded yet.
_modules: dict[str, str] = {}


def declare(operator: Any) -> Any:
    """Adds an operator to the table, and returns it.

    Raises:
        ValueError: another operator has its name.
    """
    if _operators.setdefault(operator.name, operator) is not operator:
        raise ValueError(f"two operators are called {operator.name!r}")
    return operator


def declare_later(modules: Mapping[str, str]) -> None:
    """Says which module declares an operator on import, by the operator's name; "room.*" stands for all operators of a
    room.
    """
    _modules.update(modules)


def operator_named(name: str) -> Declared:
    """Returns the operator of that name.

    Raises:
        ConfigError: no operator has it.
    """
    if name not in _operators:
        module = _modules.get(name) or _modules.get(f"{name.partition('.')[0]}.*")
        if module is not None:
            importlib.import_module(module)
    if name not in _operators:
        raise ConfigError(
            f"there is no operator {name!r:.80}; a later jaxdali may have it, if this is a pipeline that one saved "
            f"({page_url('versions', 'what-is-saved')})"
        )
    return _operators[name]


def operators() -> Mapping[str, Declared]:
    """Returns all operators by name."""
    for module in _modules.values():
        importlib.import_module(module)
    return _operators
