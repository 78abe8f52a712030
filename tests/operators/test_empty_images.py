"""Images without rows or columns go through operators; shapes as recorded from DALI 2.4.0."""

from __future__ import annotations

import math

import numpy as np
import pytest
from empty_images import BATCHES, OPERATIONS, outputs

import jaxdali
from jaxdali import Pipeline

# Those of the first image, for a batch of images of three channels, "no rows" [0, 3], "no columns" [3, 0], "neither".
SHAPES = {
    "crop": [(2, 2, 3), (2, 2, 3), (2, 2, 3)],
    "trimmed": [(0, 2, 3), (2, 0, 3), (0, 0, 3)],
    "normalized": [(3, 0, 3), (3, 3, 0), (3, 0, 0)],
    "resize_x": [(0, 4, 3), (3, 0, 3), (0, 0, 3)],
    "resize_y": [(0, 3, 3), (4, 0, 3), (0, 0, 3)],
    "resize_shorter": [(0, 4, 3), (4, 0, 3), (0, 0, 3)],
    "resize_longer": [(0, 4, 3), (4, 0, 3), (0, 0, 3)],
    "not_larger": [(0, 4, 3), (4, 0, 3), (0, 0, 3)],
    "tensor_resize": [(0, 2, 3), (2, 0, 3), (0, 0, 3)],
    "rotate": [(3, 0, 3), (0, 3, 3), (0, 0, 3)],
    "warp_affine": [(2, 2, 3), (2, 2, 3), (2, 2, 3)],
    "paste": [(0, 6, 3), (6, 0, 3), (0, 0, 3)],
    "multi_paste": [(3, 3, 3), (3, 3, 3), (3, 3, 3)],
    "subscript": [(0, 3, 3), (0, 0, 3), (0, 0, 3)],
    "reversed": [(0, 2, 3), (3, 0, 3), (0, 0, 3)],
    "slice": [(0, 1, 3), (1, 0, 3), (0, 0, 3)],
    "transpose": [(3, 0, 3), (3, 3, 0), (3, 0, 0)],
    "reshape": [(0,), (0,), (0,)],
    "pad": [(3, 3, 3), (3, 3, 3), (3, 3, 3)],
    "stack": [(2, 0, 3, 3), (2, 3, 0, 3), (2, 0, 0, 3)],
    "one_hot": [(0, 3, 3, 3), (3, 0, 3, 3), (0, 0, 3, 3)],
    "sum": [(3, 3), (0, 3), (0, 3)],
    "mean": [(0, 3), (3, 3), (0, 3)],
    "max": [(0, 3), (3, 0), (0, 0)],
    "to one size": [(0, 2, 3), (2, 0, 3), (0, 0, 3)],
    "without numbers": [(0, 3, 0), (3, 0, 0), (0, 0, 0)],
}

SAME = [(0, 3, 3), (3, 0, 3), (0, 0, 3)]


@pytest.mark.parametrize("number", range(3), ids=list(BATCHES)[:3])
def test_shapes_of_results(number):
    with Pipeline(batch_size=2, prefetch_queue_depth=1, seed=1) as pipe:
        pipe.set_outputs(*outputs(jaxdali, list(BATCHES.values())[number]))
    found = [[np.asarray(out.at(row)) for row in range(2)] for out in pipe.run()]
    for name, (first, second) in zip(OPERATIONS, found, strict=True):
        wanted = SHAPES.get(name, SAME)[number]
        assert first.shape == second.shape == wanted, name
        if math.prod(wanted) and name in ("warp_affine", "pad"):  # all of it is filled
            assert (first == (7 if name == "warp_affine" else 2)).all()
