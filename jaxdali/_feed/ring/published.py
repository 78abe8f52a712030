"""Batches that were requested, and what is planned for those that follow.

What `Feed` keeps of a batch from `publish` to `take` is a `Published`. `plan_of` makes the plan for later batches from
a column that was read: if all samples were alike, workers write the next ones to their final places. `EpochStarts` says
where a batch of an endless stream begins, `failed_chunk` whose failure counts: the first in the order of samples. Data
and functions of data; only `failed_chunk` looks at the ring.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable

import numpy as np

from jaxdali._base.dtypes import from_numpy_type
from .. import _host
from .host_batch import HostColumn

__all__ = ["EpochStarts", "Published", "failed_chunk", "plan_of"]


@dataclasses.dataclass
class Published:
    """A batch that was requested.

    Attributes:
        slot: None if the source has no such batch.
        position: for an endless source, the index of the batch in its stream.
        only: the worker that must make it; 0: any.
        lease: of the slot, once it was read.
    """

    slot: int | None
    ticket: int = 0
    epoch: int = 0
    iteration: int = 0
    position: int = 0
    only: int = 0
    lease: list[_host.Lease] = dataclasses.field(default_factory=list)


def plan_of(column: HostColumn) -> _host.Plan:
    """Returns the plan for the next batch: samples of the same shape as in this one."""
    if column.column.encoded or not column.uniform:
        return column.column.encoded, None
    return _plan_of_alike(column.dtype, column.dense_shape[1:])


@functools.lru_cache(maxsize=64)  # most outputs have the same plan every time
def _plan_of_alike(dtype: np.dtype, shape: tuple[int, ...]) -> _host.Plan:
    return False, (int(from_numpy_type(dtype)), shape)


@dataclasses.dataclass(frozen=True)
class EpochStarts:
    """Where the batches of an endless source's stream begin.

    Attributes:
        batch_size: samples of a batch.
        batches: how many batches each epoch has; None: the stream has no epochs.
        starts: epoch -> its first sample in the stream.
    """

    batch_size: int
    batches: int | None = None
    starts: Callable[[int], int] = int

    def first(self, batch: int) -> int:
        """Returns the index in the stream of the first sample of a batch."""
        if self.batches is None:
            return batch * self.batch_size
        epoch, number = divmod(batch, self.batches)
        return self.starts(epoch) + number * self.batch_size


def failed_chunk(ring: _host.Ring, slot: int) -> int:
    """Returns the first chunk of a slot that could not be made."""
    failed = _host.WORD_STATES.index("failed")
    return next((index for index, info in enumerate(ring.chunk_info(slot)) if info[3] == failed), 0)
