"""MXNet's RecordIO read by HybridTrainPipe, as in DALI's examples and NVIDIA's containers of MXNet."""

import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


class HybridTrainPipe(Pipeline):
    def __init__(self, batch_size, num_threads, device_id, num_gpus, shard_id, base):
        super(HybridTrainPipe, self).__init__(batch_size, num_threads, None, seed=12 + device_id)
        self.input = ops.MXNetReader(
            path=[base + "train.rec"],
            index_path=[base + "train.idx"],
            random_shuffle=False,
            shard_id=shard_id,
            num_shards=num_gpus,
        )
        self.decode = ops.ImageDecoder(device="cpu", output_type=types.RGB)
        self.cmnp = ops.CropMirrorNormalize(
            device="cpu",
            dtype=types.FLOAT,
            output_layout=types.NCHW,
            crop=(32, 32),
            mean=[0.485 * 255, 0.456 * 255, 0.406 * 255],
            std=[0.229 * 255, 0.224 * 255, 0.225 * 255],
        )

    def define_graph(self):
        self.jpegs, self.labels = self.input(name="Reader")
        images = self.decode(self.jpegs)
        output = self.cmnp(images, mirror=0)
        return [output, self.labels]


def main(data):
    pipes = [HybridTrainPipe(3, 2, k, 2, k, data + "/mxnet/") for k in range(2)]
    for pipe in pipes:
        pipe.build()
        yield pipe.epoch_size("Reader")
    for _ in range(3):
        for pipe in pipes:
            images, labels = pipe.run()
            yield images, labels
