"""A sampler that takes a few samples of each group, such as a clip of each video."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from jaxdali.errors import check_integer
from .digests import digest_of
from .row_groups import check_groups
from .sampler import Permutation, check_positions
from .weighted import draws_at

__all__ = ["GroupSampler"]

_PERSON = b"jaxdali.groups"


class GroupSampler:
    """Visits every group of samples once in an epoch, in another order each time, and takes some samples of each at random:
    a clip of each video, some rays of each image, a round of each client's samples.

    The samples of a visit come one after the other. None comes twice in it, unless the group has fewer than `take`: then all
    of them come before one comes again. What is taken is a function of (seed, epoch, position), so a run resumes anywhere,
    on any number of workers and devices. Pass it as `Loader(sampler=)`. If `take` is a multiple of the batch size, each
    batch is of one group; if the batch size is a multiple of `take`, each batch has whole visits.

    Args:
        groups: `[n + 1]`: the first sample of each group, and the end, such as `VideoClips.groups`. Groups without samples
            are left out.
        take: samples of each visit.
        seed: 0 to 2**64 - 1.

    Attributes:
        samples: how many samples the data have.
        length: samples per epoch: `take` for each group.

    Raises:
        ConfigError: groups are not such numbers, or an integer is out of range.

    Example:
        >>> from jaxdali import source
        >>> sampler = source.GroupSampler([0, 4, 6, 9], take=2)  # samples 0 to 3, 4 and 5, 6 to 8
        >>> [sampler.indices(epoch, range(6)).reshape(3, 2).tolist() for epoch in range(2)]
        [[[1, 3], [8, 6], [4, 5]], [[5, 4], [1, 3], [7, 8]]]
    """

    def __init__(self, groups: Sequence[int] | np.ndarray, take: int = 1, seed: int = 0):
        bounds = check_groups("GroupSampler", "VideoClips.groups", groups)
        self.take = check_integer("take", take, 1, (1 << 31) - 1)
        self.seed = check_integer("seed", seed, 0, (1 << 64) - 1)
        self.samples = int(bounds[-1])
        sizes = np.diff(bounds)
        self._starts, self._sizes = bounds[:-1][sizes > 0], sizes[sizes > 0]
        self.length = len(self._sizes) * self.take

    def __len__(self) -> int:
        return self.length

    def indices(self, epoch: int, positions: npt.ArrayLike) -> np.ndarray:
        """Returns the indices in the data of the samples at `positions` of an epoch, `int64[n]`."""
        places = check_positions(positions, self.length).astype(np.int64)
        visit, number = np.divmod(places.reshape(-1), self.take)
        epoch, count = int(epoch), len(self._sizes)
        group = Permutation(count, self._key(epoch))(visit)
        sizes, found = self._sizes[group], self._starts[group]
        if self.take == 1:  # without a permutation for each group
            drawn = draws_at(group.astype(np.uint64), self.seed, epoch, _PERSON) * sizes
            found += np.minimum(drawn.astype(np.int64), sizes - 1)  # the product may be rounded up
            return found.reshape(places.shape)
        turn, number = np.divmod(number, sizes)
        # All that are taken from one group in one turn are taken together.
        order = np.lexsort((turn, group))
        ends = np.flatnonzero((np.diff(group[order]) != 0) | (np.diff(turn[order]) != 0)) + 1
        for mine in np.split(order, ends) if len(order) else []:
            one, again = int(group[mine[0]]), int(turn[mine[0]])
            found[mine] += Permutation(int(self._sizes[one]), self._key(epoch, one, again))(number[mine])
        return found.reshape(places.shape)

    def _key(self, *values: int) -> int:
        message = b"".join(value.to_bytes(8, "little") for value in (self.seed, *values))
        return int.from_bytes(hashlib.blake2b(message, digest_size=16, person=_PERSON).digest(), "little")

    def identity(self) -> dict[str, Any]:
        """Returns what its orders depend on, in JSON's types."""
        return {"seed": self.seed, "take": self.take, "groups": digest_of(self._starts, self._sizes)}

    def __repr__(self) -> str:
        return f"GroupSampler({len(self._sizes)} groups, take={self.take}, seed={self.seed})"
