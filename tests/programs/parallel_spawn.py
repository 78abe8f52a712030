"""Python workers that are spawned: a callable class reads and prepares samples in other processes."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types


class Dataset:
    def __init__(self, root, list_file):
        self.root = root
        with open(list_file) as file:
            self.samples = [line.split() for line in file]

    def __call__(self, sample_info):
        if sample_info.idx_in_epoch >= len(self.samples):
            raise StopIteration
        name, label = self.samples[sample_info.idx_in_epoch]
        return np.fromfile(f"{self.root}/{name}", np.uint8), np.int64([int(label)])


@pipeline_def(batch_size=3, num_threads=2, device_id=None, py_num_workers=2, py_start_method="spawn")
def pipeline(dataset):
    jpegs, labels = fn.external_source(
        source=dataset,
        num_outputs=2,
        batch=False,
        parallel=True,
        prefetch_queue_depth=2,
        dtype=[types.UINT8, types.INT64],
    )
    images = fn.decoders.image(jpegs, output_type=types.RGB)
    return fn.crop(images, crop=(20, 20)), labels


def main(data):
    pipe = pipeline(Dataset(data, data + "/train.txt"))
    pipe.build()
    for epoch in range(2):
        while True:
            try:
                yield pipe.run()
            except StopIteration:
                yield "end of epoch", epoch
                pipe.reset()
                break
