"""Frames of sequences, and arguments with a value per frame, compared with NVIDIA's DALI."""

from __future__ import annotations

import numpy as np
import pytest
from ragged_batches import check

pytestmark = pytest.mark.dali


def test_frames_in_another_order_and_with_arguments_of_their_own():
    def sequence(rng):
        return rng.integers(0, 256, (rng.integers(3, 6), 6, rng.integers(4, 8), 3)).astype(np.uint8)

    def video(rng):
        return rng.integers(0, 256, (4, 8, 9, 3)).astype(np.uint8)

    def outputs(dali, frames, order, bare, clip, per_frame):
        fn, types = dali.fn, dali.types
        sigma = fn.per_frame(per_frame)
        return [
            fn.sequence_rearrange(frames, new_order=[2, 0, 0]),
            fn.sequence_rearrange(frames, new_order=order),
            fn.sequence_rearrange(bare, new_order=1),
            fn.per_frame(bare),
            fn.per_frame(fn.reinterpret(frames, layout="AHWC"), replace=True),
            fn.brightness_contrast(clip, brightness=sigma, dtype=types.FLOAT),
            fn.gaussian_blur(clip, sigma=sigma, dtype=types.FLOAT),
        ]

    sources = [
        ("FHWC", sequence),
        ("", lambda rng: rng.integers(0, 3, rng.integers(1, 5)).astype(np.int32)),
        ("", lambda rng: rng.normal(size=(rng.integers(2, 4), 2)).astype(np.float32)),
        ("FHWC", video),
        ("", lambda rng: rng.uniform(0.5, 1.5, 4).astype(np.float32)),
    ]
    check(sources, outputs, rtol=1e-5, atol=1e-4)


def test_frames_that_are_rotated_by_angles_of_their_own_get_the_same_extents():
    """All get the extents that the largest frame needs, odd if most of the frames need odd ones."""

    def clip(rng):
        return rng.integers(0, 256, (3, rng.integers(4, 9), rng.integers(4, 9), 1)).astype(np.uint8)

    def turns(rng):
        return rng.choice([0.0, 10.0, 30.0, 80.0, 100.0, 200.0, 300.0], 3).astype(np.float32)

    def outputs(dali, frames, angles):
        options = {"fill_value": 0, "dtype": dali.types.FLOAT}
        return [
            dali.fn.rotate(frames, angle=dali.fn.per_frame(angles), **options),
            dali.fn.rotate(frames[:2], angle=dali.fn.per_frame(angles[:2]), **options),
        ]

    check([("FHWC", clip), ("", turns)], outputs, atol=0.05)
