"""The strength of an augmentation: a bin of its range, and its sign."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jaxdali._base.constants import Constant
from jaxdali._base.dtypes import INT32
from jaxdali.errors import ConfigError, ConfigTypeError
from ...graph.call import DataNode
from ...graph.declarations import operator_named

__all__ = ["SignedBin", "drawn", "looked_up", "signed_bin"]


class SignedBin:
    """A magnitude bin, and whether the magnitude is negated.

    Attributes:
        bin: a number, or a node with one per sample.
        random_sign: a node of 0 and 1; 1 negates the magnitude.
    """

    def __init__(self, magnitude_bin: int | DataNode, random_sign: DataNode):
        self.bin = magnitude_bin
        self.random_sign = random_sign

    def __getitem__(self, index: int) -> SignedBin:
        """Returns the bin and sign at one index, if a sample has several."""
        return SignedBin(self.bin[index] if isinstance(self.bin, DataNode) else self.bin, self.random_sign[index])

    @property
    def signed_magnitude_idx(self) -> DataNode:
        """`2 * bin + random_sign`."""
        return 2 * self.bin + self.random_sign


def signed_bin(
    magnitude_bin: int | DataNode,
    random_sign: DataNode | None = None,
    seed: int | None = None,
    shape: Sequence[int] | None = None,
) -> SignedBin:
    """Makes a magnitude bin with a sign.

    Args:
        magnitude_bin: 0 to the number of bins - 1, or a node with one per sample.
        random_sign: a node of 0 and 1; drawn if not given.
        seed: that of this draw.
        shape: that of this draw.

    Raises:
        ConfigTypeError: the bin is something else.
        ConfigError: `random_sign` is given together with `seed` or `shape`.
    """
    if isinstance(magnitude_bin, bool) or not isinstance(magnitude_bin, int | np.integer | DataNode):
        raise ConfigTypeError(
            f"magnitude_bin must be an integer, or a node with one per sample, got {magnitude_bin!r:.80}"
        )
    if random_sign is not None and (seed is not None or shape is not None):
        raise ConfigError("random_sign is given, so seed and shape have no effect; leave them out")
    if random_sign is None:
        random_sign = drawn([0, 1], seed, shape)
    return SignedBin(magnitude_bin, random_sign)


def drawn(values: Sequence[int], seed: int | None, shape: Sequence[int] | None = None, stream: int = 1) -> DataNode:
    """Returns a node that draws one of several integers per sample, or an array of them.

    Args:
        stream: distinguishes draws with the same seed.
    """
    own = None if seed is None else (seed + stream * 0x9E3779B97F4A7C15) % (1 << 63)
    arguments = {} if shape is None or not len(shape) else {"shape": tuple(shape)}
    return operator_named("random.uniform")(values=list(values), dtype=INT32, seed=own, **arguments)


def looked_up(table: object, row: DataNode | int) -> DataNode:
    """Returns a node with a row of a table for each sample."""
    array = np.asarray(table)
    if array.dtype.kind in "fiu" and array.dtype.itemsize == 8:
        array = array.astype(np.float32 if array.dtype.kind == "f" else np.int32)
    whole: Any = operator_named("constant")(value=Constant(array).value)
    return whole[row]
