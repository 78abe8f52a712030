"""Files of one to four channels, of 8 and of 16 bits, on their way through workers and slots."""

import numpy as np
import pytest
from deep_files import deep_noise, deep_png

from jaxdali import Pipeline, fn, types


class Files:
    """A PNG of each number of channels; every other one has 8 bits a channel."""

    def __len__(self):
        return 8

    def __call__(self, info):
        pixels = pixels_of(info.idx_in_epoch)
        return np.frombuffer(deep_png(pixels, 8 * pixels.dtype.itemsize), np.uint8)


def pixels_of(index):
    deep = deep_noise(1 + index // 2)
    return deep if index % 2 else (deep >> 8).astype(np.uint8)


def to_levels(pixels):
    """Of 8 bits."""
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
