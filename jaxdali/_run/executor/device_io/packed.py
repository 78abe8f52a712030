"""Small arrays with a row per sample, side by side in one: to put an array costs the host more than such data do."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

from jaxdali._base.aliases import PyTree
from jaxdali._feed.ring.host_batch import HostColumn
from .transfer import dense_rows

__all__ = ["Packed", "rows_to_pack", "unpacked"]

# A column of more bytes is put by itself, and so are columns beyond this number: XLA compiles code for each.
_MOST_BYTES, _MOST_COLUMNS = 1 << 14, 8

# Types of which a program can read bytes.
_TYPES = {np.dtype(kind) for kind in ("?", *np.typecodes["AllInteger"], "e", "f", "d")}


class _Place(NamedTuple):
    """Where an array is: its rows begin at this byte of each row."""

    start: int
    dtype: np.dtype
    shape: tuple[int, ...]  # of a row


@jax.tree_util.register_pytree_node_class
class Packed:
    """A tree of arrays of N rows.

    Attributes:
        data: `uint8[N, B]`, their bytes, row by row.
    """

    def __init__(self, data: Any, places: tuple[_Place, ...], tree: Any):
        self.data = data
        self._places, self._tree = places, tree

    @classmethod
    def of(cls, arrays: PyTree) -> Packed:
        """Packs NumPy arrays, at least one, in any nesting; each of N rows of a type in `_TYPES`."""
        leaves, tree = jax.tree.flatten(arrays)
        places, end = [], 0
        for leaf in leaves:
            places.append(_Place(end, leaf.dtype, leaf.shape[1:]))
            end += math.prod(leaf.shape[1:]) * leaf.dtype.itemsize
        data = np.empty((len(leaves[0]), end), np.uint8)
        for leaf, place in zip(leaves, places, strict=True):
            rows = np.ascontiguousarray(leaf).reshape(len(leaf), math.prod(place.shape))
            data[:, place.start :][:, : rows.shape[1] * place.dtype.itemsize] = rows.view(np.uint8)
        return cls(data, tuple(places), tree)

    def unpack(self) -> PyTree:
        """Returns the arrays, bit for bit; called while a program is traced."""
        return jax.tree.unflatten(self._tree, [self._read(place) for place in self._places])

    def _read(self, place: _Place) -> jax.Array:
        count, size = math.prod(place.shape), place.dtype.itemsize
        found = self.data[:, place.start : place.start + count * size]
        found = found.reshape(len(found), *place.shape, *((size,) if size > 1 else ()))
        if place.dtype == np.bool_:
            return found != 0
        return jax.lax.bitcast_convert_type(found, place.dtype)

    def tree_flatten(self) -> tuple[Any, Any]:
        """For JAX: the bytes, and what is static."""
        return (self.data,), (self._places, self._tree)

    @classmethod
    def tree_unflatten(cls, static: Any, children: Any) -> Packed:
        """For JAX: the inverse of `tree_flatten`."""
        return cls(*children, *static)


def unpacked(arrays: PyTree) -> PyTree:
    """Returns what was packed; what was not as it is."""
    return arrays.unpack() if isinstance(arrays, Packed) else arrays


def rows_to_pack(columns: Sequence[HostColumn], inputs: Iterable[int]) -> dict[int, np.ndarray]:
    """Returns the rows of those of the columns `inputs` that are packed. Their shapes and types alone decide that, for a
    program is compiled for the choice.
    """
    found: dict[int, np.ndarray] = {}
    for index in inputs:
        if len(found) < _MOST_COLUMNS and (rows := _small_rows(columns[index])) is not None:
            found[index] = rows
    return found


def _small_rows(column: HostColumn) -> np.ndarray | None:
    if column.column.encoded or column.is_held or column.clips is not None or not len(column) or column.padded:
        return None
    if math.prod(column.dense_shape) * column.dtype.itemsize > _MOST_BYTES:
        return None
    rows = dense_rows(column)
    return rows if rows.dtype in _TYPES else None
