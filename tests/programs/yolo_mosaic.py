"""YOLO's mosaic: four images of the batch on one canvas, and their boxes where each image was pasted."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def

TILE = 16
ANCHORS = np.array([[0, 0], [0, TILE], [TILE, 0], [TILE, TILE]], dtype=np.int32)


class Neighbours:
    """The indices of each sample of a batch and of the three that follow it."""

    def __init__(self, batch_size):
        self.batch_size = batch_size

    def __call__(self):
        rows = np.arange(self.batch_size)[:, None] + np.arange(4)
        return [row.astype(np.int32) for row in rows % self.batch_size]


@pipeline_def(num_threads=2, device_id=None)
def mosaic_pipeline(root, neighbours_of):
    jpegs, boxes, labels = fn.readers.coco(
        file_root=root, annotations_file=root + "/annotations.json", ltrb=True, ratio=True, name="coco"
    )
    images = fn.decoders.image(jpegs, device="cpu", output_type=types.RGB)
    images = fn.resize(images, size=[24, 24], interp_type=types.INTERP_NN)
    neighbours = fn.external_source(source=neighbours_of)
    shapes = np.full((4, 2), TILE, dtype=np.int32)
    mosaic = fn.multi_paste(
        images,
        in_ids=neighbours,
        in_anchors=np.array([[0, 0], [8, 0], [0, 8], [8, 8]], dtype=np.int32),
        shapes=shapes,
        out_anchors=ANCHORS,
        output_size=(2 * TILE, 2 * TILE),
    )
    parts = []
    for k, (top, left) in enumerate(ANCHORS.tolist()):
        others = fn.permute_batch(fn.pad(boxes, axes=[0], shape=[8], fill_value=0), indices=neighbours[k])
        parts.append(others * 0.5 + np.float32([left, top, left, top]) / (2.0 * TILE))
    relative = fn.multi_paste(
        images,
        in_ids=[0, 0],
        shapes_rel=np.float32([[0.5, 0.5], [0.25, 1]]),
        out_anchors_rel=np.float32([[0, 0], [0.5, 0]]),
    )
    return mosaic, fn.cat(*parts, axis=0), relative, labels


def main(data):
    pipe = mosaic_pipeline(data + "/coco", Neighbours(3), batch_size=3)
    pipe.build()
    for _ in range(2):
        yield pipe.run()
