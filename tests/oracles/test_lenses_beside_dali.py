"""Perspectives, and images behind glass and water, compared with NVIDIA's DALI."""

from __future__ import annotations

import numpy as np
import pytest
from beside_dali import graph
from drawn_images import apart, drawn

pytestmark = pytest.mark.dali

SHAPES = (40, 31, 3), (23, 50, 3)


def perspectives():
    rng = np.random.default_rng(3)
    while True:
        middle = np.eye(3) + rng.uniform(-0.2, 0.2, (2, 3, 3))
        middle[:, :2, 2] *= 30
        middle[:, 2] = [0, 0, 1]
        middle[:, 2, :2] = rng.uniform(-0.008, 0.008, (2, 2))
        yield list(middle.astype(np.float32))


# For INT16, DALI rounds positions to 1/32 of a pixel.
# Noise has large steps between pixels: an error in the last bit of a position changes the result by 1e-3 of a level.
@pytest.mark.parametrize(("dtype", "step", "share"), [("float32", 0.05, 1), ("uint8", 1, 1e-3)])
def test_perspectives(dtype, step, share):
    @graph
    def program(dali):
        images = dali.fn.external_source(drawn(*SHAPES, dtype=dtype), layout="HWC")
        maps = dali.fn.external_source(perspectives)
        warp = dali.fn.experimental.warp_perspective
        return (
            warp(images, maps),
            warp(images, matrix=maps, inverse_map=False, fill_value=[30.5, 2, 3], border_mode="constant"),
            warp(images, maps, pixel_origin="center", border_mode="replicate", interp_type=dali.types.INTERP_CUBIC),
            warp(images, matrix=[1.1, 0.2, -3, -0.1, 0.9, 2, 0.001, 0.002, 1], border_mode="wrap", size=(30, 44)),
            warp(images, maps, border_mode="reflect", size=(30.6, 20.4)),
            warp(images, maps, border_mode="reflect_101"),
        )

    for largest, off, count in apart(program):
        assert count > 8000 and largest <= step and off <= share


def test_nearest_pixels_of_perspectives():
    @graph
    def program(dali):
        images = dali.fn.external_source(drawn(*SHAPES), layout="HWC")
        options = {"interp_type": dali.types.INTERP_NN, "fill_value": 7.6}
        return (
            dali.fn.experimental.warp_perspective(images, dali.fn.external_source(perspectives), **options),
            # Positions in the middle between two pixels.
            dali.fn.experimental.warp_perspective(images, matrix=[1, 0, 0.5, 0, 1, 1.5, 0, 0, 1], **options),
        )

    drawn_ones, halves = apart(program)
    assert drawn_ones[1] <= 1e-3 and halves[1] == 0


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_glass_and_water(dtype):
    @graph
    def program(dali):
        images = dali.fn.external_source(drawn(*SHAPES, dtype=dtype), layout="HWC")
        mask = dali.fn.external_source([[np.int32(1), np.int32(0)]], cycle="quiet")
        linear = {"interp_type": dali.types.INTERP_LINEAR, "fill_value": 90.7}
        waves = {"ampl_x": 3.5, "ampl_y": 2.25, "freq_x": 0.3, "freq_y": 0.2, "phase_x": 1.5, "phase_y": -2}
        return (
            dali.fn.sphere(images, fill_value=-3),
            dali.fn.sphere(images, mask=mask, **linear),
            dali.fn.water(images),
            dali.fn.water(images, mask=mask, **waves, **linear),
            dali.fn.water(images, **waves),
        )

    steps = 1 if dtype == "uint8" else 0.05
    glass, clear_glass, water, waved, near = apart(program)
    assert glass[1] <= 1e-3 and water[1] <= 1e-2 and near[1] <= 1e-3
    assert clear_glass[0] <= steps and waved[0] <= steps
    assert clear_glass[1] <= (2e-3 if dtype == "uint8" else 1) and waved[1] <= (2e-3 if dtype == "uint8" else 1)
