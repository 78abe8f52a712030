"""A detector's input on a server: files' sizes determine how images are resized to fit into a square canvas."""

import glob
import os
import tempfile

import numpy as np
from nvidia.dali import Pipeline, fn, pipeline_def, types

SIDE = 40


@pipeline_def(batch_size=2, num_threads=2, device_id=None)
def letterbox():
    encoded = fn.external_source(name="encoded", dtype=types.UINT8, ndim=1)
    shape = fn.peek_image_shape(encoded)
    height = fn.slice(shape, start=[0], shape=[1], axes=[0])
    width = fn.slice(shape, start=[1], shape=[1], axes=[0])
    longest = fn.reductions.max(fn.cat(width, height, axis=0), axes=[0])
    images = fn.resize(
        fn.decoders.image(encoded, output_type=types.RGB),
        resize_x=fn.cast(width * SIDE // longest, dtype=types.FLOAT),
        resize_y=fn.cast(height * SIDE // longest, dtype=types.FLOAT),
        interp_type=types.INTERP_LINEAR,
        antialias=False,
        subpixel_scale=False,
    )
    images = fn.paste(images, ratio=1.0, min_canvas_size=SIDE, paste_x=0.5, paste_y=0.5, fill_value=[0, 0, 0])
    return fn.crop_mirror_normalize(images, dtype=types.FLOAT, std=[255.0] * 3, output_layout="CHW")


def main(data):
    files = [np.fromfile(path, dtype=np.uint8) for path in sorted(glob.glob(data + "/train/*/*.jpg"))[:4]]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.dali")
        letterbox().serialize(filename=path)
        served = Pipeline.deserialize(filename=path)
    for first in (0, 2):
        served.feed_input("encoded", files[first : first + 2])
    for _ in range(2):
        yield list(served.run())
