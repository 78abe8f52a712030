"""CT slices: three windows of the Hounsfield scale become the channels of an image, and a mask of the body."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.math as math
import nvidia.dali.types as types
from nvidia.dali import pipeline_def

WINDOWS = ((40, 80), (80, 200), (600, 2800))


def slices():
    for batch in range(2):
        made = []
        for row in range(3):
            rng = np.random.default_rng(5 * batch + row)
            made.append(rng.integers(-1024, 2500, (20 + 2 * row, 24), dtype=np.int16))
        yield made


@pipeline_def(batch_size=3, num_threads=2, device_id=None)
def ct_pipeline():
    raw = fn.external_source(source=slices, layout="HW")
    channels = []
    for centre, width in WINDOWS:
        low = centre - width / 2
        level = math.clamp((raw - low) / float(width), 0.0, 1.0)
        channels.append(fn.cast(math.floor(level * 255.0), dtype=types.UINT8))
    image = fn.stack(*channels, axis=2, axis_name="C")
    body = raw > -500
    filled = fn.cast(body, dtype=types.INT16) * raw + fn.cast(body ^ True, dtype=types.INT16) * -1024
    count = fn.reductions.sum(fn.cast(body, dtype=types.UINT8), axis_names="HW")
    patch = fn.crop(fn.reinterpret(image, layout="HWC"), crop=(16, 16), crop_pos_x=0.25, crop_pos_y=0.75)
    return image, filled, count, patch, fn.reductions.max(filled, axes=[0])


def main(data):
    pipe = ct_pipeline()
    pipe.build()
    for _ in range(2):
        yield pipe.run()
