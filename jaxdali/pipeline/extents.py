"""Which outputs hold images as large as their files say, and on what canvas."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import ConfigError
from .fusion import DECODERS
from .node import DataNode, Operator

__all__ = ["canvas_of", "check_canvases", "check_dense", "decoder_of", "needs_canvas"]


def decoder_of(node: DataNode) -> Operator | None:
    """The decoder whose images' extents the samples of a node have; None: they follow from something else."""
    operator = node.operator
    if operator.kind in DECODERS:
        return operator
    return decoder_of(operator.inputs[0]) if operator.keeps_extents else None


def canvas_of(node: DataNode) -> tuple[int, int] | None:
    """(height, width) that the images of a node lie on in every batch; None: they fill their rows, or need others."""
    decoder = decoder_of(node)
    return None if decoder is None else decoder.settings.decoding.canvas


def needs_canvas(operator: Operator) -> bool:
    """Whether it decodes whole images to a canvas that each batch is to choose."""
    return operator.kind in DECODERS and operator.settings.decoding.canvas is None


def check_canvases(operators: Sequence[Operator], batch_size: int, max_bytes: int) -> None:
    """Raises ConfigError where a canvas that was asked for is larger than `max_bytes`."""
    for operator in operators:
        canvas = operator.settings.decoding.canvas if operator.kind in DECODERS else None
        if canvas is not None and (size := canvas[0] * canvas[1] * 3 * batch_size) > max_bytes:
            raise ConfigError(
                f"canvas={canvas} of fn.{operator.kind} ({operator.name}), defined at {operator.site}, takes {size} "
                f"bytes for a batch of {batch_size}, max_canvas_bytes is {max_bytes}: give a smaller canvas, lower "
                "the batch size or raise max_canvas_bytes"
            )


def check_dense(nodes: Sequence[DataNode], names: Sequence[str]) -> None:
    """Raises ConfigError where the shape of an output would be known only when a batch is there."""
    for node, name in zip(nodes, names, strict=False):
        decoder = decoder_of(node)
        if decoder is not None and decoder.settings.decoding.canvas is None:
            raise ConfigError(
                f"output {name!r} is ragged: its images are as large as their files say (fn.{decoder.kind}, defined at "
                f"{decoder.site}), and an array over several devices has one shape for all of them. Resize the images, e.g. "
                f"with fn.resize(images, size=(224, 224)), or give fn.{decoder.kind} canvas=(height, width), at least those "
                "of the largest image: then the output is a pair of padded images and their shapes"
            )
