"""How much of its slots a feed's outputs use, and how large the slots should be from the beginning."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from jaxdali._base.batch import ALIGNMENT
from .host_batch import HostColumn

__all__ = ["OutputUse", "SlotUse", "slot_bytes"]


def slot_bytes(samples: Sequence[int]) -> int:
    """Returns the bytes that a slot needs for one sample of each output; `samples` are the sizes in bytes."""
    return sum(_aligned(size) for size in samples)


def _aligned(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


@dataclasses.dataclass
class OutputUse:
    """The use of one output, in bytes.

    Attributes:
        real, most_real: size of the last batch's samples; and the average per sample, in the batch where it was
            largest.
        reserved, most_reserved: what the slot has for them, likewise.
    """

    real: int = 0
    most_real: int = 0
    reserved: int = 0
    most_reserved: int = 0

    def add(self, real: int, reserved: int, samples: int, sample: int | None = None) -> None:
        """Records a batch.

        Args:
            sample: bytes that one sample needs room for; None: the average.
        """
        self.real, self.reserved = real, reserved
        if samples:
            self.most_real = max(self.most_real, -(-real // samples) if sample is None else sample)
            self.most_reserved = max(self.most_reserved, -(-reserved // samples))


class SlotUse:
    """The use of a feed's outputs. A slot of `slot_bytes` of all `most_real`, times the samples of a full batch, has
    room for each batch that was seen.
    """

    def __init__(self, columns: int, batch_size: int):
        self._batch_size = batch_size
        self.outputs = [OutputUse() for _ in range(columns)]
        # When a dense batch of another shape follows, room planned for the previous shape is left empty. Sizes by
        # shape.
        self._dense: list[dict[Any, int]] = [{} for _ in range(columns)]

    def add(self, columns: Sequence[HostColumn], used: int, allocated: int) -> None:
        """Records a batch that was collected.

        Args:
            used: bytes that are laid out in its slot.
            allocated: bytes that the slot has.
        """
        real = [int(column.sizes.sum()) for column in columns]
        wanted = [self._wanted(index, column) for index, column in enumerate(columns)]
        # Space in between: from batches that were planned differently, and from workers that died.
        rest = max(used - slot_bytes(wanted) * self._batch_size, 0)
        between = _aligned(-(-rest // (self._batch_size * len(columns))))
        share = allocated / max(sum(real), 1)
        for use, size, sample in zip(self.outputs, real, wanted, strict=True):
            use.add(size, int(size * share), len(columns[0]), sample + between)

    def _wanted(self, index: int, column: HostColumn) -> int:
        sizes = column.sizes
        if not len(sizes):
            return 0
        dense = self._dense[index]
        if column.column.encoded or not column.uniform:
            # The aligned size of each sample, because samples start at multiples of the alignment.
            size = -(-sum(map(_aligned, sizes.tolist())) // len(sizes))
            others = list(dense.values())
        else:
            kind, size = (column.dtype, column.dense_shape[1:]), int(sizes[0])
            dense[kind] = size
            others = [other for alike, other in dense.items() if alike != kind]
        return slot_bytes([size, max(others)]) if others else size
