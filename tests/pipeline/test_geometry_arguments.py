"""Arguments of the operators that cut, mirror and draw windows: each is honoured, or refused by name."""

import front_sources
import numpy as np
import pytest
from front_pipelines import make

from jaxdali import ConfigError, GraphError, fn, types

# Most graphs here use only one of their source's two outputs.
pytestmark = pytest.mark.filterwarnings("ignore:the external_source:UserWarning")


def images(files):
    return fn.decoders.image(files)


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (
            lambda f: fn.random_resized_crop(images(f), size=8, random_area=(0, 1)),
            r"random_area=\) is \(0, 1\), expected smallest <= largest",
        ),
        (lambda f: fn.random_resized_crop(images(f), size=8, random_area=(0.5, 5)), "both 0 to 4"),
        (lambda f: fn.random_resized_crop(images(f), size=8, random_area=0.5), "expects .smallest, largest."),
        (
            lambda f: fn.random_resized_crop(images(f), size=8, random_aspect_ratio=fn.random.uniform(shape=2)),
            r"\(random_aspect_ratio=\) must be known when the pipeline is defined, got DataNode",
        ),
        (lambda f: fn.random_resized_crop(images(f), size=8, random_aspect_ratio=(1, 100)), "to 64"),
        (lambda f: fn.random_resized_crop(images(f), size=8, num_attempts=0), "num_attempts"),
        (lambda f: fn.random_resized_crop(images(f), size=(0, 8)), r"fn.random_resized_crop\(size="),
        (lambda f: fn.random_resized_crop(images(f), size=8, interp_type=2), "must be one of types.INTERP_NN, .*got 2"),
        (lambda f: fn.random_resized_crop(images(f), size=8, random_areas=1), "did you mean random_area"),
        (lambda f: fn.decoders.image_random_crop(f, random_area=(0.5, 0.4)), "fn.decoders.image_random_crop"),
        (lambda f: fn.decoders.image_random_crop(f, cache_size=1), "no argument 'cache_size'"),
        (lambda f: fn.crop(images(f), crop=8, crop_h=8), "got both crop= and crop_h="),
        (
            lambda f: fn.crop(images(f), crop=8, rounding="floor"),
            r"fn.crop\(rounding=\) must be one of round, truncate, got 'floor'",
        ),
        (lambda f: fn.crop(images(f), crop=8, crop_pos_x="left"), r"fn.crop\(crop_pos_x=\)"),
        (lambda f: fn.crop(images(f), crop=8, out_of_bounds_policy="wrap"), "must be one of error, pad, constant"),
        (lambda f: fn.flip(images(f), horizontal="yes"), r"fn.flip\(horizontal=\)"),
    ],
)
def test_refused(graph, message):
    with pytest.raises(ConfigError, match=message):
        make(lambda files, labels: graph(files))


def test_a_random_decoder_wants_files_of_a_source():
    with pytest.raises(GraphError, match=r"fn\.decoders\.image_random_crop takes files from a source"):
        make(lambda files, labels: fn.decoders.image_random_crop(images(files)))


def test_crop_of_fractions_and_another_type():
    def graph(files, labels):
        return fn.crop(images(files), crop_h=16.9, crop_w=20, crop_pos_y=1.0, crop_pos_x=0.0, dtype=types.FLOAT)

    (cut,) = make(graph).run()
    assert cut.dtype == types.FLOAT
    for k in range(4):
        np.testing.assert_array_equal(cut.at(k), front_sources.pixels(k)[-16:, :20])


def test_flip_of_images_of_different_sizes():
    horizontal, vertical = make(
        lambda files, labels: [fn.flip(images(files)), fn.flip(images(files), horizontal=0, vertical=1)]
    ).run()
    for k in range(4):
        np.testing.assert_array_equal(horizontal.at(k), front_sources.pixels(k)[:, ::-1])
        np.testing.assert_array_equal(vertical.at(k), front_sources.pixels(k)[::-1])
