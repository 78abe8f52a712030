"""Decides whether the video engines of a GPU decode the clips of a Loader, and has workers pack them."""

from __future__ import annotations

import copy
import dataclasses
import logging
from collections.abc import Sequence

from jaxdali._base.dtypes import UINT8
from jaxdali._device.ffi.cuda import cuda_module
from jaxdali._feed.ring.columns import Column
from jaxdali._feed.source.map_source import MapSource
from jaxdali._run.executor.device_io.device_placement import DevicePlacement, OneDevice
from jaxdali.errors import BackendUnavailable

__all__ = ["PackedClips", "packed_clips"]

logger = logging.getLogger("jaxdali")

# The leaf of `VideoClips` that has frames.
_FRAMES = "frames"

PackedClips = tuple[MapSource, list[Column]]


def packed_clips(source: MapSource, columns: Sequence[Column], placement: DevicePlacement) -> PackedClips | None:
    """Returns a source that packs the clips of `source`, and its columns; None if the data are no clips, or not for
    one GPU that has engines for them.
    """
    if source.clips is None or placement.is_host or not isinstance(placement, OneDevice):
        return None
    place = next((number for number, column in enumerate(columns) if column.name == _FRAMES), -1)
    if place < 0 or columns[place].extents:
        return None
    try:
        offered = cuda_module().video_caps(placement.devices[0].local_hardware_id)
    except (BackendUnavailable, RuntimeError) as error:
        logger.info("FFmpeg decodes videos, and not the GPU: %s", error)
        return None
    if not offered:
        return None
    packing, packed = copy.copy(source), list(columns)
    packing.offered, packing.decodes = offered, "packed videos"
    # As the ring sees them, they are bytes of any number.
    shape = columns[place].sample_shape if columns[place].shapes == "same" else ()
    packed[place] = dataclasses.replace(
        columns[place], packed=shape, shapes="any", sample_shape=None, dtype=UINT8, ndim=1
    )
    return packing, packed
