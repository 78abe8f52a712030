"""A callback that returns batches by number, and ends the epoch itself."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types


class BatchCallback:
    def __init__(self, batch_size, count):
        self.batch_size, self.count = batch_size, count

    def __call__(self, iteration):
        if iteration >= self.count // self.batch_size:
            raise StopIteration
        first = iteration * self.batch_size
        images = [np.full((4 + k, 5, 3), first + k, np.uint8) for k in range(self.batch_size)]
        labels = np.arange(first, first + self.batch_size, dtype=np.int64)
        return images, labels


@pipeline_def(batch_size=4, num_threads=2, device_id=None)
def pipeline(callback):
    images, labels = fn.external_source(
        source=callback, num_outputs=2, layout=["HWC", ""], dtype=[types.UINT8, types.INT64], ndim=[3, 0]
    )
    return images, labels


def main(data):
    pipe = pipeline(BatchCallback(4, 12))
    pipe.build()
    for epoch in range(2):
        while True:
            try:
                yield pipe.run()
            except StopIteration:
                yield "end of epoch"
                pipe.reset()
                break
