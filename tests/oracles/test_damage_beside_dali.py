"""Erased regions, images on larger canvases, and moved points, compared with NVIDIA's DALI."""

from __future__ import annotations

import numpy as np
import pytest
from beside_dali import graph
from drawn_images import apart, drawn, numbers

pytestmark = pytest.mark.dali

SHAPES = (40, 31, 3), (23, 50, 3)


def some_regions():
    """Batches of none to three regions, another number in each sample."""
    rng = np.random.default_rng(7)
    while True:
        yield [rng.uniform(0, 20, 2 * count).astype(np.float32) for count in (rng.integers(0, 4), 2)]


def test_erased_parts():
    @graph
    def program(dali):
        images = dali.fn.external_source(drawn(*SHAPES), layout="HWC")
        anchor, shape = (dali.fn.external_source(numbers(-5, 40, 4, seed=seed)) for seed in (1, 2))
        fraction = dali.fn.external_source(numbers(0, 1, 2))
        parts = dali.fn.external_source(some_regions)
        return (
            dali.fn.erase(images, anchor=anchor, shape=shape),
            dali.fn.erase(images, anchor=fraction, shape=fraction, normalized=True, fill_value=(1, 2.5, 3)),
            dali.fn.erase(images, anchor=fraction, shape=(7.5, 4), normalized_anchor=True, centered_anchor=True),
            dali.fn.erase(images, anchor=5, shape=0.25, axis_names="W", normalized_shape=True, fill_value=9),
            dali.fn.erase(images, anchor=anchor, shape=shape, axes=(1, 0)),
            dali.fn.erase(images, anchor=parts, shape=parts + 4, fill_value=(1, 2.5, 3)),
        )

    assert all(largest == 0 for largest, _, _ in apart(program))


def test_images_on_canvases():
    @graph
    def program(dali):
        images = dali.fn.external_source(drawn(*SHAPES), layout="HWC")
        x = dali.fn.external_source(numbers(0, 1, seed=1))
        return (
            dali.fn.paste(images, ratio=1.7, fill_value=(1, 2, 3), paste_x=x, paste_y=x),
            dali.fn.paste(images, ratio=1.2, fill_value=7, min_canvas_size=45.5),
        )

    assert all(largest == 0 for largest, _, _ in apart(program))


def test_points():
    @graph
    def program(dali):
        points = dali.fn.external_source(drawn((5, 2), (9, 2), dtype=np.float32))
        whole = dali.fn.external_source(drawn((5, 2), (9, 2), dtype=np.int32))
        matrix, both = (dali.fn.external_source(numbers(-2, 2, *shape)) for shape in ((3, 2), (2, 3)))
        return (
            dali.fn.coord_transform(points, M=matrix, T=(1, 2, 3)),
            dali.fn.coord_transform(points, MT=both),
            dali.fn.coord_transform(points, MT=-1.5),
            dali.fn.coord_transform(whole, M=0.5, T=dali.fn.external_source(numbers(-9, 9, 2))),
            dali.fn.coord_transform(whole, MT=both, dtype=dali.types.INT32),
        )

    assert all(off <= 1e-3 for _, off, _ in apart(program))


def test_maps_one_after_the_other():
    @graph
    def program(dali):
        one, other = (dali.fn.external_source(numbers(-2, 2, 2, 3, seed=seed)) for seed in (1, 2))
        combine = dali.fn.transforms.combine
        return combine(one, other, one), combine(one, other, reverse_order=True), combine(one, np.eye(2, 3, 1))

    assert all(off == 0 for _, off, _ in apart(program))
