"""Training with fn: decodes whole images, crops random windows, mirrors, and draws of every shape."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


@pipeline_def
def training(root):
    encoded, labels = fn.readers.file(file_root=root, random_shuffle=False, name="Reader")
    images = fn.decoders.image(encoded, device="cpu", output_type=types.RGB)
    images = fn.random_resized_crop(images, device="cpu", size=[32, 32], random_area=[0.08, 1.0])
    images = fn.flip(images, horizontal=fn.random.coin_flip(probability=0.5), vertical=0)
    images = fn.crop_mirror_normalize(
        images, mean=[0.5 * 255] * 3, std=[0.5 * 255] * 3, dtype=types.FLOAT, output_layout=types.NCHW
    )
    return (
        images,
        labels,
        fn.random.uniform(range=(-1.0, 1.0), shape=[2, 3]),
        fn.random.uniform(values=[1.0, 2.0, 4.0]),
        fn.random.normal(mean=0.0, stddev=2.0, shape=(5,)),
        fn.random.coin_flip(dtype=types.BOOL),
        fn.random.coin_flip(0.4),
    )


def main(data):
    pipe = training(data + "/train", batch_size=4, num_threads=2, device_id=None, seed=1234)
    pipe.build()
    for _ in range(2):
        yield pipe.run()
