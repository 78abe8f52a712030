"""Memory of a pipeline: what one run measures is requested by the next run, which then needs no more."""

from __future__ import annotations

import memory_sources
import numpy as np
import pytest

import jaxdali as dali
from jaxdali import backend, fn
from jaxdali.errors import ConfigError

BATCH, BATCHES = memory_sources.BATCH, memory_sources.BATCHES
MIB = 1 << 20
LISTS = {"real_memory_size", "max_real_memory_size", "reserved_memory_size", "max_reserved_memory_size"}


def pipeline(draw, **options):
    pipe = dali.Pipeline(batch_size=BATCH, **{"py_start_method": "forkserver", "py_num_workers": 2, **options})
    with pipe:
        outputs = draw()
        pipe.set_outputs(*(outputs if isinstance(outputs, list) else [outputs]))
    return pipe


def run(pipe, batches=BATCHES):
    """Runs some batches; returns the counters, and the memory statistics."""
    with pipe:
        for _ in range(batches):
            pipe.run()
        return pipe.stats(), pipe.executor_statistics()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of 150 to 500 KB."""
    root = tmp_path_factory.mktemp("files")
    random = np.random.default_rng(3)
    (root / "class").mkdir()
    for number, size in enumerate(random.integers(150_000, 500_000, BATCH * 5)):
        (root / "class" / f"{number:02}.jpg").write_bytes(bytes(random.bytes(size)))
    return root


def source(parallel, name, **hint):
    arguments = {"num_outputs": 2, "batch": False, "parallel": parallel}
    return fn.external_source(getattr(memory_sources, name), **arguments, **hint)


@pytest.mark.parametrize(
    "draw",
    [
        lambda _, **hint: source(True, "alike", **hint),
        lambda _, **hint: source(True, "by_batch", **hint),
        lambda _, **hint: source(False, "by_batch", **hint),
        lambda folder, **hint: fn.readers.file(file_root=folder, random_shuffle=True, seed=5, **hint),
    ],
    ids=["alike", "by batch", "sequential", "files"],
)
def test_what_was_measured_is_enough_from_the_beginning(folder, draw):
    counted, memory = run(pipeline(lambda: draw(folder), enable_memory_stats=True))
    assert counted.slot_growths > 0, "or the second run shows nothing"
    (entry,) = memory.values()
    hint = entry["max_real_memory_size"]
    assert len(hint) == 2

    counted, memory = run(pipeline(lambda: draw(folder, bytes_per_sample_hint=hint), enable_memory_stats=True))
    assert counted.slot_growths == 0
    (again,) = memory.values()
    assert again["max_real_memory_size"] == hint

    counted, memory = run(pipeline(lambda: draw(folder), bytes_per_sample=max(hint)))
    assert (counted.slot_growths, memory) == (0, {})


def test_a_hint_counts_for_all_outputs_or_for_each_and_before_that_of_the_pipeline(folder):
    def capacities(hint, reader=None, **options):
        def draw():
            if reader is None:
                return source(True, "alike", bytes_per_sample_hint=hint)
            return fn.readers.file(file_root=folder, bytes_per_sample_hint=hint, tensor_init_bytes=reader)

        with pipeline(draw, **options) as pipe:
            pipe.start_py_workers()
            found = pipe.external_source_shm_statistics()["capacities"]
        assert len(set(found)) == 1
        return found[0]

    assert capacities(None) == capacities(0) == MIB
    assert capacities(MIB // 2) == capacities([MIB // 2, 64]) == 8 * MIB  # the other output needs room, too
    assert capacities([MIB // 4, MIB // 4]) == 4 * MIB
    assert capacities(None, bytes_per_sample=MIB // 4) == 4 * MIB
    assert capacities(100_000, bytes_per_sample=MIB) == MIB
    assert capacities(100, MIB // 4) == capacities(MIB // 4, 100) == capacities([MIB // 4, 4], 100) == 4 * MIB


def test_the_numbers():
    def draw():
        label, pixels = source(False, "alike")
        return [fn.resize(pixels, size=(20, 30), name="small"), fn.flip(pixels, name="turned"), label + 1, pixels]

    pipe = pipeline(draw, enable_memory_stats=True, exec_dynamic=False)  # DALI requires this
    assert pipe.executor_statistics() == {}
    assert {name for entry in run(pipe, 1)[1].values() for name in entry} >= LISTS
    memory = pipe.executor_statistics()  # also works after closing
    assert all(set(entry) >= LISTS for entry in memory.values())
    images = 320 * 427 * 3
    (read,) = [entry for key, entry in memory.items() if key.startswith("CPU___ExternalSource")]
    assert read["real_memory_size"] == [4 * BATCH, images * BATCH]
    assert read["max_real_memory_size"] == [4, images]
    assert sum(read["reserved_memory_size"]) <= 4 * MIB < sum(read["reserved_memory_size"]) + 2
    small = memory["CPU_small"]
    assert small["real_memory_size"] == small["reserved_memory_size"] == [1800 * BATCH]
    assert small["max_real_memory_size"] == small["max_reserved_memory_size"] == [1800]
    program = memory["XLA_program"]
    # XLA pads nothing between its outputs, but adds a table of their addresses.
    returned = (1800 + images + 4) * BATCH
    assert 0 <= program["output_size"][0] - returned < 100
    assert program["argument_size"][0] >= images * BATCH and program["temp_size"][0] >= 0


def test_an_output_that_is_handed_out_twice_counts_once():
    """Also if a function comes between the programs."""
    pipe = dali.Pipeline(batch_size=2, enable_memory_stats=True)
    with pipe:
        turned = fn.flip(fn.external_source(name="x", layout="HW"), name="turned")
        pipe.set_outputs(turned, turned, fn.python_function(turned, function=np.negative))
    made = pipe.run(x=np.array([[[1, 2]], [[3, 4]]], np.float32))
    expected = [[[2, 1]], [[4, 3]]]
    assert [output.as_array().tolist() for output in made] == [expected, expected, np.negative(expected).tolist()]
    assert pipe.executor_statistics()["CPU_turned"]["real_memory_size"] == [16]
    pipe.close()


def test_a_batch_that_cannot_be_computed_is_not_counted():
    pipe = dali.Pipeline(batch_size=2, enable_memory_stats=True, prefetch_queue_depth=1)
    with pipe:
        pipe.set_outputs(fn.external_source(name="x") + np.zeros(3, np.float32))
    pipe.feed_input("x", np.zeros((2, 5), np.float32))
    with pytest.raises(ConfigError, match="broadcast"):
        pipe.run()
    pipe.run(x=np.zeros((2, 3), np.float32))
    assert len(pipe.executor_statistics()["XLA_program"]["output_size"]) == 1


def test_images_of_different_sizes_lie_on_larger_memory():
    def draw():
        label, pixels = source(False, "by_batch")
        return [fn.flip(pixels, name="turned"), label]

    pipe = pipeline(draw, enable_memory_stats=True)
    _, memory = run(pipe, 3)  # the third batch has images of 100, 125 ... rows
    turned = memory["CPU_turned"]
    rows = sum(100 + 25 * i for i in range(BATCH))
    assert turned["real_memory_size"] == [rows * 427 * 3]
    assert turned["reserved_memory_size"][0] >= BATCH * 275 * 427 * 3
    assert turned["max_real_memory_size"] == [320 * 427 * 3]
    assert len(memory["XLA_program"]["output_size"]) == 3, "one for each shape"


def test_hints_of_computed_outputs_are_checked_and_need_nothing():
    def draw(hint):
        return lambda: fn.random.uniform(range=[0, 1], bytes_per_sample_hint=hint)

    for hint in (0, 1000, [1000]):
        assert run(pipeline(draw(hint)), 1)[0].slot_growths == 0
    refused = (
        ([1, 2], "has 2 values for 1 output"),
        (-1, "must be an integer, at least 0"),
        ("1", "must be an integer"),
    )
    for hint, words in refused:
        with pytest.raises(ConfigError, match=f"bytes_per_sample_hint {words}"):
            pipeline(draw(hint))


def test_the_growth_factor_reaches_the_workers():
    backend.SetHostBufferGrowthFactor(4)
    try:
        with pipeline(lambda: source(True, "alike")) as pipe:
            pipe.run()
            # Four times the size at the third sample, which no longer fits, rounded up to a size class.
            assert max(pipe.external_source_shm_statistics()["capacities"]) == 8 * MIB
    finally:
        backend.SetHostBufferGrowthFactor(1)
