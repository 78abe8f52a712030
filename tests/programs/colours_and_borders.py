"""Grey and BGR images, crops that extend beyond the border, and jitter of brightness."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


@pipeline_def(batch_size=3, num_threads=2, device_id=None)
def pipeline(root):
    jpegs, _ = fn.readers.file(file_root=root)
    gray = fn.decoders.image(jpegs, output_type=types.GRAY)
    bgr = fn.decoders.image(jpegs, output_type=types.BGR)
    padded = fn.crop(bgr, crop=(90, 80), out_of_bounds_policy="pad", fill_values=[1, 2, 3])
    trimmed = fn.crop(bgr, crop=(48, 48), out_of_bounds_policy="trim_to_shape")
    bright = fn.brightness_contrast(bgr, brightness=1.5, contrast=0.5, brightness_shift=0.1)
    flipped = fn.flip(gray, horizontal=1, vertical=1)
    return gray, padded, trimmed, bright, flipped


def main(data):
    pipe = pipeline(data + "/val")
    pipe.build()
    for _ in range(2):
        yield pipe.run()
