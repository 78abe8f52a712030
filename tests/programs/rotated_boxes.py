"""Aerial images: each rotated by its own angle, with its boxes; boxes outside of the image are removed."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


def angles():
    k = 0
    while True:
        yield [np.float32(30 * (k + row) - 45) for row in range(2)]
        k += 1


@pipeline_def(batch_size=2, num_threads=2, device_id=None)
def rotated_pipeline(root):
    jpegs, boxes, labels = fn.readers.coco(
        file_root=root, annotations_file=root + "/annotations.json", ltrb=True, ratio=True, skip_empty=True, name="coco"
    )
    images = fn.decoders.image(jpegs, device="cpu", output_type=types.RGB)
    angle = fn.external_source(source=angles)
    shape = images.shape()
    kept, kinds = fn.bbox_rotate(
        boxes, labels, angle=angle, input_shape=shape, shape_layout="HWC", keep_size=True, remove_threshold=0.1
    )
    whole = fn.bbox_rotate(boxes, angle=angle, input_shape=shape, shape_layout="HWC", mode="halfway")
    rotated = fn.rotate(images, angle=angle, keep_size=True, fill_value=0)
    return rotated, kept, kinds, whole


def main(data):
    pipe = rotated_pipeline(data + "/coco")
    pipe.build()
    for _ in range(2):
        yield pipe.run()
