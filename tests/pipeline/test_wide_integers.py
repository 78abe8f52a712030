"""Integers of 64 bits without x64: computed with in 32, and handed out by `run` as what DALI says they are."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from jaxdali import fn, pipeline_def, types
from jaxdali.errors import OutputError, SourceDataError
from jaxdali.plugin.jax import DALIGenericIterator

WIDE = (types.INT64, types.UINT64)


@pytest.fixture(autouse=True)
def _without_x64():
    with jax.enable_x64(False):
        yield


def pipe_of(outputs, sample=None, **options):
    def source(info):
        return np.zeros((3, 4 + info.idx_in_epoch), np.uint8) if sample is None else sample

    @pipeline_def(batch_size=2, num_threads=1, **options)
    def pipe():
        return outputs(fn.external_source(source, batch=False))

    return pipe()


@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize(
    ("sample", "signed", "unsigned"),
    [
        (np.array([-7, 2**31 - 1], np.int32), [-7, 2**31 - 1], [0, 2**31 - 1]),
        (np.array([1, 2**31 - 1], np.uint32), [1, 2**31 - 1], [1, 2**31 - 1]),
        (np.array([-1, 100], np.int8), [-1, 100], [0, 100]),
        (np.array([True, False]), [1, 0], [1, 0]),
        (np.array([1.5, -2.5, np.nan], np.float32), [2, -3, 0], [2, 0, 0]),
        (np.array([-(2.0**31), 2.0**31 - 128], np.float32), [-(2**31), 2**31 - 128], [0, 2**31 - 128]),
        (np.array([1.5, -3], np.float16), [2, -3], [2, 0]),
        (np.array([5, -5], np.int64), [5, -5], [5, 0]),
    ],
    ids=lambda value: str(getattr(value, "dtype", "")),
)
def test_a_cast_to_64_bits(sample, signed, unsigned, dtype):
    (out,) = pipe_of(lambda node: fn.cast(node, dtype=dtype), sample).run()
    assert out.dtype == dtype
    found = out.as_array()
    assert found.dtype == types.to_numpy_type(dtype)
    assert found.tolist() == [signed if dtype == types.INT64 else unsigned] * 2


@pytest.mark.parametrize(
    ("sample", "dtype"),
    [
        (np.array([1, 2**31], np.uint32), types.INT64),
        (np.array([0, 2.0**31], np.float32), types.INT64),
        (np.array([0, -(2.0**31) - 256], np.float32), types.INT64),
        (np.array([np.inf], np.float16), types.INT64),
        (np.array([2.0**32], np.float32), types.UINT64),
    ],
)
def test_a_number_that_32_bits_do_not_hold_is_an_error(sample, dtype):
    pipe = pipe_of(lambda node: fn.cast(node, dtype=dtype), sample)
    with pytest.raises(SourceDataError, match=r"fn\.cast makes integers of 64 bits.*test_wide_integers"):
        pipe.run()


def everything(node):
    return node.shape(), node.shape()[0], types.Constant(5, dtype=types.INT64), fn.cast(node, dtype=types.INT64)


def test_shapes_and_constants_are_of_64_bits_and_so_they_may_be_declared():
    extents, height, constant, numbers = pipe_of(everything, output_dtype=types.INT64).run()
    assert {out.dtype for out in (extents, height, constant, numbers)} == {types.INT64}
    assert extents.as_array().tolist() == [[3, 4], [3, 5]] and height.as_array().tolist() == [3, 3]
    assert constant.as_array().tolist() == [5, 5]
    assert numbers.at(1).dtype == np.int64 and numbers.at(1).shape == (3, 5)
    with pytest.raises(OutputError, match="INT64"):
        pipe_of(everything, output_dtype=types.INT32).run()


def test_iterators_give_what_jax_has():
    batch = next(DALIGenericIterator(pipe_of(everything, np.zeros((3, 4), np.uint8)), ["a", "b", "c", "d"]))
    assert {leaf.dtype.name for leaf in batch.values()} == {"int32"}


def test_with_x64_they_are_of_64_bits_everywhere():
    with jax.enable_x64(True):
        pipe = pipe_of(lambda node: fn.cast(node, dtype=types.INT64), np.array([2.0**40], np.float32))
        assert pipe.run()[0].as_array().tolist() == [[2**40]] * 2
        assert pipe.run_arrays()[0].dtype == np.int64


def test_a_scalar_of_64_bits_is_of_32_unless_it_is_a_constant():
    plain, constant = pipe_of(lambda node: (np.int64(-3), types.Constant(np.int64(-3)))).run()
    assert (plain.dtype, constant.dtype) == (types.INT32, types.INT64)
    assert plain.as_array().tolist() == constant.as_array().tolist() == [-3, -3]
