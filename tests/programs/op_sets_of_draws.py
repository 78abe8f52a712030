"""Pairs for stereo or super-resolution: a random operator over several inputs draws once for all of them."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


@pipeline_def
def pairs(root):
    jpegs, labels = fn.readers.file(file_root=root)
    left = fn.decoders.image(jpegs, output_type=types.RGB)
    right = fn.decoders.image(jpegs, output_type=types.RGB)
    left, right = fn.random_resized_crop([left, right], size=(24, 24))
    mirror = fn.random.coin_flip()
    left, right = fn.crop_mirror_normalize([left, right], mirror=mirror, dtype=types.FLOAT, output_layout="HWC")
    return left, right, labels


def main(data):
    pipe = pairs(data + "/train", batch_size=3, num_threads=2, device_id=None, seed=5)
    pipe.build()
    for _ in range(2):
        yield pipe.run()
