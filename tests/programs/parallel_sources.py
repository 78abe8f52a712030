"""Two sources in worker processes: a plain function that returns a sample, and an iterator of whole batches."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types

EPOCH = 4


def sample(info):
    if info.iteration >= EPOCH:
        raise StopIteration
    rows = 2 + info.idx_in_batch
    return np.full((rows, 3), info.idx_in_epoch, np.uint8), np.array([info.epoch_idx], np.int32)


class Batches:
    def __init__(self, batch_size):
        self.batch_size = batch_size

    def __iter__(self):
        self.step = 0
        return self

    def __next__(self):
        if self.step == EPOCH:
            raise StopIteration
        self.step += 1
        return [np.array([100 * self.step + k], np.int32) for k in range(self.batch_size)]


@pipeline_def(batch_size=3, num_threads=1, device_id=None, py_num_workers=2, py_start_method="spawn")
def pipeline(batches):
    rows, epochs = fn.external_source(
        sample, num_outputs=2, batch=False, parallel=True, dtype=[types.UINT8, types.INT32]
    )
    numbers = fn.external_source(batches, batch=True, parallel=True, cycle="raise")
    return rows, epochs, numbers, numbers + epochs


def main(data):
    pipe = pipeline(Batches(3))
    pipe.build()
    for epoch in range(2):
        for _ in range(EPOCH):
            yield pipe.run()
        try:
            pipe.run()
        except StopIteration:
            pipe.reset()
