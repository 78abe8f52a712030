"""Cases of operators on images and on files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from catalogue_case import FLOAT, SIDE, SIDES, Case, Dali, constant, image_pair, read

__all__ = ["IMAGES"]

_MEAN, _STD = [123.7, 116.3, 103.5], [58.4, 57.1, 57.4]
# For a mosaic: regions of four images, and where to paste them.
_QUARTERS = {
    "shapes_rel": np.full((4, 2), 0.3, np.float32),
    "out_anchors_rel": np.array([[0, 0], [0, 0.5], [0.5, 0], [0.5, 0.5]], np.float32),
}
_MATRIX = (0.9, 0.2, 3.0, -0.2, 0.9, 5.0)
_PERSPECTIVE = (1.02, 0.05, 1.0, -0.04, 0.98, 2.0, 1e-4, 2e-4, 1.0)
_EDGES = np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]], np.float32)
_LARGE = np.full((9, 9), 1 / 81, np.float32)


def _damage() -> dict[str, list[Case]]:
    """Cases that erase parts of images, or add noise or compression artefacts."""
    return {
        "erase": image_pair(
            "erase",
            {"anchor": (0.2, 0.3), "shape": (0.3, 0.3), "normalized": True, "axis_names": "HW"},
            {
                "anchor": (0.1, 0.1, 0.6, 0.5),
                "shape": (0.2, 0.3, 0.3, 0.3),
                "normalized": True,
                "axis_names": "HW",
                "fill_value": 120,
            },
        ),
        "debayer": [
            Case(("mosaics",), lambda d, x: d.fn.debayer(x, blue_position=[0, 0]), "blue_position=[0, 0]"),
            Case(
                ("mosaics",),
                lambda d, x: d.fn.debayer(x, blue_position=[1, 0], algorithm="edgeaware_ocv"),
                "algorithm=edgeaware_ocv",
            ),
        ],
        "grid_mask": image_pair(
            "grid_mask", {"tile": 16, "ratio": 0.5}, {"tile": 20, "ratio": 0.4, "angle": 0.3}, off=1e-3
        ),
        "jpeg_compression_distortion": image_pair("jpeg_compression_distortion", {"quality": 50}, {"quality": 90}),
        "noise.gaussian": image_pair("noise.gaussian", {"stddev": 10.0}, {"mean": 1.0, "stddev": 5.0}, drawn=True),
        "noise.salt_and_pepper": image_pair("noise.salt_and_pepper", {"prob": 0.05}, {"prob": 0.2}, drawn=True),
        "noise.shot": image_pair("noise.shot", {"factor": 10.0}, {"factor": 1.0}, drawn=True),
    }


def _geometry() -> dict[str, list[Case]]:
    """Cases of windows, sizes and maps of images."""
    rel = {"rel_start": (0.1, 0.2), "rel_shape": (0.5, 0.6), "axis_names": "HW"}
    return {
        "crop": image_pair("crop", {"crop": SIDES}, {"crop": SIDES, "crop_pos_x": 0.1}),
        "crop_mirror_normalize": image_pair(
            "crop_mirror_normalize",
            {"crop": SIDES, "mean": _MEAN, "std": _STD, "mirror": 1},
            {"crop": SIDES, "mean": _MEAN, "std": _STD, "dtype": constant("FLOAT16"), "output_layout": "HWC"},
        ),
        "experimental.warp_perspective": image_pair(
            "experimental.warp_perspective",
            {"matrix": _PERSPECTIVE},
            {"matrix": _PERSPECTIVE, "border_mode": "reflect_101"},
            off=1e-3,
        ),
        "tensor_resize": image_pair(
            "tensor_resize",
            {"scales": [0.5, 0.6], "axes": [0, 1]},
            {"sizes": SIDES, "axes": [0, 1], "interp_type": constant("INTERP_CUBIC")},
            off=0.05,
        ),
        "flip": image_pair("flip", {}, {"horizontal": 0, "vertical": 1}),
        "paste": image_pair("paste", {"ratio": 1.5, "fill_value": 0}, {"ratio": 1.2, "fill_value": 90, "paste_x": 0.2}),
        "random_resized_crop": image_pair(
            "random_resized_crop", {"size": SIDES}, {"size": SIDES, "antialias": False}, drawn=True
        ),
        "resize": image_pair(
            "resize",
            {"size": SIDES},
            {"resize_shorter": SIDE, "interp_type": constant("INTERP_CUBIC")},
            off=3e-3,
            apart=1,
        ),
        "resize_crop_mirror": image_pair(
            "resize_crop_mirror",
            {"size": SIDES, "crop": SIDES, "mirror": 1},
            {"resize_shorter": SIDE, "crop": SIDES, "mirror": 2},
            off=3e-3,
        ),
        "rotate": image_pair(
            "rotate", {"angle": 20.0, "fill_value": 0, "keep_size": True}, {"angle": 200.0, "fill_value": 0}, off=1e-3
        ),
        "sphere": image_pair("sphere", {}, {"interp_type": constant("INTERP_LINEAR"), "fill_value": 7.0}, off=1e-3),
        "slice": image_pair("slice", rel, {"start": (2, 3), "shape": (18, 17), "axis_names": "HW"}),
        "water": image_pair("water", {}, {"ampl_x": 4.0, "interp_type": constant("INTERP_LINEAR")}, off=1e-2),
        "warp_affine": image_pair(
            "warp_affine", {"matrix": _MATRIX, "fill_value": 0}, {"matrix": _MATRIX, "fill_value": 90}, off=1e-3
        ),
    }


def _pasted() -> dict[str, list[Case]]:
    """Cases that make mosaics."""

    def call(dali: Dali, *images: Any) -> Any:
        return dali.fn.multi_paste(*images, output_size=(2 * dali.side, 2 * dali.side), **_QUARTERS)

    quarters = {"in_ids": [0, 1, 2, 3], **_QUARTERS}
    return {
        "multi_paste": [
            Case(("images",) * 4, call, "four inputs"),
            Case(
                ("ragged",),
                lambda d, x: d.fn.multi_paste(x, output_size=(2 * d.side, 2 * d.side), **quarters),
                "four samples of one input",
            ),
        ]
    }


def _colours() -> dict[str, list[Case]]:
    return {
        "brightness": image_pair("brightness", {"brightness": 1.2}, {"brightness_shift": 0.1, "dtype": FLOAT}),
        "brightness_contrast": image_pair(
            "brightness_contrast", {"brightness": 1.2, "contrast": 0.8}, {"contrast": 1.5, "dtype": FLOAT}
        ),
        "clahe": image_pair(
            "clahe",
            {"tiles_x": 8, "tiles_y": 8, "clip_limit": 2.0},
            {"tiles_x": 4, "tiles_y": 4, "clip_limit": 3.0, "luma_only": False},
            off=1e-3,
        ),
        "color_space_conversion": image_pair(
            "color_space_conversion",
            {"image_type": constant("RGB"), "output_type": constant("YCbCr")},
            {"image_type": constant("RGB"), "output_type": constant("GRAY")},
        ),
        "color_twist": image_pair(
            "color_twist", {"brightness": 1.1, "contrast": 0.9, "saturation": 1.2, "hue": 20.0}, {"saturation": 0.5}
        ),
        "contrast": image_pair("contrast", {"contrast": 0.8}, {"contrast": 1.3, "contrast_center": 100.0}),
        "equalize": image_pair("equalize", {}, {}),
        "hsv": image_pair("hsv", {"hue": 20.0, "saturation": 1.2, "value": 0.9}, {"saturation": 0.7, "dtype": FLOAT}),
        "hue": image_pair("hue", {"hue": 30.0}, {"hue": 120.0, "dtype": FLOAT}),
        "saturation": image_pair("saturation", {"saturation": 1.4}, {"saturation": 0.3, "dtype": FLOAT}),
    }


def _filters() -> dict[str, list[Case]]:
    return {
        "filter": [
            Case(("images",), lambda d, x: d.fn.filter(x, d.types.Constant(_EDGES)), "3 x 3"),
            Case(("ragged",), lambda d, x: d.fn.filter(x, d.types.Constant(_LARGE)), "9 x 9", off=1e-3),
        ],
        "gaussian_blur": image_pair(
            "gaussian_blur", {"sigma": 1.0}, {"window_size": 11, "sigma": 2.0, "dtype": FLOAT}, off=1e-3
        ),
        "laplacian": image_pair("laplacian", {}, {"window_size": 5, "dtype": FLOAT}),
        "normalize": [
            Case(("images",), lambda d, x: d.fn.normalize(x, axes=[0, 1]), "axes=[0, 1]", apart=1e-4),
            Case(
                ("ragged",),
                lambda d, x: d.fn.normalize(x, mean=128.0, stddev=60.0, scale=64.0, shift=128.0, dtype=d.types.UINT8),
                "mean, stddev, scale, shift, dtype=UINT8",
                apart=1,
            ),
        ],
    }


def _decoders() -> dict[str, list[Case]]:
    def pair(name: str, first: Any, second: Any, **options: Any) -> list[Case]:
        def call(given: Any) -> Callable[..., Any]:
            return lambda d, x: getattr(d.fn.decoders, name)(x, **read(d, given))

        return [Case(("files",), call(one), text, off=2e-3, apart=3, **options) for one, text in (first, second)]

    gray = {"output_type": constant("GRAY")}
    window = {"rel_start": (0.1, 0.2), "rel_shape": (0.5, 0.6), "axis_names": "HW"}
    return {
        "decoders.image": pair("image", ({}, "RGB"), (gray, "GRAY")),
        "decoders.image_crop": pair("image_crop", ({"crop": SIDES}, "RGB"), ({"crop": SIDES, **gray}, "GRAY")),
        "decoders.image_random_crop": pair("image_random_crop", ({}, "RGB"), (gray, "GRAY"), drawn=True),
        "decoders.image_slice": pair("image_slice", (window, "RGB"), ({**window, **gray}, "GRAY")),
        "peek_image_shape": [
            Case(("files",), lambda d, x: d.fn.peek_image_shape(x)),
            Case(("files",), lambda d, x: d.fn.peek_image_shape(x, dtype=d.types.INT32), "dtype=INT32"),
        ],
    }


IMAGES = {**_colours(), **_damage(), **_decoders(), **_filters(), **_geometry(), **_pasted()}
