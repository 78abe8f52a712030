"""The values between an image's pixels: by the call, and by its definition as XLA compiles it."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxdali import image
from jaxdali._device.ffi import pixel_calls
from jaxdali._device.image import sampling
from jaxdali._device.image.stencil import BORDERS

CALL = "custom_call @jaxdali_warp_v1"
SAMPLES = 3
CANVAS, SIZE = (13, 17), (9, 19)
OWN = np.array([[13, 17], [4, 1], [0, 0]], np.int32)
RESULTS = np.array([[9, 19], [0, 5], [7, 30]], np.int32)


def pixels(dtype: str, channels: int, *canvas: int) -> np.ndarray:
    return (np.random.default_rng(0).normal(size=(SAMPLES, *canvas, channels)) * 100 + 90).astype(dtype)


def maps(axes: int) -> np.ndarray:
    rng = np.random.default_rng(1)
    linear = np.eye(axes) * 1.3 + rng.normal(0, 0.3, (SAMPLES, axes, axes))
    return np.concatenate([linear, rng.normal(0, 4, (SAMPLES, axes, 1))], axis=2).astype(np.float32)


def places(axes: int, *size: int) -> list[np.ndarray]:
    found = [np.random.default_rng(axis).uniform(-30, 40, (SAMPLES, *size)).astype(np.float32) for axis in range(axes)]
    found[0].reshape(-1)[:4] = np.nan, 1e12, -1e12, np.inf
    found[1][0] = np.round(found[1][0]) + 0.5
    return found


def both(images: np.ndarray, where: list[np.ndarray], **settings) -> tuple[np.ndarray, np.ndarray]:
    """Returns what the call makes, and what XLA compiles from the definition."""
    axes = images.ndim - 2
    settings = {"border": "constant", "filter": "linear", "dtype": np.dtype(np.float32), **settings}
    settings |= {"size": settings.get("size", SIZE), "maps": len(where) == 1}
    fill = np.arange(images.shape[-1]).astype(images.dtype if settings["filter"] == "nearest" else np.float32)
    ones = np.ones((SAMPLES, axes - 2), np.int32)
    arrays = images, np.hstack([ones, OWN]), np.hstack([ones * 3, RESULTS]), fill, *where
    by_call = jax.jit(functools.partial(sampling._sampled, **settings)).lower(*arrays)
    assert CALL in by_call.as_text()
    generic = jax.jit(functools.partial(sampling._sampled_generically, **settings))
    return np.asarray(by_call.compile()(*arrays)), np.asarray(generic(*arrays))


@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize(("filter", "channels"), [("nearest", 2), ("linear", 3), ("cubic", 5)])
def test_the_call_gives_the_same_bits(border, filter, channels):
    dtype = np.dtype(np.uint8)
    call, generic = both(
        pixels("uint8", channels, *CANVAS), places(2, *SIZE), border=border, filter=filter, dtype=dtype
    )
    np.testing.assert_array_equal(call, generic, strict=True)
    assert (call[0, :, 4:] != 0).any() and not call[1].any()


@pytest.mark.parametrize(("dtype", "filter"), [("int16", "linear"), ("uint16", "cubic"), ("float32", "linear")])
def test_of_each_type_with_maps(dtype, filter):
    call, generic = both(pixels(dtype, 1, *CANVAS), [maps(2)], filter=filter)
    np.testing.assert_array_equal(call, generic, strict=True)


@pytest.mark.parametrize("dtype", ["float16", "float32", "bool"])
def test_of_what_is_picked_each_type(dtype):
    call, generic = both(pixels(dtype, 3, *CANVAS), [maps(2)[:1]], filter="nearest", dtype=np.dtype(dtype))
    np.testing.assert_array_equal(call, generic, strict=True)


@pytest.mark.parametrize("where", [[maps(3)], places(3, 4, *SIZE)], ids=["map", "places"])
def test_of_volumes(where):
    call, generic = both(pixels("float32", 2, 5, *CANVAS), where, size=(4, *SIZE), border="clamp")
    np.testing.assert_array_equal(call, generic, strict=True)


def test_warps_are_mapped_and_differentiated():
    images, turned = pixels("float32", 2, *CANVAS), maps(2)[:1]
    alone = image.warp_affine(images, turned[0], fill=0.0)
    mapped = jax.jit(jax.vmap(lambda one: image.warp_affine(one[None], turned[0], fill=0.0)[0]))(images)
    np.testing.assert_array_equal(mapped, alone)
    # The weights of every result's pixels add up to 1.
    slope = jax.jit(jax.grad(lambda one: image.warp_affine(one, turned[0]).sum()))(jnp.asarray(images))
    np.testing.assert_allclose(slope.sum(), images.size, rtol=1e-4)


def test_extents_that_lie_are_read_within_the_canvas():
    own = np.array([[2**31 - 1, -(2**31)], [-5, 2**31 - 1], [0, 0]], np.int32)
    made = np.array([[2**31 - 1, 2**31 - 1], [2**31 - 1, 5], [-(2**31), 3]], np.int32)
    cut = np.clip(own, 1, CANVAS), np.clip(made, 0, SIZE)
    images, fill = pixels("uint8", 3, *CANVAS), np.ones(3, np.float32)
    for border in range(len(BORDERS)):
        found, expected = (
            pixel_calls.warp(images, maps(2), *extents, fill, SIZE, np.float32, border=border, between=2)
            for extents in ((own, made), cut)
        )
        np.testing.assert_array_equal(found, expected)
        assert found[0].any() and found[1, :, :5].any() and not found[2].any()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"images": np.zeros((3, 4, 2), np.uint8)}, "images and results are not"),
        ({"border": 5}, "border is not 0 to 4"),
        ({"between": 3}, "border is not 0 to 4, or between not 0 to 2"),
        ({"images": np.zeros((3, 4, 4, 2), np.int32)}, "types are not"),
        ({"dtype": np.int16}, "types are not"),
        ({"fill": np.zeros(2, np.uint8)}, "types are not"),
        ({"between": 0}, "types are not"),
        ({"fill": np.zeros(3, np.float32)}, "shapes are not"),
        ({"where": np.zeros((2, 2, 3), np.float32)}, "shapes are not"),
        ({"where": np.zeros((2, 3, 5, 4), np.float32)}, "shapes are not"),
        ({"extents": np.zeros((3, 3), np.int32)}, "shapes are not"),
        ({"made": np.zeros((2, 2), np.int32)}, "shapes are not"),
        ({"images": np.zeros((3, 4, 0, 2), np.uint8)}, "there are results, and no pixels"),
    ],
)
def test_operands_that_contradict_each_other(changed, message):
    sound = {"images": np.zeros((3, 4, 4, 2), np.uint8), "where": np.zeros((1, 2, 3), np.float32)}
    sound |= {"extents": np.ones((1, 2), np.int32), "made": np.ones((3, 2), np.int32), "fill": np.zeros(2, np.float32)}
    sound |= {"size": (5, 5), "dtype": np.float32, "border": 4, "between": 1}
    if changed.get("images", sound["images"]).ndim == 3:
        changed["size"] = (5,)
    with pytest.raises(jax.errors.JaxRuntimeError, match=f"jaxdali_warp_v1: {message}"):
        jax.block_until_ready(pixel_calls.warp(**{**sound, **changed}))


def test_of_volumes_nothing_is_cubic_by_the_call():
    volumes = pixels("float32", 1, 4, 4, 4)
    with pytest.raises(jax.errors.JaxRuntimeError, match="jaxdali_warp_v1: of volumes nothing is cubic"):
        jax.block_until_ready(
            pixel_calls.warp(
                *(volumes, maps(3), np.ones((1, 3), np.int32), np.ones((1, 3), np.int32), np.zeros(1, np.float32)),
                *((2, 2, 2), np.float32),
                border=0,
                between=2,
            )
        )
    where = [part[:, :2, :2, :2] for part in places(3, 4, 4, 4)]
    assert sampling.sampled(volumes, where, filter="cubic").shape == (SAMPLES, 2, 2, 2, 1)
