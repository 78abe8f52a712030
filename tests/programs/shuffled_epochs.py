"""Epochs in different orders: a shuffled reader, read until StopIteration and reset, as in small trainers."""

import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def
from nvidia.dali.plugin.jax import DALIGenericIterator


@pipeline_def(batch_size=4, num_threads=2, device_id=None, seed=31)
def shuffled(root):
    jpegs, labels = fn.readers.file(
        file_root=root, random_shuffle=True, initial_fill=16, pad_last_batch=True, name="Reader"
    )
    images = fn.decoders.image(jpegs, output_type=types.RGB)
    return fn.crop(images, crop=(24, 24)), labels


def main(data):
    loader = DALIGenericIterator([shuffled(data + "/train")], ["data", "label"], reader_name="Reader")
    for epoch in range(3):
        iterator = iter(loader)
        while True:
            try:
                batch = next(iterator)
            except StopIteration:
                loader.reset()
                break
            yield epoch, batch["data"], batch["label"]
