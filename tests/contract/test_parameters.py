"""What holds for every argument of every operator."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator

import numpy as np
import operator_cases
import pytest
from operator_cases import ALL, BESIDE, SMALL, base, digest, first_of, inputs_of, room_of, write
from reader_arguments import READERS
from video_files import scanned_once

from jaxdali import ConfigError, GraphError, Pipeline, fn, ops
from jaxdali._dali.graph.graph import find_graph
from jaxdali._dali.graph.save import dump_graph, load_graph
from jaxdali._dali.graph.scope import Scope
from jaxdali._dali.operators.arithmetic.operations import Operation
from jaxdali._dali.operators.classes import class_name, operator_of
from jaxdali._dali.operators.declaration import REQUIRED, Operator, Param

BATCHES = [[SMALL]]
# The arguments of an operator are subtests of one case: a thousand cases each cost more than what they test.
OPERATORS = [
    pytest.param(one, id=name)
    for name, one in ALL.items()
    if not isinstance(one, Operation) and not all(param.hidden for param in one.params)
]
# Arguments whose companions in BESIDE are not valid without them.
_IN_PAIRS = {
    *("crop_h", "crop_w", "resize_x", "resize_y", "resize_shorter", "resize_longer", "roi_start", "roi_end"),
    *("fdata", "keys", "values"),
    ("squeeze", "axes"),
    *(("audio_resample", name) for name in ("in_rate", "out_rate", "out_length")),
    ("transforms.shear", "angles"),
    *((name, shape) for name in ("reinterpret", "reshape") for shape in ("shape", "rel_shape")),
    ("roi_random_crop", "roi_shape"),
    ("tensor_resize", "scales"),
}


@pytest.fixture(autouse=True)
def _videos_are_scanned_once() -> Iterator[None]:
    with scanned_once():
        yield


def each_argument(one: Operator, subtests: pytest.Subtests, check: Callable[[Operator, Param], None]) -> None:
    for param in one.params:
        if not param.hidden:
            with subtests.test(argument=param.name):
                check(one, param)


def paired(one: Operator, param: Param) -> bool:
    return param.name in _IN_PAIRS or (one.name, param.name) in _IN_PAIRS


def values(one: Operator, param: Param) -> list[dict]:
    """Returns the arguments of several calls, in which this one takes one value after the other."""
    if param.name in (own := READERS.get(one.name, {})):
        return own[param.name]
    if param.name == "cuda_stream":
        return [{param.name: stream} for stream in (0, 7)]
    beside = BESIDE.get((one.name, param.name), {})
    examples = [value for value in param.kind.examples if value is not False or param.name != "no_copy"]
    assert examples, f"the kind of {param.name} of {one.name} has no examples"
    return [{**beside, param.name: value} for value in examples]


def _changes_the_fingerprint_unless_it_is_a_hint(one: Operator, param: Param) -> None:
    beside = BESIDE.get((one.name, param.name), {})
    given = values(one, param)
    if param.hint or (param.default is not REQUIRED and param.name not in base(one) and not paired(one, param)):
        given = [*given, beside]
    nodes = [write(one, BATCHES, **arguments) for arguments in given]
    found = {digest(node) for node in nodes}
    if param.hint:
        assert len(found) == 1
        return
    # A default may equal one of the examples. A source that is a Python object counts by its kind.
    sources = [getattr(node.call.source, "kind", None) for node in nodes]
    distinct = {repr([{**node.call.params, "source": None}, kind]) for node, kind in zip(nodes, sources, strict=True)}
    assert len(found) == len(distinct) >= 2


@pytest.mark.parametrize("one", OPERATORS)
def test_each_parameter_changes_the_fingerprint_and_no_hint_does(one, subtests):
    each_argument(one, subtests, _changes_the_fingerprint_unless_it_is_a_hint)


def _is_not_given_if_it_is_none(one: Operator, param: Param) -> None:
    given = base(one)
    if param.default is not REQUIRED and param.name not in given:
        inputs = inputs_of(one, BATCHES)
        found = [digest(first_of(one(*inputs, **given, **none))) for none in ({}, {param.name: None})]
        assert found[0] == found[1]


@pytest.mark.parametrize("one", OPERATORS)
def test_none_is_the_default(one, subtests):
    """As in DALI, whatever the default is."""
    each_argument(one, subtests, _is_not_given_if_it_is_none)


def _is_saved_and_read_again(one: Operator, param: Param) -> None:
    for given in values(one, param):
        graph = find_graph([write(one, BATCHES, **given)], [], Scope())
        for call in graph.calls:
            if call.operator.name == "external_source" and call.operator is not one:
                call.params = {**call.params, "source": None}  # the inputs' sources are Python, and cannot be saved
        if any(call.operator.unsaved(call) is not None for call in graph.calls):
            with pytest.raises(GraphError, match="cannot be saved"):
                dump_graph(graph)
            continue
        saved = dump_graph(graph)
        again = load_graph(json.loads(json.dumps(saved)))
        assert dump_graph(again) == saved
        mine, other = graph.calls[-1], again.calls[-1]
        assert mine.operator is other.operator and mine.params.keys() == other.params.keys()
        for name, value in mine.params.items():
            np.testing.assert_array_equal(other.params[name], value) if isinstance(
                value, np.ndarray
            ) else np.testing.assert_equal(other.params[name], value)


@pytest.mark.parametrize("one", OPERATORS)
def test_what_was_given_is_saved_and_read_again(one, subtests):
    each_argument(one, subtests, _is_saved_and_read_again)


def _of_another_type_is_an_error(one: Operator, param: Param) -> None:
    wrong = object()
    if param.name == "cuda_stream":  # may be anything that has a stream; it is asked when data come
        assert param.kind.read("", wrong) is wrong
        return
    beside = BESIDE.get((one.name, param.name), {})
    with pytest.raises(ConfigError) as raised:
        one(*inputs_of(one, BATCHES), **{**base(one), **beside, param.name: wrong})
    text = " ".join([str(raised.value), *raised.value.__notes__])
    assert one.display_name in text and __file__ in text
    assert "object object" in str(raised.value)
    # Errors about a subscript or a source have words of their own.
    assert param.name in str(raised.value) or param.name in ("source", "key")


@pytest.mark.parametrize("one", OPERATORS)
def test_another_type_is_an_error_that_says_what_and_where(one, subtests):
    each_argument(one, subtests, _of_another_type_is_an_error)


@pytest.mark.parametrize("one", [one for one in ALL.values() if one.namespace == "fn"], ids=lambda one: one.name)
def test_function_and_class_write_the_same(one):
    room, _, name = one.name.rpartition(".")
    function = getattr(room_of(fn, room), name)
    made = getattr(room_of(ops, room), class_name(name))(**base(one))
    assert operator_of(type(made)) is one and function.operator is one
    given = inputs_of(one, BATCHES)
    found = [made(*given), function(*given, **base(one))]
    assert digest(first_of(found[0])) == digest(first_of(found[1]))


@pytest.mark.parametrize(
    ("one", "name"), [pytest.param(one, name, id=f"{one.name}-{name}") for one in ALL.values() for name in one.accepted]
)
def test_what_is_accepted_changes_nothing(one, name):
    found = {digest(write(one, BATCHES, **given)) for given in ({}, {name: 17}, {name: "anything"})}
    assert len(found) == 1


@pytest.mark.parametrize(
    ("one", "name"), [pytest.param(one, name, id=f"{one.name}-{name}") for one in ALL.values() for name in one.refused]
)
def test_what_is_refused_says_what_to_do(one, name):
    only = one.refused[name]
    assert digest(write(one, BATCHES, **{name: only.value})) == digest(write(one, BATCHES))
    with pytest.raises(ConfigError) as raised:
        write(one, BATCHES, **{name: "another"})
    text = " ".join([str(raised.value), *raised.value.__notes__])
    assert one.display_name in text and name in text and "another" in text and only.alternative in text
    assert operator_cases.__file__ in text


@pytest.mark.parametrize("one", [one for one in ALL.values() if one.namespace == "fn"], ids=lambda one: one.name)
def test_an_unknown_argument_is_an_error(one):
    with pytest.raises(ConfigError, match=f"{one.display_name} has no argument 'devise'; did you mean device"):
        write(one, BATCHES, devise="cpu")


def test_names_and_devices_count():
    node = fn.external_source(name="x")
    found = [digest(fn.flip(node, **given)) for given in ({}, {"name": "a"}, {"name": "b"}, {"device": "gpu"})]
    assert len(set(found)) == 4


def test_draws_are_told_apart_by_their_numbers():
    with Pipeline(batch_size=1).definition() as scope:
        nodes = [fn.random.uniform() for _ in range(3)]
    found = [find_graph([node], [], scope) for node in nodes]
    assert [graph.calls[0].number for graph in found] == [0, 1, 2]
    for a, b in itertools.combinations(nodes, 2):
        assert find_graph([a], [], scope).calls[0].number != find_graph([b], [], scope).calls[0].number
