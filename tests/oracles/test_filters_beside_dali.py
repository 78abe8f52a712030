"""Operators on the neighbours of each pixel beside NVIDIA's DALI."""

from __future__ import annotations

import pytest
from beside_dali import graph
from drawn_images import apart, drawn, numbers

pytestmark = pytest.mark.dali

SHAPES = (40, 31, 3), (23, 50, 3)


@pytest.mark.parametrize(("kind", "dtype"), [("uint8", None), ("uint8", "FLOAT"), ("float32", None)])
def test_gaussian_blur(kind, dtype):
    @graph
    def program(dali):
        images = dali.fn.external_source(drawn(*SHAPES, dtype=kind), layout="HWC")
        options = {} if dtype is None else {"dtype": getattr(dali.types, dtype)}
        sigma = dali.fn.external_source(numbers(0.3, 6))  # larger windows than images are high
        small = dali.fn.random.uniform(range=(1.0, 1.000001))
        return (
            dali.fn.gaussian_blur(images, sigma=sigma, **options),
            dali.fn.gaussian_blur(images, sigma=small, **options),
            dali.fn.gaussian_blur(images, window_size=5, **options),
            dali.fn.gaussian_blur(images, sigma=(0.5, 2), window_size=(0, 3), **options),
        )

    for largest, off, count in apart(program):
        assert count > 20_000 and off <= 1e-3 and largest <= (1 if kind == "uint8" and dtype is None else 1e-3)


def test_equalized_levels():
    @graph
    def program(dali):
        images = dali.fn.external_source(drawn(*SHAPES, most=180), layout="HWC")
        return dali.fn.equalize(images), dali.fn.equalize(dali.fn.erase(images, shape=(99, 99), fill_value=77))

    (_, off, _), (largest, _, _) = apart(program)
    assert off <= 1e-3 and largest == 0
