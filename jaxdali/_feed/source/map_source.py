"""The source that reads `data[index]` for the indices of a sampler."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from jaxdali._base.interruptions import is_interruption
from jaxdali._base.source_infos import sample_info_type
from ..records.packed_video import Offered
from .access import Chosen, decodes, describe_sample, is_plain, read_samples, reads_several
from .arrays import Arrays
from .classify import describe
from .direct import Own
from .foresight import Foresight, Part, located, reads_ahead
from .source_kinds import EndOfData, Request, Source
from .structure import Structure
from .video import VideoClips

__all__ = ["MapSource"]


class Clips(NamedTuple):
    """Clips of videos, and the views through which they are read, the outermost first."""

    data: VideoClips
    views: list[Chosen]


class MapSource(Source):
    """Reads `data[index]` for the indices that a sampler draws; samples are any nesting of dicts, lists and tuples.

    Args:
        data: anything with `__getitem__`; if it has `__getitems__`, as in torch, that is called for several samples. If it
            has a method `source_info(index)`, errors name the sample by what that returns.
        sampler: a `PartsSampler`, or an object with its `indices`, `span` and `numbers`: which samples are at positions of
            an epoch, and the numbers from which their random numbers are made.
        structure: that of every sample; any other is a SourceDataError.
        length: samples per epoch.
        seed: the seed of the `rng` that `__getitem__` may take.
        batch_size: samples per batch; 0: unknown, so nothing is read ahead.

    Attributes:
        offered: what the video engine of a GPU decodes, if clips of videos are packed for it (`VideoClips.packed`).
    """

    length: int
    offered: Offered | None = None

    def __init__(self, data: Any, sampler: Any, structure: Structure, length: int, seed: int = 0, batch_size: int = 0):
        self.data = data
        self.sampler = sampler
        self.seed = seed
        self.structure = structure
        self.outputs = structure.leaves
        self.length = length
        self.description = describe(data)
        self.decodes = decodes(data)
        self._is_plain = is_plain(data) and not reads_several(data)
        self._foresight = Foresight(batch_size, self._parts_of) if batch_size and reads_ahead(data) else None
        self.foresees = self._foresight is not None
        self._direct: Own[Callable[[Any, int, int, Request], int] | None] = Own()

    def _parts_of(self, epoch: int, first: int, count: int) -> list[Part] | None:
        """Returns those of some samples that can be read ahead, by source; None at the end of the epoch."""
        positions = np.arange(first, min(first + count, self.length), dtype=np.int64)
        return located(self.data, self.sampler.indices(epoch, positions), epoch) if len(positions) else None

    def direct(self) -> Callable[[Any, int, int, Request], int] | None:
        return self._direct.of(self._make_direct)

    def _make_direct(self) -> Callable[[Any, int, int, Request], int] | None:
        data, views = self.data, []
        while isinstance(data, Chosen):
            views.append(data)
            (data,) = data.inner
        write = data.direct(self.structure) if isinstance(data, Arrays) else None
        if write is None:
            return None

        def written(ring: Any, slot: int, chunk: int, request: Request) -> int:
            indices = self._indices(request)
            for view in views:
                indices = view.inner_indices(indices)
            return write(ring, slot, chunk, request.start, indices)

        return written

    @property
    def row_bytes(self) -> int | None:
        """Bytes per sample if the data are a `source.Arrays` in memory, or some of its samples; otherwise None."""
        data = self.data
        while isinstance(data, Chosen):
            (data,) = data.inner
        return data.row_bytes if isinstance(data, Arrays) else None

    @property
    def clips(self) -> Clips | None:
        """The videos that samples are clips of, unchanged; None if they are something else."""
        data, views = self.data, []
        while isinstance(data, Chosen):
            views.append(data)
            (data,) = data.inner
        return Clips(data, views) if isinstance(data, VideoClips) else None

    def _indices(self, request: Request) -> np.ndarray:
        """Returns the indices of those requested samples that the epoch has."""
        first = request.first_sample + request.start
        count = min(request.stop - request.start, self.length - first)
        return self.sampler.span(request.epoch, first, count) if count > 0 else np.zeros(0, np.int64)

    def samples(self, request: Request) -> Iterator[tuple[Any, ...]]:
        first = request.first_sample + request.start
        if self._foresight is not None and first < self.length:
            self._foresight.look(request.epoch, request.first_sample, request.start, request.stop)
        found, flatten = self._indices(request), self.structure.flatten
        indices, data = found.tolist(), self.data
        if self.offered is not None and (clips := self.clips) is not None:
            for view in clips.views:
                found = view.inner_indices(found)
            for index in found.tolist():
                yield flatten(clips.data.packed(index, self.offered))
        elif self._is_plain:
            for index in indices:
                yield flatten(data[index])
        elif indices:
            make_info, epoch, iteration = sample_info_type(self.seed), request.epoch, request.iteration
            numbers = self.sampler.numbers(first, len(indices))
            numbers = numbers if isinstance(numbers, range) else numbers.tolist()
            infos = [make_info(number, row, iteration, epoch) for row, number in enumerate(numbers, request.start)]
            for sample in read_samples(data, indices, infos):
                yield flatten(sample)
        if len(indices) < request.stop - request.start:
            raise EndOfData

    def source_info(self, position: int, epoch: int = 0) -> str | None:
        if position >= self.length:
            return None
        index = int(self.sampler.indices(epoch, np.asarray([position], np.int64))[0])
        try:
            return describe_sample(self.data, index, epoch)
        except Exception as error:  # must not hide the error that is being reported
            if is_interruption(error):
                raise
            return f"source_info({index}) raised {type(error).__name__}"
