"""Python workers that are forked before anything else starts, by start_py_workers; they get batches by number."""

import numpy as np
from nvidia.dali import fn, pipeline_def


@pipeline_def(batch_size=4, num_threads=1, device_id=None, py_num_workers=2, py_start_method="fork")
def pipeline(offset):
    def batch_of(info):
        if info.iteration >= 3:
            raise StopIteration
        first = offset + 4 * info.iteration + 100 * info.epoch_idx
        return [np.array([first + k], dtype=np.int32) for k in range(4)]

    return fn.external_source(source=batch_of, batch=True, batch_info=True, parallel=True)


def main(data):
    pipe = pipeline(1000)
    pipe.start_py_workers()
    pipe.build()
    for epoch in range(2):
        for _ in range(3):
            yield pipe.run()
        try:
            pipe.run()
        except StopIteration:
            pipe.reset()
