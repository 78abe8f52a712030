"""What lazy images promise besides their pixels: one call, boundaries, derivatives, compilations."""

from __future__ import annotations

import io

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from PIL import Image

import jaxdali.image
from jaxdali import ConfigError, DecodeError
from jaxdali._base.batch import Status
from jaxdali.image import EncodedBatch, Images, arrays

TARGET = "jaxdali_images_v1"


def jpeg(height: int, width: int, seed: int = 0) -> bytes:
    pixels = np.random.default_rng(seed).integers(0, 256, (height // 8 + 1, width // 8 + 1, 3)).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).resize((width, height)).save(file, "JPEG")
    return file.getvalue()


FILES = [jpeg(40, 60), jpeg(64, 48, 1), jpeg(51, 51, 2)]


@pytest.fixture(scope="module")
def batch() -> EncodedBatch:
    return EncodedBatch.from_encoded(FILES)


def views(batch):
    images = jaxdali.image.open(batch)
    small = images.resize(resize_shorter=20).crop(16, 16)
    flipped = images.flip([1, 0, 1]).resize(size=(9, 7)).normalize(127.5, 64.0)
    return arrays(small, flipped)


def test_several_arrays_are_one_call(batch):
    text = jax.jit(views).lower(batch).as_text()
    assert text.count(TARGET) == 1
    small, flipped = jax.jit(views)(batch)
    images = jaxdali.image.open(batch)
    np.testing.assert_array_equal(small, images.resize(resize_shorter=20).crop(16, 16).array())
    np.testing.assert_array_equal(flipped, images.flip([1, 0, 1]).resize(size=(9, 7)).normalize(127.5, 64.0).array())


def test_images_of_files_are_those_of_decoded_files(batch):
    whole = jaxdali.image.decode(batch)
    from_files = jaxdali.image.open(batch).resize(size=(11, 13), filter="cubic").array()
    from_pixels = jaxdali.image.open(whole, batch.sizes).resize(size=(11, 13), filter="cubic").array()
    np.testing.assert_array_equal(from_files, from_pixels)


@pytest.mark.parametrize("host", [True, False])
def test_taps_reach_beyond_a_soft_window(batch, host):
    windows = np.array([[5, 7, 20, 30], [0, 0, 64, 48], [30, 30, 21, 9]], np.int32)
    images = jaxdali.image.open(batch)
    given = windows if host else jnp.asarray(windows)
    soft, hard = (images.resized_crop(given, (9, 11), soft=soft, filter="cubic").array() for soft in (True, False))
    decoded = jaxdali.image.decode(batch)
    for k, (top, left, height, width) in enumerate(windows.tolist()):
        edges = {"roi_start": (top, left), "roi_end": (top + height, left + width)}
        one = jaxdali.image.open(decoded[k : k + 1], batch.sizes[k : k + 1])
        np.testing.assert_array_equal(soft[k], one.resize(size=(9, 11), filter="cubic", **edges).array((9, 11))[0])
        # A window of the whole image has nothing beyond it.
        assert np.array_equal(soft[k], hard[k]) == (k == 1)


def test_the_window_in_the_middle_is_cut_out_of_the_decoded_image(batch):
    middle = jaxdali.image.open(batch).center_crop(20, 30).array()
    decoded = jaxdali.image.decode(batch)
    for k, (height, width) in enumerate(np.asarray(batch.sizes)[:, :2].tolist()):
        top, left = round((height - 20) / 2 + 1e-6), round((width - 30) / 2 + 1e-6)
        np.testing.assert_array_equal(middle[k], decoded[k, top : top + 20, left : left + 30])


def test_a_file_that_fails_is_zeros_in_every_array():
    batch = EncodedBatch.from_encoded([FILES[0], FILES[1][:300], FILES[2]])
    images = jaxdali.image.open(batch)
    (bright, small), status = arrays(
        images.brightness_contrast(brightness_shift=0.5).resize(size=(8, 8)),
        images.resize(size=(5, 5)).normalize(10.0, 2.0),
        on_error="zeros",
    )
    assert [Status(code) for code in np.asarray(status)] == [Status.OK, Status.TRUNCATED, Status.OK]
    for made in (bright, small):
        assert not np.any(made[1])
        assert np.all(np.any(np.asarray(made)[[0, 2]], axis=(1, 2, 3)))


def test_a_changed_number_compiles_nothing(batch):
    @jax.jit
    def run(batch, brightness, mean, shorter, corner):
        images = jaxdali.image.open(batch).brightness_contrast(brightness).resize(resize_shorter=shorter)
        return images.crop(8, 8, (corner, corner)).normalize(mean, 3.0).array()

    first = run(batch, 1.0, 2.0, 20.0, 0.5)
    others = [run(batch, 1.5, 2.0, 20.0, 0.5), run(batch, 1.0, 9.0, 20.0, 0.5), run(batch, 1.0, 2.0, 9.0, 0.5)]
    others.append(run(batch, 1.0, 2.0, 20.0, 0.0))
    assert run._cache_size() == 1
    assert all(np.any(np.asarray(first) != np.asarray(other)) for other in others)


def test_images_cannot_leave_a_function(batch):
    with pytest.raises(TypeError, match="Images"):
        jax.jit(lambda batch: jaxdali.image.open(batch))(batch)


def test_what_cannot_follow_says_what_to_do(batch):
    images = jaxdali.image.open(batch).resize(size=(9, 9))
    with pytest.raises(ConfigError, match=r"resample cannot follow .*: make arrays of them first"):
        images.resize(size=(4, 4))
    with pytest.raises(TypeError, match="resize has no argument 'window'; resized_crop"):
        images.resize(size=(4, 4), window=None)
    with pytest.raises(ConfigError, match=r"needs canvas=\(height, width\)"):
        jax.jit(lambda batch: jaxdali.image.open(batch).array())(batch)

    with pytest.raises(ConfigError, match=r"pad_cut cannot follow .* that are resized and cut: make arrays"):
        images.crop(5, 5).pad_cut(np.array([[-1, -1, 7, 7]] * 3, np.int32), (7, 7))


def small_crop(batch, **options):
    images = jaxdali.image.open(batch, **options)
    return images.resize(resize_shorter=[20.0, 9.0, 20.0]).crop(16, 16), images.resize(size=(5, 5))


@pytest.mark.parametrize(("are_files", "is_compiled"), [(True, False), (True, True), (False, True)])
def test_an_image_that_a_crop_does_not_fit_fails_after_a_resize(batch, are_files, is_compiled):
    source = batch if are_files else jaxdali.image.decode(batch)
    options = {} if are_files else {"shapes": batch.sizes}

    def run(source, on_error):
        return arrays(*small_crop(source, **options), on_error=on_error)

    run = jax.jit(run, static_argnums=1) if is_compiled else run
    with pytest.raises((jax.errors.JaxRuntimeError, ValueError), match=r"row 1: TOO_LARGE: .*window of 16 x 16"):
        jax.block_until_ready(run(source, None))
    made, status = run(source, "zeros")
    assert np.asarray(status).tolist() == [Status.OK, Status.TOO_LARGE, Status.OK]
    for one in made:
        assert np.any(one, axis=(1, 2, 3)).tolist() == [True, False, True]


@pytest.mark.parametrize("on_error", ["raise", "zeros"])
def test_a_loader_reports_an_image_that_a_crop_does_not_fit(on_error):
    def augment(batch, _keys):
        return small_crop(batch["image"])[0].array()

    with jaxdali.Loader(
        [{"image": file} for file in FILES], augment, batch_size=3, epochs=1, on_error=on_error
    ) as loader:
        if on_error == "raise":
            with pytest.raises(DecodeError, match=r"TOO_LARGE: .*window of 16 x 16 .*sample 1,"):
                next(iter(loader))
        else:
            assert np.any(next(iter(loader)), axis=(1, 2, 3)).tolist() == [True, False, True]
        assert loader.stats().images_failed == {"TOO_LARGE": 1}


@pytest.mark.parametrize(
    "chain",
    [
        lambda images: images.resize(size=(20, 30)).crop(21, 9),
        lambda images: images.flip().resized_crop(np.array([[0, 0, 9, 9]] * 3), (20, 30)).center_crop(9, 31),
        lambda images: images.crop(9, 9).cut(np.array([[0, 0, 9, 9]] * 2 + [[1, 0, 9, 9]])),
        lambda images: images.resize(size=(20, 30)).crop(5, 5, (0.0, 1.0)).cut(np.array([[0, 0, 0, 5]] * 3)),
        lambda images: images.crop(9, 9).resized_crop(np.array([[-1, 0, 5, 5]] * 3), (4, 4), soft=True),
        lambda images: images.cut(np.array([[0, 0, 9, 9]] * 3)).crop(10, 5),
    ],
)
def test_what_is_known_to_be_out_of_bounds_is_an_error_while_tracing(batch, chain):
    with pytest.raises(
        ConfigError, match=r"out of bounds of .*; expected .* smaller window|; expected one pixel or more"
    ):
        jax.eval_shape(lambda batch: chain(jaxdali.image.open(batch)).array(on_error="zeros"), batch)


def test_images_on_a_canvas_of_known_sizes_are_checked_while_tracing():
    pixels, shapes = jnp.zeros((2, 12, 10, 3), jnp.uint8), np.array([[0, 0, 3], [12, 9, 3]], np.int32)
    with pytest.raises(
        ConfigError, match=r"window of \(12, 11\) is out of bounds of images\[0\], which has \(12, 10\)"
    ):
        jaxdali.image.open(pixels).crop(12, 11)
    with pytest.raises(ConfigError, match=r"window of \(12, 10\) is out of bounds of images\[1\], which has \(12, 9\)"):
        jaxdali.image.open(pixels, shapes).crop(12, 10)
    assert jaxdali.image.open(pixels, shapes).crop(12, 9).array().shape == (2, 12, 9, 3)  # the first failed before


FOUR = np.random.default_rng(0).uniform(1, 255, (4, 12, 10, 3)).astype(np.float32)
OUTSIDE = np.array([[0, 0, 5, 5], [2, 1, 5, 5], [5, -1, 5, 5], [4, 4, 5, 5]], np.int32)  # the third one
THIRD_FAILS = [0, 0, Status.TOO_LARGE, 0]


def cut_twice(pixels, windows, on_error=None):
    outer = jnp.asarray([[1, 1, 9, 9]], jnp.int32) + 0 * windows
    return Images.of(pixels).cut(outer).cut(windows, (5, 5)).array(on_error=on_error)


def test_derivatives_and_vmap_of_images_that_fail():
    pixels, windows = jnp.asarray(FOUR), jnp.asarray(OUTSIDE)
    expected, status = cut_twice(pixels, windows, "zeros")
    assert np.asarray(status).tolist() == THIRD_FAILS
    assert np.any(expected, axis=(1, 2, 3)).tolist() == [True, True, False, True]
    mapped = jax.vmap(lambda pixels: cut_twice(pixels, windows, "zeros"))(pixels[None])
    for one, other in zip(mapped, (expected, status), strict=True):
        np.testing.assert_array_equal(one[0], other)
    with pytest.raises((jax.errors.JaxRuntimeError, ValueError), match="row 2: TOO_LARGE"):
        jax.block_until_ready(jax.grad(lambda pixels: cut_twice(pixels, windows).sum())(pixels))


@pytest.mark.parametrize("kind", [jax.sharding.AxisType.Auto, jax.sharding.AxisType.Explicit])
def test_images_that_fail_on_several_devices(kind):
    sharding = jax.sharding.NamedSharding(jax.make_mesh((2,), ("data",), axis_types=(kind,)), jax.P("data"))
    with jax.set_mesh(sharding.mesh):
        run = jax.jit(cut_twice, static_argnums=2)
        pixels, *windows = jax.device_put((FOUR, OUTSIDE, OUTSIDE.clip(0, 4) | [0, 0, 5, 5]), sharding)
        assert np.asarray(run(pixels, windows[0], "zeros")[1]).tolist() == THIRD_FAILS
        assert np.all(np.any(run(pixels, windows[1]), axis=(1, 2, 3)))
        with pytest.raises((jax.errors.JaxRuntimeError, ValueError), match="row 2: TOO_LARGE"):
            jax.block_until_ready(run(pixels, windows[0]))


def test_arrays_of_two_sources_are_refused(batch):
    with pytest.raises(ConfigError, match="open the batch once"):
        arrays(jaxdali.image.open(batch).crop(4, 4), jaxdali.image.open(batch).crop(4, 4))


def test_derivatives_and_vmap_of_images_on_a_canvas():
    pixels = jnp.asarray(np.random.default_rng(0).uniform(0, 255, (2, 12, 10, 3)), jnp.float32)

    def loss(pixels, std):
        return Images.of(pixels).resample((6, 5)).normalize(3.0, std).array().sum()

    by_pixels, by_std = jax.grad(loss, argnums=(0, 1))(pixels, 2.0)
    np.testing.assert_allclose(by_pixels.sum(), 2 * 6 * 5 * 3 / 2.0, rtol=1e-5)
    np.testing.assert_allclose(by_std, -loss(pixels, 2.0) / 2.0, rtol=1e-4)
    stacked = jnp.stack([pixels, pixels + 1])
    mapped = jax.vmap(lambda pixels: Images.of(pixels).resample((6, 5)).array())(stacked)
    np.testing.assert_array_equal(mapped[1], Images.of(stacked[1]).resample((6, 5)).array())


def test_export_for_other_platforms():
    pixels = jnp.zeros((2, 12, 10, 3), jnp.uint8)
    run = jax.jit(lambda pixels: Images.of(pixels).resample((6, 5)).array())
    checks = [jax.export.DisabledSafetyCheck.custom_call(name) for name in jaxdali.image.custom_call_targets()]
    exported = jax.export.export(run, platforms=("tpu", "cpu"), disabled_checks=checks)(pixels)
    assert exported.call(pixels).shape == (2, 6, 5, 3)


@pytest.mark.parametrize("dtype", [np.int32, np.int8])
def test_integers_that_are_only_copied_keep_every_bit_with_the_call_and_without(dtype):
    limits = np.iinfo(dtype)
    pixels = np.random.default_rng(0).integers(limits.min, limits.max, (2, 6, 7, 1), dtype, endpoint=True)
    windows = np.array([[-2, 1, 5, 4], [3, -1, 5, 4]], np.int32)

    def cut(canvas):
        return Images.of(canvas).flip(1).pad_cut(jnp.asarray(windows), (5, 4), fill=-7.0).array()

    padded = np.pad(pixels[:, :, ::-1], ((0, 0), (5, 5), (5, 5), (0, 0)), constant_values=-7)
    expected = [image[5 + y : 10 + y, 5 + x : 9 + x] for image, (y, x, _, _) in zip(padded, windows, strict=True)]
    np.testing.assert_array_equal(jax.jit(cut)(pixels), expected, strict=True)
    np.testing.assert_array_equal(jax.vmap(cut)(jnp.asarray(pixels)[None])[0], expected, strict=True)
