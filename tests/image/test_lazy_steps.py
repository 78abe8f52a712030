"""Images that are not computed yet give what the same steps give one after the other, bit for bit."""

from __future__ import annotations

import functools

import jax
import lazy_chains
import numpy as np
import pytest

from jaxdali.image import Images

EXTENTS = np.array([[31, 24], [12, 28], [40, 15], [9, 11], [23, 36]], np.int32)
CANVAS = (40, 36)
SHAPES = np.concatenate([EXTENTS, np.full((5, 1), 3, np.int32)], axis=1)

STRUCTURES = [
    *("", "c", "f", "r", "b", "n", "cf", "fc", "cc", "fcf", "cfc", "fcfc"),
    *("cr", "fr", "rf", "frf", "cfr", "fcr", "br", "rb", "nr", "bnr", "tr", "rt"),
    *("crn", "brn", "crbn", "cbrn", "rw", "rwf", "rfw", "rfwf", "frfwf", "wr", "bcfrbwfn"),
    *("l", "rnl", "rwfnl", "brnl", "wbl", "fl"),
]


def pixels(dtype=np.uint8) -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    return [rng.integers(0, 256, (height, width, 3)).astype(dtype) for height, width in EXTENTS]


def on_canvas(images: list[np.ndarray]) -> np.ndarray:
    return lazy_chains.Stepwise(images).stacked(CANVAS)


def result_canvas(images: list[np.ndarray], layout: str) -> np.ndarray:
    if layout == "CHW":
        images = [image.transpose(1, 2, 0) for image in images]
    found = lazy_chains.Stepwise(images).stacked(tuple(np.max([image.shape[:2] for image in images], axis=0)))
    return found.transpose(0, 3, 1, 2) if layout == "CHW" else found


@functools.cache
def compiled(structure: str):
    size = lambda images: images.size or CANVAS  # noqa: E731

    @jax.jit
    def run(canvas, shapes, operands):
        images = lazy_chains.lazily(Images.of(canvas, shapes), structure, operands)
        return images.array(size(images)), images.extents

    return run


@pytest.mark.parametrize("structure", STRUCTURES)
def test_lazy_is_step_by_step(structure):
    images = pixels()
    for seed in range(3):
        operands = lazy_chains.draw(structure, EXTENTS, np.random.default_rng(seed))
        found, extents = compiled(structure)(on_canvas(images), SHAPES, operands)
        wanted = result_canvas(lazy_chains.stepwise(images, structure, operands), "CHW" if "l" in structure else "HWC")
        axes = (2, 3) if "l" in structure else (1, 2)
        np.testing.assert_array_equal(extents.max(axis=0), [wanted.shape[axis] for axis in axes])
        found = np.asarray(found)
        cut = tuple(slice(0, extent) for extent in wanted.shape)
        np.testing.assert_array_equal(found[cut], wanted)
        assert np.count_nonzero(found) == np.count_nonzero(found[cut])
