"""Streams as a source that answers any request: at once if it continues the last one, otherwise after counting."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from jaxdali.errors import SourceDataError
from .classify import describe
from .parts import PartsSampler
from .source_kinds import EndOfData, Request, Source
from .stream import Iterable, Opened
from .structure import Structure

__all__ = ["StreamPosition", "StreamSource"]


@dataclasses.dataclass(frozen=True)
class StreamPosition:
    """The position of a stream of one part after a batch.

    Attributes:
        epoch, iteration: the batch that comes next.
        turn: how often the stream had been begun before.
        state: the state that the stream reported.
    """

    epoch: int
    iteration: int
    turn: int
    state: Any


class _Reader:
    """Reads one part of a stream, turn after turn.

    Args:
        turn: the turn to begin with.
        last: turns end before this one; None: never.

    Attributes:
        taken: samples taken so far, including those before `state`.
        told: iterates over items, the first of which has an index, and tells of them; None: nobody asks.
    """

    told: Callable[[Iterator[Any], int], Iterator[Any]] | None = None

    def __init__(self, data: Iterable, shard: int, turn: int, last: int | None, taken: int = 0, state: object = None):
        self.turn, self.taken = turn, taken
        self._data, self._shard, self._last = data, shard, last
        self._opened: Opened | None = None
        self._state = state
        self._fresh = state is None  # no sample has come in this turn yet

    def take(self, count: int, kept: bool = True) -> list[object]:
        """Returns `count` samples, or fewer at the end. Unless `kept`, returns None for each instead."""
        samples: list[Any] = []
        while len(samples) < count and (self._last is None or self.turn < self._last):
            if self._opened is None:
                self._opened = self._data.open(self.turn, self._shard, self._state)
                self._state = None
            some: Iterator[Any] = itertools.islice(self._opened.iterator, count - len(samples))
            before = len(samples)
            if self.told is not None:
                some = self.told(some, self.taken + before)
            samples.extend(some if kept else (None for _ in some))
            if len(samples) == count:
                self._fresh = False
            elif self._fresh and len(samples) == before:
                break  # the stream is empty
            else:
                self._opened, self._fresh = None, True
                self.turn += 1
        self.taken += len(samples)
        return samples

    def state(self) -> Any:
        return None if self._opened is None else self._opened.state()


class StreamSource(Source):
    """Gives the rows of some parts of each batch of a stream. To do so, it reads all rows of the shards that these are in.

    After the leaves of a sample come two more values: whether the sample is real, or padding; and, in the first row, the
    stream's position after the batch, as JSON text (`StreamPosition`).

    Args:
        sampler: tells which rows of the global batch are wanted, how many, and whether the last batch is completed.
        turns: how many times the stream is read; None: without end. Ignored for streams of a known length.
        position: where to begin; None: at the beginning.
    """

    alone = True

    def __init__(
        self,
        data: Iterable,
        sampler: PartsSampler,
        structure: Structure,
        turns: int | None,
        position: StreamPosition | None = None,
    ):
        self.data = data
        self.sampler = sampler
        self.structure = structure
        self.turns = turns
        self.start = position
        self.outputs = structure.leaves + 2
        self.description = describe(data.data)
        self._readers: dict[int, tuple[int, _Reader]] = {}
        # The samples of the batch read last, by shard; and its epoch and iteration.
        self._kept: dict[int, list[Any]] = {}
        self._kept_for: tuple[int, int] | None = None

    def for_worker(self, worker_id: int, num_workers: int) -> StreamSource:
        """Returns a copy with readers of its own."""
        copy = StreamSource(self.data, self.sampler, self.structure, self.turns, self.start)
        copy.item_limit_s = self.item_limit_s
        return copy

    def samples(self, request: Request) -> Iterator[tuple[Any, ...]]:
        sampler, flatten = self.sampler, self.structure.flatten
        block = sampler.batch_size // self.data.shards
        rows_of_part = sampler.batch_size // sampler.count
        # Beyond its own end, a process that has samples of its own repeats its last batch until the others have ended.
        length = self.data.length
        over = False
        if length is not None and sampler.padded and request.iteration * sampler.batch_size >= length:
            over, request = True, dataclasses.replace(request, iteration=(length - 1) // sampler.batch_size)
        samples: list[Any] = []
        known = -1
        for row in range(request.start, request.stop):
            part, offset = divmod(row, rows_of_part)
            shard, offset = divmod(sampler.parts[part] * rows_of_part + offset, block)
            if shard != known:
                samples, known = self._batch(request, shard), shard
                if not samples or (len(samples) < block and not sampler.padded):
                    raise EndOfData
            state = _text(self._state(request, shard)) if row == 0 else _NO_STATE
            sample = samples[offset % len(samples)]
            yield (*flatten(sample), _REAL if offset < len(samples) and not over else _PADDING, state)

    def _batch(self, request: Request, shard: int) -> list[object]:
        position = request.epoch, request.iteration
        if position != self._kept_for:
            self._kept, self._kept_for = {}, position
        if shard not in self._kept:
            self._kept[shard] = self._read(request, shard)
            if self.teller is not None:
                self.teller.done()
        return self._kept[shard]

    def _read(self, request: Request, shard: int) -> list[object]:
        size = self.sampler.batch_size // self.data.shards
        first = request.iteration * size
        length = self.data.length
        count = size if length is None or self.data.shards > 1 else min(size, length - first)
        epoch, reader = self._readers.pop(shard, (-1, None))
        if reader is None or epoch != request.epoch or reader.taken > first:
            reader = self._begin(request, shard, size)
            if self.teller is not None:
                reader.told = functools.partial(self.teller.items, shard=shard if self.data.shards > 1 else None)
        # `_readers` has none meanwhile: after an interrupt it is unknown what was taken, so a new reader begins.
        missing = first - reader.taken
        samples = reader.take(count) if len(reader.take(missing, kept=False)) == missing else []
        if length is not None and len(samples) < count:
            where = f", in shard {shard} of {self.data.shards}" if self.data.shards > 1 else ""
            raise SourceDataError(
                f"{self.description} ended after {reader.taken} samples of epoch {request.epoch}{where}, but "
                f"length={length} promises at least {first + count}; leave out length= if it is unknown"
            )
        self._readers[shard] = request.epoch, reader
        return samples

    def _begin(self, request: Request, shard: int, size: int) -> _Reader:
        known = self.data.length is not None
        last = request.epoch + 1 if known else self.turns
        position = self.start
        if position is None or position.epoch != request.epoch or position.iteration > request.iteration:
            return _Reader(self.data, shard, request.epoch if known else 0, last)
        return _Reader(self.data, shard, position.turn, last, position.iteration * size, position.state)

    def _state(self, request: Request, shard: int) -> str:
        if self.data.shards > 1 or shard not in self._readers:
            return ""
        _, reader = self._readers[shard]
        state = reader.state()
        if state is None:
            return ""
        position = StreamPosition(request.epoch, request.iteration + 1, reader.turn, state)
        return json.dumps(dataclasses.asdict(position))

    def source_info(self, position: int, epoch: int = 0) -> str | None:
        return None


def _text(state: str) -> np.ndarray:
    return np.frombuffer(state.encode() or b" ", np.uint8)


_NO_STATE = _text("")
_REAL, _PADDING = np.bool_(True), np.bool_(False)
