"""Wrong arguments and missing names: the errors that a new user sees first."""

from __future__ import annotations

import functools
import importlib.metadata
import inspect
import io
import re

import jax.numpy as jnp
import numpy as np
import pytest
from PIL import Image

import jaxdali
from jaxdali import ConfigError, Pipeline, fn, image


def in_a_pipeline(draw):
    with Pipeline(batch_size=2).definition():
        images = fn.decoders.image(fn.external_source(lambda info: np.zeros(3, np.uint8), batch=False))
        return draw(images)


@pytest.mark.parametrize(
    "draw",
    [
        lambda x: fn.brightness_contrast(x, contrast="2"),
        lambda x: fn.brightness_contrast(x, brightness=[None, 1]),
        lambda x: fn.crop_mirror_normalize(x, std="127"),
        lambda x: fn.crop_mirror_normalize(x, mirror="1"),
        lambda x: fn.crop_mirror_normalize(x, crop="12"),
        lambda x: fn.resize(x, size="12"),
    ],
)
def test_what_is_no_number_is_refused(draw):
    with pytest.raises(ConfigError, match=r"must be a number|in pixels"):
        in_a_pipeline(draw)


def test_none_says_nothing():
    for written, given in (
        (lambda x, **said: fn.brightness_contrast(x, **said), {"contrast": None, "device": None, "name": None}),
        (lambda x, **said: fn.crop_mirror_normalize(x, **said), {"mean": None, "rounding": None, "preserve": None}),
        (lambda x, **said: fn.resize(x, size=2, **said), {"antialias": None}),
        (lambda _, **said: fn.random.coin_flip(**said), {"probability": None, "seed": None}),
    ):
        said, silent = (in_a_pipeline(functools.partial(written, **more)) for more in (given, {}))
        assert (said.call.params, said.call.preserve) == (silent.call.params, silent.call.preserve)
    with pytest.raises(ConfigError, match=r"fn.resize takes one of size="):
        in_a_pipeline(lambda x: fn.resize(x, size=None))


@pytest.mark.parametrize("value", [None, "2", np.nan])
def test_pure_functions_refuse_it_too(value):
    pixels = np.zeros((2, 4, 4, 3), np.uint8)
    with pytest.raises(ConfigError, match=r"must be a number|NaN"):
        image.brightness_contrast(pixels, contrast=value)
    with pytest.raises(ConfigError, match=r"must be a number|NaN"):
        image.normalize(pixels, value, 1.0)


def test_files_and_pixels_are_told_apart():
    files = jaxdali.EncodedBatch.from_encoded([b"no image"])
    with pytest.raises(ConfigError, match=r"Call jaxdali\.image\.decode first"):
        image.normalize(files, 0.0, 1.0)
    for wrong in ([b"x"], b"x", np.zeros(3, np.uint8)):
        with pytest.raises(ConfigError, match="decode expects an EncodedBatch, got"):
            image.decode(wrong)
    with pytest.raises(ConfigError, match="put it into a list"):
        jaxdali.EncodedBatch.from_encoded(b"one file")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: fn.brightness_contrast(x, contrst=1), "brightness_contrast has no argument 'contrst'; did you mean"),
        (lambda x: fn.random.uniform(rnge=(1, 2)), "uniform has no argument 'rnge'; did you mean range"),
        (lambda x: fn.resize(x, size=8, antialis=True), "did you mean antialias"),
        (lambda x: fn.external_source(len, paralel=True), "did you mean parallel"),
    ],
)
def test_misspelt_arguments(call, words):
    with pytest.raises(ConfigError, match=words):
        in_a_pipeline(call)


@pytest.mark.parametrize(
    ("module", "name", "words"),
    [
        (fn, "imgcodec", "no 'imgcodec': https://jaxdali.github.io/jaxdali/stable/names/ lists what it has"),
        (fn, "resise", "did you mean resize"),
        (fn.random, "gamma", "It has beta, choice, coin_flip, normal, uniform"),
        (
            fn.decoders,
            "inflate",
            "no 'inflate' yet, which DALI has. Until then inflate in the source, or in fn.python_",
        ),
        (fn.readers, "vide", "It has caffe, caffe2, coco, file, mxnet, "),
        (fn.decoders, "imag", "did you mean image"),
        (fn, "to_tensor", "write fn.crop_mirror_normalize"),
        (jaxdali, "DataLoader", r"write jaxdali.Loader\(data, augment, batch_size=\)"),
        (image, "center_crop", r"write jaxdali.image.open\(files\).center_crop\(height, width\)"),
        (image, "resise", "did you mean resize"),
        (jaxdali.augment, "RandAugment", "write jaxdali.augment.rand_augment"),
        (jaxdali.augment, "MixUp", "write jaxdali.random.mixup"),
        (jaxdali.random, "bernoulli", "write jaxdali.random.coin_flip"),
    ],
)
def test_names_of_dali_that_are_not_here(module, name, words):
    with pytest.raises(AttributeError, match=words):
        getattr(module, name)
    assert not hasattr(module, "__no_such_dunder__")


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (np.sqrt, TypeError, "write jaxdali.math.sqrt"),
        (lambda x: np.arctan2(x, 2.0), TypeError, "write jaxdali.math.atan2"),
        (np.isnan, TypeError, "see jaxdali.fn and jaxdali.math"),
        (np.mean, TypeError, r"write fn.reductions.mean\(node\)"),
        (lambda x: np.stack([x, x]), TypeError, "write fn.stack"),
        (float, TypeError, "a node stands for one batch after the other"),
        (int, TypeError, "fn.cast converts types"),
        (lambda x: x.astype(np.float32), AttributeError, "write fn.cast"),
        (lambda x: x.nothing, AttributeError, "object has no attribute 'nothing'$"),
        (np.asarray, TypeError, "is no array: a node stands for .* in fn.python_function"),
        (lambda x: np.array([x, 1]), TypeError, "is no array"),
        (jnp.asarray, TypeError, "is no array"),
        (lambda x: x.shape[0], TypeError, r"is a method: write node.shape\(\)\[0\]"),
        (lambda x: x.shape[:2], TypeError, r"write node.shape\(\)\[...\]"),
        (lambda x: [*x.shape], TypeError, r"write node.shape\(\)\."),
        (lambda x: len(x.shape), TypeError, r"write node.shape\(\)\."),
    ],
)
def test_what_nodes_have_no_numbers_for(call, error, words):
    with pytest.raises(error, match=words):
        in_a_pipeline(call)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: fn.reshape(x, shape=[x, -1]), r"fn.reshape\(shape=\) must be .* got \[DataNode.*such as fn.stack"),
        (lambda x: fn.transpose(x, perm=[x, 1, 0]), r"fn.transpose\(perm=\) must be .* a node has none yet"),
        (lambda x: fn.resize(x, size=[x, 8]), r"fn.resize\(size=\) must be .* got \[DataNode"),
    ],
)
def test_nodes_in_lists_of_numbers_are_named_with_their_argument(call, words):
    with pytest.raises(jaxdali.errors.ConfigTypeError, match=words):
        in_a_pipeline(call)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: [*x], "num_outputs=2"),
        (lambda x: [a for a, b in [x]], "num_outputs=2"),
        (len, r"node.shape\(\)\[0\]"),
        (lambda x: 3 in x, "node == 3"),
        (jnp.mean, "jax_function"),
        (jnp.sin, "jax_function"),
    ],
)
def test_what_python_and_jax_say_of_nodes_has_a_note(call, words):
    with pytest.raises(TypeError) as caught:
        in_a_pipeline(call)
    assert any(re.search(words, note) for note in caught.value.__notes__)
    with pytest.raises(TypeError) as caught, Pipeline(batch_size=2):
        call(fn.random.uniform())
    assert any(re.search(words, note) for note in caught.value.__notes__)


def test_the_shape_of_a_node_is_a_method_all_the_same():
    assert in_a_pipeline(lambda x: x.shape()).call.operator.name == "shape"
    assert list(inspect.signature(in_a_pipeline(lambda x: x.shape)).parameters) == ["dtype", "device"]
    assert inspect.isfunction(jaxdali.pipeline.DataNode.shape)


def test_arrays_calculate_with_nodes_whoever_is_asked_first():
    def of(make):
        return in_a_pipeline(lambda x: make(fn.cast(x, dtype=jaxdali.types.FLOAT))).call.operator.name

    array = np.ones((1, 1, 3), np.float32)
    for name, make in {
        "math.add": lambda x: array + x,
        "math.sub": lambda x: np.subtract(array, x),
        "math.mul": lambda x: np.float32(2) * x,
        "math.lt": lambda x: np.greater(array, x),
        "math.geq": lambda x: np.greater_equal(x, array),
        "math.fdiv": lambda x: np.divide(x, 2),
    }.items():
        assert of(make) == name
    array *= 1

    def in_place(x):
        own = array
        own *= x
        return own

    assert of(in_place) == "math.mul" and np.ndim(in_a_pipeline(lambda x: [x])[0]) == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda images: images.resize(size=(8.5, 8)), r"expected \(height, width\) as integers, such as \(8, 8\)"),
        (lambda images: images.to_float(), "write images.cast"),
        (lambda images: images.rotate(30), r"write jaxdali.image.rotate\(images.array\(\), degrees\)"),
        (lambda images: images.random_crop(8), "write images.resized_crop"),
    ],
)
def test_what_images_do_by_other_words(call, words):
    files = image.open(jaxdali.EncodedBatch.from_encoded([b"no image"]))
    with pytest.raises((ConfigError, AttributeError), match=words):
        call(files)


def test_files_are_decoded_before_they_are_resized(tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"no image")
    pipe = Pipeline(batch_size=1)
    with pipe:
        files, _ = fn.readers.file(files=[str(tmp_path / "a.jpg")])
        pipe.set_outputs(fn.resize(files, size=8))
    with pytest.raises(
        jaxdali.GraphError, match=r"files of images are decoded first, images = fn.decoders.image\(files\)"
    ):
        pipe.run()


def test_a_closed_pipeline_says_so():
    pipe = Pipeline(batch_size=2)
    with pipe:
        pipe.set_outputs(fn.external_source(lambda info: np.zeros(3, np.uint8), batch=False))
    pipe.run()
    pipe.close()
    for call in (pipe.run, pipe.reset):
        with pytest.raises(jaxdali.StateError, match="closed; make a new one"):
            call()


def test_gpu_of_a_node_is_the_node():
    assert in_a_pipeline(lambda x: x.gpu() is x)


def test_completion_shows_the_names_and_no_insides():
    assert dir(fn.random) == ["beta", "choice", "coin_flip", "normal", "uniform"]
    assert "DALIGenericIterator" in dir(jaxdali.plugin.jax)
    assert jaxdali.__version__ == importlib.metadata.version("jaxdali")


def test_an_image_larger_than_the_canvas_says_both_sizes():
    file = io.BytesIO()
    Image.new("RGB", (40, 30)).save(file, "JPEG")
    data = [{"image": file.getvalue()}] * 4

    def augment(batch, keys):
        return image.decode(batch["image"], canvas=(16, 16))

    with jaxdali.Loader(data, augment, batch_size=2, workers=0, shuffle=True) as loader:
        words = r"30 x 40 pixels .height x width., the canvas 16 x 16.*larger canvas="
        with pytest.raises(jaxdali.DecodeError, match=words) as caught:
            next(loader.enumerate())
    assert "the sample is data[" in caught.value.__notes__[0]
