"""The data that every system reads: rows of a mapped file, one view per sample; and the check of the results."""

from __future__ import annotations

import dataclasses
import pathlib
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["LENGTH", "Batches", "Check", "Dataset", "Rows", "Samples", "Source", "write_file"]

# Samples of an epoch, for systems that ask. Long enough that no stream ends while it is measured.
LENGTH = 1 << 24


@dataclasses.dataclass(frozen=True)
class Rows:
    """A file of `count` rows of random bytes; sample `i` is row `i % count`, with the row's number as its label.

    Attributes:
        count: a prime, so that consecutive batches never contain the same rows.
        shape: of a row, uint8.
    """

    count: int
    shape: tuple[int, ...]

    @property
    def name(self) -> str:
        return f"{'x'.join(map(str, self.shape))}.u8"

    def map(self, folder: str) -> np.ndarray:
        """`uint8[count, *shape]`, backed by the file."""
        # "c" shares pages with all readers, like "r", but torch rejects arrays that are not writable.
        return np.asarray(np.memmap(pathlib.Path(folder, self.name), np.uint8, "c", shape=(self.count, *self.shape)))


def write_file(rows: Rows, folder: str) -> None:
    bytes_ = np.random.default_rng(0).integers(0, 256, (rows.count, *rows.shape), np.uint8)
    bytes_.tofile(pathlib.Path(folder, rows.name))


class _Mapped:
    """Maps the file in the process that reads it, on the first read. Only the path is pickled."""

    def __init__(self, rows: Rows, folder: str):
        self.rows = rows
        self.folder = folder
        self.open = False

    def __reduce__(self) -> Any:
        return type(self), self._arguments()

    def _arguments(self) -> tuple[Any, ...]:
        return self.rows, self.folder

    def _map(self) -> None:
        self.data = self.rows.map(self.folder)
        self.labels = np.arange(self.rows.count, dtype=np.int32).reshape(-1, 1)
        self.open = True


class Samples(_Mapped):
    """Reads single samples, `(data, label: int32[1])`.

    Args:
        pieces: None, or the number of equal pieces (one per output) into which a row is cut; then there is no label.
        work_s: CPU time that Python spends on a sample.
    """

    def __init__(self, rows: Rows, folder: str, pieces: int | None = None, work_s: float = 0.0):
        super().__init__(rows, folder)
        self.pieces = pieces
        self.work_s = work_s

    def _arguments(self) -> tuple[Any, ...]:
        return self.rows, self.folder, self.pieces, self.work_s

    @property
    def outputs(self) -> int:
        return 2 if self.pieces is None else self.pieces

    def _map(self) -> None:
        super()._map()
        if self.pieces is not None:
            self.data = self.data.reshape(self.rows.count, self.pieces, -1)

    def read(self, index: int) -> tuple[np.ndarray, ...]:
        if not self.open:
            self._map()
        if self.work_s:
            # The thread's own CPU time: by wall clock, threads that wait for each other would seem to work.
            end = time.thread_time() + self.work_s
            while time.thread_time() < end:
                pass
        row = index % self.rows.count
        return (self.data[row], self.labels[row]) if self.pieces is None else tuple(self.data[row])


class Batches(_Mapped):
    """Reads whole batches, `(data [batch, ...], labels [batch, 1])`: views of consecutive rows of the file."""

    outputs = 2

    def __init__(self, rows: Rows, folder: str, batch: int):
        super().__init__(rows, folder)
        self.batch = batch

    def _arguments(self) -> tuple[Any, ...]:
        return self.rows, self.folder, self.batch

    def read(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        if not self.open:
            self._map()
        first = number * self.batch % (self.rows.count - self.batch)
        return self.data[first : first + self.batch], self.labels[first : first + self.batch]


class Dataset:
    """Map-style: `data.read` by index."""

    def __init__(self, data: Samples | Batches):
        self.data = data

    def __len__(self) -> int:
        return LENGTH // self.data.batch if isinstance(self.data, Batches) else LENGTH

    def __getitem__(self, index: int) -> tuple[np.ndarray, ...]:
        return self.data.read(index)


class Source:
    """DALI's form of a source: called with a `SampleInfo` or the number of a batch. (DALI would iterate over it if it
    had a length.)
    """

    def __init__(self, data: Samples | Batches):
        self.data = data

    def __call__(self, info: Any) -> tuple[np.ndarray, ...]:
        return self.data.read(info if isinstance(info, int) else info.idx_in_epoch)


class Check:
    """Checks every label of a batch, the first and last byte of every sample, and all bytes of one sample.

    Its time counts as the consumer's, for all systems alike.
    """

    def __init__(self, rows: Rows, folder: str, batch: int, pieces: int | None = None, wraps: bool = True):
        count = rows.count
        self._data = rows.map(folder).reshape(count, pieces or 1, -1)
        self._batch = batch
        self._labelled = pieces is None
        self._period = count if wraps else count - batch
        # Copies, with the first rows repeated at the end, so that a batch is one slice.
        indices = np.arange(count + batch) % count
        self._labels = indices.astype(np.int32)
        self._ends = [
            (np.ascontiguousarray(self._data[indices, piece, 0]), np.ascontiguousarray(self._data[indices, piece, -1]))
            for piece in range(self._data.shape[1])
        ]

    def __call__(self, number: int, batch: Sequence[Any]) -> None:
        """Ends the process unless this is batch `number`."""
        first = number * self._batch % self._period
        rows = slice(first, first + self._batch)
        arrays = [np.asarray(array).reshape(self._batch, -1) for array in batch]
        same = len(arrays) == len(self._ends) + self._labelled
        if self._labelled:
            same = same and np.array_equal(arrays.pop()[:, 0], self._labels[rows])
        one = number % self._batch
        whole = self._data[(first + one) % len(self._data)]
        for array, (heads, tails), piece in zip(arrays, self._ends, whole, strict=True):
            same = same and np.array_equal(array[:, 0], heads[rows]) and np.array_equal(array[:, -1], tails[rows])
            same = same and np.array_equal(array[one], piece)
        if not same:
            raise SystemExit(f"batch {number} is wrong")
