"""Resizing with any filter, region and extents in jax.numpy: the reference's numbers, bit for bit."""

import image_reference as reference
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import recipes_reference

from jaxdali._device.image.filters import FILTERS
from jaxdali._device.image.image_resize import resize
from jaxdali._device.image.resample import resample
from jaxdali.errors import ConfigError

f32 = np.float32
SIZE = (21, 26)
CANVAS = (30, 25)
SAMPLES = 12
NAMES = ("size", "antialias", "dtype", "min_filter", "mag_filter")
JITTED = jax.jit(resize, static_argnames=NAMES)


def weighed(image, extents, region, filters, antialias):
    """Resizes one image with the reference's weights."""
    out = image.astype(f32)
    for axis in (0, 1):
        lo, hi = region[2 * axis : 2 * axis + 2]
        n, m = out.shape[axis], int(extents[axis])
        taps = [recipes_reference.axis_taps(i, n, m, lo, hi, *filters, antialias) for i in range(m)]
        columns = np.moveaxis(out, axis, 0)
        sums = np.zeros((m, *columns.shape[1:]), f32)
        for i, own in enumerate(taps):
            for j, weight in own.items():
                sums[i] = sums[i] + weight * columns[j]
        out = np.moveaxis(sums, 0, axis)
    return out


def draw(seed):
    """Draws images on a canvas, their shapes, extents and regions, and the regions of whole images."""
    rng = np.random.default_rng(seed)
    images = rng.integers(0, 256, (SAMPLES, *CANVAS, 2)).astype(np.uint8)
    shapes = np.stack([rng.integers(1, extent + 1, SAMPLES) for extent in CANVAS] + [np.full(SAMPLES, 2)], 1)
    extents = np.stack([rng.integers(1, extent + 1, SAMPLES) for extent in SIZE], 1)
    whole = np.stack([shapes[:, 0] * 0, shapes[:, 0], shapes[:, 0] * 0, shapes[:, 1]], 1)
    region = whole + np.sort(rng.uniform(-3, 3, (SAMPLES, 2, 2)), axis=2).reshape(SAMPLES, 4)
    region[: SAMPLES // 4] = whole[: SAMPLES // 4]
    region[:, 1::2] = np.maximum(region[:, 1::2], region[:, 0::2] + 0.5)
    shapes[-1, :2] = extents[-1] = 1
    return images, shapes.astype(np.int32), extents.astype(np.int32), region.astype(f32), whole.astype(f32)


@pytest.mark.parametrize(
    ("filters", "antialias", "kind"),
    [
        (("linear", "linear"), True, "extents"),
        (("linear", "triangular"), False, "region"),
        (("cubic", "cubic"), True, "region"),
        (("gaussian", "lanczos3"), True, "region"),
        (("nearest", "cubic"), True, "extents"),
        (("lanczos3", "linear"), True, "size"),
        (("gaussian", "nearest"), False, "size"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else str(value),
)
def test_results_are_the_reference_s(filters, antialias, kind):
    images, shapes, extents, region, whole = draw(5)
    options = {"min_filter": filters[0], "mag_filter": filters[1], "antialias": antialias, "dtype": np.dtype(f32)}
    if kind == "size":
        extents = np.broadcast_to(np.asarray(SIZE), (SAMPLES, 2))
    given = {"extents": None if kind == "size" else extents, "region": region if kind == "region" else None}
    got = np.asarray(JITTED(images, SIZE, shapes, **given, **options))
    chosen = tuple(FILTERS[name] for name in filters)
    for k, image in enumerate(images):
        own = image[: shapes[k, 0], : shapes[k, 1]]
        expected = weighed(own, extents[k], region[k] if kind == "region" else whole[k], chosen, antialias)
        height, width = extents[k]
        np.testing.assert_array_equal(got[k, :height, :width], expected, err_msg=f"sample {k}")
        assert not got[k, height:].any() and not got[k, :, width:].any()


def test_windows_of_a_resized_image_are_cut_from_it():
    images, shapes, *_ = draw(6)
    cubic = (FILTERS["cubic"],) * 2
    corner = np.asarray([[9, 40 + k] for k in range(SAMPLES)], np.int32)
    full = resample(jnp.asarray(images), (50, 90), shapes[:, :2], (50, 90), filters=cubic)
    part = resample(jnp.asarray(images), (11, 13), shapes[:, :2], (50, 90), filters=cubic, corner=corner)
    for k, (top, left) in enumerate(corner):
        np.testing.assert_array_equal(part[k], full[k, top : top + 11, left : left + 13])


def test_large_extents_are_weighed_as_reals_where_integers_overflow():
    images = np.arange(300, dtype=f32).reshape(1, 1, 300, 1)
    corner = np.asarray([[0, 2_000_000]], np.int32)
    (row,) = resample(jnp.asarray(images), (1, 5), np.asarray([[1, 300]]), np.asarray([[1, 4_000_000]]), corner=corner)
    np.testing.assert_allclose(row[0, :, 0], 149.5, atol=1e-3)


def test_extents_of_one_size_are_that_size():
    images, shapes, *_ = draw(7)
    extents = np.broadcast_to(np.asarray(SIZE, np.int32), (SAMPLES, 2))
    expected = reference.resize(images, SIZE, shapes)
    np.testing.assert_array_equal(JITTED(images, SIZE, shapes, extents=extents), expected)
    np.testing.assert_array_equal(JITTED(images, SIZE, shapes, min_filter="triangular"), expected)


def test_images_without_pixels_become_zeros():
    images = np.full((2, 4, 4, 1), 9, np.uint8)
    got = JITTED(images, (3, 3), np.asarray([[0, 0, 1], [4, 4, 1]]), min_filter="cubic", mag_filter="cubic")
    assert not got[0].any()
    assert (got[1] == 9).all()


def test_results_are_linear_in_the_pixels():
    images = np.random.default_rng(0).random((2, 6, 5, 1)).astype(f32)

    def total(x):
        return jnp.sum(resize(x, (4, 7), min_filter="cubic", mag_filter="cubic")[:, 1, 2])

    slope = jax.grad(total)(images)
    np.testing.assert_allclose(np.sum(slope), 2, rtol=1e-5)
    np.testing.assert_allclose(np.sum(slope * images), total(images), rtol=1e-5)
    extents = np.asarray([[3, 4], [4, 7]])
    _, tangent = jax.jvp(lambda x: resize(x, (4, 7), extents=extents), (images,), (images,))
    np.testing.assert_allclose(tangent, resize(images, (4, 7), extents=extents), rtol=1e-5)


def test_vmap_resizes_each_batch():
    images, shapes, extents, _, _ = draw(8)
    several = (images.reshape(2, 6, *CANVAS, 2), shapes.reshape(2, 6, 3), extents.reshape(2, 6, 2))
    got = jax.jit(jax.vmap(lambda x, s, e: resize(x, SIZE, s, extents=e, min_filter="nearest")))(*several)
    expected = JITTED(images, SIZE, shapes, extents=extents, min_filter="nearest")
    np.testing.assert_array_equal(got.reshape(expected.shape), expected)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (dict(min_filter="bilinear"), "min_filter is 'bilinear'; expected one of"),
        (dict(mag_filter=3), "mag_filter is 3"),
        (dict(extents=np.ones((3, 2), np.int32)), "extents have shape .* for 2 images"),
        (dict(region=np.ones((2, 2), f32)), r"expected \[N, 4\]"),
    ],
)
def test_wrong_arguments(given, words):
    with pytest.raises(ConfigError, match=words):
        resize(np.zeros((2, 4, 4, 3), np.uint8), (2, 2), **given)
