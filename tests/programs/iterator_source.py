"""DALI's own tutorial on external sources: an iterable of lists of encoded images and labels."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline

batch_size = 3


class ExternalInputIterator:
    def __init__(self, images_dir, batch_size):
        self.images_dir = images_dir
        self.batch_size = batch_size
        with open(self.images_dir + "/train.txt") as f:
            self.files = [line.rstrip() for line in f if line != ""]

    def __iter__(self):
        self.i = 0
        self.n = len(self.files)
        return self

    def __next__(self):
        batch = []
        labels = []
        for _ in range(self.batch_size):
            jpeg_filename, label = self.files[self.i].split(" ")
            f = open(self.images_dir + "/" + jpeg_filename, "rb")
            batch.append(np.frombuffer(f.read(), dtype=np.uint8))
            labels.append(np.array([int(label)], dtype=np.uint8))
            f.close()
            self.i = (self.i + 1) % self.n
        return (batch, labels)


def main(data):
    eii = ExternalInputIterator(data, batch_size)
    pipe = Pipeline(batch_size=batch_size, num_threads=2, device_id=None)
    with pipe:
        jpegs, labels = fn.external_source(source=eii, num_outputs=2, dtype=types.UINT8)
        decode = fn.decoders.image(jpegs, device="cpu", output_type=types.RGB)
        enhance = fn.brightness_contrast(decode, contrast=2)
        pipe.set_outputs(enhance, labels)
    pipe.build()
    for _ in range(5):
        pipe_out = pipe.run()
        batch_cpu = pipe_out[0].as_cpu() if hasattr(pipe_out[0], "as_cpu") else pipe_out[0]
        yield batch_cpu.at(2).shape, int(pipe_out[1].at(2)[0])
        yield pipe_out
