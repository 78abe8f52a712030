"""The kinds of sources without state: each answers any request for samples, or for a batch, of an epoch.

Every kind can be pickled (it is sent to workers), knows nothing about processes, and raises `EndOfData` at the end of the
data. Sources that must be asked in order are in `iterables`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from jaxdali._base.interruptions import is_interruption
from jaxdali._base.source_infos import batch_info_type, sample_info_type
from jaxdali.errors import SourceDataError
from .classify import describe, positional_arguments
from .parts import BatchPart

__all__ = [
    "BatchCallableSource",
    "CallableSource",
    "EndOfData",
    "Request",
    "Source",
    "WrappedSource",
    "cut",
]


class EndOfData(Exception):
    """The source has no more samples in this epoch. (A generator cannot let StopIteration through.)"""


@dataclasses.dataclass(slots=True)
class Request:
    """Samples `start` to `stop` (exclusive) of a batch whose sample 0 is `first_sample` of the epoch."""

    epoch: int
    iteration: int
    first_sample: int
    start: int
    stop: int


class Teller(Protocol):
    """Is told which item is read by a source that reads several before it gives the first sample."""

    def items(self, items: Iterator[Any], index: int, shard: int | None) -> Iterator[Any]: ...
    def done(self) -> None: ...


class Source:
    """What a worker runs.

    Attributes:
        outputs: number of values per sample.
        batch_mode: it gives whole batches, by `batch`; otherwise samples, by `samples`.
        stateful: its requests must be made in order, all in one process. A new epoch continues where the last one stopped;
            requests name, instead of an epoch, how often the source was begun anew before, such as at its end.
        begins_anew: stateful only: it does so whenever its user resets it, and not only at its end.
        split: stateful only: `for_worker` gives every worker a source of its own, and batches come from them in turn.
        alone: one process makes all requests: they build on each other, so workers cannot share them.
        endless: sample mode only: the data are one stream without epochs. Requests name epoch 0, and count iterations from
            the beginning of the stream, whatever epochs the consumer sees.
        length: samples per epoch, None if unknown; sample mode only.
        ready: asking for data now would not wait for somebody to feed them.
        supplied: asking for data now would return some, sooner or later.
        foresees: it fetches ahead what its process will be asked for, if that gets the same chunk of each batch.
        item_limit_s: only if `alone`: its process is ended when one item takes longer than this. None: no limit.
        teller: is told of items while they are read; None: nobody asks.
        says_names: `source_info` has always answered soon.
        spreads: as many processes may read it as may decode, even if fewer were asked for.
        decodes: what its samples are decoded from when read, such as "videos"; empty: nothing is known.
        description: how its user would recognize it.
    """

    outputs: int
    foresees: bool = False
    batch_mode: bool = False
    stateful: bool = False
    begins_anew: bool = False
    split: bool = False
    alone: bool = False
    endless: bool = False
    length: int | None = None
    item_limit_s: float | None = None
    teller: Teller | None = None
    says_names: bool = True
    spreads: bool = False
    decodes: str = ""
    description: str

    @property
    def divides(self) -> bool:
        """Whether several processes share its work. Those of an iterable cannot: it is bound to one process."""
        return not self.alone and (not self.stateful or self.split)

    @property
    def ready(self) -> bool:
        return True

    @property
    def supplied(self) -> bool:
        return True

    def wait(self) -> bool:
        """Waits briefly for data that are to be fed. If it returns False, call it again before `samples` or `batch`."""
        return True

    def written(self) -> None:
        """Tells that the last answer is stored elsewhere: it will not be asked for again, not even after an interrupt."""

    def samples(self, request: Request) -> Iterator[tuple[Any, ...] | list[Any]]:
        """Yields the values of each requested sample, in order. Raises EndOfData."""
        raise TypeError(f"{self.description} returns whole batches, not samples")

    def batch(self, request: Request) -> tuple[Any, ...]:
        """Returns what the user returned for each output of the requested batch, not yet converted. Raises EndOfData."""
        raise TypeError(f"{self.description} returns samples, not whole batches")

    def direct(self) -> Callable[[Any, int, int, Request], int] | None:
        """Sample mode only: returns a function `direct(ring, slot, chunk, request)` that itself writes samples of a request
        into chunk `chunk` of slot `slot` of a `_host.Ring`, and returns how many it wrote, from the first one on. `samples`
        is asked for the sample where it stopped. None if there is no such function.
        """
        return None

    def identities(self, first: int, count: int) -> np.ndarray:
        """Endless only: returns the numbers, `int64[count]`, not negative, from which the random draws for the samples at
        positions `first` to `first + count` of the stream are made.
        """
        raise TypeError(f"{self.description} has epochs")

    def epoch_start(self, epoch: int) -> int:
        """Endless only: returns the position in the stream at which an epoch begins of which every sample is wanted once."""
        raise TypeError(f"{self.description} has epochs")

    def source_info(self, position: int, epoch: int = 0) -> str | None:
        """Returns what to call the sample at a position of an epoch, or of an endless source's stream, such as its path.
        None if unknown.
        """
        return None

    def for_worker(self, worker_id: int, num_workers: int) -> Source:
        """Returns the source to run in worker `worker_id` of `num_workers`."""
        return self

    def meet(self, rings: Sequence[Any]) -> None:
        """Called in each worker with the rings of all sources of its pool."""


class WrappedSource(Source):
    """A source that gets its data from another one, and waits as that does."""

    def __init__(self, inner: Source):
        self._inner = inner
        self.outputs, self.description = inner.outputs, inner.description
        self.stateful, self.begins_anew = inner.stateful, inner.begins_anew

    @property
    def ready(self) -> bool:
        return self._inner.ready

    @property
    def supplied(self) -> bool:
        return self._inner.supplied

    def wait(self) -> bool:
        return self._inner.wait()

    def written(self) -> None:
        self._inner.written()


def cut(value: Any, num_outputs: int | None, what: str) -> Any:
    """Returns the outputs' values from what a source returned, as a tuple.

    Args:
        num_outputs: None: `value` is the one output; n: the outputs are the first n entries of a tuple, list or array.
        what: "sample" or "batch", for the error.

    Raises:
        SourceDataError: `value` is not a tuple, list or array, or is too short.
    """
    if num_outputs is None:
        return (value,)
    if not isinstance(value, tuple | list) and not (hasattr(value, "__array__") and getattr(value, "ndim", 0)):
        raise SourceDataError(
            f"the source returned {type(value).__name__}; with num_outputs={num_outputs} a {what} is a tuple, list or "
            f"array, one entry for each of the {num_outputs} outputs. Return one, or leave num_outputs out."
        )
    if len(value) < num_outputs:
        raise SourceDataError(
            f"tuple index out of range: the source returned {len(value)} values, expected {num_outputs} "
            f"(num_outputs={num_outputs})"
        )
    return tuple(value[:num_outputs])


class CallableSource(Source):
    """A function of `SampleInfo` (or of nothing) that returns one sample; DALI's sample mode.

    Args:
        function: called once per sample. If it has a `__len__`, that is the number of samples per epoch: it is not called
            for others, and the last batch may be smaller. If it has a method `source_info(index)`, errors name the sample
            of that index in the epoch by what the method returns.
        num_outputs: None: a sample is one value; n: a sample is a tuple or list of at least n values.
        seed: the seed of `SampleInfo.rng`; None: there is no `rng`.
        part: the part of larger batches whose samples it makes, on which `rng` depends; None: whole batches.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        num_outputs: int | None,
        seed: int | None = None,
        part: BatchPart | None = None,
    ):
        self.function = function
        self.num_outputs = num_outputs
        self.outputs = 1 if num_outputs is None else num_outputs
        self.seed, self.part = seed, part
        self.takes_info = positional_arguments(function) == 1
        self.length = len(function) if hasattr(type(function), "__len__") else None  # type: ignore[arg-type]
        self.description = describe(function)

    def samples(self, request: Request) -> Iterator[tuple[Any, ...] | list[Any]]:
        function, number, takes_info = self.function, self.num_outputs, self.takes_info
        make_info = sample_info_type(self.seed, self.part)
        epoch, iteration, first = request.epoch, request.iteration, request.first_sample
        stop = request.stop if self.length is None else min(request.stop, self.length - first)
        for position in range(request.start, stop):
            try:
                if takes_info:
                    value = function(make_info(first + position, position, iteration, epoch))
                else:
                    value = function()
            except StopIteration:
                raise EndOfData from None
            if number is None:
                yield (value,)
            elif type(value) in (tuple, list) and len(value) == number:
                yield value
            else:
                yield cut(value, number, "sample")
        if stop < request.stop:
            raise EndOfData

    def source_info(self, position: int, epoch: int = 0) -> str | None:
        name = getattr(self.function, "source_info", None)
        if not callable(name):
            return None
        try:
            return str(name(position))
        except Exception as error:  # must not hide the error that is being reported
            if is_interruption(error):
                raise
            return f"source_info({position}) raised {type(error).__name__}"


class BatchCallableSource(Source):
    """A function of the iteration, of `BatchInfo`, or of nothing, that returns a whole batch; DALI's batch mode.

    Args:
        function: called once per batch.
        num_outputs: None: it returns one batch; n: a tuple or list of at least n batches, one per output.
        batch_info: the argument is a `BatchInfo`, not the iteration.
        seed: the seed of `BatchInfo.rng`; None: there is no `rng`.
        part: the part of larger batches that it makes, on which `rng` depends; None: whole batches.
    """

    batch_mode = True

    def __init__(
        self,
        function: Callable[..., Any],
        num_outputs: int | None,
        batch_info: bool = False,
        seed: int | None = None,
        part: BatchPart | None = None,
    ):
        self.function = function
        self.num_outputs = num_outputs
        self.outputs = 1 if num_outputs is None else num_outputs
        self.batch_info = batch_info
        self.seed, self.part = seed, part
        self.takes_argument = positional_arguments(function) == 1
        self.description = describe(function)

    def batch(self, request: Request) -> tuple[Any, ...]:
        arguments: Sequence[Any] = ()
        if self.takes_argument:
            iteration = request.iteration
            info_type = batch_info_type(self.seed, self.part)
            arguments = (info_type(iteration, request.epoch) if self.batch_info else iteration,)
        try:
            value = self.function(*arguments)
        except StopIteration:
            raise EndOfData from None
        return cut(value, self.num_outputs, "batch")
