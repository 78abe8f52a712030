"""Images for a StyleGAN: the centre square resized by a Lanczos filter, mirrored, from -1 to 1, channels first."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


@pipeline_def
def create_pipeline(root, image_size):
    jpegs, labels = fn.readers.file(file_root=root, name="main_reader")
    images = fn.decoders.image(jpegs, device="cpu", output_type=types.RGB)
    images = fn.resize(images, resize_shorter=image_size, interp_type=types.INTERP_LANCZOS3)
    images = fn.crop(images, crop=(image_size, image_size))
    planes = fn.transpose(images, perm=[2, 0, 1])
    mirrored = fn.flip(planes, horizontal=1)
    return mirrored, fn.cast(mirrored, dtype=types.FLOAT) / 127.5 - 1.0, labels


def main(data):
    pipe = create_pipeline(batch_size=3, num_threads=2, device_id=None, root=data + "/val", image_size=32)
    pipe.build()
    for _ in range(2):
        yield pipe.run()
