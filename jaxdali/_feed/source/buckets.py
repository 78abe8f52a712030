"""A sampler whose batches hold samples of about one length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from jaxdali.errors import ConfigError, check_integer
from .digests import digest_of
from .sampler import Permutation, check_positions

__all__ = ["BucketSampler"]

_ORDER, _BATCHES = 0, 1  # what a permutation is used for: samples, or batches


class BucketSampler:
    """Shuffles samples so that each batch holds samples of similar length: those of one bucket, no longer than its
    width and longer than the width before it.

    Samples that do not fill a batch of their own bucket share batches with what is left of the neighbouring buckets.
    Each sample comes once in an epoch. The order is a function of (seed, epoch), so it resumes anywhere and is the same
    for any number of workers and devices. Pass it as `Loader(sampler=, ragged={leaf: widths})`. The Loader then pads
    leaves that have these widths to the width of the batch's longest sample, according to `lengths`: the same width in
    all processes.

    Args:
        lengths: the length of each sample of the data, integers `[n]`.
        batch_size: that of the Loader.
        widths: those of the buckets, ascending.
        seed: 0 to 2**64 - 1.

    Attributes:
        samples: how many samples the data have.
        lengths: an array of the lengths that were passed.

    Raises:
        ConfigError: a sample is longer than the last width, or an argument is out of range.

    Example:
        >>> from jaxdali import source
        >>> sampler = source.BucketSampler([3, 9, 2, 8], batch_size=2, widths=(4, 16))
        >>> sampler.lengths[sampler.indices(0, range(4))].reshape(2, 2).tolist()  # the lengths in each batch of epoch 0
        [[8, 9], [2, 3]]
    """

    def __init__(self, lengths: Iterable[int], batch_size: int, widths: Sequence[int], seed: int = 0):
        given = np.asarray(lengths if hasattr(lengths, "__len__") else list(lengths))
        if given.ndim != 1 or given.dtype.kind not in "iu" or not given.size:
            raise ConfigError(f"BucketSampler expects the length of each sample, got {given.dtype}{list(given.shape)}")
        self.batch_size = check_integer("batch_size", batch_size, 1)
        self.widths = tuple(check_integer("widths", width, 1) for width in widths)
        if not self.widths or list(self.widths) != sorted(set(self.widths)):
            raise ConfigError(f"widths must be ascending integers, got {widths!r}")
        if given.max() > self.widths[-1]:
            raise ConfigError(
                f"sample {int(given.argmax())} has a length of {given.max()}, more than the last of the widths, "
                f"{self.widths[-1]}; shorten the sample, or add a width"
            )
        self.seed = check_integer("seed", seed, 0, (1 << 64) - 1)
        self.lengths = given
        self._buckets = np.searchsorted(self.widths, given)
        self.samples = given.size

    def __len__(self) -> int:
        return len(self._buckets)

    def indices(self, epoch: int, positions: Any) -> np.ndarray:
        """Returns the indices in the data of the samples at `positions` of `epoch`, `int64[n]`."""
        return self._order(int(epoch))[check_positions(positions, len(self))]

    def _permuted(self, count: int, epoch: int, purpose: int) -> np.ndarray:
        key = (self.seed << 64) | (epoch << 1) | purpose
        return Permutation(count, key)(np.arange(count))

    def _order(self, epoch: int) -> np.ndarray:
        if (known := self.__dict__.get("_known")) is not None and known[0] == epoch:
            return known[1]
        order = self._permuted(len(self), epoch, _ORDER)
        of_bucket = [order[self._buckets[order] == bucket] for bucket in range(len(self.widths))]
        whole = [len(samples) // self.batch_size * self.batch_size for samples in of_bucket]
        pairs = list(zip(of_bucket, whole, strict=True))
        left = np.concatenate([samples[end:] for samples, end in pairs])
        full = len(left) // self.batch_size * self.batch_size
        batches = np.concatenate([*(samples[:end] for samples, end in pairs), left[:full]]).reshape(-1, self.batch_size)
        batches = batches[self._permuted(len(batches), epoch, _BATCHES)] if len(batches) else batches
        found = np.concatenate([batches.reshape(-1), left[full:]])
        self._known = epoch, found
        return found

    def identity(self) -> dict[str, Any]:
        """Returns what its orders depend on, in JSON's types."""
        lengths = digest_of(self.lengths.astype(np.int64))
        return {"seed": self.seed, "batch_size": self.batch_size, "widths": list(self.widths), "lengths": lengths}

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "_known"}

    def __repr__(self) -> str:
        return (
            f"BucketSampler({len(self)} lengths, batch_size={self.batch_size}, widths={self.widths}, seed={self.seed})"
        )
