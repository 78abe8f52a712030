"""ImageNet as in DALI's first examples: one operator with its old name that resizes, crops and mirrors."""

import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


class C2Pipe(Pipeline):
    def __init__(self, batch_size, num_threads, device_id, root):
        super().__init__(batch_size, num_threads, device_id, seed=12)
        self.input = ops.FileReader(file_root=root)
        self.decode = ops.ImageDecoder(device="cpu", output_type=types.RGB)
        self.rcm = ops.FastResizeCropMirror(crop=(24, 24), resize_shorter=29, interp_type=types.INTERP_LINEAR)
        self.np = ops.CropMirrorNormalize(
            device="cpu", output_dtype=types.FLOAT, mean=[128.0, 128.0, 128.0], std=[64.0, 64.0, 64.0]
        )

    def define_graph(self):
        jpegs, labels = self.input(name="Reader")
        images = self.decode(jpegs)
        images = self.rcm(images, crop_pos_x=0.5, crop_pos_y=0.25, mirror=1)
        return self.np(images), labels.gpu() if self.device_id is not None else labels


def main(data):
    pipe = C2Pipe(batch_size=3, num_threads=2, device_id=None, root=data + "/train")
    pipe.build()
    yield pipe.epoch_size("Reader")
    for _ in range(2):
        yield pipe.run()
