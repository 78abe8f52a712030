"""fn.tensor_resize compared with NVIDIA's DALI."""

from __future__ import annotations

import numpy as np
import pytest
from ragged_batches import check, numbers

pytestmark = pytest.mark.dali

NEAR = {"rtol": 1e-4, "atol": 2e-3}


def test_sizes_scales_and_rules_of_samples_of_one_shape():
    def outputs(dali, x):
        given = (
            {"sizes": [3, 9], "axis_names": "HW"},
            {"sizes": 4, "axes": [1]},
            {"sizes": [2, 0], "axes": [-2, 0]},
            {"sizes": [2, 0, 0], "mode": "stretch", "max_size": 5},
            {"sizes": [2.6, -4.2], "axes": [0, 1], "size_rounding": "ceil", "alignment": [0.0, 0.8]},
            {"sizes": [4, 4], "axes": [0, 1], "mode": "not_larger"},
            {"sizes": [9, 9], "axes": [0, 1], "mode": "not_smaller", "max_size": [7, 20]},
            {"scales": [0.3, 1, 1.7]},
            {"scales": [-0.4], "axes": [0], "size_rounding": "truncate", "alignment": 1.0},
            {"scales": 0.7, "roi_start": [0.1, 0.9, 0], "roi_end": [0.7, 0.2, 1], "roi_relative": True},
            {"sizes": [3, 3], "axes": [0, 2], "roi_start": [1, 3], "roi_end": [4, 0], "subpixel_scale": False},
            {"sizes": [2.5, 7], "axes": [1, 0], "interp_type": dali.types.INTERP_CUBIC, "subpixel_scale": False},
        )
        return [dali.fn.tensor_resize(x, **one) for one in given]

    check([("HWC", lambda rng: numbers(rng, np.float32, 5, 6, 3))], outputs, **NEAR)


def test_samples_that_differ_and_numbers_that_are_drawn():
    def outputs(dali, x, place):
        extents = dali.fn.slice(dali.fn.cast(x.shape(), dtype=dali.types.FLOAT), 0, 2, axes=[0])
        given = (
            {"sizes": [5, 7]},
            {"sizes": [0, 6], "mode": "stretch"},
            {"sizes": [6, 0], "max_size": [6, 8]},
            {"sizes": [6, 5], "mode": "not_larger"},
            {"sizes": [4, 4], "roi_start": place, "roi_end": [1.0, 0.8], "roi_relative": True},
            {"sizes": [4.6, 3.3], "alignment": place},
            {"sizes": extents * np.float32(0.7) + np.float32(1), "interp_type": dali.types.INTERP_NN},
            {"scales": extents / np.float32(6), "size_rounding": "ceil", "max_size": 7},
        )
        found = [dali.fn.tensor_resize(x, axes=[0, 1], dtype=dali.types.FLOAT, **one) for one in given]
        return [*found, dali.fn.tensor_resize(x, axes=[1, 0], scales=[0.5, -1.3], size_rounding="truncate")]

    ragged = "HWC", lambda rng: numbers(rng, np.uint8, rng.integers(4, 8), rng.integers(3, 9), 3)
    check([ragged, ("", lambda rng: rng.uniform(0, 0.7, 2).astype(np.float32))], outputs, **NEAR)


def test_axes_between_others():
    deep = "", lambda rng: numbers(rng, np.float32, 2, 3, 4, 5, 2)
    flat = "", lambda rng: numbers(rng, np.float32, rng.integers(5, 12))

    def outputs(dali, deep, flat):
        return [
            dali.fn.tensor_resize(deep, sizes=[2, 7], axes=[1, 3]),
            dali.fn.tensor_resize(deep, scales=[1.5, 0.5], axes=[2, 3]),
            dali.fn.tensor_resize(flat, scales=[0.75]),
            dali.fn.tensor_resize(flat, sizes=[4.2], size_rounding="ceil"),
        ]

    check([deep, flat], outputs, **NEAR)


def test_an_axis_too_long_for_whole_numbers():
    def long(rng):
        return np.sin(np.arange(40_000) / 50 + rng.uniform(0, 6)).astype(np.float32)

    check([("", long)], lambda dali, x: dali.fn.tensor_resize(x, sizes=[20_000]), atol=2e-4)
