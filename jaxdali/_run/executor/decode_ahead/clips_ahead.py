"""Has the video engines of a GPU decode packed clips of a step before they are needed.

`start_clips` gives the engines of the placement's device a job for each column of packed clips, and `finish_clips` sees
to it that every clip has its frames: FFmpeg decodes those that the engines do not take, in a process of its own. Then
`put_column` gets the array, by a call that finds the job by its ticket. It relies on the job to hold the slot as long as
it reads it.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from jaxdali._base.aliases import Device
from jaxdali._base.dtypes import UINT8
from jaxdali._device.ffi.cuda import cuda_module
from jaxdali._device.ffi.gpu_calls import clips
from jaxdali._feed.records.packed_clip import origin_of, shape_of
from jaxdali._feed.records.video_aside import read_aside
from jaxdali._feed.ring.host_batch import HostColumn
from jaxdali.errors import BackendUnavailable, SourceDataError
from ..device_io.device_placement import DevicePlacement
from ..device_io.padding import padded_shape
from ..device_io.transfer import Padded, only_device
from ..step import Step

__all__ = ["ClipsAhead", "finish_clips", "start_clips"]

logger = logging.getLogger("jaxdali")


class ClipsAhead:
    """The clips of a column that an engine decodes.

    Args:
        job: the engine's.
        shape: of the array, `(N, T, H, W, 3)`.
        shapes: `int32[N, 4]`, those of the clips, if the result is a pair with them; else None.
    """

    def __init__(self, job: Any, device: Device, shape: Sequence[int], shapes: np.ndarray | None):
        self.job, self._device, self._shape, self._shapes = job, device, tuple(shape), shapes

    def wait(self, seconds: float) -> bool:
        """Waits until all clips are decoded, or will not be; returns False if the time ran out first."""
        return self.job.wait(seconds)

    def array(self) -> jax.Array | Padded:
        """Returns the frames, `uint8[N, T, H, W, 3]` on the device. All clips must have theirs."""
        with only_device(self._device):
            frames = _program(self._shape)(jax.dlpack.from_dlpack(self.job.ticket()))
        return frames if self._shapes is None else Padded((frames, jax.device_put(self._shapes, self._device)))


@functools.lru_cache(maxsize=64)
def _program(shape: tuple[int, ...]) -> Any:
    return jax.jit(functools.partial(clips, shape=shape))


def start_clips(step: Step, placement: DevicePlacement) -> None:
    """Starts decoding a step's packed clips.

    Raises:
        SourceDataError: a clip has another shape than the others.
    """
    for column in step.columns:
        if column.column.packed is not None and column.clips is None:
            column.clips = _start(step, column, placement.devices[0])


def _start(step: Step, column: HostColumn, device: Device) -> ClipsAhead:
    lease, shapes = column.lease, [shape_of(column.at(row)) for row in range(len(column))]
    for row, shape in enumerate(shapes):
        _check_shape(step, column, row, shape, column.column.packed)
    different = None if column.column.packed else np.array(shapes, np.int32)
    frames, height, width, _ = shapes[0] if different is None else padded_shape(different)
    slot = lease.tensor(0, [lease.capacity], int(UINT8))
    offsets, sizes = (numbers.tolist() for numbers in (column.offsets, column.sizes))
    job = cuda_module().decode_clips(device.local_hardware_id, slot, offsets, sizes, (frames, height, width))
    return ClipsAhead(job, device, (len(column), frames, height, width, 3), different)


def finish_clips(step: Step) -> None:
    """Has FFmpeg decode what the engines did not take of a step that `is_ready`.

    Raises:
        SourceDataError: a clip is damaged, or FFmpeg cannot decode it either.
    """
    for column in step.columns:
        if isinstance(column.clips, ClipsAhead):
            for row, why, elsewhere in column.clips.job.faults():
                _supply(step, column, row, why, elsewhere)


def _supply(step: Step, column: HostColumn, row: int, why: str, elsewhere: bool) -> None:
    assert isinstance(column.clips, ClipsAhead)
    origin = origin_of(column.at(row))
    if not origin:
        raise BackendUnavailable(f"the frames of {column.column.name!r} cannot be copied to the GPU: {why}")
    try:
        if not elsewhere:
            raise SourceDataError(f"{origin['file']}: {why}")
        _warned(why, origin["file"])
        frames = read_aside(**origin)
    except SourceDataError as error:
        raise SourceDataError(str(error), step.origin(column.column.name, row)) from None
    _check_shape(step, column, row, frames.shape, column.column.packed)
    if frames.shape != (known := shape_of(column.at(row))):
        raise SourceDataError(
            f"{origin['file']}: the clip has {frames.shape}, but earlier frames of the file had another size, {known[1:3]}; "
            "with decode_ahead=0 a file may change it",
            step.origin(column.column.name, row),
        )
    column.clips.job.supply(row, frames)


@functools.lru_cache(maxsize=64)
def _warned(why: str, file: str) -> None:
    """Logs a warning, once for a file and a reason."""
    logger.warning(
        "FFmpeg decodes clips of %s one by one, since the GPU did not, which takes long: %s. With decode_ahead=0 workers "
        "decode all clips",
        file,
        why,
    )


def _check_shape(step: Step, column: HostColumn, row: int, shape: Sequence[int], same: Sequence[int] | None) -> None:
    about = column.column
    if same and tuple(shape) != tuple(same):
        raise SourceDataError(
            f"samples differ in shape in {about.name!r}: the first of the data has {tuple(same)}, this one {tuple(shape)}. "
            f"Declare it, Loader(..., {about.ragged_argument}), to get a pair (padded array, int32 shapes) in every batch",
            step.origin(about.name, row),
        )
