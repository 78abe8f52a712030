"""Orders of the samples in an epoch, computed per position, without a table.

A sampler is a small immutable value. Every process that holds an equal one computes the same order,
so workers, shards and a resumed run agree without communication, and the position in an epoch is
the only state.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import operator
import struct
from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from jaxdali.errors import ConfigError
from .. import _host

__all__ = ["Permutation", "Sampler", "SequentialSampler", "ShardSampler", "ShuffleSampler"]

_ROUNDS = 8
_SORTED_LENGTH = 256
_BLOCK = 2048
_EPOCHS = 16
_MAX_LENGTH = 1 << 62  # so that the walk stays in int64
_PERSON = b"jaxdali order 1"  # the version of the order; change the number if the order changes


class Sampler(Protocol):
    """The interface that a loader needs of an order. It can be pickled, and does not use jax."""

    @property
    def length(self) -> int:
        """Samples per epoch."""
        ...

    def indices(self, epoch: int, positions: npt.ArrayLike) -> np.ndarray:
        """Returns the indices in the source of the samples at `positions` of `epoch`, both
        `int64[n]`, 0 to length - 1.
        """
        ...


@dataclasses.dataclass(frozen=True)
class Permutation:
    """A keyed pseudo-random permutation of 0 to length - 1, computed position by position.

    An alternating Feistel network of 8 rounds on the smallest power of two that holds `length`; a
    value beyond `length` is permuted again until it falls inside ("cycle walking"), less than two
    times on average. Up to 256 positions are sorted by a hash instead: with so few bits the network
    cannot reach every order. The round keys are the BLAKE2b hash of (key, length), so the order
    is the same on every machine and in every version.

    Attributes:
        length: 0 to 2**62.
        key: 0 to 2**128 - 1; another key, another permutation.
    """

    length: int
    key: int

    def __post_init__(self):
        object.__setattr__(self, "length", _check_length(self.length))
        object.__setattr__(self, "key", _check_integer(self.key, "key", 1 << 128))

    def __len__(self) -> int:
        return self.length

    def __call__(self, positions) -> np.ndarray:
        """Maps positions, integers of any shape, to indices, `int64` of the same shape, one to one."""
        positions, low, high = _bounded(positions, self.length)
        if self.length <= _SORTED_LENGTH:
            return _sorted_order(self)[positions]
        # The positions of a batch are close together, and a block costs little more than a position.
        if 0 < positions.size <= _BLOCK:
            first, last = low // _BLOCK, high // _BLOCK
            if last <= first + 1:
                blocks = [_block(self, number) for number in range(first, last + 1)]
                return (blocks[0] if first == last else np.concatenate(blocks))[positions - first * _BLOCK]
        return self._walk(positions, backward=False)

    def span(self, first: int, count: int) -> np.ndarray:
        """Returns the same for positions `first` to `first + count`, at least one: `int64[count]`. Do not write into it."""
        if self.length <= _SORTED_LENGTH:
            return _sorted_order(self)[first : first + count]
        number, at = divmod(first, _BLOCK)
        if at + count <= _BLOCK:
            return _block(self, number)[at : at + count]
        return self(np.arange(first, first + count))

    def inverse(self, indices) -> np.ndarray:
        """Returns the position of each index: `inverse(permutation(p)) == p`."""
        indices = check_positions(indices, self.length)
        if self.length <= _SORTED_LENGTH:
            return np.argsort(_sorted_order(self))[indices]
        return self._walk(indices, backward=True)

    def sorted_order(self) -> np.ndarray:
        """Returns all indices of a short permutation, without the network."""
        return sorted_orders([self])[0]

    def block(self, number: int) -> np.ndarray:
        """Returns the indices of positions `number * 2048` to `(number + 1) * 2048`."""
        first = number * _BLOCK
        return self._walk(np.arange(first, min(first + _BLOCK, self.length)), backward=False)

    def _walk(self, values: np.ndarray, backward: bool) -> np.ndarray:
        """Sends values through the network (`ffi/host/permutation.h`), forward or backward."""
        out = values.astype(np.uint64).ravel()
        if out.size:
            _host.permute(out, self.length, self.round_keys, backward)
        return out.view(np.int64).reshape(values.shape)

    @functools.cached_property
    def round_keys(self) -> np.ndarray:
        """Returns the keys of the network's rounds."""
        message = self.key.to_bytes(16, "little") + struct.pack("<Q", self.length)
        digest = hashlib.blake2b(message, digest_size=8 * _ROUNDS, person=_PERSON).digest()
        return np.frombuffer(digest, dtype="<u8")


def sorted_orders(permutations: Sequence[Permutation]) -> np.ndarray:
    """Returns all indices of n short permutations of one length, `int64[n, length]`."""
    keys = np.array([permutation.round_keys[:2] for permutation in permutations])
    hashes = _mix(np.arange(permutations[0].length, dtype=np.uint64), keys[:, :1])
    return np.argsort(_mix(hashes, keys[:, 1:]), axis=1, kind="stable")


# Batch after batch needs the same few: those of an epoch and of the next one, of a few Loaders.
_sorted_order = functools.lru_cache(maxsize=16)(Permutation.sorted_order)
_block = functools.lru_cache(maxsize=16)(Permutation.block)


@dataclasses.dataclass(frozen=True)
class SequentialSampler:
    """The source's own order, in every epoch.

    Attributes:
        length: samples per epoch, 0 to 2**62.

    Raises:
        ConfigError: `length` is out of range, or no integer.

    Example:
        >>> from jaxdali import source
        >>> source.SequentialSampler(5).indices(epoch=3, positions=[4, 0])
        array([4, 0])
    """

    length: int

    def __post_init__(self):
        object.__setattr__(self, "length", _check_length(self.length))

    def __len__(self) -> int:
        return self.length

    def indices(self, epoch: int, positions: npt.ArrayLike) -> np.ndarray:
        """Returns `positions` themselves, `int64[n]`, in any `epoch`."""
        _check_integer(epoch, "epoch", 1 << 64)
        return check_positions(positions, self.length).astype(np.int64)

    def span(self, epoch: int, first: int, count: int) -> np.ndarray:
        """Returns `indices` of positions `first` to `first + count`, at least one, which must be in `epoch`."""
        return np.arange(first, first + count)


@dataclasses.dataclass(frozen=True)
class ShuffleSampler:
    """A different permutation in every epoch, a function of (seed, epoch, length).

    Attributes:
        length: samples per epoch, 0 to 2**62.
        seed: 0 to 2**64 - 1.

    Raises:
        ConfigError: a number is out of range, or no integer.

    Example:
        >>> from jaxdali import source
        >>> sampler = source.ShuffleSampler(5, seed=0)
        >>> [sampler.indices(epoch, range(5)).tolist() for epoch in range(2)]
        [[2, 0, 1, 4, 3], [0, 4, 3, 1, 2]]
    """

    length: int
    seed: int

    def __post_init__(self):
        object.__setattr__(self, "length", _check_length(self.length))
        object.__setattr__(self, "seed", _check_integer(self.seed, "seed", 1 << 64))

    def __len__(self) -> int:
        return self.length

    def permutation(self, epoch: int) -> Permutation:
        """Returns the order of `epoch`, 0 to 2**64 - 1."""
        epoch = _check_integer(epoch, "epoch", 1 << 64)
        return Permutation(self.length, (self.seed << 64) | epoch)

    def indices(self, epoch: int, positions: npt.ArrayLike) -> np.ndarray:
        """Returns the indices in the source of the samples at `positions` of `epoch`, `int64[n]`."""
        return self.permutation(epoch)(positions)

    def span(self, epoch: int, first: int, count: int) -> np.ndarray:
        """Returns `indices` of positions `first` to `first + count`, at least one, which must be in `epoch`. Do not write
        into the result.
        """
        if self.length <= _SORTED_LENGTH:
            group, member = divmod(epoch, _EPOCHS)
            return _short_orders(self, group)[member, first : first + count]
        return _order_of(self, epoch).span(first, count)

    def short_orders(self, group: int) -> np.ndarray:
        """Returns the orders of epochs `16 * group` to `16 * group + 15` of a short sampler,
        `int64[16, length]`. Computed together, they cost less than two separate ones.
        """
        first = group * _EPOCHS
        return sorted_orders([self.permutation(epoch) for epoch in range(first, min(first + _EPOCHS, 1 << 64))])


_order_of = functools.lru_cache(maxsize=16)(ShuffleSampler.permutation)
_short_orders = functools.lru_cache(maxsize=8)(ShuffleSampler.short_orders)


@dataclasses.dataclass(frozen=True)
class ShardSampler:
    """One of several disjoint parts of every epoch of another sampler: positions `id*N//S` to `(id+1)*N//S` of its
    order, which is DALI's formula.

    Together the parts of an epoch hold each of its samples once.

    Attributes:
        sampler: that of the whole epoch; give every shard the same one.
        shard_id: 0 to num_shards - 1.
        num_shards: S, at most the sampler's length N.
        rotate: in epoch e, read the part of shard `(shard_id + e) mod S`, as DALI's readers do without
            `stick_to_shard`; the part's length then varies by one between epochs if S does not divide N.

    Raises:
        ConfigError: there is no such shard, or there are more shards than samples.

    Example:
        >>> from jaxdali import source
        >>> shards = [source.ShardSampler(source.SequentialSampler(5), shard, num_shards=2) for shard in range(2)]
        >>> [shard.indices(0, range(len(shard))).tolist() for shard in shards]
        [[0, 1], [2, 3, 4]]
    """

    sampler: SequentialSampler | ShuffleSampler
    shard_id: int
    num_shards: int
    rotate: bool = False

    def __post_init__(self):
        whole = len(self.sampler)
        if not 1 <= self.num_shards <= whole:
            raise ConfigError(
                f"num_shards={self.num_shards}: the number of samples, {whole}, needs to be at least equal to the requested "
                "number of shards, which must be at least 1"
            )
        if not 0 <= self.shard_id < self.num_shards:
            raise ConfigError(
                f"num_shards needs to be greater than shard_id, which must not be negative; got {self.num_shards} and "
                f"{self.shard_id}"
            )

    def bounds(self, epoch: int) -> tuple[int, int]:
        """Returns first and last position (exclusive) of this shard in the sampler's order of `epoch`."""
        shard = (self.shard_id + epoch * self.rotate) % self.num_shards
        whole = len(self.sampler)
        return shard * whole // self.num_shards, (shard + 1) * whole // self.num_shards

    @property
    def length(self) -> int:
        """Samples per epoch of the shard; with `rotate`, in epoch 0."""
        start, stop = self.bounds(0)
        return stop - start

    def __len__(self) -> int:
        return self.length

    def indices(self, epoch: int, positions: npt.ArrayLike) -> np.ndarray:
        """Returns the indices in the source of the samples at `positions` of the shard in `epoch`, `int64[n]`."""
        start, stop = self.bounds(_check_integer(epoch, "epoch", 1 << 64))
        return self.sampler.indices(epoch, check_positions(positions, stop - start).astype(np.int64) + start)


def check_positions(positions, length: int) -> np.ndarray:
    """Returns `positions` as an integer array, after checking that they are from 0 to length - 1."""
    return _bounded(positions, length)[0]


def _bounded(positions, length: int) -> tuple[np.ndarray, int, int]:
    """Returns the same, and the smallest and the largest position; zeros if there is none."""
    array = np.asarray(positions)
    if array.size == 0:
        return array.astype(np.int64), 0, 0
    if array.dtype.kind not in "iu":
        raise ConfigError(f"positions have dtype {array.dtype}; expected integers.")
    low, high = int(array.min()), int(array.max())
    if low < 0 or high >= length:
        raise ConfigError(
            f"position {low if low < 0 else high} is outside of an epoch of {length} samples, 0 to {length - 1}."
        )
    return array, low, high


def _mix(words, keys):
    """Returns a pseudo-random function of words: the finalizer of SplitMix64."""
    x = words + keys
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _check_length(length) -> int:
    return _check_integer(length, "length", _MAX_LENGTH + 1)


def _check_integer(value, name: str, end: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise ConfigError(f"{name} is {value!r}; expected an integer.") from None
    if not 0 <= number < end:
        raise ConfigError(f"{name} is {number}; expected 0 to {end - 1}.")
    return number
