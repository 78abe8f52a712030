"""Devices without our calls, such as a TPU: the second and further CPU devices stand in for them."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from front_sources import Mapped
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from jpeg_files import pillow_jpeg

from jaxdali import ConfigError, Loader
from jaxdali._device.ffi import unsupported_platforms
from jaxdali.image import EncodedBatch, decode, decode_resample

CPUS = jax.devices("cpu")
OPTIONS = {"batch_size": 8, "shuffle": True, "seed": 5, "epochs": 1, "workers": 0}


@pytest.fixture
def _second_on_are_others(monkeypatch):
    monkeypatch.setattr(unsupported_platforms, "has_calls", lambda device: device == CPUS[0])


def sample(index):
    return {"image": pillow_jpeg(24 + index, 32), "y": index, "name": f"n{index}"}


def augment(batch, keys):
    images = decode_resample(batch["image"], None, (6, 6))
    return {"x": images.astype(jnp.float32) / 255, "y": batch["y"], "name": batch["name"]}


def mix(batch, key):
    return {**batch, "x": batch["x"] + jax.random.uniform(key)}


@pytest.mark.usefixtures("_second_on_are_others")
def test_augment_runs_on_the_cpu_and_its_results_are_put_on_devices():
    data = Mapped(sample, 12)
    cut = NamedSharding(Mesh(np.array(CPUS[2:6]), "x"), PartitionSpec("x"))
    whole = {place: list(Loader(data, augment, mix=mix, device=place, **OPTIONS)) for place in CPUS[:2]}
    loader = Loader(data, augment, mix=mix, sharding=cut, **OPTIONS)
    with jax.transfer_guard("disallow"):
        parted = list(loader)
    stacked = list(Loader(data, augment, mix=mix, devices=CPUS[2:6], **OPTIONS))
    assert len(parted) == 2 and loader.mask(1).sharding == parted[0]["x"].sharding == cut
    assert jax.tree.structure(parted[0]) == jax.tree.structure(loader.element_spec)
    for expected, one, several, rows in zip(whole[CPUS[0]], whole[CPUS[1]], parted, stacked, strict=True):
        assert one["x"].devices() == {CPUS[1]} and several["x"].devices() == rows["x"].devices() == {*CPUS[2:6]}
        assert rows["x"].shape == (4, 2, 6, 6, 3)
        for leaf in ("x", "y", "name"):
            for batch in (one, several, rows):
                np.testing.assert_array_equal(np.reshape(batch[leaf], expected[leaf].shape), expected[leaf])


@pytest.mark.usefixtures("_second_on_are_others")
def test_files_are_not_handed_out_where_nothing_decodes_them():
    with pytest.raises(ConfigError, match=r"holds encoded images, which .* cannot decode: decode them in augment"):
        Loader(Mapped(sample, 12), device=CPUS[1], **OPTIONS)


def test_a_program_that_decodes_is_not_compiled_for_a_tpu():
    files = EncodedBatch.from_encoded([sample(0)["image"]], device=CPUS[0])
    for function, name in (
        (lambda files: decode(files, canvas=(32, 32)), "decode"),
        (lambda files: decode_resample(files, None, (8, 8)), "decode_resample"),
    ):
        traced = jax.jit(function).trace(files)
        traced.lower(lowering_platforms=("cpu", "cuda"))
        with pytest.raises(
            ConfigError, match=rf"jaxdali.image.{name} decodes on CPUs .* compiled for tpu: .* Loader's"
        ):
            traced.lower(lowering_platforms=("cpu", "tpu"))
    assert all(map(unsupported_platforms.has_calls, CPUS))
