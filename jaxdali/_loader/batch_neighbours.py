"""Checks whether a user's function computes each row from that row alone. This file loads jax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxdali._base.aliases import PyTree
from jaxdali._device.image.encoded import EncodedBatch
from jaxdali._run.executor.condition import Condition
from jaxdali._run.executor.device_io.canvas import Canvas, Need
from jaxdali._run.executor.device_io.transfer import Padded
from jaxdali.errors import ConfigError
from .augment_program import LoaderProgram

__all__ = ["NeighbourProgram", "check_neighbours"]


class NeighbourProgram:
    """A `DeviceProgram` that calls another one repeatedly, with some rows of the batch replaced by others.

    For any two rows there is a call in which one stays in place while the other is replaced, so 2 log2(rows) calls show
    for every row whether it depends on any other. All calls are made in one loop, whose body is compiled once: equal
    rows at equal places then give equal bits, so they are compared exactly.

    Its outputs are `bool[rows]` for each leaf of the other program: True if the row did not depend on others.
    """

    def __init__(self, program: LoaderProgram):
        self.inputs: Sequence[int] = program.inputs
        self.needs: Sequence[Need] = ()
        self.takes_mask, self.takes_step = program.takes_mask, program.takes_step
        self.stacked = program.stacked
        self.seed = program.seed
        self._program = program

    def __call__(
        self,
        values: Sequence[object],
        origin: tuple[jax.Array, ...],
        indices: jax.Array,
        canvases: tuple[Canvas | int | None, ...],
    ) -> tuple[Any, dict[Any, jax.Array], dict[str, Condition]]:
        def leaves_of(rows: jax.Array) -> dict[str, jax.Array]:
            taken = [_take(value, rows) for value in values]
            outputs, _, _ = self._program(taken, origin, indices[rows], canvases)
            return _leaves(outputs)

        count = len(indices)
        replaced = jnp.asarray(_replacements(count))
        places = jnp.arange(count, dtype=jnp.int32)

        def compare(first: Any, rows: jax.Array) -> tuple[Any, dict[str, jax.Array]]:
            outputs = leaves_of(rows)
            first = jax.tree.map(lambda old, new: jnp.where((rows == places).all(), new, old), first, outputs)
            stayed = rows == places
            return first, {name: _same(first[name], outputs[name]) | ~stayed for name in outputs}

        shapes = jax.eval_shape(leaves_of, places)
        nothing = {name: jnp.zeros(spec.shape, spec.dtype) for name, spec in shapes.items()}
        _, same = jax.lax.scan(compare, nothing, replaced)
        return {name: flags.all(axis=0) for name, flags in same.items()}, {}, {}


def check_neighbours(alone: dict[str, Any]) -> None:
    """Checks that each row depends on its own sample only.

    Args:
        alone: outputs of a `NeighbourProgram`.

    Raises:
        ConfigError: a row depends on others.
    """
    for name, flags in alone.items():
        rows = np.flatnonzero(~np.asarray(flags))
        if rows.size:
            raise ConfigError(
                f"augment mixes the rows of a batch: {name or 'what it returns'} changed in {rows.size} of "
                f"{len(flags)} rows, first in row {rows[0]}, when other rows of the batch did. With sharding= each "
                "device sees its own rows only, so batches would depend on the number of devices: mix rows in "
                "Loader(mix=), which sees all"
            )


def _replacements(count: int) -> np.ndarray:
    """Returns `int32[k, count]`: which row is put at each place. In the first line each row is at its own place. Then
    there are two lines per binary digit of a place: rows with one value of the digit stay in place and also replace the
    rows with the other value, and vice versa.
    """
    places = np.arange(count, dtype=np.int32)
    lines = [places]
    for bit in range(max(count - 1, 1).bit_length() if count > 1 else 0):
        for digit in (0, 1):
            stays = (places >> bit & 1) == digit
            other = places ^ (1 << bit)
            # If the batch is not a power of two, the last places may have no such neighbour.
            other = np.where(other < count, other, places[stays][0])
            lines.append(np.where(stays, places, other).astype(np.int32))
    return np.stack(lines)


def _take(value: Any, rows: jax.Array) -> PyTree:
    if isinstance(value, EncodedBatch):
        return value.take(rows)
    if isinstance(value, Padded):
        return Padded(part[rows] for part in value)
    return value[rows]


def _leaves(outputs: object) -> dict[str, jax.Array]:
    """Returns all outputs with a row per sample, by name; for batches of files their sizes."""
    found = {}
    encoded = jax.tree_util.tree_leaves_with_path(outputs, is_leaf=lambda leaf: isinstance(leaf, EncodedBatch))
    for path, leaf in encoded:
        array = leaf.sizes if isinstance(leaf, EncodedBatch) else jnp.asarray(leaf)
        if jnp.issubdtype(array.dtype, jax.dtypes.prng_key):
            array = jax.random.key_data(array)
        if array.ndim:  # a number for the whole batch belongs to no row
            found[jax.tree_util.keystr(path)] = array
    return found


def _same(one: jax.Array, other: jax.Array) -> jax.Array:
    """Returns `bool[N]`: whether rows are equal; NaN equals NaN."""
    equal = (one == other) | ((one != one) & (other != other))
    return equal.reshape(len(equal), -1).all(axis=1)
