"""Python between two pipelines: one reads, its outputs are inspected, and some go on unchanged into the other."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


@pipeline_def(batch_size=4, num_threads=2, device_id=None, seed=0)
def read(root):
    jpegs, labels = fn.readers.file(file_root=root, name="Reader")
    return jpegs, labels


class Filtered:
    """Files of at most `most` bytes, and their labels and lengths, in batches that may be smaller."""

    def __init__(self, pipe, batches, most):
        self.pipe, self.batches, self.most = pipe, batches, most

    def __iter__(self):
        for _ in range(self.batches):
            files, labels = self.pipe.run()
            lengths = [files.at(i).shape[0] for i in range(len(files))]
            kept = [i for i, length in enumerate(lengths) if length <= self.most]
            if kept:
                yield [files.at(i) for i in kept], [np.float32([labels.at(i)[0], lengths[i]]) for i in kept]


@pipeline_def(batch_size=4, num_threads=2, device_id=None, seed=0)
def decode(source):
    jpegs, facts = fn.external_source(source=source, num_outputs=2)
    return fn.decoders.image(jpegs, output_type=types.RGB), facts


@pipeline_def(batch_size=4, num_threads=2, device_id=None, seed=0)
def relabel():
    labels = fn.external_source(name="labels")
    return labels * 10 + 1


def main(data):
    reader = read(data + "/train")
    reader.build()
    pipe = decode(Filtered(reader, 3, 6000))
    pipe.build()
    while True:
        try:
            yield pipe.run()
        except StopIteration:
            break
    relabelled = relabel(prefetch_queue_depth=1)
    relabelled.build()
    for _ in range(2):
        _, labels = reader.run()
        relabelled.feed_input("labels", labels)
        yield relabelled.run()
