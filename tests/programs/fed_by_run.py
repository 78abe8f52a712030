"""Inputs of a pipeline as keywords of run."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types


@pipeline_def(batch_size=3, num_threads=1, device_id=None)
def affine():
    x = fn.external_source(name="x")
    w = fn.external_source(name="w")
    return x * w + 1.0, fn.cast(x, dtype=types.INT32)


def main(data):
    pipe = affine(prefetch_queue_depth=1)
    pipe.build()
    for k in range(3):
        x = np.arange(6, dtype=np.float32).reshape(3, 2) + k
        yield pipe.run(x=x, w=[np.full(2, k, np.float32)] * 3)
