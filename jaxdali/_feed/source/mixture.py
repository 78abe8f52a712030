"""Samples of several sources in proportions, which may change from epoch to epoch."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np

from jaxdali._base.interruptions import is_interruption
from jaxdali.errors import ConfigError, check_integer
from .access import Identities, View
from .digests import digest_of
from .views import check_sources

__all__ = ["mix"]

# Weights are integer fractions of this. Their products with counts of samples stay exact, as Python's integers.
_ONE = 1 << 40
# How many epochs of changing weights tell a mixture from others.
_EPOCHS = 256


class _Shares:
    """Decides for each index whether the sample is of the last source, otherwise of the last but one, and so on. Each
    decision is Bresenham's: in any n consecutive samples, a source has its share of n, to within one.

    Args:
        weights: not negative, their sum positive.

    Attributes:
        weights: integers, in proportion to them; positive if they are.
        counts: how many of an epoch's samples each source gives.
    """

    def __init__(self, weights: np.ndarray, length: int):
        shares = zip(weights, weights / weights.sum() * _ONE, strict=True)
        self.weights = [max(round(share), 1) if weight else 0 for weight, share in shares]
        totals = list(itertools.accumulate(self.weights))
        # From the last source to the second: its number, the weight of those up to it, half of that, and of those before it.
        self._levels = [(k, totals[k], totals[k] // 2, totals[k - 1]) for k in reversed(range(1, len(totals)))]
        self.counts: list[int] = []
        left = length
        for _, total, half, before_it in self._levels:
            before = (left * before_it + half) // total if left else 0
            self.counts.insert(0, left - before)
            left = before
        self.counts.insert(0, left)

    def locate(self, index: int) -> tuple[int, int]:
        """Returns the source of a sample of an epoch, and how many of that source's come before it in the epoch."""
        for part, total, half, before_it in self._levels:
            scaled = index * before_it + half
            before = scaled // total  # how many of the first `index` samples are of sources before this one
            if (scaled + before_it) // total == before:
                return part, index - before
            index = before
        return 0, index


class Mix(View):
    """Sources in fixed proportions."""

    def __init__(self, parts: Sequence[Any], weights: np.ndarray, length: int):
        self._parts = list(parts)
        self._length = length
        self._shares = _Shares(weights, length)

    def __len__(self) -> int:
        return self._length

    @property
    def inner(self) -> list[Any]:
        return self._parts

    @property
    def varies(self) -> bool:
        goes_on = any(count % len(part) for count, part in zip(self._shares.counts, self._parts, strict=True))
        return goes_on or super().varies

    def identity(self, identities: Identities) -> dict[str, Any]:
        return {"type": "mix", "samples": self._length, "weights": self._weights(), "of": identities(self._parts)}

    def _weights(self) -> str:
        """Returns the first shares, rounded for a reader, and a hash of all exact ones."""
        shares = np.array(self._shares.weights)
        shown = ", ".join(f"{share / shares.sum():.6g}" for share in shares[:8].tolist())
        return f"{shown} ({digest_of(shares)})"

    def locate(self, index: int, epoch: int) -> tuple[Any, int]:
        part, place = self._shares.locate(index)
        data = self._parts[part]
        # Continues where the epochs before stopped.
        return data, (epoch * self._shares.counts[part] + place) % len(data)


class ChangingMix(Mix):
    """Sources in proportions that are a function of the epoch."""

    def __init__(self, parts: Sequence[Any], weights: Callable[[int], Iterable[float]], length: int):
        self._parts = list(parts)
        self._length = length
        self._function = weights
        # By epoch: its shares, and how many samples of each source the epochs before it took.
        self._known: dict[int, tuple[_Shares, list[int]]] = {}
        self._epoch(0)

    def __repr__(self) -> str:
        return f"mix of {len(self)} samples"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_known": {}}

    @property
    def varies(self) -> bool:
        return True

    def _weights(self) -> str:
        found = []
        for epoch in range(_EPOCHS):
            try:
                found.append(self._epoch(epoch)[0].weights)
            except Exception as error:  # there may be no more epochs, of which only the Loader knows
                if is_interruption(error):
                    raise
                break
        return f"of the epoch, by those of the first {len(found)} ({digest_of(np.array(found))})"

    def locate(self, index: int, epoch: int) -> tuple[Any, int]:
        shares, passed = self._epoch(epoch)
        part, place = shares.locate(index)
        data = self._parts[part]
        return data, (passed[part] + place) % len(data)

    def _epoch(self, epoch: int) -> tuple[_Shares, list[int]]:
        # Several threads may do the same at once, with the same result.
        for number in range(len(self._known), epoch + 1):
            passed = [0] * len(self._parts)
            if number:
                shares, before = self._known[number - 1]
                passed = [a + b for a, b in zip(before, shares.counts, strict=True)]
            self._known[number] = _Shares(self._weights_of(number), self._length), passed
        return self._known[epoch]

    def _weights_of(self, epoch: int) -> np.ndarray:
        try:
            given = _listed(self._function(epoch))
        except Exception as error:
            error.add_note(f"raised by weights({epoch}), the function of the epoch that source.mix was given")
            raise
        numbers = _numbers(given)
        if numbers is None or len(numbers) != len(self._parts) or (numbers < 0).any() or not numbers.any():
            raise ConfigError(
                f"mix: the weights of epoch {epoch} are {given!r:.200}; expected {len(self._parts)} numbers, one for each "
                "source, none of them negative, and not all 0"
            )
        return numbers


def _listed(given: Any) -> Any:
    """Returns what a generator gives, and the like; anything else as it is, such as a set, which has no order."""
    has_order = isinstance(given, Iterable) and not isinstance(given, Mapping | Set | str | bytes)
    return list(given) if has_order and not hasattr(given, "__array__") else given


def _numbers(given: Any) -> np.ndarray | None:
    """Returns weights as `float64[n]`; None if they are not finite numbers, with a finite sum."""
    try:
        numbers = np.asarray(given, np.float64)
    except (TypeError, ValueError, OverflowError):
        return None
    with np.errstate(over="ignore"):
        return numbers if numbers.ndim == 1 and np.isfinite(numbers.sum()) else None


def mix(
    *data: Any, weights: Iterable[float] | Callable[[int], Iterable[float]] | None = None, length: int | None = None
) -> View:
    """Samples of several sources in proportions, evenly interleaved.

    If an epoch takes fewer samples of a source than it has, the next epoch continues where this one stopped; if it
    takes more, the source begins again. So over many epochs all samples of a source come equally often.

    Args:
        data: at least one source with `__len__` and `__getitem__`; their samples have the same structure.
        weights: a positive number for each source; their sum does not matter. None: each source's number of samples. Or a
            function of the epoch (an int, from 0 on) that returns a number for each source, which may be 0 in some epochs.
            It must depend on the epoch only: each process calls it, for each epoch up to the one that it reads. A Loader's
            state tells the weights of the first 256 epochs from others, or of as many as the function has.
        length: samples per epoch, whatever the weights; None: as many as all sources have together.

    Raises:
        ConfigError: weights are not positive, or not one per source; or an argument is not such a source, or is empty. If
            weights of a later epoch are not, reading that epoch raises one that names it.

    Example:
        >>> from jaxdali import Loader, source
        >>> easy, hard = [1, 2, 3, 4], [-1, -2, -3, -4]
        >>> data = source.mix(easy, hard, weights=lambda epoch: [2 - epoch, epoch], length=4)
        >>> with Loader(data, batch_size=4, epochs=3, workers=0) as loader:
        ...     [batch.tolist() for batch in loader]
        [[1, 2, 3, 4], [1, -1, 2, -2], [-3, -4, -1, -2]]
    """
    parts = check_sources("mix", data)
    if len(parts) == 1 and isinstance(parts[0], list | tuple | dict) and weights is not None:
        raise ConfigError(
            "mix expects its sources one by one: mix(ours, theirs, weights=[0.8, 0.2]), or mix(*sources) for a list"
        )
    lengths = [len(part) for part in parts]
    if 0 in lengths:
        raise ConfigError(f"mix: source {lengths.index(0)} has no samples")
    samples = sum(lengths) if length is None else check_integer("length", length, 1)
    if callable(weights):
        return ChangingMix(parts, weights, samples)
    given = lengths if weights is None else _listed(weights)
    numbers = _numbers(given)
    if numbers is None or not (numbers > 0).all():
        raise ConfigError(
            f"mix: weights must be positive numbers, got {given!r:.200}; leave out sources that should not be read"
        )
    if len(numbers) != len(parts):
        raise ConfigError(f"mix: {len(parts)} sources need as many weights, got {len(numbers)}")
    return Mix(parts, numbers, samples)
