"""A server's preprocessing: a request's bytes are fed to an input by its name, in batches of any size."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types


@pipeline_def(batch_size=4, num_threads=2, device_id=None)
def preprocessing():
    images = fn.external_source(device="cpu", name="DALI_INPUT_0")
    images = fn.decoders.image(images, device="cpu", output_type=types.RGB)
    images = fn.resize(images, resize_x=32, resize_y=32)
    return fn.crop_mirror_normalize(
        images,
        dtype=types.FLOAT,
        output_layout="CHW",
        crop=(32, 32),
        mean=[0.485 * 255, 0.456 * 255, 0.406 * 255],
        std=[0.229 * 255, 0.224 * 255, 0.225 * 255],
    )


def main(data):
    with open(data + "/train.txt") as file:
        requests = [np.fromfile(data + "/" + line.split()[0], np.uint8) for line in file]
    pipe = preprocessing(prefetch_queue_depth=1)
    pipe.build()
    for count in (4, 1, 3):
        pipe.feed_input("DALI_INPUT_0", requests[:count])
        yield pipe.run()
        requests = requests[count:]
