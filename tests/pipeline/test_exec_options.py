"""What is computed ahead: `prefetch_queue_depth`, also with a number per stage, `exec_pipelined` and `exec_async`."""

import os
import pathlib
import time

import jax
import numpy as np
import pytest

from jaxdali import Pipeline, fn
from jaxdali.pipeline import session_of

QUEUES = {"cpu_size": 3, "gpu_size": 2}


def counting(computed, **options):
    """Returns a pipeline of the iteration's index, as it is or computed with, and a list of the requested indices."""
    asked = []

    def source(iteration):
        asked.append(iteration)
        return np.full((2, 3), iteration, np.int32)

    pipe = Pipeline(batch_size=2, **options)
    with pipe:
        node = fn.external_source(source, batch=True)
        pipe.set_outputs(node * 2 if computed else node)
    return pipe, asked


# As in DALI 2.4.0, except that it hangs with exec_async=False and two batches ahead: ours acts as if not pipelined.
@pytest.mark.parametrize(
    ("options", "first"),
    [
        ({"prefetch_queue_depth": 1}, 1),
        ({"prefetch_queue_depth": 3}, 3),
        ({"prefetch_queue_depth": QUEUES}, 3),
        ({"prefetch_queue_depth": {"cpu_size": 1, "gpu_size": 2}}, 2),
        ({"prefetch_queue_depth": {"cpu_size": 1, "gpu_size": 1}}, 1),
        ({"prefetch_queue_depth": 3, "exec_pipelined": False}, 1),
        ({"prefetch_queue_depth": QUEUES, "exec_pipelined": False}, 1),
        ({"prefetch_queue_depth": 2, "exec_async": False}, 1),
        ({"prefetch_queue_depth": 2, "exec_pipelined": False, "exec_async": False}, 1),
    ],
    ids=str,
)
@pytest.mark.parametrize("computed", [False, True])
def test_sources_are_asked_as_often_as_by_dali(options, first, computed):
    pipe, asked = counting(computed, **options)
    with pipe:
        pipe.build()
        assert asked == []
        for run in range(4):
            (out,) = pipe.run()
            assert out.at(0)[0] == run * (1 + computed)
            assert asked == list(range(first + run))


@pytest.mark.parametrize(
    ("options", "begins"), [({}, True), ({"exec_pipelined": False}, False), ({"exec_async": False}, False)], ids=str
)
def test_workers_begin_when_they_are_started(tmp_path, options, begins):
    place = str(tmp_path / "asked")

    def source(info):
        with open(place, "a") as file:
            file.write(f"{info.idx_in_epoch} ")
        return np.int32(info.idx_in_epoch)

    pipe = Pipeline(batch_size=2, py_num_workers=1, py_start_method="spawn", **options)
    with pipe:
        pipe.set_outputs(fn.external_source(source, parallel=True, batch=False))
        pipe.start_py_workers()
        if begins:
            end = time.monotonic() + 60
            while not os.path.exists(place):
                assert time.monotonic() < end, "nobody has asked the source"
                time.sleep(0.01)
        else:
            assert not pipe.stats().batches and not session_of(pipe).feeds[0].published
        for run in range(3):
            assert np.asarray(pipe.run()[0].as_array()).tolist() == [2 * run, 2 * run + 1]
        pipe.reset()
        assert np.asarray(pipe.run()[0].as_array()).tolist() == [0, 1]
    asked = [int(word) for word in pathlib.Path(place).read_text().split()]
    assert asked[:6] == list(range(6))


@pytest.mark.parametrize(("sizes", "started"), [(QUEUES, 2), ({"cpu_size": 1, "gpu_size": 3}, 3)], ids=str)
def test_the_device_has_a_queue_of_its_own(sizes, started, monkeypatch):
    pipe, asked = counting(True, prefetch_queue_depth=sizes)
    with pipe:
        pipe.build()
        dispatched = []
        stage = pipe._jaxdali_session.executor._dispatcher
        dispatch = stage.dispatch
        monkeypatch.setattr(stage, "dispatch", lambda step: dispatched.append(1) or dispatch(step))
        for run in range(3):
            pipe.run()
            assert (len(asked), len(dispatched)) == (3 + run, started + run)


@pytest.mark.parametrize("options", [{"exec_pipelined": False}, {"exec_async": False}], ids=str)
def test_what_is_scheduled_is_one_batch(options):
    pipe, asked = counting(True, prefetch_queue_depth=3, **options)
    with pipe:
        for run in range(3):
            pipe.schedule_run()
            assert pipe.share_outputs()[0].at(0)[0] == 2 * run
            assert asked == list(range(run + 1))
            pipe.release_outputs()
        with pytest.raises(StopIteration):
            pipe.share_outputs()


def test_without_async_a_batch_is_computed_when_it_is_returned():
    # Takes so long that it cannot be done by chance.
    def draw(pipe):
        node = fn.external_source(lambda: np.ones((2, 1 << 21), np.float32), batch=True)
        for _ in range(12):
            node = (node * 1.0001) ** 1.5
        pipe.set_outputs(node)

    pipe = Pipeline(batch_size=2, exec_async=False)
    with pipe:
        draw(pipe)
    with pipe:
        for _ in range(3):
            (array,) = pipe.run_arrays()
            assert isinstance(array, jax.Array) and array.is_ready()


@pytest.mark.parametrize("options", [{"exec_pipelined": False}, {"exec_async": False}, {}], ids=str)
def test_a_run_takes_its_data(options):
    pipe = Pipeline(batch_size=2, prefetch_queue_depth=2, **options)
    with pipe:
        pipe.set_outputs(fn.external_source(name="x") + 1)
    with pipe:
        for value in range(3):
            (out,) = pipe.run(x=np.full((2, 1), value, np.int32))
            assert out.as_array().tolist() == [[value + 1], [value + 1]]


def test_a_pipeline_says_how_it_was_made():
    plain = Pipeline(batch_size=3)
    assert (plain.batch_size, plain.max_batch_size, plain.num_threads, plain.device_id) == (3, 3, None, None)
    assert (plain.prefetch_queue_depth, plain.cpu_queue_size, plain.gpu_queue_size) == (2, 2, 2)
    assert plain.exec_pipelined and plain.exec_async and plain.exec_dynamic and not plain.exec_separated
    assert (plain.py_num_workers, plain.py_start_method, plain.set_affinity) == (1, None, False)
    assert not (plain.enable_memory_stats or plain.is_restored_from_checkpoint)
    queues = {"cpu_size": 3, "gpu_size": 1}
    other = Pipeline(batch_size=3, num_threads=2, device_id=0, prefetch_queue_depth=queues, py_start_method="spawn")
    assert (other.num_threads, other.device_id, other.py_start_method) == (2, 0, "spawn")
    assert (other.prefetch_queue_depth, other.cpu_queue_size, other.gpu_queue_size) == (queues, 3, 1)
    assert other.exec_separated
    with pytest.raises(AttributeError):
        other.batch_size = 4
