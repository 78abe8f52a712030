"""Extends the samples of a source by values that are computed from its own, in the workers that read them."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np

from jaxdali.errors import SourceDataError
from .source_kinds import Request, Source, WrappedSource

__all__ = ["Deferred", "ExtendedSource", "Extension", "Reading"]

_NOTHING = np.empty(0, np.uint8)


class Reading(Protocol):
    """What makes values of a file."""

    decodes: ClassVar[str]

    def __call__(self, file: Any, /) -> tuple[Any, ...]: ...


@dataclasses.dataclass(frozen=True)
class Extension:
    """Values that are computed from another value of the same sample.

    Attributes:
        output: the index of the source's value.
        make: `value -> values`; is pickled for workers. Its `decodes` says from what, such as "sounds".
        count: how many values it makes.
    """

    output: int
    make: Reading
    count: int


class Deferred:
    """A value that is made of a file when it is stored, or by others later.

    Attributes:
        index: which of the values that an extension makes.
    """

    def __init__(self, made: _Made, index: int):
        self._made, self.index = made, index

    @classmethod
    def of(cls, extension: Extension, value: object, prefix: str = "") -> list[Deferred]:
        """Returns the values that an extension makes of a value.

        Args:
            prefix: begins the text of a SourceDataError.
        """
        made = _Made(extension, value, prefix)
        return [cls(made, index) for index in range(extension.count)]

    @property
    def file(self) -> np.ndarray | None:
        """The file, if it can be stored; otherwise `get` says what is wrong with it."""
        file = self._made.value
        known = isinstance(file, np.ndarray) and file.dtype == np.uint8 and file.ndim == 1 and len(file) > 0
        return np.ascontiguousarray(file) if known else None

    def get(self) -> Any:
        """Returns the value. Raises what its extension raises."""
        return self._made.values()[self.index]


class _Made:
    """All values that an extension makes of one value."""

    def __init__(self, extension: Extension, value: object, prefix: str):
        self._extension, self.value, self._prefix = extension, value, prefix
        self._values: tuple[Any, ...] | None = None

    def values(self) -> tuple[Any, ...]:
        if self._values is None:
            try:
                self._values = self._extension.make(self.value)
            except SourceDataError as error:
                if not self._prefix:
                    raise
                raise SourceDataError(f"{self._prefix}{error}") from error
        return self._values


class ExtendedSource(WrappedSource):
    """Gives what another source gives, followed by the values computed from it, which are `Deferred`, and by outputs
    that are needed twice.

    Args:
        inner: the other source.
        extensions: in the order of their values.
        unused: outputs of `inner` that only the extensions need: samples have an empty array in their place.
        repeated: outputs of `inner` that are given once more, at the end.
    """

    def __init__(
        self, inner: Source, extensions: Sequence[Extension], unused: Sequence[int], repeated: Sequence[int] = ()
    ):
        super().__init__(inner)
        self._extensions = list(extensions)
        self._unused, self._repeated = list(unused), list(repeated)
        self.outputs += sum(one.count for one in self._extensions) + len(self._repeated)
        self.batch_mode, self.foresees = inner.batch_mode, inner.foresees
        self.spreads = inner.spreads
        self.decodes = inner.decodes or next((one.make.decodes for one in self._extensions), "")
        self.split, self.alone, self.endless, self.length = inner.split, inner.alone, inner.endless, inner.length
        # For functions: whether they take an argument that says what is asked for.
        self.takes_info = getattr(inner, "takes_info", getattr(inner, "takes_argument", True))

    def samples(self, request: Request) -> Iterator[list[Any]]:
        for values in self._inner.samples(request):
            yield self._extended(values)

    def batch(self, request: Request) -> tuple[Any, ...]:
        batches = list(self._inner.batch(request))
        for one in self._extensions:
            rows = [
                Deferred.of(one, value, f"sample {row} of the batch: ") for row, value in enumerate(batches[one.output])
            ]
            batches += [[values[k] for values in rows] for k in range(one.count)]
        batches += [batches[output] for output in self._repeated]
        for output in self._unused:
            batches[output] = [_NOTHING] * len(batches[output])
        return tuple(batches)

    def _extended(self, values: Sequence[object]) -> list[Any]:
        found = list(values)
        for one in self._extensions:
            found += Deferred.of(one, values[one.output])
        found += [values[output] for output in self._repeated]
        for output in self._unused:
            found[output] = _NOTHING
        return found

    def with_readings(self, readings: Mapping[int, Reading]) -> ExtendedSource:
        """Returns the source with other extensions in some places, which make as many values."""
        changed = copy.copy(self)
        changed._extensions = [
            dataclasses.replace(one, make=readings.get(place, one.make)) for place, one in enumerate(self._extensions)
        ]
        return changed

    def identities(self, first: int, count: int) -> np.ndarray:
        return self._inner.identities(first, count)

    def source_info(self, position: int, epoch: int = 0) -> str | None:
        return self._inner.source_info(position, epoch)

    def for_worker(self, worker_id: int, num_workers: int) -> Source:
        inner = self._inner.for_worker(worker_id, num_workers)
        return ExtendedSource(inner, self._extensions, self._unused, self._repeated)
