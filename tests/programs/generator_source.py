"""A generator of batches as the source; it ends, and the epoch with it."""

import numpy as np
from nvidia.dali import fn, pipeline_def
from nvidia.dali.plugin.jax import DALIGenericIterator


def batches():
    for i in range(3):
        yield np.arange(i * 12, i * 12 + 12, dtype=np.float32).reshape(4, 3)


@pipeline_def(batch_size=4, num_threads=1, device_id=None)
def pipeline():
    data = fn.external_source(source=batches)
    return data, data * 2 + 1


def main(data):
    pipe = pipeline()
    while True:
        try:
            yield pipe.run()
        except StopIteration:
            break
    loader = DALIGenericIterator([pipeline()], ["x", "y"], auto_reset=True)
    for batch in loader:
        yield batch
