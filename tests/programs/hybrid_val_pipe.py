"""ImageNet validation that goes with HybridTrainPipe: resizes the shorter side, and crops the centre."""

import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline
from nvidia.dali.plugin.base_iterator import LastBatchPolicy
from nvidia.dali.plugin.jax import DALIGenericIterator


class HybridValPipe(Pipeline):
    def __init__(self, batch_size, num_threads, device_id, data_dir, crop, size):
        super().__init__(batch_size, num_threads, device_id, seed=12)
        self.input = ops.FileReader(
            file_root=data_dir, shard_id=0, num_shards=1, random_shuffle=False, pad_last_batch=True
        )
        self.decode = ops.ImageDecoder(device="cpu", output_type=types.RGB)
        self.res = ops.Resize(device="cpu", resize_shorter=size, interp_type=types.INTERP_TRIANGULAR)
        self.cmnp = ops.CropMirrorNormalize(
            device="cpu",
            output_dtype=types.FLOAT,
            output_layout=types.NCHW,
            crop=(crop, crop),
            image_type=types.RGB,
            mean=[0.485 * 255, 0.456 * 255, 0.406 * 255],
            std=[0.229 * 255, 0.224 * 255, 0.225 * 255],
        )

    def define_graph(self):
        self.jpegs, self.labels = self.input(name="Reader")
        images = self.decode(self.jpegs)
        images = self.res(images)
        output = self.cmnp(images)
        return [output, self.labels]


def main(data):
    pipe = HybridValPipe(batch_size=4, num_threads=2, device_id=None, data_dir=data + "/val", crop=32, size=36)
    pipe.build()
    val_loader = DALIGenericIterator(
        pipe, ["data", "label"], reader_name="Reader", auto_reset=True, last_batch_policy=LastBatchPolicy.PARTIAL
    )
    yield len(val_loader)
    for epoch in range(2):
        for data in val_loader:
            yield data
