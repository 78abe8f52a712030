"""Automatic augmentation: a user's own augmentations, policies, seeds, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from jpeg_files import photo

from jaxdali import ConfigError, GraphError, fn, math, pipeline_def, types
from jaxdali.auto_aug import augmentations as a
from jaxdali.auto_aug import auto_augment, rand_augment, trivial_augment
from jaxdali.auto_aug.core import Policy, augmentation, select, signed_bin

SHAPES = [(8, 6), (5, 9), (8, 9), (7, 7)] * 2


def images():
    return [photo(*shape, seed=k) for k, shape in enumerate(SHAPES)]


def counted():
    return fn.external_source(lambda: [np.int32(k) for k in range(len(SHAPES))])


def run(augmented, source=images, runs=1, **options):
    """Returns the samples of all outputs of several runs."""

    @pipeline_def(batch_size=len(SHAPES), seed=2, prefetch_queue_depth=1, **options)
    def define():
        return augmented(fn.external_source(source, layout="HWC"))

    with define() as pipe:
        return [np.asarray(output.at(k)) for _ in range(runs) for output in pipe.run() for k in range(len(output))]


@augmentation(mag_range=(0, 10), randomly_negate=True)
def shifted(data, shift, scale=1):
    return fn.cast_like(math.clamp(fn.cast(data, dtype=types.FLOAT) + shift * scale, 0, 255), data)


@augmentation
def black(data, _):
    return data * types.Constant(0).uint8()


def test_an_augmentation_of_one_s_own_gets_its_parameter():
    signs = fn.external_source(lambda: [np.int32(k % 2) for k in range(len(SHAPES))])

    def augmented(data):
        return shifted(data, magnitude_bin=signed_bin(counted(), signs), num_magnitude_bins=11, scale=2, other=1)

    for k, (found, image) in enumerate(zip(run(augmented), images(), strict=True)):
        np.testing.assert_array_equal(found, np.clip(image.astype(int) + 2 * k * (-1) ** k, 0, 255))


def test_augmentations_of_both_kinds_in_one_suite():
    suite = [shifted, a.invert, black, a.identity, a.solarize]
    found = run(lambda data: rand_augment.apply_rand_augment(suite, data, 1, 5, 11, seed=3), runs=4)
    met = set()
    for image, sample in zip(images() * 4, found, strict=True):
        wide = image.astype(int)
        ways = {
            "up": np.clip(wide + 5, 0, 255),
            "down": np.clip(wide - 5, 0, 255),
            "inverted": 255 - wide,
            "black": 0 * wide,
            "same": wide,
            "solarized": np.where(wide < 128, wide, 255 - wide),
        }
        same = {name for name, way in ways.items() if np.array_equal(way, sample)}
        assert same
        met |= same
    assert met == {"up", "down", "inverted", "black", "same", "solarized"}


def test_a_policy_does_its_steps_with_their_probabilities():
    sub_policies = [[(black, 1.0, None), (a.invert, 0.5, None)], [(shifted, 0.0, 1)], [(a.invert, 1, None)]]
    with pytest.warns(UserWarning, match="shifted has probability 0 in a step of the policy 'mine'"):
        policy = Policy("mine", 3, sub_policies)
    found = run(lambda data: auto_augment.apply_auto_augment(policy, data), runs=30)
    told = []
    for image, sample in zip(images() * 30, found, strict=True):
        ways = image * 0, image * 0 + 255, image, 255 - image
        told.append(next(k for k, way in enumerate(ways) if (way == sample).all()))
    shares = np.bincount(told, minlength=4) / len(told)
    np.testing.assert_allclose(shares, [1 / 6, 1 / 6, 1 / 3, 1 / 3], atol=0.12)
    assert [*policy.augmentations] == ["black", "invert", "shifted"] and "('black', 1.0, None)" in repr(policy)
    assert repr(Policy("none", 9, [])) == "Policy(name='none', num_magnitude_bins=9, sub_policies=[], augmentations={})"


def test_augmentations_of_one_name_are_numbered():
    steps = [
        [(a.invert, 1.0, None), (shifted.augmentation(mag_range=(0, k), name="shifted"), 1.0, 1)] for k in range(1, 11)
    ]
    policy = Policy("mine", 3, steps)
    names = ["00__invert", *(f"{k:02}__shifted" for k in range(1, 11))]
    assert [*policy.augmentations] == names
    assert [[one.name for one, _, _ in steps] for steps in policy.sub_policies] == [
        [names[0], one] for one in names[1:]
    ]


def test_branches_within_an_augmentation():
    @augmentation(mag_range=(0, 2), mag_to_param=int)
    def sometimes(data, strength):
        if strength > 1:
            return data * types.Constant(0).uint8()
        return data

    def augmented(data):
        return sometimes(data, magnitude_bin=counted() % 3, num_magnitude_bins=3)

    found = run(augmented, enable_conditionals=True)
    assert [sample.any() for sample in found] == [k % 3 < 2 for k in range(len(SHAPES))]


def test_select_gives_each_sample_one_result():
    ops = [lambda x, by: x + by, lambda x, by: x * by, lambda x, by: x - by]
    assert np.ravel(run(lambda _: select(ops, counted() % 4, counted(), by=3))).tolist() == [3, 3, -1, 0, 7, 15, 3, 4]


@pytest.mark.parametrize(
    "augmented",
    [
        lambda data, seed: auto_augment.auto_augment(data, "reduced_image_net", seed=seed),
        lambda data, seed: auto_augment.auto_augment(data, "svhn", shape=data.shape(), fill_value=None, seed=seed),
        lambda data, seed: trivial_augment.trivial_augment_wide(data, interp_type=types.INTERP_NN, seed=seed),
    ],
    ids=["auto_augment", "auto_augment of shapes", "trivial_augment"],
)
def test_extents_stay_and_a_seed_repeats(augmented):
    (*found,) = run(lambda data: tuple(augmented(data, seed) for seed in (4, 4, 5)))
    one, same, other = (found[k * len(SHAPES) : (k + 1) * len(SHAPES)] for k in range(3))
    assert [sample.shape for sample in one] == [(*shape, 3) for shape in SHAPES]
    assert all(map(np.array_equal, one, same)) and not all(map(np.array_equal, one, other))


REFUSED = {
    "policy_name must be one of": lambda data: auto_augment.auto_augment(data, "cifar"),
    "has no translations, and takes no shape=": lambda data: auto_augment.auto_augment(
        data, "reduced_image_net", shape=(1, 1)
    ),
    "max_translate_rel=.* has no effect": lambda data: auto_augment.auto_augment_image_net(data, max_translate_rel=0.5),
    "m must be an integer, at least 0 and at most 30": lambda data: rand_augment.rand_augment(data, 1, 31),
    r"excluded=\) names 'flip'": lambda data: rand_augment.rand_augment(data, 1, 3, excluded=["flip"]),
    "no augmentation takes": lambda data: trivial_augment.apply_trivial_augment([a.invert], data, fill_value=3),
    "needs shape=": lambda data: a.translate_x(data, magnitude_bin=1, num_magnitude_bins=3),
    "needs magnitude_bin=": lambda data: a.rotate(data),
    "a step of the policy 'p'": lambda data: Policy("p", 3, [[(a.rotate, 1.0)]]),
    "must say which bin": lambda data: Policy("p", 3, [[(a.rotate, 1.0, None)]]),
    "from 0 to 1": lambda data: Policy("p", 3, [[(a.rotate, 1.5, 1)]]),
    "empty policy": lambda data: auto_augment.apply_auto_augment(Policy("p", 3, []), data),
    "images and a parameter, both taken by position": lambda data: augmentation(lambda image: image),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_refused(words):
    with pytest.raises(ConfigError, match=words):
        run(REFUSED[words])


def test_images_of_other_types_are_refused():
    with pytest.raises(GraphError, match="takes images of UINT8, got float32"):
        run(lambda data: rand_augment.rand_augment(fn.cast(data, dtype=types.FLOAT), 1, 3))
