"""A source that is handed its data: DALI's `feed_input`."""

from __future__ import annotations

import contextlib
import queue
from typing import Any

import numpy as np

from jaxdali._base.aliases import Sample
from jaxdali.errors import SourceDataError, StateError
from .. import _host
from .collate import as_batch, as_sample
from .gpu_batches import Held
from .source_kinds import Request, Source

__all__ = ["FedSource"]

# How long a wait for data lasts before the source returns, to check whether a reader still waits for them.
_POLL_S = 0.05


class FedSource(Source):
    """Gives whole batches, first in first out. Any thread may feed it. It stays in the process that feeds it.

    Args:
        blocking: whether asking for data waits until there are some.
        repeat_last: whether to give the last batch again if nothing new was fed.
        no_copy: whether to keep batches without a copy; they must then not change before they are used.

    Attributes:
        layout: the layout that was fed last; empty if none was.
    """

    outputs = 1
    batch_mode = True
    stateful = True
    description = "data that are fed"

    def __init__(self, blocking: bool, repeat_last: bool, no_copy: bool):
        self._blocking = blocking
        self._repeat_last = repeat_last
        self._no_copy = no_copy
        # No lock in Python: an interrupt could leave it locked.
        self._batches: queue.SimpleQueue[Any] = queue.SimpleQueue()
        # The batch taken last, and the same while it is not written yet: after an interrupt it is asked for again.
        self._last: list[Any] = []
        self._begun: list[Any] = []
        self.layout = ""
        self._untouched = True

    def feed(self, value: object, batch_size: int, layout: str = "") -> None:
        """Appends a batch, which may be `Held`.

        Args:
            layout: the layout of all batches, given with the first one.

        Raises:
            SourceDataError: it is not a batch, or has more than `batch_size` samples.
        """
        batch = value if isinstance(value, Held) else as_batch(value)
        if len(batch) > batch_size:
            raise SourceDataError(
                f"unexpected batch size. Expected batch_size <= {batch_size}, actual: {len(batch)}. Feed fewer samples, or "
                "make the pipeline's batch_size larger"
            )
        if not (self._no_copy or isinstance(batch, Held)):
            batch = batch.copy() if isinstance(batch, np.ndarray) else [_copied(sample) for sample in batch]
        # Set before a waiting reader can get the batch.
        self.layout = layout or self.layout
        self._untouched = False
        self._batches.put(batch)

    @property
    def untouched(self) -> bool:
        """Whether nothing was fed yet."""
        return self._untouched

    @property
    def ready(self) -> bool:
        return bool(self._begun) or not self._batches.empty()

    @property
    def supplied(self) -> bool:
        return self.ready or self._blocking or (self._repeat_last and bool(self._last))

    def wait(self) -> bool:
        if self._blocking and not (self._repeat_last and self._last):
            self._take(_POLL_S)
            return bool(self._begun)
        return True

    def written(self) -> None:
        self._begun = []

    def batch(self, request: Request) -> tuple[Any, ...]:
        self._take(0.0)
        if self._begun:
            self._last = self._begun
        elif not (self._repeat_last and self._last):
            raise StateError("Attempted to peek the data batch that doesn't exist: nothing was fed")
        return (self._last[0],)

    def _take(self, timeout_s: float) -> None:
        if not self._begun:
            with contextlib.suppress(queue.Empty):
                _host.append_result(self._begun, self._batches.get, timeout_s > 0, timeout_s)


def _copied(sample: object) -> Sample:
    return sample if isinstance(sample, bytes) else np.array(as_sample(sample))
