"""Manual prefetching: schedules a run while the previous one's outputs are in use."""

import numpy as np
from nvidia.dali import fn, pipeline_def


@pipeline_def(batch_size=4, num_threads=2, device_id=None, prefetch_queue_depth=2)
def pipeline(root):
    jpegs, labels = fn.readers.file(file_root=root)
    return fn.crop(fn.decoders.image(jpegs), crop=(16, 16)), labels


def main(data):
    pipe = pipeline(data + "/train")
    pipe.build()
    pipe.schedule_run()
    for _ in range(3):
        pipe.schedule_run()
        images, labels = pipe.share_outputs()
        yield np.array(images.as_array()), np.array(labels.as_array())
        pipe.release_outputs()
    yield pipe.outputs()
