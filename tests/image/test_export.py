"""Functions that decode are exported, and run in a process that has not decoded before."""

import subprocess
import sys

import jax
import numpy as np
import pytest
from jax import export
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P
from jpeg_files import pillow_jpeg

from jaxdali.errors import ConfigError
from jaxdali.image import EncodedBatch, custom_call_targets, decode, decode_resample
from jaxdali.image import open as open_images

FILES = [pillow_jpeg(30 + k, 40) for k in range(4)]


def function(batch):
    return decode(batch, (40, 48)), decode_resample(batch, None, (8, 8), mean=100.0)


def checks():
    return [export.DisabledSafetyCheck.custom_call(name) for name in custom_call_targets()]


LOADED = """
import sys
import jax, numpy as np
from jax import export
from jaxdali.image import EncodedBatch, custom_call_targets

custom_call_targets()
exported = export.deserialize(open(sys.argv[1], "rb").read())
arrays = np.load(sys.argv[2])
batch = EncodedBatch(*(jax.device_put(arrays[name]) for name in ("bytes", "rows", "sizes")))
np.savez(sys.argv[3], *map(np.asarray, exported.call(batch)))
"""


def test_an_exported_function_gives_the_same_in_a_fresh_process(tmp_path):
    batch = EncodedBatch.from_encoded(FILES)
    exported = export.export(jax.jit(function), disabled_checks=checks())(batch)
    paths = [tmp_path / name for name in ("function", "batch.npz", "results.npz")]
    paths[0].write_bytes(exported.serialize())
    np.savez(paths[1], **{name: np.asarray(getattr(batch, name)) for name in ("bytes", "rows", "sizes")})
    subprocess.run([sys.executable, "-c", LOADED, *map(str, paths)], check=True, timeout=60)
    with np.load(paths[2]) as results:
        for found, expected in zip(results.values(), function(batch), strict=True):
            np.testing.assert_array_equal(found, expected)


def test_without_the_switch_jax_refuses():
    with pytest.raises(ValueError, match="jaxdali_decode_v1"):
        export.export(jax.jit(function))(EncodedBatch.from_encoded(FILES))


def test_a_sharded_batch_is_refused_with_what_to_do():
    mesh = jax.make_mesh((2,), ("data",))
    batch = EncodedBatch.from_encoded(FILES)
    sharding = NamedSharding(mesh, P("data"))
    arrays = (np.concatenate([np.asarray(batch.bytes)] * 2), np.asarray(batch.rows), np.asarray(batch.sizes))
    sharded = EncodedBatch(*jax.device_put(arrays, sharding), sharding)
    exported = export.export(jax.jit(lambda b: b.sizes), disabled_checks=checks())(sharded)
    with pytest.raises(ConfigError, match="function of its arrays"):
        exported.serialize()


@pytest.mark.parametrize(
    ("recipe", "target"),
    [
        (lambda images: images.crop(20, 20).resize(size=(8, 8)), "jaxdali_decode_resample_v1"),
        (lambda images: images.flip(True).crop(20, 20).resize(size=(8, 8)), "jaxdali_images_v1"),
        (lambda images: images.flip(images.extents[:, 0] > 30).resize(size=(8, 8)), "jaxdali_images_v1"),
    ],
    ids=["one window", "mirrored before", "mirrored or not"],
)
def test_the_call_that_a_recipe_becomes_on_a_gpu(recipe, target):
    def made(batch):
        return recipe(open_images(batch)).array()

    batch = EncodedBatch.from_encoded(FILES)
    exported = export.export(jax.jit(made), platforms=["cuda"], disabled_checks=checks())(batch)
    targets = [name for name in custom_call_targets() if name in exported.mlir_module()]
    assert targets == [target]
