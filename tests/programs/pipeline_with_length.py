"""A Pipeline whose __len__ is the number of samples, for trainers that call `len(pipeline)`."""

import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


class CountedPipeline(Pipeline):
    def __init__(self, data_dir, batch_size):
        super().__init__(batch_size, 2, None, seed=1)
        self.batch = batch_size
        self.length = 7
        self.reader = ops.readers.File(file_root=data_dir)
        self.decode = ops.decoders.Image(device="cpu", output_type=types.RGB)
        self.crop = ops.Crop(crop=(24, 24))

    def __len__(self):
        return self.length

    def define_graph(self):
        jpegs, labels = self.reader(name="Reader")
        return self.crop(self.decode(jpegs)), labels


def main(data):
    pipe = CountedPipeline(data + "/val", 3)
    pipe.build()
    pipe.length = pipe.epoch_size("Reader")
    for _ in range(len(pipe) // pipe.batch):
        yield pipe.run()
    yield len(pipe)
