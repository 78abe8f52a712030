"""Clips of frames: played backwards, slowed down and shuffled, with a list of brightnesses for the frames."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def

FRAMES = 5


def clips():
    for batch in range(2):
        frames, orders, levels = [], [], []
        for row in range(3):
            rng = np.random.default_rng(10 * batch + row)
            frames.append(rng.integers(0, 256, (FRAMES, 12, 14, 3), dtype=np.uint8))
            orders.append(rng.permutation(FRAMES)[: 2 + row].astype(np.int32))
            levels.append(rng.uniform(0.5, 1.5, FRAMES).astype(np.float32))
        yield frames, orders, levels


@pipeline_def(batch_size=3, num_threads=2, device_id=None)
def clip_pipeline():
    frames, order, level = fn.external_source(source=clips, num_outputs=3, layout=["FHWC", "", ""])
    backwards = fn.sequence_rearrange(frames, new_order=list(range(FRAMES - 1, -1, -1)))
    slow = fn.sequence_rearrange(frames, new_order=[0, 0, 1, 1, 2, 2])
    some = fn.sequence_rearrange(frames, new_order=order)
    brighter = fn.brightness_contrast(frames, brightness=fn.per_frame(level), dtype=types.UINT8)
    first, last = fn.element_extract(backwards, element_map=[0, FRAMES - 1])
    middle = fn.crop_mirror_normalize(slow, crop=(8, 8), mirror=1, dtype=types.FLOAT, output_layout="FCHW")
    return backwards, some, brighter, first - last, middle


def main(data):
    pipe = clip_pipeline()
    pipe.build()
    for _ in range(2):
        yield pipe.run()
