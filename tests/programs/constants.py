"""Constants in arithmetic and as outputs."""

import numpy as np
import nvidia.dali.types as types
from nvidia.dali import fn, pipeline_def


@pipeline_def(batch_size=3, num_threads=1, device_id=None)
def with_constants(source):
    images = fn.external_source(source=source, batch=False, layout="HWC")
    scaled = (images - types.Constant(127.5).float32()) / types.Constant(127.5).float32()
    shifted = images + types.Constant(48).uint8()
    mean = types.Constant(np.array([1.0, 2.0, 3.0], np.float32))
    return (
        scaled,
        shifted,
        images - mean,
        types.Constant([7, 8, 9]),
        types.Constant(True),
        types.Constant(5, dtype=types.INT64, shape=[2, 2]),
    )


def main(data):
    pipe = with_constants(lambda info: np.full((2, 3, 3), 10 * info.idx_in_epoch, np.uint8))
    pipe.build()
    for _ in range(2):
        yield pipe.run()
