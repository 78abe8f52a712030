"""Rotations and affine maps compared with NVIDIA's DALI."""

from __future__ import annotations

import numpy as np
import pytest
from beside_dali import graph
from drawn_images import apart, drawn, numbers

pytestmark = pytest.mark.dali

SHAPES = (40, 31, 3), (23, 50, 3)


def smooth(dali, dtype="uint8"):
    return dali.fn.external_source(drawn(*SHAPES, dtype=dtype), layout="HWC")


# DALI adds up positions along rows: after 50 pixels it is off by 1e-4 of a pixel, which in noise makes 0.03 of a level.
@pytest.mark.parametrize(("dtype", "step", "share"), [("FLOAT", 0.1, 1), ("UINT8", 1, 1e-2)])
def test_rotations(dtype, step, share):
    @graph
    def program(dali):
        images, options = smooth(dali), {"dtype": getattr(dali.types, dtype)}
        angle = dali.fn.external_source(numbers(-360, 360))
        return (
            dali.fn.rotate(images, angle=angle, **options),
            dali.fn.rotate(images, angle=angle, fill_value=17, keep_size=True, **options),
            dali.fn.rotate(images, angle=33.5, size=(20.6, 30), fill_value=0, **options),
            dali.fn.rotate(images, angle=-90, **options),
        )

    *found, quarter = apart(program)
    for largest, off, count in found:
        assert count > 4000 and largest <= step and off <= share
    assert quarter[0] <= 1e-2 and quarter[1] <= (1 if dtype == "FLOAT" else 0)


def test_extents_of_rotated_images():
    degrees = [list(np.float32(pair)) for pair in ((0.01, 10), (45, 89.9), (90.1, 135), (181, 315))]

    @graph
    def program(dali):
        images = dali.fn.external_source(drawn((36, 51, 1), (37, 50, 1), (10, 200, 1)), layout="HWC")
        angle = dali.fn.external_source(degrees, cycle="quiet")
        options = {"interp_type": dali.types.INTERP_NN}
        return dali.fn.rotate(images, angle=angle, **options), dali.fn.rotate(images, angle=-45, **options)

    assert all(off <= 0.02 for _, off, _ in apart(program))


def test_extents_of_rotated_volumes():
    degrees = [np.float32([45, 100, -135]), np.float32([315, 20])]
    axes = [np.float32([[1, 0, 0], [1, 2, -1], [0, 0, 1]]), np.float32([[0, 1, 0], [-1, 1, 1]])]

    @graph
    def program(dali):
        fn, options = dali.fn, {"interp_type": dali.types.INTERP_NN}
        volumes = fn.external_source(drawn((13, 8, 16, 1), (10, 11, 9, 1)), layout="DHWC")
        clips = fn.external_source(drawn((3, 13, 8, 16, 1), (2, 6, 11, 12, 1)), layout="FDHWC")
        angle, axis = (fn.per_frame(fn.external_source([one], cycle="quiet")) for one in (degrees, axes))
        return (
            fn.rotate(volumes, angle=45, axis=(1, 0, 0), **options),
            fn.rotate(volumes, angle=-225, axis=(0, 1, 0), **options),
            fn.rotate(volumes, angle=315, axis=(0, 0, 1), **options),
            fn.rotate(clips, angle=angle, axis=(0, 0, 1), **options),
            fn.rotate(clips, angle=angle, axis=axis, **options),
        )

    # If a position lies on an edge between two pixels, either may be taken.
    assert all(off <= 0.06 for _, off, _ in apart(program))


@pytest.mark.parametrize(("dtype", "step", "share"), [("FLOAT", 0.1, 1), ("UINT8", 1, 1e-2)])
def test_affine_maps(dtype, step, share):
    @graph
    def program(dali):
        images, options = smooth(dali), {"dtype": getattr(dali.types, dtype)}
        maps = dali.fn.transforms.rotation(angle=dali.fn.external_source(numbers(-60, 60)), center=(20, 15))
        maps = dali.fn.transforms.translation(maps, offset=dali.fn.external_source(numbers(-9, 9, 2)))
        return (
            dali.fn.warp_affine(images, matrix=maps, **options),
            dali.fn.warp_affine(images, maps, fill_value=30, inverse_map=False, **options),
            dali.fn.warp_affine(images, matrix=[1.1, 0.2, -3.3, -0.15, 0.9, 2.2], size=(30, 44), **options),
        )

    for largest, off, count in apart(program):
        assert count > 20_000 and largest <= step and off <= share


def test_volumes_are_moved_and_turned():
    @graph
    def program(dali):
        volumes = dali.fn.external_source(drawn((10, 12, 14, 2), (9, 11, 8, 2), dtype="float32"), layout="DHWC")
        angle, axis = (dali.fn.external_source(numbers(*given)) for given in ((-180, 180), (0.2, 1, 3)))
        maps = dali.fn.transforms.rotation(angle=angle, axis=axis, center=(6, 5, 4))
        return (
            dali.fn.warp_affine(volumes, maps, fill_value=30),
            dali.fn.warp_affine(volumes, matrix=maps, inverse_map=False, size=(5, 8, 6.7)),
            dali.fn.rotate(volumes, angle=angle, axis=axis, fill_value=0),
            dali.fn.rotate(volumes, angle=33.5, axis=(0, 0, -2), size=(9, 8, 12.6)),
            dali.fn.rotate(volumes, angle=angle, axis=(0, 1, 0), keep_size=True),
            dali.fn.rotate(volumes, angle=200, axis=(1, 2, 3), dtype=dali.types.UINT8),
        )

    *floats, integers = apart(program)
    for largest, _, count in floats:
        assert count > 1900 and largest <= 0.05
    assert integers[0] <= 1 and integers[1] <= 1e-3


def test_nearest_pixels_of_other_types():
    @graph
    def program(dali):
        maps = dali.fn.transforms.shear(angles=dali.fn.external_source(numbers(-30, 30, 2)))
        options = {"matrix": maps, "interp_type": dali.types.INTERP_NN, "fill_value": -3}
        return tuple(dali.fn.warp_affine(smooth(dali, kind), **options) for kind in ("int16", "float32"))

    for largest, off, _ in apart(program):
        assert off <= 1e-3, largest  # if a position lies on an edge between two pixels


def test_maps():
    @graph
    def program(dali):
        def node(*shape, low=0.5, seed=0):
            return dali.fn.external_source(numbers(low, 3, *shape, seed=seed))

        make = dali.fn.transforms
        two, three, flat = node(2), node(3, seed=1), node(seed=2)
        before = dali.fn.external_source(numbers(-2, 2, 2, 3, seed=3))
        return (
            make.translation(offset=two),
            make.translation(before, offset=two),
            make.translation(before, offset=(1, 2), reverse_order=True),
            make.scale(scale=two, center=(10, 20)),
            make.scale(scale=flat, ndim=3),
            make.scale(before, scale=2.5),
            make.rotation(angle=flat, center=two),
            make.rotation(angle=flat, axis=three, center=three),
            make.rotation(before, angle=200),
            make.shear(shear=two, center=two),
            make.shear(angles=(30, 10)),
            make.shear(shear=node(3, 2), center=three),
            make.crop(from_start=two, from_end=(4, 5), to_start=0.5, to_end=two),
            make.crop(before, from_start=(0.8, 0.2), from_end=(0.1, 1.2), absolute=True, reverse_order=True),
            make.crop(from_start=(0.8, 0.2), from_end=(0.1, 1.2)),
        )

    # DALI's layout of these outputs names every axis "*".
    for largest, off, _ in apart(program):
        assert off == 0, largest
