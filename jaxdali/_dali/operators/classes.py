"""The classes of `ops`: operators as objects, which take some arguments when they are made, and the others when called."""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

from jaxdali.errors import ConfigError, ConfigKeyError, ConfigTypeError
from ..graph.call import MutableParams
from ..graph.class_names import class_name
from ..graph.declarations import operator_named
from .declaration import Operator
from .old import OLD_DEFAULTS, OLD_NAMES, current_arguments, old_arguments, warn_of_name
from .operator_functions import describe, names_in

__all__ = ["OperatorObject", "class_name", "class_named", "class_names_in", "operator_of"]


class _Device:
    """Where operators of an object are placed unless their inputs say otherwise: an attribute that derived classes may
    replace.
    """

    def __get__(self, made: OperatorObject | None, kind: object = None) -> object:
        return self if made is None else made._OperatorObject__device()  # type: ignore[attr-defined]


class OperatorObject:
    """An operator with some of its arguments. Each call adds the operator to the graph again; if it is random, with new
    draws.

    Users derive classes from these, with attributes of any name; so private attributes have mangled names.
    """

    __operator: ClassVar[Operator]
    # How users write it; whether that is an old name; and the old name's defaults.
    __display_name: ClassVar[str]
    __old: ClassVar[bool]
    __defaults: ClassVar[MutableParams]

    device = _Device()

    def __init_subclass__(cls, operator: Operator | None = None, name: str = "", **rest: object) -> None:
        super().__init_subclass__(**rest)
        if operator is not None:
            cls.__operator, cls.__old = operator, name in OLD_NAMES
            cls.__defaults = OLD_DEFAULTS.get(name, {})
            cls.__display_name = f"{cls.__module__.removeprefix('jaxdali.')}.{cls.__name__}"

    def __init__(self, *given: object, **arguments: object):
        positional = self.__operator.positional
        named = dict(zip(positional, given, strict=False))
        if len(given) > len(positional) or named.keys() & arguments.keys():
            raise ConfigTypeError(
                f"{self.__display_name} takes {len(positional)} argument(s) by position, each once; got {len(given)}"
            )
        self.__arguments = self.__read({**named, **arguments})

    def __call__(self, *inputs: object, **arguments: object) -> Any:
        """Adds the operator to the graph; returns its node, or a list of nodes.

        If an input is a list of nodes, it stands for several sets of inputs: the result is a list with the node of each
        set, and all sets share the same draws.

        Raises:
            ConfigError: an argument was already given to the constructor, or as in the function of `fn`.
            ConfigKeyError: an argument is unknown.
        """
        if self.__old:
            room, _, own = self.__operator.name.rpartition(".")
            warn_of_name(self.__display_name, self.__operator, ".".join(filter(None, ("ops", room, class_name(own)))))
        given = self.__read(arguments)
        for name in given:
            # DALI allows a name in both places for external sources; the call's name counts.
            if name in self.__arguments and not (name == "name" and not self.__operator.inputs):
                raise ConfigError(
                    f"The argument `{name}` of {self.__display_name} was already specified in constructor, as "
                    f"{self.__arguments[name]!r:.80}; give it in one place"
                )
        return self.__operator(*inputs, **{**self.__defaults, **self.__arguments, **given})

    def __device(self) -> object:
        return self.__arguments.get("device", self.__operator.devices[0])

    def __read(self, arguments: MutableParams) -> MutableParams:
        operator = self.__operator
        old = old_arguments(operator)
        for name in arguments:
            if name not in operator.arguments and name not in old:
                import difflib  # loaded here because every import of jaxdali.ops loads this file

                close = difflib.get_close_matches(name, operator.arguments, 1)
                known = ", ".join(operator.arguments)
                hint = f"; did you mean {close[0]}?" if close else f"; both places take {known}"
                raise ConfigKeyError(f"{self.__display_name} has no argument {name!r}{hint}")
        # As in DALI, None means not given.
        given = {name: value for name, value in arguments.items() if value is not None}
        return current_arguments(operator, self.__display_name, given)


def operator_of(kind: type[OperatorObject]) -> Operator:
    """Returns the operator of a class of `ops`."""
    return kind._OperatorObject__operator  # type: ignore[attr-defined]


def class_names_in(module: str) -> dict[str, str]:
    """Returns the operators of a module of `ops`: their names in `fn`, by their class names.

    Args:
        module: "" for `ops` itself, or a name such as "random".
    """
    return {class_name(own): name for own, name in names_in(module).items()}


def class_named(name: str) -> type[OperatorObject]:
    """Makes the class of an operator, by the operator's name in `fn`, also an old one."""
    operator: Any = operator_named(OLD_NAMES.get(name, name))
    room, _, own = name.rpartition(".")
    summary, _, rest = describe(operator).partition("\n")
    text = f"{summary}\n\nArguments may be given here or in the call, each in one place.\n{rest}"
    place = {"__doc__": inspect.cleandoc(text), "__module__": ".".join(filter(None, ("jaxdali", "ops", room)))}
    return type(class_name(own), (OperatorObject,), place, operator=operator, name=name)
