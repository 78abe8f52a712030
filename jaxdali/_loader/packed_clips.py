"""Decides whether the video engines of a GPU decode the clips of a Loader, and has workers pack them."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Sequence

from jaxdali._base.dtypes import UINT8
from jaxdali._feed.ring.columns import Column, Packed
from jaxdali._feed.source.map_source import MapSource
from jaxdali._run.executor.decode_ahead.video_offer import offered_by
from jaxdali._run.executor.device_io.device_placement import DevicePlacement

__all__ = ["PackedClips", "packed_clips"]

# The leaf of `VideoClips` that has frames.
_FRAMES = "frames"

PackedClips = tuple[MapSource, list[Column]]


def packed_clips(source: MapSource, columns: Sequence[Column], placement: DevicePlacement) -> PackedClips | None:
    """Returns a source that packs the clips of `source`, and its columns; None if the data are no clips, or not for GPUs
    that have engines for them.
    """
    if source.clips is None or placement.is_host:
        return None
    place = next((number for number, column in enumerate(columns) if column.name == _FRAMES), -1)
    if place < 0 or columns[place].extents:
        return None
    caps = [offered_by(device.local_hardware_id) for device in placement.devices]
    offered = {codec: limits for codec, limits in caps[0].items() if all(one.get(codec) == limits for one in caps)}
    if not offered:
        return None
    packing, packed = copy.copy(source), list(columns)
    packing.offered, packing.decodes = offered, "packed videos"
    about = columns[place]
    # As the ring sees them, they are bytes of any number.
    same = about.shapes == "same"
    packed[place] = dataclasses.replace(
        about,
        packed=Packed((about.sample_shape or ()) if same else ()),
        shapes="any" if same else about.shapes,
        sample_shape=None,
        dtype=UINT8,
        ndim=1,
    )
    return packing, packed
