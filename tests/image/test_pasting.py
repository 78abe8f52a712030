"""Regions pasted on canvases: by the CPU's call, and by their definition as XLA compiles it."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxdali import ConfigError, image
from jaxdali._device.ffi import cpu_calls
from jaxdali._device.image import pasting

SIZE = (9, 11)
WORDS = ("starts", "extents", "places")


def regions(canvases: int, many: int, low: int = -4, high: int = 12) -> list[np.ndarray]:
    """Draws starts, extents and places, some of them outside of images and canvases, and counts."""
    rng = np.random.default_rng(many)
    made = [rng.integers(low, high, (canvases, many, 2)).astype(np.int32) for _ in range(3)]
    return [*made, rng.integers(-1, many + 2, canvases).astype(np.int32)]


def pasted(sources, ids, starts, extents, places, counts) -> np.ndarray:
    """Pastes pixel by pixel."""
    made = np.zeros((len(starts), *SIZE, sources[0].shape[3]), sources[0].dtype)
    for canvas, k, y, x in np.ndindex(len(starts), starts.shape[1], *SIZE):
        images = sources[k % len(sources)]
        down, right = np.array([y, x]) - places[canvas, k]
        if k < counts[canvas] and 0 <= down < extents[canvas, k, 0] and 0 <= right < extents[canvas, k, 1]:
            row, column = starts[canvas, k] + (down, right)
            there = 0 <= row < images.shape[1] and 0 <= column < images.shape[2]
            mine = np.clip(ids[canvas, k], 0, len(images) - 1)
            made[canvas, y, x] = images[mine, row, column] if there else 0
    return made


@pytest.mark.parametrize(("dtype", "extents"), [("uint8", [(7, 8)]), ("float32", [(7, 8), (5, 13)])])
def test_the_call_pastes_what_the_definition_does(dtype, extents):
    rng = np.random.default_rng(0)
    sources = [rng.integers(1, 256, (3, *extent, 2)).astype(dtype) for extent in extents]
    many, own = 2 * len(sources) if len(sources) == 1 else len(sources), len(sources) > 1
    operands = regions(3, many)
    ids = rng.integers(-2, 5, (3, many)).astype(np.int32)
    arrays = [*operands, *([] if own else [ids]), *sources]
    if own:
        ids = np.tile(np.arange(3, dtype=np.int32)[:, None], (1, many))
    program = jax.jit(functools.partial(pasting._pasted, size=SIZE, own=own)).lower(*arrays)
    assert "custom_call @jaxdali_paste_v1" in program.as_text()
    generic = jax.jit(functools.partial(pasting._pasted_generically, size=SIZE, own=own))
    for found in (program.compile()(*arrays), generic(*arrays)):
        np.testing.assert_array_equal(found, pasted(sources, ids, *operands), strict=True)


def test_regions_that_lie_are_cut():
    images = np.ones((1, 4, 4, 1), np.int16)
    far = np.int32([-(2**31), 2**31 - 1, 0])
    numbers = np.moveaxis(np.stack(np.meshgrid(*[far] * 6), axis=-1).reshape(-1, 1, 3, 2), 2, 0)
    ids = np.full(numbers.shape[1:3], 2**31 - 1, np.int32)
    counts = ids[:, 0]
    found = cpu_calls.paste([images], ids, SIZE, **dict(zip(WORDS, numbers, strict=True)), counts=counts)
    expected = pasted([images], ids, *numbers.astype(np.int64), counts)
    np.testing.assert_array_equal(found, expected)
    assert expected.any()


def test_images_that_are_none():
    for wrong in (np.zeros((2, 4, 4)), [np.zeros((2, 4, 4, 1)), np.zeros((2, 4, 4, 3))]):
        with pytest.raises(ConfigError, match=r"expected images \[N, H, W, C\] of one type"):
            image.paste_regions(wrong, None, SIZE, **dict.fromkeys(WORDS, np.zeros((2, 2, 2))))
    with pytest.raises(ConfigError, match="2 arrays of images for 3 regions"):
        image.paste_regions([np.zeros((2, 4, 4, 1))] * 2, None, SIZE, **dict.fromkeys(WORDS, np.zeros((2, 3, 2))))


@pytest.mark.parametrize(
    ("shapes", "sources", "message"),
    [
        (((2, 3), (2, 2, 2), (2, 3, 2)), [(1, 4, 4, 1)], "shapes are not ids"),
        (((2, 3), (2, 3, 2), (2, 3, 3)), [(1, 4, 4, 1)], "shapes are not ids"),
        (((2, 3), (2, 3, 2), (2, 3, 2)), [(1, 4, 4, 1)] * 2, "there is not one source"),
        (((2, 3), (2, 3, 2), (2, 3, 2)), [(1, 4, 4, 1), (1, 4, 4, 2), (1, 4, 4, 1)], "a source is not"),
        (((2, 3), (2, 3, 2), (2, 3, 2)), [(1, 4, 4, 1), (4, 4, 1), (1, 4, 4, 1)], "a source is not"),
    ],
)
def test_operands_that_contradict_each_other(shapes, sources, message):
    ids, *numbers = (np.zeros(shape, np.int32) for shape in (*shapes, shapes[1]))
    operands = dict(zip(WORDS, numbers, strict=True))
    with pytest.raises(jax.errors.JaxRuntimeError, match=f"jaxdali_paste_v1: {message}"):
        cpu_calls.paste(
            list(map(jnp.zeros, sources)), ids, SIZE, **operands, counts=np.zeros(2, np.int32)
        ).block_until_ready()
