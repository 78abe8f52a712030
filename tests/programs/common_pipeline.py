"""One augmentation for several readers: a base class has the operators, derived classes choose the data's source."""

import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


class CommonPipeline(Pipeline):
    def __init__(self, batch_size, num_threads, device_id):
        super().__init__(batch_size, num_threads, device_id, seed=99)
        self.decode = ops.ImageDecoder(device="cpu", output_type=types.RGB)
        self.resize = ops.Resize(device="cpu", image_type=types.RGB, interp_type=types.INTERP_LINEAR)
        self.cmn = ops.CropMirrorNormalize(
            device="cpu",
            output_dtype=types.FLOAT,
            crop=(28, 24),
            image_type=types.RGB,
            mean=[128.0, 128.0, 128.0],
            std=[1.0, 1.0, 1.0],
        )
        self.uniform = ops.Uniform(range=(0.0, 1.0))
        self.resize_rng = ops.Uniform(range=(32, 48))

    def base_define_graph(self, inputs, labels):
        images = self.decode(inputs)
        images = self.resize(images, resize_shorter=self.resize_rng())
        output = self.cmn(images, crop_pos_x=self.uniform(), crop_pos_y=self.uniform())
        return (output, labels)


class FileReadPipeline(CommonPipeline):
    def __init__(self, batch_size, num_threads, device_id, root):
        super().__init__(batch_size, num_threads, device_id)
        self.input = ops.FileReader(file_root=root)

    def define_graph(self):
        images, labels = self.input()
        return self.base_define_graph(images, labels)


class FileListPipeline(CommonPipeline):
    def __init__(self, batch_size, num_threads, device_id, root, file_list):
        super().__init__(batch_size, num_threads, device_id)
        self.input = ops.FileReader(file_root=root, file_list=file_list)

    def define_graph(self):
        images, labels = self.input(name="Reader")
        return self.base_define_graph(images, labels)


def main(data):
    pipes = [
        FileReadPipeline(3, 2, None, data + "/train"),
        FileListPipeline(3, 2, None, data, data + "/train.txt"),
    ]
    for pipe in pipes:
        pipe.build()
        for _ in range(2):
            pipe_out = pipe.run()
            yield pipe_out
