"""A pipeline that is written to a file in one place and loaded in another."""

import os
import tempfile

from nvidia.dali import Pipeline, fn, pipeline_def, types


@pipeline_def(batch_size=3, num_threads=2, device_id=None, seed=19)
def preprocessing():
    jpegs = fn.external_source(name="DALI_INPUT_0", dtype=types.UINT8, ndim=1)
    images = fn.decoders.image(jpegs, output_type=types.RGB)
    images = fn.crop_mirror_normalize(images, crop=(24, 24), dtype=types.FLOAT, mean=[128.0] * 3, std=[64.0] * 3)
    return images, images[0, 0]


def main(data):
    import numpy as np

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.dali")
        preprocessing().serialize(filename=path)
        pipe = Pipeline.deserialize(filename=path, prefetch_queue_depth=1)
    pipe.build()
    with open(data + "/train.txt") as file:
        names = [line.split()[0] for line in file][:3]
    pipe.feed_input("DALI_INPUT_0", [np.fromfile(f"{data}/{name}", np.uint8) for name in names])
    yield pipe.run()
