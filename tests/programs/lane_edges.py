"""Finding lanes: the lower part of each frame of a road, and its edges by Sobel filters."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def

SOBEL = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], np.float32)


@pipeline_def(batch_size=2, num_threads=2, device_id=None)
def lanes(root):
    files, _ = fn.readers.file(file_root=root)
    frames = fn.decoders.image(files, output_type=types.GRAY)
    road = fn.crop(frames, crop=(24, 40), crop_pos_y=1.0)
    across = fn.filter(road, types.Constant(SOBEL, device="cpu"), dtype=types.FLOAT)
    along = fn.filter(road, types.Constant(SOBEL.T.copy(), device="cpu"), dtype=types.FLOAT, border="clamp")
    inner = fn.filter(road, types.Constant(np.ones((3, 5), np.float32), device="cpu"), dtype=types.FLOAT, mode="valid")
    return road, across * across + along * along, inner


def main(data):
    pipe = lanes(data + "/val")
    pipe.build()
    for _ in range(2):
        yield pipe.run()
