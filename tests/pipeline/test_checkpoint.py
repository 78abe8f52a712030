"""Checkpoints of pipelines: after one is restored, the batches are those that would have followed."""

import json

import numpy as np
import pytest

from jaxdali import ConfigError, StateError, fn, pipeline_def

EPOCH = 3  # batches


def numbers(info):
    if info.idx_in_epoch >= 4 * EPOCH:
        raise StopIteration
    return np.array([info.idx_in_epoch, info.epoch_idx], np.int32)


def make(parallel=False, scale=1.0, seed=7, **options):
    @pipeline_def(batch_size=4, seed=seed, enable_checkpointing=True, **options)
    def mine():
        node = fn.external_source(numbers, batch=False, parallel=parallel)
        _, labels = fn.readers.file(files=[__file__] * 10, random_shuffle=True)
        return node, labels, fn.random.uniform(range=(0.0, scale))

    return mine()


def history(pipe, calls):
    """Returns the results of `calls` calls of run; at the end of an epoch the pipeline is reset."""
    found = []
    for _ in range(calls):
        try:
            found.append([output.as_array().tolist() for output in pipe.run()])
        except StopIteration:
            found.append("end")
            pipe.reset()
    return found


CALLS = 3 * (EPOCH + 1)


@pytest.fixture(scope="module")
def straight():
    with make() as pipe:
        return history(pipe, CALLS)


@pytest.mark.parametrize("parallel", [False, True])
def test_it_goes_on_from_every_point_of_three_epochs(straight, parallel):
    options = {"parallel": parallel, "py_start_method": "forkserver"} if parallel else {"py_num_workers": 0}
    if parallel:
        options["py_num_workers"] = 2
    records = []
    with make(py_num_workers=0) as pipe:
        for call in range(CALLS):
            records.append(pipe.checkpoint())
            history(pipe, 1)
            if straight[call] == "end":
                continue
    # Each start takes a process or two, so with workers only every third point is tried.
    for call in range(0, CALLS, 3 if parallel else 1):
        with make(checkpoint=records[call], seed=None, **options) as pipe:
            assert history(pipe, CALLS - call) == straight[call:]


def test_what_was_computed_ahead_does_not_count(straight):
    with make(prefetch_queue_depth=4) as pipe:
        history(pipe, 2)
        record = pipe.checkpoint()
    with make(checkpoint=record) as pipe:
        assert history(pipe, 3) == straight[2:5]


def test_the_end_of_an_epoch_is_a_point_too(straight):
    with make() as pipe:
        history(pipe, EPOCH)
        record = pipe.checkpoint()
    with make(checkpoint=record) as pipe:
        with pytest.raises(StopIteration):
            pipe.run()
        assert pipe.epoch_idx == 0
        pipe.reset()
        assert history(pipe, 2) == straight[EPOCH + 1 : EPOCH + 3]
    with make(checkpoint=record) as pipe:
        pipe.reset()
        assert pipe.epoch_idx == 1


def test_a_file_takes_it_as_well(tmp_path, straight):
    with make() as pipe:
        history(pipe, 1)
        record = pipe.checkpoint(tmp_path / "record")
        assert (tmp_path / "record").read_bytes() == record and len(record) < 800
    with make(checkpoint=(tmp_path / "record").read_text()) as pipe:
        assert history(pipe, 1) == straight[1:2]


def test_a_source_that_forgets_is_named():
    def forgetful(**options):
        @pipeline_def(batch_size=2, enable_checkpointing=True, **options)
        def mine():
            return fn.external_source([np.zeros((2, 1))] * 5, cycle="raise")

        return mine()

    with forgetful() as pipe:
        with pytest.warns(
            UserWarning, match=r"enable_checkpointing=True, but .* not capture the state of .*list"
        ) as warned:
            pipe.run()
        assert [warning.filename for warning in warned] == [__file__]
        record = pipe.checkpoint()
    with forgetful(checkpoint=record) as pipe, pytest.warns(UserWarning, match="does not capture the state of .*list"):
        pipe.run()


@pytest.mark.parametrize(
    "source",
    [
        lambda: lambda iteration: np.zeros((2, 1)),
        lambda: None,
    ],
    ids=["asked by index", "fed"],
)
def test_nothing_is_said_of_a_source_that_goes_on_or_is_fed(source):
    @pipeline_def(batch_size=2, enable_checkpointing=True)
    def mine():
        return fn.external_source(source(), batch=True, name="x")

    with mine() as pipe:
        pipe.build()  # warnings are errors


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scale": 2.0}, "is from another pipeline"),
        ({"seed": 8}, "from a pipeline with seed=7, but seed=8 is given"),
        ({"checkpoint": b"{}"}, "expects what Pipeline.checkpoint"),
        ({"checkpoint": "nonsense"}, "expects what Pipeline.checkpoint"),
    ],
    ids=str,
)
def test_refused(options, words):
    with make() as pipe:
        record = pipe.checkpoint()
    with pytest.raises(ConfigError, match=words):
        make(**{"checkpoint": record, **options}).build()


def test_it_is_to_be_asked_for():
    @pipeline_def(batch_size=4)
    def mine():
        return fn.external_source(numbers, batch=False)

    with mine() as pipe, pytest.raises(StateError, match="`enable_checkpointing` was not specified"):
        pipe.checkpoint()


def test_the_record_is_plain_json():
    with make() as pipe:
        history(pipe, 2)
        record = json.loads(pipe.checkpoint())
    assert (record["seed"], record["epoch"], record["iteration"], record["streams"]) == (
        7,
        0,
        2,
        {"fn.readers.file 0": 2},
    )
