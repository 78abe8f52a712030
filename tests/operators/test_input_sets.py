"""Lists of nodes as inputs, and numbers in place of nodes."""

from __future__ import annotations

import numpy as np
import pytest

from jaxdali import ConfigError, GraphError, Pipeline, fn, ops, types

ROWS = np.arange(2 * 4 * 5 * 3, dtype=np.uint8).reshape(2, 4, 5, 3)


def run(outputs, **options):
    """Returns the first batch of what `outputs` makes of two nodes: a list of arrays per output."""
    with Pipeline(**{"batch_size": 2, "num_threads": 1, "seed": 5, **options}) as pipe:
        a, b = (fn.external_source(lambda: ROWS + offset, layout="HWC") for offset in (0, 100))  # noqa: B023
        pipe.set_outputs(*outputs(a, b))
        return [[np.array(found.at(k)) for k in range(2)] for found in pipe.run()]


def same(found, expected):
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("flip", [fn.flip, ops.Flip()], ids=["function", "class"])
def test_each_node_of_a_list_is_an_input_of_its_own(flip):
    assert isinstance(flip([fn.external_source(name="x")] * 2), list)
    same(run(lambda a, b: flip([a, b], horizontal=1)), run(lambda a, b: [fn.flip(a), fn.flip(b)]))


def test_what_is_drawn_is_drawn_once_for_all_sets():
    def windows(a, b):
        return fn.random_resized_crop([a, a], size=3)

    def draws(a, b):
        x, y = fn.random.uniform([a, b])
        return x, y, fn.random.uniform(a)

    first, second = run(windows)
    same(first, second)
    first, second, third = run(draws)
    same(first, second)
    assert not np.array_equal(first, third)


def test_sets_count_once_among_the_draws():
    def sets(a, b):
        fn.random.coin_flip([a, b])
        return [fn.random.uniform(a)]

    def one(a, b):
        fn.random.coin_flip(a)
        return [fn.random.uniform(a)]

    same(run(sets), run(one))


def test_sets_made_outside_of_a_pipeline_and_used_in_part_draw_the_same():
    node = fn.external_source(lambda: ROWS)
    first, second = fn.random.uniform([node, node])
    after = fn.random.uniform(node)
    found = []
    for outputs in ((first, second, after), (second, after)):
        pipe = Pipeline(batch_size=2, num_threads=1, seed=5)
        with pipe:
            pipe.set_outputs(*outputs)
            found.append([[np.array(out.at(k)) for k in range(2)] for out in pipe.run()])
    same(found[0][0], found[0][1])
    same(found[0][1:], found[1])


def test_saved_sets_draw_the_same():
    pipe = Pipeline(batch_size=2, num_threads=1, seed=5)
    pipe.set_outputs(*fn.random.uniform([fn.external_source(name="x"), fn.external_source(name="y")]))
    with Pipeline.deserialize(pipe.serialize()) as again:
        for name in "xy":
            again.feed_input(name, ROWS)
        first, second = ([np.array(found.at(k)) for k in range(2)] for found in again.run())
    same(first, second)


def test_a_node_beside_a_list_belongs_to_all_sets():
    node = fn.external_source(name="x")
    anchors, shape = (fn.external_source(name=name) for name in "as")
    found = fn.decoders.image_slice([node, node], [anchors, anchors], shape)
    assert [call.inputs for call in (one.call for one in found)] == [(node, anchors, shape)] * 2
    with pytest.raises(ConfigError, match="lists of 2 and 3 nodes; a list has one input for each set"):
        fn.decoders.image_slice([node, node], [anchors] * 3, shape)


def test_outputs_of_sets_come_in_lists():
    pairs = fn.resize([fn.external_source(name="x"), fn.external_source(name="y")], size=3, save_attrs=True)
    assert [[node.index for node in pair] for pair in pairs] == [[0, 0], [1, 1]]


def test_the_name_is_that_of_the_first():
    node = fn.external_source(name="x")
    first, second = fn.flip([node, node], name="flipped")
    assert first.call.name == "flipped" and second.call.name is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, np.float32(3)),
        (np.array([1, 2], np.uint8), [1.0, 2.0]),
        ([1, 2], [1.0, 2.0]),
        ((1, 2), [1.0, 2.0]),
        (types.Constant(300).uint8(), np.float32(255)),
        (types.Constant([1.5, 2]), [1.5, 2.0]),
    ],
)
def test_numbers_are_constants(value, expected):
    (found,) = run(lambda a, b: [fn.cast(value, dtype=types.FLOAT)])
    same(found, [np.asarray(expected, np.float32)] * 2)


def test_numbers_beside_nodes_of_an_input():
    x, y = run(lambda a, b: fn.cast([a, types.Constant([7])], dtype=types.INT32))
    assert x[0].shape == (4, 5, 3) and [row.tolist() for row in y] == [[7], [7]]


@pytest.mark.parametrize("value", [(), (1, "a"), "text", None, [], [None], {}, [1, "a"], 1j])
def test_other_things_are_refused(value):
    with pytest.raises(GraphError, match=r"fn\.flip works on DataNodes, got"):
        fn.flip(value)
