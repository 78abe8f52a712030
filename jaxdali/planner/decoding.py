"""How a graph's files are decoded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import ConfigError
from ..graph.call import Call
from ..operators.decoding import Decoding

__all__ = ["check_canvases", "decoding_of", "takes_files"]


def decoding_of(call: Call) -> Decoding | None:
    """How a call decodes files; None: it decodes none."""
    operator: Any = call.operator
    return None if operator.decoding is None else operator.decoding(call)


def takes_files(call: Call) -> bool:
    """Whether the first input of a call are files, not arrays."""
    operator: Any = call.operator
    return bool(operator.inputs) and operator.inputs[0].takes == "files"


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
