"""Slices and indices of nodes, and shapes as numbers in arithmetic."""

import numpy as np
from nvidia.dali import fn, newaxis, pipeline_def, types


@pipeline_def(batch_size=2, num_threads=1, device_id=None)
def cut(source):
    images, where = fn.external_source(source=source, num_outputs=2, batch=False, layout=["HWC", ""])
    height = fn.shapes(images)[0]
    return (
        images[2:-1, :, 0],
        images[:, ::2],
        images[0],
        images[where[0] :, where[1] : where[1] + 2],
        images[-1, -1, -1],
        height,
        images.shape(dtype=types.INT32),
        where[newaxis],
    )


def source(info):
    height, width = 6 + info.idx_in_epoch, 8
    image = np.arange(height * width * 3, dtype=np.int32).reshape(height, width, 3)
    return image, np.array([1, 3], np.int32)


def main(data):
    pipe = cut(source)
    pipe.build()
    for _ in range(2):
        yield pipe.run()
