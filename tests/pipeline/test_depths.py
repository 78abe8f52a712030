"""Files of one to four channels with 8 and 16 bits, through workers and slots."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from deep_files import Files, deep_noise, deep_png, pixels_of
from jpeg_files import pillow_jpeg

from jaxdali import ConfigError, Pipeline, SourceDataError, fn, image, types
from jaxdali.plugin.jax import DALIGenericIterator


def to_levels(pixels):
    """Converts to levels of 8 bits."""
    if pixels.dtype == np.uint8:
        return pixels
    return np.floor(pixels / 257 + 0.5).astype(np.uint8)


def as_rgb(pixels):
    return pixels[..., :3] if pixels.shape[2] > 2 else pixels[..., :1].repeat(3, 2)


def as_gray(pixels):
    if pixels.shape[2] < 3:
        return pixels[..., :1]
    luma = pixels[..., :3].astype(np.int64) @ [19595, 38470, 7471] + 32768 >> 16
    return luma[..., None].astype(pixels.dtype)


@pytest.mark.parametrize("workers", [0, 1])
def test_files_of_any_channels_become_rgb_and_gray(workers):
    pipe = Pipeline(batch_size=8, py_num_workers=workers, py_start_method="spawn")
    with pipe:
        files = fn.external_source(Files(), batch=False, parallel=workers > 0)
        pipe.set_outputs(fn.decoders.image(files), fn.decoders.image(files, output_type=types.GRAY))
    rgb, gray = pipe.run()
    for index in range(8):
        pixels = pixels_of(index)
        np.testing.assert_array_equal(rgb.at(index), to_levels(as_rgb(pixels)), err_msg=str(index))
        np.testing.assert_array_equal(gray.at(index), to_levels(as_gray(pixels)), err_msg=str(index))
    pipe.close()


def test_uint16_has_all_levels():
    kinds = {"dtype": types.UINT16, "on_error": "raise"}
    pipe = Pipeline(batch_size=8)
    with pipe:
        files = fn.external_source(Files(), batch=False)
        rgb, canvas = fn.decoders.image(files, **kinds), fn.decoders.image(files, canvas=(40, 40), **kinds)
        bgr = fn.decoders.image(files, output_type=types.BGR, **kinds)
        pipe.set_outputs(rgb, canvas, bgr, fn.decoders.image(files, output_type=types.GRAY, **kinds))
    with pipe:
        rgb, canvas, bgr, gray = pipe.run()
        for index in range(8):
            pixels = pixels_of(index)
            spread = np.uint16(1 if pixels.dtype == np.uint16 else 257)
            deep = pixels * spread
            np.testing.assert_array_equal(rgb.at(index), as_rgb(deep), err_msg=str(index))
            np.testing.assert_array_equal(canvas.at(index), as_rgb(deep))
            np.testing.assert_array_equal(bgr.at(index), as_rgb(deep)[..., ::-1])
            np.testing.assert_array_equal(gray.at(index), as_gray(pixels) * spread)


def own_channels(graph, source=None, **options):
    """A pipeline with a graph on files that are decoded with their own number of channels."""
    pipe = Pipeline(**{"batch_size": 8, **options})
    with pipe:
        images = fn.decoders.image(
            fn.external_source(source or Files(), batch=False), output_type=types.ANY_DATA, **graph.get("decoder", {})
        )
        pipe.set_outputs(graph.get("then", lambda node: node)(images))
    return pipe


@pytest.mark.parametrize("canvas", [None, (40, 40)])
def test_any_data_are_the_channels_of_each_file(canvas):
    (images,) = own_channels({"decoder": {"canvas": canvas}}).run()
    for index in range(8):
        np.testing.assert_array_equal(images.at(index), to_levels(pixels_of(index)), err_msg=str(index))


def test_channels_of_each_file_survive_what_follows():
    then = [
        lambda node: fn.flip(node),
        lambda node: fn.resize(node, size=(10, 12)),
        lambda node: fn.crop_mirror_normalize(node, crop=(9, 10), mean=[10.0], std=[2.0]),
    ]
    (flipped,), (resized,), (normal,) = (own_channels({"then": one}).run() for one in then)
    for index in range(8):
        pixels = to_levels(pixels_of(index))
        np.testing.assert_array_equal(flipped.at(index), pixels[:, ::-1])
        assert resized.at(index).shape == (10, 12, pixels.shape[2])
        alone = image.resize(jnp.asarray(pixels)[None], (10, 12))[0]
        np.testing.assert_array_equal(resized.at(index), alone)
        assert normal.at(index).shape == (pixels.shape[2], 9, 10)
        expected = (pixels[6:15, 12:22].astype(np.float32) - 10) * np.float32(0.5)
        np.testing.assert_allclose(normal.at(index), expected.transpose(2, 0, 1))


def test_a_batch_has_the_channels_of_its_widest_file():
    """A batch of files with equal channels is dense, whatever other batches have."""
    pipe = own_channels({"then": lambda node: fn.resize(node, size=(5, 6))}, batch_size=2)
    shapes = [np.asarray(pipe.run()[0].as_tensor()).shape for _ in range(4)]
    assert shapes == [(2, 5, 6, channels) for channels in (1, 2, 3, 4)]


def test_gray_and_cmyk_jpeg_files_have_one_channel_and_three():
    modes = ("L", "RGB", "CMYK", "L")

    def source(info):
        return np.frombuffer(pillow_jpeg(9, 11, mode=modes[info.idx_in_batch]), np.uint8)

    (images,) = own_channels({}, source, batch_size=4).run()
    assert [images.at(k).shape for k in range(4)] == [(9, 11, channels) for channels in (1, 3, 3, 1)]


def test_files_that_fail_have_no_say():
    good = deep_png(deep_noise(2)[:, :, :1])

    def source(info):
        return np.frombuffer(good if info.idx_in_batch else deep_png(deep_noise(4))[:90], np.uint8)

    (images,) = own_channels({"decoder": {"on_error": "zeros"}}, source, batch_size=2).run()
    np.testing.assert_array_equal(images.at(1), to_levels(deep_noise(2)[:, :, :1]))
    assert not images.at(0).any()


def test_what_needs_as_many_channels_of_each_says_so():
    pipe = own_channels({"then": lambda node: fn.resize(fn.resize(node, size=10), size=5)})
    with pytest.raises(SourceDataError, match="the same number of channels"):
        pipe.run()


def test_iterators_over_several_devices_want_channels_that_are_known():
    pipe = own_channels({"then": lambda node: fn.resize(node, size=(5, 6))})
    mesh = jax.sharding.Mesh(np.array(jax.devices("cpu")[:1]), ("x",))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
    with pytest.raises(ConfigError, match=r"as their files .* give fn.decoders.image output_type="):
        DALIGenericIterator(pipe, ["images"], sharding=sharding)
