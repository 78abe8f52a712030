"""Files, as they are on disk, and their labels."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import _host
from ..source.kinds import Request, Source
from .listing import LabelledFiles
from .stream import ShardStream

__all__ = ["FileReader"]


class FileReader(Source):
    """DALI's `readers.file`: samples `(uint8[size], int32[1])`, the bytes of a file and its label, for ever. The files are
    read into slots by the ring itself.

    Args:
        files: as many as the stream's `length`.
        stream: which of them comes when.
    """

    endless = True
    outputs = 2

    def __init__(self, files: LabelledFiles, stream: ShardStream, description: str):
        self.files = files
        self.stream = stream
        self.description = description

    def samples(self, request: Request) -> Iterator[tuple[Any, ...]]:
        first = request.first_sample
        labels = self.files.labels
        for index in self.stream.indices(first + request.start, request.stop - request.start).tolist():
            yield _host.FileSample(os.fsencode(self.files.path(index))), labels[index : index + 1]

    def identities(self, first: int, count: int) -> np.ndarray:
        return self.stream.identities(first, count)

    def source_info(self, position: int, epoch: int = 0) -> str:
        return self.files.path(int(self.stream.indices(position, 1)[0]))
