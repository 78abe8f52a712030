"""SSD's reader of COCO, as in DeepLearningExamples: boxes as fractions, flipped with the images."""

import nvidia.dali.ops as ops
import nvidia.dali.types as types
from nvidia.dali.pipeline import Pipeline


class COCOPipeline(Pipeline):
    def __init__(self, batch_size, file_root, annotations_file, num_threads=2, seed=7):
        super(COCOPipeline, self).__init__(batch_size=batch_size, num_threads=num_threads, device_id=None, seed=seed)
        self.input = ops.readers.COCO(
            file_root=file_root,
            annotations_file=annotations_file,
            shard_id=0,
            num_shards=1,
            ratio=True,
            ltrb=True,
            random_shuffle=False,
            skip_empty=True,
        )
        self.decode = ops.decoders.Image(device="cpu", output_type=types.RGB)
        self.flip = ops.Flip(device="cpu")
        self.bbflip = ops.BbFlip(device="cpu", ltrb=True)
        self.normalize = ops.CropMirrorNormalize(
            device="cpu", crop=(16, 16), mean=[0.0], std=[255.0], dtype=types.FLOAT, output_layout="CHW"
        )

    def define_graph(self):
        inputs, bboxes, labels = self.input(name="Reader")
        images = self.decode(inputs)
        images = self.flip(images, horizontal=1)
        bboxes = self.bbflip(bboxes, horizontal=1)
        return self.normalize(images), bboxes, labels


def main(data):
    pipe = COCOPipeline(2, data + "/coco", data + "/coco/annotations.json")
    pipe.build()
    yield pipe.epoch_size("Reader")
    for _ in range(3):
        images, boxes, labels = pipe.run()
        yield images, boxes, labels
