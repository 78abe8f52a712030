"""Operators on images without pixels, for programs of either system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["BATCHES", "ONES_OWN", "OPERATIONS", "outputs"]

# Shapes of the two images of a batch.
BATCHES = {
    "no rows": [(0, 3, 3)] * 2,
    "no columns": [(3, 0, 3)] * 2,
    "neither": [(0, 0, 3)] * 2,
    "one of two without rows": [(0, 3, 3), (2, 3, 3)],
    "one of two without columns": [(2, 3, 3), (2, 0, 3)],
}

# With `fn`, `types` and the images.
OPERATIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "flip": lambda fn, _, x: fn.flip(x, vertical=1),
    "cast": lambda fn, types, x: fn.cast(x, dtype=types.FLOAT),
    "arithmetic": lambda fn, _, x: x * np.float32([1, 2, 3]) - x // 2,
    "crop": lambda fn, _, x: fn.crop(x, crop=(2, 2), out_of_bounds_policy="pad"),
    "trimmed": lambda fn, _, x: fn.crop(x, crop=(2, 2), out_of_bounds_policy="trim_to_shape"),
    "normalized": lambda fn, types, x: fn.crop_mirror_normalize(x, mean=[1.0, 2, 3], std=[2.0], mirror=1),
    "resize_x": lambda fn, _, x: fn.resize(x, resize_x=4),
    "resize_y": lambda fn, _, x: fn.resize(x, resize_y=4),
    "resize_shorter": lambda fn, _, x: fn.resize(x, resize_shorter=4),
    "resize_longer": lambda fn, _, x: fn.resize(x, resize_longer=4),
    "not_larger": lambda fn, _, x: fn.resize(x, size=[4, 4], mode="not_larger"),
    "tensor_resize": lambda fn, _, x: fn.tensor_resize(x, sizes=[2, 2], axes=[0, 1]),
    "rotate": lambda fn, _, x: fn.rotate(x, angle=90.0),
    "warp_affine": lambda fn, _, x: fn.warp_affine(x, matrix=[1.0, 0, 0, 0, 1, 0], size=[2, 2], fill_value=7.0),
    "sphere": lambda fn, _, x: fn.sphere(x),
    "water": lambda fn, _, x: fn.water(x),
    "brightness_contrast": lambda fn, _, x: fn.brightness_contrast(x, brightness=1.5, contrast=0.5),
    "color_twist": lambda fn, _, x: fn.color_twist(x, hue=20.0, saturation=0.5),
    "ycbcr": lambda fn, types, x: fn.color_space_conversion(x, image_type=types.RGB, output_type=types.YCbCr),
    "erase": lambda fn, _, x: fn.erase(x, anchor=[0.0, 0.0], shape=[1.0, 1.0], axis_names="HW", fill_value=3.0),
    "grid_mask": lambda fn, _, x: fn.grid_mask(x, tile=2, ratio=0.5),
    "paste": lambda fn, _, x: fn.paste(x, fill_value=(1, 2, 3), ratio=2.0),
    "multi_paste": lambda fn, _, x: fn.multi_paste(x, in_ids=np.int32([0, 1]), output_size=[3, 3]),
    "lookup_table": lambda fn, types, x: fn.lookup_table(x, keys=[0, 1], values=[5.0, 6.0], dtype=types.UINT8),
    "subscript": lambda fn, _, x: x[2:1],
    "reversed": lambda fn, _, x: x[::-1, 1:],
    "slice": lambda fn, _, x: fn.slice(x, [0.25, 0.25], [0.5, 0.5]),
    "transpose": lambda fn, _, x: fn.transpose(x, perm=[2, 0, 1]),
    "reshape": lambda fn, _, x: fn.reshape(x, shape=[-1]),
    "pad": lambda fn, _, x: fn.pad(x, axes=[0, 1], shape=[3, 3], fill_value=2.0),
    "cat": lambda fn, _, x: fn.cat(x, x, axis=0),
    "stack": lambda fn, _, x: fn.stack(x, x),
    "one_hot": lambda fn, _, x: fn.one_hot(x, num_classes=3),
    "sum": lambda fn, _, x: fn.reductions.sum(x, axes=[0]),
    "mean": lambda fn, _, x: fn.reductions.mean(x, axes=[1]),
    "max": lambda fn, _, x: fn.reductions.max(x, axes=[2]),
    "normalize": lambda fn, _, x: fn.normalize(x, axes=[0]),
    "decibels": lambda fn, types, x: fn.to_decibels(fn.cast(x, dtype=types.FLOAT)),
    "permuted": lambda fn, _, x: fn.permute_batch(x, indices=[1, 0]),
    "of Python": lambda fn, _, x: fn.python_function(x, function=lambda image: image[::-1]),
    "to one size": lambda fn, _, x: fn.resize(x, size=[2, 2]),
    "without numbers": lambda fn, _, x: fn.cat(x[:, :, :0], x[:, :, 1:2], x, axis=2),
}

# Images of one size in a batch are all of that size here, see docs/differences.md.
ONES_OWN = ("to one size",)


def outputs(dali: Any, shapes: list[tuple[int, ...]]) -> list[Any]:
    """The results of all operations for a batch of images of these shapes; an image counts up."""
    images = [(np.arange(np.prod(shape, dtype=int)) % 7).astype(np.uint8).reshape(shape) for shape in shapes]
    node = dali.fn.external_source(lambda: images, layout="HWC")
    return [make(dali.fn, dali.types, node) for make in OPERATIONS.values()]
