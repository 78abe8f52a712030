"""Sequences, channels first, and volumes, compared with NVIDIA's DALI."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ragged_batches import Source, check, numbers

pytestmark = pytest.mark.dali


def drawn(layout: str, *most: int, dtype: Any = np.uint8) -> Source:
    """A source of samples whose extents, except the channels, are up to three less than `most`."""

    def sample(rng: np.random.Generator) -> np.ndarray:
        shape = [
            extent if letter == "C" else int(rng.integers(extent - 3, extent + 1))
            for letter, extent in zip(layout, most, strict=True)
        ]
        return numbers(rng, dtype, *shape)

    return layout, sample


FRAMES, PLANES = drawn("FHWC", 5, 6, 7, 3), drawn("CHW", 3, 6, 7)
FRAMES_OF_PLANES = drawn("FCHW", 5, 3, 6, 7)
VOLUMES, PLANES_OF_VOLUMES = drawn("DHWC", 6, 7, 8, 2), drawn("CDHW", 2, 6, 7, 8)
COIN = "", lambda rng: np.int32(rng.integers(0, 2))


def test_flips_of_sequences_and_volumes():
    sources = COIN, FRAMES, PLANES, PLANES_OF_VOLUMES, drawn("FDHWC", 4, 6, 7, 8, 2)
    check(sources, lambda dali, coin, *nodes: [dali.fn.flip(node, vertical=1, depthwise=coin) for node in nodes])


def test_windows_of_sequences_and_volumes():
    def windows(dali, *nodes):
        volumes, planes = nodes[1:]
        extents = {"crop_d": 9, "crop_h": 3, "crop_w": 9}
        return [
            *(dali.fn.crop(node, crop=(2, 2), crop_pos_y=0.2) for node in nodes),
            dali.fn.crop(volumes, crop=(2, 3, 2), crop_pos_z=0.3, crop_pos_x=0.9),
            dali.fn.crop(planes, out_of_bounds_policy="pad", fill_values=[3, 4], **extents),
            dali.fn.crop(planes, out_of_bounds_policy="trim_to_shape", **extents),
        ]

    check((FRAMES_OF_PLANES, VOLUMES, PLANES_OF_VOLUMES), windows)


def test_normalized_sequences():
    def normalized(dali, coin, planes, *nodes):
        options = {"mirror": coin, "mean": [1, 2, 3], "std": [2.0, 3.0, 4.0]}
        return [
            *(
                dali.fn.crop_mirror_normalize(node, crop=(3, 2), output_layout=layout, **options)
                for node in nodes
                for layout in ("FHWC", "FCHW")
            ),
            *(dali.fn.crop_mirror_normalize(planes, output_layout=layout, **options) for layout in ("HWC", "CHW")),
        ]

    check((COIN, PLANES, FRAMES, FRAMES_OF_PLANES), normalized, rtol=1e-5, atol=1e-6)


def test_normalized_volumes():
    def normalized(dali, coin, *nodes):
        padded = {"out_of_bounds_policy": "pad", "fill_values": [1, 9]}
        given = (
            ("CDHW", {"crop": (2, 3, 2)}),
            ("DHWC", {}),
            ("DHWC", {"crop": (9, 9, 5), "pad_output": True, **padded}),
        )
        return [
            dali.fn.crop_mirror_normalize(
                node, mirror=coin, mean=[1, 2], std=[2.0, 3.0], output_layout=layout, **options
            )
            for node, (layout, options) in zip((*nodes, nodes[0]), given, strict=True)
        ]

    check((COIN, VOLUMES, PLANES_OF_VOLUMES), normalized, rtol=1e-5, atol=1e-6)


def test_what_follows_an_operator_on_frames_sees_the_sequence():
    def cut(dali, frames, planes):
        one = dali.fn.flip(frames)
        return [
            dali.fn.slice(one, start=1, shape=1, axes=[0]),
            dali.fn.slice(one, start=1, shape=2, axes=[1]),
            dali.fn.transpose(dali.fn.flip(planes), perm=[2, 0, 1]),
            dali.fn.brightness(dali.fn.resize(one, resize_shorter=9, interp_type=dali.types.INTERP_NN), brightness=2.0),
        ]

    check((FRAMES, PLANES), cut)


def test_resized_volumes():
    def resized(dali, *nodes):
        cubic = {"interp_type": dali.types.INTERP_CUBIC, "max_size": (20, 19, 18)}
        part = {"roi_start": (0.2, 0, 0.1), "roi_end": (1, 0.5, 0.8), "roi_relative": True}
        given = {"resize_x": 10, "resize_z": 12, **cubic}, {"size": (7, 9, 9), "mode": "not_larger", **part}
        return [dali.fn.resize(node, dtype=dali.types.FLOAT, **one) for node, one in zip(nodes, given, strict=True)]

    check((VOLUMES, PLANES_OF_VOLUMES), resized, rtol=1e-5, atol=1e-3)


def test_windows_that_are_filled_up_have_limits_of_numbers_that_were_cast():
    def outputs(dali, x, corner):
        fn, types = dali.fn, dali.types
        start = fn.cast(corner, dtype=types.INT32)
        size = fn.cast(types.Constant([6, 8, 8]), dtype=types.INT32)
        return (fn.slice(x, start, size, axes=(0, 1, 2), out_of_bounds_policy="pad"),)

    volume = ("DHWC", lambda rng: numbers(rng, np.float32, rng.integers(6, 9), 10, 12, 1))
    check([volume, ("", lambda rng: rng.uniform(-2, 4, 3).astype(np.float32))], outputs)
