"""Has the video engines of a GPU decode packed clips of a step before they are needed.

`start_clips` gives the engines of each of the placement's devices a job for each column of packed clips, and
`finish_clips` sees to it that every clip has its frames: FFmpeg decodes those that the engines do not take, in a
process of its own. Then `put_column` gets the array, by a call that finds the job by its ticket. It relies on the job to
hold the slot as long as it reads it.
"""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from jax.sharding import Sharding

from jaxdali._base.aliases import Device
from jaxdali._base.dtypes import UINT8
from jaxdali._device.ffi.cuda import cuda_module
from jaxdali._device.ffi.gpu_calls import clips
from jaxdali._feed.records.packed_clip import origin_of, shape_of
from jaxdali._feed.records.video_aside import read_aside
from jaxdali._feed.ring.columns import Packed
from jaxdali._feed.ring.host_batch import HostColumn
from jaxdali.errors import BackendUnavailable, SourceDataError
from ..device_io.device_placement import DevicePlacement
from ..device_io.padding import padded_shape
from ..device_io.transfer import Padded, only_device, put_arrays
from ..step import Step

__all__ = ["ClipsAhead", "finish_clips", "start_clips"]

logger = logging.getLogger("jaxdali")


class ClipsAhead:
    """The clips of a column that engines decode.

    Args:
        jobs: those of the engines, one for each device. Each has the same number of rows, in order.
        extents: `(T, H, W)` of the array.
        shapes: `int32[N, 4]`, those of the clips.
        is_pair: the result is a pair with `shapes`.
        factor: see `Packed`.
    """

    def __init__(
        self,
        jobs: Sequence[tuple[Device, Any]],
        extents: Sequence[int],
        shapes: np.ndarray,
        is_pair: bool,
        factor: float | None,
    ):
        self.shapes = shapes
        self._jobs, self._rows = [*jobs], len(shapes) // len(jobs)
        self._extents, self._is_pair, self._factor = tuple(extents), is_pair, factor

    def wait(self, seconds: float) -> bool:
        """Waits until all clips are decoded, or will not be; returns False if the time ran out first."""
        end = time.monotonic() + seconds
        return all(job.wait(max(end - time.monotonic(), 0.0)) for _, job in self._jobs)

    def faults(self) -> list[tuple[int, str, bool]]:
        """Returns the rows of clips that have no frames, why, and whether another decoder may have them."""
        return [
            (place * self._rows + row, why, elsewhere)
            for place, (_, job) in enumerate(self._jobs)
            for row, why, elsewhere in job.faults()
        ]

    def supply(self, row: int, frames: np.ndarray) -> None:
        """Gives a clip that has none its frames, `uint8[T, H, W, 3]`."""
        self._jobs[row // self._rows][1].supply(row % self._rows, frames)

    def array(self, sharding: Sharding | None = None) -> jax.Array | Padded:
        """Returns the frames, `[N, T, H, W, 3]`, or a pair of them and their shapes. All clips must have theirs.

        Args:
            sharding: of the array, which cuts the rows as they were divided among the devices; None: there is one device.
        """
        parts = {device: self._part(device, job) for device, job in self._jobs}
        ((first, frames), *_) = parts.items()
        shapes: Any = self.shapes
        if sharding is None:
            return frames if not self._is_pair else Padded((frames, jax.device_put(shapes, first)))
        shape = (len(self.shapes), *self._extents, 3)
        whole = [parts[device] for device in sharding.addressable_devices_indices_map(shape)]
        frames = jax.make_array_from_single_device_arrays(shape, sharding, whole)
        return frames if not self._is_pair else Padded((frames, put_arrays(shapes, sharding)))

    def _part(self, device: Device, job: Any) -> jax.Array:
        with only_device(device):
            return _program((self._rows, *self._extents, 3), self._factor)(jax.dlpack.from_dlpack(job.ticket()))


@functools.lru_cache(maxsize=64)
def _program(shape: tuple[int, ...], factor: float | None) -> Any:
    def frames(ticket: jax.Array) -> jax.Array:
        levels = clips(ticket, shape=shape)
        return levels if factor is None else levels.astype(np.float32) * np.float32(factor)

    return jax.jit(frames)


def start_clips(step: Step, placement: DevicePlacement) -> None:
    """Starts decoding a step's packed clips.

    Raises:
        SourceDataError: a clip has another shape than the others.
    """
    for column in step.columns:
        packed = column.column.packed
        if packed is not None and column.clips is None and len(column):
            column.clips = _start(step, column, packed, placement.devices)


def _start(step: Step, column: HostColumn, packed: Packed, devices: Sequence[Device]) -> ClipsAhead:
    lease, shapes = column.lease, [shape_of(column.at(row)) for row in range(len(column))]
    for row, shape in enumerate(shapes):
        _check_shape(step, column, row, shape)
    frames, height, width, _ = padded_shape(np.array(shapes, np.int32))
    offsets, sizes = (numbers.tolist() for numbers in (column.offsets, column.sizes))
    count, jobs = len(shapes) // len(devices), []
    for place, device in enumerate(devices):
        rows = slice(place * count, (place + 1) * count)
        slot = lease.tensor(0, [lease.capacity], int(UINT8))
        ordinal, extents = device.local_hardware_id, (frames, height, width)
        jobs.append((device, cuda_module().decode_clips(ordinal, slot, offsets[rows], sizes[rows], extents)))
    is_pair = column.column.shapes == "ragged" or len(set(shapes)) > 1
    return ClipsAhead(jobs, (frames, height, width), np.array(shapes, np.int32), is_pair, packed.factor)


def finish_clips(step: Step) -> None:
    """Has FFmpeg decode what the engines did not take of a step that `is_ready`.

    Raises:
        SourceDataError: a clip is damaged, or FFmpeg cannot decode it either.
    """
    for column in step.columns:
        if isinstance(column.clips, ClipsAhead):
            for row, why, elsewhere in column.clips.faults():
                _supply(step, column, row, why, elsewhere)


def _supply(step: Step, column: HostColumn, row: int, why: str, elsewhere: bool) -> None:
    assert isinstance(column.clips, ClipsAhead)
    origin = origin_of(column.at(row))
    if not origin:
        raise BackendUnavailable(f"the frames of {column.column.name!r} cannot be copied to the GPU: {why}")
    name = origin["file"] if isinstance(origin["file"], str) else f"a file of {len(origin['file'])} bytes"
    try:
        if not elsewhere:
            raise SourceDataError(f"{name}: {why}")
        _warned(why, name)
        frames = read_aside(**origin)
    except SourceDataError as error:
        raise SourceDataError(str(error), step.origin(column.column.name, row)) from None
    _check_shape(step, column, row, frames.shape)
    if frames.shape != (known := shape_of(column.at(row))):
        raise SourceDataError(
            f"{name}: the clip has {frames.shape}, but earlier frames of the file had another size, {known[1:3]}; "
            "with decode_ahead=0 a file may change it",
            step.origin(column.column.name, row),
        )
    column.clips.supply(row, frames)


@functools.lru_cache(maxsize=64)
def _warned(why: str, file: str) -> None:
    """Logs a warning, once for a file and a reason."""
    logger.warning(
        "FFmpeg decodes clips of %s one by one, since the GPU did not, which takes long: %s. With decode_ahead=0 workers "
        "decode all clips",
        file,
        why,
    )


def _check_shape(step: Step, column: HostColumn, row: int, shape: Sequence[int]) -> None:
    about = column.column
    same = None if about.packed is None else about.packed.shape
    if same and tuple(shape) != tuple(same):
        raise SourceDataError(
            f"samples differ in shape in {about.name!r}: the first of the data has {tuple(same)}, this one {tuple(shape)}. "
            f"Declare it, Loader(..., {about.ragged_argument}), to get a pair (padded array, int32 shapes) in every batch",
            step.origin(about.name, row),
        )
