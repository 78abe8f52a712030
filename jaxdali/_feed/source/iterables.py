"""Sources that are iterated over: their requests must come in order, and all to one object."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from jaxdali._base.interruptions import is_interruption, left_a_generator
from jaxdali.errors import SourceDataError
from .. import _host
from .classify import Cycle, describe, is_iterable
from .source_kinds import EndOfData, Request, Source, cut

__all__ = ["IterableSource", "SplitSource"]


class IterableSource(Source):
    """Calls `next` of an iterable, once per batch or per sample.

    The process that runs it makes the iterator when the first data are asked for. When the iterator ends:

    - cycle "no": the epoch ends. After it the same iterator is asked, which has data if it rewound itself; a generator has
      none.
    - cycle "quiet": a new iterator begins at once, so the data never end, unless the new one has no data.
    - cycle "raise": the epoch ends. After it, and after any reset by the user, a new iterator begins.

    An epoch that a size ends before the iterator ends is followed by one that continues there. An item is kept until it is
    written: after an interrupt before that, the same request gets the same item. But an interrupt inside of a generator
    ends it. That is no end of the data, and a new iterator begins after the next reset, whatever the cycle.

    Args:
        open: returns the iterable; called again whenever a new iterator begins.
        num_outputs: None: an item is one value; n: a tuple or list of at least n values.
        batch_mode: whether an item is a whole batch, or one sample.
        description: how its user would recognize it.
    """

    stateful = True

    def __init__(
        self,
        open: Callable[[], Iterable[object]],
        num_outputs: int | None,
        cycle: Cycle = "no",
        batch_mode: bool = True,
        description: str = "the iterable",
    ):
        self.num_outputs = num_outputs
        self.outputs = 1 if num_outputs is None else num_outputs
        self.cycle: Cycle = cycle
        self.begins_anew = cycle == "raise"
        self.batch_mode = batch_mode
        self.description = description
        self._open = open
        self._iterator: Iterator[Any] | None = None
        self._at_end = False
        self._is_broken_off = False  # by an interruption inside of a generator, which ends it
        self._is_called = False  # or perhaps so: another interruption came before that was known
        self._epoch: int | None = None
        # The last item of the iterable, and the epoch and sample (or batch) that it is for.
        self._item: list[Any] = []
        self._asked: tuple[int, int] | None = None

    @classmethod
    def over(cls, source: Iterable[Any], *arguments: Any, **options: Any) -> IterableSource:
        """Makes a source of an iterable itself, not of a function that returns one."""
        made = cls(functools.partial(_itself, source), *arguments, **{"description": describe(source), **options})
        # An iterator only begins anew if it rewinds itself at its end.
        made.begins_anew = made.begins_anew and not hasattr(type(source), "__next__")
        return made

    def samples(self, request: Request) -> Iterator[tuple[Any, ...] | list[Any]]:
        self._begin(request.epoch)
        for position in range(request.start, request.stop):
            item = self._next((request.epoch, request.first_sample + position))
            yield cut(item, self.num_outputs, "sample")
            self._item = []  # it is written; frees it before the next one is made

    def batch(self, request: Request) -> tuple[Any, ...]:
        self._begin(request.epoch)
        return cut(self._next((request.epoch, request.iteration)), self.num_outputs, "batch")

    def written(self) -> None:
        self._item = []

    def _begin(self, epoch: int) -> None:
        if epoch != self._epoch:
            self._epoch = epoch
            if self.cycle != "quiet" or self._is_broken_off:
                self._at_end = False
            if self.cycle == "raise" or self._is_broken_off:
                self._begin_anew()

    def _begin_anew(self) -> None:
        before, was_broken_off = self._iterator, self._is_broken_off
        self._iterator, self._is_broken_off = None, False
        if was_broken_off and inspect.isgenerator(before) and self._open() is before:
            self._iterator, self._is_broken_off, self._epoch = before, True, None
            raise SourceDataError(
                f"{self.description} is a generator that an interrupt has ended, and it runs only once: make a new "
                "pipeline, and pass it the generator function itself, which reset() begins anew"
            )

    def _open_iterator(self) -> Iterator[Any]:
        iterable = self._open()
        if not is_iterable(iterable):
            raise SourceDataError(
                f"{self.description} must return an iterable, but it returned {type(iterable).__name__}. A callable of "
                "(worker_id, num_workers) must return that worker's part of the data."
            )
        return iter(iterable)

    def _next(self, asked: tuple[int, int]) -> Any:
        if asked != self._asked:
            self._item, self._asked = [], asked
        self._is_called = self._is_called and not self._item
        while not self._item and not self._at_end:
            fresh = self._iterator is None
            if self._iterator is None:
                try:
                    self._iterator = self._open_iterator()
                except StopIteration:
                    self._at_end = True
                    break
            self._is_broken_off = self._is_broken_off or self._is_called
            self._is_called = True
            try:
                _host.append_result(self._item, next, self._iterator)
                self._is_broken_off = self._is_called = False
            except StopIteration:
                self._is_called = False
                if self._is_broken_off:
                    self._at_end = True  # also of a cycle: the rest is missing
                    break
            except BaseException as error:
                ended = left_a_generator(error) or _is_finished(self._iterator)
                self._is_broken_off = not self._item and (ended or self._is_broken_off) and is_interruption(error)
                self._is_called = False
                raise
            if not self._item:
                if self.cycle != "no":
                    self._iterator = None
                self._at_end = fresh or self.cycle != "quiet"
        if not self._item:
            raise EndOfData
        return self._item[0]


def _is_finished(iterator: object) -> bool:
    return inspect.isgenerator(iterator) and iterator.gi_frame is None


def _itself(source: Iterable[object]) -> Iterable[object]:
    return source


class SplitSource(Source):
    """A factory of iterables that divides the data among workers: each runs `factory(worker_id, num_workers)`.

    Args:
        factory: called in each worker, with keywords `worker_id` (from 0) and `num_workers`; returns an iterable. Called
            again whenever `IterableSource` begins a new iterator, which depends on the worker's own data only.
        num_outputs, cycle, batch_mode: see `IterableSource`.
    """

    stateful = True
    split = True

    def __init__(
        self,
        factory: Callable[..., Iterable[object]],
        num_outputs: int | None,
        cycle: Cycle = "no",
        batch_mode: bool = True,
    ):
        self.factory = factory
        self.num_outputs = num_outputs
        self.outputs = 1 if num_outputs is None else num_outputs
        self.cycle: Cycle = cycle
        self.begins_anew = cycle == "raise"
        self.batch_mode = batch_mode
        self.description = describe(factory)

    def for_worker(self, worker_id: int, num_workers: int) -> IterableSource:
        opened = functools.partial(self.factory, worker_id=worker_id, num_workers=num_workers)
        return IterableSource(opened, self.num_outputs, self.cycle, self.batch_mode, self.description)
