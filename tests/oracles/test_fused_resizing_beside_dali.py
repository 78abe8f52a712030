"""Resizing, cropping and mirroring in one operator, and resizing along any axes, compared with DALI."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from beside_dali import BATCH, SYSTEMS, graph, load, results
from ragged_batches import check, images, numbers

pytestmark = pytest.mark.dali

# The error for a region that starts between pixels.
NEAR = {"atol": 0.02}


def volumes(rng: np.random.Generator) -> np.ndarray:
    return numbers(rng, np.float32, 4, 6, 5, 2)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_windows_of_resized_images():
    def outputs(dali: Any, x: Any) -> list[Any]:
        fused, real = dali.fn.resize_crop_mirror, {"dtype": dali.types.FLOAT}
        region = {"roi_start": (0.1, 0.7), "roi_end": (0.8, 0.2), "roi_relative": True}
        return [
            fused(x, resize_shorter=30, crop=(20, 24), **real),
            fused(x, resize_shorter=30.3, crop=(20, 24), mirror=1, crop_pos_x=0.2, crop_pos_y=1.0, **real),
            fused(x, size=(-30, 40), crop=(20.7, 24), mirror=3, **real),
            fused(x, resize_x=8, resize_y=7, crop_w=3, crop_h=4, interp_type=dali.types.INTERP_CUBIC, **real),
            fused(x, resize_x=20, crop=(3, 8), mirror=2, rounding="truncate", antialias=False, **real, **region),
            fused(x, resize_longer=9, mirror=1, **real),
            dali.fn.fast_resize_crop_mirror(x, resize_shorter=3, crop=(2, 3), **real),
        ]

    check([images()], outputs, **NEAR)


def test_a_window_that_is_larger_than_the_image_repeats_its_edge():
    def outputs(dali: Any, x: Any) -> list[Any]:
        fused, real = dali.fn.resize_crop_mirror, {"dtype": dali.types.FLOAT}
        drawn = dali.fn.random.uniform(values=[17.0])
        return [
            fused(x, resize_shorter=10, crop=(30, 25), mirror=1, **real),
            fused(x, resize_longer=9, crop=(12, 4), crop_pos_y=0.1, interp_type=dali.types.INTERP_NN),
            fused(x, size=(10, 9), crop_h=drawn, crop_w=5, **real),
        ]

    check([images()], outputs, **NEAR)


def test_windows_and_mirrors_by_nodes():
    def outputs(dali: Any, x: Any, crop: Any, place: Any, mirror: Any) -> Any:
        return dali.fn.resize_crop_mirror(
            x, size=(30, 40), crop=crop, crop_pos_x=place, mirror=mirror, dtype=dali.types.FLOAT
        )

    windows = "", lambda rng: rng.uniform(0.5, 30, 2).astype(np.float32)
    places = "", lambda rng: np.float32(rng.uniform())
    mirrors = "", lambda rng: rng.integers(0, 4, dtype=np.int32)
    check([images(), windows, places, mirrors], outputs, **NEAR)


def test_windows_of_resized_volumes():
    def outputs(dali: Any, x: Any) -> list[Any]:
        fused = dali.fn.resize_crop_mirror
        return [
            fused(x, size=(6, 15, 20), crop=(4, 10, 12), mirror=7),
            fused(x, size=(6, 15, 20), crop=(10, 12), mirror=1, crop_pos_x=0.1),
            fused(x, resize_x=20, resize_y=15, resize_z=6, crop_d=7, crop_h=10, crop_w=12, mirror=4, crop_pos_z=0.9),
        ]

    check([("DHWC", volumes)], outputs, atol=1e-3)


@pytest.mark.parametrize("layout", ["CHW", "FHWC"])
def test_other_layouts(layout):
    shape = (3, 6, 5) if layout == "CHW" else (2, 6, 5, 3)
    source = layout, lambda rng: numbers(rng, np.uint8, *shape)

    # DALI 2.4.0 numbers the axes of these layouts wrongly: its 1 mirrors top to bottom, and its 2 does nothing.
    def outputs(dali: Any, x: Any) -> Any:
        mine = dali.__name__ == "jaxdali"
        arguments = {"resize_x": 20, "crop": (10, 12), "dtype": dali.types.FLOAT}
        whole = dali.fn.resize_crop_mirror(x, **arguments)
        mirrored = dali.fn.flip(whole, horizontal=1, vertical=1)
        return [whole, dali.fn.resize_crop_mirror(x, mirror=3, **arguments) if mine else mirrored]

    check([source], outputs, **NEAR)


@pytest.mark.parametrize(
    "arguments", [dict(crop=(3, 4)), dict(resize_x=20, crop_w=3), dict(resize_x=20, size=(3, 4))], ids=str
)
def test_both_refuse(arguments):
    @graph
    def cropped(dali):
        source = dali.fn.external_source(lambda: [np.zeros((20, 30, 3), np.uint8)] * BATCH, layout="HWC")
        return dali.fn.resize_crop_mirror(source, **arguments)

    for system in SYSTEMS:
        with pytest.raises((RuntimeError, ValueError)):
            results(cropped, system)


def test_a_window_of_unknown_size_must_lie_in_the_image():
    dali = load("jaxdali")

    @graph
    def cropped(dali):
        source = dali.fn.external_source(lambda: [np.zeros((20, 30, 3), np.uint8)] * BATCH, layout="HWC")
        sizes = dali.fn.external_source(lambda: [np.float32([5, 21])] * BATCH)
        return dali.fn.resize_crop_mirror(source, size=(20, 20), crop=sizes)

    with pytest.raises(dali.errors.SourceDataError, match="is larger than its input"):
        results(cropped, "jaxdali")
