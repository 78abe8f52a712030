"""A reader: data that are known sample by sample, and the stream that says which of them comes when."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from ..source.kinds import Request, Source
from .stream import ShardStream

__all__ = ["Indexed", "IndexedReader"]


class Indexed(Protocol):
    """Data that a reader reads; those of a format, such as `jaxdali.source.TFRecords`. They travel to workers."""

    def __len__(self) -> int:
        """Of how many samples."""
        ...

    def row(self, index: int) -> tuple[Any, ...]:
        """Sample `index`: a value for each output, of what a ring takes. Raises what is wrong with it."""
        ...

    def source_info(self, index: int) -> str:
        """What errors call sample `index`, such as a path."""
        ...

    def digest(self) -> str:
        """Tells data apart, by what they give, for checkpoints."""
        ...

    @property
    def bounds(self) -> np.ndarray | None:
        """`int64[files + 1]`: samples `bounds[k]` to `bounds[k + 1]` lie one behind the other in file k, and are shuffled in
        that way. None: each is a file.
        """
        ...


class IndexedReader(Source):
    """Samples of some data in the order of a stream, for ever.

    Args:
        data: as many as the stream's `length`.
        stream: which of them comes when.
        outputs: values of a sample.
        description: how its user would recognise it.
    """

    endless = True

    def __init__(self, data: Indexed, stream: ShardStream, outputs: int, description: str):
        self.data = data
        self.stream = stream
        self.outputs = outputs
        self.description = description

    def samples(self, request: Request) -> Iterator[tuple[Any, ...]]:
        row = self.data.row
        for index in self.stream.indices(request.first_sample + request.start, request.stop - request.start).tolist():
            yield row(index)

    def identities(self, first: int, count: int) -> np.ndarray:
        return self.stream.identities(first, count)

    def source_info(self, position: int, epoch: int = 0) -> str:
        return self.data.source_info(int(self.stream.indices(position, 1)[0]))
