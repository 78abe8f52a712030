"""Lets the engines of several GPUs decode a step, each its own rows.

`start` takes a step and cuts its rows into equal parts, in the order of the devices; each device's `AheadDecoder` gets
its own. `SplitBatch` then speaks for all parts: it is ready when all are, and counts a failed row from the beginning of
the step. It relies on the step having as many rows for each device, and on sharded arrays being cut in the same way.
"""

from __future__ import annotations

import collections
import dataclasses
import time
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from jaxdali._base.aliases import Device
from ..step import Step
from .ahead_decoder import AheadBatch, AheadDecoder, DecodeSettings

__all__ = ["SplitBatch", "SplitDecoder"]


@dataclasses.dataclass(eq=False)
class SplitBatch:
    """The images of a step that several devices are decoding; like `AheadBatch`.

    Attributes:
        parts: one per device, in the order of the rows.
        rows: number of rows in each part.
    """

    parts: Sequence[AheadBatch]
    rows: int

    @property
    def is_ready(self) -> bool:
        return all(part.is_ready for part in self.parts)

    def wait(self, seconds: float) -> bool:
        end = time.monotonic() + seconds
        return all(part.wait(max(end - time.monotonic(), 0.0)) for part in self.parts)

    def set_known_rows(self, column: int, addresses: Sequence[int]) -> None:
        """Like `AheadBatch.set_known_rows`, with an address for each device."""
        for part, address in zip(self.parts, addresses, strict=True):
            part.set_known_rows(column, [address])

    def late_failure(self) -> tuple[int, int] | None:
        for number, part in enumerate(self.parts):
            if late := part.late_failure():
                return number * self.rows + late[0], late[1]
        return None

    def close(self, used: bool = True) -> None:
        for part in self.parts:
            part.close(used)


class SplitDecoder:
    """Gives each of several GPUs its rows of every step; like `AheadDecoder`."""

    def __init__(
        self, devices: Sequence[Device], settings: Mapping[int, Iterable[DecodeSettings]], decode_memory: int | None
    ):
        kept = {column: list(wanted) for column, wanted in settings.items()}
        self._decoders = [AheadDecoder(device, kept, decode_memory) for device in devices]

    @property
    def counts(self) -> dict[str, int]:
        """The sums over all engines; for hardware queues, which they share, the minimum."""
        total: collections.Counter[str] = collections.Counter()
        counts = [decoder.counts for decoder in self._decoders]
        for one in counts:
            total.update(one)
        return {**total, "hardware_queues": min(one["hardware_queues"] for one in counts)}

    def start(self, step: Step, rows: Mapping[int, np.ndarray]) -> SplitBatch:
        size = step.samples // len(self._decoders)
        parts = [
            decoder.start(step, {index: described[k * size : (k + 1) * size] for index, described in rows.items()})
            for k, decoder in enumerate(self._decoders)
        ]
        return SplitBatch(parts, size)
