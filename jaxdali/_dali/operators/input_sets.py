"""Reads the inputs of an operator: nodes, numbers, and lists of nodes, which stand for several sets of inputs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from jaxdali._base.constants import Constant, promoted
from jaxdali.errors import ConfigError, GraphTypeError
from ..graph.call import DataNode, MutableParams
from ..graph.declarations import operator_named
from ..graph.unset import Unset
from .params import Input

__all__ = ["input_sets"]

_FILES = ("files", "sounds", "videos")  # kinds of input that are whole files


def input_sets(
    display_name: str, wanted: Sequence[Input], inputs: Sequence[object], given: MutableParams
) -> list[list[DataNode]]:
    """Returns the nodes of each set of inputs; a single set unless there are lists of several nodes.

    Numbers, lists and tuples of them, and arrays are constants. A list of one node is that node. A longer list has the
    input of one set in each entry; other nodes are shared by all sets.

    Args:
        wanted: what the operator takes.
        inputs: given by position.
        given: given by name; inputs are removed from it.

    Raises:
        ConfigError: there are too many inputs, or lists of different lengths.
        GraphTypeError: an input is not a node.
    """
    if wanted and wanted[-1].several:
        wanted = [*wanted, *[wanted[-1]] * (len(inputs) - len(wanted))]
    if len(inputs) > len(wanted):
        raise ConfigError(f"{display_name} takes {len(wanted)} input(s), got {len(inputs)}")
    found: list[list[DataNode]] = []
    for position, one in enumerate(wanted):
        value = inputs[position] if position < len(inputs) else given.pop(one.name, None)
        if value is None and one.optional:
            continue
        if isinstance(value, list) and any(isinstance(entry, DataNode) for entry in value):
            found.append([_node(display_name, one, entry, in_list=True) for entry in value])
        else:
            found.append([_node(display_name, one, value)])
    lengths = sorted({len(entry) for entry in found if len(entry) > 1})
    if len(lengths) > 1:
        raise ConfigError(
            f"{display_name} got lists of {' and '.join(map(str, lengths))} nodes; a list has one input for each set, so "
            "all "
            "lists must be equally long"
        )
    count = lengths[0] if lengths else 1
    return [[entry[k] if len(entry) > 1 else entry[0] for entry in found] for k in range(count)]


def _node(display_name: str, wanted: Input, value: object, in_list: bool = False) -> DataNode:
    if isinstance(value, DataNode):
        is_file = wanted.takes in _FILES and value.call.operator is operator_named("constant")
        return _on_host(value.call.params["value"]) if is_file else value
    number = isinstance(value, np.ndarray | np.generic | int | float) or (isinstance(value, list | tuple) and value)
    if isinstance(value, Constant) or (number and not in_list):
        try:
            constant = promoted(value)
        except ConfigError as error:
            raise GraphTypeError(
                f"{display_name} works on DataNodes, got {value!r:.80} for {wanted.name}: {error}"
            ) from error
        if wanted.takes in _FILES:
            return _on_host(constant.value)
        made: Any = operator_named("constant")(value=constant.value, layout=constant.layout, device=constant.device)
        return made
    if isinstance(value, Unset):
        raise GraphTypeError(f"{display_name} works on DataNodes, and {value!r}")
    got = "nothing" if value is None else f"{type(value).__name__}{' in a list' if in_list else ''}"
    raise GraphTypeError(f"{display_name} works on DataNodes, got {got} for {wanted.name}")


def _on_host(value: np.ndarray) -> DataNode:
    """Makes a node that gives an array to every sample on the host, where decoders take their files."""
    made: Any = operator_named("python_function")(function=partial(np.asarray, value))
    return made
