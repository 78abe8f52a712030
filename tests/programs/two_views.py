"""BYOL and MoCo: two views of one decoded image, whose strengths a source draws, with helpers for each augmentation."""

import numpy as np
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def


class Strengths:
    def __init__(self, views, batch_size):
        self.views, self.batch_size = views, batch_size

    def __call__(self, iteration):
        rng = np.random.default_rng(1000 + iteration)
        n = self.batch_size
        out = []
        for _ in range(self.views):
            out += [
                rng.integers(6, 14, n).astype(np.float32) / 8,
                rng.integers(0, 2, n).astype(np.int32),
                rng.integers(0, 2, n).astype(bool),
                rng.integers(0, 5, (n, 2)).astype(np.float32) / 4,
            ]
        return out


def to_gray(images, is_gray):
    gray = fn.color_space_conversion(images, image_type=types.RGB, output_type=types.GRAY)
    gray = fn.cat(gray, gray, gray, axis=2)
    gray_weight = fn.cast(is_gray, dtype=types.UINT8)
    image_weight = fn.cast(is_gray ^ True, dtype=types.UINT8)
    return fn.cast(gray_weight * gray + image_weight * images, dtype=types.UINT8)


def view(images, strengths, blur):
    contrast, flip, is_gray, place = strengths
    images = fn.crop(images, crop=(36, 36), crop_pos_x=place[0], crop_pos_y=place[1])
    images = fn.flip(images, horizontal=flip)
    images = fn.brightness_contrast(images, contrast=contrast, contrast_center=128.0)
    images = to_gray(images, is_gray)
    if blur:
        images = images[2:-2, 2:-2]
    return fn.crop_mirror_normalize(
        images,
        dtype=types.FLOAT,
        mean=[0.485 * 255, 0.456 * 255, 0.406 * 255],
        std=[0.229 * 255, 0.224 * 255, 0.225 * 255],
        output_layout="CHW",
    )


@pipeline_def
def byol(root, source):
    jpegs, _ = fn.readers.file(file_root=root, pad_last_batch=True, name="Reader")
    images = fn.decoders.image(jpegs, device="cpu")
    drawn = fn.external_source(source, num_outputs=8)
    return view(images, drawn[:4], blur=False), view(images, drawn[4:], blur=True)


def main(data):
    pipe = byol(data + "/train", Strengths(2, 4), batch_size=4, num_threads=2, device_id=None, seed=7)
    pipe.build()
    for _ in range(3):
        yield pipe.run()
