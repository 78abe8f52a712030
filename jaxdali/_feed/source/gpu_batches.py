"""Batches that go through no slot, because they already are where the device function takes them.

The ring carries their numbers instead, so waiting, ending, failing, counting and later epochs work as for all batches.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .source_kinds import Request, Source, WrappedSource

__all__ = ["Held", "HeldBatches", "HeldSource"]


@dataclasses.dataclass(frozen=True, eq=False)
class Held:
    """A batch of one output, which nobody changes any more.

    Attributes:
        data: `[n, ...]`, an array of NumPy or JAX, n > 0.
        shapes: `int32[n, ndim]`: each sample is in the corner of its row. None: every sample fills its row.
    """

    data: Any
    shapes: Any = None

    def __len__(self) -> int:
        return len(self.data)


class HeldBatches:
    """The held batches of one output, between the source that gave them and the device function that takes them."""

    def __init__(self) -> None:
        self._batches: dict[int, Held] = {}
        self._next = 0

    def put(self, batch: Held) -> np.ndarray:
        """Keeps a batch; returns its number, which goes through the ring instead, as `int64[n]`."""
        number = self._next
        self._next += 1
        self._batches[number] = batch
        return np.full(len(batch), number)

    def take(self, numbers: np.ndarray) -> Held:
        """Returns the batch for which `put` returned `numbers`, and keeps it no longer."""
        return self._batches.pop(int(numbers[0]))

    def clear(self) -> None:
        """Drops all batches, which nobody will ask for."""
        self._batches.clear()


class HeldSource(WrappedSource):
    """A source in this process, of whole batches that are not written to slots.

    Args:
        inner: gives the batches, already held (a `FedSource`) or as its user returned them.
        holders: for each output, makes a `Held` of what the user returned.

    Attributes:
        held_batches: one per output.
    """

    batch_mode = True

    def __init__(self, inner: Source, holders: Sequence[Callable[[object], Held]]):
        super().__init__(inner)
        self._holders = list(holders)
        self._epoch = 0
        self.held_batches = [HeldBatches() for _ in self._holders]

    def batch(self, request: Request) -> tuple[Any, ...]:
        if request.epoch != self._epoch and not self.stateful:
            # Batches made ahead in the epoch before were dropped, except those of stateful sources: they are given again.
            for batches in self.held_batches:
                batches.clear()
        self._epoch = request.epoch
        values = self._inner.batch(request)
        held = [
            value if isinstance(value, Held) else hold(value) for hold, value in zip(self._holders, values, strict=True)
        ]
        return tuple(batches.put(batch) for batches, batch in zip(self.held_batches, held, strict=True))
