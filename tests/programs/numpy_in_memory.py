"""Arrays in memory from a generator of tuples, with three outputs whose types and layouts the program gives."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def
from nvidia.dali.plugin.jax import DALIGenericIterator


def load_batches(batch_size):
    rng = np.random.RandomState(0)
    frames = rng.randint(0, 256, (10, 24, 20, 3), dtype=np.uint8)
    actions = rng.rand(10, 2).astype(np.float32)

    def generator():
        for start in range(0, len(frames), batch_size):
            chunk = slice(start, start + batch_size)
            yield frames[chunk], actions[chunk], np.arange(len(frames), dtype=np.int64)[chunk]

    return generator


@pipeline_def(batch_size=4, num_threads=2, device_id=None)
def pipeline():
    frames, actions, index = fn.external_source(
        source=load_batches(4), num_outputs=3, cycle="raise", layout=["HWC", "", ""], no_copy=True
    )
    frames = fn.crop_mirror_normalize(frames, dtype=types.FLOAT, mean=[0.0], std=[255.0], output_layout="HWC")
    return frames, fn.cast(actions, dtype=types.FLOAT16), index


def main(data):
    loader = DALIGenericIterator(pipeline(), ["obs", "action", "index"], auto_reset=True)
    for epoch in range(2):
        for batch in loader:
            yield batch
