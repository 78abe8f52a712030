"""SSD: decodes only random windows that keep enough objects; colours, mirrors, and boxes matched with anchors."""

import glob
from itertools import product
from math import sqrt

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import Pipeline

FEATURES, STEPS, SCALES = [4, 2, 1], [16, 32, 64], [21, 45, 58, 64]
RNG = np.random.default_rng(5)


def default_boxes(size=64):
    """Returns the anchors of each cell of the feature maps: left, top, right, bottom."""
    found = []
    for k, cells in enumerate(FEATURES):
        extents = [SCALES[k] / size, sqrt(SCALES[k] * SCALES[k + 1]) / size]
        shapes = [(one, one) for one in extents] + [(extents[0] * sqrt(2), extents[0] / sqrt(2))]
        for (w, h), (i, j) in product(shapes, product(range(cells), repeat=2)):
            cx, cy = (j + 0.5) * STEPS[k] / size, (i + 0.5) * STEPS[k] / size
            found.append((cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2))
    return np.clip(np.float32(found), 0, 1)


class Annotated:
    """Files with their objects: boxes in fractions of the image, and labels."""

    def __init__(self, root, batch_size):
        self.files = sorted(glob.glob(root + "/train/*/*.jpg"))
        self.batch_size = batch_size
        corners = [RNG.uniform(0, 0.6, (1 + k % 4, 2)) for k in range(len(self.files))]
        self.boxes = [np.float32(np.concatenate([c, c + RNG.uniform(0.15, 0.4, c.shape)], 1)) for c in corners]
        self.labels = [np.int32(1 + np.arange(len(boxes)) % 3) for boxes in self.boxes]

    def __iter__(self):
        for begin in range(0, len(self.files) - self.batch_size + 1, self.batch_size):
            rows = range(begin, begin + self.batch_size)
            files = [np.fromfile(self.files[k], np.uint8) for k in rows]
            yield files, [self.boxes[k] for k in rows], [self.labels[k] for k in rows]


def ssd_pipeline(data, batch_size=3, device="cpu"):
    pipe = Pipeline(batch_size=batch_size, num_threads=2, device_id=None, seed=12)
    with pipe:
        jpegs, bboxes, labels = fn.external_source(source=Annotated(data, batch_size), num_outputs=3, cycle="quiet")
        crop_begin, crop_size, bboxes, labels = fn.random_bbox_crop(
            bboxes,
            labels,
            device="cpu",
            aspect_ratio=[0.5, 2.0],
            thresholds=[0, 0.1, 0.3, 0.5, 0.7, 0.9],
            scaling=[0.3, 1.0],
            bbox_layout="xyXY",
            allow_no_crop=True,
            num_attempts=50,
        )
        images = fn.decoders.image_slice(jpegs, crop_begin, crop_size, device=device, output_type=types.RGB)
        flip = fn.random.coin_flip(probability=0.5)
        images = fn.resize(images, resize_x=64, resize_y=64, min_filter=types.DALIInterpType.INTERP_TRIANGULAR)
        images = fn.hsv(images, dtype=types.FLOAT, hue=fn.random.uniform(range=[-0.5, 0.5]), saturation=1.1)
        images = fn.brightness_contrast(images, contrast_center=128, dtype=types.UINT8, brightness=1.05, contrast=0.9)
        bboxes = fn.bb_flip(bboxes, ltrb=True, horizontal=flip)
        images = fn.crop_mirror_normalize(
            images, crop=(64, 64), mean=[123.675, 116.28, 103.53], std=[58.395, 57.12, 57.375], mirror=flip
        )
        anchors = default_boxes().ravel().tolist()
        bboxes, labels = fn.box_encoder(bboxes, labels, criteria=0.5, anchors=anchors)
        pipe.set_outputs(images, bboxes, labels)
    return pipe


def main(data):
    pipe = ssd_pipeline(data)
    pipe.build()
    for _ in range(3):
        yield list(pipe.run())
    yield len(default_boxes())
