"""Boxes and points, of which samples have different numbers, compared with NVIDIA's DALI."""

from __future__ import annotations

import numpy as np
import pytest
from ragged_batches import check

pytestmark = pytest.mark.dali


def of(count):
    return "", lambda rng: rng.uniform(0, 1, (rng.integers(1, 6), count)).astype(np.float32)


def test_boxes_and_points():
    def outputs(dali, boxes, points, deep, one, flag):
        fn = dali.fn
        found = [fn.bb_flip(one), fn.coord_flip(points), fn.coord_flip(deep, flip_z=1, flip_y=1, center_z=0.25)]
        for ltrb in (False, True):
            found += [
                fn.bb_flip(boxes, ltrb=ltrb),
                fn.bb_flip(boxes, horizontal=0, vertical=1, ltrb=ltrb),
                fn.bb_flip(boxes, horizontal=flag, vertical=1 - flag, ltrb=ltrb),
                fn.bbox_paste(boxes, ratio=2.0, ltrb=ltrb),
                fn.bbox_paste(boxes, ratio=1.0 + flag * 0.5, paste_x=0.25, paste_y=fn.cast_like(flag, one), ltrb=ltrb),
            ]
        found += [
            fn.coord_flip(points, layout="yx", center_x=0.3),
            fn.coord_flip(points, layout="zyx", flip_x=0, flip_y=1),
            fn.coord_flip(points, flip_x=flag, flip_y=1, center_y=fn.cast_like(flag, one)),
        ]
        return found

    flag = ("", lambda rng: np.int32(rng.integers(0, 2)))
    one = ("", lambda rng: rng.uniform(0, 1, 4).astype(np.float32))
    check([of(4), of(2), of(3), one, flag], outputs, rtol=1e-5, atol=1e-6)


def test_boxes_of_rotated_images():
    def corners(rng):
        low = rng.uniform(0, 0.8, (rng.integers(1, 6), 2))
        return np.concatenate([low, low + rng.uniform(0.05, 0.2, low.shape)], axis=1).astype(np.float32)

    def outputs(dali, boxes, kinds, angle, shape):
        fn = dali.fn
        pixels = boxes * np.float32([90, 70, 90, 70])
        found = [
            fn.bbox_rotate(boxes, angle=angle, input_shape=shape),
            fn.bbox_rotate(boxes, angle=30.0, input_shape=[90, 71], shape_layout="WH", bbox_layout="xyWH"),
            *fn.bbox_rotate(pixels, kinds, angle=-50.0, input_shape=[70, 90], bbox_normalized=False, keep_size=True),
        ]
        for mode in ("expand", "fixed", "halfway"):
            rest = {"mode": mode, "keep_size": True, "remove_threshold": 0.6}
            found += fn.bbox_rotate(boxes, kinds, angle=angle, input_shape=shape, **rest)
            found += fn.bbox_rotate(boxes, kinds, angle=120.0, input_shape=[70, 90], mode=mode, size=[50.4, 60])
            node = {"size": shape + 10.5, "mode": mode}
            found += fn.bbox_rotate(boxes, kinds, angle=angle, input_shape=shape, **node)
        return found

    # The labels' samples need as many rows as the boxes': both use the same counts.
    counts = []

    def labels(rng):
        return rng.integers(0, 9, counts.pop(0)).astype(np.int32)

    def counted(rng):
        found = corners(rng)
        counts.append(len(found))
        return found

    sources = [
        ("", counted),
        ("", labels),
        ("", lambda rng: np.float32(rng.uniform(-200, 200))),
        ("", lambda rng: rng.integers(40, 120, 2).astype(np.int64)),
    ]
    check(sources, outputs, rtol=1e-4, atol=1e-5)
