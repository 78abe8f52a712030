"""JAX's persistent compilation cache works for pipelines, iterators and Loaders: a second process compiles nothing."""

import collections
import json
import os
import subprocess
import sys

import jpeg_files
import pytest

PROGRAM = """
import collections, json, os, sys
import jax
jax.config.update("jax_compilation_cache_dir", sys.argv[1])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
events = collections.Counter()
jax.monitoring.register_event_listener(lambda event, **_: events.update([event.rpartition("/")[2]]))
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec
from jaxdali import Loader, fn, image, pipeline_def
from jaxdali.plugin.jax import DALIGenericIterator, data_iterator

FILES = sys.argv[2:] * 8

def graph():
    files, labels = fn.readers.file(files=FILES, labels=list(range(len(FILES))))
    images = fn.random_resized_crop(fn.decoders.image(files), size=[8, 8])
    images = fn.brightness_contrast(images, contrast=fn.random.uniform(range=(1.0, 3.0)))
    return fn.crop_mirror_normalize(images, mirror=fn.random.coin_flip(), mean=127.5, std=64.0), labels

def iterator():
    pipe = pipeline_def(graph, batch_size=4, num_threads=1, device_id=None, seed=3)()
    with DALIGenericIterator(pipe, ["images", "labels"]) as batches:
        return next(batches)["images"]

def sharding():
    return NamedSharding(jax.make_mesh((jax.device_count(),), ("data",)), PartitionSpec("data"))

def sharded_iterator():
    @data_iterator(output_map=["images"], size=8, sharding=sharding())
    def batches(shard_id, num_shards):
        files, _ = fn.readers.file(files=FILES, shard_id=shard_id, num_shards=num_shards)
        return (fn.flip(fn.decoders.image_crop(files, crop=[8, 8]), horizontal=fn.random.coin_flip()),)

    # Without a seed: the system draws one for each process.
    with batches(batch_size=8, num_threads=1, py_num_workers=0) as made:
        return next(made)["images"]

class Data:
    def __len__(self):
        return 64

    def __getitem__(self, index):
        with open(sys.argv[2], "rb") as file:
            return {"file": file.read(), "label": np.int32(index)}

def augment(batch, keys):
    images = image.decode(batch["file"], canvas=(40, 50)).astype(np.float32)
    return images * jax.vmap(jax.random.uniform)(keys)[:, None, None, None] + batch["label"][:, None, None, None]

def loader(**options):
    with Loader(Data(), augment, batch_size=8, workers=0, **options) as made:
        return next(iter(made))

def sharded_loader():
    return loader(sharding=sharding())

if __name__ == "__main__":
    sums = [float(np.asarray(make()).astype(np.float64).sum()) for make in (WHAT)]
    print(json.dumps({**events, "sum": sum(sums)}))
"""


@pytest.mark.parametrize(
    ("what", "devices"), [("iterator, loader", 1), ("sharded_iterator, sharded_loader", 8)], ids=["one", "eight"]
)
def test_a_second_process_compiles_nothing(tmp_path, what, devices):
    file = tmp_path / "image.jpg"
    file.write_bytes(jpeg_files.pillow_jpeg(40, 50))
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.replace("WHAT", what))

    def run():
        command = [sys.executable, str(program), str(tmp_path / "cache"), str(file)]
        flags = f"--xla_force_host_platform_device_count={devices}"
        environment = os.environ | {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
        assert done.returncode == 0, done.stderr
        return collections.Counter(json.loads(done.stdout.splitlines()[-1]))

    first, second = run(), run()
    assert first["cache_misses"] > 0
    assert second["cache_misses"] == 0
    assert second["cache_hits"] == first["cache_misses"] + first["cache_hits"]
    assert second["sum"] == first["sum"]
