"""The classes of `ops`: operators as objects, which are made with some of their arguments and called with the others."""

from __future__ import annotations

import difflib
import inspect
from typing import Any, ClassVar

from ..errors import ConfigError
from .functions import describe, names_in, shown
from .record import COMMON, Operator

__all__ = ["OperatorObject", "class_names_in", "class_of"]


class OperatorObject:
    """An operator that knows some of its arguments; each call writes it once more, and draws anew if it is random."""

    operator: ClassVar[Operator]

    def __init__(self, *given: Any, **arguments: Any):
        named = dict(zip(self.operator.positional, given, strict=False))
        if len(given) > len(self.operator.positional) or named.keys() & arguments.keys():
            raise ConfigError(
                f"{self._spoken} takes {len(self.operator.positional)} argument(s) by position, each once; got {len(given)}"
            )
        self._arguments = self._given({**named, **arguments})

    def __call__(self, *inputs: Any, **arguments: Any) -> Any:
        """Writes the operator; returns its node, or the list of them.

        Raises:
            ConfigError: an argument that the constructor was given already, or as the function in `fn`.
        """
        given = self._given(arguments)
        for name in given:
            # DALI's external sources are given a name by either, and the call's counts.
            if name in self._arguments and not (name == "name" and not self.operator.inputs):
                raise ConfigError(
                    f"The argument `{name}` of {self._spoken} was already specified in constructor, as "
                    f"{self._arguments[name]!r:.80}; give it in one place"
                )
        return self.operator(*inputs, **{**self._arguments, **given})

    @property
    def _spoken(self) -> str:
        return f"{type(self).__module__.removeprefix('jaxdali.')}.{type(self).__name__}"

    def _given(self, arguments: dict[str, Any]) -> dict[str, Any]:
        mine = self.operator
        mentioned = [*(param.name for param in shown(mine)), *mine.accepted, *mine.refused, *COMMON]
        known = list(dict.fromkeys(mentioned))
        for name in arguments:
            if name not in known:
                close = difflib.get_close_matches(name, known, 1)
                hint = f"; did you mean {close[0]}?" if close else f"; both places take {', '.join(known)}"
                raise ConfigError(f"{self._spoken} has no argument {name!r}{hint}")
        # As in DALI, None says nothing.
        return {name: value for name, value in arguments.items() if value is not None}


def class_names_in(module: str) -> dict[str, str]:
    """The names of the operators of a module of `ops`, by what they are called there.

    Args:
        module: "" for those right in `ops`, or a name such as "random".
    """
    return {_camel(own): name for own, name in names_in(module).items()}


def class_of(operator: Operator) -> type[OperatorObject]:
    """The class of an operator."""
    room, _, own = operator.name.rpartition(".")
    return _class_of(operator, _camel(own), ".".join(filter(None, ("jaxdali", "ops", room))))


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _class_of(operator: Any, name: str, module: str) -> type[OperatorObject]:
    summary, _, rest = describe(operator).partition("\n")
    text = f"{summary}\n\nArguments may be given here or in the call, each in one place.\n{rest}"
    return type(
        name, (OperatorObject,), {"operator": operator, "__doc__": inspect.cleandoc(text), "__module__": module}
    )
