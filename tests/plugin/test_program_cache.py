"""JAX's persistent compilation cache serves pipelines: a second process compiles nothing."""

import collections
import json
import os
import subprocess
import sys

import jpeg_files

PROGRAM = """
import collections, json, os, sys
import jax
jax.config.update("jax_compilation_cache_dir", sys.argv[1])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
events = collections.Counter()
jax.monitoring.register_event_listener(lambda event, **_: events.update([event.rpartition("/")[2]]))
import numpy as np
from jaxdali import fn, pipeline_def
from jaxdali.plugin.jax import DALIGenericIterator

@pipeline_def(batch_size=4, num_threads=1, device_id=None, seed=3)
def graph():
    files, labels = fn.readers.file(files=sys.argv[2:] * 4, labels=list(range(4 * len(sys.argv[2:]))))
    images = fn.random_resized_crop(fn.decoders.image(files), size=[8, 8])
    images = fn.brightness_contrast(images, contrast=fn.random.uniform(range=(1.0, 3.0)))
    return fn.crop_mirror_normalize(images, mirror=fn.random.coin_flip(), mean=127.5, std=64.0), labels

if __name__ == "__main__":
    with DALIGenericIterator(graph(), ["images", "labels"]) as batches:
        images = np.asarray(next(batches)["images"])
    print(json.dumps({**events, "sum": float(images.astype(np.float64).sum())}))
"""


def test_a_second_process_compiles_nothing(tmp_path):
    file = tmp_path / "image.jpg"
    file.write_bytes(jpeg_files.pillow_jpeg(40, 50))
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)

    def run():
        command = [sys.executable, str(program), str(tmp_path / "cache"), str(file)]
        environment = os.environ | {"JAX_PLATFORMS": "cpu"}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
        assert done.returncode == 0, done.stderr
        return collections.Counter(json.loads(done.stdout.splitlines()[-1]))

    first, second = run(), run()
    assert first["cache_misses"] > 0
    assert second["cache_misses"] == 0
    assert second["cache_hits"] == first["cache_misses"] + first["cache_hits"]
    assert second["sum"] == first["sum"]
