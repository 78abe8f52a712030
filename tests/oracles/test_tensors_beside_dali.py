"""Operators on arrays of any kind beside NVIDIA's DALI, of samples that differ in shape."""

from __future__ import annotations

import numpy as np
import pytest
from ragged_batches import check, images, numbers

pytestmark = pytest.mark.dali


def thin(rng):
    return numbers(rng, np.float32, 1, rng.integers(2, 6), 1)


def small(rng):
    return rng.integers(-1, 5, rng.integers(1, 5)).astype(np.int32)


def even(rng):
    return numbers(rng, np.uint8, rng.integers(1, 5), 4 * rng.integers(1, 4))


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_shapes_and_layouts(dtype):
    def outputs(dali, x):
        fn = dali.fn
        return (
            fn.reshape(x, shape=[-1]),
            fn.reshape(x, shape=[1, -1, 3], layout="XYZ"),
            fn.reshape(x, layout="ABC"),
            fn.reshape(x, layout=""),
            fn.reshape(x, rel_shape=[1, -1]),
            fn.reshape(x, rel_shape=[1, 1, 1, -1]),
            fn.reshape(x, rel_shape=[-1, 1]),
            fn.reshape(x, src_dims=[1, 0, 2]),
            fn.reshape(x, src_dims=[2, 0, 1], rel_shape=[-1, 1, 1]),
            fn.reshape(x, src_dims=[0, -1, 1, 2], layout="ABCD"),
            fn.reshape(x, src_dims=[0, 2, 1], rel_shape=[1, -1, 1], layout="QRS"),
            fn.transpose(x, perm=[2, 0, 1]),
            fn.transpose(x),
            fn.transpose(x, perm=[1, 0, 2], transpose_layout=False),
            fn.transpose(x, perm=[1, 2, 0], output_layout="XYZ"),
            fn.expand_dims(x, axes=[0, 2]),
            fn.expand_dims(x, axes=[3, 0], new_axis_names="XY"),
            fn.copy(x),
            fn.zeros_like(x),
            fn.ones_like(x, dtype=dali.types.INT16),
            fn.full_like(x, 2.5),
            fn.full_like(x, dali.types.Constant([1, 2, 300])),
            fn.cast_like(x, fn.random.coin_flip(dtype=dali.types.UINT8)),
        )

    check([images(dtype)], outputs)


def test_other_shapes():
    def outputs(dali, x, thin, even):
        fn, types = dali.fn, dali.types
        return (
            fn.reshape(x, shape=[3, -1, 2]),
            fn.reshape(x, rel_shape=[0.5, 2, 1]),
            fn.squeeze(thin, axes=[0]),
            fn.squeeze(thin, axes=[0, 2]),
            fn.squeeze(thin, axis_names="C"),
            fn.reinterpret(even, dtype=types.INT16),
            fn.reinterpret(even, dtype=types.INT32, rel_shape=[1, 0.25]),
            fn.reinterpret(even, dtype=types.FLOAT, shape=[-1], layout="N"),
            fn.reinterpret(even, dtype=types.BOOL),
            fn.reinterpret(fn.reinterpret(even, dtype=types.INT32), dtype=types.UINT8, shape=[-1, 2]),
            fn.reinterpret(even, layout="QR"),
        )

    check([images(ragged=False), ("HWC", thin), ("AB", even)], outputs)


def test_inputs_joined():
    def outputs(dali, x, y):
        fn = dali.fn
        turned = fn.transpose(y, perm=[1, 0, 2])
        return (
            fn.cat(x, x, x),
            fn.cat(x, x[:, 1:], axis=1),
            fn.cat(x[:1], x, axis=-3),
            fn.cat(x[:, :, :1], x, axis_name="C"),
            fn.cat(fn.reshape(x, layout=""), x),
            fn.cat(fn.reshape(x, shape=[-1]), fn.reshape(turned, shape=[-1])),
            fn.cat(x),
            fn.stack(x, x),
            fn.stack(x, x, axis=1, axis_name="N"),
            fn.stack(x, x, axis=-1),
            fn.stack(x, x, axis=-2, axis_name="N"),
            fn.stack(dali.types.Constant(3), 4, 5),
        )

    check([images(), images()], outputs)


def test_filled():
    def outputs(dali, x, y):
        fn, types = dali.fn, dali.types
        return (
            fn.zeros(shape=[2, 3], layout="AB"),
            fn.zeros(),
            fn.ones(shape=3, dtype=types.FLOAT16),
            fn.ones(dtype=types.INT64),
            fn.full(1.5, shape=[2]),
            fn.full(y, shape=[2, 3]),
            fn.full(y),
            fn.constant(idata=3),
            fn.constant(idata=[1, 2, 3, 4], shape=[2, 2], layout="AB"),
            fn.constant(fdata=2.5, shape=[3]),
            fn.constant(fdata=[1.5, 2.5, -0.5, 400.0], dtype=types.UINT8),
            fn.constant(idata=[7], shape=[]),
            fn.constant(fdata=2.5, dtype=types.FLOAT16),
            fn.constant(idata=5, dtype=types.INT64),
        )

    check([images(), ("", lambda rng: numbers(rng, np.int32, 3))], outputs)


def test_classes_and_tables():
    def outputs(dali, labels, pixels, scalar):
        fn, types = dali.fn, dali.types
        made = [
            fn.one_hot(labels, num_classes=4),
            fn.one_hot(labels, num_classes=3, axis=0),
            fn.one_hot(scalar, num_classes=5, axis_name="C"),
            fn.one_hot(pixels, num_classes=3, axis=1, axis_name="N"),
            fn.one_hot(pixels, num_classes=2, dtype=types.UINT8, on_value=2.5, off_value=-1),
            fn.one_hot(scalar),
            fn.one_hot(fn.cast(scalar, dtype=types.FLOAT) * 0.7, num_classes=3),
            *fn.element_extract(fn.reshape(pixels, layout="FXY"), element_map=[1, 0]),
            fn.element_extract(fn.reshape(pixels, layout=""), element_map=1),
        ]
        for options in (
            dict(keys=[0, 2, 3, 4, 5, 3], values=[0.2, 0.4, 0.5, 0.6, 0.7, 0.1], default_value=0.99),
            dict(keys=[0, 1], values=[1.5, 300], dtype=types.UINT8, default_value=-7.5),
            dict(keys=7, values=2.5, dtype=types.INT64),
            dict(default_value=3),
        ):
            made += [fn.lookup_table(labels, **options), fn.lookup_table(pixels, **options)]
        return made

    scalar = ("", lambda rng: np.int32(rng.integers(-1, 6)))
    check([("", small), images(), scalar], outputs)
