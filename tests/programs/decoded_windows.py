"""Decodes only a window of each image: fused crops at fixed, relative and random positions."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types


@pipeline_def(batch_size=3, num_threads=2, device_id=None, seed=6)
def windows(root):
    jpegs, _ = fn.readers.file(file_root=root)
    centre = fn.decoders.image_crop(jpegs, crop=(20, 24), output_type=types.RGB)
    corner = fn.decoders.image_crop(jpegs, crop=(20, 24), crop_pos_x=0.0, crop_pos_y=1.0)
    anchors = fn.random.uniform(range=(0.0, 0.2), shape=2)
    drawn = fn.decoders.image_slice(jpegs, anchors, np.float32([24, 20]), axes=(0, 1), normalized_shape=False)
    fixed = fn.decoders.image_slice(jpegs, start=(2, 3), shape=(16, 18), axes=(0, 1))
    return centre, corner, fixed, drawn, anchors


def main(data):
    pipe = windows(data + "/train")
    pipe.build()
    for _ in range(2):
        yield pipe.run()
