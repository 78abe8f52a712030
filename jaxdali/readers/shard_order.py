"""Which sample a reader gives when: its endless order, evaluated position by position in exact integers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TypedDict

import numpy as np

from ..errors import ConfigError, check_integer
from ..source.sampler import Permutation

__all__ = ["ReaderMeta", "ShardOrder", "shard_bounds"]

# The key of the order in which `random_shuffle` cuts the data into shards: neighbours in a folder are of one class.
_CUT = 0x6A61_7864_616C_69

# Numbers of samples, of passes, and their product stay in int64.
_MAX_POSITION = 1 << 62


class ReaderMeta(TypedDict):
    """What DALI's `reader_meta` tells of a reader."""

    epoch_size: int
    epoch_size_padded: int
    number_of_shards: int
    shard_id: int
    pad_last_batch: int
    stick_to_shard: int


def shard_bounds(shard: int, num_shards: int, length: int) -> tuple[int, int]:
    """First and last position (exclusive) of a shard: `floor(shard * length / num_shards)` and that of the next one.

    Any three integers with 0 <= shard < num_shards; exact for each size.
    """
    return shard * length // num_shards, (shard + 1) * length // num_shards


@dataclasses.dataclass(frozen=True)
class _Run:
    """Successive positions of an order within one visit of a shard.

    Attributes:
        count: of positions.
        visit: how many shards the order has visited before. All readers visit different ones at a time, so it tells their
            passes through a shard apart.
        shard: which one.
        offset: of the first position in that shard; past its end the last sample is repeated.
    """

    count: int
    visit: int
    shard: int
    offset: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShardOrder:
    """The samples of one shard of a reader, forever; DALI's rules for its readers.

    Without `pad_last_batch` the order has no gaps: a shard's samples are followed by those of the next one (with
    `stick_to_shard` by its own again), also in the middle of a batch. With it each visit of a shard takes
    `ceil(ceil(length / num_shards) / batch_size)` whole batches, for which the shard's last sample is repeated.

    Attributes:
        length: samples of all shards; N.
        batch_size: samples of a batch.
        shard_id: where the order begins: 0 to num_shards - 1.
        num_shards: S, at most N. Shard i is positions `floor(i * N / S)` to `floor((i + 1) * N / S)`.
        stick_to_shard: stay there. Else, after a visit, the next shard's turn comes.
        pad_last_batch: see above.
        random_shuffle: the data are permuted before they are cut into shards, once and in every process alike; and within
            each visit of a shard its samples come in another order, a keyed permutation of all of them.
        shuffle_after_epoch: the data are permuted before they are cut into shards, anew for every visit; equal for all
            shards, of which each reader sticks to its own then.
        bounds: `int64[files + 1]`: data `bounds[k]` to `bounds[k + 1]` are in file k, and are read one behind the other:
            `shuffle_after_epoch` permutes the files, and may go with `random_shuffle`, which leaves in a shard what is in
            it. None: each is a file of its own.
        seed: of either order; below 2**64.

    Raises:
        ConfigError: the arguments do not go together.
    """

    length: int
    batch_size: int
    shard_id: int = 0
    num_shards: int = 1
    stick_to_shard: bool = False
    pad_last_batch: bool = False
    random_shuffle: bool = False
    shuffle_after_epoch: bool = False
    seed: int = 0
    bounds: np.ndarray | None = dataclasses.field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        limits = {
            "length": (1, _MAX_POSITION),
            "batch_size": (1,),
            "seed": (0, (1 << 64) - 1),
            "num_shards": (1,),
            "shard_id": (0,),
        }
        for name, limit in limits.items():
            # Python's integers: NumPy's would overflow.
            object.__setattr__(self, name, check_integer(name, getattr(self, name), *limit))
        num_shards, shard_id = self.num_shards, self.shard_id
        if num_shards <= shard_id:
            raise ConfigError(f"num_shards needs to be greater than shard_id; got {num_shards} and {shard_id}")
        if num_shards > self.length:
            raise ConfigError(
                f"The number of input samples: {self.length}, needs to be at least equal to the requested number of shards: "
                f"{num_shards}"
            )
        if self.shuffle_after_epoch and self.random_shuffle and self.bounds is None:
            raise ConfigError("shuffle_after_epoch and random_shuffle cannot be both true")
        if self.shuffle_after_epoch and self.stick_to_shard:
            raise ConfigError("shuffle_after_epoch and stick_to_shard cannot be both true")

    @property
    def sticks(self) -> bool:
        """The same shard is visited again and again."""
        return self.stick_to_shard or self.shuffle_after_epoch

    @property
    def meta(self) -> ReaderMeta:
        """DALI's words for it."""
        padded = -(-self.length // self.num_shards) * self.num_shards if self.pad_last_batch else self.length
        return {
            "epoch_size": self.length,
            "epoch_size_padded": padded,
            "number_of_shards": self.num_shards,
            "shard_id": self.shard_id,
            "pad_last_batch": int(self.pad_last_batch),
            "stick_to_shard": int(self.sticks),
        }

    def indices(self, first: int, count: int) -> np.ndarray:
        """Index in the data, `int64[count]`, of the samples at positions `first` to `first + count` of the order."""
        parts = [self._indices_of(run) for run in self._runs(first, first + count)]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)

    def identities(self, first: int, count: int) -> np.ndarray:
        """What tells a sample, and the time that it comes, from all others of all shards: `visit * length + index`,
        `int64[count]`. Random numbers are drawn from it, so they depend neither on the number of shards nor on the batch.
        Samples that are repeated to fill a batch are the same.
        """
        runs = self._runs(first, first + count)
        parts = [self._indices_of(run) + run.visit * self.length % _MAX_POSITION for run in runs]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)

    def _indices_of(self, run: _Run) -> np.ndarray:
        start, stop = shard_bounds(run.shard, self.num_shards, self.length)
        size = stop - start
        offsets = np.minimum(np.arange(run.offset, run.offset + run.count, dtype=np.int64), size - 1)
        if self.random_shuffle:
            offsets = Permutation(size, self._key(run.visit, run.shard))(offsets)
        indices = offsets + start
        if self.bounds is not None:
            return self._in_files(indices, self.bounds, run.visit) if self.shuffle_after_epoch else indices
        if self.random_shuffle:
            return Permutation(self.length, _CUT)(indices)
        if self.shuffle_after_epoch:
            return Permutation(self.length, self._key(run.visit, 0))(indices)
        return indices

    def _in_files(self, positions: np.ndarray, bounds: np.ndarray, visit: int) -> np.ndarray:
        """Which data come at some positions of a pass whose files are permuted."""
        files = len(bounds) - 1
        order = Permutation(files, self._key(visit, 0))(np.arange(files))
        ends = np.cumsum(np.diff(bounds)[order])
        turn = np.searchsorted(ends, positions, "right")
        return bounds[order[turn] + 1] - (ends[turn] - positions)

    def _key(self, visit: int, shard: int) -> int:
        return self.seed << 64 | (visit * self.num_shards + shard) % (1 << 64)

    def _runs(self, first: int, stop: int) -> Iterator[_Run]:
        if first < 0 or stop > _MAX_POSITION or stop // self.batch_size * self.batch_size > _MAX_POSITION:
            raise ConfigError(f"position {first} to {stop} of an order is outside of 0 to {_MAX_POSITION}")
        position = first
        while position < stop:
            visit, shard, offset, left = self._place(position)
            count = min(left, stop - position)
            yield _Run(count, visit, shard, offset)
            position += count

    def _place(self, position: int) -> tuple[int, int, int, int]:
        """Visit, shard, offset in the shard, and positions that are left in this visit of it."""
        length, shards = self.length, self.num_shards
        if self.pad_last_batch:
            largest = -(-length // shards)
            whole = -(-largest // self.batch_size) * self.batch_size
            visit, offset = divmod(position, whole)
            shard = self.shard_id if self.sticks else (self.shard_id + visit) % shards
            return visit, shard, offset, whole - offset
        start, stop = shard_bounds(self.shard_id, shards, length)
        if self.sticks:
            visit, offset = divmod(position, stop - start)
            return visit, self.shard_id, offset, stop - start - offset
        passed, index = divmod(start + position, length)
        shard = ((index + 1) * shards - 1) // length  # the one that holds `index`
        start, stop = shard_bounds(shard, shards, length)
        return passed * shards + shard - self.shard_id, shard, index - start, stop - index
