import image_reference as reference
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxdali._device.image.image_resize import resize
from jaxdali.errors import ConfigError

RNG = np.random.default_rng(0)
JITTED = jax.jit(resize, static_argnames=("size", "antialias", "dtype"))


def exact(images, size, *, antialias=True):
    """Computes the documented formula in float64, in its usual form, for images that fill their canvas."""
    out = images.astype(np.float64)
    for axis in (1, 2):
        extent_in, extent_out = out.shape[axis], size[axis - 1]
        scale = extent_in / extent_out
        radius = max(1.0, scale) if antialias else 1.0
        weights = np.zeros((extent_out, extent_in))
        for i in range(extent_out):
            center = (i + 0.5) * scale - 0.5
            for j in range(int(center - radius) - 1, int(center + radius) + 2):
                weights[i, min(max(j, 0), extent_in - 1)] += max(0.0, 1 - abs(j - center) / radius)
            weights[i] /= weights[i].sum()
        out = np.moveaxis(np.tensordot(weights, out, (1, axis)), 0, axis)
    return out


def check_equal(got, images, size, shapes=None, **options):
    """Checks that `got` is what the reference gives, bit for bit."""
    expected = reference.resize(images, size, shapes, dtype=got.dtype, **options)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize(
    ("row", "out", "antialias", "expected"),
    [
        # Scale 2, radius 2: taps 1/4 3/4 3/4 1/4 around 0.5, the first one beyond the edge.
        ([8, 16, 32, 64], 2, True, [(2 + 6 + 12 + 8) / 2, (4 + 24 + 48 + 16) / 2]),
        ([8, 16, 32, 64], 2, False, [12, 48]),
        ([8, 16, 32, 64], 1, False, [24]),
        ([0, 100], 4, True, [0, 25, 75, 100]),
        ([0, 100], 4, False, [0, 25, 75, 100]),
        ([7], 3, True, [7, 7, 7]),
    ],
)
def test_by_hand(row, out, antialias, expected):
    images = np.asarray(row, np.float32)[None, None, :, None]
    for x, size in ((images, (1, out)), (images.transpose(0, 2, 1, 3), (out, 1))):
        for function in (JITTED, reference.resize):
            got = np.ravel(function(x, size, antialias=antialias))
            np.testing.assert_allclose(got, expected, rtol=1e-6)


# From DALI 2.4.0 on a CPU.
@pytest.mark.parametrize(
    ("image", "size", "antialias", "expected"),
    [
        (np.arange(240).reshape(20, 12), (2, 3), True, [[59, 63, 67], [172, 176, 180]]),
        (
            np.arange(240).reshape(20, 12),
            (3, 5),
            False,
            [[35, 37, 40, 42, 44], [115, 117, 120, 122, 124], [195, 197, 200, 202, 204]],
        ),
        (
            np.array([[0, 80], [160, 240]]),
            (3, 5),
            True,
            [[0, 8, 40, 72, 80], [80, 88, 120, 152, 160], [160, 168, 200, 232, 240]],
        ),
    ],
)
def test_known_values_of_dali(image, size, antialias, expected):
    got = JITTED(image.astype(np.uint8)[None, :, :, None], size, antialias=antialias)
    assert got[0, :, :, 0].tolist() == expected


@pytest.mark.parametrize(
    ("source", "size", "antialias"),
    [
        ((37, 51), (20, 30), True),
        ((37, 51), (20, 30), False),
        ((37, 51), (64, 80), True),
        ((37, 51), (64, 80), False),
        ((37, 51), (64, 10), True),
        ((37, 51), (64, 10), False),
        ((37, 51), (10, 80), True),
        ((37, 51), (10, 80), False),
        ((50, 40), (1, 1), True),
        ((50, 40), (1, 1), False),
        ((300, 200), (7, 9), True),
        ((300, 200), (7, 9), False),
        ((2000, 3), (3, 2), True),  # more terms than are traced one by one
        ((2000, 3), (3, 2), False),
        # Antialiasing has no effect where both axes grow, as the cases above show.
        ((1, 1), (5, 4), True),
        ((13, 17), (13, 40), False),
    ],
)
def test_equals_the_reference(source, size, antialias):
    images = RNG.integers(0, 256, (2, *source, 3)).astype(np.uint8)
    dtypes = (np.uint8, np.float32)

    @jax.jit
    def both(images):  # both in one program, because compiling takes most of the time
        return [resize(images, size, antialias=antialias, dtype=dtype) for dtype in dtypes]

    for got, dtype in zip(both(images), dtypes, strict=True):
        assert got.dtype == dtype
        check_equal(got, images, size, antialias=antialias)
    # Two sums of at most a few hundred float32 products: about sqrt(hundreds) roundings of 2**-24.
    np.testing.assert_allclose(got, exact(images, size, antialias=antialias), rtol=0, atol=255 * 1e-5)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 50)), min_size=6, max_size=6))
@settings(max_examples=25, deadline=None)
def test_extents_of_a_canvas(extents):
    shapes = np.array([(*extent, 3) for extent in extents], np.int32)
    # What lies beyond an image must not be read, so it is bright here.
    images = np.full((6, 40, 50, 3), 255, np.uint8)
    for image, (height, width, _) in zip(images, shapes, strict=True):
        image[:height, :width] = RNG.integers(0, 128, (height, width, 3))
    for antialias in (True, False):
        got = JITTED(images, (16, 20), shapes, antialias=antialias)
        check_equal(got, images, (16, 20), shapes, antialias=antialias)


def test_a_canvas_equals_its_images():
    images = RNG.integers(0, 256, (3, 40, 50, 3)).astype(np.uint8)
    shapes = np.array([[40, 50, 3], [31, 7, 3], [1, 1, 3]], np.int32)
    got = JITTED(images, (16, 20), shapes, dtype=np.float32)
    for k, (height, width, _) in enumerate(shapes):
        alone = JITTED(images[k : k + 1, :height, :width], (16, 20), dtype=np.float32)
        np.testing.assert_array_equal(got[k], alone[0])


@pytest.mark.parametrize("extent", [1, 3, 7, 41, 49, 98, 107])
def test_the_same_extent_keeps_every_bit(extent):
    images = RNG.normal(size=(1, extent, 107, 2)).astype(np.float32)
    np.testing.assert_array_equal(JITTED(images, (extent, 107)), images)
    shapes = np.array([[extent, extent, 2]], np.int32)
    np.testing.assert_array_equal(JITTED(images, (extent, extent), shapes), images[:, :, :extent])


def test_a_constant_image_stays_constant():
    images = np.full((1, 333, 217, 3), 200, np.uint8)
    assert np.unique(JITTED(images, (50, 400))).tolist() == [200]


@pytest.mark.parametrize(
    ("source", "target"),
    [(np.float32, np.float32), (np.int16, np.int16), (jnp.bfloat16, np.float32), (np.uint8, None)],
)
def test_dtypes(source, target):
    images = RNG.integers(0, 100, (1, 20, 20, 3)).astype(source)
    got = JITTED(images, (7, 30), dtype=target)
    assert got.dtype == (source if target is None else target)
    expected = reference.resize(images, (7, 30), dtype=np.float64)
    atol = 0.5 + 1e-3 if jnp.issubdtype(got.dtype, jnp.integer) else 1e-3
    np.testing.assert_allclose(np.asarray(got, np.float64), expected, rtol=0, atol=atol)


def test_halves_go_away_from_zero():
    images = np.array([[1, 2], [-1, -2]], np.int16).reshape(2, 1, 2, 1)
    assert np.ravel(resize(images, (1, 1))).tolist() == [2, -2]


@pytest.mark.parametrize(
    ("images", "size", "message"),
    [
        (np.zeros((4, 4, 3), np.uint8), (2, 2), r"expected \[N, H, W, C\]"),
        (np.zeros((1, 4, 4, 3), np.uint8), (2,), "two integers"),
        (np.zeros((1, 4, 4, 3), np.uint8), (2, -2), "positive height and width"),
        (np.zeros((1, 0, 4, 3), np.uint8), (2, 2), "cannot resize"),
        (np.zeros((1, 4, 4, 3), np.uint8), (2**28, 2), "Resize in two steps"),
        (np.zeros((1, 4, 4, 3), np.uint8), (2**62, 2**62), "at most 2147483647 numbers in a sample"),
        (np.zeros((1, 4, 4, 3), np.complex64), (2, 2), "images have dtype"),
    ],
)
def test_wrong_arguments(images, size, message):
    with pytest.raises(ConfigError, match=message):
        resize(images, size)
