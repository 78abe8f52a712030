"""Checkpoints of iterators continue in the middle of an epoch, with readers and with sources."""

import json
import pickle

import jax
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from jaxdali import ConfigError, fn
from jaxdali.plugin.jax import LastBatchPolicy, data_iterator


def draw(shard_id=0, num_shards=1):
    files = ["/dev/null"] * 13
    _, labels = fn.readers.file(
        files=files, name="reader", shard_id=shard_id, num_shards=num_shards, random_shuffle=True
    )
    # Random draws are tested in tests/pipeline/test_checkpoint.py; here they would be compiled each time.
    return {"label": labels}


@pytest.mark.parametrize(
    "carry",
    [
        lambda records: pickle.loads(pickle.dumps(records)),
        lambda records: json.loads(json.dumps([record.decode() for record in records])),
    ],
    ids=["pickle", "json"],
)
def test_checkpoints_travel_as_those_of_dali(carry):
    """They are bytes, as DALI's are, which pickle takes but JSON does not; they contain text, which JSON takes."""
    iterator = make(parts=2)
    history(iterator, 2)
    records = iterator.checkpoints()
    assert all(type(record) is bytes for record in records)
    assert history(make(parts=2, checkpoints=carry(records)), 4) == history(iterator, 4)


def make(policy=LastBatchPolicy.FILL, parts=1, prepare=True, checkpoints=None, **options):
    sharding = None
    if parts > 1:
        sharding = NamedSharding(Mesh(np.array(jax.devices("cpu")[:parts]), ("data",)), PartitionSpec("data"))
    factory = data_iterator(
        draw,
        reader_name="reader",
        auto_reset=True,
        last_batch_policy=policy,
        prepare_first_batch=prepare,
        sharding=sharding,
    )
    options = {"enable_checkpointing": True, "seed": 3, "py_num_workers": 0, **options}
    return factory(batch_size=2 * parts, checkpoints=checkpoints, **options)


def history(iterator, calls):
    found = []
    for _ in range(calls):
        try:
            batch = next(iterator)
        except StopIteration:
            found.append(("end", len(iterator)))
        else:
            found.append(np.asarray(batch["label"]).ravel().tolist())
    return found


@pytest.mark.parametrize("prepare", [True, False])
@pytest.mark.parametrize(
    ("policy", "parts"),
    [(LastBatchPolicy.FILL, 1), (LastBatchPolicy.FILL, 4), (LastBatchPolicy.DROP, 4), (LastBatchPolicy.PARTIAL, 1)],
)
def test_it_goes_on_from_every_point_of_three_epochs(policy, parts, prepare):
    iterator = make(policy, parts, prepare)
    records, straight = [iterator.checkpoints()], []
    while sum(entry[0] == "end" for entry in straight) < 3:
        straight += history(iterator, 1)
        records.append(iterator.checkpoints())
    for call, record in enumerate(records[:-1]):
        assert len(record) == parts
        again = make(policy, parts, prepare, record, seed=None)
        assert history(again, len(straight) - call) == straight[call:]


def test_the_number_of_records_is_that_of_the_pipelines():
    records = make(parts=2).checkpoints()
    with pytest.raises(ConfigError, match=r"2 checkpoints for 4 pipelines.*A jaxdali\.Loader resumes on any number"):
        make(parts=4, checkpoints=records)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"epoch": -1}, "epoch of the iterator's checkpoint must be an integer"),
        ({"epoch": 10**18}, "epoch of the iterator's checkpoint must be"),
        ({"given": "1"}, "given of the iterator's checkpoint"),
        ({"at_end": 0}, "expects what the iterator's checkpoints"),
        ({"more": 1}, "expects what the iterator's checkpoints"),
    ],
    ids=str,
)
def test_a_record_from_elsewhere_is_refused(state, words):
    (record,) = map(json.loads, make().checkpoints())
    record["iterator"] |= state
    with pytest.raises(ConfigError, match=words):
        make(checkpoints=[json.dumps(record)])


def test_records_of_different_moments_are_refused():
    iterator = make(parts=2)
    before = iterator.checkpoints()
    next(iterator)
    with pytest.raises(ConfigError, match="checkpoints of different iterators"):
        make(parts=2, checkpoints=[before[0], iterator.checkpoints()[1]])


def test_it_is_to_be_asked_for():
    with pytest.raises(ConfigError, match="Cannot access checkpoints with checkpointing disabled"):
        make(enable_checkpointing=False).checkpoints()


def test_a_checkpoint_of_a_pipeline_alone_says_too_little():
    iterator = make()
    next(iterator)
    record = iterator._pipes[0].checkpoint()
    with pytest.raises(ConfigError, match="from a pipeline alone"):
        make(checkpoints=[record])
