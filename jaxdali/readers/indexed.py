"""A reader: data that are known sample by sample, and the order that says which of them comes when."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from .. import _host
from ..source.direct import Direct
from ..source.foresight import Foresight, Part
from ..source.kinds import Request, Source
from ..storage import Ahead
from .shard_order import ShardOrder

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

    # Data may have `name_of(index, output)`, what a program is told by `fn.get_property`; by default `source_info`. If there
    # is `keep_names()`, too, it is called first.

    def digest(self) -> str:
        """Tells data apart, by what they give, for checkpoints."""
        ...

    def direct(self) -> Direct | None:
        """Writes samples into slots past Python, those that it can; None: nothing does. Is asked for in each process."""
        ...

    def ahead(self) -> Ahead | None:
        """Fetches samples of objects elsewhere before they are read; None: there are none. Is asked for in each process."""
        ...

    @property
    def bounds(self) -> np.ndarray | None:
        """`int64[files + 1]`: samples `bounds[k]` to `bounds[k + 1]` are one behind the other in file k, and are shuffled in
        that way. None: each is a file.
        """
        ...


class IndexedReader(Source):
    """Samples of some data, one after the other in a given order, forever.

    Args:
        data: as many as the order's `length`.
        order: which of them comes when.
        outputs: values of a sample.
        description: how its user would recognise it.
        root: folder that the names of samples are told relative to; empty: they are told in full.

    Attributes:
        told: numbers of the outputs whose names are outputs, too, behind the others: `uint8[n]`.
    """

    endless = True

    def __init__(self, data: Indexed, order: ShardOrder, outputs: int, description: str, root: str = ""):
        self.data = data
        self.order = order
        self.outputs = outputs
        self.description = description
        self.told: list[int] = []
        self._root = os.path.join(root, "") if root else ""
        self._foresight = Foresight(order.batch_size, self._parts_of) if data.ahead() is not None else None
        self.foresees = self._foresight is not None

    def _parts_of(self, _epoch: int, first: int, count: int) -> list[Part]:
        ahead = self.data.ahead()
        return [] if ahead is None else [(ahead, self.order.indices(first, count))]

    def samples(self, request: Request) -> Iterator[tuple[Any, ...]]:
        row = self.data.row
        if self._foresight is not None:
            self._foresight.look(0, request.first_sample, request.start, request.stop)
        for index in self.order.indices(request.first_sample + request.start, request.stop - request.start).tolist():
            yield (*row(index), *(self._told(index, output) for output in self.told)) if self.told else row(index)

    def tell(self, outputs: Sequence[int]) -> None:
        """Has it give the names of samples, as `told` says."""
        self.told = list(outputs)
        self.outputs += len(self.told)
        if keep := getattr(self.data, "keep_names", None):
            keep()

    def name_at(self, position: int, output: int) -> np.ndarray:
        """The name of what an output has at a position of the order."""
        return self._told(int(self.order.indices(position, 1)[0]), output)

    def _told(self, index: int, output: int) -> np.ndarray:
        named = getattr(self.data, "name_of", None)
        # As in DALI, only what a file was read for has its name.
        name = named(index, output) if named else "" if output else self.data.source_info(index)
        return np.frombuffer(os.fsencode(name.removeprefix(self._root)), np.uint8)

    def direct(self) -> Callable[[_host.Ring, int, int, Request], int] | None:
        write = None if self.told else self.data.direct()  # names are Python's to tell
        if write is None:
            return None

        def written(ring: _host.Ring, slot: int, chunk: int, request: Request) -> int:
            count = request.stop - request.start
            return write(
                ring, slot, chunk, request.start, self.order.indices(request.first_sample + request.start, count)
            )

        return written

    def identities(self, first: int, count: int) -> np.ndarray:
        return self.order.identities(first, count)

    def source_info(self, position: int, epoch: int = 0) -> str:
        return self.data.source_info(int(self.order.indices(position, 1)[0]))
