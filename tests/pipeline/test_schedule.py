"""Scheduling, sharing and releasing batches: DALI's sequences of calls, and which calls exclude each other."""

import numpy as np
import pytest
from jpeg_files import pillow_jpeg

from jaxdali import DecodeError, StateError, fn, pipeline_def
from jaxdali.plugin.jax import DALIGenericIterator


def make(depth=2, batches=None, **options):
    @pipeline_def(batch_size=2, prefetch_queue_depth=depth, **options)
    def graph():
        def sample(info):
            if info.iteration == batches:
                raise StopIteration
            return np.array([100 * info.epoch_idx + info.idx_in_epoch], np.int32)

        return fn.external_source(sample, batch=False)

    return graph()


def first(outputs):
    return int(outputs[0].at(0)[0])


# DALI 2.4.0's behaviour: prefetch_queue_depth, batches of an epoch, calls, and their results. s: schedule_run,
# h: share_outputs, r: release_outputs, R: reset; results: a number is the first sample, S is StopIteration.
SEQUENCES = [
    (
        3,
        2,
        "hrsrhrhrhrshrrhrrshrshrhrhrhrRshrhr",
        "S - - - 0 - 2 - S - - S - - S - - - S - - S - S - S - S - - - 100 - 102 -",
    ),
    (
        1,
        2,
        "hrshrshrhrhrrhrhrrrhrshrhrhrhrRshrhr",
        "S - - 0 - - 2 - S - S - - S - S - - - S - - S - S - S - S - - - 100 - S -",
    ),
    (2, 2, "hrrshrhrsrhrhrhrhrhrhrhr", "S - - - 0 - 2 - - - S - S - S - S - S - S - S -"),
    (3, 2, "hrrrhrshrrhrhrhrhrrshr", "S - - - S - - 0 - - 2 - S - S - S - - - S -"),
    (2, 2, "hrsrhrhrrhrrrhrrhrhrr", "S - - - 0 - 2 - - S - - - S - - S - S - -"),
    (
        2,
        1,
        "srhrrhrhrsrhrhrshrshrhrhrhrhrRshrhr",
        "- - 0 - - S - S - - - S - S - - S - - S - S - S - S - S - - - 100 - S -",
    ),
    (2, 2, "rhrhrhrhrsrhrhrhrrhrhrhr", "- S - S - S - S - - - 0 - 2 - S - - S - S - S -"),
    (2, 4, "hrrshrhrhrshrhrhrhrhrrr", "S - - - 0 - 2 - S - - 4 - S - S - S - S - - -"),
    (
        3,
        2,
        "hrsrhrhrhrshrrhrrshrshrhrhrhrRshrhr",
        "S - - - 0 - 2 - S - - S - - S - - - S - - S - S - S - S - - - 100 - 102 -",
    ),
    (
        1,
        2,
        "hrshrshrhrhrrhrhrrrhrshrhrhrhrRshrhr",
        "S - - 0 - - 2 - S - S - - S - S - - - S - - S - S - S - S - - - 100 - S -",
    ),
    (
        2,
        1,
        "srhrrhrhrsrhrhrshrshrhrhrhrhrRshrhr",
        "- - 0 - - S - S - - - S - S - - S - - S - S - S - S - S - - - 100 - S -",
    ),
    (
        3,
        2,
        "rhrhrrrhrhrshrhrrhrhrhrhrhrhrhrRshrhr",
        "- S - S - - - S - S - - 0 - 2 - - S - S - S - S - S - S - S - - - 100 - 102 -",
    ),
]


@pytest.mark.parametrize(("depth", "batches", "calls", "expected"), SEQUENCES)
def test_the_sequences_are_dalis(depth, batches, calls, expected):
    with make(depth, batches) as pipe:
        does = {
            "s": pipe.schedule_run,
            "h": lambda: first(pipe.share_outputs()),
            "r": pipe.release_outputs,
            "R": pipe.reset,
        }
        found = []
        for call in calls:
            try:
                result = does[call]()
            except StopIteration:
                result = "S"
            found.append("-" if result is None else str(result))
    assert found == expected.split()


def test_outputs_are_taken_in_order_and_stay_valid():
    with make(depth=1) as pipe:
        kept = []
        for _ in range(4):
            pipe.schedule_run()
            kept.append(pipe.outputs())
        assert [first(outputs) for outputs in kept] == [0, 2, 4, 6]


def use(api, pipe):
    if api == "BASIC":
        return first(pipe.run())
    if api == "SCHEDULED":
        pipe.schedule_run()
        return first(pipe.outputs())
    return int(next(DALIGenericIterator(pipe, ["x"], prepare_first_batch=False))["x"][0, 0])


APIS = ["BASIC", "SCHEDULED", "ITERATOR"]


@pytest.mark.parametrize("used", APIS)
@pytest.mark.parametrize("other", APIS)
def test_ways_to_take_batches_exclude_each_other(used, other):
    with make(depth=1) as pipe:
        assert use(used, pipe) == 0
        if used == other:
            assert use(other, pipe) == 2
            return
        words = f"Currently used: PipelineAPIType.{used}, but trying to use PipelineAPIType.{other}"
        with pytest.raises(StateError, match=words):
            use(other, pipe)
        assert use(used, pipe) == 2
        pipe.enable_api_check(False)
        assert use(other, pipe) == 4
        pipe.enable_api_check(True)
        assert use(used, pipe) == 6


def test_a_bad_batch_was_one():
    data = np.frombuffer(pillow_jpeg(8, 8), np.uint8)

    @pipeline_def(batch_size=1, prefetch_queue_depth=1)
    def images():
        return fn.decoders.image(
            fn.external_source(lambda info: np.zeros(4, np.uint8) if info.iteration == 1 else data, batch=False)
        )

    with images() as pipe:
        pipe.schedule_run()
        assert pipe.share_outputs()[0].at(0).shape == (8, 8, 3)
        pipe.schedule_run()
        with pytest.raises(DecodeError):
            pipe.share_outputs()
        with pytest.raises(StopIteration):
            pipe.share_outputs()
        pipe.schedule_run()
        assert pipe.share_outputs()[0].at(0).shape == (8, 8, 3)


def test_closed():
    pipe = make()
    pipe.close()
    with pytest.raises(StateError, match="closed"):
        pipe.schedule_run()
