"""Sources: how they may be called, and the samples that they give for a range."""

from __future__ import annotations

import functools
import itertools
import operator
import pickle

import numpy as np
import pytest

from jaxdali.errors import ConfigError, SourceDataError
from jaxdali.source.kinds import CallableSource, EndOfData, MapSource, Request, positional_arguments
from jaxdali.source.sampler import SequentialSampler, ShuffleSampler
from jaxdali.source.structure import Structure
from jaxdali.types import SampleInfo


class Reader:
    def __init__(self, root="/"):
        self.root = root

    def __call__(self, info):
        return info.idx_in_epoch

    def nothing(self):
        return 0

    def one(self, info):
        return 1

    @staticmethod
    def static(info):
        return 1

    @classmethod
    def cls(cls, info):
        return 1


def two(info, scale):
    return scale


def wrapped(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args)

    return inner


@pytest.mark.parametrize(
    ("source", "count"),
    [
        (lambda: 0, 0),
        (lambda info: 0, 1),
        (lambda info=3: 0, 1),
        (lambda info, /: 0, 1),
        (Reader(), 1),
        (Reader().nothing, 0),
        (Reader().one, 1),
        (Reader().static, 1),
        (Reader.cls, 1),
        (functools.partial(two, 1), 1),
        (functools.partial(two, 1, 2), 0),
        (functools.partial(two, scale=2), 1),
        (functools.partial(functools.partial(two, scale=2), 1), 0),
        (functools.lru_cache(Reader.static), 1),
        (wrapped(Reader.static), 1),
        (iter([1]).__next__, 0),
    ],
)
def test_zero_or_one_argument_is_taken(source, count):
    assert positional_arguments(source) == count


class Variadic:
    def __call__(self, *args):
        return 0


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (lambda *args: 0, "Found var-positional argument `*args`"),
        (lambda info, *rest: 0, "Found var-positional argument `*rest`"),
        (Variadic(), "Found var-positional argument `*args`"),
        (lambda **options: 0, "Found var-keyword argument `**options`"),
        (lambda info, *, size: 0, "Found keyword-only argument `size`"),
        (lambda info, *, size=3: 0, "Found keyword-only argument `size`"),
        (functools.partial(lambda info, *, a, b: 0, a=1), "Found keyword-only argument `b`"),
        (two, "Found more than one positional argument"),
        (Reader, "Found var-positional argument"),
        (max, "signature is not known"),
    ],
)
def test_another_signature_is_refused_in_dalis_words(source, found):
    with pytest.raises(ConfigError) as caught:
        positional_arguments(source)
    assert "must accept either 0 or 1 positional arguments" in str(caught.value)
    assert found in str(caught.value)


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
        (np.zeros(2), "returned ndarray"),
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
    return MapSource(data, sampler, Structure(data[0]), length)


def test_a_map_source_yields_the_leaves_of_what_the_sampler_draws():
    source = map_source(SequentialSampler(30), 30)
    assert source.outputs == 2
    assert list(source.samples(REQUEST)) == [(210, -21), (220, -22)]
    sampler = ShuffleSampler(30, 4)
    drawn = sampler.indices(2, np.array([21, 22])).tolist()
    assert list(map_source(sampler, 30).samples(REQUEST)) == [(10 * k, -k) for k in drawn]


@pytest.mark.parametrize(("length", "given"), [(22, 1), (21, 0), (10, 0)])
def test_a_map_source_ends_behind_its_last_sample(length, given):
    samples = map_source(operator.itemgetter, length)
    samples.sampler = SequentialSampler(length)
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
