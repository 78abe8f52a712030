"""Lanes: the same crop and flip for image and mask, nearest neighbours for masks, a lookup table for labels."""

import numpy as np
import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


class LaneSource:
    def __init__(self, root, batch_size):
        import glob

        self.files = sorted(glob.glob(root + "/*/*.jpg"))
        self.batch_size = batch_size
        self.i = 0

    def __iter__(self):
        self.i = 0
        return self

    def __next__(self):
        if self.i >= len(self.files) - self.batch_size + 1:
            self.i = 0
            raise StopIteration
        images, masks, flips = [], [], []
        for k in range(self.batch_size):
            with open(self.files[self.i + k], "rb") as f:
                images.append(np.frombuffer(f.read(), dtype=np.uint8))
            yy, xx = np.mgrid[:40, :40]
            masks.append((((xx + yy + self.i + k) // 8) % 4).astype(np.uint8)[..., None])
            flips.append(np.array([(self.i + k) % 2], dtype=np.int32))
        self.i += self.batch_size
        return images, masks, flips


class LanePipeline(Pipeline):
    def __init__(self, root, batch_size, num_threads, device_id):
        super(LanePipeline, self).__init__(batch_size, num_threads, device_id, seed=12)  # noqa: UP008
        self.source = LaneSource(root, batch_size)
        self.input = ops.ExternalSource(source=self.source, num_outputs=3, cycle="raise")
        self.decode = ops.decoders.Image(device="cpu", output_type=types.RGB)
        self.crop = ops.Crop(device="cpu", crop=(40, 40))
        self.flip = ops.Flip(device="cpu")
        self.resize_mask = ops.Resize(device="cpu", resize_x=20, resize_y=20, interp_type=types.INTERP_NN)
        self.norm = ops.CropMirrorNormalize(
            device="cpu",
            dtype=types.FLOAT,
            mean=[103.939, 116.779, 123.68],
            std=[1.0, 1.0, 1.0],
            output_layout=types.NCHW,
        )
        self.lut = ops.LookupTable(keys=[0, 1, 2, 3], values=[0, 1, 1, 255], dtype=types.UINT8)

    def define_graph(self):
        images, masks, flips = self.input()
        images = self.crop(self.decode(images))
        masks = self.lut(masks)
        images, masks = self.flip(images, horizontal=flips), self.flip(masks, horizontal=flips)
        small = self.resize_mask(masks)
        valid = small != 255
        return self.norm(images), masks, small, valid * small


def main(data):
    pipe = LanePipeline(data + "/train", 3, 2, None)
    pipe.build()
    for _ in range(2):
        while True:
            try:
                yield pipe.run()
            except StopIteration:
                pipe.reset()
                break
