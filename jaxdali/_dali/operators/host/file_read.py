"""Reads files whose names are data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jaxdali._base.interruptions import raised_by_handler
from jaxdali._feed.ring.originals import as_source_error
from jaxdali._feed.source.file_reading import read_file
from jaxdali.errors import SourceDataError
from ...graph.call import Call
from ...graph.declarations import declare
from ..declaration import Input, Operator

__all__ = ["file_read"]


def _read(call: Call, inputs: Sequence[Sequence[np.ndarray]], samples: int) -> list[list[np.ndarray]]:
    return [[_content(call, number, inputs[0][number]) for number in range(samples)]]


def _content(call: Call, number: int, name: np.ndarray) -> np.ndarray:
    if name.dtype not in (np.uint8, np.int8):
        raise SourceDataError(
            f"{call.description}, expects names of files as bytes, np.frombuffer(path.encode(), np.uint8); sample {number} "
            f"is {name.dtype}{list(name.shape)}"
        )
    try:
        return np.frombuffer(read_file(name.tobytes().decode(errors="surrogateescape")), np.uint8)
    except (OSError, ValueError) as error:  # a name that contains a null byte raises ValueError
        if raised_by_handler(error):
            raise
        raise as_source_error(error, f"{error}, as the name of sample {number} in {call.description}") from error


file_read = declare(
    Operator(
        name="io.file.read",
        doc="""Reads files whose names are data; DALI's `fn.io.file.read`.

    Names are read when the batch is computed, one file after the other, on the thread that takes batches. Where all names
    are known beforehand `fn.readers.file(files=)` has workers read them. Decoders of images take what is read.
    """,
        inputs=[Input("filepaths", "file names, each its UTF-8 bytes as `uint8[n]`", takes="paths")],
        accepted={
            "dont_use_mmap": "files are read, and never mapped",
            "use_o_direct": "files are read by way of the system's cache",
        },
        devices=("cpu",),
        raises={
            "OSError": "a file cannot be read, or is not a regular file; when the batch is handed out",
            "SourceDataError": "a name is not of bytes; likewise",
        },
        on_host=_read,
        layouts=lambda _params: [""],
    )
)
