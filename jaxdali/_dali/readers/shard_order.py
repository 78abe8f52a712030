"""Which sample a reader gives when: an endless order, computed position by position in exact integers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TypedDict

import numpy as np

from jaxdali._feed.source.sampler import Permutation
from jaxdali.errors import ConfigError, check_integer

__all__ = ["ReaderMeta", "ShardOrder", "shard_bounds"]

# The key of the order in which `random_shuffle` cuts the data into shards: files next to each other in a folder are
# often of one class.
_CUT = 0x6A61_7864_616C_69

# Numbers of samples, of passes, and their product must fit int64.
_MAX_POSITION = 1 << 62


class ReaderMeta(TypedDict):
    """What DALI's `reader_meta` says of a reader."""

    epoch_size: int
    epoch_size_padded: int
    number_of_shards: int
    shard_id: int
    pad_last_batch: int
    stick_to_shard: int


def shard_bounds(shard: int, num_shards: int, length: int) -> tuple[int, int]:
    """First and last position (exclusive) of a shard: `floor(shard * length / num_shards)`, and that of the next shard.

    Takes any three integers with 0 <= shard < num_shards; exact for all sizes.
    """
    return shard * length // num_shards, (shard + 1) * length // num_shards


@dataclasses.dataclass(frozen=True)
class _Run:
    """Successive positions of an order within one visit of a shard.

    Attributes:
        count: number of positions.
        visit: how many shards the order has visited before. It tells a shard's passes apart, because all readers visit
            different shards at any time.
        shard: which shard.
        offset: of the first position in that shard; positions past the shard's end repeat its last sample.
    """

    count: int
    visit: int
    shard: int
    offset: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShardOrder:
    """The samples of one shard of a reader, forever, by the rules of DALI's readers.

    Without `pad_last_batch` the order has no gaps: a shard's samples are followed by those of the next one (with
    `stick_to_shard` by its own again), even in the middle of a batch. With it, each visit of a shard takes
    `ceil(ceil(length / num_shards) / batch_size)` whole batches, filled by repeating the shard's last sample.

    Attributes:
        length: number of samples in all shards; N.
        batch_size: samples of a batch.
        shard_id: the shard at which the order starts: 0 to num_shards - 1.
        num_shards: S, at most N. Shard i is positions `floor(i * N / S)` to `floor((i + 1) * N / S)`.
        stick_to_shard: whether to stay in that shard. Otherwise the next shard follows after each visit.
        pad_last_batch: see above.
        random_shuffle: the data are permuted before they are cut into shards, once and in every process alike; and each
            visit of a shard gives its samples in a new order, a keyed permutation of all of them.
        shuffle_after_epoch: the data are permuted anew for every visit, before they are cut into shards; the
            permutation is the same for all shards, and each reader then stays in its own.
        bounds: `int64[files + 1]`: data `bounds[k]` to `bounds[k + 1]` are stored in sequence in file k.
            `shuffle_after_epoch` then permutes the files, and may be combined with `random_shuffle`, which keeps
            samples within their shard. None: each is a file of its own.
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
            # Python's integers, because NumPy's would overflow.
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
        """Whether the same shard is visited again and again."""
        return self.stick_to_shard or self.shuffle_after_epoch

    @property
    def meta(self) -> ReaderMeta:
        """The order in DALI's `reader_meta` terms."""
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
        """Returns the indices in the data, `int64[count]`, of the samples at positions `first` to `first + count`."""
        parts = [self._indices_of(run) for run in self._runs(first, first + count)]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)

    def identities(self, first: int, count: int) -> np.ndarray:
        """Returns `visit * length + index`, `int64[count]`: identifies a sample and its pass across all shards.

        Random numbers are drawn from it, so they depend neither on the number of shards nor on the batch. Samples
        repeated to fill a batch have the same identity.
        """
        runs = self._runs(first, first + count)
        parts = [self._indices_of(run) + run.visit * self.length % _MAX_POSITION for run in runs]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)

    def visit_start(self, visit: int) -> int:
        """Returns the position at which the order begins a visit of a shard, counted from 0."""
        length, shards = self.length, self.num_shards
        if self.pad_last_batch:
            return visit * self._padded_visit
        start, stop = shard_bounds(self.shard_id, shards, length)
        if self.sticks:
            return visit * (stop - start)
        passed, shard = divmod(self.shard_id + visit, shards)
        return passed * length + shard_bounds(shard, shards, length)[0] - start

    @property
    def _padded_visit(self) -> int:
        """Positions of each visit with `pad_last_batch`."""
        largest = -(-self.length // self.num_shards)
        return -(-largest // self.batch_size) * self.batch_size

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
        """Which data come at given positions of a pass whose files are permuted."""
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
            visit, shard, offset, left = self._locate(position)
            count = min(left, stop - position)
            yield _Run(count, visit, shard, offset)
            position += count

    def _locate(self, position: int) -> tuple[int, int, int, int]:
        """Returns the visit, the shard, the offset in the shard, and the number of positions left in this visit."""
        length, shards = self.length, self.num_shards
        if self.pad_last_batch:
            whole = self._padded_visit
            visit, offset = divmod(position, whole)
            shard = self.shard_id if self.sticks else (self.shard_id + visit) % shards
            return visit, shard, offset, whole - offset
        start, stop = shard_bounds(self.shard_id, shards, length)
        if self.sticks:
            visit, offset = divmod(position, stop - start)
            return visit, self.shard_id, offset, stop - start - offset
        passed, index = divmod(start + position, length)
        shard = ((index + 1) * shards - 1) // length  # the shard that holds `index`
        start, stop = shard_bounds(shard, shards, length)
        return passed * shards + shard - self.shard_id, shard, index - start, stop - index
