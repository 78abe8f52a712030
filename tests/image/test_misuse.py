"""Errors for users who call images as they would another library's."""

import re

import jax
import numpy as np
import pytest
from jpeg_files import pillow_jpeg

import jaxdali
from jaxdali._run.executor.device_io.transfer import Padded
from jaxdali.errors import ConfigTypeError


@pytest.fixture(scope="module")
def batch():
    files = [pillow_jpeg(40, 48) for _ in range(3)]
    return jaxdali.EncodedBatch.from_encoded(files)


def images(batch):
    return jaxdali.image.open(batch)


CALLS = {
    "a pair as the height": (lambda b: images(b).crop((32, 32)), "images.crop(height, width)"),
    "crop(size=)": (lambda b: images(b).crop(size=(32, 32)), "images.crop(height, width)"),
    "crop(x=)": (lambda b: images(b).crop(32, 32, x=0.5), "it takes height, width, position, rounding"),
    "resize(shorter=)": (lambda b: images(b).resize(shorter=32), "resize takes resize_x, resize_y, resize_shorter, "),
    "windows of each": (
        lambda b: images(b).cut(np.zeros((3, 2, 4), np.int32)),
        "jaxdali.image.arrays(*[images.resized_crop(windows[:, k], size) for k in range(2)])",
    ),
    "one length": (lambda b: images(b).center_crop(32), "images.center_crop(height, width)"),
    "resize by place": (lambda b: images(b).resize((32, 32)), "images.resize(size=(height, width))"),
    "resize of two": (lambda b: images(b).resize(32, 32), "images.resize(size=(height, width))"),
    "no windows": (lambda b: images(b).resized_crop(None, (32, 32)), "windows must be int32[3, 4]"),
    "no window each": (lambda b: images(b).cut(np.zeros((2, 4), np.int32)), "got shape (2, 4)"),
    "soft": (lambda b: images(b).resized_crop(32, (32, 32), soft=True), "got 32"),
    "std is missing": (lambda b: images(b).normalize(0.5), "images.normalize(mean, std)"),
    "decode(size=)": (lambda b: jaxdali.image.decode(b, size=(32, 32)), "decode_resample resizes"),
    "no window of resample": (lambda b: jaxdali.image.decode_resample(b, (32, 32)), "windows may be None"),
    "NumPy": (lambda b: np.asarray(images(b)), "images.array()"),
    "arithmetic": (lambda b: images(b) / 255, "images.array()"),
    "files": (lambda b: b / 255, "jaxdali.image.open(batch)"),
    "NumPy of files": (lambda b: np.asarray(b), "decode(batch, canvas="),
    "pair twice": (lambda b: Padded((np.zeros((3, 4)), np.zeros((3, 1)))) * 2, "data, shapes = batch[leaf]"),
    "pairs": (lambda b: Padded((1, 2)) + Padded((3, 4)), "data, shapes = batch[leaf]"),
}


@pytest.mark.parametrize(("call", "words"), CALLS.values(), ids=CALLS)
def test_the_right_call_is_named(batch, call, words):
    with pytest.raises(ConfigTypeError, match=re.escape(words)):
        call(batch)


@pytest.mark.parametrize(
    ("of", "name", "words"),
    [
        (images, "shape", "images.array()"),
        (images, "hflip", "write images.flip()"),
        (lambda b: b, "astype", "jaxdali.image.open(batch)"),
        (lambda b: Padded((1, 2)), "shape", "data, shapes = batch[leaf]"),
    ],
    ids=["array's", "another name", "files", "pair"],
)
def test_what_arrays_have(batch, of, name, words):
    with pytest.raises(AttributeError, match=re.escape(words)):
        getattr(of(batch), name)
    assert not hasattr(of(batch), "__cuda_array_interface__")


def test_vmap_over_files(batch):
    with pytest.raises(ValueError, match=re.escape("decode without jax.vmap, a whole batch at once")):
        jax.vmap(lambda one: jaxdali.image.decode(one, (64, 64)))(batch)


def test_moments_of_levels_from_0_to_1(batch):
    mean, std = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
    with pytest.warns(UserWarning, match="multiply both by 255") as warned:
        images(batch).normalize(mean, std)
        jaxdali.image.decode_resample(batch, None, (8, 8), mean=mean, std=std)
    assert [one.filename for one in warned] == [__file__] * 2
    images(batch).normalize(mean * 255, std * 255)  # any other warning is an error
    images(batch).normalize(0.0, 1.0)
    images(batch).normalize(mean, std, scale=1 / 255)
