"""A call of each operator that may hand on a layout, and inputs of several layouts: what DALI makes of them.

`dali_layouts.json` has the layout of DALI's output for each input and call; calls that DALI refuses are not there.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["CALLS", "DRAWN", "INPUTS", "LEFT_OUT", "RECORD", "REFUSED", "calls_for", "recorded", "sample"]

RECORD = pathlib.Path(__file__).with_name("dali_layouts.json")
# Shapes and layouts of samples.
INPUTS: dict[str, tuple[tuple[int, ...], str]] = {
    "H W C without": ((6, 5, 3), ""),
    "HWC": ((6, 5, 3), "HWC"),
    "CHW": ((3, 6, 5), "CHW"),
    "ABC": ((6, 5, 3), "ABC"),
    "HW": ((6, 5), "HW"),
    "H W without": ((6, 5), ""),
    "F H W C without": ((2, 6, 5, 3), ""),
    "FHWC": ((2, 6, 5, 3), "FHWC"),
    "FCHW": ((2, 3, 6, 5), "FCHW"),
    "CFHW": ((3, 2, 6, 5), "CFHW"),
    "DHWC": ((4, 6, 5, 3), "DHWC"),
    "F D H W C without": ((2, 4, 6, 5, 3), ""),
    "AB": ((3, 4), "AB"),
    "X": ((6,), "X"),
    "X without": ((6,), ""),
}

Call = Callable[[Any, Any, Any], Any]
_EYE = np.eye(3, dtype=np.float32)

CALLS: dict[str, Call] = {
    # images
    "brightness": lambda fn, types, x: fn.brightness(x, brightness=1.1),
    "brightness_contrast": lambda fn, types, x: fn.brightness_contrast(x, brightness=1.1),
    "contrast": lambda fn, types, x: fn.contrast(x, contrast=1.1),
    "color_twist": lambda fn, types, x: fn.color_twist(x, hue=3),
    "hsv": lambda fn, types, x: fn.hsv(x, hue=3),
    "hue": lambda fn, types, x: fn.hue(x, hue=3),
    "saturation": lambda fn, types, x: fn.saturation(x, saturation=0.5),
    "color_space_conversion": lambda fn, types, x: fn.color_space_conversion(
        x, image_type=types.RGB, output_type=types.GRAY
    ),
    "crop": lambda fn, types, x: fn.crop(x, crop=(2, 2)),
    "crop_mirror_normalize": lambda fn, types, x: fn.crop_mirror_normalize(x, output_layout="HWC"),
    "crop_mirror_normalize to CHW": lambda fn, types, x: fn.crop_mirror_normalize(x),
    "crop_mirror_normalize to FCHW": lambda fn, types, x: fn.crop_mirror_normalize(x, output_layout="FCHW"),
    "resize": lambda fn, types, x: fn.resize(x, size=[4, 4]),
    "resize_crop_mirror": lambda fn, types, x: fn.resize_crop_mirror(x, size=[4, 4], crop=(2, 2)),
    "random_resized_crop": lambda fn, types, x: fn.random_resized_crop(x, size=[4, 4]),
    "flip": lambda fn, types, x: fn.flip(x),
    "rotate": lambda fn, types, x: fn.rotate(x, angle=90),
    "warp_affine": lambda fn, types, x: fn.warp_affine(x, matrix=[1.0, 0, 1, 0, 1, 0]),
    "warp_perspective": lambda fn, types, x: fn.experimental.warp_perspective(x, matrix=_EYE),
    "gaussian_blur": lambda fn, types, x: fn.gaussian_blur(x, sigma=1.0),
    "laplacian": lambda fn, types, x: fn.laplacian(x),
    "erase": lambda fn, types, x: fn.erase(x, anchor=[0, 0], shape=[2, 2]),
    "grid_mask": lambda fn, types, x: fn.grid_mask(x),
    "water": lambda fn, types, x: fn.water(x),
    "sphere": lambda fn, types, x: fn.sphere(x),
    "jitter": lambda fn, types, x: fn.jitter(x),
    "paste": lambda fn, types, x: fn.paste(x, ratio=1.5, fill_value=0),
    "jpeg_compression_distortion": lambda fn, types, x: fn.jpeg_compression_distortion(x),
    "equalize": lambda fn, types, x: fn.equalize(x),
    "clahe": lambda fn, types, x: fn.clahe(x),
    "filter": lambda fn, types, x: fn.filter(x, np.ones((3, 3), np.float32)),
    "debayer": lambda fn, types, x: fn.debayer(x, blue_position=[0, 0]),
    "multi_paste": lambda fn, types, x: fn.multi_paste(x, in_ids=np.int32([0]), output_size=[9, 9]),
    "noise.gaussian": lambda fn, types, x: fn.noise.gaussian(x),
    "noise.salt_and_pepper": lambda fn, types, x: fn.noise.salt_and_pepper(x),
    "noise.shot": lambda fn, types, x: fn.noise.shot(x),
    # any numbers
    "arithmetic": lambda fn, types, x: x + 1,
    "cast": lambda fn, types, x: fn.cast(x, dtype=types.FLOAT),
    "cast_like": lambda fn, types, x: fn.cast_like(x, np.float32(1)),
    "cat": lambda fn, types, x: fn.cat(x, x),
    "copy": lambda fn, types, x: fn.copy(x),
    "element_extract": lambda fn, types, x: fn.element_extract(x, element_map=[0]),
    "expand_dims": lambda fn, types, x: fn.expand_dims(x, axes=[0]),
    "expand_dims named": lambda fn, types, x: fn.expand_dims(x, axes=[0], new_axis_names="Z"),
    "expand_dims nothing": lambda fn, types, x: fn.expand_dims(x, axes=[]),
    "full_like": lambda fn, types, x: fn.full_like(x, 3.0),
    "full": lambda fn, types, x: fn.full(x, shape=[2]),
    "zeros_like": lambda fn, types, x: fn.zeros_like(x),
    "ones_like": lambda fn, types, x: fn.ones_like(x),
    "get_property": lambda fn, types, x: fn.get_property(x, key="layout"),
    "lookup_table": lambda fn, types, x: fn.lookup_table(x, keys=[1], values=[2]),
    "normalize": lambda fn, types, x: fn.normalize(x),
    "one_hot": lambda fn, types, x: fn.one_hot(x, num_classes=3),
    "one_hot named": lambda fn, types, x: fn.one_hot(x, num_classes=3, axis_name="Z"),
    "one_hot first": lambda fn, types, x: fn.one_hot(x, num_classes=3, axis=0, axis_name="Z"),
    "pad": lambda fn, types, x: fn.pad(x),
    "per_frame": lambda fn, types, x: fn.per_frame(x, replace=True),
    "permute_batch": lambda fn, types, x: fn.permute_batch(x, indices=[0]),
    "random.choice": lambda fn, types, x: fn.random.choice(x),
    "random.choice of one": lambda fn, types, x: fn.random.choice(x, shape=[1]),
    "random.choice of several": lambda fn, types, x: fn.random.choice(x, shape=[2, 2]),
    "random.choice in shape": lambda fn, types, x: fn.random.choice(x, x),
    "random.normal": lambda fn, types, x: fn.random.normal(x),
    "random.uniform": lambda fn, types, x: fn.random.uniform(x),
    "random.coin_flip": lambda fn, types, x: fn.random.coin_flip(x),
    "random.beta": lambda fn, types, x: fn.random.beta(x),
    "reductions.sum": lambda fn, types, x: fn.reductions.sum(x, axes=0),
    "reductions.sum kept": lambda fn, types, x: fn.reductions.sum(x, axes=0, keep_dims=True),
    "reductions.max all": lambda fn, types, x: fn.reductions.max(x),
    **{
        f"reductions.{name}": lambda fn, types, x, name=name: getattr(fn.reductions, name)(x, axes=[0])
        for name in ("min", "mean_square", "rms")
    },
    "reductions.variance": lambda fn, types, x: fn.reductions.variance(x, fn.reductions.mean(x, axes=[0]), axes=[0]),
    "reductions.mean": lambda fn, types, x: fn.reductions.mean(x, axes=[0]),
    "reductions.std_dev": lambda fn, types, x: fn.reductions.std_dev(x, fn.reductions.mean(x, axes=[0]), axes=[0]),
    "reinterpret": lambda fn, types, x: fn.reinterpret(x, shape=[-1]),
    "reinterpret type": lambda fn, types, x: fn.reinterpret(x, dtype=types.INT8),
    "reinterpret same": lambda fn, types, x: fn.reinterpret(x, rel_shape=[1.0] * 3),
    "reshape": lambda fn, types, x: fn.reshape(x, shape=[-1]),
    "reshape named": lambda fn, types, x: fn.reshape(x, shape=[-1], layout="Z"),
    "reshape same": lambda fn, types, x: fn.reshape(x, rel_shape=[1.0] * 3),
    "reshape bare": lambda fn, types, x: fn.reshape(x, layout=""),
    "reshape of dims": lambda fn, types, x: fn.reshape(x, src_dims=[1, 0, 2]),
    "sequence_rearrange": lambda fn, types, x: fn.sequence_rearrange(x, new_order=[1, 0]),
    "shapes": lambda fn, types, x: x.shape(),
    "slice": lambda fn, types, x: fn.slice(x, 0, 2, axes=[0]),
    "slice named": lambda fn, types, x: fn.slice(x, 0, 2, axis_names="H"),
    "squeeze": lambda fn, types, x: fn.squeeze(x, axes=[]),
    "squeeze one": lambda fn, types, x: fn.squeeze(fn.slice(x, 0, 1, axes=[0]), axes=[0]),
    "stack": lambda fn, types, x: fn.stack(x, x),
    "stack named": lambda fn, types, x: fn.stack(x, x, axis_name="Z"),
    "subscript": lambda fn, types, x: x[0],
    "subscript range": lambda fn, types, x: x[0:2],
    "tensor_resize": lambda fn, types, x: fn.tensor_resize(x, sizes=[4], axes=[0]),
    "transpose": lambda fn, types, x: fn.transpose(x, perm=[1, 0, 2]),
    "transpose bare": lambda fn, types, x: fn.transpose(x, perm=[1, 0, 2], transpose_layout=False),
    "transpose named": lambda fn, types, x: fn.transpose(x, perm=[1, 0, 2], output_layout="PQR"),
    "transpose nothing": lambda fn, types, x: fn.transpose(x, perm=[]),
    # points, boxes and sounds
    "coord_flip": lambda fn, types, x: fn.coord_flip(fn.cast(x, dtype=types.FLOAT)),
    "bb_flip": lambda fn, types, x: fn.bb_flip(fn.cast(x, dtype=types.FLOAT) / 1024),
    "bbox_paste": lambda fn, types, x: fn.bbox_paste(
        fn.cast(x, dtype=types.FLOAT) / 1024, paste_x=0.5, paste_y=0.5, ratio=2.0
    ),
    "bbox_rotate": lambda fn, types, x: fn.bbox_rotate(
        fn.cast(x, dtype=types.FLOAT) / 1024, angle=90.0, input_shape=[20, 30], bbox_layout="xyXY"
    ),
    "roi_random_crop": lambda fn, types, x: fn.roi_random_crop(
        x, crop_shape=[2, 2], roi_start=[0, 0], roi_shape=[2, 2]
    ),
    "random_mask_pixel": lambda fn, types, x: fn.segmentation.random_mask_pixel(x),
    "random_object_bbox": lambda fn, types, x: fn.segmentation.random_object_bbox(x, format="box"),
    "coord_transform": lambda fn, types, x: fn.coord_transform(x, M=2.0),
    "nonsilent_region": lambda fn, types, x: fn.nonsilent_region(x)[0],
    "preemphasis_filter": lambda fn, types, x: fn.preemphasis_filter(fn.cast(x, dtype=types.FLOAT)),
    "spectrogram": lambda fn, types, x: fn.spectrogram(fn.cast(x, dtype=types.FLOAT), nfft=4, window_length=4),
    "power_spectrum": lambda fn, types, x: fn.power_spectrum(fn.cast(x, dtype=types.FLOAT), nfft=8),
    "mel_filter_bank": lambda fn, types, x: fn.mel_filter_bank(fn.cast(x, dtype=types.FLOAT), nfilter=2),
    "mfcc": lambda fn, types, x: fn.mfcc(fn.cast(x, dtype=types.FLOAT), n_mfcc=2),
    "to_decibels": lambda fn, types, x: fn.to_decibels(fn.cast(x, dtype=types.FLOAT)),
    "audio_resample": lambda fn, types, x: fn.audio_resample(fn.cast(x, dtype=types.FLOAT), scale=0.5),
}

# Operators whose numbers are drawn, or differ from DALI's by more than rounding: only layouts and shapes are compared.
DRAWN = (
    "random",
    "noise",
    "jitter",
    "roi_random_crop",
    "random_mask_pixel",
    "random_object_bbox",
    "random_resized_crop",
)
# Operators that are not here, because their inputs are files, boxes with labels, or masks with polygons; their outputs are
# numbers without a layout; the layout is an argument; or DALI has them on GPUs only.
LEFT_OUT = {
    *(
        f"decoders.{name}"
        for name in ("audio", "image", "image_crop", "image_random_crop", "image_slice", "numpy", "video")
    ),
    *("io.file.read", "peek_image_shape", "python_function", "random_crop_generator"),
    *("box_encoder", "random_bbox_crop", "ssd_random_crop", "segmentation.select_masks"),
    *(f"transforms.{name}" for name in ("combine", "rotation", "scale", "shear", "translation")),
    *(f"experimental.{name}" for name in ("dilate", "erode", "median_blur", "remap")),
}
# Calls that are for some inputs only.
_ONLY = {name: {"AB"} for name in ("bb_flip", "bbox_paste", "bbox_rotate", "roi_random_crop")}
# What DALI answers, but this package refuses: by call, the inputs.
REFUSED: dict[str, set[str]] = {
    "slice named": {"H W C without", "H W without", "F H W C without"},
    "grid_mask": {"ABC", "X", "X without"},
    "erase": {"ABC", "AB", "X"},
}


def calls_for(name: str) -> list[str]:
    """Returns the calls that an input is given to; without a layout, fn.erase ends DALI's process."""
    return [call for call in CALLS if name in _ONLY.get(call, INPUTS) and not (call == "erase" and "without" in name)]


def sample(shape: tuple[int, ...]) -> np.ndarray:
    return (np.arange(np.prod(shape)) * 37 % 251).astype(np.uint8).reshape(shape)


def recorded() -> dict[str, dict[str, str]]:
    """Returns the layouts of DALI's outputs, by input and call."""
    return json.loads(RECORD.read_text())
