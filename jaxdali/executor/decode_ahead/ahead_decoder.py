"""Has the engine of a GPU decode the images of a step before the device function wants them."""

from __future__ import annotations

import collections
import dataclasses
import itertools
import logging
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..._ffi.cuda import cuda_module
from ...aliases import Device
from ...types import UINT8
from ..device_io.transfer import lock_pages
from ..host_stage import Step

__all__ = ["AheadBatch", "AheadDecoder", "DecodeSettings"]

logger = logging.getLogger("jaxdali")

# Device memory for images that wait, where nobody says: at most so much, and half of what is free.
_MOST_MEMORY = 4 << 30

# Steps that were decoded on the spot before it is said.
_MISSES = 3

# Steps that are handed out undecoded, of which it is remembered whether somebody decodes them.
_WATCHED = 16


class DecodeSettings(NamedTuple):
    """What the pixels of a file depend on, beside the file. `decoder` is an index in `jaxdali.batch.DECODERS`; `luma`: they
    have one channel, not RGB.
    """

    decoder: int
    fancy_upsampling: bool
    luma: bool = False


@dataclasses.dataclass(eq=False)
class AheadBatch:
    """The images of a step on their way.

    Attributes:
        jobs: by column, and by the settings that they are decoded with.
    """

    decoder: AheadDecoder
    jobs: dict[int, dict[DecodeSettings, Any]]

    def _all(self) -> Iterator[Any]:
        return itertools.chain.from_iterable(jobs.values() for jobs in self.jobs.values())

    @property
    def settled(self) -> bool:
        """All are decoded, or will not be."""
        return all(job.settled for job in self._all())

    def wait(self, seconds: float) -> bool:
        """Waits until `settled`; False: the time is up."""
        end = time.monotonic() + seconds
        return all(job.wait(max(end - time.monotonic(), 0.0)) for job in self._all())

    @property
    def used(self) -> bool:
        """A call has found some of them, or would have with other settings."""
        return any(job.times_used or job.wanted for job in self._all())

    def set_known_rows(self, column: int, rows: Any) -> None:
        """Says that an array on the device holds the rows of a column. It must live until `close`."""
        for job in self.jobs[column].values():
            job.set_known_rows(rows.unsafe_buffer_pointer())

    def late_failure(self) -> tuple[int, int] | None:
        """(row, status) of an image that was to raise, but could not in time. After the device function has run."""
        return next((late for job in self._all() if (late := job.late_failure())), None)

    def close(self, used: bool = True) -> None:
        """Gives the memory back, after the device function has run, or (not `used`) where it will not."""
        for job in self._all():
            job.set_known_rows(0)
            job.release()
        if used:
            self.decoder.learn(self.jobs)


class AheadDecoder:
    """Gives steps to the engine of one GPU.

    Args:
        device: a GPU.
        settings: that the device function decodes each column with. What it turns out to want besides is added.
        decode_memory: bytes on the device for images that wait; None: up to 4 GiB, and half of what is free.
        reserve: (bytes, batches, images) of each column whose batches are expected to be so large; memory for so many of
            them is there from the beginning, as far as decode_memory allows.
    """

    def __init__(
        self,
        device: Device,
        settings: Mapping[int, Iterable[DecodeSettings]],
        decode_memory: int | None,
        reserve: Iterable[tuple[int, int, int]] = (),
    ):
        self._ordinal = device.local_hardware_id
        self._settings = {column: dict.fromkeys(wanted) for column, wanted in settings.items()}
        self._missed = 0
        self._watched: collections.deque[AheadBatch] = collections.deque(maxlen=_WATCHED)
        self._memory = cuda_module().set_decode_memory(self._ordinal, decode_memory, _MOST_MEMORY)
        for size, batches, images in reserve:
            cuda_module().reserve_decode_memory(self._ordinal, size, batches, images)

    @property
    def counts(self) -> dict[str, int]:
        """What the engine has done, see `EngineStatistics`."""
        return cuda_module().engine_counts(self._ordinal)

    def start(self, step: Step, rows: Mapping[int, np.ndarray]) -> AheadBatch:
        """Asks for the images of a step.

        Args:
            rows: `int32[N, 8]` of each column of files.
        """
        module = cuda_module()
        jobs: dict[int, dict[DecodeSettings, Any]] = {index: {} for index in rows}
        for index, described in rows.items():
            lease = step.columns[index].lease
            if not lock_pages(lease):
                continue  # a copy of a slot; calls are given a copy of that
            for settings in self._settings[index]:
                files = lease.tensor(0, [lease.capacity], int(UINT8))
                job = module.decode_ahead(self._ordinal, files, described, *settings)
                lease.tell_at_end(job.notice())
                jobs[index][settings] = job
        return AheadBatch(self, jobs)

    def start_for_user(self, step: Step, rows: Mapping[int, np.ndarray]) -> AheadBatch | None:
        """As `start`, for a step that is handed out undecoded, perhaps to a user who decodes it. None: that user never
        does.
        """
        for batch in self._watched:
            for column, of_column in batch.jobs.items():
                self._add_wanted(column, of_column)
        if len(self._watched) == _WATCHED and not any(batch.used for batch in self._watched):
            return None
        batch = self.start(step, rows)
        self._watched.append(batch)
        return batch

    def _add_wanted(self, column: int, jobs: Mapping[DecodeSettings, Any]) -> set[DecodeSettings]:
        wanted = {DecodeSettings(*job.wanted) for job in jobs.values() if job.wanted is not None}
        self._settings[column] |= dict.fromkeys(wanted.difference(jobs))
        return wanted

    def learn(self, jobs: Mapping[int, Mapping[DecodeSettings, Any]]) -> None:
        """Looks what became of a step that has run."""
        for column, of_column in jobs.items():
            known = self._settings[column]
            wanted = self._add_wanted(column, of_column)
            unused = [settings for settings, job in of_column.items() if not job.times_used]
            if of_column and len(unused) == len(of_column) and not wanted:
                self._miss()
            for settings in unused:
                if len(known) > 1:
                    known.pop(settings, None)

    def _miss(self) -> None:
        self._missed += 1
        if self._missed == _MISSES:
            logger.warning(
                "%d batches were not decoded ahead, but when they were needed, which stalls the device: a batch, and what "
                "waits beside it, does not fit into decode_memory=%d bytes. Raise it, or lower the batch size; "
                "decode_ahead=0 switches decoding ahead off",
                _MISSES,
                self._memory,
            )
