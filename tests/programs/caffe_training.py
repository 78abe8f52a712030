"""Caffe's LMDB read by DALI's classes, as in its examples of readers and the pipelines of the MLPerf era."""

import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


class CaffeReadPipeline(Pipeline):
    def __init__(self, batch_size, num_threads, device_id, num_gpus, lmdb_folder):
        super(CaffeReadPipeline, self).__init__(batch_size, num_threads, None, seed=15)
        self.input = ops.CaffeReader(path=lmdb_folder, random_shuffle=False, shard_id=device_id, num_shards=num_gpus)
        self.decode = ops.ImageDecoder(device="cpu", output_type=types.RGB)
        self.crop = ops.Crop(device="cpu", crop=(24, 24))
        self.cast = ops.Cast(device="cpu", dtype=types.INT32)

    def define_graph(self):
        inputs, labels = self.input(name="Reader")
        images = self.decode(inputs)
        images = self.crop(images, crop_pos_x=0.25, crop_pos_y=0.75)
        return images, self.cast(labels)


def main(data):
    for device in range(2):
        pipe = CaffeReadPipeline(3, 2, device, 2, data + "/lmdb")
        pipe.build()
        yield pipe.epoch_size("Reader")
        for _ in range(3):
            images, labels = pipe.run()
            yield images, labels
