"""Volumes of a scanner and their labels, as for UNet3D: a window in 3D, mirrored along each axis, brighter."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


def scans():
    for k in range(4):
        shape = (18 + k, 20, 22 - k, 1)
        volume = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        yield [volume, volume + 7], [(volume % 3).astype(np.uint8), (volume % 2).astype(np.uint8)]


class GenericPipeline(Pipeline):
    def __init__(self, batch_size, num_threads, device_id, patch_size):
        super().__init__(batch_size, num_threads, device_id)
        self.patch_size = patch_size

    def define_graph(self):
        image, label = fn.external_source(scans(), num_outputs=2, layout="DHWC")
        image, label = (fn.crop(one, crop=self.patch_size, crop_pos_z=0.25, crop_pos_y=1.0) for one in (image, label))
        flags = [fn.random.coin_flip(probability=p) for p in (1.0, 0.0, 1.0)]
        image, label = (
            fn.flip(one, horizontal=flags[0], vertical=flags[1], depthwise=flags[2]) for one in (image, label)
        )
        half = fn.resize(image, size=[8, 6, 4], interp_type=types.INTERP_LINEAR, antialias=False)
        return (
            fn.transpose(image * 1.5, perm=(3, 0, 1, 2)),
            fn.crop_mirror_normalize(label, dtype=types.FLOAT, output_layout="CDHW"),
            half,
        )


def main(data):
    pipe = GenericPipeline(2, 2, None, [16, 12, 8])
    pipe.build()
    for _ in range(3):
        yield pipe.run()
