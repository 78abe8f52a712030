"""Augmentation by values from lists with probabilities: angles of rotation, levels; and draws of all kinds."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types

RAMP = np.arange(8 * 8, dtype=np.uint8).reshape(8, 8, 1)


@pipeline_def(batch_size=6, num_threads=1, device_id=None, seed=33)
def chosen():
    images = fn.external_source(lambda: [RAMP] * 6, layout="HWC")
    angle = fn.random.choice([0.0, 90.0, 180.0], p=[0.5, 0.25, 0.25])
    level = fn.random.choice(types.Constant(np.float32([1.0, 2.0, 4.0]), device="cpu"))
    several = fn.random.choice(5, shape=[4])
    row = fn.random.choice(types.Constant(np.int32([[1, 2], [3, 4], [5, 6]]), device="cpu"))
    turned = fn.rotate(images, angle=angle, keep_size=True, interp_type=types.INTERP_NN)
    brighter = fn.cast(images, dtype=types.FLOAT) * level
    return turned, angle, brighter, level, several, row, fn.random.beta(alpha=2.0, beta=5.0, shape=[3])


def main(data):
    pipe = chosen()
    pipe.build()
    for _ in range(4):
        yield list(pipe.run())
