"""Epochs that differ: the source learns the epoch's number, and the loop resets the pipeline at the end of each."""

import numpy as np
from nvidia.dali import fn, pipeline_def


class EpochSource:
    """Different data in each epoch, whose number BatchInfo tells."""

    def __call__(self, info):
        if info.iteration == 2:
            raise StopIteration
        return np.full((3, 2), 100 * info.epoch_idx + info.iteration, np.float32)


@pipeline_def(batch_size=3, num_threads=1, device_id=None)
def pipeline():
    x = fn.external_source(source=EpochSource(), batch_info=True)
    return x, -x, x**2, x > 100


def main(data):
    pipe = pipeline()
    for epoch in range(3):
        try:
            while True:
                yield pipe.run()
        except StopIteration:
            pipe.reset()
