"""Leaves that stay on the host: their stand-ins while JAX traces, and their values in a batch. Loads jax."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from jaxdali._base.aliases import PyTree
from jaxdali._feed.ring.columns import Column
from jaxdali._feed.ring.host_batch import HostColumn
from jaxdali._feed.source.leaf_codec import unpack
from jaxdali.errors import ConfigTypeError

__all__ = ["HostLeaf", "all_values", "described", "filled"]


@jax.tree_util.register_static
@dataclasses.dataclass(frozen=True)
class HostLeaf:
    """Stands for a leaf of strings or other host objects in the batch that `augment` gets: a pytree without arrays.

    `augment` may return it anywhere in its result; that place then holds the leaf's values.

    Attributes:
        column: index of its column.
        name: of the leaf.
    """

    column: int
    name: str

    def _stays(self, *_: object, **__: object) -> object:
        raise ConfigTypeError(
            f"{self.name!r} holds strings or other objects, which stay on the host: augment may return it as it is. "
            "Compute with it in jaxdali.source.map, or in the batch"
        )

    __add__ = __radd__ = __getitem__ = __len__ = __iter__ = __array__ = _stays


def all_values(values: Sequence[object], columns: Sequence[Column]) -> list[Any]:
    """Returns one value per column, from those that devices see; a `HostLeaf` for each of the others."""
    remaining = iter(values)
    return [HostLeaf(i, column.name) if column.host else next(remaining) for i, column in enumerate(columns)]


def filled(outputs: object, columns: Sequence[HostColumn], arrange: Callable[[np.ndarray], np.ndarray]) -> PyTree:
    """Returns the outputs with each `HostLeaf` replaced by its values.

    Args:
        arrange: gives `object[N]` the shape that batches have.
    """
    return _replaced(outputs, lambda leaf: arrange(_values(columns[leaf.column])))


def described(spec: object, shape: tuple[int, ...]) -> PyTree:
    """Returns the spec of the result of `filled`, for values of the given shape."""
    return _replaced(spec, lambda leaf: jax.ShapeDtypeStruct(shape, np.dtype(object)))


def _replaced(tree: PyTree, replace: Any) -> PyTree:
    return jax.tree.map(lambda leaf: replace(leaf) if _is_host(leaf) else leaf, tree, is_leaf=_is_host)


def _is_host(value: object) -> bool:
    return isinstance(value, HostLeaf)


def _values(column: HostColumn) -> np.ndarray:
    values = np.empty(len(column), object)
    for index in range(len(column)):
        values[index] = unpack(column.at(index))
    return values
