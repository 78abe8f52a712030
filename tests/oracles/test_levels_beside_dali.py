"""Equalizing levels tile by tile, compared with NVIDIA's DALI."""

from __future__ import annotations

import numpy as np
import pytest
from beside_dali import SYSTEMS
from ragged_batches import batches

pytestmark = pytest.mark.dali


def test_levels_of_tiles():
    def pictures(channels):
        def sample(rng):
            height, width = rng.integers(17, 41, 2)
            slope = np.arange(width)[None, :, None] * rng.uniform(1, 4)
            return np.clip(rng.normal(60, 25, (height, width, channels)) + slope, 0, 255).astype(np.uint8)

        return "HWC", sample

    def outputs(dali, gray, colors):
        clahe = dali.fn.clahe
        return [
            clahe(gray, tiles_x=4, tiles_y=3, clip_limit=2.0),
            clahe(gray, tiles_x=2, tiles_y=5, clip_limit=0.0, bins=128),
            clahe(colors, tiles_x=3, tiles_y=3, clip_limit=40.0, luma_only=False),
            clahe(colors, tiles_x=4, tiles_y=2, clip_limit=1.5),
        ]

    theirs, ours = (batches(system, [pictures(1), pictures(3)], outputs) for system in SYSTEMS)
    off, total = 0, 0
    for wanted, found in zip(theirs, ours, strict=True):
        for one, other in zip(wanted, found, strict=True):
            assert one[:2] == other[:2]
            for a, b in zip(one[2], other[2], strict=True):
                # OpenCV fuses multiplications and additions, which moves some halves, and thereby colours.
                assert a.shape == b.shape and abs(a.astype(int) - b).max() <= 3
                off, total = off + (a != b).sum(), total + a.size
    assert off <= 1e-3 * total
