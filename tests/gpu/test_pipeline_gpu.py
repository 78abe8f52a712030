"""Pipelines and the Loader on a GPU: what arrives, that nothing is copied, and that nothing changes later."""

from __future__ import annotations

import functools
import gc

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from front_sources import files_and_labels
from jpeg_files import pillow_jpeg, pillow_pixels

import jaxdali as dali
from jaxdali import fn
from jaxdali._device.ffi.compat import local_gpus
from jaxdali.plugin.jax import DALIGenericIterator
from jaxdali.tensors import TensorListCPU, TensorListGPU

pytestmark = pytest.mark.gpu

BATCH = 8


@functools.cache
def jpeg(index: int) -> bytes:
    return pillow_jpeg(60 + index % 7, 80 + index % 5, subsampling="4:4:4", quality=60 + index % 30)


def sample(info):
    index = info.idx_in_epoch % 64
    return np.frombuffer(jpeg(index), np.uint8), np.int32([info.idx_in_epoch])


@dali.pipeline_def(batch_size=BATCH, device_id=0, seed=3)
def images_and_labels():
    files, labels = fn.external_source(sample, num_outputs=2, batch=False)
    return fn.decoders.image(files, device="mixed"), labels


def test_images_stay_on_the_gpu_and_are_those_of_the_files():
    with images_and_labels() as pipe:
        for iteration in range(5):
            images, labels = pipe.run()
            assert isinstance(images, TensorListGPU) and isinstance(labels, TensorListCPU)
            assert images.at(0).devices() == {local_gpus()[0]}
            host = images.as_cpu()
            for row in range(BATCH):
                index = BATCH * iteration + row
                assert labels.at(row) == index
                expected = pillow_pixels(jpeg(index % 64)).astype(np.int16)
                assert host.at(row).shape == expected.shape == images.shape()[row]
                assert np.abs(host.at(row) - expected).max() == 0


def test_parallel_workers_fresh_and_forked_from_a_fresh_process():
    for method in ("spawn", "forkserver"):

        @dali.pipeline_def(batch_size=BATCH, device_id=0, py_num_workers=2, py_start_method=method)
        def graph():
            files, labels = fn.external_source(files_and_labels, num_outputs=2, parallel=True, batch=False)
            return fn.resize(fn.decoders.image(files, device="mixed"), size=(32, 32)), labels

        with graph() as pipe:
            assert [pipe.run()[0].as_cpu().as_array().shape for _ in range(4)] == [(BATCH, 32, 32, 3)] * 4


def test_what_the_iterator_gives_lies_on_the_gpu():
    @dali.pipeline_def(batch_size=BATCH, device_id=0)
    def graph():
        files, labels = fn.external_source(sample, num_outputs=2, batch=False)
        return fn.resize(fn.decoders.image(files, device="mixed"), size=(16, 16)), labels

    iterator = DALIGenericIterator(graph(), ["image", "label"])
    for step in range(4):
        batch = next(iterator)
        assert all(array.devices() == {local_gpus()[0]} for array in batch.values())
        assert batch["label"][:, 0].tolist() == list(range(BATCH * step, BATCH * (step + 1)))


def test_a_chain_behind_a_decoder_is_one_call_and_gives_the_same():
    from jaxdali import types
    from jaxdali._dali.planner import graph_recipes as recipes
    from jaxdali._run.executor.device_io.canvas import WideNeed

    @dali.pipeline_def(batch_size=BATCH, device_id=0, seed=5)
    def graph():
        files, labels = fn.external_source(sample, num_outputs=2, batch=False)
        images = fn.decoders.image(files, device="mixed")
        images = fn.random_resized_crop(images, size=(24, 20))
        return fn.crop_mirror_normalize(images, mirror=fn.random.coin_flip(), mean=[100.0], dtype=types.FLOAT16), labels

    def outputs():
        with graph() as pipe:
            batches = [np.asarray(pipe.run()[0].as_cpu().as_array()) for _ in range(4)]
            (link,) = pipe._jaxdali_session.executor._dispatcher._links
            needs = link.program.needs  # the labels have 64 bits, which is a need of its own
            return batches, sum(not isinstance(need, WideNeed) for need in needs)

    fused, canvases = outputs()

    def ended(self, call, before):
        if before.lazy:
            self.ended.add(call)
            self._compute(call.inputs[0])
        return self._longer_by(call.operator.lazy, call, before.computed())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recipes.Recipes, "_longer", ended)
        unfused, more_canvases = outputs()
    assert (canvases, more_canvases) == (0, 1)  # of the images, which are an array before they are resized
    np.testing.assert_array_equal(fused, unfused)


class Data:
    def __len__(self):
        return 64

    def __getitem__(self, index):
        return {"image": jpeg(index), "label": np.int32(index), "plain": np.full((100, 100), index, np.float32)}


def test_the_loader_decodes_on_the_gpu_from_the_slot_itself():
    seen = []

    def augment(batch, keys):
        pixels = dali.image.decode(batch["image"], (72, 96))
        return {"pixels": pixels, "label": batch["label"], "plain": batch["plain"]}

    with dali.Loader(Data(), augment, batch_size=BATCH, workers=0, epochs=2) as loader:
        for step, batch in loader.enumerate():
            assert batch["pixels"].devices() == {local_gpus()[0]}
            labels = np.asarray(batch["label"])
            assert labels.tolist() == [index % 64 for index in range(BATCH * step, BATCH * (step + 1))]
            assert (np.asarray(batch["plain"]) == labels[:, None, None]).all()
            expected = pillow_pixels(jpeg(int(labels[0]))).astype(np.int16)
            height, width, _ = expected.shape
            assert np.abs(np.asarray(batch["pixels"][0, :height, :width]) - expected).max() == 0
            seen.append(step)
    assert seen == list(range(16))


def test_the_bytes_of_a_batch_are_the_slot():
    with dali.Loader(Data(), None, batch_size=BATCH, workers=0) as loader:
        loader.start()
        (feed,) = loader._step_runner.executor._host.feeds
        addresses = {feed.ring.lease(slot).address for slot in range(feed.ring.slots)}
        for _, batch in zip(range(6), loader, strict=False):
            images = batch["image"]
            assert images.bytes.sharding.memory_kind == "pinned_host"
            assert images.bytes.unsafe_buffer_pointer() in addresses
            del batch, images
        assert loader.step == 6


@jax.jit
def _work(x):
    return jax.lax.fori_loop(0, 60, lambda _, y: jnp.tanh(y @ y), x)


def test_nothing_changes_what_was_dispatched_behind_other_work():
    """Queues half a second of work, then decodes batches and drops every name while the ring turns."""

    def augment(batch, keys):
        pixels = dali.image.decode(batch["image"], (72, 96))
        return pixels.astype(jnp.int32).sum(axis=(1, 2, 3)), batch["plain"].sum(axis=(1, 2))

    def sums(busy):
        results = []
        with dali.Loader(Data(), augment, batch_size=BATCH, workers=0, epochs=3) as loader:
            heavy = jax.device_put(np.full((4096, 4096), 1e-3, np.float32), local_gpus()[0])
            for batch in loader:
                if busy:
                    _work(heavy)
                results.append(batch)
                del batch
                gc.collect()
            return [[np.asarray(part).tolist() for part in result] for result in results]

    found = sums(True)
    assert len(found) == 24 and all(min(pixels) > 0 for pixels, _ in found)
    assert found == sums(False)
