"""Clips of frames: resized, with a window of each frame, and channels before height and width for a network."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types


def clips():
    rng = np.random.default_rng(3)
    while True:
        yield [rng.integers(0, 256, (4 + k, 24, 30 + 2 * k, 3), np.uint8) for k in range(2)]


@pipeline_def(batch_size=2, num_threads=2, device_id=None)
def clip_pipeline(crop):
    video = fn.external_source(clips(), layout="FHWC")
    small = fn.resize(video, resize_shorter=17)
    frames = fn.crop_mirror_normalize(
        small,
        crop=(crop, crop),
        mean=[128.0, 128.0, 128.0],
        std=[64.0, 64.0, 64.0],
        mirror=1,
        dtype=types.FLOAT,
        output_layout=types.NFCHW,
    )
    first = fn.slice(fn.flip(video, horizontal=0, vertical=1), start=0, shape=2, axes=[0])
    return frames, first, fn.rotate(video, angle=90.0, interp_type=types.INTERP_NN)


def main(data):
    pipe = clip_pipeline(crop=16)
    pipe.build()
    for _ in range(2):
        yield pipe.run()
