"""Passes over all images, each image with its own parameters, which may leave it unchanged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jaxdali._device.image.level_changes import CHANGES
from jaxdali.errors import ConfigError
from ..graph.call import DataNode, Params
from ..graph.declarations import operator_named
from .core.magnitudes import looked_up
from .core.selection import Row

__all__ = ["colors", "levels_pass", "rotated", "sharpened", "warped"]

# For each row that a pass handles: its number, the row, and its parameters, `[2, ...]`, the second with the magnitude
# negated.
Rows = Sequence[tuple[int, Row, np.ndarray | None]]


def _table(rows: Rows, count: int, usual: object, value: Callable[[Row, Any], Any]) -> np.ndarray:
    """Returns `[count * 2, ...]`: `value(row, parameter)` for each row in `rows`, the usual value for others."""
    usual = np.asarray(usual, np.float32)
    table = np.broadcast_to(usual, (count, 2, *usual.shape)).copy()
    for number, row, pair in rows:
        for sign in range(2):
            table[number, sign] = value(row, None if pair is None else pair[sign])
    return table.reshape(-1, *usual.shape)


def levels_pass(data: DataNode, rows: Rows, count: int, index: DataNode, _given: Params) -> DataNode:
    """Changes levels, for augmentations whose function has `change`, one of `CHANGES`."""

    def change(row: Row, _parameter: object) -> int:
        assert row.one is not None
        return CHANGES.index(row.one.op.change)  # type: ignore[attr-defined]

    changes = _table(rows, count, 0, change)
    numbers = _table(rows, count, 0, lambda _row, parameter: 0 if parameter is None else parameter)
    changed = {"change": looked_up(changes, index), "parameter": looked_up(numbers, index)}
    return operator_named("auto_aug.levels")(data, **changed)


def colors(data: DataNode, rows: Rows, count: int, index: DataNode, _given: Params) -> DataNode:
    """Changes saturation by factors."""
    factors = _table(rows, count, 1, lambda _row, parameter: parameter)
    return operator_named("saturation")(data, saturation=looked_up(factors, index))


def sharpened(data: DataNode, rows: Rows, count: int, index: DataNode, _given: Params) -> DataNode:
    """Sharpens or blurs with kernels of 3 x 3, each a mix of the identity and a blur."""
    strengths = _table(rows, count, 0, lambda _row, kernel: strength_of(kernel))
    return operator_named("auto_aug.sharpen")(data, strength=looked_up(strengths, index))


def strength_of(kernel: object) -> float:
    """Returns the strength for which `sharpness_kernel` returns this kernel.

    Raises:
        ConfigError: it is another kernel.
    """
    kernel = np.asarray(kernel, np.float64)
    corner = -13 * kernel[0, 0] if kernel.shape == (3, 3) else np.nan
    mix = np.full((3, 3), -corner / 13)
    mix[1, 1] = 1 + corner * 8 / 13
    if not np.allclose(kernel, mix, atol=1e-5):
        raise ConfigError(f"the kernel of sharpness must be made by sharpness_kernel, got {kernel.tolist()}")
    return float(corner)


def rotated(data: DataNode, rows: Rows, count: int, index: DataNode, given: Params) -> DataNode:
    """Rotates by angles."""
    angles = _table(rows, count, 0, lambda _row, parameter: parameter)
    keep = given.get("rotate_keep_size", True)
    return operator_named("rotate")(data, angle=looked_up(angles, index), keep_size=keep, **filling(given))


def warped(data: DataNode, rows: Rows, count: int, index: DataNode, given: Params) -> DataNode:
    """Warps, for augmentations whose function has `moves`, which returns the affine map of a parameter, and the part of
    it that is measured in extents of the image, (height, width).
    """
    maps = _table(rows, count, np.eye(2, 3), lambda row, parameter: row.one.op.moves(parameter)[0])  # type: ignore
    matrix = looked_up(maps, index)
    relative = _table(rows, count, np.zeros((2, 3)), lambda row, parameter: row.one.op.moves(parameter)[1])  # type: ignore
    if relative.any():
        height, width = given["shape"][0], given["shape"][1]
        for extent, axis in ((width, 0), (height, 1)):
            part = np.zeros_like(relative)
            part[:, axis] = relative[:, axis]
            matrix = matrix + looked_up(part, index) * extent
    return operator_named("warp_affine")(data, matrix=matrix, inverse_map=False, **filling(given))


def filling(given: Params) -> dict[str, Any]:
    """Returns the arguments of warps."""
    return {"fill_value": given.get("fill_value", 128), "interp_type": given.get("interp_type")}
