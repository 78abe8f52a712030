"""Decoding ahead changes when images are decoded, and nothing else."""

from __future__ import annotations

import dataclasses
import gc
import logging
import os
import pathlib
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from gpu_files import BATCH, Data, engine_counts, file_of

import jaxdali as dali
import jaxdali.image
from jaxdali import fn, types
from jaxdali._device.ffi.compat import local_gpus
from jaxdali.image import EncodedBatch, decode, decode_resample
from jaxdali.random import coin_flip, resized_crop_window

pytestmark = pytest.mark.gpu

STEPS = 20
SUPPORT = pathlib.Path(__file__).parents[1] / "support"


def augment(batch, keys):
    window = resized_crop_window(keys, batch["image"].sizes)
    return decode_resample(batch["image"], window, (48, 40), flip=coin_flip(keys, 0.5), mean=100.0, dtype=jnp.float32)


def outputs(function=augment, steps=STEPS, **options):
    """Returns the batches of a Loader, how many images were found decoded, and how many were not."""
    before = engine_counts()
    with dali.Loader(Data(), function, batch_size=BATCH, shuffle=True, seed=4, **{"workers": 0, **options}) as loader:
        found = [jax.device_get(batch) for _, batch in zip(range(steps), loader, strict=False)]
    after = engine_counts()
    return found, after["used"] - before["used"], after["missed"] - before["missed"]


def assert_equal(found, expected):
    jax.tree.map(np.testing.assert_array_equal, found, expected)


@pytest.fixture(scope="module")
def expected():
    found, used, missed = outputs(decode_ahead=0)
    assert used == 0 and missed >= STEPS * BATCH
    return found


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("images", [1, 4 * BATCH, 1000])
def test_the_same_arrays_whatever_is_decoded_ahead(expected, images, workers):
    found, used, missed = outputs(decode_ahead=images, workers=workers)
    assert_equal(found, expected)
    assert used >= STEPS * BATCH and missed == 0


def pipeline_outputs(**options):
    @dali.pipeline_def(batch_size=BATCH, device_id=0, seed=5, **options)
    def graph():
        files = fn.external_source(lambda info: np.frombuffer(file_of(info.idx_in_epoch), np.uint8), batch=False)
        images = fn.random_resized_crop(fn.decoders.image(files, device="mixed"), size=(24, 20))
        return fn.crop_mirror_normalize(images, mirror=fn.random.coin_flip(), mean=[100.0], dtype=types.FLOAT16)

    with graph() as pipe:
        return [np.asarray(pipe.run()[0].as_cpu().as_array()) for _ in range(STEPS)], pipe.stats()


def test_pipelines_too_and_their_statistics_say_so():
    expected, stats = pipeline_outputs(decode_ahead=0)
    assert stats.engine is None
    found, stats = pipeline_outputs()
    np.testing.assert_array_equal(found, expected)
    assert stats.engine.gpu + stats.engine.host > 0 and stats.engine.allocated <= stats.engine.decode_memory
    assert stats.waits.seconds > 0 and "input-bound" in stats.advice


def test_whole_images_are_copied_out_of_what_was_decoded(expected):
    def whole(batch, keys):
        return decode(batch["image"], (100, 100))

    without, used, _ = outputs(whole, decode_ahead=0)
    found, used, missed = outputs(whole)
    assert_equal(found, without)
    assert used >= STEPS * BATCH and missed == 0


@pytest.mark.parametrize("decoder", ["gpu", "hybrid", "cpu", "hardware"])
def test_other_decoders_are_known_from_what_the_function_does(decoder):
    def function(batch, keys):
        return decode_resample(batch["image"], None, (32, 32), decoder=decoder, jpeg_fancy_upsampling=decoder != "gpu")

    without, *_ = outputs(function, decode_ahead=0)
    found, used, missed = outputs(function, decode_ahead=2 * BATCH)
    assert_equal(found, without)
    assert missed == 0 and used >= STEPS * BATCH


def test_the_gpu_decodes_progressive_files():
    class Progressive(Data):
        def __getitem__(self, index):
            return {"image": file_of(9 * (index % 7) + 4)}

    def whole(batch, keys):
        return decode(batch["image"], (100, 100))

    from jaxdali._device.ffi.cuda import cuda_module

    cuda_module().stop_engines()  # which may be busy with what other tests left
    before = engine_counts()
    with dali.Loader(Progressive(), whole, batch_size=BATCH, workers=0) as loader:
        for _, batch in zip(range(STEPS), loader, strict=False):
            jax.block_until_ready(batch)
    after = engine_counts()
    assert after["gpu"] - before["gpu"] >= STEPS * BATCH and after["host"] == before["host"]


def test_two_decoders_on_one_slot():
    def function(batch, keys):
        return [decode_resample(batch["image"], None, (32, 32), decoder=name) for name in ("hardware", "cpu")]

    without, *_ = outputs(function, decode_ahead=0)
    found, used, missed = outputs(function, decode_ahead=2 * BATCH)
    assert_equal(found, without)
    assert used > missed  # after the first steps, both decoders are known


def reused(batch):
    """Decodes parts of a batch, other orders, copies and joined batches, in functions of the user's own."""
    images = batch["image"]
    order = jnp.asarray([5, 0, 0, 7, 3, 2, 2, 1])
    small = jax.jit(lambda one: decode_resample(one, None, (20, 20)))
    copied = dataclasses.replace(images, rows=jnp.array(images.rows, copy=True))
    pickled = jax.tree.map(lambda leaf: jax.device_put(np.asarray(leaf), leaf.sharding), images)

    def one_by_one(one):
        def step(carry, image):
            row, extent = image
            return carry, decode_resample(EncodedBatch(one.bytes, row[None], extent[None]), None, (8, 8))

        return jax.lax.scan(step, 0, (one.rows, one.sizes))[1]

    loop = jax.jit(one_by_one)
    return [
        small(images),
        small(images),
        small(images[2:6]),
        small(images.take(order)),
        small(EncodedBatch.concatenate([images, images[1:3]])),
        small(copied),
        small(pickled),
        loop(images),
        decode(images, (90, 90)),
    ]


def test_batches_that_are_cut_permuted_joined_copied_and_used_again():
    def results(**options):
        before = engine_counts()
        with dali.Loader(Data(), None, batch_size=BATCH, workers=0, **options) as loader:
            found = [jax.device_get(reused(batch)) for _, batch in zip(range(8), loader, strict=False)]
        after = engine_counts()
        return found, after["used"] - before["used"], after["read_back"] - before["read_back"]

    without, used, _ = results(decode_ahead=0)
    assert used == 0
    found, used, read_back = results()
    assert_equal(found, without)
    assert used > 8 * 3 * BATCH and read_back > 0


@pytest.mark.filterwarnings("ignore:Some donated buffers were not usable")
def test_a_batch_that_is_donated():
    function = jax.jit(lambda batch: decode_resample(batch["image"], None, (20, 20)), donate_argnums=0)

    def results(**options):
        with dali.Loader(Data(), None, batch_size=BATCH, workers=0, **options) as loader:
            return [np.asarray(function(batch)) for _, batch in zip(range(12), loader, strict=False)]

    found = results()
    assert len(found) == 12
    assert_equal(found, results(decode_ahead=0))


class Clips:
    def __len__(self):
        return 64

    def __getitem__(self, index):
        return {"frames": [None if (index + k) % 5 == 0 else file_of(3 * index + k) for k in range(3)], "label": index}


def test_lists_of_files_some_of_them_missing_are_found_decoded():
    def function(batch, keys):
        files = EncodedBatch.stack(batch["frames"])
        return jaxdali.image.open(files).resize(size=(20, 24)).array(), files.present

    def results(**options):
        before = engine_counts()
        with dali.Loader(Clips(), function, batch_size=BATCH, workers=0, **options) as loader:
            found = [jax.device_get(batch) for _, batch in zip(range(STEPS), loader, strict=False)]
        after = engine_counts()
        return found, {name: after[name] - before[name] for name in ("used", "read_back", "failed")}

    without, counts = results(decode_ahead=0)
    assert counts["used"] == 0
    found, counts = results()
    assert_equal(found, without)
    # The engine is told of the rows of the whole list, and XLA hands these to the call as they are.
    assert counts["used"] > BATCH * 3 * (STEPS - 4) and counts["read_back"] == counts["failed"] == 0
    on_cpu = dali.Loader(Clips(), function, batch_size=BATCH, workers=0, device=jax.devices("cpu")[0])
    assert_equal(found[0], jax.device_get(next(iter(on_cpu))))
    expected = [[(index + k) % 5 != 0 for k in range(3)] for index in range(BATCH)]
    assert found[0][1].tolist() == found[0][0].any(axis=(2, 3, 4)).tolist() == expected


def test_a_window_outside_its_image_raises_though_nothing_was_waited_for():
    def function(batch, keys):
        bad = jnp.where(batch["label"] == 11, 1000, 0)
        window = jnp.stack([bad, jnp.zeros_like(bad), jnp.full_like(bad, 9), jnp.full_like(bad, 9)], axis=1)
        return decode_resample(batch["image"], window, (8, 8))

    with dali.Loader(Data(), function, batch_size=BATCH, workers=0) as loader:
        steps = iter(loader)
        next(steps)
        with pytest.raises(dali.errors.DecodeError, match=r"(?s)TOO_LARGE.*the window") as caught:
            next(steps)
        assert caught.value.sample_index == 11
        assert next(steps).shape == (BATCH, 8, 8, 3)


def test_a_bad_file_between_good_ones_raises_and_the_next_batch_follows():
    with dali.Loader(Data(bad=11), augment, batch_size=BATCH, workers=0) as loader:
        steps = iter(loader)
        next(steps)
        with pytest.raises(dali.errors.DecodeError, match="TRUNCATED") as caught:
            next(steps)
        assert caught.value.sample_index == 11
        assert next(steps).shape == (BATCH, 48, 40, 3)
    with dali.Loader(Data(bad=11), augment, batch_size=BATCH, workers=0, on_error="zeros") as loader:
        batches = [jax.device_get(batch) for _, batch in zip(range(4), loader, strict=False)]
        assert loader.stats().images_failed == {"TRUNCATED": 1}
    assert not batches[1][3].any() and batches[1][2].any()


def test_batches_beyond_the_memory_are_decoded_when_they_are_needed_and_it_is_said(expected, monkeypatch, caplog):
    from jaxdali._device.ffi.cuda import cuda_module

    cuda_module().stop_engines()
    monkeypatch.setattr(cuda_module(), "set_decode_memory", lambda *_: 1000)  # as on a smaller GPU
    cuda_module().limit_decode_memory(local_gpus()[0].local_hardware_id, 1000)
    try:
        with caplog.at_level(logging.WARNING, "jaxdali"):
            found, used, missed = outputs()
    finally:
        monkeypatch.undo()
        cuda_module().limit_decode_memory(local_gpus()[0].local_hardware_id, 1 << 30)
    assert_equal(found, expected)
    assert used == 0 and missed >= STEPS * BATCH
    assert sum("decode_memory=1000" in record.message for record in caplog.records) == 1


def test_two_loaders_in_turns_with_memory_for_one_of_them(expected):
    from jaxdali._device.ffi.cuda import cuda_module

    ordinal = local_gpus()[0].local_hardware_id
    cuda_module().stop_engines()
    options = {"batch_size": BATCH, "shuffle": True, "seed": 4, "workers": 0}
    with dali.Loader(Data(), augment, **options) as one, dali.Loader(Data(), augment, **options) as other:
        cuda_module().limit_decode_memory(ordinal, 4 << 20)
        try:
            pairs = [jax.device_get(pair) for _, *pair in zip(range(STEPS), one, other, strict=False)]
        finally:
            cuda_module().limit_decode_memory(ordinal, 1 << 30)
    for k in range(2):
        assert_equal([pair[k] for pair in pairs], expected)


def test_a_ring_that_is_closed_and_another_one_at_its_address():
    """What was decoded for one ring must not be found by the next one, whose memory may be at the same address."""
    for first in range(6):
        with dali.Loader(Data(first), None, batch_size=BATCH, workers=0) as loader:
            batch = next(iter(loader))
        found = np.asarray(decode_resample(batch["image"], None, (20, 20)))
        alone = EncodedBatch.from_encoded([file_of(first + k) for k in range(BATCH)], device=local_gpus()[0])
        np.testing.assert_array_equal(found, np.asarray(decode_resample(alone, None, (20, 20))))
        del batch, loader
        gc.collect()


def test_going_back_and_forth():
    with dali.Loader(Data(), augment, batch_size=BATCH, workers=2, epochs=None) as loader:
        steps = iter(loader)
        first = [jax.device_get(next(steps)) for _ in range(6)]
        for start in (0, 3, 1, 0):
            loader.seek(start)
            assert_equal([jax.device_get(next(steps)) for _ in range(6 - start)], first[start:])


def test_nothing_is_left_of_closed_loaders():
    from jaxdali._device.ffi.cuda import cuda_module

    outputs(workers=2)
    gc.collect()
    cuda_module().stop_engines()
    counts = engine_counts()
    assert counts["jobs"] == counts["waiting"] == counts["decoded"] == counts["allocated"] == 0


@pytest.mark.parametrize(
    ("order", "queues"), [("import jaxdali; jax.devices()", 32), ("jax.devices(); import jaxdali", 8)]
)
def test_hardware_queues_are_asked_for_before_the_gpu_is_used(order, queues):
    program = f"import jax; {order}; from gpu_files import engine_counts; print(engine_counts()['hardware_queues'])"
    environment = {name: value for name, value in os.environ.items() if name != "CUDA_DEVICE_MAX_CONNECTIONS"}
    environment["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, cwd=SUPPORT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == str(queues)
