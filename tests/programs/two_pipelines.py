"""Manual data parallelism: a pipeline for each of two shards, run in lockstep, with their batches put together."""

import numpy as np
from nvidia.dali import fn, pipeline_def, types


@pipeline_def(num_threads=2, device_id=None)
def one_shard(root, shard_id, num_shards):
    jpegs, labels = fn.readers.file(file_root=root, shard_id=shard_id, num_shards=num_shards, name="Reader")
    images = fn.decoders.image(jpegs, output_type=types.RGB)
    images = fn.resize(images, resize_x=24, resize_y=24)
    return images, labels


def main(data):
    num_shards = 2
    pipes = [one_shard(data + "/train", k, num_shards, batch_size=2) for k in range(num_shards)]
    for pipe in pipes:
        pipe.build()
    steps = (pipes[0].epoch_size("Reader") + 2 * num_shards - 1) // (2 * num_shards)
    for step in range(steps):
        batches = [pipe.run() for pipe in pipes]
        images = np.concatenate([images.as_array() for images, _ in batches])
        labels = np.concatenate([labels.as_array() for _, labels in batches])
        yield images, labels
