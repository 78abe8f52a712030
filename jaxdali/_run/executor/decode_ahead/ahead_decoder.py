"""Lets the engine of a GPU decode the images of a step before the device function needs them.

`start` takes a step and the rows of its columns of files, and gives the engine a job for each column and each of its
settings; the job's notice goes to the slot's lease. When `AheadBatch.is_ready`, the step can be dispatched, and its
calls find the images by the address of their bytes. `close` releases the jobs and learns which settings were used, for
the next steps. It relies on the lease: the bytes of a slot do not change before the notice.
"""

from __future__ import annotations

import collections
import dataclasses
import itertools
import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from jaxdali._base.aliases import Device
from jaxdali._base.batch import ROW_FIELDS
from jaxdali._base.dtypes import UINT8
from jaxdali._device.ffi.cuda import cuda_module
from ..device_io.transfer import lock_pages
from ..step import Step

__all__ = ["AheadBatch", "AheadDecoder", "DecodeSettings"]

logger = logging.getLogger("jaxdali")

# Default limit of device memory for waiting images: at most this much, and at most half of what is free. Two batches of
# 64 images of 12 megapixels have room, so that one is decoded while the other is used.
_MOST_MEMORY = 5 << 30

# Number of steps decoded on the spot after which a warning is logged.
_MISSES = 3

# Number of recent steps handed out undecoded that are watched, to see whether the user decodes them.
_WATCHED = 16


class DecodeSettings(NamedTuple):
    """Everything besides the file that its pixels depend on.

    Attributes:
        decoder: an index in `jaxdali._base.batch.DECODERS`.
        luma: the pixels have one channel, not RGB.
    """

    decoder: int
    fancy_upsampling: bool
    luma: bool = False


@dataclasses.dataclass(eq=False)
class AheadBatch:
    """The images of a step that an engine is decoding.

    Attributes:
        jobs: by column, then by the settings they are decoded with.
        files: for columns that stand for T, the number T, which are the images of a row.
    """

    decoder: AheadDecoder
    jobs: dict[int, dict[DecodeSettings, Any]]
    files: Mapping[int, int] = dataclasses.field(default_factory=dict)

    def _all(self) -> Iterator[Any]:
        return itertools.chain.from_iterable(jobs.values() for jobs in self.jobs.values())

    @property
    def is_ready(self) -> bool:
        """Whether every image is decoded, or will not be."""
        return all(job.settled for job in self._all())

    def wait(self, seconds: float) -> bool:
        """Waits until `is_ready`; returns False if the time ran out first."""
        end = time.monotonic() + seconds
        return all(job.wait(max(end - time.monotonic(), 0.0)) for job in self._all())

    @property
    def used(self) -> bool:
        """Whether a call found some of them, or would have with other settings."""
        return any(job.times_used or job.wanted for job in self._all())

    def set_known_rows(self, column: int, addresses: Sequence[int]) -> None:
        """Tells the engine where the array on the device is, one address, that holds the rows of a column until `close`."""
        (address,) = addresses
        for job in self.jobs[column].values():
            job.set_known_rows(address)

    def late_failure(self) -> tuple[int, int] | None:
        """Returns (row, status) of an image that should have raised, but could not in time. Call after the program."""
        for column, jobs in self.jobs.items():
            for job in jobs.values():
                if late := job.late_failure():
                    return late[0] // self.files.get(column, 1), late[1]
        return None

    def close(self, used: bool = True) -> None:
        """Releases the memory after the device function has run, or (not `used`) if it will not run."""
        for job in self._all():
            job.set_known_rows(0)
            job.release()
        if used:
            self.decoder.learn(self.jobs)


class AheadDecoder:
    """Passes steps to the engine of one GPU.

    Args:
        device: a GPU.
        settings: those that the device function decodes each column with. Further ones are added when calls ask for
            them.
        decode_memory: bytes on the device for waiting images; None: up to 5 GiB, and at most half of what is free.
        reserve: (bytes, batches, images) for each column whose batches are expected to have this size; memory for that
            many of them is allocated at the start, as far as decode_memory allows.
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
        """The engine's counters, see `EngineStatistics`."""
        return cuda_module().engine_counts(self._ordinal)

    def start(self, step: Step, rows: Mapping[int, np.ndarray]) -> AheadBatch:
        """Requests the images of a step.

        Args:
            rows: `int32[N, 8]` for each column of files, `int32[N, T, 8]` for one that stands for T columns.
        """
        module = cuda_module()
        jobs: dict[int, dict[DecodeSettings, Any]] = {index: {} for index in rows}
        files = {index: described.shape[1] for index, described in rows.items() if described.ndim == 3}
        for index, described in rows.items():
            lease = step.columns[index].lease
            if not lock_pages(lease):
                continue  # the lease is a copy of a slot; calls would get another copy, so they could not find the job
            for settings in self._settings[index]:
                slot = lease.tensor(0, [lease.capacity], int(UINT8))
                job = module.decode_ahead(self._ordinal, slot, described.reshape(-1, ROW_FIELDS), *settings)
                lease.tell_at_end(job.notice())
                jobs[index][settings] = job
        return AheadBatch(self, jobs, files)

    def start_for_user(self, step: Step, rows: Mapping[int, np.ndarray]) -> AheadBatch | None:
        """Like `start`, for a step that is handed out undecoded, which the user may decode. Returns None if the user
        never does.
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
        """Learns from the outcome of a step that has run which settings are needed."""
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
                "%d batches were decoded only when they were needed, not ahead, which stalls the device: a batch, "
                "with those that wait next to it, does not fit into decode_memory=%d bytes. Raise it, or lower the "
                "batch size; decode_ahead=0 switches decoding ahead off",
                _MISSES,
                self._memory,
            )
