"""Extends the samples of a source by values that are computed from its own, in the workers that read them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import SourceDataError
from .kinds import Request, Source, WrappedSource

__all__ = ["ExtendedSource", "Extension"]

_NOTHING = np.empty(0, np.uint8)


@dataclasses.dataclass(frozen=True)
class Extension:
    """Values that are computed from another value of the same sample.

    Attributes:
        output: the index of the source's value.
        make: `value -> values`; is pickled for workers.
        count: how many values it makes.
    """

    output: int
    make: Callable[[Any], tuple[Any, ...]]
    count: int


class ExtendedSource(WrappedSource):
    """Gives what another source gives, followed by the values computed from it.

    Args:
        inner: the other source.
        extensions: in the order of their values.
        unused: outputs of `inner` that only the extensions need: samples have an empty array in their place.
    """

    def __init__(self, inner: Source, extensions: Sequence[Extension], unused: Sequence[int]):
        super().__init__(inner)
        self._extensions = list(extensions)
        self._unused = list(unused)
        self.outputs += sum(one.count for one in self._extensions)
        self.batch_mode, self.foresees = inner.batch_mode, inner.foresees
        self.split, self.alone, self.endless, self.length = inner.split, inner.alone, inner.endless, inner.length
        # For functions: whether they take an argument that says what is asked for.
        self.takes_info = getattr(inner, "takes_info", getattr(inner, "takes_argument", True))

    def samples(self, request: Request) -> Iterator[list[Any]]:
        for values in self._inner.samples(request):
            yield self._extended(values)

    def batch(self, request: Request) -> tuple[Any, ...]:
        batches = list(self._inner.batch(request))
        for one in self._extensions:
            made = []
            for row, value in enumerate(batches[one.output]):
                try:
                    made.append(one.make(value))
                except SourceDataError as error:
                    raise SourceDataError(f"sample {row} of the batch: {error}") from error
            batches += [[values[k] for values in made] for k in range(one.count)]
        for output in self._unused:
            batches[output] = [_NOTHING] * len(batches[output])
        return tuple(batches)

    def _extended(self, values: Sequence[object]) -> list[Any]:
        found = list(values)
        for one in self._extensions:
            found += one.make(values[one.output])
        for output in self._unused:
            found[output] = _NOTHING
        return found

    def identities(self, first: int, count: int) -> np.ndarray:
        return self._inner.identities(first, count)

    def source_info(self, position: int, epoch: int = 0) -> str | None:
        return self._inner.source_info(position, epoch)

    def for_worker(self, worker_id: int, num_workers: int) -> Source:
        return ExtendedSource(self._inner.for_worker(worker_id, num_workers), self._extensions, self._unused)
