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
from public_image_calls import IMAGE_CALLS

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
    "image.StackedImages",
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


_MEAN = [1.0, 2.0, 3.0]

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

CALLS: dict[str, list[Call]] = {**IMAGE_CALLS, **_AUGMENT, **_RANDOM, **_SIGNALS, **_BOXES, **_NUMERIC}
