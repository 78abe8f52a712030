"""Two GPUs share every batch: each decodes its own rows ahead, and the arrays are those of one GPU."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from gpu_files import BATCH, Data, file_of
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import jaxdali as dali
from jaxdali import DecodeError, fn
from jaxdali._base.batch import DEFAULT_DECODER
from jaxdali._device.ffi.compat import local_gpus
from jaxdali._device.ffi.cuda import cuda_module
from jaxdali.image import decode_resample
from jaxdali.plugin.jax import data_iterator
from jaxdali.random import coin_flip, resized_crop_window

pytestmark = pytest.mark.gpu(2)

STEPS = 20


@pytest.fixture(scope="module")
def mesh():
    return Mesh(np.array(local_gpus()[:2]), ("data",))


def counts():
    return [cuda_module().engine_counts(gpu.local_hardware_id) for gpu in local_gpus()[:2]]


def make_augment(decoder):
    def augment(batch, keys):
        window = resized_crop_window(keys, batch["image"].sizes)
        flip = coin_flip(keys, 0.5)
        images = decode_resample(batch["image"], window, (48, 40), flip=flip, mean=100.0, decoder=decoder)
        return {"image": images, "label": batch["label"]}

    return augment


def loader(decoder=DEFAULT_DECODER, bad=None, **options):
    data = Data(bad=bad)
    options = {"batch_size": BATCH, "shuffle": True, "seed": 4, "workers": 2, **options}
    return dali.Loader(data, make_augment(decoder), **options)


def outputs(**options):
    with loader(**options) as batches:
        return [jax.device_get(batch) for _, batch in zip(range(STEPS), batches, strict=False)]


def assert_equal(one, other, levels=0):
    jax.tree.map(functools.partial(np.testing.assert_allclose, rtol=0, atol=levels), one, other)


@pytest.mark.parametrize("decoder", ["hardware", "gpu", "cpu", "cuda"])
@pytest.mark.parametrize("spec", [P("data"), P()], ids=str)
def test_sharded_loaders_give_the_arrays_of_one_gpu(mesh, decoder, spec):
    # nvJPEG's interpolation at lower edges also depends on what it decodes together.
    levels = 1 if decoder == "gpu" else 0
    expected = outputs(decoder=decoder)
    assert_equal(outputs(decoder=decoder, sharding=NamedSharding(mesh, spec)), expected, levels)
    assert_equal(outputs(decoder=decoder, sharding=NamedSharding(mesh, spec), decode_ahead=0), expected, levels)


def test_each_gpu_decodes_its_own_rows_ahead(mesh):
    before = counts()
    with loader(sharding=NamedSharding(mesh, P("data")), decode_ahead=4 * BATCH) as batches:
        for _, batch in zip(range(STEPS), batches, strict=False):
            for shard, gpu in zip(batch["image"].addressable_shards, local_gpus(), strict=False):
                assert shard.data.devices() == {gpu} and shard.data.shape[0] == BATCH // 2
        assert batches.stats().engine.gpu > 0
    for one, other in zip(before, counts(), strict=True):
        # What the Loader prepares beyond the last step is used, too.
        assert other["used"] - one["used"] >= STEPS * BATCH // 2 and other["missed"] == one["missed"]
        assert other["jobs"] == 0


@pytest.mark.parametrize("bad", [0, 5])
def test_a_damaged_file_is_an_error_or_zeros_on_either_gpu(mesh, bad):
    options = {"bad": bad, "shuffle": False, "sharding": NamedSharding(mesh, P("data"))}
    with loader(**options) as batches, pytest.raises(DecodeError, match=f"{bad}"):
        next(iter(batches))
    with loader(on_error="zeros", **options) as batches:
        images = np.asarray(next(iter(batches))["image"])
        assert not images[bad].any() and images[(bad + 1) % BATCH].any()


def test_a_step_may_train_on_them(mesh):
    step = jax.jit(lambda total, images: total + jnp.sum(images), donate_argnums=0)
    sums = []
    for sharding in (None, NamedSharding(mesh, P("data"))):
        total = jnp.zeros(()) if sharding is None else jax.device_put(jnp.zeros(()), NamedSharding(mesh, P()))
        with loader(sharding=sharding) as batches:
            for _, batch in zip(range(STEPS), batches, strict=False):
                total = step(total, batch["image"])
        sums.append(float(total))
    assert sums[0] == pytest.approx(sums[1], rel=1e-5)


@pytest.mark.parametrize("form", ["devices", "sharding"])
def test_iterators_make_of_each_file_what_one_gpu_makes(mesh, tmp_path, form):
    paths = [tmp_path / f"{number:02}" for number in range(4 * BATCH)]
    for number, path in enumerate(paths):
        path.write_bytes(file_of(number))

    def draw(shard_id=0, num_shards=1):
        files, labels = fn.readers.file(
            files=list(map(str, paths)), name="reader", shard_id=shard_id, num_shards=num_shards, random_shuffle=True
        )
        images = fn.random_resized_crop(fn.decoders.image(files, device="mixed"), size=16)
        return {"image": images, "label": labels}

    def by_label(**placed):
        found = {}
        for batch in data_iterator(draw, reader_name="reader", **placed)(batch_size=BATCH, seed=5, py_num_workers=2):
            if placed:
                assert batch["image"].sharding.device_set == set(local_gpus()[:2])
            images, labels = np.asarray(batch["image"]).reshape(-1, 16, 16, 3), np.asarray(batch["label"]).ravel()
            found |= {int(label): image for label, image in zip(labels, images, strict=True)}
        return found

    placed = {"devices": {"devices": local_gpus()[:2]}, "sharding": {"sharding": NamedSharding(mesh, P("data"))}}[form]
    expected, found = by_label(), by_label(**placed)
    assert len(expected) == len(paths)
    assert_equal(found, expected)
