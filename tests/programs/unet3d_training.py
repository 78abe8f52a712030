"""nnU-Net and UNet3D: patches around objects of segmented volumes, randomly mirrored, brightened, blurred and noisy."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline

PATCH = [5, 6, 7]


def volume(k):
    rng = np.random.default_rng(k)
    label = np.zeros((1, 9, 10, 11), np.uint8)
    label[0, 1:4, 2:5, 3:6] = 1
    label[0, 6:8, 6 : 8 + k % 2, 7:9] = 2
    image = rng.normal(0, 1, label.shape) + label * 10.0
    return image.astype(np.float32), label


class Volumes:
    def __call__(self, info):
        return volume(info.idx_in_epoch % 6)


class TrainPipeline(Pipeline):
    def __init__(self, batch_size, oversampling, augment):
        super().__init__(batch_size, num_threads=2, device_id=None, seed=4)
        self.oversampling = oversampling
        self.crop_shape = types.Constant(np.array(PATCH), dtype=types.INT64)
        self.augment = augment
        self.flips = [ops.random.CoinFlip(probability=0.5) for _ in range(3)]

    def load_data(self):
        return fn.external_source(Volumes(), num_outputs=2, batch=False, layout=["CDHW", "CDHW"])

    def biased_crop(self, image, label):
        start, end = fn.segmentation.random_object_bbox(
            label,
            format="start_end",
            background=0,
            k_largest=2,
            foreground_prob=self.oversampling,
            device="cpu",
            cache_objects=True,
        )
        anchor = fn.roi_random_crop(label, roi_start=start, roi_end=end, crop_shape=[1, *PATCH])
        anchor = fn.slice(anchor, 1, 3, axes=[0])
        return fn.slice([image, label], anchor, self.crop_shape, axis_names="DHW", out_of_bounds_policy="pad")

    def augmented(self, image):
        on = fn.random.coin_flip(probability=0.15)
        image = image * (1 - on) + image * fn.random.uniform(range=(0.7, 1.3)) * on
        noise = fn.random.normal(image, stddev=fn.random.uniform(range=(0.0, 0.33)))
        return image + noise * fn.random.coin_flip(probability=0.15)

    def define_graph(self):
        image, label = self.load_data()
        image, label = self.biased_crop(image, label)
        d, v, h = (flip() for flip in self.flips)
        image, label = fn.flip([image, label], horizontal=h, vertical=v, depthwise=d)
        if self.augment:
            image = self.augmented(image)
        return fn.cast(image, dtype=types.FLOAT), fn.cast(label, dtype=types.UINT8)


def main(data):
    for oversampling, augment in ((1.0, False), (0.4, True)):
        pipe = TrainPipeline(2, oversampling, augment)
        pipe.build()
        for _ in range(3):
            yield list(pipe.run())
