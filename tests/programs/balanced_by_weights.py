"""Draws files by the weights of their classes, anew in each pass: an epoch depends on how many came before it."""

import glob

import numpy as np
from nvidia.dali import fn, pipeline_def, types
from nvidia.dali.plugin.jax import DALIGenericIterator


class Balanced:
    def __init__(self, files, labels, batch_size, batches):
        self.files, self.labels = files, np.array(labels)
        weights = 1.0 / np.bincount(self.labels)[self.labels]
        self.weights = weights / weights.sum()
        self.shape = (batches, batch_size)
        self.random = np.random.default_rng(5)
        self.epoch = 0

    def __iter__(self):
        self.epoch += 1
        self.drawn = iter(self.random.choice(len(self.files), self.shape, p=self.weights))
        return self

    def __next__(self):
        drawn = next(self.drawn)
        files = [np.fromfile(self.files[k], dtype=np.uint8) for k in drawn]
        labels = [np.array([self.labels[k], self.epoch], dtype=np.int64) for k in drawn]
        return files, labels


@pipeline_def
def balanced(source):
    files, labels = fn.external_source(
        source=source, num_outputs=2, batch=True, cycle="raise", dtype=[types.UINT8, types.INT64]
    )
    return fn.peek_image_shape(files), labels


def main(data):
    files = sorted(glob.glob(data + "/train/*/*.jpg"))
    labels = [("bird", "cat", "dog").index(path.split("/")[-2]) for path in files]
    pipe = balanced(Balanced(files, labels, 4, 3), batch_size=4, num_threads=2, device_id=None, prefetch_queue_depth=1)
    loader = DALIGenericIterator([pipe], ["sizes", "labels"], auto_reset=True)
    for _ in range(3):
        for batch in loader:
            yield batch
