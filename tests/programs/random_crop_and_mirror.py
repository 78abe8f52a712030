"""A class with its own `self.device`, `self.name` and others, whose random numbers are arguments of one operator."""

from nvidia.dali import ops, types
from nvidia.dali.pipeline import Pipeline


class TrainPipeline(Pipeline):
    def __init__(self, root, batch_size=4, device="cpu", device_id=None, num_threads=2, name="train"):
        super().__init__(batch_size, num_threads, device_id, seed=21)
        self.device = device
        self.name = name
        self.size = 24
        self.reader = ops.readers.File(file_root=root, random_shuffle=False, name=self.name)
        self.decoder = ops.decoders.Image(device=self.device, output_type=types.RGB)
        self.cmn = ops.CropMirrorNormalize(
            device=self.device, dtype=types.FLOAT, output_layout="HWC", crop=(self.size, self.size), std=[255.0]
        )
        self.coin = ops.random.CoinFlip()
        self.uniform = ops.random.Uniform(range=(0.0, 1.0))

    def define_graph(self):
        self.input, self.label = self.reader()
        self.images = self.decoder(self.input)
        mirror, x, y = self.coin(), self.uniform(), self.uniform()
        crops = self.cmn(self.images, mirror=mirror, crop_pos_x=x, crop_pos_y=y)
        return crops, self.label, self.images, mirror, x, y


def main(data):
    pipe = TrainPipeline(data + "/train")
    pipe.build()
    for _ in range(3):
        yield pipe.run()
