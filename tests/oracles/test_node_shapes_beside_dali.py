"""Shapes and sizes that are nodes, compared with NVIDIA's DALI."""

from __future__ import annotations

import numpy as np
import pytest
from beside_dali import batches, load, pipeline

pytestmark = pytest.mark.dali
IMAGES = [np.random.default_rng(k).integers(0, 256, shape, np.uint8) for k, shape in enumerate([(6, 8, 3), (5, 9, 3)])]


def both(define):
    found = []
    for system in ("nvidia.dali", "jaxdali"):
        dali = load(system)
        with pipeline(dali) as pipe:
            x = dali.fn.external_source(lambda: IMAGES, layout="HWC")
            pipe.set_outputs(*define(dali, x, x.shape(dtype=dali.types.INT32)))
        found.append(batches(pipe)[:2])
    return found


def test_arrays_that_are_filled():
    def define(dali, x, shape):
        fn, types = dali.fn, dali.types
        plane = fn.slice(shape, 0, 2, axes=[0])
        return (
            fn.zeros(shape=shape),
            fn.ones(shape=plane + np.int32([1, 2]), dtype=types.FLOAT),
            fn.full(np.float32([7]), shape=shape),
            fn.random.coin_flip(shape=plane, probability=1.0),
            fn.random.uniform(shape=shape[:2]).shape(),
            fn.random.normal(shape=shape).shape(),
            fn.random.choice(np.int32([5, 5]), shape=shape[0]),
        )

    theirs, ours = both(define)
    assert theirs == ours


def test_samples_that_get_another_shape():
    def define(dali, x, shape):
        fn = dali.fn
        numbers = fn.external_source(lambda: [np.arange(12, dtype=np.float32).reshape(2, 6)] * 2)
        factors = fn.random.uniform(values=[2.0, 2.0], shape=[2]) * np.float32([1, 0.25])
        return (
            fn.reshape(x, shape=fn.stack(shape[1], shape[0], shape[2]), layout="HWC"),
            fn.reshape(x, shape=fn.stack(shape[0] * shape[1], shape[2]), layout="XC"),
            fn.reshape(x, fn.stack(shape[0] * 0 - 1, shape[2]), layout="XC"),
            fn.reshape(numbers, rel_shape=factors),
            fn.reshape(numbers, rel_shape=fn.constant(fdata=[0.5, -1])),
            fn.reshape(fn.zeros(shape=[0, 6]), shape=fn.stack(shape[0], shape[0] * 0 - 1)),
            fn.reinterpret(x, dtype=dali.types.INT8, shape=fn.stack(shape[0] * shape[1] * shape[2]), layout="X"),
            fn.reinterpret(x, fn.stack(shape[0], shape[1] * shape[2]), dtype=dali.types.INT8, layout="XY"),
            fn.pad(x, axes=(0, 1), shape=shape[:2] + 2, fill_value=1),
            fn.pad(x, axes=(0,), align=shape[:1] - 2),
        )

    theirs, ours = both(define)
    assert theirs == ours


def test_images_of_other_sizes():
    def define(dali, x, shape):
        fn, types = dali.fn, dali.types
        plane = fn.cast(shape[:2], dtype=types.FLOAT)
        shifted = {"matrix": [1, 0, 1, 0, 1, 0], "fill_value": 9, "interp_type": types.INTERP_NN}
        return (
            fn.warp_affine(x, size=shape[:2] + 1, **shifted),
            fn.warp_affine(x, size=plane + 1.75, **shifted),
            fn.rotate(x, angle=90.0, size=plane - 1.2, fill_value=3, interp_type=types.INTERP_NN),
            fn.crop(fn.warp_affine(x, size=plane + 1.75, **shifted), crop=(4, 4)),
        )

    theirs, ours = both(define)
    assert theirs == ours


def test_extents_of_which_nothing_is_known():
    def define(dali, x, shape):
        fn = dali.fn
        given = fn.external_source(lambda: np.int32([[2], [3]]))
        return (
            fn.zeros(shape=given),
            fn.random.uniform(values=[2.0], shape=given),
            fn.reshape(fn.zeros(shape=[2, 3]), shape=fn.cat(given, 6 // given)),
            fn.reshape(fn.zeros(shape=[2, 3]), fn.cat(given, given * 0 - 1)),
            fn.reinterpret(fn.zeros(shape=[2, 3]), given * 6 // given, dtype=dali.types.FLOAT),
            fn.ones(shape=8 - given),
        )

    theirs, ours = both(define)
    assert theirs == ours


def test_extents_below_0():
    dali = load("jaxdali")
    fn = dali.fn
    with pytest.raises(TypeError, match="negative extent"), pipeline(dali) as pipe:
        pipe.set_outputs(fn.zeros(shape=fn.zeros(shape=[1]).shape(dtype=dali.types.INT32) - 2))
        pipe.run()
