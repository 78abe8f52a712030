"""A sampler for data that are read in groups of samples, such as row groups of Parquet files."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from jaxdali.errors import ConfigError, check_integer
from .digests import digest_of
from .direct import Own
from .sampler import Permutation, check_positions

__all__ = ["RowGroupSampler", "check_groups"]

_PERSON = b"jaxdali.rowgroup"


class RowGroupSampler:
    """Shuffles groups of samples, and the samples within a few groups at a time. Every epoch has another order, and each
    sample once; only a few groups are read at a time. Pass it as `Loader(sampler=)`.

    Orders are functions of (seed, epoch, position), so a run resumes anywhere, on any number of workers and devices.

    Args:
        groups: `[n + 1]`: the first sample of each group, and the end, such as `Parquet.groups`.
        seed: 0 to 2**64 - 1.
        together: how many groups are mixed; at most as many as the data keep (`row_groups_kept`), or groups are decoded
            again and again.

    Attributes:
        samples: how many samples the data have.

    Raises:
        ConfigError: groups are not such numbers, or an integer is out of range.

    Example:
        >>> from jaxdali import source
        >>> sampler = source.RowGroupSampler([0, 2, 4, 6], together=1)
        >>> sampler.indices(epoch=0, positions=range(6)).reshape(3, 2).tolist()  # row group by row group
        [[5, 4], [0, 1], [2, 3]]
    """

    def __init__(self, groups: Sequence[int] | np.ndarray, seed: int = 0, together: int = 4):
        self.groups = check_groups("RowGroupSampler", "Parquet.groups", groups)
        self.seed = check_integer("seed", seed, 0, (1 << 64) - 1)
        self.together = check_integer("together", together, 1)
        self.length = self.samples = int(self.groups[-1])
        # The key of cached orders. With many groups, making it for each batch would cost milliseconds.
        self._content = Own[bytes]()

    def __len__(self) -> int:
        return self.length

    def indices(self, epoch: int, positions: npt.ArrayLike) -> np.ndarray:
        """Returns the indices in the data of the samples at `positions` of `epoch`, `int64[n]`."""
        places = check_positions(positions, self.length).astype(np.int64)
        content = self._content.of(self.groups.tobytes)
        return _order_of(self.seed, int(epoch), self.together, content).indices(places)

    def identity(self) -> dict[str, Any]:
        """Returns what its orders depend on, in JSON's types."""
        return {"seed": self.seed, "together": self.together, "groups": digest_of(self.groups)}

    def __repr__(self) -> str:
        return f"RowGroupSampler({len(self.groups) - 1} groups, seed={self.seed}, together={self.together})"


def check_groups(name: str, example: str, groups: Sequence[int] | np.ndarray) -> np.ndarray:
    """Returns where each group of samples begins, and the end, `int64[n + 1]`.

    Raises:
        ConfigError: these are not such numbers, or there is no sample.
    """
    try:
        given = np.asarray(groups)
    except ValueError:  # lists of several lengths
        given = np.zeros(0)
    wrong = given.ndim != 1 or given.size < 2 or given.dtype.kind not in "iu"
    if wrong or given[0] != 0 or (np.diff(given.astype(np.int64)) < 0).any() or not given[-1]:
        raise ConfigError(
            f"{name} expects where each group begins, from 0 on, and the end, as {example} has it; got {groups!r:.80}"
        )
    return given.astype(np.int64)


class _Order:
    """The order of one epoch."""

    def __init__(self, seed: int, epoch: int, together: int, groups: np.ndarray):
        self._seed, self._epoch, self._together = seed, epoch, together
        count = len(groups) - 1
        order = Permutation(count, self._key(count))(np.arange(count))
        self._starts = groups[order]
        # Where each group begins in the epoch's order, and where each set of mixed groups does.
        self._begins = np.cumsum([0, *np.diff(groups)[order]])
        self._few = self._begins[[*range(0, count, together), count]]

    def indices(self, positions: np.ndarray) -> np.ndarray:
        few = np.searchsorted(self._few, positions, "right") - 1
        mixed = np.empty_like(positions)
        for number in np.unique(few).tolist():
            mine = few == number
            first, stop = self._few[number : number + 2].tolist()
            mixed[mine] = first + Permutation(stop - first, self._key(number))(positions[mine] - first)
        group = np.searchsorted(self._begins, mixed, "right") - 1
        return self._starts[group] + mixed - self._begins[group]

    def _key(self, number: int) -> int:
        """Returns the key for set `number` of mixed groups. The order of groups uses a number that no set has."""
        message = b"".join(value.to_bytes(8, "little") for value in (self._seed, self._epoch, number))
        return int.from_bytes(hashlib.blake2b(message, digest_size=16, person=_PERSON).digest(), "little")


@functools.lru_cache(maxsize=16)
def _order_of(seed: int, epoch: int, together: int, groups: bytes) -> _Order:
    return _Order(seed, epoch, together, np.frombuffer(groups, np.int64))
