"""The functions of `fn` and `math` that users call, made from operators' declarations with signatures and docstrings."""

from __future__ import annotations

import importlib
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jaxdali._base.missing import explain_missing
from ..graph.call import DataNode
from ..graph.declarations import operator_named
from . import FUNCTIONS
from .declaration import REQUIRED, Operator, Param
from .old import OLD_DEFAULTS, OLD_NAMES, old_arguments, warn_of_name

__all__ = ["describe", "function_named", "lazily", "math_functions", "names_in", "shown", "signature_of", "summary"]

_WIDTH = 120
_COMMON = {
    "device": "where it runs: {devices}. By default {default}",
    "name": "unique in its pipeline",
    "preserve": "compute it even if no output depends on it",
    "bytes_per_sample_hint": "without effect: XLA knows the exact size of each buffer of its program before it runs",
}


def names_in(module: str) -> dict[str, str]:
    """Returns the operators of a module of `fn`, including old names: their full names, by their names in the module.

    Args:
        module: "" for `fn` itself, or a name such as "random".
    """
    found = {}
    for name in sorted([*FUNCTIONS, *OLD_NAMES]):
        room, _, own = name.rpartition(".")
        if room == module:
            found[own] = name
    return found


def lazily(
    module: str, make: Callable[[str], object], given: Mapping[str, str], names: Sequence[str]
) -> Callable[[str], Any]:
    """Returns a module's `__getattr__`, which makes each attribute on first use: hundreds of operators take time to
    load and to describe.

    Args:
        module: its full Python name.
        make: makes an attribute from the operator's name in `fn`.
        given: the operators' names in `fn`, by attribute.
        names: all attributes; those that are not in `given` are submodules.
    """
    missing = explain_missing(module, [name for name in names if given.get(name) not in OLD_NAMES])

    def __getattr__(name: str) -> Any:
        if name not in names:
            return missing(name)
        if name not in given:
            return importlib.import_module(f"{module}.{name}")
        made = make(given[name])
        setattr(sys.modules[module], name, made)
        return made

    return __getattr__


def function_named(name: str) -> Callable[..., Any]:
    """Makes a function that calls the operator with that name in `fn`; an old name warns."""
    operator: Any = operator_named(OLD_NAMES.get(name, name))
    is_old, display_name, defaults = name in OLD_NAMES, f"fn.{name}", OLD_DEFAULTS.get(name, {})

    def function(*inputs: object, **arguments: object) -> Any:
        if is_old:
            warn_of_name(display_name, operator, f"fn.{operator.name}")
        return operator(*inputs, **{**defaults, **arguments})

    room, _, name = name.rpartition(".")
    function.__name__ = function.__qualname__ = name
    function.__module__ = ".".join(filter(None, ("jaxdali", "fn", room)))
    function.__doc__ = describe(operator)
    function.__signature__ = signature_of(operator)  # type: ignore[attr-defined]
    function.operator = operator  # type: ignore[attr-defined]
    return function


def math_functions() -> dict[str, Callable[..., DataNode]]:
    """Returns the functions of `math` by name."""
    from .arithmetic import operations

    found = {}
    for name, (operands, doc) in operations.FUNCTIONS.items():
        found[name] = function = _of_operation(operations.OPERATIONS[name])
        function.__name__ = function.__qualname__ = name
        function.__module__, function.__doc__ = "jaxdali.math", doc
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [inspect.Parameter(operand, kind) for operand in operands]
        function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return found


def _of_operation(operation: Any) -> Callable[..., DataNode]:
    def function(*operands: Any, **named: Any) -> DataNode:
        return operation(*operands, **named)

    return function


def signature_of(operator: Operator) -> inspect.Signature:
    """Returns the signature: what is taken by position and by name."""
    kinds = inspect.Parameter
    found = [
        kinds(one.name, kinds.VAR_POSITIONAL)
        if one.several
        else kinds(one.name, kinds.POSITIONAL_OR_KEYWORD, default=None if one.optional else kinds.empty)
        for one in operator.inputs
    ]
    # After any number of inputs no argument can be positional; classes do take them by position.
    by_position = () if any(one.several for one in operator.inputs) else operator.positional
    for param in shown(operator):
        kind = kinds.POSITIONAL_OR_KEYWORD if param.name in by_position else kinds.KEYWORD_ONLY
        found.append(kinds(param.name, kind, default=kinds.empty if param.default is REQUIRED else param.default))
    mine = {one.name for one in found}
    defaults = {"preserve": False}
    found += [kinds(name, kinds.KEYWORD_ONLY, default=defaults.get(name)) for name in _COMMON if name not in mine]
    return inspect.Signature([*found, kinds("dali", kinds.VAR_KEYWORD)])


def shown(operator: Operator) -> list[Param]:
    """Returns the arguments that users may give, positional ones first."""
    params = [param for param in operator.params if not param.hidden]
    return sorted(params, key=lambda param: param.name not in operator.positional)


def summary(operator: Operator) -> str:
    """Returns what it does, in a sentence: the first one of its docstring, without DALI's name for it."""
    first = " ".join(operator.doc.split()).partition(". ")[0].removesuffix(".")
    return first.partition("; DALI's ")[0] + "."


def describe(operator: Operator) -> str:
    """Returns the docstring."""
    parts = [inspect.cleandoc(operator.doc), "", "Args:"]
    lines = [(one.name, one.doc) for one in operator.inputs]
    for param in shown(operator):
        also = " May be a node with one value per sample." if param.per_sample or param.chosen else ""
        lines.append((param.name, f"{param.doc}.{also}"))
    mine = {param.name for param in operator.params}
    follows = operator.inputs and "gpu" in operator.devices
    first = "where its first input is" if follows else f'"{operator.devices[0]}"'
    told = {"devices": " or ".join(f'"{device}"' for device in operator.devices), "default": first}
    lines += [(name, text.format(**told)) for name, text in _COMMON.items() if name not in mine]
    lines += [(name, f"without effect: {reason}") for name, reason in operator.accepted.items()]
    lines += [(name, f"{only.value!r} only: {only.alternative}") for name, only in operator.refused.items()]
    lines += [(name, f"deprecated: {text}") for name, text in old_arguments(operator).items()]
    parts += _entries(lines)
    if operator.returns:
        parts += ["", "Returns:", *_wrapped(operator.returns)]
    parts += ["", "Raises:", *_entries([("ConfigError", "an argument cannot be honoured"), *operator.raises.items()])]
    return "\n".join(parts)


def _entries(lines: list[tuple[str, str]]) -> Iterator[str]:
    for name, text in lines:
        first, *rest = textwrap.wrap(f"{name}: {text.rstrip('.')}.", _WIDTH - 8) or [""]
        yield f"    {first}"
        yield from (f"        {line}" for line in rest)


def _wrapped(text: str) -> list[str]:
    return [f"    {line}" for line in textwrap.wrap(text, _WIDTH - 8)]
