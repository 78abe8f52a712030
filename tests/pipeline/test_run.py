"""`Pipeline.run` returns, batch after batch, what the NumPy reference computes."""

import gc
import hashlib

import front_sources
import image_reference as reference
import jax
import numpy as np
import pytest
from front_pipelines import SEED, keys, make, of, tutorial
from front_sources import BATCHES, FILES

from jaxdali import ConfigError, fn, pipeline_def, random, types

# Most graphs here use only one of their source's two outputs.
pytestmark = pytest.mark.filterwarnings("ignore:the external_source:UserWarning")


def test_the_tutorial_equals_the_formula():
    pipe = make(tutorial)
    for epoch in range(2):
        for iteration in range(BATCHES):
            augmented, labels, images, contrasts = pipe.run()
            indices = 4 * iteration + np.arange(4)
            drawn = random.uniform(keys(0, epoch, indices), minval=1, maxval=3.0)
            np.testing.assert_array_equal(contrasts.as_array(), drawn)
            for k, index in enumerate(indices):
                original = front_sources.pixels(index)
                expected = reference.brightness_contrast(original[None], contrast=drawn[k])[0]
                np.testing.assert_array_equal(images.at(k), original)
                np.testing.assert_array_equal(augmented.at(k), expected)
                assert augmented.at(k).shape == expected.shape
                np.testing.assert_array_equal(labels.at(k), front_sources.label(index))
        with pytest.raises(StopIteration):
            pipe.run()
        with pytest.raises(StopIteration):
            pipe.run()
        pipe.reset()
        assert pipe.epoch_idx == epoch + 1


def test_what_a_batch_is():
    augmented, labels, _, contrasts = make(tutorial).run()
    assert len(augmented) == len(labels) == len(contrasts) == 4
    assert (augmented.layout(), labels.layout(), contrasts.layout()) == ("HWC", "", "")
    assert (augmented.dtype, labels.dtype) == (types.UINT8, types.INT32)
    assert contrasts.dtype == types.FLOAT and contrasts.shape() == [()] * 4
    assert augmented.shape() == [(*size, 3) for size in front_sources.SIZES[:4]]
    assert augmented.as_cpu() is augmented


def test_workers_change_nothing():
    @pipeline_def(batch_size=4, seed=SEED, py_num_workers=2, py_start_method="spawn")
    def parallel():
        source = front_sources.files_and_labels
        files, labels = fn.external_source(source, num_outputs=2, parallel=True)
        steps = fn.external_source(front_sources.numbers, batch=False)
        return (*tutorial(files, labels), steps)

    sequential = make(tutorial)
    with parallel() as pipe:
        for epoch in range(2):
            for iteration in range(BATCHES):
                *outputs, steps = pipe.run()
                for got, expected in zip(outputs, sequential.run(), strict=True):
                    for k in range(4):
                        np.testing.assert_array_equal(got.at(k), expected.at(k))
                indices = [[4 * iteration + k, k, epoch] for k in range(4)]
                assert steps.as_array().tolist() == indices
            with pytest.raises(StopIteration):
                pipe.run()
            with pytest.raises(StopIteration):
                sequential.run()
            pipe.reset()
            sequential.reset()


def compilations(pipe, batches):
    for _ in range(batches):
        pipe.run()
    (link,) = pipe._jaxdali_session.executor._dispatcher._links
    return link.stage._compiled._cache_size()


@pytest.mark.parametrize("batch_size", [1, 5])
def test_images_of_many_sizes_compile_few_programs(batch_size):
    sizes = [(20 + 7 * k % 40, 25 + 11 * k % 35) for k in range(40)]
    files = [front_sources.pillow_jpeg(*size) for size in sizes]
    pipe = of(
        lambda info: np.frombuffer(files[info.idx_in_epoch % 40], np.uint8),
        lambda node: fn.brightness_contrast(fn.decoders.image(node), contrast=0.5),
        batch_size=batch_size,
    )
    batches = 40 // batch_size
    count = compilations(pipe, batches)
    assert count <= 8
    pipe.reset()
    assert compilations(pipe, batches) == count, "the second epoch compiled something"


def test_a_batch_of_one_size_has_no_padding():
    pipe = of(lambda: front_sources.file(0), fn.decoders.image)
    (images,) = pipe.run_arrays()
    assert images.shape == (4, *front_sources.SIZES[0], 3)


def test_arrays_of_batches_of_one_image_have_its_size():
    pipe = of(lambda info: front_sources.file(info.idx_in_epoch), fn.decoders.image, batch_size=1)
    for k in range(len(FILES)):
        (images,) = pipe.run_arrays()
        np.testing.assert_array_equal(images[0], front_sources.pixels(k))


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_batches_that_are_held_never_change(depth):
    pipe = make(tutorial, prefetch_queue_depth=depth)

    def checksum(outputs):
        parts = [out.at(k).tobytes() for out in outputs for k in range(4)]
        return hashlib.sha256(b"".join(parts)).hexdigest()

    held, sums = [], []
    for run in range(20):
        if run % BATCHES == 0 and run:
            pipe.reset()
        outputs = pipe.run()
        if run % BATCHES < 2:
            held.append(outputs)
            sums.append(checksum(outputs))
    assert len(held) == 8 and len(set(sums)) == 8
    assert [checksum(outputs) for outputs in held] == sums
    assert sum(feed.copied_batches for feed in pipe._jaxdali_session.feeds) > 0
    view = held[0][1].at(0)
    kept = view.copy()
    del held, outputs
    gc.collect()
    pipe.reset()
    for _ in range(BATCHES):
        pipe.run()
    np.testing.assert_array_equal(view, kept)


def test_nothing_is_copied_while_nothing_is_held():
    pipe = make(tutorial)
    for _ in range(BATCHES):
        pipe.run()
    assert sum(feed.copied_batches for feed in pipe._jaxdali_session.feeds) == 0


def test_outputs_survive_the_pipeline():
    pipe = make(tutorial)
    augmented, labels, images, _ = pipe.run()
    pipe.close()
    del pipe
    gc.collect()
    np.testing.assert_array_equal(images.at(1), front_sources.pixels(1))
    np.testing.assert_array_equal(labels.at(1), front_sources.label(1))
    assert augmented.at(1).shape == images.at(1).shape


def test_reset_before_the_first_run_does_nothing_and_in_the_middle_begins_anew():
    pipe = of(front_sources.numbers)
    pipe.reset()
    assert pipe.run()[0].as_array()[:, 2].tolist() == [0] * 4
    pipe.reset()
    assert pipe.run()[0].as_array()[0].tolist() == [0, 0, 1]


@pytest.mark.parametrize("device_id", [None, 0, 3])
def test_device_id_is_a_cpu_device(device_id):
    pipe = make(lambda f, n: (n, fn.random.uniform(), fn.decoders.image(f)), device_id=device_id)
    for array in pipe.run_arrays(2):
        assert array.devices() == {jax.devices("cpu")[device_id or 0]}


def test_a_device_that_does_not_exist():
    pipe = make(lambda files, labels: fn.decoders.image(files), device_id=99)
    with pytest.raises(ConfigError, match=r"device_id=99: this process has 8 CPU device.*0 to 7"):
        pipe.build()


def test_mixed_says_once_where_it_runs(caplog, monkeypatch):
    from jaxdali._dali.planner import device

    monkeypatch.setattr(device, "_said", False)
    for _ in range(2):
        make(tutorial, device_id=0).build()
    make(lambda files, labels: fn.decoders.image(files, device="cpu")).build()
    words = [record.getMessage() for record in caplog.records if record.name == "jaxdali"]
    assert words == ['jaxdali: operators with device="gpu" or "mixed" run on the CPU']


def test_cpu_operators_say_nothing(caplog, monkeypatch):
    from jaxdali._dali.planner import device

    monkeypatch.setattr(device, "_said", False)
    make(lambda files, labels: fn.decoders.image(files)).build()
    assert not caplog.records


def test_fork_is_refused_once_jax_is_in_use():
    jax.devices()

    @pipeline_def(batch_size=2, py_num_workers=1, py_start_method="fork")
    def mine():
        return fn.external_source(front_sources.numbers, parallel=True)

    words = "Cannot fork a process when the CUDA has been initialized.*start_py_workers.*before the first use of JAX"
    with pytest.raises(RuntimeError, match=words):
        mine().build()
