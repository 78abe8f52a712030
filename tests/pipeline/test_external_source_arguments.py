"""Arguments of external sources: their effect on a source, in both forms, and which are refused with which words."""

from __future__ import annotations

import functools
import itertools

import front_sources
import numpy as np
import pytest

from jaxdali import ConfigError, ConfigTypeError, DataNode, GraphError, Pipeline, fn, ops, types
from jaxdali._feed.source.iterables import IterableSource, SplitSource
from jaxdali._feed.source.source_kinds import BatchCallableSource, CallableSource, EndOfData, Request
from jaxdali.types import BatchInfo, SampleInfo


def of_class(source, num_outputs=None, **arguments):
    return ops.ExternalSource(source, num_outputs, **arguments)()


def of_call(source, num_outputs=None, **arguments):
    device = arguments.pop("device", "cpu")
    return ops.ExternalSource(num_outputs=num_outputs, device=device)(source=source, **arguments)


FORMS = {"fn": fn.external_source, "ops": of_class, "ops call": of_call}


@pytest.fixture(params=FORMS)
def form(request):
    return FORMS[request.param]


def drawn(make, *arguments, **options):
    """Returns the only source spec that `make` created, and its return value."""
    pipe = Pipeline(batch_size=4)
    with pipe.definition() as scope:
        made = make(*arguments, **options)
    (call,) = (call for call in scope.calls if call.source is not None)
    return call.source, made


def made(form, source, *arguments, **options):
    return drawn(form, source, *arguments, **options)[0].make_source(9, 4)


def nothing():
    return np.zeros((4, 1))


def one(info):
    return info


def several():
    yield 1
    yield 2


def shares(worker_id, num_workers):
    yield worker_id
    yield num_workers


class Sized:
    def __len__(self):
        return 6

    def __call__(self, info):
        return info


REQUEST = Request(epoch=1, iteration=2, first_sample=8, start=0, stop=4)


@pytest.mark.parametrize(
    ("parallel", "batch", "mode"),
    [
        *((None, given, "batch") for given in (None, True)),
        *((False, given, "batch") for given in (None, True)),
        *((parallel, False, "sample") for parallel in (None, False, True)),
        (True, None, "sample"),
        (True, True, "batch"),
    ],
)
def test_parallel_means_sample_mode_unless_batch_is_given(form, parallel, batch, mode):
    source = made(form, one, parallel=parallel, batch=batch)
    assert type(source) is {"batch": BatchCallableSource, "sample": CallableSource}[mode]
    assert source.batch_mode is (mode == "batch")


@pytest.mark.parametrize(
    ("source", "options", "kind"),
    [
        (nothing, {"batch": False}, CallableSource),
        (nothing, {}, BatchCallableSource),
        (one, {"batch": False}, CallableSource),
        (one, {}, BatchCallableSource),
        (several, {}, IterableSource),
        (several, {"batch": False}, IterableSource),
        (several, {"batch": True, "parallel": True}, IterableSource),
        (several(), {"batch": True, "parallel": True}, IterableSource),
        ([1, 2], {}, IterableSource),
        (itertools.count(), {}, IterableSource),
        (functools.partial(front_sources.numbers), {"parallel": True}, CallableSource),
        (shares, {}, IterableSource),
        (shares, {"batch": False}, IterableSource),
        (shares, {"batch": True, "parallel": True}, SplitSource),
    ],
)
def test_every_kind_of_source_is_made_into_its_own(form, source, options, kind):
    source = made(form, source, **options)
    assert type(source) is kind
    assert source.stateful is (kind in (IterableSource, SplitSource))
    assert source.split is (kind is SplitSource)
    assert source.batch_mode is options.get("batch", not options.get("parallel"))
    assert source.outputs == 1


def test_a_sequential_factory_has_one_worker(form):
    source = made(form, shares)
    assert [source.batch(Request(0, iteration, 0, 0, 4)) for iteration in range(2)] == [(0,), (1,)]


def test_sources_know_the_seed_of_the_pipeline(form):
    (info,) = made(form, one, batch_info=True).batch(REQUEST)
    assert info == BatchInfo(2, 1) and info.rng.random() == types.batch_info_type(9)(2, 1).rng.random()
    ((info,), *_) = made(form, one, batch=False).samples(REQUEST)
    assert info == SampleInfo(8, 0, 2, 1)
    assert info.rng.random() == types.sample_info_type(9)(8, 0, 2, 1).rng.random()


@pytest.mark.parametrize("cycle", [None, False, "no", True, "quiet", "raise"])
@pytest.mark.parametrize("source", [several, shares, [1, 2]], ids=["generator function", "factory", "list"])
def test_the_cycle_reaches_the_source(form, source, cycle):
    run = made(form, source, cycle=cycle)
    seen = []
    for epoch in (0, 1):
        for iteration in range(3):
            try:
                run.batch(Request(epoch, iteration, 0, 0, 4))
                seen.append("x")
            except EndOfData:
                seen.append("S")
    ends = {"raise": "xxSxxS", "quiet": "xxxxxx", True: "xxxxxx"}.get(cycle, "xxSSSS")
    assert "".join(seen) == ends


@pytest.mark.parametrize("batch_info", [None, False, True])
def test_batch_info_tells_a_callable_of_batches_and_nobody_else(form, batch_info):
    expected = BatchInfo(2, 1) if batch_info else 2
    assert made(form, one, batch_info=batch_info).batch(REQUEST) == (expected,)
    assert next(made(form, one, batch_info=batch_info, batch=False).samples(REQUEST)) == (SampleInfo(8, 0, 2, 1),)
    assert made(form, lambda: 3, batch_info=batch_info).batch(REQUEST) == (3,)
    assert made(form, [7], batch_info=batch_info).batch(REQUEST) == (7,)


def test_a_declared_length_reaches_the_source(form):
    assert made(form, Sized(), parallel=True).length == 6


def test_outputs(form):
    spec, node = drawn(form, one)
    assert spec.num_outputs is None and isinstance(node, DataNode)
    for number in (1, 3):
        spec, nodes = drawn(form, one, number)
        assert spec.make_source(0, 4).outputs == number
        assert isinstance(nodes, list) and len(nodes) == number


def test_declarations_are_one_for_all_or_one_each(form):
    spec, _ = drawn(form, one, 3, layout=["HWC"], ndim=[3, 1], dtype=types.UINT8)
    assert spec.layout == ("HWC", None, None)
    assert spec.ndim == (3, 1, None)
    assert spec.dtype == (types.UINT8,) * 3


def test_what_parallel_sources_may_say(form):
    spec, _ = drawn(form, one, parallel=True, prefetch_queue_depth=3, bytes_per_sample_hint=np.int32(100), no_copy=True)
    assert (spec.prefetch_queue_depth, spec.bytes_per_sample_hint, spec.parallel) == (3, 100, True)


@pytest.mark.parametrize(
    "options",
    [
        {"cuda_stream": 0, "use_copy_kernel": True},
        {"cuda_stream": -1, "use_copy_kernel": False, "blocking": True},
        {"cuda_stream": object(), "blocking": False, "repeat_last": False, "no_copy": False},
        {"no_copy": True},
    ],
)
def test_what_has_no_effect_on_a_source_in_host_memory_changes_nothing(form, options):
    assert drawn(form, one, **options)[0] == drawn(form, one)[0]


def test_the_source_is_neither_called_nor_iterated(form):
    def fails(info):
        raise AssertionError

    class Fails:
        def __iter__(self):
            raise AssertionError

    def generates():
        raise AssertionError
        yield

    for source in (fails, Fails(), generates):
        drawn(form, source)
        if source is not fails:
            drawn(form, source, cycle="raise")


ONE_ARGUMENT = "must accept exactly one argument"
IN_BATCHES = "must be run in a batch mode"


@pytest.mark.parametrize(
    ("source", "options", "words"),
    [
        (nothing, {"parallel": True}, f"{ONE_ARGUMENT}, a SampleInfo; the function nothing .* accepts 0"),
        (nothing, {"parallel": True, "batch": True}, f"{ONE_ARGUMENT}, the iteration, or with batch_info=True"),
        (several, {"parallel": True}, f"the function several .* is iterated; .*{IN_BATCHES}"),
        (several, {"parallel": True, "batch": False}, IN_BATCHES),
        (several(), {"parallel": True}, IN_BATCHES),
        ([1], {"parallel": True}, IN_BATCHES),
        (shares, {"parallel": True}, IN_BATCHES),
        (front_sources.Folder(), {"parallel": True}, IN_BATCHES),
        (3, {}, "must be callable, iterable or a parameterless generator function"),
        (lambda first: (yield first), {}, "parameterless generator function, but .*<lambda>.* needs first"),
        (several(), {"cycle": "raise"}, "Cannot cycle through a generator"),
        (lambda *args: 0, {}, r"must accept either 0 or 1 positional arguments.*var-positional argument `\*args`"),
        (lambda **options: 0, {"batch": False}, r"Found var-keyword argument `\*\*options`"),
        (lambda *, size: 0, {}, "Found keyword-only argument `size`"),
        (lambda a, b: 0, {"parallel": True}, "Found more than one positional argument"),
    ],
)
def test_sources_of_another_kind_are_type_errors(form, source, options, words):
    with pytest.raises(ConfigTypeError, match=words) as caught:
        drawn(form, source, **options)
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, ConfigError)


def test_who_is_iterable_and_callable_is_told_which_counts():
    class Both:
        def __getitem__(self, index):
            return index

        def __call__(self, info):
            return info

    with pytest.raises(
        ConfigTypeError, match=r"the Both object is iterated, although it can be called; .*in a batch mode"
    ):
        drawn(fn.external_source, Both(), parallel=True)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cycle": "raise"}, "`cycle` can only be specified if `source` is iterable"),
        ({"cycle": False}, "`cycle` can only be specified if `source` is iterable"),
        ({"cycle": "yes"}, "Invalid value 'yes' for the argument `cycle`"),
        ({"cycle": 1}, "Invalid value 1 for the argument `cycle`"),
        ({"repeat_last": True}, "repeat_last=True is for data that are fed"),
        ({"device": "mixed"}, "device of fn.external_source must be"),
        ({"device": "gpu", "batch": False}, r"takes whole batches \(batch=True\)"),
        ({"no_copy": False, "parallel": True}, "`no_copy` cannot be specified to False"),
        ({"name": "x", "num_outputs": 1}, "`num_outputs` is not compatible with named"),
        ({"num_outputs": 0}, r"fn.external_source\(num_outputs=\) must be an integer, .*, got 0"),
        ({"prefetch_queue_depth": 1}, "prefetch_queue_depth is valid only for parallel external sources"),
        ({"bytes_per_sample_hint": -1}, "bytes_per_sample_hint must be an integer, at least 0 and .*, got -1"),
        ({"bytes_per_sample_hint": [1, 2]}, r"bytes_per_sample_hint has 2 values for 1 output\(s\); give one number"),
        ({"bytes_per_sample_hint": ["1"]}, "each value of bytes_per_sample_hint must be an integer"),
        ({"parallel": True, "prefetch_queue_depth": 0}, "prefetch_queue_depth must be a positive integer, got 0"),
        ({"parallel": True, "prefetch_queue_depth": True}, "must be a positive integer"),
        ({"parallel": True, "bytes_per_sample_hint": 1.5}, "bytes_per_sample_hint must be an integer, at least 0"),
        ({"dtype": np.uint8}, "dtype must be one of jaxdali.types"),
        ({"dtype": [types.UINT8] * 2}, "dtype has 2 values for 1"),
        ({"layout": 3}, "layout must be text"),
        ({"ndim": "3"}, "ndim must be an integer"),
        ({"ndim": -1}, "ndim must be an integer"),
        ({"layout": "HWC", "ndim": 2}, "Number of dimensions in the provided layout does not match the ndim"),
        ({"typo": 1}, "no argument 'typo'"),
    ],
)
def test_refused_arguments(form, options, words):
    with pytest.raises(ConfigError, match=words):
        drawn(form, one, **options)


def test_a_close_name_is_suggested():
    with pytest.raises(ConfigError, match="no argument 'paralel'; did you mean parallel"):
        drawn(fn.external_source, one, paralel=True)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cycle": "quiet"}, "`cycle` can only be specified if `source` is iterable"),
        ({"parallel": True}, "parallel= is for external sources that have a source"),
        ({"batch": False}, "batch= is for external sources that have a source"),
        ({"batch_info": True}, "batch_info= is for"),
        ({"prefetch_queue_depth": 3}, "prefetch_queue_depth= is for"),
    ],
)
def test_what_is_refused_without_a_source(form, options, words):
    with pytest.raises(ConfigError, match=words):
        drawn(form, None, **options)


def test_outside_of_a_pipeline(form):
    node = form(lambda iteration: np.full((4, 1), iteration))
    pipe = Pipeline(batch_size=4)
    pipe.set_outputs(node)
    assert [np.asarray(pipe.run()[0][0]) for _ in range(2)] == [0, 1]
    with pytest.raises(
        GraphError, match=r"fn.external_source\(preserve=\) keeps .*, but no pipeline is being defined: write it in the"
    ):
        form(one, preserve=True)


# THE CLASS FORM

BOTH = {
    "source": one,
    "cycle": "raise",
    "layout": "HWC",
    "dtype": types.UINT8,
    "ndim": 3,
    "cuda_stream": 0,
    "use_copy_kernel": False,
    "blocking": False,
    "batch": False,
    "repeat_last": False,
    "parallel": False,
    "no_copy": False,
    "prefetch_queue_depth": 1,
    "bytes_per_sample_hint": 1,
    "batch_info": False,
}


@pytest.mark.parametrize("name", BOTH)
def test_an_argument_is_given_in_one_place(name):
    operator = ops.ExternalSource(**{"source": one, name: BOTH[name]})
    with pytest.raises(ConfigError, match=f"`{name}` of ops.ExternalSource was already specified in constructor, as "):
        drawn(operator, **{name: BOTH[name]})


def test_an_argument_may_be_given_in_either_place():
    expected = drawn(fn.external_source, one, 2, batch=False, ndim=1)[0]
    assert drawn(ops.ExternalSource(one, 2, batch=False), ndim=1)[0] == expected
    assert drawn(ops.ExternalSource(num_outputs=2, ndim=1), source=one, batch=False, parallel=None)[0] == expected


def test_the_name_of_the_call_is_taken():
    operator = ops.ExternalSource(one, name="mine")
    assert drawn(operator)[1].name == "mine"
    assert drawn(operator, name="yours")[1].name == "yours"


def test_an_operator_may_be_called_more_than_once():
    operator = ops.ExternalSource(one, batch=False)
    with Pipeline(batch_size=4).definition() as scope:
        first, second = operator(), operator()
    assert first.name != second.name and len(scope.calls) == 2


def test_the_class_form_runs():
    operator = ops.ExternalSource(num_outputs=1, batch=False, layout="X")
    pipe = Pipeline(batch_size=2, seed=3)
    with pipe.definition():
        pipe.set_outputs(*operator(source=lambda info: (np.float32([info.rng.random()]),)))
    (batch,) = pipe.run()
    expected = [types.sample_info_type(3)(index, index, 0, 0).rng.random() for index in range(2)]
    assert batch.layout() == "X"
    np.testing.assert_array_equal(batch.as_array()[:, 0], np.float32(expected))


def test_unknown_arguments_of_the_class_form_are_refused_at_once():
    for name, words in {
        "xyz": "both places take source, num_outputs, cycle, .*name",
        "paralel": "did you mean parallel",
    }.items():
        with pytest.raises(ConfigError, match=f"ops.ExternalSource has no argument '{name}'; {words}"):
            ops.ExternalSource(one, **{name: 1})
