"""Pairs for super-resolution: original patches, and small ones with JPEG compression."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


@pipeline_def(batch_size=3, num_threads=2, device_id=None)
def pairs(root, patch, factor):
    files, _ = fn.readers.file(file_root=root)
    images = fn.decoders.image(files, output_type=types.RGB)
    high = fn.crop(images, crop=(patch, patch))
    saved = fn.jpeg_compression_distortion(high, quality=40)
    low = fn.resize(high, size=(patch // factor, patch // factor), interp_type=types.INTERP_CUBIC)
    low = fn.jpeg_compression_distortion(low, quality=70)
    return high, saved, fn.crop_mirror_normalize(low, std=255.0, output_layout="CHW")


def main(data):
    pipe = pairs(data + "/val", patch=40, factor=2)
    pipe.build()
    for _ in range(2):
        yield pipe.run()
