"""The nesting of samples: workers flatten it, and the consumer restores it."""

from __future__ import annotations

import collections
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxdali._feed.source.leaf_codec import is_listed
from jaxdali._feed.source.structure import Structure
from jaxdali.errors import SourceDataError

Pair = collections.namedtuple("Pair", ["left", "right"])


def nested(children):
    keys = st.text(max_size=3) | st.integers()
    return (
        st.dictionaries(keys, children, max_size=3)
        | st.lists(children, max_size=3)
        | st.lists(children, max_size=3).map(tuple)
        | st.builds(Pair, children, children)
    )


SAMPLES = st.recursive(st.integers() | st.binary(max_size=3) | st.none(), nested, max_leaves=12)


def leaves_of(sample):
    """Returns the leaves depth first, in order of appearance. A list of numbers is one leaf."""
    if is_listed(sample):
        return [sample]
    if isinstance(sample, dict):
        return [leaf for value in sample.values() for leaf in leaves_of(value)]
    if isinstance(sample, list | tuple):
        return [leaf for value in sample for leaf in leaves_of(value)]
    return [sample]


@given(SAMPLES)
def test_a_sample_comes_apart_and_together_again(sample):
    structure = pickle.loads(pickle.dumps(Structure(sample)))
    leaves = structure.flatten(sample)
    assert list(leaves) == leaves_of(sample)
    assert structure.leaves == len(leaves) == len(structure.names)
    again = structure.unflatten(leaves)
    assert again == sample and type(again) is type(sample)


def test_named_tuples_keep_their_type_and_dicts_their_first_order():
    structure = Structure({"b": Pair(1, 2), "a": 3})
    assert structure.flatten({"a": 30, "b": (10, 20)}) == (10, 20, 30)
    again = structure.unflatten("xyz")
    assert list(again) == ["b", "a"] and again["b"].left == "x" and again["b"].right == "y"


@pytest.mark.parametrize(
    ("example", "names"),
    [
        (1, ["sample"]),
        ({"image": 1, "label": 2}, ["image", "label"]),
        ((1, 2), ["0", "1"]),
        (
            {"image": {"left": 1}, "boxes": (1, [2, 3], [b"", 4])},
            ["['image']['left']", "['boxes'][0]", "['boxes'][1]", "['boxes'][2][0]", "['boxes'][2][1]"],
        ),
    ],
)
def test_leaves_are_named_by_their_place(example, names):
    assert Structure(example).names == names


@pytest.mark.parametrize(
    ("example", "sample", "message"),
    [
        ({"x": 1}, 1, "sample is a int, but the first sample .* had a dict with ['x'] there"),
        ({"x": 1}, {"y": 1}, "sample is a dict with ['y'], .* had a dict with ['x']"),
        ({"x": 1}, {"x": 1, "y": 2}, "dict with ['x', 'y'], .* dict with ['x']"),
        ({"x": ["a", "b"]}, {"x": ["a"]}, "sample['x'] is a list with 1, .* had a list with 2"),
        ({"x": ["a", "b"]}, {"x": ("a", "b")}, "sample['x'] is a tuple with 2, .* had a list with 2"),
        ({"x": (1, 2)}, {"x": (3,)}, "nested in the same way; .* a list of numbers is one array"),
        ([{"x": (1,)}], [{"x": 7}], "sample[0]['x'] is a int, .* had a tuple with 1"),
    ],
)
def test_another_nesting_is_named_with_its_place(example, sample, message):
    with pytest.raises(SourceDataError) as caught:
        Structure(example).flatten(sample)
    first, _, second = message.partition(" .* ")
    assert first in str(caught.value) and second in str(caught.value)
    assert "nested in the same way" in str(caught.value)


def test_what_is_below_a_place():
    structure = Structure({"a": Pair(1, [2, {"b": 3}]), "c": 4})
    assert structure.below(()) == structure.paths == [("a", 0), ("a", 1, 0), ("a", 1, 1, "b"), ("c",)]
    assert structure.below(("a",)) == structure.paths[:3]
    assert structure.below(("a", "right")) == structure.below(("a", 1)) == structure.paths[1:3]
    assert structure.below(("a", "left")) == [("a", 0)] and structure.below(("c",)) == [("c",)]
    for nothing in (("b",), ("a", 2), ("a", "middle"), ("c", 0), ("a", 1, 1, "b", 0)):
        assert structure.below(nothing) == []


def test_lists_of_nothing_but_leaves():
    structure = Structure({"a": [1, 2, 3], "b": Pair(4, 5), "c": ([6], (7, 8), [9, []]), "d": [[1, 2]]})
    names = [[structure.names[index] for index in leaves] for leaves in structure.lists()]
    assert names == [["['c'][1][0]", "['c'][1][1]"]], "lists of numbers are arrays"
    assert list(Structure([b"", b""]).lists()) == [range(2)] and not list(Structure(b"").lists())
