"""How many batches an epoch has, by DALI's rules. The stream that the batches come from has no epochs."""

from __future__ import annotations

import abc

from jaxdali.errors import ConfigError
from ..readers.shard_order import ReaderMeta, shard_bounds
from .last_batch_policy import LastBatchPolicy

__all__ = ["Epochs", "ReaderEpochs", "SizedEpochs"]


class Epochs(abc.ABC):
    """The epochs of an iterator, one after the other.

    Attributes:
        batches: number of batches to hand out in this epoch.
        taken: number of batches to take from the stream in this epoch, including those left out at its end.
        passed: number of epochs before this one.
    """

    batches: int
    taken: int
    passed = 0

    @property
    def length(self) -> int:
        """`len` of the iterator."""
        return self.batches

    @property
    @abc.abstractmethod
    def size(self) -> int:
        """DALI's `size` of an iterator: where this epoch ends, in the units of `counted`."""

    @abc.abstractmethod
    def counted(self, batches: int) -> int:
        """Returns DALI's count of samples after this many batches of this epoch were taken."""

    @abc.abstractmethod
    def rows(self, shard: int) -> int:
        """Returns how many samples of a shard belong to this epoch; PARTIAL leaves out those after them."""

    @property
    @abc.abstractmethod
    def whole(self) -> bool:
        """Whether the previous epoch read nothing of this one: its samples are then the first `rows` of each shard."""

    def advance(self, whole: bool = True) -> None:
        """Goes on to the next epoch.

        Args:
            whole: the data did not end within this one.
        """
        self.passed += 1
        self._advance(whole)

    @abc.abstractmethod
    def _advance(self, whole: bool) -> None: ...


class ReaderEpochs(Epochs):
    """Epochs of a reader that says how large its shards are; DALI's with `reader_name=`.

    With FILL and without `pad_last_batch`, a shard reads into the next one, and has that much less to read in the next
    epoch. All shards' epochs are as long as that of the shard with most left to read, so every process computes the
    same.

    Args:
        meta: of the reader; `shard_id` does not matter.
        batch_size: per shard.
    """

    def __init__(self, meta: ReaderMeta, batch_size: int, policy: LastBatchPolicy):
        self._length, self._shards = meta["epoch_size"], meta["number_of_shards"]
        self._pads, self._sticks = bool(meta["pad_last_batch"]), bool(meta["stick_to_shard"])
        self._batch_size = batch_size
        self._policy = policy
        # For each shard: its samples in this epoch, and how many of them were read before.
        self._sizes = [self._size(shard) for shard in range(self._shards)]
        self._ahead = [0] * self._shards
        self._count()

    def _size(self, shard: int) -> int:
        start, stop = shard_bounds(shard, self._shards, self._length)
        return stop - start

    def _batches_of(self, samples: int) -> int:
        return -(-samples // self._batch_size)

    def _count(self) -> None:
        smallest = self._length // self._shards
        largest = -(-self._length // self._shards)
        if self._policy is LastBatchPolicy.DROP:
            self.batches = smallest // self._batch_size
            # The stream has moved past what is left out. A padded shard is skipped as a whole.
            self.taken = self._batches_of(largest if self._pads else smallest)
        elif self._pads or self._policy is LastBatchPolicy.PARTIAL:
            self.batches = self.taken = self._batches_of(largest)
        else:
            left = max(size - ahead for size, ahead in zip(self._sizes, self._ahead, strict=True))
            self.batches = self.taken = self._batches_of(left)

    @property
    def size(self) -> int:
        if self._policy is LastBatchPolicy.DROP:
            return self._length // self._shards
        if self._pads or self._policy is LastBatchPolicy.PARTIAL:
            return -(-self._length // self._shards)
        return self.batches * self._batch_size

    def counted(self, batches: int) -> int:
        return min(self._ahead) + batches * self._batch_size

    @property
    def whole(self) -> bool:
        return not any(self._ahead)

    def rows(self, shard: int) -> int:
        return self._size(shard if self._sticks else (shard + self.passed) % self._shards)

    def _advance(self, whole: bool) -> None:
        if self._policy is LastBatchPolicy.FILL and not self._pads:
            read = self.taken * self._batch_size
            self._ahead = [ahead + read - size for ahead, size in zip(self._ahead, self._sizes, strict=True)]
            if not self._sticks:
                self._rotate()
            self._count()
            if self.batches:
                return
            # All samples of this epoch were read in the previous one, so it is skipped.
            self._ahead = [0] * self._shards
            self._rotate()
        self._count()

    def _rotate(self) -> None:
        # As in DALI. Shard r continues as shard r + 1, so the other direction would be right; epoch lengths are the
        # same.
        self._sizes = self._sizes[-1:] + self._sizes[:-1]


class SizedEpochs(Epochs):
    """Epochs of `size` samples over all pipelines together; DALI's with `size=`.

    Args:
        batch_size: of all pipelines together.
        carries: whether the stream continues where an epoch ended, so that the surplus that FILL took counts for the
            next epoch. Otherwise the stream starts anew.
        padded: the stream's own epochs end with a full batch: then FILL's surplus belongs to no epoch.
    """

    def __init__(self, size: int, batch_size: int, policy: LastBatchPolicy, *, carries: bool, padded: bool):
        self._size, self._batch_size, self._policy = size, batch_size, policy
        self._carries = carries and not padded and policy is LastBatchPolicy.FILL
        self._ahead = 0
        self._count()
        if not self.batches:
            raise ConfigError(
                f"size={size} is less than one batch of {batch_size}, and DROP leaves it out; use FILL, or a smaller "
                "batch_size"
            )

    def _count(self) -> None:
        left = self._size - self._ahead
        drops = self._policy is LastBatchPolicy.DROP
        self.taken = -(-left // self._batch_size)
        self.batches = left // self._batch_size if drops else self.taken

    @property
    def length(self) -> int:
        drops = self._policy is LastBatchPolicy.DROP
        return self._size // self._batch_size if drops else -(-self._size // self._batch_size)

    @property
    def size(self) -> int:
        return self._size

    def counted(self, batches: int) -> int:
        return self._ahead + batches * self._batch_size

    @property
    def whole(self) -> bool:
        return not self._ahead

    def rows(self, shard: int) -> int:
        return self._size

    def _advance(self, whole: bool) -> None:
        if self._carries:
            self._ahead = (self._ahead + self.taken * self._batch_size) % self._size if whole else 0
        self._count()
