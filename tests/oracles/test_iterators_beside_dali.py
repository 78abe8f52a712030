"""Iterators compared with NVIDIA's DALI: their epochs, and the attributes that programs read during them."""

from __future__ import annotations

import importlib
import itertools
import math
import warnings
from typing import Any

import numpy as np
import pytest
from beside_dali import SYSTEMS, folder, load
from epoch_model import epochs
from epoch_sources import SOURCES

pytestmark = [
    pytest.mark.dali,
    # DALI gives this advice whatever the pipeline reads.
    pytest.mark.filterwarnings("ignore:Please set `reader_name`:Warning"),
]

READ = ("size", "_size", "_num_gpus", "_counter", "batch_size", "output_map", "_reader_name", "_auto_reset")


def plugin(system: str) -> Any:
    return importlib.import_module(f"{system}.plugin.jax")


def policy(system: str, name: str) -> Any:
    return importlib.import_module(f"{system}.plugin.base_iterator").LastBatchPolicy[name]


def reader(system: str, files: int = 7, **arguments: Any) -> Any:
    dali = load(system)
    paths = [f"{folder()}/class0/image.png"] * files

    @dali.pipeline_def(batch_size=2, num_threads=1, device_id=None, seed=7)
    def mine():
        return dali.fn.readers.file(files=paths, labels=list(range(files)), name="Reader", **arguments)[1]

    return mine()


class Counting:
    """Batches of the numbers from 0; each iterator starts anew."""

    def __init__(self, batches: int):
        self._batches = batches

    def __iter__(self):
        return (np.full((2, 1), k, np.int32) for k in range(self._batches))


def source(system: str, batches: int, **arguments: Any) -> Any:
    dali = load(system)

    @dali.pipeline_def(batch_size=2, num_threads=1, device_id=None, seed=7)
    def mine():
        return dali.fn.external_source(Counting(batches), **arguments)

    return mine()


def read(iterator: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in READ:
        value = getattr(iterator, name)
        found[name] = int(value) if name == "_counter" else value
    found["_last_batch_policy"] = iterator._last_batch_policy.name
    found["first"] = iterator._first_batch is not None
    return found


def steps(iterator: Any, count: int = 20) -> list[Any]:
    """Returns what each `next` gives, "end" at the end of an epoch, and then the attributes that programs read."""
    found: list[Any] = [read(iterator)]
    for _ in range(count):
        try:
            found.append(np.asarray(next(iterator)["x"]).ravel().tolist())
        except StopIteration:
            found.append("end")
        found.append(read(iterator))
    return found


@pytest.mark.parametrize("fill_or_drop", ["FILL", "DROP"])
@pytest.mark.parametrize("shards", [1, 2, 3])
@pytest.mark.parametrize("pad", [False, True])
@pytest.mark.parametrize("stick", [False, True])
def test_a_reader_s_epochs_and_what_is_read_in_them(fill_or_drop, shards, pad, stick):
    found = []
    for system in SYSTEMS:
        pipes = [
            reader(system, shard_id=shard, num_shards=shards, pad_last_batch=pad, stick_to_shard=stick)
            for shard in range(shards)
        ]
        iterator = plugin(system).DALIGenericIterator(
            pipes, ["x"], reader_name="Reader", auto_reset=True, last_batch_policy=policy(system, fill_or_drop)
        )
        sequence = steps(iterator)
        if fill_or_drop == "DROP" and pad:
            # Padding of a shard belongs to the epoch that leaves it out; DALI returns it in the next one.
            sequence = [step for step in sequence if not isinstance(step, list)]
        found.append((len(iterator), sequence))
    theirs, ours = found
    assert ours == theirs


@pytest.mark.parametrize("fill_or_drop", ["FILL", "DROP"])
@pytest.mark.parametrize("size", [7, 8, 3])
@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("prepare", [False, True])
@pytest.mark.parametrize("made", ["reader", "stream", "cycle"])
def test_epochs_of_a_size(fill_or_drop, size, padded, prepare, made):
    found = []
    for system in SYSTEMS:
        pipe = {
            "reader": lambda system=system: reader(system),
            "stream": lambda system=system: source(system, 30),
            "cycle": lambda system=system: source(system, 3, cycle="quiet"),
        }[made]()
        iterator = plugin(system).DALIGenericIterator(
            pipe, ["x"], size, None, True, padded, policy(system, fill_or_drop), prepare
        )
        found.append((len(iterator), steps(iterator)))
    theirs, ours = found
    assert ours == theirs


@pytest.mark.filterwarnings("ignore:an epoch had no batch")
@pytest.mark.parametrize("cycle", [None, "quiet", "raise"])
@pytest.mark.parametrize("auto_reset", [True, False, "yes", "no", None])
@pytest.mark.parametrize("size", [-1, 6])
def test_ends_of_sources(cycle, auto_reset, size):
    """The source has three batches; `size` is -1 or just as large."""
    found = []
    for system in SYSTEMS:
        iterator = plugin(system).DALIGenericIterator(
            source(system, 3, cycle=cycle), ["x"], size, auto_reset=auto_reset
        )
        sequence = [step for step in steps(iterator, 12) if not isinstance(step, dict)]
        again = plugin(system).DALIGenericIterator(source(system, 3, cycle=cycle), ["x"], size, auto_reset=auto_reset)
        epochs = [
            [int(np.asarray(batch["x"])[0, 0]) for batch in itertools.islice(again, 5)]
            for _ in range(1 if cycle == "quiet" and size == -1 else 3)
        ]
        found.append((sequence, epochs))
    theirs, ours = found
    assert ours == theirs


@pytest.mark.parametrize(
    ("kind", "cycle"),
    [("generator", None), *itertools.product(("iterator", "iterable", "generator function"), (None, "quiet", "raise"))],
)
def test_the_model_of_ends_says_what_dali_does_at_every_depth(kind, cycle):
    """Where DALI's answer depends on the depth, or it breaks off, nobody can agree with it."""
    dali, compared = load("nvidia.dali"), 0
    for size, name in itertools.product((None, 12, 8, 7, 5), ("FILL", "DROP")):
        if cycle == "quiet" and size is None:
            continue
        answers = []
        for depth in (1, 2, 4):
            pipe = dali.Pipeline(4, 1, None, prefetch_queue_depth=depth)
            with pipe:
                pipe.set_outputs(dali.fn.external_source(SOURCES[kind](), batch=True, cycle=cycle))
            make = plugin("nvidia.dali").DALIGenericIterator
            iterator = make(
                pipe,
                ["x"],
                **({} if size is None else {"size": size}),
                auto_reset=True,
                last_batch_policy=policy("nvidia.dali", name),
            )
            try:
                answers.append([[np.asarray(one["x"]).ravel().tolist() for one in iterator] for _ in range(4)])
            except StopIteration:  # of its reset
                answers.append(None)
        if answers[0] is not None and all(answer == answers[0] for answer in answers):
            compared += 1
            assert epochs(kind, cycle, size, name, 4) == answers[0], (size, name)
    assert compared >= 4


def test_a_class_made_of_an_iterator():
    found = []
    for system in SYSTEMS:
        kind = plugin(system).DALIGenericIterator

        class Mine(kind):
            def __init__(self, pipe, *args, **kwargs):
                self.batch_size, self.output_map, self._size, self._first_batch = 99, ["data"], 99, None
                super().__init__(pipe, ["x"], *args, **kwargs)
                self._epoch, self._names, self._first, self.dataset = 0, "mine", None, self

            def __next__(self):
                if self._first_batch is not None:
                    batch = self._first_batch
                    self._first_batch = None
                else:
                    batch = super().__next__()
                return np.asarray(batch["x"]).ravel().tolist()

            def __len__(self):
                return math.ceil(self._size / (self._num_gpus * self.batch_size))

        mine = Mine(reader(system), reader_name="Reader")
        epochs = []
        for _ in range(3):
            epochs.append((len(mine), list(mine), mine.batch_size, mine.output_map))
            mine.reset()
        found.append(epochs)
    theirs, ours = found
    assert ours == theirs


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"size": 5, "reader_name": "Reader"}, "When reader_name is provided, size should not be set"),
        ({"reader_name": "Reader", "last_batch_padded": True}, "last_batch_padded should not be set"),
        ({"size": 0}, "Size cannot be 0"),
        ({"reader_name": "none"}, "not found or does not expose valid metadata"),
        ({"auto_reset": "maybe"}, "auto_reset"),
        ({"output_map": ["x", "x"]}, "output_map names should be distinct"),
    ],
    ids=str,
)
def test_both_refuse(arguments, words):
    for system in SYSTEMS:
        with pytest.raises((AssertionError, ValueError, RuntimeError), match=words):
            plugin(system).DALIGenericIterator(reader(system), **{"output_map": ["x"], **arguments})


@pytest.mark.parametrize("prepare", [True, False])
def test_a_source_without_data(prepare):
    for system in SYSTEMS:
        make = plugin(system).DALIGenericIterator
        if prepare:
            with pytest.raises(RuntimeError, match="there is no data in the pipeline"):
                make(source(system, 0), ["x"])
        else:
            assert list(make(source(system, 0), ["x"], prepare_first_batch=False)) == []


@pytest.mark.parametrize(
    ("make", "warns"),
    [
        (lambda: [np.zeros((2, 1))], True),
        (lambda: lambda: np.zeros((2, 1)), True),
        (lambda: Counting(3), True),
        (lambda: lambda index: np.zeros((2, 1)), False),
        (lambda: None, False),
    ],
    ids=["list", "function of nothing", "iterable", "function of the index", "fed"],
)
def test_sources_that_checkpoints_know_nothing_of(make, warns):
    for system in SYSTEMS:
        dali = load(system)
        pipe = dali.Pipeline(2, 1, None, enable_checkpointing=True)
        with pipe:
            pipe.set_outputs(dali.fn.external_source(make(), batch=True, name="x"))
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            pipe.build()
            if warns:
                pipe.run()
        said = [str(warning.message) for warning in found if issubclass(warning.category, UserWarning)]
        assert len(said) == warns and all("capture" in text and "state of" in text for text in said), system
