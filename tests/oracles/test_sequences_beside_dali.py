"""Frames of sequences, and arguments with a value per frame, compared with NVIDIA's DALI."""

from __future__ import annotations

import itertools

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


def axes(layout, *extents):
    """A source of samples with these extents of F, H, W and C, in the order of the layout."""
    shape = [dict(zip("FHWC", extents, strict=True))[letter] for letter in layout]
    return layout, lambda rng: rng.integers(0, 256, shape).astype(np.uint8)


@pytest.mark.parametrize("layout", ["FHWC", "FCHW", "CFHW"])
def test_windows_of_frames(layout):
    def outputs(dali, x, depth):
        fn, types = dali.fn, dali.types
        size = {"crop_d": 3, "crop_h": 2, "crop_w": 3}
        wide = {"crop_d": 9, "crop_h": 2, "crop_w": 6, "out_of_bounds_policy": "pad", "fill_values": [7, 9]}
        moments = {"mean": [1, 2], "std": [2, 4], "output_layout": "FHWC"}
        return [
            fn.crop(x, **size, crop_pos_z=0.9, crop_pos_x=0.1),
            fn.crop(x, crop=(3, 2, 2), dtype=types.FLOAT),
            fn.crop(x, crop=(2, 2), crop_pos_z=0.9),
            fn.crop(x, crop=(9, 2, 6), out_of_bounds_policy="trim_to_shape"),
            fn.crop(x, **wide, crop_pos_z=0.3),
            fn.crop(x, crop_d=depth, crop_h=2, crop_w=2),
            fn.crop(x, crop=fn.stack(depth, depth, depth)),
            fn.crop(fn.resize(x, size=[8, 8]), **size),
            fn.crop_mirror_normalize(x, **size, **moments, mirror=1),
            fn.crop_mirror_normalize(x, **wide, **moments),
            fn.crop_mirror_normalize(x, **size, output_layout="FCHW", mirror=1),
            fn.crop_mirror_normalize(x, **size, output_layout="CFHW"),
            fn.crop_mirror_normalize(x, **size, output_layout="FHWC", pad_output=True),
            fn.slice(x, 0.25, 0.5, axis_names="F"),
            fn.slice(x, [1, 1], [2, 2], axis_names="FH"),
            fn.pad(x, axis_names="F", shape=[8]),
            fn.erase(x, anchor=[1, 1], shape=[2, 2], axis_names="FH"),
        ]

    check([axes(layout, 6, 5, 4, 2), ("", lambda rng: np.float32(rng.integers(1, 4)))], outputs, rtol=1e-6, atol=1e-5)


def each_of(frames, *shape):
    """A source of numbers for each frame; their number differs."""
    return "", lambda rng: rng.uniform(0.5, 2, (next(frames), *shape)).astype(np.float32)


def test_points_and_maps_of_frames_with_arguments_of_their_own():
    def outputs(dali, points, bare, matrix, offset, both, number, row):
        fn = dali.fn
        matrices, offsets, all_, numbers = map(fn.per_frame, (matrix, offset, both, number))
        scales = fn.transforms.scale(scale=offsets, center=[1.0, 2.0])
        turns = fn.transforms.rotation(angle=numbers)
        return [
            fn.coord_transform(points, M=matrices),
            fn.coord_transform(points, T=offsets),
            fn.coord_transform(points, M=matrices, T=offsets),
            fn.coord_transform(points, M=numbers, T=[1.0, 2.0]),
            fn.coord_transform(points, MT=all_),
            fn.coord_transform(points, M=row, T=offsets),
            fn.coord_transform(points, M=fn.per_frame(fn.expand_dims(row, axes=[0]))),
            fn.coord_transform(bare, M=matrices),
            fn.coord_transform(fn.reinterpret(bare, layout="AB"), T=offsets),
            fn.coord_transform(points, MT=turns),
            scales,
            turns,
            fn.transforms.translation(offset=offsets),
            fn.transforms.shear(shear=offsets),
            fn.transforms.shear(angles=offsets, center=offsets),
            fn.transforms.crop(from_start=offsets, from_end=[5.0, 6.0]),
            fn.transforms.rotation(scales, angle=numbers, reverse_order=True),
            fn.transforms.rotation(scales, angle=10.0),
            fn.transforms.translation(fn.transforms.scale(scale=[2.0, 3.0]), offset=offsets),
            fn.transforms.combine(scales, turns),
            fn.transforms.combine(turns, fn.transforms.scale(scale=[2.0, 3.0])),
        ]

    def counts():
        return itertools.cycle([2, 3, 1, 3, 1, 2])

    sources = [
        ("F**", each_of(counts(), 5, 2)[1]),
        ("", lambda rng: rng.normal(size=(4, 2)).astype(np.float32)),
        *(each_of(counts(), *shape) for shape in ((2, 2), (2,), (2, 3), ())),
        ("", lambda rng: rng.normal(size=(2, 2)).astype(np.float32)),
    ]
    check([sources[0]], lambda dali, points: dali.fn.coord_transform(points, M=2.0), rtol=1e-5)
    check(sources, outputs, rtol=1e-5, atol=1e-4)
