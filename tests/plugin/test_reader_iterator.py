"""Iterators over readers: DALI's epochs, cell by cell, and what stays the same when one ends."""

import dataclasses
import logging

import numpy as np
import pytest
from epoch_table import BATCH, LENGTH, SHARDS, rows
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reader_pipelines import labels_of
from tiers import gate

from jaxdali import ConfigError
from jaxdali.plugin.jax import DALIGenericIterator, LastBatchPolicy

ORDERS = ("stick_to_shard", "pad_last_batch", "random_shuffle", "shuffle_after_epoch")


def shard(row, shard_id=None, **options):
    return labels_of(
        LENGTH,
        BATCH,
        row.shard if shard_id is None else shard_id,
        SHARDS,
        stick_to_shard=row.stick,
        pad_last_batch=row.pad,
        **options,
    )


def epochs_of(iterator, count):
    """Returns the labels of each batch of `count` epochs, and `len` at the beginning of each."""
    found, lengths = [], []
    for _ in range(count):
        lengths.append(len(iter(iterator)))
        found.append(tuple(tuple(batch["label"][..., 0].ravel().tolist()) for batch in iterator))
    return tuple(found), tuple(lengths)


def expected_of(row):
    """DALI's epochs; but those of PARTIAL begin where a shard does, as DALI's do if the reader pads its shards."""
    if row.policy == "PARTIAL" and not row.pad:
        (row,) = [one for one in rows() if one == dataclasses.replace(row, pad=True, epochs=one.epochs)]
    return row.epochs, row.lengths


@pytest.mark.parametrize("depth", gate((1, 2, 4), [2]))
@pytest.mark.parametrize("row", rows(), ids=str)
def test_one_iterator_a_shard_has_dalis_epochs(row, depth):
    iterator = DALIGenericIterator(
        shard(row, depth=depth),
        ["label"],
        reader_name="reader",
        auto_reset=depth == 2,
        last_batch_policy=LastBatchPolicy[row.policy],
    )
    assert epochs_of(iterator, 3) == expected_of(row)


@given(
    st.integers(1, 30),
    st.integers(1, 4),
    st.integers(1, 7),
    st.fixed_dictionaries({}, optional=dict.fromkeys(ORDERS, st.booleans())),
    st.booleans(),
    st.integers(1, 4),
)
@settings(max_examples=30)
def test_partial_epochs_of_all_shards_have_every_sample_once(length, shards, batch_size, order, built, depth):
    assume(shards <= length and not (order.get("random_shuffle") and order.get("shuffle_after_epoch")))
    assume(not (order.get("stick_to_shard") and order.get("shuffle_after_epoch")))
    seen = [[], [], []]
    for shard_id in range(shards):
        pipe = labels_of(length, batch_size, shard_id, shards, depth=depth, **order)
        if built:
            pipe.build()  # asks for the first batches
        options = {"reader_name": "reader", "auto_reset": True, "last_batch_policy": LastBatchPolicy.PARTIAL}
        iterator = DALIGenericIterator(pipe, ["label"], **options)
        for epoch in seen:
            epoch += [label for batch in iterator for label in np.asarray(batch["label"]).ravel().tolist()]
        pipe.close()
    assert [sorted(epoch) for epoch in seen] == [list(range(length))] * 3


@pytest.mark.parametrize("prepare", [True, False])
@pytest.mark.parametrize("row", [row for row in rows() if row.shard == 0 and row.policy != "PARTIAL"], ids=str)
def test_one_iterator_over_all_shards_has_the_same_epochs(row, prepare):
    iterator = DALIGenericIterator(
        [shard(row, shard_id) for shard_id in range(SHARDS)],
        ["label"],
        reader_name="reader",
        last_batch_policy=LastBatchPolicy[row.policy],
        prepare_first_batch=prepare,
    )
    mine = [other for other in rows() if (other.stick, other.pad, other.policy) == (row.stick, row.pad, row.policy)]
    expected = tuple(
        tuple(sum(batches, ()) for batches in zip(*(one.epochs[epoch] for one in mine), strict=True))
        for epoch in range(3)
    )
    assert epochs_of(iterator, 3) == (expected, row.lengths)


@pytest.mark.parametrize(
    ("policy", "padded", "expected", "next_one"),
    [
        (LastBatchPolicy.FILL, True, [(1, 2), (3, 4), (5, 6), (7, 7)], (1, 2)),
        (LastBatchPolicy.FILL, False, [(1, 2), (3, 4), (5, 6), (7, 1)], (2, 3)),
        (LastBatchPolicy.DROP, True, [(1, 2), (3, 4), (5, 6)], (1, 2)),
        (LastBatchPolicy.DROP, False, [(1, 2), (3, 4), (5, 6)], (2, 3)),
    ],
)
def test_the_example_of_dalis_documentation(policy, padded, expected, next_one):
    pipe = labels_of(7, 2, pad_last_batch=padded)
    iterator = DALIGenericIterator(
        pipe, ["label"], size=7, last_batch_padded=padded, last_batch_policy=policy, auto_reset=True
    )
    (first, second), (length, _) = epochs_of(iterator, 2)
    assert [tuple(label + 1 for label in batch) for batch in first] == expected
    assert length == len(expected)
    assert tuple(label + 1 for label in second[0]) == next_one


@pytest.mark.parametrize(("fill", "last"), [(True, (6, 0)), (False, (6,))])
def test_the_deprecated_form_of_the_policy(fill, last):
    iterator = DALIGenericIterator(labels_of(7, 2), ["label"], reader_name="reader", fill_last_batch=fill)
    assert epochs_of(iterator, 1)[0][0][-1] == last


def test_without_a_size_the_stream_has_no_end():
    iterator = DALIGenericIterator(labels_of(3, 2), ["label"])
    assert [next(iterator)["label"][0, 0] for _ in range(9)] == [0, 2, 1] * 3
    with pytest.raises(TypeError, match="length of the iterator is not known"):
        len(iterator)


def test_an_epoch_that_is_not_finished_is_not_reset(caplog):
    iterator = DALIGenericIterator(labels_of(6, 2), ["label"], reader_name="reader")
    iterator.reset()
    assert next(iterator)["label"].ravel().tolist() == [0, 1]
    with caplog.at_level(logging.WARNING, "jaxdali"):
        iterator.reset()
    assert "does not support resetting while epoch is not finished" in caplog.text
    assert [batch["label"][0, 0] for batch in iterator] == [2, 4]
    with pytest.raises(StopIteration):
        next(iterator)
    iterator.reset()
    assert next(iterator)["label"].ravel().tolist() == [0, 1]


def test_a_single_pipeline_may_be_stacked_and_several_may_follow_each_other():
    stacked = DALIGenericIterator(labels_of(6, 2), ["label"], reader_name="reader", pmap_compatible=True)
    assert next(stacked)["label"].shape == (1, 2, 1)
    pipes = [labels_of(6, 2, k, 3) for k in range(3)]
    flat = DALIGenericIterator(pipes, ["label"], reader_name="reader", pmap_compatible=False)
    np.testing.assert_array_equal(next(flat)["label"][:, 0], [0, 1, 2, 3, 4, 5])


@pytest.mark.parametrize(
    ("others", "arguments", "words"),
    [
        ({"batch_size": 3}, {}, r"All pipelines should have the same batch size set; got \[2, 3\]"),
        ({"pad_last_batch": True}, {}, "the same pad_last_batch in all the pipelines"),
        ({"length": 9}, {}, "the same epoch_size in all the pipelines"),
        ({}, {"reader_name": None}, "Negative size is supported only for a single pipeline"),
        ({}, {"last_batch_policy": LastBatchPolicy.PARTIAL}, "does not support partial last batch policy"),
        (
            {"batch_size": 5, "num_shards": 2},
            {"last_batch_policy": LastBatchPolicy.DROP},
            "fewer than one batch of 5",
        ),
    ],
    ids=str,
)
def test_refused(others, arguments, words):
    first = {"length": 8, "batch_size": 2, "num_shards": 2}
    if others.get("batch_size") == 5:
        first = others | {"length": 8}
    pipes = [labels_of(**first), labels_of(**{**first, **others, "shard_id": 1})]
    with pytest.raises(ConfigError, match=words):
        DALIGenericIterator(pipes, ["label"], **{"reader_name": "reader", **arguments})
