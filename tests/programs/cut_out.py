"""Cutout, Hide-and-Seek and grid masks with smoothed labels, as used to train small image classifiers."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def

CLASSES = 3


def holes():
    k = 0
    while True:
        rng = np.random.default_rng(k)
        k += 1
        anchors = [rng.uniform(0, 1, 2 * (1 + row)).astype(np.float32) for row in range(1)] * 3
        yield anchors, [np.full(2, 0.25, np.float32)] * 3, [np.float32(rng.uniform(0, 1)) for _ in range(3)]


@pipeline_def(batch_size=3, num_threads=2, device_id=None)
def cutout_pipeline(root):
    jpegs, labels = fn.readers.file(file_root=root, name="Reader")
    images = fn.crop(fn.decoders.image(jpegs, device="cpu"), crop=(32, 32))
    anchor, shape, angle = fn.external_source(source=holes, num_outputs=3)
    cut = fn.erase(
        images, anchor=anchor, shape=shape, normalized=True, centered_anchor=True, fill_value=(124, 116, 104)
    )
    grid = fn.grid_mask(images, tile=9, ratio=0.4, angle=0.0, shift_x=2.0)
    tiles = fn.erase(images, anchor=(0, 0, 8, 16, 24, 8), shape=(8, 8, 8, 8, 8, 8), axis_names="HW")
    target = fn.one_hot(labels, num_classes=CLASSES, on_value=0.9, off_value=0.05, dtype=types.FLOAT)
    chosen = (angle > 0.5) * cut + (angle <= 0.5) * grid
    return cut, grid, tiles, target, chosen


def main(data):
    pipe = cutout_pipeline(data + "/train")
    pipe.build()
    for _ in range(2):
        yield pipe.run()
