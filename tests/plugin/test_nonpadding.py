"""`is_nonpadding` of peekable iterators: with this mask, each sample of an epoch comes once."""

import jax
import numpy as np
import pytest
from epoch_table import BATCH, LENGTH, SHARDS, rows
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from reader_pipelines import labels_of

from jaxdali import StateError, fn, pipeline_def
from jaxdali.plugin.jax import LastBatchPolicy
from jaxdali.plugin.jax.clu import DALIGenericPeekableIterator, peekable_data_iterator

EXACT = [row for row in rows() if row.pad and row.policy == "FILL"]


def once(labels):
    """The expected mask if a shard repeats its last sample: only its first occurrence counts."""
    return [
        [label not in sum(labels[:k], ()) + batch[:r] for r, label in enumerate(batch)]
        for k, batch in enumerate(labels)
    ]


@pytest.mark.parametrize("row", EXACT, ids=str)
def test_of_a_padded_shard_what_is_repeated_does_not_count(row):
    pipe = labels_of(LENGTH, BATCH, row.shard, SHARDS, stick_to_shard=row.stick, pad_last_batch=True)
    iterator = DALIGenericPeekableIterator(pipe, ["label"], reader_name="reader", auto_reset=True)
    for epoch in row.epochs:
        found = [(batch["label"].ravel().tolist(), iterator.is_nonpadding.tolist()) for batch in iterator]
        assert found == list(zip(map(list, epoch), once(epoch), strict=True))


def test_the_shards_of_an_epoch_together_are_exact_on_any_sharding():
    mesh = Mesh(np.array(jax.devices("cpu")[:8]).reshape(4, 2), ("data", "model"))
    shardings = {
        "label": NamedSharding(mesh, PartitionSpec("data", None)),
        "copy": NamedSharding(mesh, PartitionSpec()),
    }

    @peekable_data_iterator(reader_name="reader", sharding=shardings)
    def mine(shard_id, num_shards):
        options = {"name": "reader", "shard_id": shard_id, "num_shards": num_shards, "pad_last_batch": True}
        _, labels = fn.readers.file(files=["/dev/null"] * 13, **options)
        return {"label": labels, "copy": labels}

    iterator = mine(batch_size=8, py_num_workers=0, seed=1)
    for _ in range(2):
        seen = []
        for batch in iterator:
            mask = iterator.is_nonpadding
            assert mask.shape == (8,) and mask.sharding == NamedSharding(mesh, PartitionSpec("data"))
            seen += np.asarray(batch["label"])[np.asarray(mask), 0].tolist()
        assert sorted(seen) == list(range(13))
        iterator.reset()


def test_of_several_pipelines_without_a_sharding_it_is_flat():
    pipes = [labels_of(13, 2, shard, 4, pad_last_batch=True) for shard in range(4)]
    iterator = DALIGenericPeekableIterator(pipes, ["label"], reader_name="reader")
    assert next(iterator)["label"].shape == (4, 2, 1) and iterator.is_nonpadding.tolist() == [True] * 8
    next(iterator)
    assert iterator.is_nonpadding.tolist() == [True, False] * 3 + [True] * 2


def test_it_is_of_the_last_batch_that_next_gave():
    pipe = labels_of(3, 2, pad_last_batch=True)
    iterator = DALIGenericPeekableIterator(pipe, ["label"], reader_name="reader", auto_reset=True)
    iterator.peek()
    with pytest.raises(StateError, match=r"call next\(\) first"):
        _ = iterator.is_nonpadding
    for _ in range(2):
        next(iterator)
        iterator.peek()
        assert iterator.is_nonpadding.tolist() == [True, True]
        next(iterator)
        with pytest.raises(StopIteration):
            next(iterator)
        assert iterator.is_nonpadding.tolist() == [True, False]


class Five:
    def __len__(self):
        return 5

    def __call__(self, info):
        return np.array([info.idx_in_epoch], np.int32)


@pipeline_def(batch_size=2, py_num_workers=0)
def five():
    return fn.external_source(Five(), batch=False)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, [[True, True], [True, True], [True, False]]),
        ({"last_batch_policy": LastBatchPolicy.DROP}, [[True, True]] * 2),
        ({"size": 3}, [[True, True], [True, False]]),
    ],
)
def test_of_a_source_that_knows_its_length(arguments, expected):
    iterator = DALIGenericPeekableIterator(five(), ["x"], auto_reset=True, **arguments)
    for _ in range(2):
        assert [iterator.is_nonpadding.tolist() for _ in iterator] == expected


def test_where_nobody_knows_an_end_nothing_is_padding():
    iterator = DALIGenericPeekableIterator(labels_of(3, 2), ["label"])
    for _ in range(4):
        next(iterator)
        assert iterator.is_nonpadding.tolist() == [True, True]


def test_partial_batches_hold_no_padding():
    pipe = labels_of(3, 4)
    iterator = DALIGenericPeekableIterator(
        pipe, ["label"], reader_name="reader", last_batch_policy=LastBatchPolicy.PARTIAL
    )
    assert len(next(iterator)["label"]) == 3 and iterator.is_nonpadding.tolist() == [True] * 3


def test_what_fill_reads_ahead_is_not_of_this_epoch_and_then_nobody_knows():
    iterator = DALIGenericPeekableIterator(labels_of(13, 2, 0, 4), ["label"], reader_name="reader", auto_reset=True)
    assert [iterator.is_nonpadding.tolist() for _ in iterator] == [[True, True], [True, False]]
    next(iterator)
    with pytest.raises(StateError, match=r"what FILL had read ahead .*pad_last_batch=True"):
        _ = iterator.is_nonpadding


def test_of_several_pipelines_that_share_a_size_nobody_knows():
    pipes = [labels_of(8, 2, shard, 2) for shard in range(2)]
    iterator = DALIGenericPeekableIterator(pipes, ["label"], size=7)
    next(iterator)
    with pytest.raises(StateError, match=r"several pipelines share size= .give reader_name="):
        _ = iterator.is_nonpadding
