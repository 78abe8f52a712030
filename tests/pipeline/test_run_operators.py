"""Operators on images in a pipeline, compared with the NumPy reference."""

import front_sources
import image_reference as reference
import numpy as np
import pytest
from front_pipelines import make, of

from jaxdali import SourceDataError, fn, types

# Most graphs here use only one of their source's two outputs.
pytestmark = pytest.mark.filterwarnings("ignore:the external_source:UserWarning")


@pytest.mark.parametrize("size", [(16, 20), 24, [10.5, 33.4]], ids=str)
@pytest.mark.parametrize("antialias", [True, False])
def test_resize(size, antialias):
    pipe = make(
        lambda files, labels: fn.resize(
            fn.decoders.image(files), size=size, antialias=antialias, subpixel_scale=False, dtype=types.FLOAT
        )
    )
    (images,) = pipe.run()
    extents = {(16, 20): (16, 20), 24: (24, 24)}.get(size if size == 24 else tuple(size), (11, 33))
    assert images.is_dense_tensor() and images.layout() == "HWC"
    for k in range(4):
        original = front_sources.pixels(k)[None]
        expected = reference.resize(original, extents, antialias=antialias, dtype=np.float32)[0]
        np.testing.assert_allclose(images.at(k), expected, atol=1e-3)


def test_resize_rounds_to_the_type_of_its_input():
    (images,) = make(lambda files, labels: fn.resize(fn.decoders.image(files), size=8)).run()
    assert images.dtype == types.UINT8
    for k in range(4):
        expected = reference.resize(front_sources.pixels(k)[None], (8, 8))[0].astype(int)
        assert np.abs(images.at(k) - expected).max() <= 1


MEAN, STD = [123.0, 117.0, 104.0], [58.0, 57.0, 56.0]


def normalized(index, window, position, mirror, mean, std, **options):
    """The reference for crop_mirror_normalize on one image."""
    image = front_sources.pixels(index)[None]
    if window is not None:
        anchor = reference.crop_anchor([image.shape[1:]], window, position)
        image = reference.crop(image, anchor, window)
    return reference.normalize(reference.flip(image, int(mirror)), mean, std, **options)[0]


@pytest.mark.parametrize("layout", ["CHW", "HWC"])
@pytest.mark.parametrize("dtype", [types.FLOAT, types.FLOAT16, types.UINT8, types.INT8])
def test_crop_mirror_normalize_by_nodes(layout, dtype):
    def graph(files, labels):
        x, y = fn.random.uniform(range=(0, 1)), fn.random.uniform(range=(0, 1))
        mirror = fn.random.coin_flip()
        images = fn.crop_mirror_normalize(
            fn.decoders.image(files),
            crop=(18.9, 20),
            crop_pos_x=x,
            crop_pos_y=y,
            mirror=mirror,
            mean=MEAN,
            std=STD,
            scale=60.0,
            shift=12.0,
            dtype=dtype,
            output_layout=layout,
        )
        return images, x, y, mirror

    pipe = make(graph)
    mirrored = set()
    for iteration in range(2):
        images, x, y, mirror = pipe.run()
        assert images.layout() == layout and images.dtype == dtype
        for k in range(4):
            expected = normalized(
                4 * iteration + k,
                (18, 20),
                (y.at(k), x.at(k)),
                mirror.at(k),
                MEAN,
                STD,
                scale=60.0,
                shift=12.0,
                dtype=types.to_numpy_type(dtype),
                output_layout=layout,
            )
            np.testing.assert_array_equal(images.at(k), expected)
            mirrored.add(int(mirror.at(k)))
    assert mirrored == {0, 1}


@pytest.mark.parametrize("layout", ["CHW", "HWC"])
def test_crop_mirror_normalize_without_a_window(layout):
    def graph(files, labels):
        return fn.crop_mirror_normalize(fn.decoders.image(files), mirror=1, mean=MEAN, std=STD, output_layout=layout)

    (images,) = make(graph).run()
    for k in range(4):
        expected = normalized(k, None, None, 1, MEAN, STD, output_layout=layout)
        np.testing.assert_array_equal(images.at(k), expected)


@pytest.mark.parametrize("mean", [MEAN, np.array(MEAN, np.float32), tuple(MEAN)], ids=type)
def test_constants_are_one_a_channel_also_in_a_batch_of_three(mean):
    def graph(files, labels):
        return fn.crop_mirror_normalize(fn.decoders.image(files), crop=8, mean=mean, std=STD)

    (images,) = make(graph, batch_size=3).run()
    for k in range(3):
        expected = normalized(k, (8, 8), (0.5, 0.5), 0, MEAN, STD, output_layout="CHW")
        np.testing.assert_array_equal(images.at(k), expected)


def test_moments_by_nodes_are_one_a_sample():
    def graph(files, labels):
        mean = fn.random.uniform(range=(100, 120))
        std = fn.random.uniform(range=(40, 60), shape=3)
        images = fn.decoders.image(files)
        return fn.crop_mirror_normalize(images, crop=8, mean=mean, std=std), mean, std

    images, mean, std = make(graph, batch_size=3).run()
    for k in range(3):
        expected = normalized(k, (8, 8), (0.5, 0.5), 0, mean.at(k), std.at(k), output_layout="CHW")
        np.testing.assert_array_equal(images.at(k), expected)


@pytest.mark.parametrize("crop", [(30, 10), (50, 50), (300, 10)], ids=str)
def test_a_window_larger_than_an_image(crop):
    pipe = make(
        lambda files, labels: fn.crop_mirror_normalize(fn.decoders.image(files), crop=crop),
    )
    first_smaller = next(k for k, size in enumerate(front_sources.SIZES) if size[0] < crop[0])
    if first_smaller >= 4:
        pipe.run()
    with pytest.raises(SourceDataError, match="Slice can't be placed out of bounds") as caught:
        pipe.run()
    assert caught.value.sample_index == first_smaller
    assert str(crop) in str(caught.value) and "resize it first" in str(caught.value)


def test_brightness_contrast_of_any_numbers():
    def graph(node):
        return fn.brightness_contrast(
            node,
            brightness=1.5,
            brightness_shift=0.25,
            contrast=0.5,
            contrast_center=2.0,
            dtype=types.INT16,
        )

    (out,) = of(front_sources.numbers, graph).run()
    values = np.array([[k, k, 0] for k in range(4)], np.float32)
    expected = reference.brightness_contrast(values, 1.5, 0.25, 0.5, 2.0, np.int16)
    np.testing.assert_array_equal(out.as_array(), expected)


def test_images_that_the_source_decoded():
    def graph(node):
        images = fn.resize(node, size=8, dtype=types.FLOAT)
        return images, fn.crop_mirror_normalize(node, crop=16, mirror=1)

    resized, cropped = of(lambda info: front_sources.pixels(info.idx_in_epoch), graph).run()
    assert cropped.shape() == [(3, 16, 16)] * 4
    for k in range(4):
        expected = reference.resize(front_sources.pixels(k)[None], (8, 8), dtype=np.float32)[0]
        np.testing.assert_allclose(resized.at(k), expected, atol=1e-3)
        expected = normalized(k, (16, 16), (0.5, 0.5), 1, 0.0, 1.0, output_layout="CHW")
        np.testing.assert_array_equal(cropped.at(k), expected)


def test_images_with_other_channels_are_refused():
    pipe = of(
        lambda info: front_sources.pixels(info.idx_in_epoch)[..., : 3 - info.idx_in_batch // 3],
        lambda node: fn.resize(node, size=8),
    )
    words = r"same number of channels, .* than the first"
    with pytest.raises(SourceDataError, match=words) as caught:
        pipe.run()
    assert caught.value.sample_index == 3
