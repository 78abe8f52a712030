"""Arguments that choose one of a few computations, given as a node: all are computed, and one is selected per sample."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence

import numpy as np

from jaxdali.errors import ConfigError, GraphError
from ..graph.call import Call, DataNode, MutableParams
from ..graph.declarations import operator_named
from .image_extents import constant_value
from .params import Param

__all__ = ["chosen_argument", "one_of_each"]

_Made = DataNode | list[DataNode]


def chosen_argument(params: Sequence[Param], given: MutableParams) -> Param | None:
    """Returns the first parameter that is a node although it chooses a computation; None if there is none."""
    return next((param for param in params if param.chosen and isinstance(given.get(param.name), DataNode)), None)


def one_of_each(
    word: str, param: Param, given: MutableParams, write: Callable[[MutableParams, Call | None], _Made]
) -> _Made:
    """Computes an operator with each value that an argument may have, and selects one result per sample.

    Args:
        word: the argument, for errors.
        given: the operator's arguments.
        write: `(arguments, call) -> node`, or a list of them: writes the operator with the same draws as that call.

    Raises:
        GraphError: the operator was given several sets of inputs.
    """
    choice: DataNode = given.pop(param.name)
    values = _possible(choice, param)
    if len(values) > 1:
        numbers = tuple(int(value) for value in values)
        choice = operator_named("one_of")(choice, numbers=numbers, what=word)
    results: list[_Made] = []
    for value in values:
        results.append(write({**given, param.name: value}, _image(results[0]).call if results else None))
        given.pop("name", None)  # only the first call gets the name
    if not all(isinstance(_image(result), DataNode) for result in results):
        raise GraphError(f"{word} as a node expects one set of inputs; call the operator for each")
    selected = _image(results[-1])
    for value, result in zip(values[-2::-1], results[-2::-1], strict=True):
        selected = operator_named("select")(choice == int(value), _image(result), selected, what=word)
    first = results[0]
    return [selected, *first[1:]] if isinstance(first, list) else selected


def _image(result: _Made) -> DataNode:
    return result[0] if isinstance(result, list) else result


def _possible(choice: DataNode, param: Param) -> list[enum.IntEnum]:
    """Returns the values that a node may have: those that it is drawn from, or all of the argument's."""
    kind: type[enum.IntEnum] = type(param.kind.examples[0])
    call, numbers = choice.call, constant_value(choice)
    if call.operator.name == "random.choice" and call.inputs:
        numbers = constant_value(call.inputs[0])
        if numbers is not None and not numbers.ndim:
            numbers = np.arange(numbers.item())
    elif call.operator.name == "random.uniform" and not isinstance(call.params["values"], DataNode):
        numbers = call.params["values"]
    if numbers is None:
        return list(kind)
    try:
        return [kind(int(number)) for number in np.unique(np.asarray(numbers))]
    except ValueError as error:
        raise ConfigError(f"{param.name} as a node expects values of types.{kind.__name__}: {error}") from error
