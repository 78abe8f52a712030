"""A source that is handed its data: DALI's `feed_input`."""

from __future__ import annotations

import collections
import threading
from typing import Any

import numpy as np

from ..errors import SourceDataError, StateError
from .collate import as_batch, as_sample
from .held import Held
from .kinds import Request, Source

__all__ = ["FedSource"]

# How long a wait for data lasts before signals are looked after.
_LOOK_S = 0.05


class FedSource(Source):
    """Whole batches, first in first out. Any thread may feed it. It stays in the process that does.

    Args:
        blocking: who asks for data waits until there are some.
        repeat_last: where nothing new was fed, the last batch is given again.
        no_copy: what is fed is not copied, and must not change before it was used.

    Attributes:
        layout: that came with the first batch; empty: none did.
    """

    outputs = 1
    batch_mode = True
    stateful = True
    resumes = True
    description = "data that are fed"

    def __init__(self, blocking: bool, repeat_last: bool, no_copy: bool):
        self._blocking = blocking
        self._repeat_last = repeat_last
        self._no_copy = no_copy
        self._batches: collections.deque[Any] = collections.deque()
        self._last: list[Any] = []
        self._changed = threading.Condition()
        self.layout = ""
        self._untouched = True

    def feed(self, value: Any, batch_size: int) -> None:
        """Appends a batch, also one that is `Held`.

        Raises:
            SourceDataError: it is no batch, or has more than `batch_size` samples.
        """
        batch = value if isinstance(value, Held) else as_batch(value)
        if len(batch) > batch_size:
            raise SourceDataError(
                f"unexpected batch size. Expected batch_size <= {batch_size}, actual: {len(batch)}. Feed fewer samples, or "
                "make the pipeline's batch_size larger"
            )
        if not (self._no_copy or isinstance(batch, Held)):
            batch = batch.copy() if isinstance(batch, np.ndarray) else [_copied(sample) for sample in batch]
        with self._changed:
            self._untouched = False
            self._batches.append(batch)
            self._changed.notify()

    @property
    def untouched(self) -> bool:
        """Nothing was fed yet."""
        return self._untouched

    @property
    def ready(self) -> bool:
        return bool(self._batches)

    @property
    def supplied(self) -> bool:
        return self.ready or self._blocking or (self._repeat_last and bool(self._last))

    def batch(self, request: Request) -> tuple[Any, ...]:
        with self._changed:
            while not self._batches:
                if self._repeat_last and self._last:
                    return (self._last[0],)
                if not self._blocking:
                    raise StateError("Attempted to peek the data batch that doesn't exist: nothing was fed")
                self._changed.wait(_LOOK_S)
            self._last = [self._batches[0]]
            del self._batches[0]
            return (self._last[0],)


def _copied(sample: Any) -> Any:
    return sample if isinstance(sample, bytes) else np.array(as_sample(sample))
