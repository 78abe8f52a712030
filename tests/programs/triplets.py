"""Triplets for metric learning: each image, one of the same class and one of another class, chosen within the batch."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def

BATCH = 6


def choose(labels):
    """Returns the next sample of the same class, and the next one of another class, for each sample."""
    labels = [int(np.ravel(label)[0]) for label in labels]
    same, other = [], []
    for k, label in enumerate(labels):
        rest = [(k + step) % len(labels) for step in range(1, len(labels) + 1)]
        same.append(np.array(next(j for j in rest if labels[j] == label), dtype=np.int32))
        other.append(np.array(next(j for j in rest if labels[j] != label), dtype=np.int32))
    return same, other


@pipeline_def(batch_size=BATCH, num_threads=2, device_id=None)
def triplet_pipeline(root):
    jpegs, labels = fn.readers.file(file_root=root, name="images", pad_last_batch=True)
    images = fn.decoders.image(jpegs, device="cpu", output_type=types.RGB)
    images = fn.crop_mirror_normalize(images, crop=(32, 32), mean=[127.5] * 3, std=[127.5] * 3, output_layout="CHW")
    same, other = fn.python_function(labels, function=choose, num_outputs=2, batch_processing=True)
    positive, negative = fn.permute_batch(images, indices=same), fn.permute_batch(images, indices=other)
    return fn.stack(images, positive, negative), labels, fn.permute_batch(labels, indices=other)


def main(data):
    pipe = triplet_pipeline(data + "/val")
    pipe.build()
    for _ in range(2):
        yield pipe.run()
