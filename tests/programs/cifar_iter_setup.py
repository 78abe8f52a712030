"""CIFAR in memory: a class whose iter_setup feeds its external sources, and an iterator over whole batches."""

import numpy as np
import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


class CIFAR_INPUT_ITER:
    def __init__(self, batch_size, count):
        draws = np.random.RandomState(0)
        self.batch_size = batch_size
        self.data = draws.randint(0, 256, (count, 32, 32, 3)).astype(np.uint8)
        self.targets = np.arange(count, dtype=np.int32) % 10

    def __iter__(self):
        self.i = 0
        self.n = len(self.data)
        return self

    def __next__(self):
        batch = []
        labels = []
        for _ in range(self.batch_size):
            img, label = self.data[self.i], self.targets[self.i]
            batch.append(img)
            labels.append(np.array([label], dtype=np.int32))
            self.i = (self.i + 1) % self.n
        return (batch, labels)

    next = __next__


class HybridTrainPipe_CIFAR(Pipeline):
    def __init__(self, batch_size, num_threads, device_id, crop=28, count=10):
        super().__init__(batch_size, num_threads, device_id, seed=12)
        self.iterator = iter(CIFAR_INPUT_ITER(batch_size, count))
        self.input = ops.ExternalSource()
        self.input_label = ops.ExternalSource()
        self.uniform = ops.Uniform(range=(0.0, 1.0))
        self.crop = ops.Crop(device="cpu", crop_h=crop, crop_w=crop)
        self.cmnp = ops.CropMirrorNormalize(
            device="cpu",
            output_dtype=types.FLOAT,
            output_layout=types.NCHW,
            image_type=types.RGB,
            mean=[0.49139968 * 255.0, 0.48215827 * 255.0, 0.44653124 * 255.0],
            std=[0.24703233 * 255.0, 0.24348505 * 255.0, 0.26158768 * 255.0],
        )
        self.coin = ops.CoinFlip(probability=0.5)

    def iter_setup(self):
        (images, labels) = next(self.iterator)
        self.feed_input(self.jpegs, images, layout="HWC")
        self.feed_input(self.labels, labels)

    def define_graph(self):
        rng = self.coin()
        self.jpegs = self.input()
        self.labels = self.input_label()
        output = self.jpegs
        output = self.crop(output, crop_pos_x=self.uniform(), crop_pos_y=self.uniform())
        output = self.cmnp(output, mirror=rng)
        return [output, self.labels, self.jpegs]


def main(data):
    pipe = HybridTrainPipe_CIFAR(batch_size=4, num_threads=2, device_id=None)
    pipe.build()
    for _ in range(4):
        yield pipe.run()
