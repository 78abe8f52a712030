"""Boxes for detectors compared with NVIDIA's DALI: matching with anchors, and random windows that keep boxes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from beside_dali import SYSTEMS, load, pipeline
from ragged_batches import check

pytestmark = pytest.mark.dali

ANCHORS = np.concatenate(
    [np.float32([[x, y, x + s, y + s] for x in (0, 0.25, 0.5) for y in (0, 0.25, 0.5)]) for s in (0.25, 0.5)]
)
# In DALI's order: a window's start and extents, the boxes in it, their labels and their indices.
BOXES = np.float32([[0.1, 0.1, 0.4, 0.5], [0.5, 0.5, 0.9, 0.95], [0.7, 0.05, 0.95, 0.2]])
LABELS = np.int32([1, 2, 3])


def corners(rng, steps):
    """Up to five boxes on a grid; with few steps, some boxes overlap several anchors equally."""
    places = rng.integers(0, steps - 1, (rng.integers(0, 6), 2))
    return (np.concatenate([places, places + rng.integers(1, 1 + steps - places)], axis=1) / steps).astype(np.float32)


@pytest.mark.parametrize("steps", [8, 1000])
def test_boxes_are_matched_with_anchors(steps):
    def outputs(dali, boxes):
        fn, found = dali.fn, []
        labels = fn.cast(fn.reductions.sum(boxes, axes=1) * 7 + 1, dtype=dali.types.INT32)
        for criteria in (0.5, 0.25, 0.0, 1.0):
            found += fn.box_encoder(boxes, labels, anchors=ANCHORS.ravel().tolist(), criteria=criteria)
        options = dict(offset=True, means=[0.1, 0.2, 0.3, 0.4], stds=[0.1, 0.1, 0.2, 0.2], scale=300.0)
        found += fn.box_encoder(boxes, fn.expand_dims(labels, axes=1), anchors=ANCHORS.ravel().tolist(), **options)
        return found

    check([("", lambda rng: corners(rng, steps))], outputs, rtol=1e-5, atol=2e-6)


def windows(system, runs, boxes=BOXES, labels=LABELS, **arguments):
    """Returns the draws of each output, `runs * 4` samples each."""
    dali = load(system)
    pipe = pipeline(dali, batch_size=4, prefetch_queue_depth=1)
    with pipe:
        fn = dali.fn
        given = fn.external_source(lambda: [boxes] * 4), fn.external_source(lambda: [labels] * 4)
        pipe.set_outputs(*fn.random_bbox_crop(*given, output_bbox_indices=True, quiet=True, **arguments))
    pipe.build()
    found = [[[np.array(out.at(k)) for k in range(4)] for out in pipe.run()] for _ in range(runs)]
    return [[sample for run in found for sample in run[k]] for k in range(5)]


SSD = dict(thresholds=[0.0, 0.1, 0.3, 0.5, 0.7, 0.9], aspect_ratio=[0.5, 2.0], scaling=[0.3, 1.0], num_attempts=20)
# Each set of arguments is a program of its own, which must be compiled.
DRAWN = {
    "ssd": dict(SSD, bbox_layout="xyXY"),
    "one ratio": dict(scaling=[0.2, 0.8], aspect_ratio=[2.0, 2.0], allow_no_crop=False, num_attempts=10),
    "ratio of pixels": dict(
        scaling=[0.2, 0.5], aspect_ratio=[1.0, 1.0], allow_no_crop=False, num_attempts=5, input_shape=[400, 300]
    ),
    "pixels": dict(crop_shape=[30, 50], input_shape=[60, 100], shape_layout="HW", num_attempts=3),
    "larger": dict(crop_shape=[70, 50], input_shape=[60, 100], all_boxes_above_threshold=False, num_attempts=4),
    "best of few": dict(
        thresholds=[1.0],
        threshold_type="overlap",
        all_boxes_above_threshold=False,
        allow_no_crop=False,
        scaling=[0.2, 0.5],
        aspect_ratio=[0.5, 2.0],
        num_attempts=3,
        total_num_attempts=7,
        bbox_prune_threshold=0.3,
    ),
}


@pytest.mark.parametrize("name", DRAWN)
def test_windows_are_distributed_as_dalis(name):
    theirs, ours = (windows(system, 400, **DRAWN[name]) for system in SYSTEMS)
    for a, b in zip(theirs, ours, strict=True):
        assert (a[0].dtype, a[0].shape[1:]) == (b[0].dtype, b[0].shape[1:])
    for k in range(2):
        a, b = np.asarray(theirs[k]), np.asarray(ours[k])
        for axis in range(2):
            grid = np.quantile(a[:, axis], [0.1, 0.3, 0.5, 0.7, 0.9]) + 1e-5
            # Three standard errors of a difference between two systems with 1600 draws each.
            shares = [(one[:, axis, None] <= grid).mean(axis=0) for one in (a, b)]
            np.testing.assert_allclose(*shares, atol=0.056)
    for number in range(len(BOXES)):
        kept = [np.mean([number in one for one in found[4]]) for found in (theirs, ours)]
        assert abs(kept[0] - kept[1]) < 0.056
    whole = [np.mean([(one == 1).all() for one in found[1]]) for found in (theirs, ours)]
    assert abs(whole[0] - whole[1]) < 0.056


@pytest.mark.parametrize("prune", [None, 0.0, 0.4])
@pytest.mark.parametrize("layout", ["xyXY", "WHxy"])
def test_the_boxes_in_a_window_are_dalis(prune, layout):
    """Applies the function that our operator calls to DALI's own windows, and compares the boxes."""
    import jax.numpy as jnp

    from jaxdali.boxes import crop_boxes

    extents = np.concatenate([BOXES[:, 2:] - BOXES[:, :2], BOXES[:, :2]], axis=1)
    given = dict(SSD, bbox_layout=layout, **({} if prune is None else {"bbox_prune_threshold": prune}))
    start, size, boxes, labels, indices = windows("nvidia.dali", 30, BOXES if layout == "xyXY" else extents, **given)
    many = jnp.tile(BOXES[None], (len(start), 1, 1))
    found, order, total = crop_boxes(many, jnp.asarray(start), jnp.asarray(size), None, prune)
    for k, count in enumerate(total.tolist()):
        np.testing.assert_array_equal(order[k, :count], indices[k])
        np.testing.assert_array_equal(LABELS[indices[k]], labels[k])
        mine = np.asarray(found[k, :count])
        mine = mine if layout == "xyXY" else np.concatenate([mine[:, 2:] - mine[:, :2], mine[:, :2]], axis=1)
        np.testing.assert_allclose(mine, boxes[k], rtol=1e-5, atol=2e-6)


def test_what_is_returned_belongs_together():
    """Boxes, labels and indices of our windows fit together; samples differ in size, may be empty, and are volumes."""
    from jaxdali import Pipeline, fn

    rng = np.random.default_rng(3)
    samples = [np.sort(rng.uniform(0, 1, (n, 2, 3)), axis=1).reshape(n, 6).astype(np.float32) for n in (4, 0, 2)]
    pipe = Pipeline(batch_size=3, seed=5)
    with pipe:
        boxes = fn.external_source(lambda: samples)
        labels = fn.external_source(lambda: [np.arange(len(one), dtype=np.int32)[:, None] + 10 for one in samples])
        arguments = dict(scaling=(0.5, 0.9), aspect_ratio=(0.8, 1.25), num_attempts=30, output_bbox_indices=True)
        pipe.set_outputs(*fn.random_bbox_crop(boxes, labels, allow_no_crop=False, **arguments))
    with pipe:
        for _ in range(5):
            start, size, moved, kinds, indices = ([np.asarray(out.at(k)) for k in range(3)] for out in pipe.run())
            for k, mine in enumerate(samples):
                assert (size[k] >= 0.499).all() and (size[k] <= 0.901).all() and (start[k] + size[k] <= 1 + 1e-6).all()
                ratios = size[k][[0, 0, 1]] / size[k][[1, 2, 2]]
                assert (ratios > 0.799).all() and (ratios < 1.251).all()
                middles = (mine[:, :3] + mine[:, 3:]) / 2
                inside = ((middles >= start[k]) & (middles < start[k] + size[k])).all(axis=1)
                np.testing.assert_array_equal(indices[k], np.flatnonzero(inside))
                assert kinds[k].dtype == np.int32 and kinds[k].ravel().tolist() == (indices[k] + 10).tolist()
                expected = np.clip((mine[indices[k]].reshape(-1, 2, 3) - start[k]) / size[k], 0, 1).reshape(-1, 6)
                np.testing.assert_allclose(moved[k], expected, rtol=1e-4, atol=1e-5)
                assert len(mine) == 0 or len(indices[k]) > 0


def test_images_are_cut_with_their_boxes_as_dali_cuts_them():
    rows, columns = np.mgrid[:60, :100].astype(np.uint8)
    image = np.stack([rows, columns, columns], axis=2)  # the values of a window tell its position
    many, found = 8, []
    for system in SYSTEMS:
        dali = load(system)
        pipe = dali.Pipeline(batch_size=many, num_threads=1, device_id=None, seed=3, prefetch_queue_depth=1)
        with pipe:
            given = [
                dali.fn.external_source(itertools.repeat([one] * many), layout=layout)
                for one, layout in ((image, "HWC"), (BOXES, None), (LABELS, None))
            ]
            pipe.set_outputs(*dali.fn.ssd_random_crop(*given, num_attempts=4))
        pipe.build()
        made = []
        for _ in range(60):
            cut, boxes, labels = pipe.run()
            for k in range(many):
                window, mine = np.array(cut.at(k)), np.array(boxes.at(k))
                corner = window[0, 0, :2].astype(float)
                where = np.concatenate([corner, corner + window.shape[:2]])
                np.testing.assert_array_equal(window, image[tuple(slice(*where[k::2].astype(int)) for k in range(2))])
                # In pixels of the image; rounding may cost one here and there.
                back = mine * np.tile(window.shape[1::-1], 2) + np.tile(corner[::-1], 2)
                whole = BOXES[[LABELS.tolist().index(label) for label in np.array(labels.at(k)).ravel()]]
                held = np.clip(whole * [100, 60, 100, 60], np.tile(corner[::-1], 2), np.tile(where[:1:-1], 2))
                assert abs(back - held).max(initial=0) < 3
                made.append([*where, len(mine)])
        found.append(np.asarray(made))
    theirs, ours = found
    for column in range(5):
        grid = np.quantile(theirs[:, column], [0.1, 0.3, 0.5, 0.7, 0.9])
        shares = [(one[:, column, None] <= grid).mean(axis=0) for one in (theirs, ours)]
        np.testing.assert_allclose(*shares, atol=0.1)
