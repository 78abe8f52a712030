"""Reads clips of videos and resizes them, like one of DALI's operators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...graph.call import Params
from ...graph.declarations import declare, operator_named
from ..declaration import Operator
from ..image.resizing import HINTS, RESIZED, SIZED, read_sizes
from .video_reader import video_reader

__all__ = ["video_resize_reader"]

# The reader has its own `dtype`, which frames keep.
_RESIZING = tuple(one for one in (*SIZED, *RESIZED) if one.name != "dtype")
_NAMES = {one.name for one in _RESIZING} | {*HINTS}


class _VideoResizeReader(Operator):
    """Makes the reader, and a `resize` behind it."""

    def add_to_graph(self, inputs: Sequence[Any], arguments: Params) -> Any:
        """See `Operator`."""
        given = dict(arguments)
        device = given.get("device")
        self._placement(device, inputs)
        self._refuse({name: value for name, value in given.items() if name not in ("device", "name", "preserve")})
        sizes = {name: given.pop(name) for name in [*given] if name in _NAMES}
        self.read({**sizes, "sequence_length": given.get("sequence_length")})
        read = video_reader.add_to_graph(inputs, given)
        resize: Any = operator_named("resize")
        clips, *others = read if isinstance(read, list) else [read]
        small = resize(clips, **sizes, preserve=given.get("preserve", False))
        return [small, *others] if isinstance(read, list) else small


video_resize_reader = declare(
    _VideoResizeReader(
        name="readers.video_resize",
        doc="""Reads clips of videos in an endless stream and resizes them; DALI's `fn.readers.video_resize`. It is
    `fn.readers.video` followed by `fn.resize`, each with its own arguments.

    Frames are decoded as there, and resized in the program. A name is that of the reader.
    """,
        params=(*video_reader.params, *_RESIZING),
        accepted={**video_reader.accepted, **HINTS},
        refused=video_reader.refused,
        devices=video_reader.devices,
        outputs=video_reader.outputs,
        returns=video_reader.returns,
        raises=video_reader.raises,
        prepare=lambda params: read_sizes(params, "fn.readers.video_resize"),
        source=video_reader.source,
        describe=video_reader.describe,
    )
)
