"""The old form of a branch: computes both results, and selects one by arithmetic with a coin that is cast."""

import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


class RandomGray(Pipeline):
    def __init__(self, root, batch_size):
        super().__init__(batch_size, 2, None, seed=8)
        self.input = ops.FileReader(file_root=root)
        self.decode = ops.ImageDecoder(output_type=types.RGB)
        self.crop = ops.Crop(crop=(24, 24))
        self.coin = ops.CoinFlip(probability=0.5)
        self.to_bool = ops.Cast(dtype=types.BOOL)
        self.to_float = ops.Cast(dtype=types.FLOAT)
        self.to_uint8 = ops.Cast(dtype=types.DALIDataType.UINT8)
        self.bright = ops.BrightnessContrast(brightness=0.5)

    def mux(self, condition, true_case, false_case):
        neg_condition = condition ^ True
        return condition * true_case + neg_condition * false_case

    def define_graph(self):
        jpegs, labels = self.input()
        images = self.crop(self.decode(jpegs))
        coin = self.to_bool(self.coin())
        mixed = self.mux(coin, self.bright(images), images)
        weight = self.to_float(coin)
        return self.to_uint8(mixed), images, coin, weight, labels


def main(data):
    pipe = RandomGray(data + "/train", 3)
    pipe.build()
    for _ in range(2):
        yield pipe.run()
