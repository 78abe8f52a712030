"""ImageNet from TFRecord files, as in the TensorFlow examples of DeepLearningExamples: `ops` and a dictionary."""

import glob

import nvidia.dali.ops as ops
import nvidia.dali.tfrecord as tfrec
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


class HybridPipe(Pipeline):
    def __init__(
        self, tfrec_filenames, tfrec_idx_filenames, height, width, batch_size, num_threads, shard_id, num_gpus
    ):
        super(HybridPipe, self).__init__(batch_size, num_threads, None, seed=12)
        self.input = ops.TFRecordReader(
            path=tfrec_filenames,
            index_path=tfrec_idx_filenames,
            random_shuffle=False,
            shard_id=shard_id,
            num_shards=num_gpus,
            initial_fill=10000,
            features={
                "image/encoded": tfrec.FixedLenFeature((), tfrec.string, ""),
                "image/class/label": tfrec.FixedLenFeature([1], tfrec.int64, -1),
                "image/class/text": tfrec.FixedLenFeature([], tfrec.string, ""),
                "image/object/bbox/xmin": tfrec.VarLenFeature(tfrec.float32, 0.0),
                "image/object/bbox/ymin": tfrec.VarLenFeature(tfrec.float32, 0.0),
            },
        )
        self.decode = ops.ImageDecoder(device="cpu", output_type=types.RGB)
        self.cast = ops.Cast(device="cpu", dtype=types.INT32)
        self.cmnp = ops.CropMirrorNormalize(
            device="cpu",
            dtype=types.FLOAT,
            crop=(height, width),
            output_layout=types.NHWC,
            mean=[123.68, 116.28, 103.53],
            std=[58.395, 57.120, 57.385],
        )

    def define_graph(self):
        inputs = self.input(name="Reader")
        images = self.decode(inputs["image/encoded"])
        images = self.cmnp(images)
        return (
            images,
            self.cast(inputs["image/class/label"]) - 1,
            inputs["image/class/text"],
            inputs["image/object/bbox/xmin"],
        )


def main(data):
    files = sorted(glob.glob(data + "/tfrecords/train-*.tfrecord"))
    indices = [name + ".idx" for name in files]
    for shard in range(2):
        pipe = HybridPipe(files, indices, 32, 32, batch_size=3, num_threads=2, shard_id=shard, num_gpus=2)
        pipe.build()
        yield pipe.epoch_size("Reader")
        for _ in range(3):
            images, labels, texts, xmin = pipe.run()
            yield images, labels, texts, xmin
