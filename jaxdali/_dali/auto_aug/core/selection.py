"""Selects an augmentation for each sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from jaxdali.errors import ConfigError
from ...control.branches import if_expression
from ...control.function_conversion import convert_here
from ...graph.call import DataNode, Params
from .augmentation import Augmentation
from .magnitudes import SignedBin, looked_up

__all__ = ["Row", "apply_rows", "check_arguments", "select"]


def select(
    ops: Sequence[Callable[..., object]], selected_op_idx: DataNode, *op_args: object, **op_kwargs: object
) -> Any:
    """Calls, for each sample, one of several functions on the arguments.

    Computes all functions for all samples, and selects from their results.

    Args:
        ops: functions of nodes, such as augmentations. Their results have one type, layout and number of axes.
        selected_op_idx: a node: 0 selects the first function; any index beyond the last one selects the last.

    Raises:
        ConfigError: there are no functions.
    """
    if not ops:
        raise ConfigError("select expects at least one function to select")

    def made(index: int) -> Any:
        call: Any = convert_here(ops[index])
        if index == len(ops) - 1:
            return call(*op_args, **op_kwargs)
        return if_expression(selected_op_idx <= index, lambda: call(*op_args, **op_kwargs), lambda: made(index + 1))

    return made(0)


class Row(NamedTuple):
    """One choice for a sample: an augmentation with a magnitude bin, or None for no change."""

    one: Augmentation | None
    bin: int | None


def check_arguments(augmentations: Sequence[Augmentation], given: Params, display_name: str) -> None:
    """Raises ConfigError if an argument is missing, or no augmentation takes it."""
    for one in augmentations:
        one.check_extras(given)
    unused = [name for name in given if not any(name in one.extras for one in augmentations)]
    if unused:
        raise ConfigError(f"{display_name} got {', '.join(unused)}=, which no augmentation takes")


def apply_rows(
    data: DataNode, rows: Sequence[Row], bins: int, row: DataNode, sign: DataNode | None, given: Params
) -> DataNode:
    """Applies to each sample the augmentation of its row.

    Augmentations that allow it are done in one pass over all samples: `Augmentation.op` may have an attribute
    `one_pass`, a function `(data, rows, count, index, given) -> node`; see `passes`. Its node `index` says which
    parameters apply to a sample.

    Args:
        bins: the number of magnitude bins.
        row: a node, the row of each sample.
        sign: a node of 0 and 1; None if no magnitude is negated.
        given: arguments of augmentations.
    """
    index = row * 2 if sign is None else row * 2 + sign
    passes: dict[Callable[..., Any], list[int]] = {}
    others: dict[Augmentation, list[int]] = {}
    for number, (one, _) in enumerate(rows):
        if one is None:
            continue
        merged = getattr(one.op, "one_pass", None)
        if merged is not None:
            passes.setdefault(merged, []).append(number)
        else:
            others.setdefault(one, []).append(number)
    for merged, numbers in passes.items():
        data = merged(
            data, [(number, rows[number], _pair(rows[number], bins)) for number in numbers], len(rows), index, given
        )
    for one, numbers in others.items():
        taken = np.zeros(len(rows), np.bool_)
        taken[numbers] = True
        mine = looked_up(np.asarray([0 if one.bin is None else one.bin for one in rows], np.int32), row)
        magnitude: Any = mine if sign is None else SignedBin(mine, sign)
        data = _given_to_some(one, data, looked_up(taken, row), magnitude, bins, given)
    return data


def _given_to_some(
    one: Augmentation, data: DataNode, taken: DataNode, magnitude: Any, bins: int, given: Params
) -> DataNode:
    return if_expression(
        taken, lambda: one(data, magnitude_bin=magnitude, num_magnitude_bins=bins, **given), lambda: data
    )


def _pair(row: Row, bins: int) -> np.ndarray | None:
    """Returns the parameters of a row, `[2, ...]`; the second has the magnitude negated."""
    assert row.one is not None
    if row.one.mag_range is None:
        return None
    return row.one.parameters(bins)[row.bin or 0]
