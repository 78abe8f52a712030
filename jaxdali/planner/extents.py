"""Which outputs hold images as large as their files say, and on what canvas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import ConfigError
from ..graph.call import Call, DataNode
from .fusion import Task, decoding_of

__all__ = ["canvas_of", "check_canvases", "check_dense", "decoder_of", "needs_canvas"]


def decoder_of(node: DataNode) -> Call | None:
    """The decoder whose images' extents the samples of a node have; None: they follow from something else."""
    call = node.call
    while True:
        operator: Any = call.operator
        if operator.decoding is not None:
            return call
        if not call.inputs or not operator.follows_input(call.params):
            return None
        call = call.inputs[0].call


def canvas_of(node: DataNode) -> tuple[int, int] | None:
    """(height, width) that the images of a node lie on in every batch; None: they fill their rows, or need others."""
    decoder = decoder_of(node)
    decoding = None if decoder is None else decoding_of(decoder)
    return None if decoding is None else decoding.canvas


def needs_canvas(task: Task) -> bool:
    """Whether it decodes whole images to a canvas that each batch is to choose."""
    decoding = decoding_of(task.call)
    return len(task.calls) == 1 and decoding is not None and decoding.canvas is None


def check_canvases(calls: Sequence[Call], batch_size: int, max_bytes: int) -> None:
    """Raises ConfigError where a canvas that was asked for is larger than `max_bytes`."""
    for call in calls:
        decoding = decoding_of(call)
        canvas = None if decoding is None else decoding.canvas
        if canvas is not None and (size := canvas[0] * canvas[1] * 3 * batch_size) > max_bytes:
            raise ConfigError(
                f"canvas={canvas} of {call.place}, takes {size} bytes for a batch of {batch_size}, max_canvas_bytes is "
                f"{max_bytes}: give a smaller canvas, lower the batch size or raise max_canvas_bytes"
            )


def check_dense(nodes: Sequence[DataNode], names: Sequence[str]) -> None:
    """Raises ConfigError where the shape of an output would be known only when a batch is there."""
    for node, name in zip(nodes, names, strict=False):
        decoder = decoder_of(node)
        if decoder is not None and canvas_of(node) is None:
            spoken = decoder.operator.spoken
            raise ConfigError(
                f"output {name!r} is ragged: its images are as large as their files say ({spoken}, defined at "
                f"{decoder.site}), and an array over several devices has one shape for all of them. Resize the images, e.g. "
                f"with fn.resize(images, size=(224, 224)), or give {spoken} canvas=(height, width), at least those of the "
                "largest image: then the output is a pair of padded images and their shapes"
            )
