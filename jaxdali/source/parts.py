"""The part of every global batch that one process reads, or one pipeline, and what completes the last batch of an epoch."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np

from ..aliases import Sample
from ..errors import ConfigError
from .sampler import SequentialSampler, ShuffleSampler, check_positions

__all__ = ["BatchPart", "PartsSampler"]


# Samplers that need no check.
_OWN = (SequentialSampler, ShuffleSampler)


def check_indices(indices: object, count: int, sampler: object) -> np.ndarray:
    """What a user's sampler said of so many positions, `int64[count]`.

    Raises:
        ConfigError: it is something else.
    """
    found = np.asarray(indices)
    if found.shape != (count,) or found.dtype.kind not in "iu":
        raise ConfigError(
            f"the sampler, {type(sampler).__name__}, was asked for the samples of {count} positions, and its indices() "
            f"returned {found.dtype}{list(found.shape)}; expected int64[{count}], indices of samples"
        )
    return found.astype(np.int64, copy=False)


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

    def sample(self, index: Any) -> Sample:
        """Index in the global epoch of a sample by its index among this part's: an integer, or `int64[n]` of them."""
        step, row = divmod(index, self.rows)
        return (step * self.count + self.number) * self.rows + row

    def samples(self, first: int, count: int) -> np.ndarray:
        """Those of `count` samples from an index among this part's on, `int64[count]`."""
        return self.sample(np.arange(first, first + count))

    def batch(self, iteration: int) -> int:
        """A number for a whole batch of this part that no batch of another one has."""
        return iteration * self.count + self.number


@dataclasses.dataclass(frozen=True)
class PartsSampler:
    """Of every batch of another sampler some equal parts, one behind the other: a sampler of its own positions.

    Attributes:
        sampler: of the global batches.
        batch_size: of a global batch; a multiple of `count`.
        count: parts that each batch is cut into.
        parts: numbers of those that count here, ascending.
        padded: whether an incomplete batch at the end of an epoch is completed, by its own samples over and over; else it
            is left out.
    """

    sampler: SequentialSampler | ShuffleSampler
    batch_size: int
    count: int
    parts: tuple[int, ...]
    padded: bool = False

    @property
    def steps(self) -> int:
        """Batches of an epoch."""
        whole, rest = divmod(len(self.sampler), self.batch_size)
        return whole + (self.padded and rest > 0)

    @property
    def length(self) -> int:
        """Rows of these parts in an epoch, padding included."""
        return self.steps * self.local_batch_size

    def __len__(self) -> int:
        return self.length

    @property
    def local_batch_size(self) -> int:
        """Samples of these parts in a batch."""
        return self.batch_size // self.count * len(self.parts)

    def positions(self, positions: np.ndarray) -> np.ndarray:
        """Positions in the global epoch, `int64[n]`, of positions among these parts' rows; of padding, those of the samples
        that it repeats.
        """
        positions = np.asarray(positions, np.int64)
        if self._is_plain and self._is_whole(positions):
            return positions
        first, row = self._rows(positions)
        # Padding repeats its own batch: it is read from no other sample, so no other sample's fault can spoil the step.
        return first + row % np.minimum(len(self.sampler) - first, self.batch_size)

    def is_real(self, positions: np.ndarray) -> np.ndarray:
        """`bool[n]`, of positions among these parts' rows: whether they are samples of the epoch, not padding."""
        if self._is_whole(positions):
            return np.ones(np.shape(positions), bool)
        first, row = self._rows(positions)
        return first + row < len(self.sampler)

    def mask(self, first: int, count: int) -> np.ndarray | None:
        """`is_real` of `count` rows of these parts, from `first` on; None: all are, as in most steps."""
        return None if first + count <= self._whole else self.is_real(np.arange(first, first + count))

    def _is_whole(self, positions: np.ndarray) -> bool:
        """Whether all of them are in batches that samples fill."""
        return positions.size > 0 and int(positions.max()) < self._whole

    @functools.cached_property
    def _whole(self) -> int:
        """Rows of these parts in batches that samples fill."""
        return len(self.sampler) // self.batch_size * self.local_batch_size

    def _rows(self, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of positions among these parts' rows: where their global batch begins, and which row of it they are."""
        rows = self.batch_size // self.count
        step, row = np.divmod(np.asarray(positions, np.int64), self.local_batch_size)
        part, offset = np.divmod(row, rows)
        return step * self.batch_size, np.asarray(self.parts, np.int64)[part] * rows + offset

    def numbers(self, first: int, count: int) -> np.ndarray:
        """`positions` of `count` rows of these parts, from `first` on."""
        rows = np.arange(first, first + count)
        return rows if self._is_plain and first + count <= self._whole else self.positions(rows)

    @functools.cached_property
    def _is_plain(self) -> bool:
        """Whether rows of full batches are those of the sampler, one for one."""
        return len(self.parts) == self.count

    def longest(self, epoch: int, iteration: int) -> int:
        """The largest of the lengths that the sampler was given of a global batch's samples, the same for all parts."""
        first = iteration * self.batch_size
        positions = np.arange(first, min(first + self.batch_size, len(self.sampler)))
        return int(self.sampler.lengths[self.sampler.indices(epoch, positions)].max())  # pyright: ignore

    def indices(self, epoch: int, positions) -> np.ndarray:
        """Index in the source of the samples at `positions` of these parts, `int64[n]`."""
        positions = np.asarray(positions)
        if not self._is_whole(positions):
            positions = check_positions(positions, self.length)
        places = self.positions(positions)
        indices = self.sampler.indices(epoch, places)
        return indices if type(self.sampler) in _OWN else check_indices(indices, len(places), self.sampler)

    def span(self, epoch: int, first: int, count: int) -> np.ndarray:
        """`indices` of the rows of these parts from `first` on, `count` or as many as there are, at least one; not to be
        written into. Of a whole batch in an order of ours that is a part of a known array.
        """
        if first + count <= self._whole and self._is_plain and type(self.sampler) in _OWN:
            return self.sampler.span(epoch, first, count)
        return self.indices(epoch, np.arange(first, min(first + count, self.length)))
