"""Images that are not computed yet give what the same steps give one after the other, bit for bit."""

from __future__ import annotations

import functools

import jax
import lazy_chains
import numpy as np
import pytest
from jpeg_files import pillow_jpeg

import jaxdali.image
from jaxdali._base.batch import Status
from jaxdali.image import EncodedBatch, Images

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


@pytest.mark.parametrize("structure", ["cc", "fcfc", "csfw", "sfccf", "rcbw"])
def test_a_window_out_of_bounds_fails_its_image_whatever_came_before(structure):
    files = EncodedBatch.from_encoded([pillow_jpeg(height, width) for height, width in EXTENTS.tolist()])
    canvas, most = jaxdali.image.decode(files), (64, 64)
    programs = [
        jax.jit(
            lambda source, operands, opened=opened: lazy_chains.lazily(opened(source), structure, operands).array(
                most, on_error="zeros"
            )
        )
        for opened in (jaxdali.image.open, lambda canvas: jaxdali.image.open(canvas, files.sizes))
    ]
    for seed in range(12):
        rng = np.random.default_rng(seed)
        operands = lazy_chains.draw(structure, EXTENTS, rng)
        expected, statuses = programs[0](files, operands)
        assert not np.any(statuses)
        moved, failed = lazy_chains.astray(structure, EXTENTS, operands, rng)
        expected = np.where(failed.reshape(-1, 1, 1, 1), 0, expected)
        for program, source in zip(programs, (files, canvas), strict=True):
            found, statuses = program(source, moved)
            np.testing.assert_array_equal(statuses, failed * Status.TOO_LARGE)
            np.testing.assert_array_equal(found, expected)
