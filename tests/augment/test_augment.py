"""Augmentation in a user's own jit: as automatic augmentation in graphs, and as other libraries do the papers'."""

from __future__ import annotations

import colorsys
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxdali import ConfigError, augment, fn, image, pipeline_def, random
from jaxdali._dali.auto_aug.core import selection
from jaxdali._device.augment import automatic
from jaxdali._device.augment.policies import IMAGE_NET, REDUCED_CIFAR10, REDUCED_IMAGE_NET, SVHN
from jaxdali._device.augment.strengths import Row, Translation, magnitude_of, policy_suite, suite_of, tables_of
from jaxdali.auto_aug import auto_augment, rand_augment, trivial_augment

N, SIZE = 6, (9, 8)
IMAGES = np.random.default_rng(3).integers(0, 256, (N, *SIZE, 3), np.uint8)
SHAPES = np.array([[9, 8, 3], [5, 7, 3]] * 3, np.int32)
CANVAS = np.stack(
    [np.pad(i[:h, :w], [(0, 9 - h), (0, 8 - w), (0, 0)]) for i, (h, w, _) in zip(IMAGES, SHAPES, strict=True)]
)
DRAWN = [
    functools.partial(augment.auto_augment, policy="svhn"),
    functools.partial(augment.rand_augment, n=1, m=20, excluded=["equalize"]),
    augment.trivial_augment_wide,
    functools.partial(augment.color_jitter, brightness=(0.2, 0.8), hue=0.1),
    functools.partial(augment.random_erasing, value=(1, 2, 300)),
]
names = pytest.mark.parametrize("function", DRAWN, ids=lambda one: getattr(one, "func", one).__name__)


def keys(first=0, count=N, epoch=0):
    indices = np.stack([np.zeros(count), np.arange(first, first + count)], axis=1)
    return random.sample_keys(5, 1, jnp.asarray([0, epoch], jnp.uint32), jnp.asarray(indices, jnp.uint32))


def in_graphs(several, bins, relative):
    """Returns what a graph makes of one image with each augmentation, and with its magnitude negated."""
    count = 2 * len(several)

    @pipeline_def(batch_size=count, prefetch_queue_depth=1)
    def define():
        data = fn.external_source(lambda: np.stack([IMAGES[0]] * count), layout="HWC")
        row = fn.external_source(lambda: np.arange(count, dtype=np.int32) // 2)
        sign = fn.external_source(lambda: np.arange(count, dtype=np.int32) % 2)
        rows = [selection.Row(one, bins - 2 if one.mag_range is not None else None) for one in several]
        given = {"fill_value": 100, "interp_type": None, **({"shape": data.shape()} if relative else {})}
        return selection.apply_rows(data, rows, bins, row, sign, given)

    with define() as pipe:
        return pipe.run()[0].as_array()


@pytest.mark.parametrize("which", ["policy", "weak"])
def test_each_augmentation_is_that_of_graphs(which):
    relative = which == "weak"
    far = Translation(0.5, 0.5, True) if relative else Translation(3, 3, False)
    options = {"use_shape": relative, "max_translate_rel" if relative else "max_translate_abs": 0.5 if relative else 3}
    if which == "policy":
        theirs = [*auto_augment.get_svhn_policy(**options).augmentations.values()]
        theirs += [*auto_augment.get_reduced_cifar10_policy(**options).augmentations.values()]
        theirs = list({one.name: one for one in theirs}.values())
        mine = [policy_suite(far)[one.name] for one in theirs]
    else:
        theirs = rand_augment.get_rand_augment_non_monotonic_suite(**options)
        mine = suite_of(far, False, False, ())
    assert [one.name for one in mine] == [one.name for one in theirs]
    tables = tables_of([Row(one, magnitude_of(one, 11, 9)) for one in mine], far)
    count = 2 * len(mine)
    batch = np.stack([IMAGES[0]] * count)
    given = jax.jit(lambda images, index: automatic._apply(images, tables, index, None, 100.0, "linear"))
    found = np.asarray(given(batch, np.arange(count)))
    wanted = in_graphs(theirs, 11, relative)
    # Rotations compute positions in another order, so a level may be rounded the other way.
    difference = np.abs(found.astype(int) - wanted)
    assert difference.max() <= 1 and (difference > 0).mean() < 0.002
    assert len({one.tobytes() for one in found}) > count // 2


def test_magnitudes_are_those_of_graphs():
    far = Translation(7, 7, False)
    for wide, suite in (
        (False, rand_augment.get_rand_augment_suite),
        (True, trivial_augment.get_trivial_augment_wide_suite),
    ):
        theirs, mine = suite(max_translate_abs=7), suite_of(far, wide, True, ())
        assert [one.name for one in mine] == [one.name for one in theirs]
        for one, other in zip(mine, theirs, strict=True):
            if other.mag_range is None:
                assert one.first is None
                continue
            found = [magnitude_of(one, 31, k) for k in range(31)]
            np.testing.assert_allclose(found, other.magnitudes(31))
            assert one.signed == other.randomly_negate


@names
def test_a_sample_gets_what_its_key_says(function):
    compiled = jax.jit(function)
    made = np.asarray(compiled(IMAGES, keys()))
    assert made.dtype == np.uint8 and made.shape == IMAGES.shape and (made != IMAGES).any()
    assert (made != np.asarray(compiled(IMAGES, keys(epoch=1)))).any()
    order = np.asarray([4, 2, 0, 1, 5, 3])
    np.testing.assert_array_equal(made[order], compiled(IMAGES[order], keys()[order]))
    # On a canvas each image comes out as it does alone.
    on_canvas = np.asarray(jax.jit(function)(CANVAS, keys(), shapes=SHAPES))
    np.testing.assert_array_equal(on_canvas[::2], made[::2])
    small = jax.jit(function)(CANVAS[1::2, :5, :7], keys()[1::2])
    np.testing.assert_array_equal(on_canvas[1::2, :5, :7], small)
    assert not on_canvas[1::2, 5:].any() and not on_canvas[1::2, :, 7:].any()


def test_all_policies_are_there_and_nothing_is_nothing():
    assert [len(one) for one in (IMAGE_NET, REDUCED_IMAGE_NET, SVHN, REDUCED_CIFAR10)] == [25] * 4
    np.testing.assert_array_equal(augment.rand_augment(IMAGES, keys(), 0, 3), IMAGES)
    np.testing.assert_array_equal(augment.color_jitter(IMAGES, keys()), IMAGES)
    rows = jax.eval_shape(functools.partial(augment.auto_augment, policy="reduced_cifar10"), IMAGES, keys())
    assert rows.shape == IMAGES.shape


def test_color_jitter():
    flat = np.tile(np.uint8([200, 100, 50]), (300, 2, 2, 1))
    many = keys(count=300)

    def jittered(**strengths):
        return np.asarray(jax.jit(functools.partial(augment.color_jitter, **strengths))(flat, many))

    bright = jittered(brightness=(0.5, 1.2))[:, 0, 0] / flat[:, 0, 0]
    assert 0.48 < bright.min() < 0.55 and 1.15 < bright.max() <= 1.21 and np.ptp(bright, axis=1).max() < 0.02
    # The image is flat, so its mean is its luma: contrast 0 and saturation 0 both leave only that.
    for name in ("contrast", "saturation"):
        gray = jittered(**{name: (0, 0)})[:, 0, 0]
        luma = 0.299 * 200 + 0.587 * 100 + 0.114 * 50
        np.testing.assert_allclose(gray, luma, atol=1)
    turned = jittered(hue=0.5)[:, 0, 0]
    hues = np.array([colorsys.rgb_to_hsv(*(one / 255))[0] for one in turned])
    assert np.histogram(hues, 6, (0, 1))[0].min() > 20
    orders = jittered(brightness=(2, 2), contrast=(0.5, 0.5))
    assert len(np.unique(orders[:, 0, 0], axis=0)) == 2


def test_random_erasing():
    clear = np.full((500, 20, 30, 1), 7, np.float32)

    def erase(images, probability, **rest):
        return np.asarray(
            jax.jit(functools.partial(augment.random_erasing, probability=probability, **rest))(images, keys(count=500))
        )

    made = erase(clear, 0.25, area=(0.1, 0.3), value=-1)[..., 0]
    rectangles = [np.argwhere(one == -1) for one in made]
    erased = [one for one in rectangles if len(one)]
    assert 90 < len(erased) < 160
    for one in erased:
        height, width = np.ptp(one, axis=0) + 1
        assert len(one) == height * width and 0.08 < len(one) / 600 < 0.33 and 0.25 < height / width < 4
    assert made[made != -1].min() == 7
    drawn = erase(clear, 1.0, value="random")
    assert abs(drawn[drawn != 7].mean()) < 0.05 and abs(drawn[drawn != 7].std() - 1) < 0.05
    levels = erase(np.zeros((500, 20, 30, 1), np.uint8), 0.5, value="random")
    assert levels.max() == 255
    for plain, alone in ((clear, drawn), (np.zeros_like(levels), levels)):
        on_canvas = erase(
            np.pad(plain, ((0, 0), (0, 4), (0, 2), (0, 0))),
            1.0 if plain is clear else 0.5,
            value="random",
            shapes=np.tile(np.int32([20, 30, 1]), (500, 1)),
        )
        np.testing.assert_array_equal(on_canvas[:, :20, :30], alone)
    normal = image.normalize(IMAGES, [1.0, 2.0, 3.0], 2.0, dtype=np.float32)
    np.testing.assert_array_equal(augment.random_erasing(normal, keys(), 0.0), normal)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: augment.auto_augment(IMAGES, keys(), "imagenet"),
            "policy must be one of image_net, .* got 'imagenet'",
        ),
        (lambda: augment.auto_augment(IMAGES / 255, keys()), r"expected images uint8\[N, H, W, 3\], got float"),
        (
            lambda: augment.rand_augment(IMAGES, keys(0, 2), 1, 3),
            r"expected a key per sample, \[6\], got keys of shape \[2\]",
        ),
        (lambda: augment.rand_augment(IMAGES, keys(), 1, 31), "m must be"),
        (lambda: augment.rand_augment(IMAGES, keys(), 1, 3, excluded=["cut"]), r"excluded= .* got \['cut'\]"),
        (lambda: augment.trivial_augment_wide(IMAGES, keys(), max_translate_abs=-1), "0 or more; got -1"),
        (
            lambda: augment.trivial_augment_wide(IMAGES, keys(), max_translate_abs=1, max_translate_rel=1),
            "give one of them",
        ),
        (lambda: augment.color_jitter(IMAGES, keys(), -0.5), "brightness must be 0 or more"),
        (lambda: augment.color_jitter(IMAGES, keys(), hue=0.6), "hue must be a number, or a pair"),
        (lambda: augment.random_erasing(IMAGES, keys(), 2), "probability must be 0 to 1"),
        (lambda: augment.random_erasing(IMAGES, keys(), value="pixel"), 'or "random", got .pixel'),
        (lambda: augment.random_erasing(IMAGES, keys(), value=(1, 2)), "one for each of 3 channels"),
        (lambda: augment.random_erasing(IMAGES, keys(), aspect_ratio=(2, 1)), "aspect_ratio must be"),
    ],
)
def test_what_is_refused(call, words):
    with pytest.raises(ConfigError, match=words):
        call()
