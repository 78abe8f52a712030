"""Masks compared with NVIDIA's DALI: random objects, pixels and regions, polygons, and erased squares."""

from __future__ import annotations

import numpy as np
import pytest
from beside_dali import SYSTEMS, load, pipeline
from ragged_batches import check, images

pytestmark = pytest.mark.dali

MASK = np.uint8([[1, 0, 0, 0, 3, 1], [0, 1, 0, 0, 0, 0], [0, 1, 1, 0, 0, 0], [0, 0, 0, 2, 2, 0], [2, 0, 0, 0, 2, 2]])


def drawn(outputs, runs, *given):
    """Returns the samples of many batches for each system and output, `[runs * 4, ...]`."""
    found = []
    for system in SYSTEMS:
        dali = load(system)
        pipe = pipeline(dali, batch_size=4, prefetch_queue_depth=1)
        with pipe:
            nodes = [dali.fn.external_source([[one] * 4], cycle="quiet") for one in given]
            pipe.set_outputs(*outputs(dali, *nodes))
        pipe.build()
        batches = [[[np.array(out.at(k)) for k in range(4)] for out in pipe.run()] for _ in range(runs)]
        found.append([np.asarray([one for run in each for one in run]) for each in zip(*batches, strict=True)])
    return found


def same_shares(theirs, ours, off):
    """Asserts that the same values occur, equally often."""
    assert (theirs.dtype, theirs.shape) == (ours.dtype, ours.shape)
    rows = [one.reshape(len(one), -1) for one in (theirs, ours)]
    values = np.unique(np.concatenate(rows), axis=0)
    for value in values:
        shares = [(one == value).all(axis=1).mean() for one in rows]
        assert abs(shares[0] - shares[1]) < off and min(shares) > 0, (value, shares)


OBJECTS = [
    {},
    {"output_class": True, "foreground_prob": 0.4, "format": "start_end"},
    {"classes": [1, 2], "class_weights": [1.0, 3.0], "output_class": True, "format": "box"},
    {"class_weights": [3.0, 1.0], "k_largest": 1, "output_class": True},
    {"class_weights": [3.0, 1.0], "background": -1, "output_class": True},
    {"class_weights": [3.0, 1.0, 2.0], "background": 1, "output_class": True},
    {"threshold": [2, 2], "output_class": True, "background": 3},
    {"threshold": 2, "ignore_class": True, "k_largest": 2},
    {"classes": [0, 7], "output_class": True, "foreground_prob": 0.5},
    {"classes": [9], "output_class": True},
    {"classes": [0, -(2**31), 2**31 - 1], "output_class": True, "foreground_prob": 0.0},
]


@pytest.mark.parametrize("dtype", [np.uint8, np.int32])
def test_objects_are_as_likely(dtype):
    def outputs(dali, mask):
        found = []
        for one in OBJECTS if dtype == np.uint8 else OBJECTS[:3]:
            made = dali.fn.segmentation.random_object_bbox(mask, **one)
            found += made if isinstance(made, list) else [made]
        return found

    for theirs, ours in zip(*drawn(outputs, 400, MASK.astype(dtype)), strict=True):
        same_shares(theirs, ours, 0.065)


def test_objects_of_volumes():
    """An object that winds through its volume counts as one."""
    volume = np.zeros((4, 5, 6), np.uint8)
    volume[0, 0, :] = volume[:, 0, 5] = volume[3, :, 5] = volume[3, 4, :] = volume[1:3, 4, 0] = 1
    volume[1, 2, 2] = 1

    def outputs(dali, mask):
        return dali.fn.segmentation.random_object_bbox(mask, format="start_end")

    for theirs, ours in zip(*drawn(outputs, 60, volume), strict=True):
        same_shares(theirs, ours, 0.2)


def test_pixels_and_windows_are_as_likely():
    def outputs(dali, mask):
        fn, pixel, about = dali.fn, dali.fn.segmentation.random_mask_pixel, dali.fn.roi_random_crop
        region = dict(roi_start=[1, 2], roi_end=[3, 5])
        return (
            pixel(mask, foreground=1),
            pixel(mask, foreground=1, threshold=1.0),
            pixel(mask, foreground=1, value=2),
            pixel(mask, foreground=1, threshold=20.0),
            pixel(mask, foreground=fn.constant(idata=[1], device="cpu")),
            about(mask, crop_shape=[4, 3], **region),
            about(crop_shape=[4, 2], **region),
            about(crop_shape=[1, 3], roi_start=[1, 2], roi_shape=[4, 3], in_shape=[5, 6]),
        )

    for theirs, ours in zip(*drawn(outputs, 300, MASK), strict=True):
        same_shares(theirs, ours, 0.075)


def test_polygons_of_masks():
    def vertices(rng):
        return rng.normal(size=(12, 2)).astype(np.float32)

    def polygons(rng):
        ends = np.sort(rng.choice(np.arange(1, 12), 4, replace=False))
        return np.int32([[2, 0, ends[0]], [0, ends[0], ends[1]], [7, ends[1], ends[2]], [5, ends[2], ends[3]]])

    def outputs(dali, ids, polygons, vertices):
        select = dali.fn.segmentation.select_masks
        return [*select(ids, polygons, vertices), *select(ids, polygons, vertices, reindex_masks=True)]

    check(
        [("", lambda rng: rng.permutation(np.int32([0, 2, 5]))[: rng.integers(0, 4)]), ("", polygons), ("", vertices)],
        outputs,
    )


def test_all_polygons_of_a_mask_are_kept():
    """If a mask has several polygons, DALI keeps only the last one."""
    import jax.numpy as jnp

    from jaxdali.boxes import select_masks

    given = [[2, 0, 3], [0, 3, 6], [2, 6, 10]]
    vertices = jnp.arange(24.0).reshape(1, 12, 2)
    found, moved, count, total, held = select_masks(jnp.asarray([[2]]), jnp.asarray([given]), vertices, reindex=True)
    assert found[0, :2].tolist() == [[0, 0, 3], [0, 3, 7]] and (int(count[0]), int(total[0]), bool(held[0])) == (
        2,
        7,
        True,
    )
    np.testing.assert_array_equal(moved[0, :7], vertices[0, np.array([0, 1, 2, 6, 7, 8, 9])])
    for wrong in ([[3]], [[2, 2]]):
        assert not select_masks(jnp.asarray(wrong), jnp.asarray([given]), vertices)[4].any()


def test_grids_of_squares():
    def outputs(dali, images, angle):
        grid = dali.fn.grid_mask
        return (
            grid(images, tile=4),
            grid(images, tile=3, ratio=0.6, shift_x=1.0, shift_y=-2.0),
            grid(images, tile=5, ratio=0.37, angle=angle, shift_x=0.3),
            grid(images, tile=3, shift_x=1.0, shift_y=-2.0),
            grid(images, tile=7, ratio=0.4, shift_x=3.0),
            grid(images, tile=dali.fn.cast(angle + 3, dtype=dali.types.INT32), ratio=0.31, angle=-0.7),
        )

    check([images(), ("", lambda rng: np.float32(rng.uniform(0, 3)))], outputs)


def test_a_shape_may_be_an_input():
    def outputs(dali, data):
        return dali.fn.reshape(data, [-1]), dali.fn.reshape(data, np.int32([3, -1]), layout="AB")

    check([("", lambda rng: rng.normal(size=(6, 5)).astype(np.float32))], outputs)
