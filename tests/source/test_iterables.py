"""Sources that are iterated: DALI's table of cycles and resets, and which process iterates what, when."""

from __future__ import annotations

import functools
import itertools
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxdali._feed.source.iterables import IterableSource, SplitSource
from jaxdali._feed.source.source_kinds import EndOfData, Request
from jaxdali.errors import SourceDataError


def request(epoch, iteration=0, size=2):
    return Request(epoch=epoch, iteration=iteration, first_sample=iteration * size, start=0, stop=size)


def three():
    yield from (1, 2, 3)


class Three:
    def __iter__(self):
        return iter((1, 2, 3))


class Sequence:
    def __getitem__(self, index):
        return (1, 2, 3)[index]


class Once:
    """Is its own iterator, so a second pass is empty."""

    def __init__(self, items=(1, 2, 3)):
        self.items = list(items)

    def __iter__(self):
        return self

    def __next__(self):
        if not self.items:
            raise StopIteration
        return self.items.pop(0)


def runs(source, count=14):
    """Returns the results of `count` runs, with a reset after two ends in a row, in the notation of DALI's table."""
    seen = []
    epoch = iteration = ends = 0
    while count:
        count -= 1
        try:
            seen.append(str(source.batch(request(epoch, iteration))[0]))
            iteration += 1
            ends = 0
        except EndOfData:
            seen.append("S")
            ends += 1
            if ends == 2:
                seen.append("|")
                epoch, iteration, ends = epoch + 1, 0, 0
    return "".join(seen)


REUSABLE = {
    "generator function": lambda cycle: IterableSource(three, None, cycle),
    "iterable": lambda cycle: IterableSource.over(Three(), None, cycle),
    "list": lambda cycle: IterableSource.over([1, 2, 3], None, cycle),
    "sequence": lambda cycle: IterableSource.over(Sequence(), None, cycle),
    "split": lambda cycle: SplitSource(lambda worker_id, num_workers: [1, 2, 3], None, cycle).for_worker(0, 1),
}


@pytest.mark.parametrize("make", REUSABLE.values(), ids=REUSABLE)
@pytest.mark.parametrize(
    ("cycle", "expected"),
    [("no", "123SS|SS|SS|SS|SS|S"), ("quiet", "12312312312312"), ("raise", "123SS|123SS|123S")],
)
def test_the_table_of_cycles(make, cycle, expected):
    assert runs(make(cycle)) == expected


@pytest.mark.parametrize("make", [lambda: iter([1, 2, 3]), three, Once], ids=["iterator", "generator", "object"])
@pytest.mark.parametrize("cycle", ["no", "quiet", "raise"])
def test_what_runs_only_once_ends_for_ever(make, cycle):
    assert runs(IterableSource.over(make(), None, cycle)) == "123SS|SS|SS|SS|SS|S"


@pytest.mark.parametrize("cycle", ["no", "quiet", "raise"])
def test_an_empty_iterable_is_at_its_end(cycle):
    opened = []

    def nothing():
        opened.append(cycle)
        return []

    assert runs(IterableSource(nothing, None, cycle), 6) == "SS|SS|SS|"
    assert len(opened) == (3 if cycle == "raise" else 1)


def test_quiet_ends_where_a_fresh_iterator_is_empty():
    opened = iter([[1, 2], [3], [], [4]])
    source = IterableSource(lambda: next(opened), None, "quiet")
    assert runs(source, 8) == "123SS|SS|S"
    assert next(opened) == [4]


@pytest.mark.parametrize(("cycle", "expected"), [("no", [2, 3]), ("quiet", [2, 3]), ("raise", [1, 2])])
def test_an_epoch_that_begins_in_the_middle_of_the_last_one(cycle, expected):
    source = IterableSource(three, None, cycle)
    assert source.batch(request(0)) == (1,)
    assert [source.batch(request(1, k))[0] for k in range(2)] == expected


def test_iteration_begins_with_the_first_data():
    begun = []

    class Watched:
        def __iter__(self):
            begun.append(True)
            return iter([1])

    source = IterableSource.over(Watched(), None)
    assert not begun
    source.batch(request(0))
    assert begun == [True]


def test_an_error_in_the_middle_is_raised_and_is_no_end_of_quiet():
    def fails():
        yield 1
        raise KeyError("lost")

    source = IterableSource(fails, None, "quiet")
    for _ in range(2):
        assert source.batch(request(0)) == (1,)
        source.written()
        with pytest.raises(KeyError):
            source.batch(request(0))


def test_samples_are_taken_one_by_one():
    source = IterableSource.over(range(5), None, "raise", batch_mode=False)
    assert not source.batch_mode and source.stateful and source.length is None
    assert list(source.samples(request(0))) == [(0,), (1,)]
    assert list(source.samples(request(0, 1))) == [(2,), (3,)]
    incomplete = source.samples(request(0, 2))
    assert next(incomplete) == (4,)
    with pytest.raises(EndOfData):
        next(incomplete)
    with pytest.raises(EndOfData):
        next(source.samples(request(0, 3)))
    assert list(source.samples(request(1))) == [(0,), (1,)]


def test_a_quiet_cycle_joins_samples_in_one_batch():
    source = IterableSource(three, None, "quiet", batch_mode=False)
    assert [value for (value,) in source.samples(request(0, size=8))] == [1, 2, 3, 1, 2, 3, 1, 2]


@given(
    length=st.integers(1, 7),
    size=st.integers(1, 5),
    chunk=st.integers(1, 5),
    cycle=st.sampled_from(["no", "quiet", "raise"]),
    epochs=st.integers(1, 3),
)
def test_samples_of_any_chunks_are_those_of_the_definition(length, size, chunk, cycle, epochs):
    """Batches of `size` in pieces of `chunk`, with epochs of at most 4 batches, compared with plain loops."""
    source = IterableSource.over(range(length), None, cycle, batch_mode=False)
    endless = itertools.cycle(range(length))
    once = iter(range(length))
    for epoch in range(epochs):
        expected = {"no": once, "quiet": endless, "raise": iter(range(length))}[cycle]
        for iteration in range(4):
            whole = list(itertools.islice(expected, size))
            seen = []
            try:
                for start in range(0, size, chunk):
                    piece = Request(epoch, iteration, iteration * size, start, min(start + chunk, size))
                    for (value,) in source.samples(piece):
                        seen.append(value)
            except EndOfData:
                pass
            assert seen == whole


@pytest.mark.parametrize(
    ("item", "num_outputs", "expected"),
    [(7, None, (7,)), ([7, 8], None, ([7, 8],)), ((7, 8, 9), 2, (7, 8)), ([7], 1, (7,))],
)
def test_outputs_of_an_item(item, num_outputs, expected):
    source = IterableSource.over([item], num_outputs)
    assert source.outputs == len(expected)
    assert tuple(source.batch(request(0))) == expected


@pytest.mark.parametrize(("item", "words"), [((1,), "tuple index out of range"), ("ab", "returned str"), (3, "int")])
def test_an_item_of_too_few_outputs(item, words):
    with pytest.raises(SourceDataError, match=words):
        IterableSource.over([item], 2).batch(request(0))
    with pytest.raises(SourceDataError, match=words):
        list(IterableSource.over([item], 2, batch_mode=False).samples(request(0)))


def shares(items, worker_id, num_workers):
    return items[worker_id::num_workers]


def test_what_is_asked_for_again_is_the_same_until_it_is_written():
    source = IterableSource.over([1, 2, 3], None)
    assert [source.batch(request(0, 0)) for _ in range(3)] == [(1,)] * 3
    source.written()
    assert [source.batch(request(0, 1)) for _ in range(2)] == [(2,)] * 2
    assert source.batch(request(0, 2)) == (3,)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_a_factory_gives_every_worker_its_share(workers):
    source = pickle.loads(pickle.dumps(SplitSource(functools.partial(shares, list(range(7))), None, "raise")))
    assert source.split and source.stateful and source.batch_mode and source.outputs == 1
    seen = []
    for worker in range(workers):
        mine = source.for_worker(worker, workers)
        assert not mine.split and mine.stateful and mine.batch_mode
        assert mine.description == source.description and "shares" in mine.description
        for epoch in range(2):
            part = []
            with pytest.raises(EndOfData):
                for iteration in itertools.count():
                    part += mine.batch(request(epoch, iteration))
            assert part == list(range(7))[worker::workers]
        seen += part
    assert sorted(seen) == list(range(7))


def test_a_factory_returns_an_iterable():
    source = SplitSource(lambda worker_id, num_workers: worker_id, None).for_worker(1, 2)
    with pytest.raises(
        SourceDataError, match=r"the function .*<lambda> .*must return an iterable, but it returned int"
    ):
        source.batch(request(0))


def test_a_type_error_of_the_iterable_is_its_own():
    class Fails:
        def __iter__(self):
            raise TypeError("mine")

    with pytest.raises(TypeError, match="mine"):
        IterableSource.over(Fails(), None).batch(request(0))


@pytest.mark.parametrize(("cycle", "calls"), [("no", 1), ("quiet", 3), ("raise", 3)])
def test_a_factory_is_called_by_the_rules_of_its_cycle(cycle, calls):
    called = []

    def factory(worker_id, num_workers):
        called.append((worker_id, num_workers))
        yield from (1, 2)

    source = SplitSource(factory, None, cycle).for_worker(1, 3)
    for epoch in range(3):
        for iteration in range(2):
            try:
                source.batch(request(epoch, iteration))
            except EndOfData:
                assert cycle == "no"
    assert called == [(1, 3)] * calls


def test_sources_can_be_pickled():
    for source in (IterableSource(three, None, "quiet"), IterableSource.over([1, 2, 3], None, "quiet")):
        assert runs(pickle.loads(pickle.dumps(source)), 5) == "12312"
