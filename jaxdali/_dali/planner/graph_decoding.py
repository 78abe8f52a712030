"""How a graph's files are decoded."""

from __future__ import annotations

from collections.abc import Sequence

from jaxdali.errors import ConfigError, GraphError
from ..graph.call import Call, DataNode
from ..operators.declaration import declaration_of
from ..operators.file_decoding_arguments import Decoding

__all__ = ["check_canvases", "decoding_of", "reads_as_stored", "takes_files"]


def decoding_of(call: Call) -> Decoding | None:
    """Returns how a call decodes files, or None if it decodes none."""
    operator = declaration_of(call)
    return None if operator.decoding is None else operator.decoding(call)


def takes_files(call: Call) -> bool:
    """Whether the first input of a call is files rather than arrays."""
    operator = declaration_of(call)
    return bool(operator.inputs) and operator.inputs[0].takes == "files"


def reads_as_stored(files: DataNode, users: Sequence[Call]) -> bool:
    """Whether images stay as they are stored in their files, regardless of EXIF orientation.

    Args:
        users: the calls that read the files.

    Raises:
        GraphError: some of them want this, and others do not.
    """
    decodings = [decoding for user in users if (decoding := decoding_of(user)) is not None]
    if not any(decoding.as_stored for decoding in decodings):
        return False
    other = next((user for user in users if user.params.get("adjust_orientation")), None)
    if other is not None:
        raise GraphError(
            f"{files!r} is decoded with adjust_orientation=False and read by {other.description} with "
            "adjust_orientation=True; give both the same, or have the source return the files as two outputs"
        )
    return True


def check_canvases(calls: Sequence[Call], batch_size: int, max_bytes: int) -> None:
    """Raises ConfigError if a requested canvas makes a batch larger than `max_bytes`."""
    for call in calls:
        decoding = decoding_of(call)
        canvas = None if decoding is None else decoding.canvas
        if canvas is not None and (size := canvas[0] * canvas[1] * 3 * batch_size) > max_bytes:
            raise ConfigError(
                f"canvas={canvas} of {call.description}, takes {size} bytes for a batch of {batch_size}, max_canvas_bytes "
                f"is {max_bytes}: give a smaller canvas, lower the batch size or raise max_canvas_bytes"
            )
