"""Operators on the colours of single pixels, compared with NVIDIA's DALI."""

from __future__ import annotations

import numpy as np
import pytest
from beside_dali import graph
from drawn_images import apart, drawn, numbers

pytestmark = pytest.mark.dali

SHAPES = (40, 31, 3), (23, 50, 3)


def changed(dali, images, **options):
    def node(low, high, seed):
        return dali.fn.external_source(numbers(low, high, seed=seed))

    hue, saturation, value = node(-400, 400, 1), node(0, 2, 2), node(0.5, 1.5, 3)
    contrast, shift = node(0.3, 2, 4), node(-0.3, 0.3, 5)
    return (
        dali.fn.color_twist(images, brightness=value, contrast=contrast, hue=hue, saturation=saturation, **options),
        dali.fn.color_twist(images, brightness=value, hue=33, **options),
        dali.fn.hsv(images, hue=hue, saturation=saturation, value=value, **options),
        dali.fn.hue(images, hue=hue, **options),
        dali.fn.saturation(images, saturation=saturation, **options),
        dali.fn.brightness(images, brightness=value, brightness_shift=shift, **options),
        dali.fn.contrast(images, contrast=contrast, **options),
        dali.fn.contrast(images, contrast=0.7, contrast_center=value, **options),
    )


# Results from a float source are never exact halves; from integer levels, one value in ten thousand is.
@pytest.mark.parametrize(
    ("kind", "most", "dtype", "step"),
    [
        ("uint8", 256, None, 1),
        ("uint8", 256, "FLOAT", 1e-3),
        ("int16", 2000, "UINT8", 1),
        ("float32", 1, "FLOAT", 1e-5),
    ],
)
def test_colours(kind, most, dtype, step):
    @graph
    def program(dali):
        images = dali.fn.external_source(drawn(*SHAPES, dtype=kind, most=most), layout="HWC")
        return changed(dali, images, **({} if dtype is None else {"dtype": getattr(dali.types, dtype)}))

    for largest, share, count in apart(program):
        assert count > 10_000 and largest <= step and share <= 1e-3


def test_videos_and_classes_of_old_names():
    @graph
    def program(dali):
        video = dali.fn.external_source(drawn((3, 20, 10, 3), dtype=np.uint8), layout="FHWC")
        twisted = dali.ops.ColorTwist(hue=40, saturation=0.5, image_type=dali.types.RGB)(video)
        return twisted, dali.ops.Hsv(hue=10)(video), dali.ops.Brightness(brightness=1.5)(video)

    assert all(largest <= 1 and share <= 1e-3 for largest, share, _ in apart(program))


def test_colour_spaces():
    spaces = ["RGB", "BGR", "YCbCr", "GRAY"]

    @graph
    def program(dali):
        images = dali.fn.external_source(drawn(*SHAPES, most=256), layout="HWC")
        gray = dali.fn.external_source(drawn((40, 31, 1), (23, 50, 1), most=256), layout="HWC")
        found = []
        for one in spaces:
            for other in spaces:
                if one != other:
                    options = {"image_type": getattr(dali.types, one), "output_type": getattr(dali.types, other)}
                    found.append(dali.fn.color_space_conversion(gray if one == "GRAY" else images, **options))
        return tuple(found)

    for largest, share, _ in apart(program):
        assert largest <= 1 and share <= 1e-4
