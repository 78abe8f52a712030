"""Claims about what a program yields that hold for any random draws, in both systems."""

from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from running import Leaf, leaves

Claim = Callable[[list[list[Leaf]]], None]
CLAIMS: dict[str, Claim] = {}

_IMAGENET = ((123.675, 116.28, 103.53), (58.395, 57.12, 57.375))


def claim(*names: str) -> Callable[[Claim], Claim]:
    """Adds a claim about programs. It gets the leaves of each yielded item that has some."""

    def add(function: Claim) -> Claim:
        CLAIMS.update(dict.fromkeys(names, function))
        return function

    return add


def check(name: str, items: Sequence[Any]) -> None:
    """Raises AssertionError if a claim about a program does not hold."""
    CLAIMS[name]([found for item in items if (found := list(leaves(item)))])


def samples(leaf: Leaf) -> np.ndarray:
    """Returns a leaf whose samples have the same shape as one batch."""
    return leaf.arrays[0] if leaf.origin != "tensors" else np.stack(leaf.arrays)


def normalized(batch: np.ndarray, mean: Any, std: Any, axis: int) -> None:
    """Asserts that images are normalised integers from 0 to 255, and that the first differs from all others."""
    images = np.moveaxis(batch.astype(np.float64), axis, -1) * np.asarray(std) + np.asarray(mean)
    assert images.min() > -0.01 and images.max() < 255.01
    assert abs(images - images.round()).max() < 1e-3
    assert all(image.std() > 10 for image in images)
    assert all(not np.array_equal(images[0], image) for image in images[1:])


def windows(image: np.ndarray, height: int, width: int) -> list[np.ndarray]:
    """Returns all windows of an image, each with its mirror image."""
    found = []
    for y in range(image.shape[0] - height + 1):
        for x in range(image.shape[1] - width + 1):
            window = image[y : y + height, x : x + width]
            found += [window, window[:, ::-1]]
    return found


@claim("hybrid_train_pipe")
def imagenet_batches(batches: list[list[Leaf]]) -> None:
    for images, _labels in batches:
        normalized(samples(images), *_IMAGENET, 1)
    assert not np.array_equal(samples(batches[0][0]), samples(batches[1][0]))


@claim("imagenet_training")
def epochs_of_imagenet(batches: list[list[Leaf]]) -> None:
    """An epoch has 11 files of three classes with 4, 4 and 3, without the last batch of 3."""
    for images, _labels in batches:
        normalized(samples(images), *_IMAGENET, 1)
    for epoch in range(0, len(batches), 2):
        labels = np.concatenate([samples(label) for _, label in batches[epoch : epoch + 2]])
        count = collections.Counter(labels.ravel().tolist())
        assert count.total() == 8 and all(count[kind] <= have for kind, have in ((0, 4), (1, 4), (2, 3)))


@claim("common_pipeline")
def about_128(batches: list[list[Leaf]]) -> None:
    for images, _labels in batches:
        normalized(samples(images), 128.0, 1.0, 1)


@claim("insightface")
def faces(batches: list[list[Leaf]]) -> None:
    for images, _labels in batches:
        normalized(samples(images), 127.5, 127.5, 1)


@claim("wide_areas")
def of_255(batches: list[list[Leaf]]) -> None:
    for images, _labels in batches:
        normalized(samples(images), 0.0, 255.0, 1)


@claim("multi_crop")
def views(batches: list[list[Leaf]]) -> None:
    for *crops, _labels in batches:
        for crop in crops:
            normalized(samples(crop), *_IMAGENET, 3)
        assert not np.array_equal(samples(crops[0]), samples(crops[1]))


@claim("cifar_iter_setup")
def random_windows(batches: list[list[Leaf]]) -> None:
    mean = np.array([0.49139968, 0.48215827, 0.44653124]) * 255
    std = np.array([0.24703233, 0.24348505, 0.26158768]) * 255
    for images, _labels, sources in batches:
        for image, source in zip(images.arrays, sources.arrays, strict=True):
            pixels = (image.transpose(1, 2, 0) * std + mean).round()
            assert any(np.array_equal(pixels, window) for window in windows(source, 28, 28))


@claim("random_crop_and_mirror")
def as_the_draws_say(batches: list[list[Leaf]]) -> None:
    for crops, _labels, images, *drawn in batches:
        rows = zip(crops.arrays, images.arrays, *(leaf.arrays for leaf in drawn), strict=True)
        for crop, image, mirror, x, y in rows:
            assert mirror in (0, 1) and 0 <= x < 1 and 0 <= y < 1
            top, left = round(float(y) * (image.shape[0] - 24)), round(float(x) * (image.shape[1] - 24))
            window = image[top : top + 24, left : left + 24]
            expected = (window[:, ::-1] if mirror else window) / np.float32(255)
            np.testing.assert_allclose(crop, expected, rtol=1e-6)


@claim("decoded_windows")
def decoded_where_the_draws_say(batches: list[list[Leaf]]) -> None:
    for _centre, _corner, _fixed, windows_, anchors in batches:
        for window, anchor in zip(windows_.arrays, anchors.arrays, strict=True):
            assert window.shape == (24, 20, 3) and window.std() > 10
            assert ((anchor >= 0) & (anchor < 0.2)).all()


@claim("op_sets")
def one_draw_for_both(batches: list[list[Leaf]]) -> None:
    for images, masks in batches:
        for image, mask in zip(images.arrays, masks.arrays, strict=True):
            assert image.dtype == np.float32 and np.array_equal(image, mask)
            # On a ramp, values change by 1 to the side and by 24 down, with either sign after mirroring.
            across, down = np.diff(image[..., 0], axis=1) % 251, np.diff(image[..., 0], axis=0) % 251
            assert set(np.unique(across)) in ({1}, {250}) and set(np.unique(down)) in ({24}, {227})
    found = [image.tobytes() for images, _ in batches for image in images.arrays]
    assert len(set(found)) == len(found)


@claim("op_sets_of_draws")
def both_eyes(batches: list[list[Leaf]]) -> None:
    for left, right, _labels in batches:
        assert np.array_equal(samples(left), samples(right))
        normalized(samples(left), 0.0, 1.0, 3)


@claim("ops_multiplexing")
def one_way_or_the_other(batches: list[list[Leaf]]) -> None:
    seen = set()
    for mixed, images, coins, weights, _labels in batches:
        rows = zip(mixed.arrays, images.arrays, coins.arrays, weights.arrays, strict=True)
        for out, image, coin, weight in rows:
            assert coin.dtype == np.bool_ and weight.dtype == np.float32 and weight == coin
            assert abs(out - (image * 0.5 if coin else image)).max() <= 0.5
            seen.add(bool(coin))
    assert seen == {False, True}


@claim("random_resized_crop")
def draws_of_every_kind(batches: list[list[Leaf]]) -> None:
    for images, _labels, uniform, chosen, normal, flag, shaped in batches:
        normalized(samples(images), 127.5, 127.5, 1)
        assert (abs(samples(uniform)) <= 1).all() and len(np.unique(samples(uniform))) > 20
        assert set(samples(chosen).ravel().tolist()) <= {1.0, 2.0, 4.0}
        assert (abs(samples(normal)) < 12).all() and samples(normal).std() > 0.5
        assert samples(flag).dtype == np.bool_ and set(np.unique(samples(shaped))) <= {0, 1}


@claim("shuffled_epochs")
def each_file_once(batches: list[list[Leaf]]) -> None:
    """Each epoch has 11 files, one of them twice to fill the last batch, in its own order; labels fit their images."""
    label_of: dict[bytes, int] = {}
    orders = []
    for epoch in range(0, len(batches), 3):
        order = []
        for images, labels in batches[epoch : epoch + 3]:
            for image, label in zip(samples(images), samples(labels).ravel(), strict=True):
                assert label_of.setdefault(image.tobytes(), label) == label
                order.append(image.tobytes())
        assert len(set(order)) == 11
        orders.append(order)
    assert len(label_of) == 11 and len({tuple(order) for order in orders}) == 3


@claim("images_and_masks")
def an_image_meets_its_mask(batches: list[list[Leaf]]) -> None:
    orders = []
    for epoch in range(0, len(batches), 3):
        order = []
        for images, masks, ids, mask_ids in batches[epoch : epoch + 3]:
            assert np.array_equal(samples(images), samples(masks)) and np.array_equal(samples(ids), samples(mask_ids))
            assert samples(masks).dtype == np.int32 and samples(masks).std() > 10
            order += samples(ids).ravel().tolist()
        # 11 files, with one repeated to fill the last batch.
        orders.append(order)
        assert sorted(collections.Counter(order[:11]).values()) == [3, 4, 4]
    assert len(orders) == 2


@claim("endless_training")
def an_epoch_has_each_file_once(batches: list[list[Leaf]]) -> None:
    """11 files in two shards of 5 and 6; the two shards of an epoch together have all of them."""
    drawn: list[list[bytes]] = [[], []]
    label_of: dict[bytes, int] = {}
    for step, (images, labels) in enumerate(batches):
        for image, label in zip(images.arrays, labels.arrays, strict=True):
            assert label_of.setdefault(image.tobytes(), int(label[0])) == int(label[0])
            drawn[step % 2].append(image.tobytes())
    assert len(label_of) == 11
    # Each reader starts with its own shard and continues with the other one.
    firsts, seconds = (shard[:size] for shard, size in zip(drawn, (5, 6), strict=True))
    assert {*firsts} | {*seconds} == {*label_of} and not {*firsts} & {*seconds}


@claim("checkpoints")
def restored(batches: list[list[Leaf]]) -> None:
    """The program itself compares what was restored; its flags are plain values."""
    ((images, draws, labels),) = batches
    assert samples(images).std() > 10 and (samples(draws) < 1).all() and samples(labels).max() <= 2


@claim("auto_augmented_vit")
def augmented_for_a_transformer(batches: list[list[Leaf]]) -> None:
    for images, *_ in batches:
        levels = samples(images).astype(np.float64) * _IMAGENET[1] + _IMAGENET[0]
        assert levels.min() > -0.01 and levels.max() < 255.01
        assert abs(levels - levels.round()).max() < 1e-3
    means = [samples(images).mean() for images, *_ in batches]
    assert len(batches) == 6 and len(set(means)) == 6


@claim("augmented_now_and_then")
def _branches(items: list[list[Leaf]]) -> None:
    """Each sample has the draw of the branch that it takes."""
    drawn = np.concatenate([number.arrays[0] for _, number in items])
    assert ((abs(drawn) >= 2) & (abs(drawn) <= 3)).all() and (drawn < 0).any() and (drawn > 0).any()
    for images, _ in items:
        normalized(samples(images), 128.0, 64.0, -1)


@claim("ssd_training")
def objects_of_anchors(batches: list[list[Leaf]]) -> None:
    """Anchors without an object keep their own boxes, so there are no more than anchors; labels are the objects'."""
    places = np.concatenate([samples(boxes)[samples(labels) == 0] for _, boxes, labels in batches])
    for images, boxes, labels in batches:
        normalized(samples(images), *_IMAGENET, 1)
        assert set(np.unique(samples(labels))) <= {0, 1, 2, 3} and (samples(labels) > 0).any(axis=1).all()
        found = samples(boxes)
        corners = np.concatenate([found[..., :2] - found[..., 2:] / 2, found[..., :2] + found[..., 2:] / 2], axis=-1)
        assert corners.min() > -1e-6 and corners.max() < 1 + 1e-6
    assert len(np.unique(places.round(5), axis=0)) <= samples(batches[0][1]).shape[1]


@claim("unet3d_training")
def patches_about_objects(batches: list[list[Leaf]]) -> None:
    """Voxels of an object are brighter by ten times their label, whichever way the patch is turned."""
    for step, (images, labels) in enumerate(batches):
        for image, label in zip(images.arrays, labels.arrays, strict=True):
            assert image.shape == label.shape == (1, 5, 6, 7) and image.dtype == np.float32
            assert (image.std() > 0.5) and (label <= 2).all()
            if step < 3:
                assert label.any() and abs(image - 10.0 * label)[label > 0].max() < 6


@claim("mask_postprocessing")
def about_a_pixel_of_the_mask(batches: list[list[Leaf]]) -> None:
    for *_, windows_ in batches:
        for window in windows_.arrays:
            assert window.shape == (7, 7, 1) and window[3, 3, 0] > 0


@claim("mixed_within_batches")
def images_and_others(batches: list[list[Leaf]]) -> None:
    for leaves_ in batches:
        mixed, classes, images, order, weight = (samples(leaf) for leaf in leaves_)
        assert sorted(order.tolist()) == [0, 1, 2, 3] and (order != np.arange(4)).all()
        assert ((weight >= 0) & (weight <= 1)).all() and weight.std() > 0
        share = weight.reshape(-1, 1, 1, 1)
        np.testing.assert_allclose(mixed, images * share + images[order] * (1 - share), atol=1e-5)
        np.testing.assert_allclose(classes.sum(axis=1), 1, atol=1e-5)


@claim("detection_patches")
def objects_in_pixels(batches: list[list[Leaf]]) -> None:
    for windows_, boxes, labels, kept, anchors, _shapes, _patches, extents in batches:
        rows = zip(*(leaf.arrays for leaf in (windows_, boxes, labels, kept, anchors, extents)), strict=True)
        for window, found, kinds, indices, (x, y), (height, width) in rows:
            assert window.shape == (24, 32, 3) and 0 <= x <= width - 32 and 0 <= y <= height - 24
            assert x == int(x) and y == int(y) and kinds.tolist() == indices.tolist() and found.shape == (4, 4)
            assert (found > -1e-6).all() and (found[:, :2] + found[:, 2:] < 1 + 1e-6).all()


@claim("drawn_of_a_list")
def of_the_list(batches: list[list[Leaf]]) -> None:
    ramp = np.arange(64).reshape(8, 8, 1)
    angles = set()
    for leaves_ in batches:
        turned, angle, brighter, level, several, row, shares = (samples(leaf) for leaf in leaves_)
        for image, degrees in zip(turned, angle, strict=True):
            assert np.array_equal(image, np.rot90(ramp, round(float(degrees) / 90)))
        assert set(level.tolist()) <= {1.0, 2.0, 4.0} and np.array_equal(brighter, ramp * level.reshape(-1, 1, 1, 1))
        assert set(several.ravel().tolist()) <= {0, 1, 2, 3, 4} and {tuple(one) for one in row} <= {
            (1, 2),
            (3, 4),
            (5, 6),
        }
        assert shares.shape == (6, 3) and (shares > 0).all() and (shares < 1).all()
        angles |= set(angle.tolist())
    assert angles == {0.0, 90.0, 180.0}


@claim("byol_views")
def two_views(batches: list[list[Leaf]]) -> None:
    for one, other, _labels in batches:
        for images in (one, other):
            levels = samples(images).transpose(0, 2, 3, 1) * np.asarray(_IMAGENET[1]) + np.asarray(_IMAGENET[0])
            assert levels.min() > -0.01 and levels.max() < 255.01 and abs(levels - levels.round()).max() < 1e-3
        assert not np.array_equal(samples(one), samples(other))
