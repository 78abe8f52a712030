"""Samples that are objects of classes which JAX knows, and `ragged` of what has leaves below it."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, NamedTuple

import flax.struct
import jax
import numpy as np
import pytest
from front_sources import FILES, Mapped
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from jaxdali import ConfigError, Loader, SourceDataError
from jaxdali.image import EncodedBatch, decode


@flax.struct.dataclass
class Transition:
    observation: Any
    action: Any
    source: str = flax.struct.field(pytree_node=False, default="replay")


@functools.partial(jax.tree_util.register_dataclass, data_fields=["inner", "label"], meta_fields=["name"])
@dataclasses.dataclass
class Labelled:
    name: str
    label: Any
    inner: Any


@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, left, right, kind="pair"):
        self.left, self.right, self.kind = left, right, kind

    def tree_flatten(self):
        return (self.right, self.left), self.kind

    @classmethod
    def tree_unflatten(cls, kind, parts):
        return cls(parts[1], parts[0], kind)


class Text(NamedTuple):
    ids: Any
    length: Any


def sample(index):
    image = Labelled("image", index, {"file": FILES[index % 6], "path": f"{index}.jpg"})
    return Transition(Pair(np.float32(index), np.arange(3) + index), image)


def check(batch, first):
    assert isinstance(batch, Transition) and batch.source == "replay"
    assert isinstance(batch.observation, Pair) and batch.observation.kind == "pair"
    assert isinstance(batch.action, Labelled) and batch.action.name == "image"
    indices = [*range(first, first + 4)]
    assert np.asarray(batch.observation.left).tolist() == np.asarray(batch.action.label).tolist() == indices
    assert np.asarray(batch.observation.right)[:, 2].tolist() == [2 + index for index in indices]
    assert batch.action.inner["path"].tolist() == [f"{index}.jpg" for index in indices]


@pytest.mark.filterwarnings("ignore:the Mapped object imports jax")
@pytest.mark.parametrize("workers", [0, 1])
def test_batches_are_objects_of_the_same_classes(workers):
    with Loader(Mapped(sample, 8), batch_size=4, epochs=1, workers=workers) as loader:
        batches = list(loader)
        assert isinstance(batches[0].action.inner["file"], EncodedBatch)
        assert jax.tree.structure(batches[0]) == jax.tree.structure(loader.element_spec)
        for number, batch in enumerate(batches):
            check(batch, 4 * number)


def test_augment_gets_and_returns_them():
    def augment(batch, keys):
        assert isinstance(batch, Transition) and isinstance(batch.observation, Pair)
        files = batch.action.inner.pop("file")
        assert decode(files, (80, 80)).shape == (len(keys), 80, 80, 3)
        return batch

    sharding = NamedSharding(Mesh(np.array(jax.devices("cpu")[:4]), "x"), PartitionSpec("x"))
    for options in ({}, {"sharding": sharding}, {"mix": lambda batch, key: batch}):
        with Loader(Mapped(sample, 8), augment, batch_size=4, epochs=1, workers=0, **options) as loader:
            check(next(iter(loader)), 0)


def test_their_leaves_are_named_by_attributes():
    def ragged(index):
        return Transition(
            {"ids": np.arange(1 + index % 3), "n": index}, Pair(np.zeros((index % 2, 2)), b"id%d" % index)
        )

    options = {"ragged": {"observation": 4, ("action", 1): 2}, "host": [("action", 0)], "workers": 0}
    batch = next(iter(Loader(Mapped(ragged, 4), batch_size=4, **options)))
    assert batch.observation["ids"][0].shape == (4, 4) and batch.observation["n"].tolist() == [0, 1, 2, 3]
    assert batch.action.left[1].tolist() == [[0, 2], [1, 2]] * 2 and batch.action.right.tolist()[2] == b"id2"
    with pytest.raises(ConfigError, match=r"ragged names 'act', .* are: \('observation', 'ids'\), \('action', 1\)"):
        Loader(Mapped(ragged, 4), batch_size=4, host=[("action", 0)], ragged=("act",))


def test_an_object_that_is_declared_stays_whole():
    loader = Loader(Mapped(lambda k: {"x": k, "meta": Pair(k, [k])}, 4), batch_size=4, workers=0, host=("meta",))
    assert [one.right for one in next(iter(loader))["meta"]] == [[0], [1], [2], [3]]


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (
            lambda k: Transition(Pair(0.5, k, "other"), 1),
            r"sample\['observation'\], a Pair, has the static part 'other'",
        ),
        (
            lambda k: Transition(Pair(0.5, k), 1, "online"),
            r"sample, a Transition, .*'source': 'online'.*'source': 'replay'",
        ),
        (lambda k: Transition(0.5, 1), r"sample\['observation'\] is a float, but the first .* had a Pair there"),
        (lambda k: {"observation": 1}, "sample is a dict, but the first .* had a Transition there"),
        (
            lambda k: Transition(Pair(0.5, (k, k)), 1),
            "returned a sample with a tuple in it",
        ),
    ],
)
def test_objects_that_are_not_alike(other, words):
    data = Mapped(lambda k: Transition(Pair(0.5, k), 1) if k < 4 else other(k), 8)
    steps = iter(Loader(data, batch_size=4, epochs=1, workers=0))
    next(steps)
    with pytest.raises(SourceDataError, match=words):
        next(steps)


class Foreign:
    def __init__(self, x):
        self.x, self.hidden = x, 3


jax.tree_util.register_pytree_node(Foreign, lambda one: ((one.x,), None), lambda _, parts: Foreign(*parts))


def test_what_only_jax_can_take_apart():
    with pytest.raises(SourceDataError, match=r"a .*Foreign, which only JAX can take apart.*register_dataclass"):
        Loader([{"x": Foreign(1)}], batch_size=1)


# RAGGED, BELOW A NAME


def nested(index):
    boxes = [np.full((1 + (index + k) % 3, 4), k, np.float32) for k in range(3)]
    return {"text": Text(np.arange(1 + index), index), "boxes": boxes, "y": (index, {"ids": np.arange(index % 2)})}


@pytest.mark.parametrize(
    "ragged",
    [
        {("text", "ids"): 8, "boxes": 3, "y": None},
        {("text", 0): 8, ("boxes",): 3, ("y", 1): None},
        {"text": 8, "boxes": 5, ("boxes", 0): 3, ("boxes", 1): 3, ("boxes", 2): 3, ("y", 1, "ids"): None},
    ],
)
def test_a_name_stands_for_what_is_below(ragged):
    batch = next(iter(Loader(Mapped(nested, 4), batch_size=4, workers=0, ragged=ragged)))
    assert isinstance(batch["text"], Text) and batch["text"].length.tolist() == [0, 1, 2, 3]
    ids, shapes = batch["text"].ids
    assert ids.shape == (4, 8) and shapes.tolist() == [[1], [2], [3], [4]]
    for k, (boxes, shapes) in enumerate(batch["boxes"]):
        assert boxes.shape == (4, 3, 4) and shapes[:, 0].tolist() == [1 + (index + k) % 3 for index in range(4)]
    assert batch["y"][1]["ids"][1].tolist() == [[0], [1], [0], [1]]


def test_all_of_a_sample():
    batch = next(iter(Loader(Mapped(nested, 4), batch_size=4, workers=0, ragged=[()])))
    assert [len(leaf) for leaf in (batch["text"].ids, *batch["boxes"], batch["y"][1]["ids"])] == [2] * 5


@pytest.mark.parametrize(
    ("ragged", "words"),
    [
        ([("text", "length")], r"ragged names \('text', 'length'\), whose shape cannot differ: it has no axes"),
        ([("text", "idz")], "but samples have no such leaf"),
        ([("y", 0, 1)], "but samples have no such leaf"),
        ({"boxes": 2, "text": None, "y": None}, r"has shape \(3, 4\), but ragged= pads its first axis to at most 2"),
    ],
)
def test_names_that_do_not_fit(ragged, words):
    with pytest.raises((ConfigError, SourceDataError), match=words):
        next(iter(Loader(Mapped(nested, 4), batch_size=4, workers=0, ragged=ragged)))
