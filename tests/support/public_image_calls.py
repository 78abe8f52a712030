"""Small calls of the functions of `jaxdali.image` and `jaxdali.image.affine`; see `public_calls`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from jaxdali import image

__all__ = ["IMAGE_CALLS"]

N = 2
Call = Callable[[dict[str, Any]], Any]

_MATRIX = np.array([[1, 0.1, 0], [0, 1, 0.5]], np.float32)
_KERNEL = np.array([[0, 0.25, 0], [0.25, 0.25, 0.25]], np.float32)
_MEAN, _STD = [1.0, 2.0, 3.0], [3.0, 2.0, 1.0]

_OF_IMAGES: dict[str, list[Call]] = {
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
        lambda o: image.decode_resample([o["files"]] * 2, o["windows"], (4, 4), flip=o["flags"]),
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
        lambda o: (
            image.open([o["files"]] * 2).resized_crop(o["windows"], (4, 4)).flip(o["flags"]).array(on_error="zeros")
        ),
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
        lambda o: image.affine.transformed(o["points"], jnp.stack([jnp.eye(2, dtype=jnp.float32)] * N)[:, None]),
    ],
    "image.affine.translation": [
        lambda o: image.affine.translation([1.0, 2.0]),
        lambda o: image.affine.translation(o["points"][:, 0]),
    ],
}

IMAGE_CALLS: dict[str, list[Call]] = {**_OF_IMAGES, **_MAPS}
