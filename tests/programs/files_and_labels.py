"""The program finds paths and labels itself, and gives them to the reader as arguments."""

import os

import numpy as np
from nvidia.dali import fn, pipeline_def


def find_samples(root):
    classes = sorted(entry.name for entry in os.scandir(root) if entry.is_dir())
    class_to_idx = {name: i for i, name in enumerate(classes)}
    samples = []
    for name in classes:
        for file in sorted(os.listdir(os.path.join(root, name))):
            samples.append((os.path.join(root, name, file), class_to_idx[name] * 10))
    return samples


@pipeline_def(batch_size=2, num_threads=2, device_id=None, prefetch_queue_depth=3)
def pipeline(paths, labels):
    data, label = fn.readers.file(files=paths, labels=labels, read_ahead=True, lazy_init=True, name="main_reader")
    return fn.decoders.image(data), label


def main(data):
    samples = find_samples(data + "/train")
    paths, labels = zip(*samples)
    pipe = pipeline(list(paths), list(labels))
    pipe.build()
    yield pipe.epoch_size()
    for _ in range(3):
        images, labels = pipe.run()
        yield [np.array(image) for image in images], labels.as_array()
