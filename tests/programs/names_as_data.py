"""Files with their names: pairs of images for metric learning, and precomputed features for each."""

import os

import numpy as np
from nvidia.dali import fn, pipeline_def, types


class Pairs:
    """The names of an image, of its positive, and of the features that were computed beforehand."""

    def __init__(self, images, arrays, batch_size):
        self.images = sorted(os.path.join(at, name) for at, _, names in os.walk(images) for name in names)
        self.arrays = sorted(os.path.join(arrays, name) for name in os.listdir(arrays) if name.endswith("_y.npy"))
        self.batch_size = batch_size

    def __call__(self, iteration):
        if iteration >= 2:
            raise StopIteration
        rows = [iteration * self.batch_size + row for row in range(self.batch_size)]
        anchors = [encoded(self.images[k % len(self.images)]) for k in rows]
        positives = [encoded(self.images[(k + 1) % len(self.images)]) for k in rows]
        return anchors, positives, [encoded(self.arrays[k % len(self.arrays)]) for k in rows]


def encoded(path):
    return np.frombuffer(path.encode("utf-8"), dtype=np.uint8)


@pipeline_def(batch_size=2, num_threads=2, device_id=None)
def pairs(source):
    anchors, positives, features = fn.external_source(source, num_outputs=3)
    images = [fn.decoders.image(fn.io.file.read(names)) for names in (anchors, positives)]
    images = [fn.resize_crop_mirror(one, resize_shorter=20, crop=(16, 16), dtype=types.FLOAT) for one in images]
    features = fn.decoders.numpy(fn.io.file.read(features), dtype=types.FLOAT)
    return (*images, features)


def main(data):
    pipe = pairs(Pairs(data + "/train", data + "/volumes", 2))
    pipe.build()
    for _ in range(2):
        yield pipe.run()
