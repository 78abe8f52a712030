"""How sources are classified, and which are refused: as in DALI 2.4.0, but generator functions are not run."""

from __future__ import annotations

import functools
import itertools
import re

import pytest
from reader_sources import Reader

from jaxdali._feed.source.classify import SourceKind, check_cycle, classify, describe, positional_arguments
from jaxdali.errors import ConfigError, ConfigTypeError

CALLABLE, ITERABLE, GENERATOR_FUNCTION, SPLIT_FACTORY, _ = SourceKind


def two(info, scale):
    return scale


def must_not_run():
    raise AssertionError("a generator function is not run where the pipeline is defined")
    yield


def numbered(first, step=1):
    yield from (first, step)


def shares(worker_id, num_workers):
    yield worker_id, num_workers


def shares_of(root, worker_id, num_workers):
    return [root, worker_id, num_workers]


class Generating:
    def __call__(self):
        raise AssertionError("not run")
        yield

    def method(self):
        yield 1


class Both:
    """Both iterable and callable."""

    def __iter__(self):
        raise AssertionError("iterated in the process that runs the source")

    def __call__(self, info):
        return 1


class Sequence:
    def __getitem__(self, index):
        return range(3)[index]


class NotIterable:
    __iter__ = None

    def __call__(self):
        return 1


class Shares:
    def __init__(self, worker_id, num_workers):
        self.worker_id = worker_id

    def __iter__(self):
        yield self.worker_id


class Sharing:
    def __call__(self, num_workers, worker_id):
        return []


KINDS = [
    (lambda: 0, CALLABLE),
    (Reader(), CALLABLE),
    (NotIterable(), CALLABLE),
    (Generating().method, GENERATOR_FUNCTION),
    (functools.partial(two, scale=2), CALLABLE),
    (two, CALLABLE),
    (Reader, CALLABLE),
    (max, CALLABLE),
    (lambda worker_id: 0, CALLABLE),
    (must_not_run, GENERATOR_FUNCTION),
    (Generating(), GENERATOR_FUNCTION),
    (functools.partial(numbered, 3), GENERATOR_FUNCTION),
    (functools.partial(functools.partial(numbered, step=2), first=3), GENERATOR_FUNCTION),
    (functools.partial(Generating()), GENERATOR_FUNCTION),
    (numbered(1), ITERABLE),
    ([1, 2], ITERABLE),
    (iter([1]), ITERABLE),
    (Both(), ITERABLE),
    (Sequence(), ITERABLE),
    (itertools.count(), ITERABLE),
    ("text", ITERABLE),
    (shares, SPLIT_FACTORY),
    (functools.partial(shares_of, "/"), SPLIT_FACTORY),
    (functools.partial(shares_of, root="/"), SPLIT_FACTORY),
    (Shares, SPLIT_FACTORY),
    (Sharing(), SPLIT_FACTORY),
    (lambda *, worker_id, num_workers: [], SPLIT_FACTORY),
]


@pytest.mark.parametrize(("source", "kind"), KINDS, ids=lambda value: describe(value)[:40])
def test_a_source_is_the_first_kind_that_it_can_be(source, kind):
    assert classify(source) is kind


@pytest.mark.parametrize("cycle", [True, "quiet", "raise"])
@pytest.mark.parametrize(("source", "kind"), KINDS, ids=lambda value: describe(value)[:40])
def test_only_what_can_be_iterated_again_has_a_cycle(source, kind, cycle):
    if kind is CALLABLE:
        with pytest.raises(ConfigError, match="`cycle` can only be specified if `source` is iterable"):
            classify(source, cycle)
    elif isinstance(source, type(numbered(1))):
        with pytest.raises(ConfigTypeError, match="Cannot cycle through a generator"):
            classify(source, cycle)
    else:
        assert classify(source, cycle) is kind


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (None, "NoneType object"),
        (3, "int object"),
        (object(), "object"),
        (numbered, "generator function that needs first"),
        (shares_of, None),
        (functools.partial(numbered, step=1), "needs first"),
        (lambda worker_id, num_workers, /: (yield), "needs worker_id, num_workers"),
    ],
)
def test_what_gives_no_data_is_refused(source, found):
    if found is None:
        assert classify(source) is CALLABLE
        return
    words = "must be callable, iterable or a parameterless generator function"
    with pytest.raises(ConfigTypeError, match=words) as caught:
        classify(source)
    assert found in str(caught.value)


@pytest.mark.parametrize(
    ("value", "cycle"),
    [(None, "no"), (False, "no"), ("no", "no"), (True, "quiet"), ("quiet", "quiet"), ("raise", "raise")],
)
def test_cycles(value, cycle):
    assert check_cycle(value) == cycle


@pytest.mark.parametrize("value", ["yes", "", 0, 1, 1.0, [], ("raise",), object()])
def test_another_cycle_is_refused(value):
    words = f"Invalid value {re.escape(repr(value))} for the argument `cycle`"
    with pytest.raises(ConfigError, match=words):
        classify([1], value)
    with pytest.raises(ConfigError, match=words):
        classify(Reader(), value)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (two, r"the function two \(.*test_classify.py:\d+\)"),
        (functools.partial(two, 1), r"the function two \(.*test_classify.py:\d+\)"),
        (Reader().one, r"the function Reader.one \("),
        (lambda: 0, r"the function <lambda> \("),
        (Reader(), "the Reader object"),
        (Reader, "the class Reader"),
        (max, "the function max"),
        ([1], "the list object"),
    ],
)
def test_descriptions(source, words):
    assert re.match(words, describe(source))


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
    with pytest.raises(ConfigTypeError) as caught:
        positional_arguments(source)
    assert isinstance(caught.value, ConfigError) and isinstance(caught.value, TypeError)
    assert "must accept either 0 or 1 positional arguments" in str(caught.value)
    assert found in str(caught.value)
