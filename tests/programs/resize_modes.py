"""All ways to give a size: one side, the shorter or longer one, a box to fill or to fit in, and filters for each."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


@pipeline_def(batch_size=2, num_threads=2, device_id=None)
def sizes(root):
    jpegs, _ = fn.readers.file(file_root=root)
    images = fn.decoders.image(jpegs, output_type=types.RGB)
    return (
        fn.resize(images, resize_x=30),
        fn.resize(images, resize_shorter=30, interp_type=types.INTERP_TRIANGULAR),
        fn.resize(images, resize_longer=30, interp_type=types.INTERP_LINEAR, antialias=False),
        fn.resize(images, size=[30, 40], mode="not_larger", interp_type=types.INTERP_CUBIC),
        fn.resize(images, size=[30, 40], mode="not_smaller", max_size=60),
        fn.resize(images, resize_x=24, resize_y=20, min_filter=types.INTERP_TRIANGULAR, mag_filter=types.INTERP_LINEAR),
        fn.resize(images, resize_x=24, resize_y=20, interp_type=types.DALIInterpType.INTERP_LANCZOS3),
        fn.resize(images, size=(20, 24), dtype=types.FLOAT),
    )


def main(data):
    pipe = sizes(data + "/val")
    pipe.build()
    for _ in range(2):
        yield pipe.run()
