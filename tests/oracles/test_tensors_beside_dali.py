"""Operators on arrays of any kind, with samples that differ in shape, compared with NVIDIA's DALI."""

from __future__ import annotations

import numpy as np
import pytest
from jpeg_files import pillow_jpeg
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
            fn.reinterpret(even, np.int32([-1, 2]), dtype=types.INT16),
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


def test_padding():
    def outputs(dali, x, row, number):
        fn = dali.fn
        return (
            fn.pad(x),
            fn.pad(x, axes=[0], shape=[9], fill_value=7.6),
            fn.pad(x, axes=[0], shape=[3], fill_value=300),
            fn.pad(x, shape=[7, -1, 4], fill_value=-1),
            fn.pad(x, axis_names="WH", align=[4, 8]),
            fn.pad(x, axes=[-3, 1], shape=[5], align=[4]),
            fn.pad(x, align=4, fill_value=3),
            fn.pad(x, shape=4),
            fn.pad(row, fill_value=-2.5),
            fn.pad(row, shape=[8], fill_value=number),
            fn.pad(row, axes=0, align=16),
            fn.pad(x, axes=[2], shape=[4]),
        )

    row = ("", lambda rng: numbers(rng, np.float32, rng.integers(1, 7)))
    check([images(), row, ("", lambda rng: numbers(rng, np.float32))], outputs)


def outputs_of_slices(dali, x, at, end, anchor, fraction, plain):
    fn, types = dali.fn, dali.types
    pad, trim = ({"out_of_bounds_policy": policy} for policy in ("pad", "trim_to_shape"))
    return (
        fn.slice(x, start=[1, 1], shape=[1, 1]),
        fn.slice(x, start=[0, 1], end=[2, 2], axes=[0, 1]),
        fn.slice(x, start=[1], axes=[0]),
        fn.slice(x, end=1, axis_names="WH"),
        fn.slice(x, rel_start=[0.3, 0.3], rel_end=[0.9, 0.9]),
        fn.slice(x, rel_start=[0.3, 0.1], shape=[1, 1]),
        fn.slice(x, start=[1, 1], rel_shape=[0.3, 0.4]),
        fn.slice(x, rel_start=[0.25], rel_shape=[0.5], axes=[-3]),
        fn.slice(x, start=[1], end=[2], axis_names="C"),
        fn.slice(x, start=[1, 1, 1], shape=[1, 1, 2], axes=[0, 1, 2], dtype=types.FLOAT),
        fn.slice(x, start=at, shape=[1, 2], axes=[1, 0]),
        fn.slice(x, start=0, end=end, axes=[0, 1]),
        fn.slice(x, at, anchor, axes=[0, 1]),
        fn.slice(x, fraction, fraction),
        fn.slice(x, start=[-1, -2], shape=[3, 9], fill_values=9, **pad),
        fn.slice(x, start=[3, 3], shape=[3, 3], fill_values=[1, 2.7, 300], **pad),
        fn.slice(x, start=at, shape=[4], fill_values=-1, axes=[0, 1], **pad),
        fn.slice(x, start=[0, 0, 1], shape=[2, 2, 3], axes=[0, 1, 2], fill_values=[1, 2, 3], **pad),
        fn.slice(x, rel_start=[0.5, -0.5], rel_shape=[1.0, 1.0], out_of_bounds_policy="constant"),
        fn.slice(x, start=[2], rel_shape=[1.0], axes=[0], **pad),
        fn.slice(x, rel_start=[-0.5, 0.5], rel_end=[0.5, 2.0], **pad),
        fn.slice(x, start=[-1, -1], shape=[3, 3], **trim),
        fn.slice(x, start=[9, 1], shape=[2, 2], **trim),
        fn.slice(x, start=at, end=[9], axes=[1, 0], **trim),
        fn.slice(x, rel_start=-0.25, rel_shape=0.7, axes=[1], **trim),
        fn.slice(plain, start=[-1], end=[9], axes=[0], **pad),
        fn.slice(plain, rel_start=[0.1], rel_end=[0.6], axes=[0]),
        fn.slice(plain, 0, 1, axes=[0]),
    )


@pytest.mark.parametrize("ragged", [True, False])
def test_windows(ragged):
    check(
        [
            images(ragged=ragged),
            ("", lambda rng: rng.integers(0, 2, 2).astype(np.int32)),
            ("", lambda rng: rng.integers(0, 3, 2).astype(np.int32)),
            ("", lambda rng: rng.integers(0, 2, 2).astype(np.int32)),
            ("", lambda rng: (rng.uniform(0, 0.5, 2)).astype(np.float32)),
            ("", lambda rng: numbers(rng, np.float32, rng.integers(1, 7) if ragged else 5)),
        ],
        outputs_of_slices,
    )


def test_images_that_are_decoded_for_it():
    def outputs(dali, files):
        fn = dali.fn
        images = fn.decoders.image(files)
        return (
            fn.slice(images, start=[3, 2], shape=[20, 10], axis_names="HW"),
            fn.slice(images, rel_start=[0.2, 0.1], rel_end=[0.7, 0.9]),
            fn.slice(images, start=[30, 30], shape=[20, 30], fill_values=[1, 2, 3], out_of_bounds_policy="pad"),
            fn.slice(images, start=[1], shape=[1], axis_names="C"),
            fn.flip(fn.slice(fn.copy(images), end=[20, 20]), vertical=1),
            fn.transpose(images, perm=[2, 0, 1]),
            fn.transpose(images, perm=[1, 0, 2]),
            fn.pad(images, axis_names="HW"),
            fn.crop_mirror_normalize(fn.pad(images, shape=[50, 60, 3], fill_value=9), crop=(48, 58), std=2.0),
            fn.reshape(images, shape=[-1]),
            fn.cat(images, images, axis=1),
        )

    def file(rng):
        return np.frombuffer(pillow_jpeg(int(rng.integers(32, 48)), int(rng.integers(32, 48))), np.uint8)

    check([("", file)], outputs)


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int32, np.float32])
def test_reductions(dtype):
    def outputs(dali, x):
        found = []
        reductions, types = dali.fn.reductions, dali.types
        for options in ({}, {"axes": 0}, {"axes": [0, -1], "keep_dims": True}, {"axis_names": "HW"}, {"axes": []}):
            mean = reductions.mean(x, **options)
            found += [reductions.sum(x, **options), mean, reductions.max(x, **options), reductions.min(x, **options)]
            found += [reductions.mean_square(x, **options), reductions.rms(x, **options)]
            ddof = 1 if options.get("axes") != [] else 0
            found += [reductions.variance(x, mean, **options), reductions.std_dev(x, mean, ddof=ddof, **options)]
        kept = reductions.mean(x, axes=[0], keep_dims=True)
        found += [reductions.std_dev(x, kept, axes=[0]), reductions.sum(x, axes=1, dtype=types.FLOAT)]
        return found

    check([images(dtype)], outputs, rtol=1e-5, atol=1e-4)


def test_normalized():
    def outputs(dali, x, plain, row):
        fn, types = dali.fn, dali.types
        return (
            fn.normalize(x),
            fn.normalize(x, axes=[0, 1]),
            fn.normalize(x, axis_names="WH", ddof=1, epsilon=0.5),
            fn.normalize(x, batch=True),
            fn.normalize(x, batch=True, axes=[0, 1], ddof=1, epsilon=0.1),
            fn.normalize(x, scale=40.0, shift=128.0, dtype=types.UINT8),
            fn.normalize(x, mean=100.0),
            fn.normalize(x, mean=100.0, axes=[0]),
            fn.normalize(x, stddev=2.0, epsilon=5.0),
            fn.normalize(x, mean=1.0, stddev=2.0, dtype=types.INT16),
            fn.normalize(x, mean=np.float32([[[1, 2, 3]]]), stddev=np.float32([[[4, 5, 6]]])),
            fn.normalize(x, mean=np.float32([[[1, 2, 3]]])),
            fn.normalize(plain, mean=row),
            fn.normalize(plain, mean=row, stddev=row, epsilon=1.0),
            fn.normalize(plain, stddev=row, axes=[0], shift=3.0),
            fn.normalize(plain, axes=[1]),
        )

    plain = ("AB", lambda rng: numbers(rng, np.float32, 4, 3))
    row = ("AB", lambda rng: numbers(rng, np.float32, 1, 3) + 50)
    check([images(), plain, row], outputs, rtol=1e-4, atol=2e-5)
