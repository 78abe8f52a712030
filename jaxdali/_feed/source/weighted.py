"""A sampler that draws some samples more often than others."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from jaxdali.errors import ConfigError, check_integer
from .digests import digest_of
from .sampler import check_positions

__all__ = ["WeightedSampler", "draws_at"]

_PERSON = b"jaxdali.weighted"
_STEP = np.uint64(0x9E3779B97F4A7C15)  # of SplitMix64


class WeightedSampler:
    """Draws with replacement: at each position of an epoch, sample `i` has a probability proportional to `weights[i]`.

    Draws are functions of (seed, epoch, position), so the order resumes anywhere and is the same for any number of
    workers and devices. Pass it as `Loader(sampler=)`.

    Args:
        weights: `[n]`, one per sample of the data, not negative, not all 0.
        length: samples per epoch; None: n.
        seed: 0 to 2**64 - 1.

    Attributes:
        samples: how many samples the data have.

    Raises:
        ConfigError: weights are not such numbers, or an integer is out of range.

    Example:
        >>> import numpy as np
        >>> from jaxdali import source
        >>> sampler = source.WeightedSampler([0, 1, 3], length=400)
        >>> np.bincount(sampler.indices(epoch=0, positions=range(400)))
        array([  0,  85, 315])
    """

    def __init__(self, weights: Iterable[float], length: int | None = None, seed: int = 0):
        given = np.asarray(weights if hasattr(weights, "__len__") else list(weights), np.float64)
        if given.ndim != 1 or not np.isfinite(given).all() or (given < 0).any() or not given.sum() > 0:
            raise ConfigError(
                "WeightedSampler expects a weight for each sample, none of them negative and not all 0, got an array of "
                f"shape {given.shape}" + (f" from {given.min()} to {given.max()}" if given.size else "")
            )
        self.length = given.size if length is None else check_integer("length", length, 1)
        self.seed = check_integer("seed", seed, 0, (1 << 64) - 1)
        self.samples = given.size
        self._ends = np.cumsum(given)
        self._last = int(np.flatnonzero(given)[-1])

    def __len__(self) -> int:
        return self.length

    def indices(self, epoch: int, positions: npt.ArrayLike) -> np.ndarray:
        """Returns the indices in the data of the samples at `positions` of `epoch`, `int64[n]`."""
        places = check_positions(positions, self.length).astype(np.uint64)
        shares = draws_at(places, self.seed, int(epoch), _PERSON)
        found = np.searchsorted(self._ends, shares * self._ends[-1], side="right")
        return np.minimum(found, self._last).astype(np.int64)  # the product may be rounded up to the sum of all

    def identity(self) -> dict[str, Any]:
        """Returns what its orders depend on, in JSON's types. Sums of weights show a change of any weight before them."""
        return {"seed": self.seed, "weights": digest_of(self._ends)}

    def __repr__(self) -> str:
        return f"WeightedSampler({len(self._ends)} weights, length={self.length}, seed={self.seed})"


def draws_at(places: np.ndarray, seed: int, epoch: int, person: bytes) -> np.ndarray:
    """Returns a number for each place, `uint64[n]`, of an epoch: uniform in [0, 1), and always the same."""
    message = seed.to_bytes(8, "little") + epoch.to_bytes(8, "little")
    one, two = np.frombuffer(hashlib.blake2b(message, digest_size=16, person=person).digest(), "<u8")
    words = _finish(_finish(places * _STEP + one) + two)
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _finish(words: np.ndarray) -> np.ndarray:
    """Returns the finalizer of SplitMix64 of words."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
