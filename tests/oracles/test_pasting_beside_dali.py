"""Regions of several images on one canvas, compared with NVIDIA's DALI."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from ragged_batches import SAMPLES, check, images

pytestmark = pytest.mark.dali


def test_regions_on_canvases():
    def extents(rng):
        return rng.integers(0, 256, (6, 7, 3)).astype(np.uint8)

    def floats(rng):
        return rng.normal(100, 80, (5, 7, 1)).astype(np.float32)

    def outputs(dali, one, other, ragged, numbers, ids, starts, fractions, places):
        fn, types = dali.fn, dali.types
        corner = np.int32([[0, 0], [3, 2], [1, 4]])
        return [
            fn.multi_paste(one, other),
            fn.multi_paste(one, other, ragged, output_size=(9, 12), out_anchors=corner, dtype=types.FLOAT),
            fn.multi_paste(ragged, in_ids=[2, 0, 1], output_size=(9.6, 12), out_anchors=corner),
            fn.multi_paste(one, in_ids=ids, in_anchors=starts, shapes_rel=fractions, out_anchors=places),
            fn.multi_paste(
                one, in_ids=ids, in_anchors_rel=fractions, output_size=(8, 9), out_anchors_rel=fractions * 0.1
            ),
            fn.multi_paste(one, in_ids=ids, shapes=starts, out_anchors_rel=fractions),
            fn.multi_paste(numbers, in_ids=[0], dtype=types.UINT8),
        ]

    def regions(low, high, dtype):
        """A source of 2, 1 and 3 regions for the samples of a batch: their indices, or what is given for each."""
        counts = itertools.cycle((2, 1, 3))

        def sample(rng):
            count = next(counts)
            if dtype is None:
                return rng.integers(0, SAMPLES, count).astype(np.int32)
            return (rng.uniform(low, high, (count, 2))).astype(dtype)

        return "", sample

    sources = [
        ("HWC", extents),
        ("HWC", extents),
        images(),
        ("HWC", floats),
        regions(0, 0, None),
        regions(0, 3, np.int32),
        regions(0, 0.5, np.float32),
        regions(0, 3, np.int32),
    ]
    check(sources, outputs)


def test_canvases_have_the_channels_of_their_regions():
    channels = itertools.cycle((1, 3, 3))

    def outputs(dali, x, size, ids):
        corner = np.int32([[0, 1], [2, 0]])
        return [
            dali.fn.multi_paste(x, in_ids=ids, output_size=size, out_anchors=corner),
            dali.fn.multi_paste(x, x, output_size=size, out_anchors_rel=corner * np.float32(0.1)),
        ]

    numbered = itertools.cycle(([0, 0], [1, 2], [2, 1]))
    sources = [
        ("HWC", lambda rng: rng.integers(0, 256, (*rng.integers(4, 7, 2), next(channels))).astype(np.uint8)),
        ("", lambda rng: rng.integers(9, 14, 2).astype(np.int32)),
        ("", lambda rng: np.int32(next(numbered))),
    ]
    check(sources, outputs)
