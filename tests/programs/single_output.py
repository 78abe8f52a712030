"""A class whose define_graph returns one node, not a tuple, and whose operators have all arguments from the start."""

import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


class Single(Pipeline):
    def __init__(self, root):
        super().__init__(batch_size=2, num_threads=1, device_id=None, seed=0, exec_pipelined=True, exec_async=True)
        self.reader = ops.readers.File(file_root=root, name="Reader")
        self.decode = ops.decoders.Image(output_type=types.RGB)
        self.flip = ops.Flip(horizontal=1)

    def define_graph(self):
        jpegs, _ = self.reader()
        return self.flip(self.decode(jpegs))


def main(data):
    pipe = Single(data + "/val")
    pipe.build()
    (images,) = pipe.run()
    yield images
    yield pipe.run()
