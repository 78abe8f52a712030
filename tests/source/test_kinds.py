"""Sources: how they may be called, and which samples they return for a range."""

from __future__ import annotations

import copy
import itertools
import operator
import pickle

import numpy as np
import pytest
from reader_sources import Reader

from jaxdali._feed.source.map_source import MapSource
from jaxdali._feed.source.parts import PartsSampler
from jaxdali._feed.source.sampler import SequentialSampler, ShuffleSampler
from jaxdali._feed.source.source_kinds import BatchCallableSource, CallableSource, EndOfData, Request
from jaxdali._feed.source.structure import Structure
from jaxdali.errors import SourceDataError
from jaxdali.types import BatchInfo, SampleInfo, batch_info_type, sample_info_type

REQUEST = Request(epoch=2, iteration=5, first_sample=20, start=1, stop=3)


def test_a_callable_is_told_which_sample():
    source = CallableSource(lambda info: info, None)
    assert source.outputs == 1
    assert list(source.samples(REQUEST)) == [
        (SampleInfo(21, 1, 5, 2),),
        (SampleInfo(22, 2, 5, 2),),
    ]


def test_a_callable_of_nothing_is_called_once_a_sample():
    assert list(CallableSource(itertools.count().__next__, None).samples(REQUEST)) == [(0,), (1,)]


def test_stop_iteration_ends_the_data_after_what_came_before():
    def source(info):
        if info.idx_in_epoch == 22:
            raise StopIteration
        return info.idx_in_epoch

    samples = CallableSource(source, None).samples(REQUEST)
    assert next(samples) == (21,)
    with pytest.raises(EndOfData):
        next(samples)


@pytest.mark.parametrize("value", [(1, 2), [1, 2], (1, 2, 3)])
def test_a_sample_of_several_outputs_is_cut_to_their_number(value):
    source = CallableSource(lambda: value, 2)
    assert source.outputs == 2
    assert [tuple(sample) for sample in source.samples(REQUEST)] == [(1, 2)] * 2


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ((1,), "returned 1 values, expected 2"),
        ([], "returned 0 values"),
        (np.zeros(()), "returned ndarray"),
        ("ab", "returned str"),
        ({0: 1, 1: 2}, "returned dict"),
    ],
)
def test_too_few_values_are_refused(value, found):
    with pytest.raises(SourceDataError, match=found):
        list(CallableSource(lambda: value, 2).samples(REQUEST))


def test_sources_can_be_pickled():
    source = pickle.loads(pickle.dumps(CallableSource(Reader(), None)))
    assert list(source.samples(REQUEST)) == [(21,), (22,)]


def map_source(sampler, length):
    data = [{"x": 10 * k, "y": -k} for k in range(length)]
    return MapSource(data, PartsSampler(sampler, 1, 1, (0,)), Structure(data[0]), length)


def test_a_map_source_yields_the_leaves_of_what_the_sampler_draws():
    source = map_source(SequentialSampler(30), 30)
    assert source.outputs == 2
    assert list(source.samples(REQUEST)) == [(210, -21), (220, -22)]
    sampler = ShuffleSampler(30, 4)
    drawn = sampler.indices(2, np.array([21, 22])).tolist()
    assert list(map_source(sampler, 30).samples(REQUEST)) == [(10 * k, -k) for k in drawn]


def test_a_map_source_asks_once_what_gives_several_samples():
    asked = []

    class Several(list):
        def __getitems__(self, indices):
            asked.append(indices)
            return [self[index] for index in indices]

    data = Several({"x": 10 * k, "y": -k} for k in range(30))
    source = MapSource(data, PartsSampler(SequentialSampler(30), 1, 1, (0,)), Structure(data[0]), 30)
    assert list(source.samples(REQUEST)) == [(210, -21), (220, -22)] and asked == [[21, 22]]


@pytest.mark.parametrize(("length", "given"), [(22, 1), (21, 0), (10, 0)])
def test_a_map_source_ends_behind_its_last_sample(length, given):
    samples = map_source(SequentialSampler(length), length)
    seen = []
    with pytest.raises(EndOfData):
        for sample in samples.samples(REQUEST):
            seen.append(sample)
    assert len(seen) == given


def test_a_sample_of_another_nesting_is_refused():
    source = map_source(SequentialSampler(30), 30)
    source.data[22] = {"x": 1}
    samples = source.samples(REQUEST)
    next(samples)
    with pytest.raises(SourceDataError, match="nested in the same way"):
        next(samples)


class Counted:
    """Declares how many samples an epoch has, and must not be asked for others."""

    def __len__(self):
        return 22

    def __call__(self, info):
        assert info.idx_in_epoch < 22
        return info.idx_in_epoch


def test_a_callable_may_declare_its_length():
    source = CallableSource(Counted(), None)
    assert source.length == 22
    samples = source.samples(REQUEST)
    assert next(samples) == (21,)
    with pytest.raises(EndOfData):
        next(samples)
    with pytest.raises(EndOfData):
        next(source.samples(Request(0, 6, 24, 0, 4)))
    assert CallableSource(Reader(), None).length is None
    assert CallableSource(Counted().__call__, None).length is None


def test_what_a_callable_is_told_has_random_numbers_of_its_seed():
    infos = [info for (info,) in CallableSource(lambda info: info, None, seed=7).samples(REQUEST)]
    assert infos == [SampleInfo(21, 1, 5, 2), SampleInfo(22, 2, 5, 2)]
    draws = [info.rng.random() for info in infos]
    assert draws == [sample_info_type(7)(index, 0, 0, 2).rng.random() for index in (21, 22)]


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1])
def test_random_numbers_are_those_that_are_documented(seed):
    key, counter = np.array([seed, 0], "u8"), np.array([0, 0, 2, 21], "u8")
    expected = np.random.Generator(np.random.Philox(key=key, counter=counter))
    rng = sample_info_type(seed)(21, 1, 5, 2).rng
    assert rng.integers(1 << 60, size=5).tolist() == expected.integers(1 << 60, size=5).tolist()
    for again in (copy.deepcopy(rng), pickle.loads(pickle.dumps(rng))):  # in its current state
        assert again.random() == copy.deepcopy(expected).random()
    for one in (rng, expected):
        with pytest.raises(TypeError, match="does not implement spawning"):
            one.spawn(2)


BATCH = Request(epoch=2, iteration=5, first_sample=20, start=0, stop=4)


@pytest.mark.parametrize(
    ("function", "batch_info", "expected"),
    [
        (lambda: "nothing", False, "nothing"),
        (lambda: "nothing", True, "nothing"),
        (lambda iteration: iteration, False, 5),
        (lambda iteration=3: iteration, False, 5),
        (lambda info: info, True, BatchInfo(5, 2)),
    ],
)
def test_a_callable_of_batches_is_told_as_it_wants(function, batch_info, expected):
    source = BatchCallableSource(function, None, batch_info)
    assert source.batch_mode and not source.stateful and not source.split and source.length is None
    assert source.batch(BATCH) == (expected,)
    assert source.for_worker(1, 2) is source
    with pytest.raises(TypeError, match="returns whole batches"):
        source.samples(BATCH)


def test_a_callable_of_batches_gets_a_python_integer():
    (kind,) = BatchCallableSource(lambda iteration: type(iteration), None).batch(BATCH)
    assert kind is int


def test_random_numbers_of_batches():
    (info,) = BatchCallableSource(lambda info: info, None, True, seed=7).batch(BATCH)
    assert info.rng.random() == batch_info_type(7)(5, 2).rng.random()


def test_a_callable_of_batches_begins_anew_in_every_epoch():
    def source(iteration):
        if iteration >= 2:
            raise StopIteration
        return iteration

    batches = BatchCallableSource(source, None)
    for epoch in range(3):
        assert [batches.batch(Request(epoch, k, 4 * k, 0, 4)) for k in range(2)] == [(0,), (1,)]
        for iteration in (2, 3):
            with pytest.raises(EndOfData):
                batches.batch(Request(epoch, iteration, 4 * iteration, 0, 4))


@pytest.mark.parametrize("value", [(1, 2), [1, 2], (1, 2, 3)])
def test_batches_of_several_outputs_are_cut_to_their_number(value):
    source = BatchCallableSource(lambda: value, 2)
    assert source.outputs == 2
    assert source.batch(BATCH) == (1, 2)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ((1,), "tuple index out of range: .*returned 1 values, expected 2"),
        ([], "tuple index out of range"),
        (np.zeros(()), "returned ndarray; with num_outputs=2 a batch is a tuple, list or array"),
        (np.zeros((1, 3)), "tuple index out of range: .*returned 1 values, expected 2"),
        (None, "returned NoneType"),
        ({0: 1, 1: 2}, "returned dict"),
    ],
)
def test_batches_of_too_few_outputs_are_refused(value, found):
    with pytest.raises(SourceDataError, match=found):
        BatchCallableSource(lambda: value, 2).batch(BATCH)


def test_an_error_of_a_callable_is_raised_as_it_is():
    with pytest.raises(ZeroDivisionError):
        BatchCallableSource(lambda iteration: 1 // 0, None).batch(BATCH)


def test_callables_of_batches_can_be_pickled():
    source = pickle.loads(pickle.dumps(BatchCallableSource(operator.neg, None)))
    assert source.batch(BATCH) == (-5,)
    with pytest.raises(TypeError, match="returns samples"):
        CallableSource(Reader(), None).batch(BATCH)
