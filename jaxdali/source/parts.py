"""The part of every global batch that one process reads, or one pipeline."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from .sampler import SequentialSampler, ShuffleSampler, check_positions

__all__ = ["BatchPart", "PartsSampler"]


@dataclasses.dataclass(frozen=True)
class BatchPart:
    """Of every global batch one part, which a pipeline makes.

    Attributes:
        number: of the part: it is rows `number * rows` to `(number + 1) * rows` of each global batch.
        count: of all parts.
        rows: samples of each.
    """

    number: int
    count: int
    rows: int

    def sample(self, index: Any) -> Any:
        """Index in the global epoch of a sample by its index among this part's: an integer, or `int64[n]` of them."""
        step, row = divmod(index, self.rows)
        return (step * self.count + self.number) * self.rows + row

    def batch(self, iteration: int) -> int:
        """A number for a whole batch of this part that no batch of another one has."""
        return iteration * self.count + self.number


@dataclasses.dataclass(frozen=True)
class PartsSampler:
    """Of every batch of another sampler some equal parts, one behind the other: a sampler of fewer positions.

    Attributes:
        sampler: of the global batches.
        batch_size: of a global batch; a multiple of `count`. An incomplete one at the end of an epoch is left out.
        count: parts that each batch is cut into.
        parts: numbers of those that count here, ascending.
    """

    sampler: SequentialSampler | ShuffleSampler
    batch_size: int
    count: int
    parts: tuple[int, ...]

    @property
    def length(self) -> int:
        """Samples of these parts in an epoch."""
        return len(self.sampler) // self.batch_size * self.local_batch_size

    def __len__(self) -> int:
        return self.length

    @property
    def local_batch_size(self) -> int:
        """Samples of these parts in a batch."""
        return self.batch_size // self.count * len(self.parts)

    def positions(self, positions: np.ndarray) -> np.ndarray:
        """Positions in the global epoch, `int64[n]`, of positions among these parts' samples."""
        rows = self.batch_size // self.count
        step, row = np.divmod(np.asarray(positions, np.int64), self.local_batch_size)
        part, offset = np.divmod(row, rows)
        return step * self.batch_size + np.asarray(self.parts, np.int64)[part] * rows + offset

    def indices(self, epoch: int, positions) -> np.ndarray:
        """Index in the source of the samples at `positions` of these parts, `int64[n]`."""
        return self.sampler.indices(epoch, self.positions(check_positions(positions, self.length)))
