"""What holds for the results of every operator.

None of it depends on how well XLA compiles. Hundreds of programs are compiled, so most of XLA's optimizations are off
to save time.
"""

from __future__ import annotations

import functools
import json
import os
from typing import NamedTuple

import numpy as np
import pytest
from operator_cases import (
    BESIDE,
    COMPUTED,
    LARGE,
    SMALL,
    WITH_INPUTS,
    base,
    busy,
    examples,
    first_of,
    inputs_of,
    run,
    samples_of,
)
from optimizations import optimizations

from jaxdali import GraphError, Pipeline, fn
from jaxdali._dali.operators.declaration import Operator

Samples = list[np.ndarray]

# The samples of batches; the first and the third of the two have the same.
RAGGED = [SMALL, LARGE, SMALL]
DENSE = [SMALL, SMALL, SMALL]

PER_SAMPLE = [
    pytest.param(one, id=name)
    for name, one in COMPUTED.items()
    if any(param.per_sample and param.kind.examples for param in one.params)
]


_compiled_in_less_time = optimizations(False)


# Without fusion emitters, as the gate compiles, XLA rounds some functions differently where it computes several numbers at
# once and where it does not. Bits are compared by make test-all, which compiles as for users.
_ROUNDED = {"random.beta", "spectrogram"}
_QUICK = "xla_cpu_use_fusion_emitters=false" in os.environ.get("XLA_FLAGS", "")


def equal(one: Operator, found: Samples, expected: Samples) -> None:
    assert [sample.dtype for sample in found] == [sample.dtype for sample in expected]
    for left, right in zip(found, expected, strict=True):
        if _QUICK and one.name in _ROUNDED:
            np.testing.assert_allclose(left, right, rtol=1e-6)
        else:
            np.testing.assert_array_equal(left, right)


class Found(NamedTuple):
    """What a pipeline made of RAGGED samples; and what it made, saved and loaded, of DENSE ones and then of none."""

    ragged: Samples
    dense: Samples
    empty: Samples


def fed(one: Operator) -> tuple[Pipeline, bool]:
    """Returns a pipeline of one operator, whose inputs x0, x1, ... are fed, and whether it can be saved."""
    pipe = Pipeline(batch_size=4, seed=7, prefetch_queue_depth=1)  # more than are fed: every batch is a short one
    nodes = [
        fn.external_source(name=f"x{number}", layout=node.call.params["layout"][0])
        for number, node in enumerate(inputs_of(one, [RAGGED]))
    ]
    node = first_of(one(*nodes, **{**base(one), **busy(one)}))
    pipe.set_outputs(node)
    return pipe, node.call.operator.unsaved(node.call) is None


def another(one: Operator, pipe: Pipeline) -> Pipeline:
    """Returns the same pipeline, saved and loaded; or defined again where it cannot be saved."""
    other, can_be_saved = fed(one)
    if not can_be_saved:
        with pytest.raises(GraphError, match="cannot be saved"):
            pipe.serialize()
        return other
    loaded = Pipeline.deserialize(pipe.serialize())
    assert json.loads(loaded.serialize()) == json.loads(pipe.serialize())
    return loaded


def batch_of(one: Operator, pipe: Pipeline, extents: list) -> Samples:
    for number, node in enumerate(inputs_of(one, [extents])):
        pipe.feed_input(f"x{number}", node.call.params["source"](0))
    return samples_of(pipe.run()[0])


@pytest.fixture(scope="module", params=COMPUTED.values(), ids=COMPUTED)
def one(request: pytest.FixtureRequest) -> Operator:
    return request.param


@pytest.fixture(scope="module")
def found(one: Operator) -> Found:
    pipe, _ = fed(one)
    with pipe, another(one, pipe) as other:
        return Found(batch_of(one, pipe, RAGGED), batch_of(one, other, DENSE), batch_of(one, other, []))


def test_samples_depend_neither_on_their_neighbours_shapes_nor_on_who_wrote_the_pipeline(one, found):
    if inputs_of(one, [RAGGED]):
        assert len(found.ragged) == len(found.dense) == 3
        equal(one, found.ragged[::2], found.dense[::2])
    else:
        assert len(found.ragged) == 4
        equal(one, found.ragged, found.dense)


def test_batches_may_be_empty(one, found):
    # Without inputs only the pipeline says how many samples there are.
    assert len(found.empty) == (0 if inputs_of(one, [RAGGED]) else 4)


def _three_of(value, _iteration):
    return [value] * 3


def _node(one, name, value):
    """Returns a node that gives this value to every sample."""
    (param,) = [param for param in one.params if param.name == name]
    if not param.bounded:
        dtype = np.int32 if name == "axes" else np.float32
        return fn.external_source(functools.partial(_three_of, np.asarray(value, dtype)), batch=True)
    whole = np.asarray(value).dtype.kind == "i"
    return fn.constant(idata=value) if whole else fn.constant(fdata=value)


@pytest.mark.parametrize("one", PER_SAMPLE)
def test_a_node_may_stand_for_each_argument_of_a_sample(one):
    """All of them at once where a call may have them together, the others one by one."""
    groups = [busy(one)] + [{name: value} for name, value in examples(one).items() if name not in busy(one)]
    nodes = []
    for group in filter(None, groups):
        inputs = inputs_of(one, [RAGGED], group)
        by_node = {name: _node(one, name, value) for name, value in group.items()}
        beside = {key: value for name in group for key, value in BESIDE.get((one.name, name), {}).items()}
        nodes += [first_of(one(*inputs, **{**base(one), **beside, **given})) for given in (by_node, group)]
    assert nodes
    ((*found,),) = run(*nodes)
    for by_node, by_value in zip(found[::2], found[1::2], strict=True):
        equal(one, by_node, by_value)


@pytest.mark.parametrize(
    "one", [one for one in WITH_INPUTS.values() if one.namespace == "fn"], ids=lambda one: one.name
)
def test_a_list_of_one_node_is_that_node(one):
    nodes = inputs_of(one, [[SMALL]])
    made = first_of(one(*([node] for node in nodes), **base(one)))
    assert list(made.call.inputs) == nodes
