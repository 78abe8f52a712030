"""A list of batches that starts again by itself, and one that raises StopIteration first."""

import numpy as np
from nvidia.dali import fn, pipeline_def

BATCHES = [[np.full((2, 2), 10 * b + s, np.int32) for s in range(2)] for b in range(3)]


@pipeline_def(batch_size=2, num_threads=1, device_id=None)
def pipeline(cycle):
    return fn.external_source(source=BATCHES, cycle=cycle, layout="HW")


def main(data):
    for cycle in ("quiet", True, "raise"):
        pipe = pipeline(cycle)
        pipe.build()
        for _ in range(5):
            try:
                yield pipe.run()
            except StopIteration:
                yield "again"
                pipe.reset()
