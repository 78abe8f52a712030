"""Small calls of every public function of arrays, of `image`, `augment`, `random`, `audio`, `boxes` and `numeric`.

`CALLS` has for each function, named as users write it, functions of `operands()`, a dict of `jax.Array`s; each passes
arguments in other forms: a number, one per sample, one per channel. `undescribed` says which public names have no call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jpeg_files import pillow_jpeg

from jaxdali import audio, augment, boxes, image, numeric, random

__all__ = ["CALLS", "operands", "undescribed"]

N = 2
Call = Callable[[dict[str, Any]], Any]

_DOORS = {"image": image, "augment": augment, "random": random, "audio": audio, "boxes": boxes, "numeric": numeric}
# No function of arrays: types, and what runs on the host before anything is traced.
_OTHERS = {
    "image.EncodedBatch",
    "image.Images",
    "image.Row",
    "image.Status",
    "image.affine",
    "image.custom_call_targets",
}
_SHAPES = np.array([[6, 5, 3], [4, 5, 3]], np.int32)


def operands() -> dict[str, Any]:
    """Makes the operands: images, volumes, signals, boxes, masks and one key for each of two samples."""
    draws = np.random.default_rng(7)
    images = draws.integers(0, 256, (N, 6, 5, 3), np.uint8)
    images[1, 4:] = 0
    corners = np.sort(draws.uniform(0.05, 0.95, (N, 3, 2, 2)).astype(np.float32), axis=2).reshape(N, 3, 4)
    arrays = {
        "images": images,
        "gray": images[..., :1],
        "floats": (images / np.float32(255)).astype(np.float32),
        "shapes": _SHAPES,
        "volumes": draws.integers(0, 256, (N, 3, 4, 5, 1), np.uint8),
        "volume_shapes": np.array([[3, 4, 5, 1], [2, 4, 4, 1]], np.int32),
        "signals": draws.normal(0, 1, (N, 24)).astype(np.float32),
        "lengths": np.array([24, 17], np.int32),
        "spectra": draws.uniform(0, 1, (N, 5, 4)).astype(np.float32),
        "corners": corners,
        "counts": np.array([3, 2], np.int32),
        "labels": np.array([[1, 2, 3], [2, 1, 0]], np.int32),
        "masks": np.repeat(np.array([[[0, 1, 1], [0, 0, 0], [2, 2, 0]]], np.int32), N, 0),
        "points": draws.uniform(0, 1, (N, 4, 2)).astype(np.float32),
        "numbers": draws.integers(0, 9, (N, 3, 4)).astype(np.int32),
        "extents": np.array([[3, 4], [2, 3]], np.int32),
        "flags": np.array([1, 0], np.int32),
        "levels": np.array([0.5, 1.25], np.float32),
        "moves": draws.integers(-1, 2, (N, 6, 5, 2)).astype(np.float32),
        "maps": draws.uniform(0, 4, (2, N, 4, 3)).astype(np.float32),
        "windows": np.array([[1, 0, 4, 3], [0, 1, 3, 4]], np.int32),
        "regions": np.array([[0.5, 3.5, 1, 4], [1.25, 3.125, 0.25, 4.5]], np.float32),
        "one_hot": np.eye(3, dtype=np.float32)[[1, 2]],
        "targets": np.eye(N, dtype=np.float32),
        "ids": np.array([[1], [2]], np.int32),
        "polygons": np.repeat(np.array([[[1, 0, 3], [2, 3, 6]]], np.int32), N, 0),
        "vertices": draws.uniform(0, 1, (N, 6, 2)).astype(np.float32),
    }
    files = image.EncodedBatch.from_encoded([pillow_jpeg(16, 24), pillow_jpeg(20, 18)])
    keys = random.sample_keys(3, 0, 0, np.arange(N))
    return {**jax.device_put(arrays), "files": files, "keys": keys, "key": keys[0]}


def undescribed() -> list[str]:
    """The public names of the doors, and the public methods of `Images` that return images, without a call."""
    names = {f"{door}.{name}" for door, module in _DOORS.items() for name in module.__all__} - _OTHERS
    names |= {f"image.affine.{name}" for name in image.affine.__all__}
    return sorted(names.symmetric_difference(CALLS))


_PER_SAMPLE = np.array([[0.5], [2.0]], np.float32)
_MATRIX = np.array([[1, 0.1, 0], [0, 1, 0.5]], np.float32)
_KERNEL = np.array([[0, 0.25, 0], [0.25, 0.25, 0.25]], np.float32)
_MEAN, _STD = [1.0, 2.0, 3.0], [3.0, 2.0, 1.0]

_IMAGES: dict[str, list[Call]] = {
    "image.arrays": [
        lambda o: image.arrays(*map(image.open(o["files"]).resized_crop, [o["windows"]] * 2, [(8, 8), (4, 6)])),
        lambda o: image.arrays(image.open(o["images"], o["shapes"]).flip(), canvases=[(6, 5)]),
    ],
    "image.brightness_contrast": [
        lambda o: image.brightness_contrast(o["images"], 1.5, 0.1, 0.5),
        lambda o: image.brightness_contrast(o["images"], o["levels"], o["levels"], o["levels"], 100.0, np.float32),
    ],
    "image.clahe": [lambda o: image.clahe(o["images"], (2, 2)), lambda o: image.clahe(o["gray"], (1, 2), 0.0)],
    "image.color_twist": [
        lambda o: image.color_twist(o["images"], 1.5, 0.5, 30.0, 0.5),
        lambda o: image.color_twist(o["images"], o["levels"], o["levels"], o["levels"], o["levels"], np.float32),
    ],
    "image.convert_color_space": [
        lambda o: [image.convert_color_space(o["images"], "RGB", space) for space in ("YCbCr", "GRAY", "BGR")]
    ],
    "image.correlate": [
        lambda o: image.correlate(o["images"], _KERNEL),
        lambda o: image.correlate(o["images"], np.stack([_KERNEL] * N), o["shapes"], anchor=o["extents"] * 0, fill=2),
        lambda o: image.correlate(o["floats"], _KERNEL, mode="valid", border="constant", fill=o["levels"]),
    ],
    "image.crop": [
        lambda o: image.crop(o["images"], o["windows"][:, :2], (3, 2)),
        lambda o: image.crop(o["images"], np.array([[0, 1], [1, 0]]), (3, 2), o["shapes"]),
    ],
    "image.crop_anchor": [
        lambda o: image.crop_anchor(o["shapes"], (3, 2), (0.5, 1.0)),
        lambda o: image.crop_anchor(o["shapes"], o["windows"][:, 2:], (o["levels"] / 2, 0.5), rounding="truncate"),
    ],
    "image.crop_windows": [
        lambda o: image.crop_windows(o["images"], o["windows"]),
        lambda o: image.crop_windows(o["images"], o["windows"], o["shapes"]),
    ],
    "image.debayer": [
        lambda o: [
            image.debayer(o["gray"], (0, 1), algorithm=name) for name in ("bilinear", "edgeaware", "vng", "gray")
        ],
        lambda o: image.debayer(o["gray"], o["windows"][:, :2], np.array([[6, 5, 1], [4, 5, 1]])),
    ],
    "image.decode": [
        lambda o: image.decode(o["files"], (24, 24)),
        lambda o: image.decode(o["files"], (24, 24), on_error="zeros"),
    ],
    "image.decode_resample": [
        lambda o: image.decode_resample(o["files"], None, (9, 7)),
        lambda o: image.decode_resample(o["files"], o["windows"], (4, 4), flip=o["flags"], mean=_MEAN, std=_STD),
        lambda o: image.decode_resample(o["files"], None, (4, 4), flip=1, mean=128.0, dtype=np.float32, layout="CHW"),
    ],
    "image.dilate": [
        lambda o: image.dilate(o["images"]),
        lambda o: image.dilate(o["gray"], o["extents"], iterations=2, border="reflect_101"),
    ],
    "image.erode": [lambda o: image.erode(o["images"]), lambda o: image.erode(o["images"], 2, 0, o["shapes"])],
    "image.flip": [
        lambda o: image.flip(o["images"]),
        lambda o: image.flip(o["floats"], o["flags"], True, o["shapes"]),
    ],
    "image.flip_volumes": [
        lambda o: image.flip_volumes(o["volumes"], 1, o["flags"], 1),
        lambda o: image.flip_volumes(o["volumes"], o["flags"], shapes=o["volume_shapes"]),
    ],
    "image.gaussian_blur": [
        lambda o: image.gaussian_blur(o["images"], 0.7),
        lambda o: image.gaussian_blur(o["images"], o["levels"], 3, o["shapes"], max_radius=2, dtype=np.float32),
    ],
    "image.hsv": [
        lambda o: image.hsv(o["images"], 30.0, 0.5, 1.5),
        lambda o: image.hsv(o["images"], o["levels"], o["levels"], o["levels"], np.float32),
    ],
    "image.jpeg_distortion": [
        lambda o: image.jpeg_distortion(o["images"]),
        lambda o: image.jpeg_distortion(o["images"], np.array([20, 90]), o["shapes"]),
    ],
    "image.laplacian": [
        lambda o: image.laplacian(o["images"]),
        lambda o: image.laplacian(
            o["images"], 5, 3, o["shapes"], scale=o["levels"], normalized=False, dtype=np.float32
        ),
    ],
    "image.median_blur": [
        lambda o: image.median_blur(o["images"]),
        lambda o: image.median_blur(o["images"], np.array([3, 5]), o["shapes"]),
    ],
    "image.normalize": [
        lambda o: image.normalize(o["images"], 127.5, 127.5),
        lambda o: image.normalize(o["images"], _MEAN, _STD, scale=2.0, shift=1.0, dtype=np.uint8),
        lambda o: image.normalize(o["images"], 1.5, 2.0, dtype=jnp.bfloat16, output_layout="CHW"),
    ],
    "image.open": [
        lambda o: (
            image.open(o["files"]).resized_crop(o["windows"], (4, 4)).flip(o["flags"]).normalize(128.0, 64.0).array()
        ),
        lambda o: image.open(o["files"], color="GRAY").resize(resize_shorter=6).crop(5, 4).array(),
        lambda o: image.open(o["images"], o["shapes"]).center_crop(4, 4).brightness_contrast(o["levels"], 0.1).array(),
        lambda o: image.open(o["images"]).normalize(_MEAN, _STD, dtype=np.float32).pad_channels(4, 2.0).array(),
        lambda o: image.open(o["images"]).pad_cut(o["windows"], (6, 6), 3.0).cast(np.int16).to_layout("CHW").array(),
        lambda o: image.open(o["images"]).cut(o["windows"]).resize(size=(3, 3), filter="cubic").array(),
        lambda o: image.open(o["images"]).mix(_MATRIX.repeat(2, 0)[:3, [0, 1, 2, 2]], np.float32).array(),
    ],
    "image.paste_regions": [
        lambda o: image.paste_regions(
            o["images"],
            o["ids"] - 1,
            (7, 6),
            starts=o["windows"][:, None, :2],
            extents=o["windows"][:, None, 2:],
            places=o["windows"][:, None, :2],
            counts=o["flags"],
        )
    ],
    "image.remap": [
        lambda o: image.remap(o["images"], o["maps"][0], o["maps"][1]),
        lambda o: image.remap(
            o["images"],
            np.ones((1, 4, 3), np.float32),
            np.ones((1, 4, 3), np.float32),
            o["shapes"],
            fill=_MEAN,
            filter="cubic",
            extents=o["extents"],
        ),
    ],
    "image.resize": [
        lambda o: image.resize(o["images"], (4, 7)),
        lambda o: image.resize(
            o["images"], (4, 7), o["shapes"], extents=o["extents"], region=o["regions"], dtype=np.float32
        ),
        lambda o: image.resize(o["floats"], (3, 3), min_filter="lanczos3", antialias=False),
    ],
    "image.resize_axes": [
        lambda o: image.resize_axes(o["volumes"], (0, 2), (2, 3)),
        lambda o: image.resize_axes(o["images"], (1,), (3,), o["shapes"], min_filter="gaussian", dtype=np.float32),
    ],
    "image.resize_volumes": [
        lambda o: image.resize_volumes(o["volumes"], (2, 3, 3)),
        lambda o: image.resize_volumes(o["volumes"], (2, 3, 3), o["volume_shapes"], dtype=np.float32),
    ],
    "image.rotate": [
        lambda o: image.rotate(o["images"], 30.0, (6, 5)),
        lambda o: image.rotate(
            o["images"], o["levels"] * 40, (8, 8), o["shapes"], extents=o["extents"], fill=3.0, filter="nearest"
        ),
    ],
    "image.rotate_volumes": [
        lambda o: image.rotate_volumes(o["volumes"], 30.0, (0, 0, 1), (3, 4, 5)),
        lambda o: image.rotate_volumes(
            o["volumes"], o["levels"] * 40, (1, 1, 0), (3, 3, 3), o["volume_shapes"], fill=1.0
        ),
    ],
    "image.rotated_extents": [
        lambda o: image.rotated_extents(o["levels"] * 40, o["shapes"][:, :2]),
        lambda o: image.rotated_extents(30.0, o["shapes"][:, :2]),
    ],
    "image.rotated_volume_extents": [
        lambda o: image.rotated_volume_extents(o["levels"] * 40, (0, 1, 0), o["volume_shapes"][:, :3])
    ],
    "image.round_to_dtype": [
        lambda o: [
            image.round_to_dtype(o["signals"] * 99, dtype) for dtype in (np.uint8, np.int16, np.int32, np.float16)
        ]
    ],
    "image.shaken": [
        lambda o: image.shaken(o["images"], o["moves"]),
        lambda o: image.shaken(o["images"], o["moves"], o["shapes"], fill=9.0),
    ],
    "image.sphere": [
        lambda o: image.sphere(o["images"]),
        lambda o: image.sphere(o["images"], o["shapes"], filter="linear"),
    ],
    "image.warp_affine": [
        lambda o: image.warp_affine(o["images"], _MATRIX),
        lambda o: image.warp_affine(
            o["images"], np.stack([_MATRIX] * N), (4, 4), o["shapes"], extents=o["extents"], fill=2.0, inverse_map=False
        ),
    ],
    "image.warp_perspective": [
        lambda o: image.warp_perspective(o["images"], np.eye(3, dtype=np.float32)),
        lambda o: image.warp_perspective(
            o["images"], np.stack([np.eye(3, dtype=np.float32)] * N), (4, 4), o["shapes"], fill=_MEAN, inverse_map=False
        ),
    ],
    "image.water": [
        lambda o: image.water(o["images"]),
        lambda o: image.water(o["images"], o["shapes"], amplitude=(2.0, 1.0), filter="linear"),
    ],
}

_MAPS: dict[str, list[Call]] = {
    "image.affine.adjugate": [
        lambda o: image.affine.adjugate(jnp.stack([jnp.eye(3)] * N) * o["levels"][:, None, None])
    ],
    "image.affine.combine": [
        lambda o: image.affine.combine(image.affine.rotation(o["levels"] * 40), image.affine.translation(np.ones(2)))
    ],
    "image.affine.crop": [
        lambda o: image.affine.crop(o["points"][:, 0], o["points"][:, 1], np.zeros(2), np.ones(2), absolute=True)
    ],
    "image.affine.inverted": [lambda o: image.affine.inverted(jnp.asarray(_MATRIX[None]) * o["levels"][:, None, None])],
    "image.affine.rotation": [
        lambda o: image.affine.rotation(30.0),
        lambda o: image.affine.rotation(o["levels"] * 40, o["points"][:, 0]),
        lambda o: image.affine.rotation(o["levels"] * 40, axis=np.array([0.0, 1.0, 1.0])),
    ],
    "image.affine.scaling": [
        lambda o: image.affine.scaling([2.0, 0.5]),
        lambda o: image.affine.scaling(o["points"][:, 0] + 1, np.array([1.0, 2.0])),
    ],
    "image.affine.shear": [
        lambda o: image.affine.shear([0.1, 0.2]),
        lambda o: image.affine.shear(o["points"][:, 0], o["points"][:, 1]),
    ],
    "image.affine.shear_of_angles": [
        lambda o: image.affine.shear_of_angles([10.0, 20.0]),
        lambda o: image.affine.shear_of_angles(o["points"][:, 0] * 30, np.array([1.0, 2.0])),
    ],
    "image.affine.transformed": [
        lambda o: image.affine.transformed(o["points"], jnp.asarray(_MATRIX[:, :2])),
        lambda o: image.affine.transformed(o["points"], jnp.stack([jnp.eye(2)] * N)[:, None]),
    ],
    "image.affine.translation": [
        lambda o: image.affine.translation([1.0, 2.0]),
        lambda o: image.affine.translation(o["points"][:, 0]),
    ],
}

_AUGMENT: dict[str, list[Call]] = {
    "augment.auto_augment": [
        lambda o: augment.auto_augment(o["images"], o["keys"]),
        lambda o: augment.auto_augment(o["images"], o["keys"], "svhn", o["shapes"], max_translate_abs=3.0, fill=None),
    ],
    "augment.color_jitter": [
        lambda o: augment.color_jitter(o["images"], o["keys"], 0.4, 0.4, 0.4, 0.1),
        lambda o: augment.color_jitter(o["images"], o["keys"], (0.5, 1.5), hue=(-0.1, 0.2), shapes=o["shapes"]),
    ],
    "augment.rand_augment": [
        lambda o: augment.rand_augment(o["images"], o["keys"], 2, 9),
        lambda o: augment.rand_augment(
            o["images"], o["keys"], 1, 5, o["shapes"], monotonic_mag=False, filter="nearest"
        ),
    ],
    "augment.random_erasing": [
        lambda o: augment.random_erasing(o["images"], o["keys"]),
        lambda o: augment.random_erasing(o["images"], o["keys"], 1.0, value=_MEAN, shapes=o["shapes"]),
        lambda o: augment.random_erasing(o["floats"], o["keys"], 1.0, value="random"),
    ],
    "augment.trivial_augment_wide": [
        lambda o: augment.trivial_augment_wide(o["images"], o["keys"]),
        lambda o: augment.trivial_augment_wide(o["images"], o["keys"], o["shapes"], max_translate_rel=0.2),
    ],
}

_RANDOM: dict[str, list[Call]] = {
    "random.beta": [
        lambda o: random.beta(o["keys"], 0.2, 1.5, (3,)),
        lambda o: random.beta(o["keys"], o["levels"], o["levels"]),
    ],
    "random.choice": [
        lambda o: random.choice(o["keys"], 9, (2,)),
        lambda o: random.choice(o["keys"], o["counts"], (2, 3)),
        lambda o: random.choice(o["keys"], 3, p=[0.1, 0.2, 0.7]),
        lambda o: random.choice(o["keys"], 3, (4,), p=o["one_hot"]),
    ],
    "random.coin_flip": [
        lambda o: random.coin_flip(o["keys"]),
        lambda o: random.coin_flip(o["keys"], o["levels"], np.uint8, shape=(3,), shapes=o["ids"]),
    ],
    "random.cutmix": [
        lambda o: random.cutmix(o["key"], o["signals"][:, :, None, None], o["targets"]),
        lambda o: random.cutmix(o["key"], o["floats"], o["one_hot"], alpha=0.3),
    ],
    "random.mixup": [
        lambda o: random.mixup(o["key"], o["signals"], o["targets"]),
        lambda o: random.mixup(o["key"], o["floats"], o["one_hot"], alpha=1.0),
    ],
    "random.normal": [
        lambda o: random.normal(o["keys"]),
        lambda o: random.normal(o["keys"], (3, 2), np.float16, mean=o["levels"], stddev=2.0),
    ],
    "random.permutation": [
        lambda o: random.permutation(o["keys"]),
        lambda o: random.permutation(o["keys"], repetitions=True),
        lambda o: random.permutation(o["keys"], no_fixed_points=True, taken=o["flags"] == 1),
    ],
    "random.pixel": [
        lambda o: random.pixel(o["keys"], o["masks"] > 0),
        lambda o: random.pixel(o["keys"], o["masks"] > 1, o["extents"]),
    ],
    "random.poisson": [
        lambda o: random.poisson(o["keys"], o["levels"]),
        lambda o: random.poisson(o["keys"], o["signals"] * 20, shapes=o["lengths"][:, None]),
    ],
    "random.resized_crop_window": [
        lambda o: random.resized_crop_window(o["keys"], o["shapes"]),
        lambda o: random.resized_crop_window(o["keys"], np.array([[9, 8], [7, 6]]), (0.2, 0.5)),
    ],
    "random.sample_keys": [
        lambda o: random.sample_keys(1, 0, 2, [0, 5]),
        lambda o: random.sample_keys(random.to_words(3), 1, random.to_words(4), o["windows"][:, :2].astype(jnp.uint32)),
    ],
    "random.split": [lambda o: random.split(o["keys"], 3)],
    "random.to_words": [lambda o: random.to_words(np.arange(N)) + o["windows"][:, :2].astype(jnp.uint32)],
    "random.uniform": [
        lambda o: random.uniform(o["keys"]),
        lambda o: random.uniform(o["keys"], (3, 2), minval=-1, maxval=o["levels"]),
        lambda o: random.uniform(o["keys"], (3,), np.float16, minval=o["flags"], maxval=9.0, shapes=o["ids"]),
        lambda o: random.uniform(o["keys"], (2,), values=[1.5, 2.5]),
        lambda o: random.uniform(o["keys"], values=o["points"][..., 0], counts=o["counts"]),
    ],
    "random.window_about": [
        lambda o: random.window_about(o["keys"], [1, 1], [2, 3], [3, 3], [6, 5]),
        lambda o: random.window_about(o["keys"], o["flags"][:, None], o["ids"] + 2, [4]),
    ],
}

_SIGNALS: dict[str, list[Call]] = {
    "audio.cosine_matrix": [lambda o: audio.transform(o["spectra"], audio.cosine_matrix(5, 3, lifter=2.0), 1)],
    "audio.decibels": [
        lambda o: audio.decibels(o["spectra"]),
        lambda o: audio.decibels(o["spectra"], 20.0, 1.0, -80.0),
    ],
    "audio.hann_window": [
        lambda o: audio.spectrogram(o["signals"], window=audio.hann_window(8), window_length=8, window_step=4)
    ],
    "audio.mel_matrix": [lambda o: audio.transform(o["spectra"], audio.mel_matrix(5, 3, 100.0), 1)],
    "audio.nonsilent_region": [
        lambda o: audio.nonsilent_region(o["signals"], window_length=4),
        lambda o: audio.nonsilent_region(
            o["signals"], o["lengths"], cutoff_db=-3.0, window_length=4, reference_power=1.0
        ),
    ],
    "audio.power_spectrum": [
        lambda o: audio.power_spectrum(o["signals"]),
        lambda o: audio.power_spectrum(o["spectra"], 1, nfft=8, power=1),
    ],
    "audio.preemphasis": [
        lambda o: audio.preemphasis(o["signals"]),
        lambda o: audio.preemphasis(o["signals"], o["lengths"], o["levels"], "reflect"),
        lambda o: audio.preemphasis(o["signals"], coefficient=0.5, border="zero"),
    ],
    "audio.spectrogram": [
        lambda o: audio.spectrogram(o["signals"], window_length=8, window_step=4),
        lambda o: audio.spectrogram(
            o["signals"], o["lengths"], window_length=8, window_step=4, nfft=16, power=1, center=False
        ),
        lambda o: audio.spectrogram(o["signals"], window_length=8, window_step=4, reflect=False),
    ],
    "audio.transform": [lambda o: audio.transform(o["spectra"], np.ones((2, 4), np.float32), -1)],
}

_BOXES: dict[str, list[Call]] = {
    "boxes.blobs": [lambda o: boxes.blobs(o["masks"]), lambda o: boxes.blobs(o["masks"], o["masks"] > 1)],
    "boxes.crop_boxes": [
        lambda o: boxes.crop_boxes(o["corners"], o["points"][:, 0] / 2, np.full((N, 2), 0.5, np.float32)),
        lambda o: boxes.crop_boxes(o["corners"], o["points"][:, 0] / 2, o["points"][:, 1], o["counts"], 0.3),
    ],
    "boxes.encode_boxes": [
        lambda o: boxes.encode_boxes(o["corners"], o["labels"], np.array([[0, 0, 0.5, 0.5], [0.2, 0.2, 1, 1]])),
        lambda o: boxes.encode_boxes(
            o["corners"], o["labels"], np.array([[0, 0, 0.5, 0.5]], np.float32), o["counts"], offset=True, scale=300.0
        ),
    ],
    "boxes.flip_boxes": [
        lambda o: boxes.flip_boxes(o["corners"]),
        lambda o: boxes.flip_boxes(o["corners"], o["flags"], 1, ltrb=True),
    ],
    "boxes.flip_points": [
        lambda o: boxes.flip_points(o["points"]),
        lambda o: boxes.flip_points(o["points"], (o["flags"], 1, 0), (o["levels"], 0.25, 0.5), "yx"),
    ],
    "boxes.intersection_over_union": [
        lambda o: boxes.intersection_over_union(o["corners"], o["corners"][:, ::-1]),
        lambda o: boxes.intersection_over_union(o["corners"][:, :, None], o["corners"][:, None]),
        lambda o: boxes.intersection_over_union(o["corners"], np.array([0.1, 0.1, 0.8, 0.8], np.float32)),
    ],
    "boxes.paste_boxes": [
        lambda o: boxes.paste_boxes(o["corners"], 2.0),
        lambda o: boxes.paste_boxes(o["corners"], o["levels"] + 1, o["levels"] / 2, 0.25, ltrb=True),
    ],
    "boxes.random_crop": [
        lambda o: boxes.random_crop(o["keys"], o["corners"], thresholds=(0.0, 0.3), total_num_attempts=5),
        lambda o: boxes.random_crop(
            o["keys"], o["corners"], o["counts"], aspect_ratio=(0.5, 2.0), scaling=(0.3, 1.0), total_num_attempts=5
        ),
        lambda o: boxes.random_crop(
            o["keys"], o["corners"], crop_shape=[3, 4], input_shape=o["shapes"][:, :2], total_num_attempts=5
        ),
    ],
    "boxes.random_object": [
        lambda o: boxes.random_object(o["keys"], o["masks"]),
        lambda o: boxes.random_object(
            o["keys"],
            o["masks"],
            o["extents"][:, :1] * 0 + 3,
            classes=[1, 2],
            class_weights=[0.5, 2.0],
            foreground_prob=0.9,
        ),
        lambda o: boxes.random_object(o["keys"], o["masks"], threshold=1, k_largest=1, background=o["flags"] * 0),
    ],
    "boxes.rotate_boxes": [
        lambda o: boxes.rotate_boxes(o["corners"], 30.0, o["shapes"][:, :2]),
        lambda o: boxes.rotate_boxes(
            o["corners"], o["levels"] * 40, [[6, 5]], o["counts"], canvas=[9.0, 9.0], mode="halfway"
        ),
        lambda o: boxes.rotate_boxes(o["corners"], o["levels"] * 40, o["shapes"][:, :2], keep_size=True, mode="fixed"),
    ],
    "boxes.select_masks": [
        lambda o: boxes.select_masks(o["ids"], o["polygons"], o["vertices"]),
        lambda o: boxes.select_masks(o["ids"], o["polygons"], o["vertices"], (o["flags"], None, None), reindex=True),
    ],
}

_NUMERIC: dict[str, list[Call]] = {
    "numeric.concatenate": [
        lambda o: numeric.concatenate([o["numbers"], o["numbers"]], [o["extents"], None]),
        lambda o: numeric.concatenate([o["numbers"], o["numbers"]], [None, o["extents"]], axis=1),
    ],
    "numeric.inside": [lambda o: numeric.inside(o["numbers"], o["extents"])],
    "numeric.outside_filled": [
        lambda o: numeric.outside_filled(o["numbers"], o["extents"], 7),
        lambda o: numeric.outside_filled(o["signals"], o["lengths"][:, None], 0.5),
    ],
    "numeric.pad": [
        lambda o: numeric.pad(o["numbers"], o["extents"], None, [4, 5], 9),
        lambda o: numeric.pad(o["numbers"], None, o["extents"] + 1, [4, 5], o["flags"]),
    ],
    "numeric.reshape_ragged": [
        lambda o: numeric.reshape_ragged(o["numbers"], None, [6, 2], None),
        lambda o: numeric.reshape_ragged(o["numbers"], o["extents"], [12], jnp.prod(o["extents"], 1, keepdims=True)),
    ],
    "numeric.window": [
        lambda o: numeric.window(o["numbers"], None, [o["flags"], 1], [2, 2], [2, 2]),
        lambda o: numeric.window(o["numbers"], o["extents"], [-1, o["flags"]], [3, o["counts"]], [3, 3], 5),
    ],
}

CALLS: dict[str, list[Call]] = {**_IMAGES, **_MAPS, **_AUGMENT, **_RANDOM, **_SIGNALS, **_BOXES, **_NUMERIC}
