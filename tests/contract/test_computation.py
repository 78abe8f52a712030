"""What holds for what every operator computes."""

from __future__ import annotations

import functools
import json

import numpy as np
import pytest
from written import BESIDE, COMPUTED, LARGE, SMALL, WITH_INPUTS, base, busy, first_of, inputs_of, run, samples_of, write

from jaxdali import GraphError, Pipeline, fn

computed = pytest.mark.parametrize("one", COMPUTED.values(), ids=COMPUTED)
with_inputs = pytest.mark.parametrize("one", WITH_INPUTS.values(), ids=WITH_INPUTS)
PER_SAMPLE = [
    pytest.param(one, id=name)
    for name, one in COMPUTED.items()
    if any(param.per_sample and param.kind.examples for param in one.params)
]


def equal(found, expected) -> None:
    assert [sample.dtype for sample in found] == [sample.dtype for sample in expected]
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


@with_inputs
def test_samples_do_not_depend_on_their_neighbours_shapes(one):
    """A batch of samples that differ in shape gives each what a batch of equal ones does."""
    ((ragged,),) = run(write(one, [[SMALL, LARGE, SMALL]], **busy(one)))
    ((dense,),) = run(write(one, [[SMALL, SMALL, SMALL]], **busy(one)))
    equal([ragged[0], ragged[2]], [dense[0], dense[2]])
    assert len(ragged) == 3


@computed
def test_batches_may_be_short_and_empty(one):
    node = write(one, [[SMALL], []])
    if not node.call.inputs:  # nothing but the pipeline says how many there are
        assert len(run(node, size=1)[0][0]) == 1
        return
    short, empty = (batch[0] for batch in run(node, batches=2))
    assert len(short) == 1 and empty == []


@computed
def test_a_saved_pipeline_gives_the_same_batches(one):
    pipe = Pipeline(batch_size=2, seed=7, prefetch_queue_depth=1)
    given = inputs_of(one, [[SMALL, LARGE]])
    fed = {}
    for node in given:
        fed[node] = fn.external_source(name=f"x{len(fed)}", layout=node.call.params["layout"][0])
    node = first_of(one(*(fed[node] for node in given), **base(one)))
    pipe.set_outputs(node)
    if node.call.operator.unsaved(node.call) is not None:
        with pytest.raises(GraphError, match="cannot be saved"):
            pipe.serialize()
        return
    again = Pipeline.deserialize(pipe.serialize())
    assert json.loads(again.serialize()) == json.loads(pipe.serialize())
    with pipe, again:
        found = []
        for each in (pipe, again):
            for node, mine in fed.items():
                each.feed_input(mine.name, node.call.params["source"](0))
            found.append(samples_of(each.run()[0]))
    equal(*found)


def _three_of(value, _iteration):
    return [value] * 3


@pytest.mark.parametrize("one", PER_SAMPLE)
def test_a_node_may_stand_for_each_argument_of_a_sample(one):
    nodes = []
    inputs = inputs_of(one, [[SMALL, LARGE, SMALL]])
    for param in one.params:
        if param.per_sample:
            value = np.asarray(param.kind.examples[0], np.float32)
            given = fn.external_source(functools.partial(_three_of, value), batch=True)
            for argument in (given, param.kind.examples[0]):
                beside = BESIDE.get((one.name, param.name), {})
                nodes.append(first_of(one(*inputs, **{**base(one), **beside, param.name: argument})))
    ((*found,),) = run(*nodes)
    for by_node, by_value in zip(found[::2], found[1::2], strict=True):
        equal(by_node, by_value)


@with_inputs
def test_a_list_of_one_node_is_that_node(one):
    nodes = inputs_of(one, [[SMALL]])
    if one.door != "fn":
        return  # as DALI's arithmetic, which refuses lists with nodes
    made = first_of(one(*([node] for node in nodes), **base(one)))
    assert list(made.call.inputs) == nodes
