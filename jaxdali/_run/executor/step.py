"""One iteration, from the slots of its sources to arrays.

`HostStage.take` makes a `Step` of the batches of all feeds. The device's part prepares it: it reads where its images
are, and an engine may begin to decode them (`images`, `ahead`). Then it dispatches it: what the program returned is in
`outputs`, and what must be looked at once it has run in `statuses` and `requirements`. `Executor` says in `state` how far
it came, and keeps it until it is handed out or dropped; then `close` releases what only the device's part needed.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Collection, Sequence
from typing import Any, Literal, Protocol

import numpy as np

from jaxdali._feed.ring.host_batch import HostBatch, HostColumn
from jaxdali.errors import SampleOrigin

__all__ = ["Step"]


class Decoding(Protocol):
    """The images of a step that an engine decodes, see `AheadBatch`."""

    @property
    def is_ready(self) -> bool: ...

    def wait(self, seconds: float) -> bool: ...
    def set_known_rows(self, column: int, addresses: Sequence[int]) -> None: ...
    def late_failure(self) -> tuple[int, int] | None: ...
    def close(self, used: bool = True) -> None: ...


class SmallOperands(Protocol):
    """Those of a step on their way to devices, see `Sent`."""

    def arrived(self) -> Any: ...
    def addresses(self, operand: Any) -> Sequence[int]: ...
    def give_back(self) -> None: ...


@dataclasses.dataclass(eq=False)
class Step:
    """One iteration of all feeds, and what the device's part has made of it so far.

    Attributes:
        batches: one per feed, in their order.
        number: counts steps through all epochs, from the beginning of the one that the stage was put in: of a Loader from
            epoch 0.
        columns: those of the sources in their order, followed by those made on the host between programs.
        state: "taken" from the sources; "prepared"; "dispatched", which it also is if there was nothing to dispatch.
        images: for each column of files that is decoded its rows and sizes, see `image_rows`.
        sent: rows, numbers and small columns on their way to the devices, and `packed`, which columns these are.
        ahead: the images that an engine decodes; None if there are none, or they are not needed any more.
        outputs: what the device computes; it may not be computed yet. None: nothing, or not dispatched.
        results: in a chain of programs, the outputs of those that are finished.
        statuses, requirements: what `check` looks at, see `DeviceProgram`.
        operands: kept alive until the program has run.
        has_run: whether the program is known to have run without failing, so that nothing uses its operands.
        failure: why an image made the program fail; then there are no outputs.
        error: why it could not be prepared or dispatched; raised in its place when it is handed out.
    """

    epoch: int
    iteration: int
    first_sample: int
    samples: int
    batches: list[HostBatch]
    numbers: Callable[[int, int], np.ndarray | range] | None = None
    real_rows: Callable[[int, int], np.ndarray | None] | None = None
    longest: Callable[[int, int], int] | None = None
    number: int = 0
    state: Literal["taken", "prepared", "dispatched"] = "taken"
    images: dict[int, tuple[np.ndarray, np.ndarray]] = dataclasses.field(default_factory=dict)
    sent: SmallOperands | None = None
    packed: Collection[int] = ()
    ahead: Decoding | None = None
    outputs: Any = None
    results: Sequence[Any] = ()
    statuses: dict[Any, Any] = dataclasses.field(default_factory=dict)
    requirements: dict[str, Any] = dataclasses.field(default_factory=dict)
    operands: Any = None
    has_run: bool = False
    failure: Exception | None = None
    error: Exception | None = None
    columns: list[HostColumn] = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        self.columns = [column for batch in self.batches for column in batch.columns]

    @property
    def is_ready(self) -> bool:
        """Whether it could be dispatched without waiting for a decoder."""
        return (self.ahead is None or self.ahead.is_ready) and self._clips_are_ready(0.0)

    def wait(self, seconds: float) -> bool:
        """Waits until `is_ready`; returns False if the time ran out first."""
        end = time.monotonic() + seconds
        if self.ahead is not None and not self.ahead.wait(seconds):
            return False
        return self._clips_are_ready(max(end - time.monotonic(), 0.0))

    def _clips_are_ready(self, seconds: float) -> bool:
        return all(column.clips is None or column.clips.wait(seconds) for column in self.columns)

    def close(self, used: bool = True) -> None:
        """Releases what only the program needed. It has run, or (not `used`) nobody wants its result any more."""
        if self.ahead is not None:
            self.ahead.close(used)
        # No call in between: an interrupt must not have them given back twice.
        sent, self.sent, self.operands = self.sent, None, None
        if sent is not None and self.has_run and used:
            sent.give_back()
        self.ahead = self.error = self.failure = None  # an error holds frames, which hold this step

    def identities(self) -> tuple[int, np.ndarray | range]:
        """Returns what random draws depend on: the epoch, and for each sample a number in it, `int64[samples]`, or a range
        if they are consecutive. Samples of a reader have numbers of their own, which are valid across all epochs.
        """
        for batch in self.batches:
            if batch.stream is not None:
                source, first = batch.stream
                return 0, source.identities(first, self.samples)
        first, count = self.first_sample, self.samples
        return self.epoch, range(first, first + count) if self.numbers is None else self.numbers(first, count)

    def mask(self) -> np.ndarray:
        """Returns `bool[samples]`: which rows are samples of the epoch; the others are padding."""
        mask = self.padding()
        return np.ones(self.samples, bool) if mask is None else mask

    def padding(self) -> np.ndarray | None:
        """Returns `mask`, or None if nothing can be padding: this runs for every batch, and None costs no array."""
        for column in self.columns:
            if column.column.marks_real:
                return column.dense()
        return None if self.real_rows is None else self.real_rows(self.first_sample, self.samples)

    def origin(self, column: str | None, row: int) -> SampleOrigin:
        """Returns where row `row` of the named column came from. For None, or several names, the worker is only known
        if all columns came through one feed.
        """
        is_alone = len(self.batches) == 1 and len(self.columns) == len(self.batches[0].columns)
        for batch in self.batches:
            if is_alone or any(c.column.name == column for c in batch.columns):
                return batch.origin(column, row)
        return SampleOrigin(
            output=column, sample_index=self.first_sample + row, iteration=self.iteration, epoch=self.epoch
        )
