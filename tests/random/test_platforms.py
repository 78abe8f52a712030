"""Draws are the same whether XLA compiles them or the CPU's custom calls compute them."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import NamedSharding, PartitionSpec

from jaxdali import random
from jaxdali._device.ffi import calls
from jaxdali._device.random import draws, keys, windows

N = 7
CALL = "custom_call @jaxdali_"


def some(seed, *shape, high=2**32):
    return np.random.default_rng(seed).integers(0, high, shape, np.uint64).astype(np.uint32)


def lowered(function, *operands, **settings):
    return jax.jit(functools.partial(function, **settings)).lower(*operands)


DRAWS = {
    "keys": (keys._sample_keys, keys._generic, (some(1, N, 2), some(2, 2), some(3, 2), some(4, 2)), {}),
    "bits": (draws._words, draws._generic, (some(5, N, 2),), {"stream": 3, "shape": (4, 5)}),
    "one": (draws._words, draws._generic, (some(6, N, 2),), {"stream": 1, "shape": ()}),
    "none": (draws._words, draws._generic, (some(7, N, 2),), {"stream": 1, "shape": (3, 0)}),
    "shapes": (
        draws._words,
        draws._generic,
        (some(8, N, 2), some(9, N, 2, high=6).astype(np.int32)),
        {"stream": 4, "shape": (6, 5)},
    ),
    "window": (
        windows._draw,
        windows._generic,
        (some(10, N, 2), some(11, N, 3, high=600).astype(np.int32)),
        {"area": (0.08, 1.0), "ratios": (0.75, 1.3333), "attempts": 10},
    ),
}


@pytest.fixture(params=DRAWS)
def draw(request):
    function, generic, operands, settings = DRAWS[request.param]
    expected = jax.jit(functools.partial(generic, **settings))(*operands)
    return function, operands, settings, expected


def is_a_call(program):
    return CALL in program.as_text()


def test_a_call_draws_what_xla_draws(draw):
    function, operands, settings, expected = draw
    program = lowered(function, *operands, **settings)
    assert is_a_call(program)
    np.testing.assert_array_equal(program.compile()(*operands), expected)


def test_outside_of_jit(draw):
    function, operands, settings, expected = draw
    got = function(*map(jnp.asarray, operands), **settings)
    assert got.dtype == expected.dtype
    np.testing.assert_array_equal(got, expected)


def test_mapped(draw):
    function, operands, settings, expected = draw
    several = [jnp.stack([jnp.zeros_like(operand), operand]) for operand in operands]
    got = jax.vmap(functools.partial(function, **settings))(*several)
    np.testing.assert_array_equal(got[1], expected)


def test_sharded_over_devices(draw):
    function, operands, settings, expected = draw
    mesh = jax.make_mesh((2,), ("batch",), (jax.sharding.AxisType.Auto,))
    rows = jax.tree.map(lambda value: jnp.stack([value] * 2).reshape(-1, *value.shape[1:]), operands)
    placed = [
        jax.device_put(twice, NamedSharding(mesh, PartitionSpec("batch"))) if value.ndim == 2 else value
        for value, twice in zip(operands, rows, strict=True)
    ]
    program = lowered(function, *placed, **settings)
    assert not is_a_call(program)
    np.testing.assert_array_equal(program.compile()(*placed)[:N], expected)


@pytest.mark.parametrize("checks", [True, False])
@pytest.mark.parametrize("axes", [{"batch", "model"}, {"batch"}], ids=len)
def test_under_shard_map_over_all_axes_each_device_calls(draw, axes, checks):
    function, operands, settings, expected = draw
    mesh = jax.make_mesh((2, 1), ("batch", "model"), (jax.sharding.AxisType.Auto,) * 2)
    specs = tuple(PartitionSpec("batch") if len(operand) == N else PartitionSpec() for operand in operands)
    rows = [np.concatenate([operand] * (1 + (len(operand) == N))) for operand in operands]
    mapped = jax.shard_map(
        functools.partial(function, **settings),
        mesh=mesh, in_specs=specs, out_specs=PartitionSpec("batch"), axis_names=axes, check_vma=checks,
    )  # fmt: skip
    program = lowered(mapped, *rows)
    alike = not checks or len(set(specs)) == 1  # what a result varies over is known of its first operand
    assert is_a_call(program) == (len(axes) == 2 and alike)
    np.testing.assert_array_equal(program.compile()(*rows), np.concatenate([expected] * 2))


def test_exported_programs_have_no_calls(draw):
    function, operands, settings, expected = draw
    exported = jax.export.export(jax.jit(functools.partial(function, **settings)), platforms=("cpu", "tpu"))(*operands)
    assert CALL not in exported.mlir_module()
    np.testing.assert_array_equal(exported.call(*operands), expected)


@pytest.mark.parametrize(
    ("area", "ratios"),
    [
        ((0.08, 1.0), (0.1, 10)),
        ((1.0, 1.0), (1 / 64, 1 / 64)),
        ((1e-9, 1e-9), (64, 64)),
        ((0.5, 0.51), (0.75, 4 / 3)),
        ((0.08, 1.25), (0.75, 4 / 3)),
        ((1e-12, 4), (1 / 64, 64)),
        ((4, 4), (1 / 64, 1 / 64)),
    ],
)
def test_windows_of_extreme_images(area, ratios):
    extents = [(0, 0), (0, 9), (9, 0), (1, 1), (1, 5000), (5000, 1), (2**20 - 1, 2000), (46340, 46340)]
    sizes = np.array([(*extent, 3) for extent in extents] * 50, np.int32)
    settings = {"area": area, "ratios": ratios, "attempts": 3}
    expected = jax.jit(functools.partial(windows._generic, **settings))(some(12, len(sizes), 2), sizes)
    np.testing.assert_array_equal(windows._draw(some(12, len(sizes), 2), sizes, **settings), expected)


def test_large_draws_are_compiled():
    data = jax.random.wrap_key_data(some(13, N, 2), impl="threefry2x32")
    assert not is_a_call(jax.jit(lambda keys: random.uniform(keys, shape=(40, 40))).lower(data))


@pytest.mark.parametrize(
    ("shapes", "result"),
    [
        (((3, 2), (1, 1, 1), (1, 1, 0)), (N, 4, 1)),
        (((N, 3), (1, 1, 1), (1, 1, 0)), (N, 4, 1)),
        (((N, 2), (1, 4, 1), (1, 1, 0)), (N, 4, 1)),
        (((N, 2), (2, 1, 1), (1, 1, 0)), (N, 4, 1)),
        (((N, 2), (1, 1, 1), (1, 3, 1)), (N, 4, 1)),
        (((N, 2), (1, 1, 1), (1, 1, 0)), (N, 4, 3)),
    ],
)
def test_operands_that_contradict_each_other(shapes, result):
    operands = [jnp.zeros(shape, jnp.uint32) for shape in shapes]
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"jaxdali_threefry_v1: .* have another shape than"):
        jax.block_until_ready(calls.threefry(*operands, result, counted=True))


BOUNDS = {
    "stream": 3, "area_low": 1, "area_high": 2**30, "low_numerator": 3, "low_denominator": 4,
    "high_numerator": 4, "high_denominator": 3, "attempts": 10,
}  # fmt: skip


@pytest.mark.parametrize(
    ("shapes", "bounds", "message"),
    [
        (((N, 3), (N, 3), (2, 4096)), {}, "shapes are not keys"),
        (((N, 2), (N, 1), (2, 4096)), {}, "shapes are not keys"),
        (((N, 2), (3, 3), (2, 4096)), {}, "shapes are not keys"),
        (((N, 2), (N, 3), (2, 4095)), {}, "shapes are not keys"),
        (((N, 2), (N, 3), (1, 4096)), {}, "shapes are not keys"),
        (((N, 2), (N, 3), (2, 4096)), {"low_numerator": 0}, "an aspect ratio is 0 or infinite"),
        (((N, 2), (N, 3), (2, 4096)), {"high_denominator": 0}, "an aspect ratio is 0 or infinite"),
    ],
)
def test_windows_that_cannot_be(shapes, bounds, message):
    dtypes = (np.uint32, np.int32, np.uint32)
    operands = [np.zeros(shape, dtype) for shape, dtype in zip(shapes, dtypes, strict=True)]
    with pytest.raises(jax.errors.JaxRuntimeError, match=f"jaxdali_resized_crop_window_v1: {message}"):
        jax.block_until_ready(calls.resized_crop_window(*operands, **{**BOUNDS, **bounds}))


def test_hostile_numbers_of_windows_do_no_harm():
    sizes = np.array([(-1, -1, 3), (2**31 - 1, 2**31 - 1, 3), (-(2**31), 5, 3)] * 3, np.int32)[:N]
    table = np.full((2, 4096), 2**32 - 1, np.uint32)
    hostile = {**BOUNDS, "area_low": 2**32 - 1, "area_high": 0, "high_numerator": 2**32 - 1}
    assert calls.resized_crop_window(some(14, N, 2), sizes, table, **hostile).shape == (N, 4)
