"""Boxes and points beside NVIDIA's DALI, another number of them in each sample."""

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
            fn.coord_flip(points, flip_x=flag, flip_y=1, center_y=fn.cast_like(flag, one)),
        ]
        return found

    flag = ("", lambda rng: np.int32(rng.integers(0, 2)))
    one = ("", lambda rng: rng.uniform(0, 1, 4).astype(np.float32))
    check([of(4), of(2), of(3), one, flag], outputs, rtol=1e-5, atol=1e-6)
