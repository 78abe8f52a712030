"""Predicts which samples a process will read next, so that remote objects are fetched in time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..storage.read_ahead import Ahead
from .access import View
from .record_source import Fetched

__all__ = ["Foresight", "located", "reads_ahead"]

# How many samples are predicted, beyond those of the chunk that is read: some hundred requests.
_SAMPLES = 256

# Samples of one source, by their indices there.
Part = tuple[Ahead, np.ndarray]


class Foresight:
    """Predicts the reads of one source in one process. A worker that has made a chunk of a batch mostly makes the same chunk
    of the next batch. If it does not, its samples are fetched when they are read, and those fetched in vain are dropped.

    Args:
        batch_size: samples in a batch, which is cut into chunks.
        parts_of: `(epoch, first, count)` -> those of the samples at positions `first` to `first + count` of an epoch that
            can be read ahead; None if the epoch has ended.
    """

    def __init__(self, batch_size: int, parts_of: Callable[[int, int, int], Sequence[Part] | None]):
        self._batch_size, self._parts_of = batch_size, parts_of
        self._known: dict[tuple[int, int, int], None] = {}
        self._aheads: dict[int, Ahead] = {}

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_known": {}, "_aheads": {}}

    def look(self, epoch: int, first_sample: int, start: int, stop: int) -> None:
        """Announces the chunk `start` to `stop` of a batch, which is read now, and those expected after it."""
        now, count = (epoch, first_sample, start), max(stop - start, 1)
        batches = -(-_SAMPLES // count)
        last = (epoch, first_sample + (batches + 1) * self._batch_size)
        if any(one[:2] > last for one in self._known):  # the stream was moved back
            for ahead in self._aheads.values():
                ahead.forget()
            self._known.clear()
        taken_over = now not in self._known and any(one > now for one in self._known)
        self._tell(now, count, Ahead.begin)
        self._known = {one: None for one in self._known if one >= now}
        if taken_over:  # another worker's chunk, taken over this once: later ones are not expected here
            return
        for later in range(1, batches + 1):
            group = (epoch, first_sample + later * self._batch_size, start)
            if group not in self._known and not self._tell(group, count, Ahead.expect):
                break

    def _tell(self, group: tuple[int, int, int], count: int, tell: Callable[[Ahead, Any, np.ndarray], None]) -> bool:
        """Announces a group of samples. Returns False if the epoch has none."""
        epoch, first, start = group
        parts = self._parts_of(epoch, first + start, count)
        if parts is None:
            return False
        self._known[group] = None
        told = {id(ahead): (ahead, indices) for ahead, indices in parts}
        self._aheads.update((number, ahead) for number, (ahead, _) in told.items())
        for number, ahead in self._aheads.items():
            tell(ahead, group, told[number][1] if number in told else np.zeros(0, np.int64))
        return True


def reads_ahead(data: object) -> bool:
    """Whether any part of a map-style source is read ahead."""
    if isinstance(data, View):
        return any(map(reads_ahead, data.inner))
    return _ahead_of(data) is not None


def located(data: Any, indices: np.ndarray, epoch: int) -> list[Part]:
    """Returns those of a map-style source's samples that are read ahead, as indices in the sources that have them."""
    if not isinstance(data, View) or not data.inner:
        ahead = _ahead_of(data)
        return [] if ahead is None else [(ahead, indices)]
    found: dict[int, tuple[Any, list[int]]] = {}
    for index in indices.tolist():
        inner, inner_index = data.locate(index, epoch)
        while isinstance(inner, View) and inner.inner:
            inner, inner_index = inner.locate(inner_index, epoch)
        found.setdefault(id(inner), (inner, []))[1].append(inner_index)
    parts = [(_ahead_of(inner), inner_indices) for inner, inner_indices in found.values()]
    return [(ahead, np.array(inner_indices, np.int64)) for ahead, inner_indices in parts if ahead is not None]


def _ahead_of(data: object) -> Ahead | None:
    """Returns what fetches ahead for some data, which may be a user's own class; None if nothing does."""
    return data.ahead() if isinstance(data, Fetched) else None
