"""Lengths of epochs compared with DALI's, cell by cell."""

import pytest
from epoch_table import BATCH, LENGTH, SHARDS, rows
from hypothesis import given
from hypothesis import strategies as st

from jaxdali import ConfigError
from jaxdali._dali.epochs.epochs import ReaderEpochs, SizedEpochs
from jaxdali._dali.epochs.last_batch_policy import LastBatchPolicy
from jaxdali._dali.readers.shard_order import ShardOrder


def simulated(order, epochs, count, shard=None):
    """Returns the samples of each batch of `count` epochs and the lengths; with `shard`, without other epochs' rows."""
    size, position, found, lengths = order.batch_size, 0, [], []
    for _ in range(count):
        lengths.append(epochs.length)
        batches = [order.indices(position + size * k, size).tolist() for k in range(epochs.batches)]
        if shard is not None:
            rows_left = epochs.rows(shard)
            batches = [batch[: max(0, rows_left - size * k)] for k, batch in enumerate(batches)]
        found.append(tuple(map(tuple, batches)))
        position += epochs.taken * size
        epochs.advance()
    return tuple(found), tuple(lengths)


@pytest.mark.parametrize("row", rows(), ids=str)
def test_epochs_are_dalis(row):
    order = ShardOrder(
        length=LENGTH,
        batch_size=BATCH,
        shard_id=row.shard,
        num_shards=SHARDS,
        stick_to_shard=row.stick,
        pad_last_batch=row.pad,
    )
    policy = LastBatchPolicy[row.policy]
    shard = row.shard if policy is LastBatchPolicy.PARTIAL else None
    assert simulated(order, ReaderEpochs(order.meta, BATCH, policy), 3, shard) == (row.epochs, row.lengths)


@st.composite
def settings_of_readers(draw):
    length = draw(st.integers(1, 60))
    return {
        "length": length,
        "num_shards": draw(st.integers(1, min(length, 8))),
        "batch_size": draw(st.integers(1, 9)),
        "stick_to_shard": draw(st.booleans()),
    }


@given(settings_of_readers())
def test_padded_partial_epochs_have_every_sample_once(setting):
    for epoch in range(4):
        seen = []
        for shard in range(setting["num_shards"]):
            order = ShardOrder(**setting, shard_id=shard, pad_last_batch=True)
            epochs = ReaderEpochs(order.meta, order.batch_size, LastBatchPolicy.PARTIAL)
            found, _ = simulated(order, epochs, epoch + 1, shard)
            seen += [sample for batch in found[epoch] for sample in batch]
        assert sorted(seen) == list(range(setting["length"]))


@given(settings_of_readers())
def test_filled_epochs_reach_the_end_of_every_shard(setting):
    """By the end of an epoch at least as much was read as its shard, and those before it, hold."""
    order = ShardOrder(**setting)
    epochs = ReaderEpochs(order.meta, order.batch_size, LastBatchPolicy.FILL)
    taken = wanted = 0
    for _ in range(6):
        taken += epochs.taken * order.batch_size
        wanted += setting["length"] // setting["num_shards"]
        assert taken >= wanted and epochs.batches == epochs.taken >= 1
        epochs.advance()


@given(settings_of_readers())
def test_dropped_epochs_of_padded_shards_begin_where_a_shard_begins(setting):
    order = ShardOrder(**setting, pad_last_batch=True)
    epochs = ReaderEpochs(order.meta, order.batch_size, LastBatchPolicy.DROP)
    for epoch in range(3):
        shard = 0 if order.stick_to_shard else epoch % order.num_shards
        first = order.indices(epoch * epochs.taken * order.batch_size, 1)[0]
        assert first == shard * order.length // order.num_shards
        epochs.advance()


@pytest.mark.parametrize(
    ("policy", "padded", "batches"),
    [
        # What FILL took of the next epoch need not be taken again.
        ("FILL", False, [3, 2, 3, 2]),
        ("FILL", True, [3, 3, 3, 3]),
        ("DROP", False, [2, 2, 2, 2]),
    ],
)
def test_a_size_of_5_in_batches_of_2(policy, padded, batches):
    epochs = SizedEpochs(5, 2, LastBatchPolicy[policy], carries=True, padded=padded)
    found = []
    for _ in range(4):
        found.append(epochs.batches)
        assert epochs.length == (2 if policy == "DROP" else 3)
        epochs.advance()
    assert found == batches


def test_a_size_below_one_batch_cannot_be_dropped():
    with pytest.raises(ConfigError, match="size=3 is less than one batch of 4"):
        SizedEpochs(3, 4, LastBatchPolicy.DROP, carries=True, padded=False)
