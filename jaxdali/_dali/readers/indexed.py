"""A reader: data that can be read sample by sample, and the order that says which sample comes when."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from jaxdali._feed import _host
from jaxdali._feed.source.direct import Direct
from jaxdali._feed.source.foresight import Foresight, Part
from jaxdali._feed.source.source_kinds import Request, Source
from jaxdali._feed.storage.read_ahead import Ahead
from .shard_order import ShardOrder

__all__ = ["Indexed", "IndexedReader"]


class Indexed(Protocol):
    """Data that a reader reads, implemented per format (such as `jaxdali.source.TFRecords`). Pickled to workers."""

    def __len__(self) -> int:
        """The number of samples."""
        ...

    def row(self, index: int) -> tuple[Any, ...]:
        """Returns sample `index`: one value per output, of a type that a ring takes. Raises if it cannot be read."""
        ...

    def source_info(self, index: int) -> str:
        """What errors call sample `index`, such as a path."""
        ...

    # Optional: `decodes`, what its samples are decoded from, such as "videos".

    # Optional, of clips of videos: `packing(offered)`, the same data, whose first value is packed for the video engine of a
    # GPU, and `factor`, what levels are multiplied by then, see `Packed`.

    # Optional: `name_of(index, output)`, the name that `fn.get_property` gives a program; by default `source_info`. If
    # `keep_names()` exists, it is called first.

    def digest(self) -> str:
        """A hash of the contents, by which checkpoints tell data apart."""
        ...

    def direct(self) -> Direct | None:
        """Returns what writes samples into slots without Python, or None. Called in each process."""
        ...

    def ahead(self) -> Ahead | None:
        """Returns what fetches samples of remote objects before they are read, or None if none are. Called in each
        process.
        """
        ...

    @property
    def bounds(self) -> np.ndarray | None:
        """`int64[files + 1]`: samples `bounds[k]` to `bounds[k + 1]` are stored in sequence in file k, and are shuffled
        accordingly. None if each sample is a file.
        """
        ...


class IndexedReader(Source):
    """Samples of some data in a given order, one after the other, forever.

    Args:
        data: with as many samples as the order's `length`.
        order: which sample comes when.
        outputs: number of values in a sample.
        description: how its user would recognise it.
        root: folder relative to which samples are named; empty: their full names.

    Attributes:
        told: indices of the outputs whose names are outputs, too, after the others: `uint8[n]`.
    """

    endless = True
    spreads = True

    def __init__(self, data: Indexed, order: ShardOrder, outputs: int, description: str, root: str = ""):
        self.data = data
        self.order = order
        self.outputs = outputs
        self.description = description
        self.decodes = getattr(data, "decodes", "")
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
        """Makes the reader output the names of samples, too, as in `told`."""
        self.told = list(outputs)
        self.outputs += len(self.told)
        if keep := getattr(self.data, "keep_names", None):
            keep()

    def name_at(self, position: int, output: int) -> np.ndarray:
        """The name of an output's value at a position of the order."""
        return self._told(int(self.order.indices(position, 1)[0]), output)

    def _told(self, index: int, output: int) -> np.ndarray:
        named = getattr(self.data, "name_of", None)
        # As in DALI, only the output for which a file was read has its name.
        name = named(index, output) if named else "" if output else self.data.source_info(index)
        return np.frombuffer(os.fsencode(name.removeprefix(self._root)), np.uint8)

    def direct(self) -> Callable[[_host.Ring, int, int, Request], int] | None:
        write = None if self.told else self.data.direct()  # only Python can write names
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

    def epoch_start(self, epoch: int) -> int:
        return self.order.visit_start(epoch)

    def source_info(self, position: int, epoch: int = 0) -> str:
        return self.data.source_info(int(self.order.indices(position, 1)[0]))
