"""Finds out how to call what a user handed in as `source`, and refuses bad sources before anything starts."""

from __future__ import annotations

import enum
import functools
import inspect
import types
from collections.abc import Callable
from typing import Any, Literal

from jaxdali._base.public_names import public_name
from jaxdali.errors import ConfigError, ConfigTypeError

__all__ = ["Cycle", "SourceKind", "check_cycle", "classify", "describe", "is_iterable", "positional_arguments"]

Cycle = Literal["no", "quiet", "raise"]

_CYCLES: dict[Any, Cycle] = {None: "no", False: "no", "no": "no", True: "quiet", "quiet": "quiet", "raise": "raise"}
_SPLIT_PARAMETERS = {"worker_id", "num_workers"}


class SourceKind(enum.Enum):
    """How data are taken from a source.

    CALLABLE: called once per sample or per batch.
    ITERABLE: `iter(source)`, then `next` once per sample or per batch.
    GENERATOR_FUNCTION: `iter(source())`.
    SPLIT_FACTORY: `iter(source(worker_id=..., num_workers=...))`, one in each worker.
    FED: the user feeds it whole batches.
    """

    CALLABLE = "callable"
    ITERABLE = "iterable"
    GENERATOR_FUNCTION = "generator function"
    SPLIT_FACTORY = "factory of iterables"
    FED = "fed"


def check_cycle(cycle: object) -> Cycle:
    """Returns the meaning of DALI's `cycle`: "no" (also False or None), "quiet" (also True) or "raise".

    Raises:
        ConfigError: anything else.
    """
    if not isinstance(cycle, bool | str | None) or cycle not in _CYCLES:
        raise ConfigError(
            f'Invalid value {cycle!r} for the argument `cycle`. Use "no" (also False or None), "quiet" (also True) or '
            '"raise".'
        )
    return _CYCLES[cycle]


def classify(source: object, cycle: object = None) -> SourceKind:
    """Returns the kind of `source`, without calling or iterating it.

    The first that holds: a generator function without required parameters (also an object whose `__call__` is one, and a
    `functools.partial` of either); something that `iter` takes; a callable whose parameters are exactly `worker_id` and
    `num_workers` (also a generator function, or a class that is made with them); a callable. So an object that is
    iterable and callable is an ITERABLE.

    Args:
        cycle: DALI's argument; only for sources that can be iterated.

    Raises:
        ConfigTypeError: `source` is a generator object with a cycle, a generator function with required parameters, or
            something that gives no data.
        ConfigError: the cycle is invalid, or given for a callable.
    """
    enabled = check_cycle(cycle) != "no"
    if enabled and inspect.isgenerator(source):
        raise ConfigTypeError(
            "Cannot cycle through a generator: it runs only once. Pass the generator function itself, without calling it, "
            "or an iterable whose __iter__ begins anew."
        )
    if callable(source) and _is_generator_function(source):
        return _classify_generator_function(source)
    if is_iterable(source):
        return SourceKind.ITERABLE
    if callable(source) and _is_split_factory(source):
        return SourceKind.SPLIT_FACTORY
    if cycle is not None:
        raise ConfigError(
            f"The argument `cycle` can only be specified if `source` is iterable, but it is {describe(source)}. A callable "
            "raises StopIteration at the end of its data and begins anew after reset()."
        )
    if not callable(source):
        raise ConfigTypeError(
            "The source must be callable, iterable or a parameterless generator function, but it is "
            f"{describe(source)} of type {public_name(type(source))}"
        )
    return SourceKind.CALLABLE


def describe(source: object) -> str:
    """Describes `source` so that its user recognizes it: "the function load (/data/train.py:12)", "the Reader object"."""
    function = _without_partial(source)
    code = getattr(function, "__code__", None)
    if isinstance(code, types.CodeType):
        return f"the function {function.__qualname__} ({code.co_filename}:{code.co_firstlineno})"
    if inspect.isroutine(function) or isinstance(function, type):
        return f"the {'class' if isinstance(function, type) else 'function'} {function.__qualname__}"
    return f"the {type(function).__name__} object"


def is_iterable(source: Any) -> bool:
    """Whether `iter` takes `source`. Does not call it, because `__iter__` may do work that belongs in the worker."""
    kind = type(source)
    if hasattr(kind, "__iter__"):
        return kind.__iter__ is not None
    return hasattr(kind, "__getitem__")


def positional_arguments(source: Callable[..., object]) -> int:
    """Returns how many positional arguments `source` is called with: 0 or 1.

    Parameters with defaults count, as in DALI. The parameters of bound methods, callable objects and `functools.partial`
    are those left to give; keywords that a partial binds do not count.

    Raises:
        ConfigTypeError: the signature has other parameters.
    """
    expected = f"the source {source!r} must accept either 0 or 1 positional arguments"
    try:
        parameters = _open_parameters(source)
    except ValueError as error:
        raise ConfigTypeError(f"{expected}, but its signature is not known ({error}); wrap it in a function") from error
    for parameter in parameters:
        if parameter.kind is parameter.VAR_POSITIONAL:
            raise ConfigTypeError(f"{expected}. Found var-positional argument `*{parameter.name}`.")
        if parameter.kind is parameter.VAR_KEYWORD:
            raise ConfigTypeError(f"{expected}. Found var-keyword argument `**{parameter.name}`.")
        if parameter.kind is parameter.KEYWORD_ONLY:
            raise ConfigTypeError(f"{expected}. Found keyword-only argument `{parameter.name}`.")
    if len(parameters) > 1:
        raise ConfigTypeError(f"{expected}. Found more than one positional argument ({len(parameters)}).")
    return len(parameters)


def _without_partial(source: object) -> Any:
    while isinstance(source, functools.partial):
        source = source.func
    return source


def _is_generator_function(source: object) -> bool:
    function = _without_partial(source)
    return inspect.isgeneratorfunction(function) or inspect.isgeneratorfunction(type(function).__call__)


def _classify_generator_function(source: Any) -> SourceKind:
    if _is_split_factory(source):
        return SourceKind.SPLIT_FACTORY
    required = [parameter.name for parameter in _open_parameters(source) if _is_required(parameter)]
    if required:
        raise ConfigTypeError(
            "The source must be callable, iterable or a parameterless generator function, but "
            f"{describe(source)} is a generator function that needs {', '.join(required)}. Bind them with "
            "functools.partial; one of exactly (worker_id, num_workers) is split over the workers."
        )
    return SourceKind.GENERATOR_FUNCTION


def _is_required(parameter: inspect.Parameter) -> bool:
    return parameter.default is parameter.empty and parameter.kind not in (
        parameter.VAR_POSITIONAL,
        parameter.VAR_KEYWORD,
    )


def _is_split_factory(source: Callable[..., Any]) -> bool:
    try:
        parameters = (
            list(inspect.signature(source).parameters.values())
            if isinstance(source, type)
            else _open_parameters(source)
        )
    except ValueError:
        return False
    by_name = {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    return len(parameters) == len(_SPLIT_PARAMETERS) and by_name == _SPLIT_PARAMETERS


def _open_parameters(source: Callable[..., Any]) -> list[inspect.Parameter]:
    """Returns the parameters that a caller of `source` may still give. For a class, those of its metaclass, as in DALI.

    Raises:
        ValueError: the signature is unknown.
    """
    function = source
    if not (inspect.isroutine(function) or isinstance(function, functools.partial)):
        function = types.MethodType(type(source).__call__, source)
    bound = function.keywords if isinstance(function, functools.partial) else {}
    parameters = inspect.signature(function).parameters.values()
    return [p for p in parameters if not (p.kind is p.KEYWORD_ONLY and p.name in bound)]
