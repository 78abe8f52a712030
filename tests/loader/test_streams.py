"""Data that can only be iterated over: the same batches for every reader, wherever it resumes."""

import json

import jax
import numpy as np
import pytest
from front_sources import Counter, dies_once, numbers_of_shard, numbers_of_turn
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from jaxdali import ConfigError, ConfigTypeError, Loader, SourceDataError, StateError
from jaxdali.source import Iterable

STREAMS = {
    "iterable": lambda: Counter(10, "no"),
    "state of the iterator": lambda: Counter(10, "iterator"),
    "state of the data": lambda: Counter(10, "data"),
    "function of the epoch": lambda: Iterable(numbers_of_turn),
}
TWO_TURNS = [*range(10), *range(100, 110)]


def masked(batch, keys, mask):
    return {"x": batch["x"], "mask": mask, "name": batch["name"]}


def rows(batches):
    return [(batch["x"].tolist(), batch["mask"].tolist()) for batch in batches]


def sharding(devices):
    return NamedSharding(Mesh(np.array(jax.devices("cpu")[:devices]), "x"), PartitionSpec("x"))


def expected(step, numbers, size=4):
    own = numbers[step * size :][:size]
    padded = [own[k % len(own)] for k in range(size)]
    return padded, [True] * len(own) + [False] * (size - len(own))


@pytest.mark.parametrize("kind", STREAMS)
@pytest.mark.parametrize("length", [None, 9])
def test_the_same_batches_resumed_at_every_step_by_others(kind, length):
    numbers = TWO_TURNS if length is None else [*range(9), *range(100, 109)]
    per_epoch = len(numbers) if length is None else 9
    wanted = [row for first in range(0, len(numbers), per_epoch) for row in _of_epoch(numbers[first:][:per_epoch])]

    def loader(**options):
        data = STREAMS[kind]()
        if length is not None:
            data = Iterable(data.data if isinstance(data, Iterable) else data, length=length)
        return Loader(data, masked, batch_size=4, epochs=2, **{"workers": 0, **options})

    first = loader()
    records = [first.get_state()]
    for step, batch in first.enumerate():
        assert rows([batch]) == [wanted[step]] and first.step == step + 1
        assert batch["name"].tolist() == [f"n{x % 100}" for x in batch["x"].tolist()]
        records.append(json.loads(json.dumps(first.get_state())))
    assert len(records) == len(wanted) + 1
    assert all(("stream" in record) == kind.startswith("state") for record in records[1:])
    others = [{"sharding": sharding(2)}, {"sharding": sharding(4)}, *([{"workers": 3}] if length is None else [])]
    for step, record in enumerate(records):
        for options in ({}, *(others if step == 3 else ())):
            with loader(**options) as resumed:
                resumed.set_state(record)
                assert rows(resumed) == wanted[step:], (step, options)
    assert rows([first.at(1)]) == [wanted[1]] and "next: step" in repr(first)
    first.seek(1)
    assert rows(first) == wanted[1:]


def test_where_it_stood_is_remembered_for_a_while():
    loader = Loader(Counter(400, "iterator"), masked, batch_size=2, workers=0)
    straight = [batch["x"].tolist() for _, batch in zip(range(80), loader, strict=False)]
    for step in (79, 40, 17):
        record = loader.get_state(step)
        assert record["step"] == step and record["stream"]["iteration"] == step
        again = Loader(Counter(400, "iterator"), masked, batch_size=2, workers=0)
        again.set_state(record)
        assert next(iter(again))["x"].tolist() == straight[step]
    with pytest.raises(ConfigError, match="before step 16 is not known any more, only before the last 64 steps"):
        loader.get_state(16)
    loader.seek(3)
    assert "stream" not in loader.get_state(3)


@pytest.mark.parametrize(
    "changes",
    [
        {"epoch": -1},
        {"iteration": 10**6},
        {"iteration": "1"},
        {"turn": None},
        {"turn": 1.5},
        {"state": {"dict": {}, "tuple": []}},
        {"state": {"tuple": 3}},
        {"state": {"bytes": 3}},
        {"state": {"bytes": "no base64"}},
        {"state": {}},
        {"other": 1},
    ],
    ids=str,
)
def test_a_forged_position_is_refused_at_once(changes):
    loader = Loader(Counter(100, "iterator"), batch_size=4, workers=0)
    next(iter(loader))
    record = loader.get_state()
    with pytest.raises(ConfigError, match="the state's 'stream' is not what get_state wrote"):
        loader.set_state({**record, "stream": {**record["stream"], **changes}})
    for position in (3, [], "there"):
        with pytest.raises(ConfigError, match="the state's 'stream' is not"):
            loader.set_state({**record, "stream": position})
    assert next(iter(loader))["x"].tolist() == [4, 5, 6, 7]


def _of_epoch(numbers):
    return [expected(step, numbers) for step in range(-(-len(numbers) // 4))]


@pytest.mark.parametrize(("state", "given"), [("no", 12), ("iterator", 4), ("data", 4)])
def test_a_state_spares_what_came_before(state, given):
    loader = Loader(Counter(100, state), batch_size=4, workers=0)
    batches = iter(loader)
    next(batches), next(batches)
    record = loader.get_state()
    seen = []
    loader = Loader(Counter(100, state, seen), batch_size=4, workers=0, prefetch=1)
    seen.clear()
    loader.set_state(record)
    assert next(iter(loader))["x"].tolist() == [8, 9, 10, 11]
    assert len(seen) == given
    loader.seek(1)
    assert next(iter(loader))["x"].tolist() == [4, 5, 6, 7], "before the state it is counted"


def test_a_worker_that_is_killed_begins_where_it_was(tmp_path):
    with Loader(dies_once(str(tmp_path / "died")), batch_size=2, epochs=1, workers=1, last_batch="drop") as loader:
        assert [batch.tolist() for batch in loader] == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]
        assert loader.stats().worker_deaths == 1
        metrics = loader.metrics()
        assert (metrics["worker_deaths"], metrics["worker_restarts"], metrics["samples"]) == (1, 1, 10)


def test_shards_give_blocks_of_rows():
    data = Iterable(numbers_of_shard, shards=2)
    found = {}
    for devices in (1, 2):
        loader = Loader(data, batch_size=4, workers=0, sharding=sharding(devices))
        found[devices] = [batch["x"].tolist() for _, batch in zip(range(7), loader, strict=False)]
    evens, odds = ([100 * turn + n for turn in range(2) for n in range(k, 22, 2)] for k in (0, 1))
    assert found[1] == found[2] == [evens[k : k + 2] + odds[k : k + 2] for k in range(0, 14, 2)]
    loader = Loader(
        Iterable(numbers_of_shard, shards=2, length=22), batch_size=4, epochs=2, workers=0, last_batch="drop"
    )
    assert len(loader) == 10
    assert next(loader.epoch(1))["x"].tolist() == [100, 102, 101, 103]


def test_batches_are_cut_into_rows():
    batches = [{"x": np.arange(k, k + size), "t": (np.ones(size),)} for k, size in ((0, 3), (3, 5), (8, 1))]
    loader = Loader(Iterable(batches, batched=True), batch_size=4, epochs=1, workers=0)
    assert [batch["x"].tolist() for batch in loader] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 8, 8, 8]]
    with pytest.raises(SourceDataError, match=r"leaves of a batch must have the same number of rows, got \[2, 3\]"):
        Loader(Iterable([(np.ones(2), np.ones(3))], batched=True), batch_size=2)


def test_its_end_is_known_when_it_comes():
    loader = Loader(Counter(10, "no"), batch_size=4, epochs=1, workers=0)
    for ask in (lambda: len(loader), lambda: loader.steps_per_epoch):
        with pytest.raises(TypeError, match="it is not known how many samples this stream has"):
            ask()
    for ask in (lambda: loader.epoch(0), lambda: loader.mask(0)):
        with pytest.raises(ConfigError, match=r"give the number, source.Iterable\(data, length=\)"):
            ask()
    assert len(list(loader)) == 3 and loader.stats().samples == 10
    with pytest.raises(StateError, match="all 3 steps of this Loader were taken"):
        iter(loader)


def test_fewer_than_were_said():
    loader = Loader(Iterable(Counter(10, "no"), length=15), batch_size=4, workers=0)
    steps = loader.enumerate()
    assert [next(steps)[0], next(steps)[0]] == [0, 1]
    with pytest.raises(SourceDataError, match="ended after 10 samples of epoch 0, but length=15 promises at least 12"):
        next(steps)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: Loader(iter([1]), batch_size=1),
            "list_iterator object runs only once.*such as the generator function",
        ),
        (lambda: Iterable(3), "expected an iterable, or a function that returns one, got int"),
        (lambda: Iterable(lambda path: []), "may have the parameters epoch, and shard_id and num_shards, got path"),
        (lambda: Iterable(numbers_of_shard), "expects shard_id and num_shards: pass the number of parts"),
        (lambda: Iterable([], shards=2), "shards=2 expects a function of shard_id and num_shards"),
        (lambda: Loader(Iterable([]), batch_size=1), "gives no sample"),
        (lambda: Loader(numbers_of_turn, batch_size=1, shuffle=True), "shuffle=True is for data with __len__"),
        (
            lambda: Loader(Iterable(numbers_of_shard, shards=2), batch_size=3),
            "batch_size=3 must be a multiple of the 2",
        ),
        (lambda: Loader(Iterable(numbers_of_shard, shards=2), batch_size=2, epochs=1), "give epochs=None, or"),
        (
            lambda: Loader(Iterable([1, 2], length=2), batch_size=3, last_batch="drop"),
            "2 samples, fewer than one batch",
        ),
    ],
)
def test_refused(make, words):
    with pytest.raises((ConfigError, ConfigTypeError), match=words):
        make()


@pytest.mark.parametrize("names", [list, tuple])
def test_batches_of_strings_and_numbers_have_a_row_a_sample(names):
    batches = [{"x": [3, 4], "name": names(["three", "four"])}, {"x": [5, 6], "name": names(["five", "six"])}]
    found = [*Loader(Iterable(batches, batched=True), batch_size=2, epochs=1, workers=0)]
    assert [batch["x"].tolist() for batch in found] == [[3, 4], [5, 6]]
    assert [batch["name"].tolist() for batch in found] == [["three", "four"], ["five", "six"]]


def test_lists_of_numbers_in_a_batch_are_rows():
    """As in the batches of tokens of Hugging Face's datasets; also where there are as many rows as columns."""
    batches = [{"ids": [[1, 2], [3, 4]], "label": [0, 1]}]
    (found,) = Loader(Iterable(batches, batched=True), batch_size=2, epochs=1, workers=0)
    assert found["ids"].tolist() == [[1, 2], [3, 4]] and found["label"].tolist() == [0, 1]
    batches = [{"ids": [[1, 2, 3], [], [4]]}]
    loader = Loader(Iterable(batches, batched=True), batch_size=3, epochs=1, workers=0, ragged={"ids": 4})
    assert next(iter(loader))["ids"][0].tolist() == [[1, 2, 3, 0], [0, 0, 0, 0], [4, 0, 0, 0]]
    with pytest.raises(SourceDataError, match="may be its rows or its columns"):
        Loader(Iterable([[[1, 2], [3, 4]]], batched=True), batch_size=2, workers=0)


@pytest.mark.parametrize("leaf", ["ab", 3, np.float32(2.0)])
def test_what_has_no_rows_is_no_leaf_of_a_batch(leaf):
    with pytest.raises(SourceDataError, match="with one row per sample, got"):
        Loader(Iterable([{"x": np.ones(2), "other": leaf}], batched=True), batch_size=2, workers=0)
