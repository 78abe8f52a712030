"""Rows that one process makes of every global batch from data that only it has."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from typing import Any

import numpy as np

from .parts import PartsSampler
from .sampler import check_positions

__all__ = ["LocalRows", "ProcessRows", "seed_of_process"]

_PERSON = b"jaxdali.local"


@dataclasses.dataclass(frozen=True)
class ProcessRows:
    """What one process contributes.

    Attributes:
        parts: the parts of every global batch that it makes, ascending.
        samples: how many samples it has per epoch.
    """

    parts: tuple[int, ...]
    samples: int


@dataclasses.dataclass(frozen=True)
class LocalRows:
    """Maps the rows that this process makes to its own samples. Has the methods of `PartsSampler`.

    A process whose samples are at their end repeats them, as padding, until the epoch has ended in all processes.

    Attributes:
        sampler: the order of this process's samples.
        processes: what each process contributes.
        process: the number of this one.
        count: how many parts all of them make.
        batch_size: samples per global batch; a multiple of `count`.
        is_global: whether all processes' rows are one batch; otherwise each process has a batch of its rows.
        padded: whether an epoch lasts until the last process is at the end of its samples, with padding; otherwise until
            the first one cannot fill its rows.
    """

    sampler: Any
    processes: tuple[ProcessRows, ...]
    process: int
    count: int
    batch_size: int
    is_global: bool
    padded: bool

    @property
    def parts(self) -> tuple[int, ...]:
        """The parts that this process makes."""
        return self.processes[self.process].parts

    @functools.cached_property
    def steps(self) -> int:
        """Batches per epoch."""
        wholes = [divmod(process.samples, self._rows_of(process)) for process in self.processes]
        return max(whole + (rest > 0) for whole, rest in wholes) if self.padded else min(whole for whole, _ in wholes)

    @property
    def length(self) -> int:
        """Rows of this process in an epoch, padding included."""
        return self.steps * self.local_batch_size

    def __len__(self) -> int:
        return self.length

    @property
    def local_batch_size(self) -> int:
        """Rows of this process per batch."""
        return self._rows_of(self.processes[self.process])

    def _rows_of(self, process: ProcessRows) -> int:
        return self.batch_size // self.count * len(process.parts)

    def alone(self) -> PartsSampler:
        """Returns the sampler of a Loader of this process's rows only."""
        return PartsSampler(self.sampler, self.local_batch_size, 1, (0,), self.padded)

    def positions(self, positions: np.ndarray) -> np.ndarray:
        """Maps positions among this process's rows to those of its samples, `int64[n]`. Padding maps to the samples that
        it repeats: those of its own batch, if there are any.
        """
        positions = np.asarray(positions, np.int64)
        length, rows = len(self.sampler), self.local_batch_size
        step, row = np.divmod(positions, rows)
        left = length - step * rows  # samples from the beginning of the batch on
        repeated = np.where(left > 0, step * rows + row % np.maximum(left, 1), positions % length)
        return np.where(positions < length, positions, repeated)

    def is_real(self, positions: np.ndarray) -> np.ndarray:
        """Returns for positions among this process's rows whether they are samples, not padding, `bool[n]`."""
        return np.asarray(positions) < len(self.sampler)

    def mask(self, first: int, count: int) -> np.ndarray | None:
        """Returns `is_real` for `count` rows from `first` on; None if all are real."""
        return None if first + count <= len(self.sampler) else self.is_real(np.arange(first, first + count))

    def real_rows(self, iteration: int) -> np.ndarray:
        """Returns which rows of a whole batch are samples, `bool[batch_size]`, or of this process's if it is its own."""
        if not self.is_global:
            first = iteration * self.local_batch_size
            return self.is_real(np.arange(first, first + self.local_batch_size))
        rows = self.batch_size // self.count
        real = np.zeros((self.count, rows), bool)
        for process in self.processes:
            own = self._rows_of(process)
            first = iteration * own
            real[list(process.parts)] = (np.arange(first, first + own) < process.samples).reshape(-1, rows)
        return real.reshape(-1)

    def numbers(self, first: int, count: int) -> np.ndarray:
        """Returns the numbers that draws of `count` rows depend on: the rows' places in global batches. Padding has the
        numbers of what it repeats.
        """
        rows = self.batch_size // self.count
        step, row = np.divmod(self.positions(np.arange(first, first + count)), self.local_batch_size)
        part, offset = np.divmod(row, rows)
        return step * self.batch_size + np.asarray(self.parts, np.int64)[part] * rows + offset

    def indices(self, epoch: int, positions: Any) -> np.ndarray:
        """Returns the indices in the source of the samples at `positions` of this process's rows, `int64[n]`."""
        return self.alone().sampled(epoch, self.positions(check_positions(positions, self.length)))

    def span(self, epoch: int, first: int, count: int) -> np.ndarray:
        """Returns `indices` for the rows from `first` on, `count` or as many as there are."""
        return self.indices(epoch, np.arange(first, min(first + count, self.length)))


def seed_of_process(seed: int, process: int) -> int:
    """Returns another seed for the order of each process's samples."""
    message = seed.to_bytes(8, "little") + process.to_bytes(8, "little")
    return int.from_bytes(hashlib.blake2b(message, digest_size=8, person=_PERSON).digest(), "little")
