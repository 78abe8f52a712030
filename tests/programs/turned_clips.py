"""Clips in which each frame is rotated a little further, and which are then blurred and cut as a whole."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types

FRAMES = 3


def clips(iteration):
    rng = np.random.default_rng(iteration)
    return [rng.integers(0, 256, (FRAMES, 12, 14 + k, 3), dtype=np.uint8) for k in range(2)]


def first_angles(iteration):
    return [np.float32(20 * iteration + 15 * k) for k in range(2)]


@pipeline_def(batch_size=2, num_threads=2, device_id=None, seed=3)
def turned():
    frames = fn.external_source(clips, layout="FHWC")
    angles = fn.external_source(first_angles) + np.float32([0, 30, 75])
    turning = fn.rotate(frames, angle=fn.per_frame(angles), fill_value=0, dtype=types.FLOAT)
    level = fn.gaussian_blur(frames, sigma=fn.per_frame(np.float32([0.5, 1.0, 1.5])), dtype=types.FLOAT)
    cut = fn.slice(level, (1, 1), (8, 9), axis_names="HW", normalized_anchor=False, normalized_shape=False)
    return turning / 255, cut, fn.reductions.mean(cut, axis_names="HWC")


def main(data):
    pipe = turned()
    pipe.build()
    for _ in range(2):
        yield pipe.run()
