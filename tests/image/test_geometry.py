import image_reference as reference
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxdali._device.image.geometry import crop, crop_anchor, crop_windows, flip
from jaxdali.errors import ConfigError

IMAGES = np.random.default_rng(0).integers(1, 256, (4, 12, 17, 3)).astype(np.uint8)
SHAPES = np.array([[12, 17, 3], [5, 9, 3], [12, 1, 3], [0, 0, 0]], np.int32)


def make_canvas():
    canvas = np.zeros_like(IMAGES)
    for image, own, (height, width, _) in zip(canvas, IMAGES, SHAPES, strict=True):
        image[:height, :width] = own[:height, :width]
    return canvas


CANVAS = make_canvas()


class TestCrop:
    @given(st.lists(st.tuples(st.integers(-3, 13), st.integers(-3, 18)), min_size=4, max_size=4))
    @settings(max_examples=40, deadline=None)
    def test_equals_the_reference(self, anchors):
        anchors = np.asarray(anchors, np.int32)
        cut = jax.jit(crop, static_argnums=2)
        for shapes in (None, SHAPES):
            expected = reference.crop(CANVAS, anchors, (4, 5), shapes)
            np.testing.assert_array_equal(cut(CANVAS, anchors, (4, 5), shapes), expected)
            eager = crop(CANVAS, jnp.asarray(anchors), (4, 5), shapes)
            np.testing.assert_array_equal(eager, expected)

    @pytest.mark.parametrize("dtype", [np.uint8, np.float32, jnp.bfloat16, np.bool_])
    def test_keeps_the_dtype(self, dtype):
        got = crop(IMAGES.astype(dtype), (2, 3), (4, 5))
        assert got.dtype == dtype
        np.testing.assert_array_equal(got, IMAGES.astype(dtype)[:, 2:6, 3:8])

    @pytest.mark.parametrize("anchor", [(8, 12), np.array([8, 12]), jnp.array([8, 12])])
    def test_one_window_for_all_reaches_the_last_pixel(self, anchor):
        np.testing.assert_array_equal(crop(IMAGES, anchor, (4, 5)), IMAGES[:, 8:, 12:])

    @pytest.mark.parametrize("anchor", [(9, 12), (8, 13), (-1, 0), (0, -1)])
    def test_out_of_bounds(self, anchor):
        with pytest.raises(ConfigError, match=r"sample 0 at .* is out of bounds: .*\(12, 17\)"):
            crop(IMAGES, anchor, (4, 5))
        assert not np.any(crop(IMAGES, jnp.asarray(anchor), (4, 5)))

    def test_out_of_bounds_of_its_own_image(self):
        anchors = np.array([[8, 12], [1, 4], [0, 0], [0, 0]])
        with pytest.raises(ConfigError, match=r"sample 2 at \(0, 0\).*\(12, 1\)"):
            crop(CANVAS, anchors, (4, 5), SHAPES)

    def test_larger_than_the_canvas(self):
        with pytest.raises(ConfigError, match="out of bounds of images"):
            crop(IMAGES, (0, 0), (13, 5))

    @pytest.mark.parametrize(
        ("anchor", "size", "message"),
        [
            ((1, 2, 3), (4, 5), r"anchor has shape \(3,\)"),
            ((1.0, 2.0), (4, 5), "whole pixels"),
            ((1, 2), (0, 5), "positive height and width"),
            ((1, 2), (4.5, 5), "two integers"),
            ((1, 2), 4, "two integers"),
        ],
    )
    def test_wrong_arguments(self, anchor, size, message):
        with pytest.raises(ConfigError, match=message):
            crop(IMAGES, anchor, size)

    @pytest.mark.parametrize(
        ("shapes", "message"),
        [
            (SHAPES[:3], r"shapes have shape \(3, 3\) for 4 images"),
            (SHAPES[:, 0], r"shapes have shape \(4,\)"),
            (SHAPES + np.array([1, 0, 0]), r"shapes\[0\] is \(13, 17\), larger than the canvas"),
            (SHAPES - 1, r"shapes\[3\] is \(-1, -1\).*negative"),
        ],
    )
    def test_wrong_shapes(self, shapes, message):
        with pytest.raises(ConfigError, match=message):
            crop(IMAGES, (0, 0), (1, 1), shapes)


class TestCropAnchor:
    # From DALI 2.4.0: W = 10, w = 3; and 0.9 * 365, where a float32 product is 328.5.
    @pytest.mark.parametrize(
        ("extent", "window", "position", "nearest", "truncated"),
        [
            (10, 3, 0.25, 2, 1),
            (10, 3, 0.5, 4, 3),
            (10, 3, 0.75, 5, 5),
            (10, 3, 0.0, 0, 0),
            (10, 3, 1.0, 7, 7),
            (10, 10, 0.7, 0, 0),
            (375, 10, 0.9, 328, 328),
            (120, 10, 0.9, 99, 98),
            (10, 13, 0.5, -2, -1),
        ],
    )
    def test_known_values_of_dali(self, extent, window, position, nearest, truncated):
        shapes = np.array([[extent, 50, 3]], np.int32)
        for rounding, expected in (("round", nearest), ("truncate", truncated)):
            got = crop_anchor(shapes, (window, 50), (position, 0.5), rounding)
            assert got.dtype == jnp.int32
            assert got.tolist() == [[expected, 0]]

    @given(st.integers(0, 2**32 - 1))
    @settings(max_examples=30, deadline=None)
    def test_equals_the_reference(self, seed):
        rng = np.random.default_rng(seed)
        shapes = rng.integers(1, 65501, (64, 3)).astype(np.int32)
        y, x = rng.uniform(2**-12, 1, (2, 64)).astype(np.float32)
        x = np.round(x * 16) / 16  # many halves
        anchor = jax.jit(crop_anchor, static_argnums=(1, 3))
        for rounding in ("round", "truncate"):
            expected = reference.crop_anchor(shapes, (224, 333), (y, x), rounding)
            got = anchor(shapes, (224, 333), (y, x), rounding)
            np.testing.assert_array_equal(got, expected)

    def test_windows_of_several_sizes(self):
        sizes = np.array([[2, 7], [5, 9], [13, 1], [1, 1]], np.int32)
        got = crop_anchor(SHAPES, sizes, (0.25, 0.5))
        assert got.tolist() == [crop_anchor(SHAPES[k : k + 1], sizes[k], (0.25, 0.5))[0].tolist() for k in range(4)]
        with pytest.raises(ConfigError, match=r"size has shape \(2, 2\) for 4 images"):
            crop_anchor(SHAPES, sizes[:2])

    def test_a_traced_position_is_clipped(self):
        got = crop_anchor(SHAPES[:1], (2, 7), (jnp.float32(-3), jnp.float32(3)))
        assert got.tolist() == [[0, 10]]

    @pytest.mark.parametrize(
        ("shapes", "position", "rounding", "message"),
        [
            (SHAPES, (0.5, 1.5), "round", r"position\[1\] \(x\) is 1.5"),
            (SHAPES, (np.nan, 0.5), "round", r"position\[0\] \(y\) is nan"),
            (SHAPES, (np.zeros(3), 0.5), "round", r"has shape \(3,\) for 4 images"),
            (SHAPES, 0.5, "round", r"a pair \(y, x\)"),
            (SHAPES, (0.5, 0.5), "floor", "'round' or 'truncate'"),
            (SHAPES[0], (0.5, 0.5), "round", r"shapes have shape \(3,\)"),
        ],
    )
    def test_wrong_arguments(self, shapes, position, rounding, message):
        with pytest.raises(ConfigError, match=message):
            crop_anchor(shapes, (2, 2), position, rounding)


class TestCropWindows:
    @given(st.lists(st.tuples(*[st.integers(-1, extent) for extent in (12, 17, 12, 17)]), min_size=4, max_size=4))
    @settings(max_examples=40, deadline=None)
    def test_equals_the_reference(self, windows):
        windows = np.asarray(windows, np.int32)
        windows[0] = 1, 2, 11, 15  # one that fits
        cut = jax.jit(crop_windows)
        for shapes in (None, SHAPES):
            expected = reference.crop_windows(CANVAS, windows, shapes)
            np.testing.assert_array_equal(cut(CANVAS, windows, shapes), expected)

    def test_wrong_arguments(self):
        with pytest.raises(ConfigError, match=r"windows have shape \(3, 4\) for 4 images"):
            crop_windows(IMAGES, np.zeros((3, 4), int))


class TestFlip:
    @pytest.mark.parametrize("shapes", [None, SHAPES])
    @pytest.mark.parametrize("horizontal", [0, 1, [1, 0, 1, 1], np.array([False, True, True, True])])
    @pytest.mark.parametrize("vertical", [0, 1, [0, 1, 1, 0]])
    def test_equals_the_reference(self, horizontal, vertical, shapes):
        expected = reference.flip(CANVAS, horizontal, vertical, shapes)
        np.testing.assert_array_equal(flip(CANVAS, horizontal, vertical, shapes), expected)
        traced = jax.jit(flip)(CANVAS, np.asarray(horizontal), np.asarray(vertical), shapes)
        np.testing.assert_array_equal(traced, expected)

    def test_default_is_left_to_right(self):
        np.testing.assert_array_equal(flip(IMAGES), IMAGES[:, :, ::-1])

    def test_images_mirror_within_their_own_extent(self):
        got = np.asarray(flip(IMAGES, 1, 1, SHAPES))
        for k, (height, width, _) in enumerate(SHAPES):
            own = got[k, :height, :width]
            np.testing.assert_array_equal(own, IMAGES[k, :height, :width][::-1, ::-1])

    def test_wrong_flags(self):
        with pytest.raises(ConfigError, match=r"vertical has shape \(3,\) for 4 images"):
            flip(IMAGES, 0, np.zeros(3))
