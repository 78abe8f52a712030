"""Segmentation of scans: image and mask go through each operator together, so both get the same random values."""

import numpy as np
from nvidia.dali import ops, types
from nvidia.dali.pipeline import Pipeline


class Scans:
    def __init__(self, batch_size):
        self.batch_size = batch_size
        self.position = 0

    def __iter__(self):
        return self

    def __next__(self):
        images, masks = [], []
        for _ in range(self.batch_size):
            ramp = np.arange(20 * 24, dtype=np.int64).reshape(20, 24, 1) + 7 * self.position
            images.append((ramp % 251).astype(np.uint8))
            masks.append((ramp % 251).astype(np.uint8))
            self.position += 1
        return images, masks


class SegmentationPipeline(Pipeline):
    def __init__(self, batch_size):
        super().__init__(batch_size, 2, None, seed=17)
        self.source = ops.ExternalSource(Scans(batch_size), num_outputs=2, layout=["HWC", "HWC"])
        self.coin = ops.random.CoinFlip(probability=0.5)
        self.uniform = ops.random.Uniform(range=(0.0, 1.0))
        self.flip = ops.Flip(device="cpu")
        self.crop = ops.Crop(device="cpu", crop=(16, 16))
        self.cast = ops.Cast(dtype=types.FLOAT)

    def define_graph(self):
        image, mask = self.source()
        image, mask = self.flip([image, mask], horizontal=self.coin(), vertical=self.coin())
        image, mask = self.crop([image, mask], crop_pos_x=self.uniform(), crop_pos_y=self.uniform())
        return self.cast(image), mask


def main(data):
    pipe = SegmentationPipeline(3)
    pipe.build()
    for _ in range(3):
        yield pipe.run()
