"""The part of every global batch that one process or pipeline reads, and how the last batch of an epoch is completed."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np

from jaxdali._base.aliases import Sample
from jaxdali.errors import ConfigError
from .sampler import SequentialSampler, ShuffleSampler, check_positions

__all__ = ["BatchPart", "PartsSampler"]


# Our own samplers, whose indices need no check.
_OWN = (SequentialSampler, ShuffleSampler)


def check_indices(indices: object, count: int, sampler: object) -> np.ndarray:
    """Returns the indices that a user's sampler gave for `count` positions, as `int64[count]`.

    Raises:
        ConfigError: they have another shape or type, or one is negative.
    """
    found = np.asarray(indices)
    if found.shape != (count,) or found.dtype.kind not in "iu":
        raise ConfigError(
            f"the sampler, {type(sampler).__name__}, was asked for the samples of {count} positions, and its indices() "
            f"returned {found.dtype}{list(found.shape)}; expected int64[{count}], indices of samples"
        )
    if found.dtype.kind == "i" and count and int(found.min()) < 0:
        raise ConfigError(
            f"the sampler, {type(sampler).__name__}, returned the index {int(found.min())}; expected indices of samples, "
            "from 0 on: to count from the end, add the number of samples"
        )
    return found.astype(np.int64, copy=False)


@dataclasses.dataclass(frozen=True)
class BatchPart:
    """One part of every global batch, which a pipeline makes.

    Attributes:
        number: the part's index: it is rows `number * rows` to `(number + 1) * rows` of each global batch.
        count: the number of parts.
        rows: samples per part.
    """

    number: int
    count: int
    rows: int

    def sample(self, index: Any) -> Sample:
        """Maps an index among this part's samples, or `int64[n]` of them, to the index in the global epoch."""
        step, row = divmod(index, self.rows)
        return (step * self.count + self.number) * self.rows + row

    def samples(self, first: int, count: int) -> np.ndarray:
        """Returns `sample` for `first` and the next indices, `int64[count]`."""
        return self.sample(np.arange(first, first + count))

    def batch(self, iteration: int) -> int:
        """Returns a number for a whole batch of this part that no other part's batch has."""
        return iteration * self.count + self.number


@dataclasses.dataclass(frozen=True)
class PartsSampler:
    """Selects some equal parts of every batch of another sampler, in order. It is a sampler itself, with its own positions.

    Attributes:
        sampler: the sampler of the global batches.
        batch_size: samples per global batch; a multiple of `count`.
        count: how many parts each batch is cut into.
        parts: the indices of the selected parts, ascending.
        padded: whether an incomplete batch at the end of an epoch is completed by repeating its own samples; otherwise it
            is left out.
    """

    sampler: SequentialSampler | ShuffleSampler
    batch_size: int
    count: int
    parts: tuple[int, ...]
    padded: bool = False

    @property
    def steps(self) -> int:
        """Batches per epoch."""
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
        """Rows of these parts per batch."""
        return self.batch_size // self.count * len(self.parts)

    def positions(self, positions: np.ndarray) -> np.ndarray:
        """Maps positions among these parts' rows to positions in the global epoch, `int64[n]`. Padding maps to the samples
        that it repeats.
        """
        positions = np.asarray(positions, np.int64)
        if self._is_plain and self._is_whole(positions):
            return positions
        first, row = self._rows(positions)
        # Padding repeats samples of its own batch, so a fault in any other sample cannot spoil the step.
        return first + row % np.minimum(len(self.sampler) - first, self.batch_size)

    def is_real(self, positions: np.ndarray) -> np.ndarray:
        """Returns for positions among these parts' rows whether they are samples of the epoch, not padding, `bool[n]`."""
        if self._is_whole(positions):
            return np.ones(np.shape(positions), bool)
        first, row = self._rows(positions)
        return first + row < len(self.sampler)

    def mask(self, first: int, count: int) -> np.ndarray | None:
        """Returns `is_real` for `count` rows of these parts, from `first` on; None if all are real, as in most steps."""
        return None if first + count <= self._whole else self.is_real(np.arange(first, first + count))

    def _is_whole(self, positions: np.ndarray) -> bool:
        """Whether all positions are in batches without padding."""
        return positions.size > 0 and int(positions.max()) < self._whole

    @functools.cached_property
    def _whole(self) -> int:
        """Rows of these parts in batches without padding."""
        return len(self.sampler) // self.batch_size * self.local_batch_size

    def _rows(self, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns for positions among these parts' rows where their global batch begins, and which row of it they are."""
        rows = self.batch_size // self.count
        step, row = np.divmod(np.asarray(positions, np.int64), self.local_batch_size)
        part, offset = np.divmod(row, rows)
        return step * self.batch_size, np.asarray(self.parts, np.int64)[part] * rows + offset

    def numbers(self, first: int, count: int) -> np.ndarray | range:
        """Returns `positions` for `count` rows of these parts, from `first` on; a range if they are consecutive."""
        rows = range(first, first + count)
        return rows if self._is_plain and rows.stop <= self._whole else self.positions(np.arange(first, rows.stop))

    @functools.cached_property
    def _is_plain(self) -> bool:
        """Whether all parts are selected, so that positions in full batches equal the sampler's."""
        return len(self.parts) == self.count

    def longest(self, epoch: int, iteration: int) -> int:
        """Returns the largest length, among those given to the sampler, in a global batch. It is the same for all parts."""
        first = iteration * self.batch_size
        positions = np.arange(first, min(first + self.batch_size, len(self.sampler)))
        return int(self.sampler.lengths[self.sampler.indices(epoch, positions)].max())  # pyright: ignore

    def indices(self, epoch: int, positions) -> np.ndarray:
        """Returns the indices in the source of the samples at `positions` of these parts, `int64[n]`."""
        positions = np.asarray(positions)
        if not self._is_whole(positions):
            positions = check_positions(positions, self.length)
        return self.sampled(epoch, self.positions(positions))

    def sampled(self, epoch: int, places: np.ndarray) -> np.ndarray:
        """Returns what the sampler itself has at some places of the global epoch.

        Raises:
            ConfigError: it is a user's, and these are no indices.
        """
        indices = self.sampler.indices(epoch, places)
        return indices if type(self.sampler) in _OWN else check_indices(indices, len(places), self.sampler)

    def real_rows(self, iteration: int) -> np.ndarray:
        """Returns which rows of a whole global batch are samples, `bool[batch_size]`."""
        first = iteration * self.batch_size
        return np.arange(first, first + self.batch_size) < len(self.sampler)

    def span(self, epoch: int, first: int, count: int) -> np.ndarray:
        """Returns `indices` for the rows of these parts from `first` on, `count` or as many as there are, at least one. Do
        not write into the result: for whole batches of our own samplers it is a view of a cached array.
        """
        if first + count <= self._whole and self._is_plain and type(self.sampler) in _OWN:
            return self.sampler.span(epoch, first, count)
        return self.indices(epoch, np.arange(first, min(first + count, self.length)))
