"""Arguments that are nodes of arrays (statistics of samples that differ in shape), compared with NVIDIA's DALI."""

from __future__ import annotations

import numpy as np
import pytest
from ragged_batches import check, images, numbers

pytestmark = pytest.mark.dali


def test_statistics_of_images_as_arguments():
    def outputs(dali, x):
        fn = dali.fn
        plane = fn.reductions.mean(x, axes=[0, 1], keep_dims=True)
        column = fn.reductions.mean(x, axes=[0], keep_dims=True)
        spread = fn.reductions.std_dev(x, plane, axes=[0, 1], keep_dims=True)
        channels = fn.reductions.mean(x, axes=[0, 1])
        return (
            fn.normalize(x, mean=plane, axes=[0, 1]),
            fn.normalize(x, mean=plane, stddev=spread + 1.0, axes=[0, 1]),
            fn.normalize(x, mean=column, stddev=2.0, axes=[0]),
            fn.normalize(x, mean=column),
            fn.crop_mirror_normalize(x, mean=channels, std=[2.0]),
            fn.erase(x, anchor=fn.reductions.min(x[:, :2, 0], axes=[0]) * 0.0, shape=[1, 1], axes=[0, 1]),
        )

    check([images(np.uint8)], outputs, rtol=2e-5, atol=2e-5)


def test_samples_in_one_row():
    def outputs(dali, x, y):
        fn = dali.fn
        return (
            fn.reshape(fn.transpose(x, perm=[2, 0, 1]), shape=[-1]),
            fn.reshape(fn.transpose(x, perm=[0, 2, 1]), shape=[-1]),
            fn.reshape(y, shape=[-1]),
            fn.reshape(y, shape=[-1]) + 1,
        )

    def clip(rng):
        return numbers(rng, np.int16, 2, rng.integers(1, 5), rng.integers(1, 5), 3)

    check([images(), ("FHWC", clip)], outputs)
