"""Operators on the neighbours of each pixel, compared with NVIDIA's DALI."""

from __future__ import annotations

import numpy as np
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
        sigma = dali.fn.external_source(numbers(0.3, 6))  # some windows are larger than the images
        small = dali.fn.random.uniform(range=(1.0, 1.000001))
        return (
            dali.fn.gaussian_blur(images, sigma=sigma, **options),
            dali.fn.gaussian_blur(images, sigma=small, **options),
            dali.fn.gaussian_blur(images, window_size=5, **options),
            dali.fn.gaussian_blur(images, sigma=(0.5, 2), window_size=(0, 3), **options),
        )

    for largest, off, count in apart(program):
        assert count > 20_000 and off <= 1e-3 and largest <= (1 if kind == "uint8" and dtype is None else 1e-3)


def test_gaussian_blur_of_volumes():
    @graph
    def program(dali):
        volumes = dali.fn.external_source(drawn((9, 14, 12, 2), (7, 9, 15, 2), dtype="float32"), layout="DHWC")
        planes = dali.fn.transpose(volumes, perm=[3, 0, 1, 2], output_layout="CDHW")
        sigma, each = (dali.fn.external_source(numbers(0.5, 1.5, *shape)) for shape in ((), (3,)))
        return (
            dali.fn.gaussian_blur(planes, sigma=sigma),
            dali.fn.gaussian_blur(volumes, sigma=each),
            dali.fn.gaussian_blur(volumes, sigma=(0.5, 0, 1), window_size=(0, 5, 3)),
            dali.fn.gaussian_blur(dali.fn.cast(volumes, dtype=dali.types.INT16), window_size=3),
        )

    *floats, integers = apart(program)
    assert all(count > 9_000 and largest <= 1e-3 for largest, _, count in floats)
    assert integers[0] <= 1 and integers[1] <= 1e-3


@pytest.mark.parametrize("layout", ["CWH", "YXC", "FWH", "WDH", "CFXY"])
def test_axes_count_in_their_order(layout):
    spatial = [letter for letter in layout if letter not in "CF"]

    @graph
    def program(dali):
        samples = drawn((9, 7, 8, 6)[: len(layout)], (8, 6, 9, 5)[: len(layout)], dtype="float32")
        samples = dali.fn.external_source(samples, layout=layout)
        sizes = [3, 5, 7][: len(spatial)]
        outputs = [
            dali.fn.gaussian_blur(samples, sigma=[0.5, 1.0, 2.0][: len(spatial)], window_size=sizes),
            dali.fn.laplacian(samples, window_size=sizes, smoothing_size=[1, *sizes[1:]], normalized_kernel=True),
        ]
        if layout in ("CWH", "YXC", "FWH"):  # DALI filters others on GPUs only
            outputs.append(dali.fn.filter(samples, dali.fn.external_source(numbers(-0.5, 0.8, 3, 4))))
        return (*outputs, dali.fn.get_property(outputs[0], key="layout"))

    *found, (differ, _, _) = apart(program)
    assert all(count > 2000 and largest <= 1e-3 for largest, _, count in found) and not differ


@pytest.mark.parametrize("kind", ["uint8", "float32"])
def test_filters(kind):
    @graph
    def program(dali):
        images = dali.fn.external_source(drawn(*SHAPES, dtype=kind), layout="HWC")
        kernels = dali.fn.external_source(numbers(-0.5, 0.8, 3, 4))
        large = dali.fn.external_source(numbers(-0.1, 0.12, 9, 9))
        return (
            dali.fn.filter(images, kernels),
            dali.fn.filter(images, kernels, np.asarray(7, kind), border="constant", anchor=[2, 0]),
            dali.fn.filter(images, large, border="wrap", dtype=dali.types.FLOAT),
            dali.fn.filter(images, kernels, mode="valid"),
        )

    for largest, off, count in apart(program):
        assert count > 20_000 and off <= 1e-3 and largest <= (1 if kind == "uint8" else 1e-3)


@pytest.mark.parametrize("kind", ["uint8", "int16"])
def test_halves_of_filters_become_even(kind):
    @graph
    def program(dali):
        images = dali.fn.external_source(drawn(*SHAPES, dtype=kind), layout="HWC")
        mean = dali.types.Constant(np.full((4, 4), 1 / 16, np.float32))
        return dali.fn.filter(images, mean), dali.fn.filter(
            images, dali.types.Constant(np.full((1, 2), 0.5, np.float32))
        )

    for largest, _, count in apart(program):
        assert count > 20_000 and largest == 0


@pytest.mark.parametrize("kind", ["uint8", "float32"])
def test_laplacians(kind):
    @graph
    def program(dali):
        images = dali.fn.external_source(drawn(*SHAPES, dtype=kind), layout="HWC")
        planes = dali.fn.external_source(drawn((20, 15), dtype=kind))
        size = 2 * dali.fn.external_source(numbers(1, 4, dtype=np.int32)) + 1
        return (
            dali.fn.laplacian(images),
            dali.fn.laplacian(images, window_size=[3, 5], smoothing_size=[7, 1], scale=[0.25, 0.5]),
            dali.fn.laplacian(planes, window_size=size, normalized_kernel=True, dtype=dali.types.FLOAT),
        )

    assert max(off for _, off, _ in apart(program)) == 0


def test_what_jpeg_leaves():
    """Bit for bit the same: for extents that are not multiples of blocks, narrow images, all qualities."""

    @graph
    def program(dali):
        images = dali.fn.external_source(drawn((33, 35, 3), (16, 50, 3), (21, 4, 3)), layout="HWC")
        quality = dali.fn.external_source(numbers(-5, 110, dtype=np.int32))
        frames = dali.fn.external_source(drawn((2, 9, 20, 3)), layout="FHWC")
        return (
            dali.fn.jpeg_compression_distortion(images, quality=quality),
            dali.fn.jpeg_compression_distortion(dali.fn.brightness_contrast(images, contrast=0.1), quality=95),
            dali.fn.jpeg_compression_distortion(frames),
        )

    assert [largest for largest, _, _ in apart(program)] == [0, 0, 0]


def test_equalized_levels():
    @graph
    def program(dali):
        images = dali.fn.external_source(drawn(*SHAPES, most=180), layout="HWC")
        return dali.fn.equalize(images), dali.fn.equalize(dali.fn.erase(images, shape=(99, 99), fill_value=77))

    (_, off, _), (largest, _, _) = apart(program)
    assert off <= 1e-3 and largest == 0
