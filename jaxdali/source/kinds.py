"""The kinds of sources: each turns a range of samples of an epoch into tuples of values, one a sample.

Every kind is picklable (it travels to workers), knows nothing about processes, and signals the end of the data by
raising `EndOfData`.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np

from ..errors import ConfigError, SourceDataError
from ..types import SampleInfo
from .structure import Structure

__all__ = ["CallableSource", "EndOfData", "MapSource", "Request", "Source", "positional_arguments"]


class EndOfData(Exception):
    """The source has no more samples in this epoch. (A generator cannot let StopIteration through.)"""


@dataclasses.dataclass(frozen=True)
class Request:
    """Samples `start` to `stop` (exclusive) of a batch whose sample 0 is `first_sample` of the epoch."""

    epoch: int
    iteration: int
    first_sample: int
    start: int
    stop: int


class Source(Protocol):
    """What a worker can run. A new epoch is one that a request names first.

    Attributes:
        batch_mode: it makes whole batches, not samples.
        stateful: all its work is done in order, by one process.
        resumes: stateful only: a new epoch goes on where the last one stood; else it begins anew.
        split: stateful only: every worker runs an iterable of its own, and batches come from them in turn.
        length: samples of an epoch, None where that is not known (sample mode only).
        description: how the user would recognise it.
    """

    batch_mode: bool
    stateful: bool
    resumes: bool
    split: bool
    length: int | None
    description: str

    @property
    def outputs(self) -> int:
        """Number of values of every sample."""
        ...

    def samples(self, request: Request) -> Iterator[tuple[Any, ...]]:
        """Sample mode: yields the values of each requested sample, in order. Raises EndOfData."""
        ...

    def batch(self, request: Request) -> tuple[Any, ...]:
        """Batch mode: a batch of each output, as the user returned it. Raises EndOfData."""
        ...

    def for_worker(self, worker_id: int, num_workers: int) -> Source:
        """What a worker runs: the source itself, or its part of it."""
        ...


def positional_arguments(source: Callable[..., Any]) -> int:
    """How many positional arguments `source` is called with: 0 or 1.

    Parameters with defaults count, as in DALI. Bound methods, callable objects and `functools.partial` are looked
    through; keywords that a partial binds do not count.

    Raises:
        ConfigError: the signature asks for something else.
    """
    function = source
    if not (inspect.isroutine(function) or isinstance(function, functools.partial)):
        function = types.MethodType(type(source).__call__, source)
    wants = f"the source {source!r} must accept either 0 or 1 positional arguments"
    bound = function.keywords if isinstance(function, functools.partial) else {}
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError as error:
        raise ConfigError(f"{wants}, but its signature is not known ({error}); wrap it in a function") from error
    count = 0
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.name in bound:
            continue
        if parameter.kind is parameter.VAR_POSITIONAL:
            raise ConfigError(f"{wants}. Found var-positional argument `*{parameter.name}`.")
        if parameter.kind is parameter.VAR_KEYWORD:
            raise ConfigError(f"{wants}. Found var-keyword argument `**{parameter.name}`.")
        if parameter.kind is parameter.KEYWORD_ONLY:
            raise ConfigError(f"{wants}. Found keyword-only argument `{parameter.name}`.")
        count += 1
    if count > 1:
        raise ConfigError(f"{wants}. Found more than one positional argument ({count}).")
    return count


class CallableSource:
    """A function of `SampleInfo` (or of nothing) that returns one sample; DALI's sample mode.

    Args:
        function: called once a sample.
        num_outputs: None: a sample is one value; n: a sample is a tuple or list of at least n values.
    """

    batch_mode = stateful = resumes = split = False

    def __init__(self, function: Callable[..., Any], num_outputs: int | None, seed: int = 0):
        self.function = function
        self.num_outputs = num_outputs
        self.length = len(function) if hasattr(function, "__len__") else None
        self.description = repr(function)
        self.takes_info = positional_arguments(function) == 1

    @property
    def outputs(self) -> int:
        return 1 if self.num_outputs is None else self.num_outputs

    def samples(self, request: Request) -> Iterator[tuple[Any, ...]]:
        function, number = self.function, self.num_outputs
        for position in range(request.start, request.stop):
            try:
                if self.takes_info:
                    info = SampleInfo(request.first_sample + position, position, request.iteration, request.epoch)
                    value = function(info)
                else:
                    value = function()
            except StopIteration:
                raise EndOfData from None
            if number is None:
                yield (value,)
            elif type(value) in (tuple, list) and len(value) == number:
                yield value
            else:
                yield self._cut(value, number)

    def batch(self, request: Request) -> tuple[Any, ...]:
        raise NotImplementedError

    def for_worker(self, worker_id: int, num_workers: int) -> Source:
        return self

    @staticmethod
    def _cut(value: Any, number: int) -> tuple[Any, ...]:
        if not isinstance(value, tuple | list):
            raise SourceDataError(
                f"the source returned {type(value).__name__}; with num_outputs={number} a sample is a tuple or list "
                f"of {number} arrays. Return one, or leave num_outputs out."
            )
        if len(value) < number:
            raise SourceDataError(f"the source returned {len(value)} values, expected {number} (num_outputs={number})")
        return tuple(value[:number])


class MapSource:
    """`data[index]` for the indices that a sampler draws; any nesting of dicts, lists and tuples.

    Args:
        data: anything with `__getitem__`.
        sampler: `indices(epoch, positions: int64[n]) -> int64[n]`, from position in the epoch to index.
        structure: of every sample; another one is a SourceDataError.
        length: samples of an epoch.
    """

    batch_mode = stateful = resumes = split = False
    description = "the data"

    def batch(self, request: Request) -> tuple[Any, ...]:
        raise NotImplementedError

    def for_worker(self, worker_id: int, num_workers: int) -> Source:
        return self

    def __init__(self, data: Any, sampler: Any, structure: Structure, length: int):
        self.data = data
        self.sampler = sampler
        self.structure = structure
        self.length = length

    @property
    def outputs(self) -> int:
        return self.structure.leaves

    def samples(self, request: Request) -> Iterator[tuple[Any, ...]]:
        first = request.first_sample
        if first + request.start >= self.length:
            raise EndOfData
        positions = np.arange(first + request.start, first + request.stop, dtype=np.int64)
        for index in self.sampler.indices(request.epoch, positions[positions < self.length]).tolist():
            yield self.structure.flatten(self.data[index])
        if positions[-1] >= self.length:
            raise EndOfData
