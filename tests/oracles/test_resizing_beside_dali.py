"""Resizing and cropping compared with NVIDIA's DALI, on photographs and on noise."""

from __future__ import annotations

import numpy as np
import pytest
from beside_dali import BATCH, SYSTEMS, forms, graph, results
from resized_images import TOLERANCES, by_dali, by_jaxdali, differences, noise, photographs

from jaxdali._device.image.sizes import resized_extents
from jaxdali.image import Images

pytestmark = pytest.mark.dali

IMAGES = {"photographs": photographs, "noise": noise}

# Each of the rules for the sizes that fn.resize takes.
SIZES = [
    dict(resize_shorter=64),
    dict(resize_shorter=63.5),
    dict(resize_longer=100.5),
    dict(resize_longer=-90),
    dict(resize_shorter=100, max_size=150),
    dict(resize_longer=300, max_size=100),
    dict(resize_x=100),
    dict(resize_x=100.5),
    dict(resize_y=-77),
    dict(resize_x=50.5, resize_y=60.25),
    dict(resize_x=100, max_size=130),
    dict(resize_x=90, mode="stretch"),
    dict(resize_x=100, mode="stretch", max_size=(130, 70)),
    dict(resize_x=100, mode="not_larger"),
    dict(resize_y=30, mode="not_smaller"),
    dict(size=(100, 150), mode="not_larger"),
    dict(size=(40, 50), mode="not_smaller"),
    dict(size=(80, 100), mode="not_smaller", max_size=(120.0, 131.5)),
    dict(size=100.0, mode="not_larger"),
    dict(size=(0, 100)),
    dict(size=(0, 0)),
    dict(size=(-50, 60)),
    dict(size=(-50, -60), mode="not_larger"),
    dict(resize_shorter=64, subpixel_scale=False),
    dict(resize_x=100, roi_start=(0.1, 0.7), roi_end=(0.8, 0.2), roi_relative=True),
    dict(resize_shorter=50, roi_start=(0.1, 0.3), roi_end=(0.8, 0.9), roi_relative=True),
    dict(resize_longer=100, roi_start=(-3.0, 10.0), roi_end=(20.0, 70.0)),
    dict(size=(20, 30), roi_start=(5.0, 5.0), roi_end=(5.0, 5.0)),
    dict(size=(0, 40), roi_start=(19.0, 5.25), roi_end=(2.5, 17.0), mode="not_smaller"),
]
SIZE_IDS = [" ".join(f"{name}={value}" for name, value in given.items()) for given in SIZES]


@pytest.mark.parametrize("kind", IMAGES)
@pytest.mark.parametrize("antialias", [True, False])
@pytest.mark.parametrize("name", sorted(set(TOLERANCES) - {"nearest"}))
def test_filters(name, antialias, kind):
    images = IMAGES[kind](12, 300, 5)
    sizes = np.random.default_rng(1).integers(10, 300, (12, 2))
    theirs = by_dali(images, "resize", {"size": sizes}, interp_type=name, antialias=antialias)
    ours = by_jaxdali(images, name, name, antialias, size=sizes)
    share, most = differences(theirs, ours)
    assert share <= TOLERANCES[name][0]
    assert most <= TOLERANCES[name][1]


def test_nearest_pixels_are_the_same_but_where_two_are_equally_near():
    images = noise(12, 300, 6)
    sizes = np.random.default_rng(2).integers(10, 300, (12, 2))
    theirs = by_dali(images, "resize", {"size": sizes}, interp_type="nearest")
    ours = by_jaxdali(images, "nearest", "nearest", size=sizes)
    for image, own, other in zip(images, ours, theirs, strict=True):
        # DALI adds up the scale from row to row: a position exactly between two rows may come from either.
        rows = (2 * np.arange(len(own)) + 1) * len(image) % (2 * len(own)) != 0
        np.testing.assert_array_equal(own[rows], other[rows])
        assert rows.mean() > 0.5


@pytest.mark.parametrize(
    ("min_filter", "mag_filter"), [("cubic", "linear"), ("linear", "lanczos3"), ("gaussian", "cubic")]
)
def test_a_filter_for_axes_that_shrink_and_one_for_others(min_filter, mag_filter):
    images = photographs(12, 200, 7)
    sizes = np.random.default_rng(3).integers(10, 300, (12, 2))
    options = {"min_filter": min_filter, "mag_filter": mag_filter}
    theirs = by_dali(images, "resize", {"size": sizes}, **options)
    share, most = differences(theirs, by_jaxdali(images, **options, size=sizes))
    assert share <= max(TOLERANCES[name][0] for name in options.values())
    assert most <= max(TOLERANCES[name][1] for name in options.values())


@pytest.mark.parametrize("name", ["linear", "cubic", "lanczos3"])
def test_soft_windows(name):
    images = noise(8, 150, 12)
    draws = np.random.default_rng(4)
    extents = np.asarray([image.shape[:2] for image in images])
    start = (extents * draws.uniform(0, 0.5, extents.shape)).astype(np.int32)
    shape = np.maximum((extents - start) * draws.uniform(0.3, 1, extents.shape), 1).astype(np.int32)
    nodes = {"roi_start": start, "roi_end": start + shape}
    theirs = by_dali(images, "resize", nodes, interp_type=name, size=(40, 50))
    ours = []
    for image, top_left, height_width in zip(images, start, shape, strict=True):
        window = np.concatenate([top_left, height_width])[None]
        ours.append(
            np.asarray(Images.of(image[None]).resized_crop(window, (40, 50), soft=True, filter=name).array())[0]
        )
    share, most = differences(theirs, ours)
    assert share <= TOLERANCES[name][0]
    assert most <= TOLERANCES[name][1]


@pytest.mark.parametrize("given", SIZES, ids=SIZE_IDS)
def test_sizes_of_many_images(given):
    draws = np.random.default_rng(8)
    shapes = np.concatenate(
        [draws.integers(1, 600, (394, 2)), [(1, 1), (1, 7), (7, 1), (2, 3), (480, 640), (375, 500)]]
    )
    theirs = by_dali([np.zeros((*shape, 1), np.uint8) for shape in shapes], "resize", interp_type="nearest", **given)
    assert resized_extents(shapes, **given).extents.tolist() == [list(image.shape[:2]) for image in theirs]


@pytest.mark.parametrize("kind", IMAGES)
@pytest.mark.parametrize("name", ["linear", "cubic"])
@pytest.mark.parametrize("given", SIZES, ids=SIZE_IDS)
def test_what_is_sampled(given, name, kind):
    images = IMAGES[kind](6, 150, 9)
    real = by_dali(images, "resize", interp_type=name, dtype="FLOAT", **given)
    for own, other in zip(by_jaxdali(images, name, name, dtype="float32", **given), real, strict=True):
        np.testing.assert_allclose(own, other, rtol=0, atol=0.01)
    theirs = by_dali(images, "resize", interp_type=name, **given)
    for own, other, exact in zip(by_jaxdali(images, name, name, **given), theirs, real, strict=True):
        # Scales such as 1/2 and 3/5 make many halves, which may be rounded either way.
        is_half = np.abs(exact % 1 - 0.5) < 0.01
        np.testing.assert_array_equal(own[~is_half], other[~is_half])
        np.testing.assert_allclose(own[is_half].astype(int), other[is_half], rtol=0, atol=1)


def each(fn, *values):
    """A node with one value per sample."""
    return fn.external_source(lambda: [np.asarray(value, np.float32) for value in values])


MEAN, STD = [9.0, 11.0, 12.0], [2.0, 3.0, 4.0]

# Written as a user would, for either system.
CROPS = {
    "pad": lambda fn, x: fn.crop(x, crop=(30, 60), out_of_bounds_policy="pad", fill_values=[100.0, 101.0, 102.0]),
    "pad at a position": lambda fn, x: fn.crop(
        x, crop=(61, 33), crop_pos_x=0.2, crop_pos_y=0.9, out_of_bounds_policy="pad", fill_values=7
    ),
    "trim_to_shape": lambda fn, x: fn.crop(x, crop=(30, 60), out_of_bounds_policy="trim_to_shape"),
    "normalised": lambda fn, x: fn.crop_mirror_normalize(
        x,
        crop=(40, 45),
        mirror=1,
        mean=[9.0, 11.0, 12.0],
        std=[2.0, 3.0, 4.0],
        out_of_bounds_policy="pad",
        fill_values=7,
    ),
    "more channels": lambda fn, x: fn.crop_mirror_normalize(
        x, crop=(20, 20), mean=[9.0], std=[2.0], fill_values=[1.0, 2.0, 3.0, 4.0], pad_output=True, output_layout="HWC"
    ),
    # One value of mean and std for all channels makes DALI 2.4.0 read beyond it if there is a fill value per channel.
    "more channels, padded": lambda fn, x: fn.crop_mirror_normalize(
        x,
        crop=(40, 45),
        mean=MEAN,
        std=STD,
        out_of_bounds_policy="pad",
        fill_values=[1.0, 2.0, 3.0, 4.0],
        pad_output=True,
    ),
    "more channels, padded with one number": lambda fn, x: fn.crop_mirror_normalize(
        x, crop=(40, 45), std=[2.0], out_of_bounds_policy="pad", fill_values=7.0, pad_output=True
    ),
    "sizes by a node": lambda fn, x: fn.crop(x, crop=each(fn, [15.9, 12.0], [11.0, 20.5]), crop_pos_x=0.3),
    "numbers below 1 take all of an axis": lambda fn, x: fn.crop(x, crop=each(fn, [0.9, 12.0], [-3.0, np.nan])),
    "height by a node": lambda fn, x: fn.crop(
        x, crop_h=each(fn, 15.0, 11.7), crop_w=20, crop_pos_y=0.8, rounding="truncate"
    ),
    "trim_to_shape by nodes": lambda fn, x: fn.crop(
        x, crop_h=each(fn, 100.0, 9.0), crop_w=each(fn, 9.0, 100.0), out_of_bounds_policy="trim_to_shape"
    ),
    "pad by nodes": lambda fn, x: fn.crop(
        x,
        crop_h=fn.random.uniform(values=[70.0]),
        crop_w=fn.random.uniform(values=[15.5]),
        crop_pos_x=0.2,
        out_of_bounds_policy="pad",
        fill_values=[100.0, 101.0, 102.0],
    ),
    "normalised by nodes": lambda fn, x: fn.crop_mirror_normalize(
        x, crop=each(fn, [15.9, 12.0], [11.0, 20.5]), mirror=1, mean=MEAN, std=STD
    ),
    "normalised and padded by nodes": lambda fn, x: fn.crop_mirror_normalize(
        x,
        crop=fn.random.uniform(values=[66.0], shape=2),
        mirror=1,
        mean=MEAN,
        std=STD,
        out_of_bounds_policy="pad",
        fill_values=7,
    ),
}


@pytest.mark.parametrize("name", CROPS)
def test_crops_are_equal(name):
    images = photographs(BATCH, 60, 10)

    @graph
    def cropped(dali):
        return CROPS[name](dali.fn, dali.fn.external_source(lambda: images, layout="HWC"))

    theirs, ours = (results(cropped, system) for system in SYSTEMS)
    assert forms(ours) == forms(theirs)
    assert ours == theirs


def test_both_refuse_fill_for_other_channels():
    @graph
    def cropped(dali):
        source = dali.fn.external_source(lambda: noise(BATCH, 60, 11), layout="HWC")
        options = {"out_of_bounds_policy": "pad", "fill_values": [1.0, 2.0, 3.0], "pad_output": True}
        return dali.fn.crop_mirror_normalize(source, crop=(20, 20), **options)

    for system in SYSTEMS:
        with pytest.raises((RuntimeError, ValueError)):
            results(cropped, system)
