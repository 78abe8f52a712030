"""A callback that returns single samples: it gets a SampleInfo, whose numbers it uses to shuffle."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types
from nvidia.dali.plugin.base_iterator import LastBatchPolicy
from nvidia.dali.plugin.jax import DALIGenericIterator


class ExternalInputCallable:
    def __init__(self, paths, batch_size):
        self.files = paths
        self.full_iterations = len(self.files) // batch_size
        self.perm = None
        self.last_seen_epoch = None

    def __call__(self, sample_info):
        if sample_info.iteration >= self.full_iterations:
            raise StopIteration()
        if self.last_seen_epoch != sample_info.epoch_idx:
            self.last_seen_epoch = sample_info.epoch_idx
            self.perm = np.random.default_rng(seed=42 + sample_info.epoch_idx).permutation(len(self.files))
        sample_idx = self.perm[sample_info.idx_in_epoch]
        jpeg = np.fromfile(self.files[sample_idx], dtype=np.uint8)
        return jpeg, np.array([sample_idx], dtype=np.int32)


@pipeline_def(batch_size=3, num_threads=2, device_id=None)
def callable_pipeline(source):
    jpegs, labels = fn.external_source(source=source, num_outputs=2, batch=False, dtype=[types.UINT8, types.INT32])
    decode = fn.decoders.image(jpegs, device="cpu")
    return fn.crop(decode, crop=(16, 16)), labels


def main(data):
    with open(data + "/train.txt") as file:
        paths = [data + "/" + line.split()[0] for line in file]
    pipe = callable_pipeline(ExternalInputCallable(paths, 3))
    loader = DALIGenericIterator(pipe, ["image", "label"], auto_reset=True, last_batch_policy=LastBatchPolicy.DROP)
    for epoch in range(3):
        for batch in loader:
            yield epoch, batch["image"], batch["label"]
