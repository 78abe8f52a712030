"""random_area up to 1.25, as some trainers write it: an area larger than the image gives the whole image."""

import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


class TrainPipe(Pipeline):
    def __init__(self, data_dir, batch_size, crop):
        super().__init__(batch_size, 2, None, seed=15)
        self.input = ops.FileReader(file_root=data_dir, random_shuffle=False)
        self.decode = ops.ImageDecoderRandomCrop(
            output_type=types.RGB, random_aspect_ratio=[0.75, 1.25], random_area=[0.08, 1.25], num_attempts=100
        )
        self.resize = ops.Resize(device="cpu", resize_x=crop, resize_y=crop)
        self.cmn = ops.CropMirrorNormalize(
            device="cpu", output_dtype=types.FLOAT, output_layout=types.NCHW, image_type=types.RGB, std=[255.0]
        )
        self.coin = ops.CoinFlip(probability=0.5)

    def define_graph(self):
        jpegs, labels = self.input(name="Reader")
        images = self.resize(self.decode(jpegs))
        return [self.cmn(images, mirror=self.coin()), labels]


def main(data):
    pipe = TrainPipe(data + "/train", 4, 32)
    pipe.build()
    for _ in range(2):
        yield pipe.run()
