"""A sharded batch is decoded where it lies, shard by shard."""

import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P
from sharded_files import FILES, make_sharded

from jaxdali import image
from jaxdali.errors import ConfigError
from jaxdali.image import EncodedBatch, decode, decode_resample


@functools.cache
def one_batch():
    return EncodedBatch.from_encoded(FILES)


@pytest.mark.parametrize("axis_type", [AxisType.Auto, AxisType.Explicit])
@pytest.mark.parametrize("mesh_shape", [(8, 1), (4, 2), (1, 8)])
def test_sharded_batches_are_decoded_where_they_lie(axis_type, mesh_shape):
    batch = make_sharded(axis_type, mesh_shape)
    expected = decode(one_batch(), (35, 40))
    pixels = decode(batch, (35, 40))
    assert pixels.sharding.is_equivalent_to(NamedSharding(batch.sharding.mesh, P("data")), 4)
    np.testing.assert_array_equal(pixels, expected)
    np.testing.assert_array_equal(decode(batch), expected)

    program = jax.jit(lambda b: decode(b, (35, 40)).astype(jnp.float32).mean((1, 2, 3)))
    text = program.lower(batch).compile().as_text()
    assert "jaxdali_decode_v1" in text
    assert "all-gather" not in text
    assert f"u8[{16 // mesh_shape[0]},35,40,3]" in text


def test_without_its_sharding_a_sharded_batch_would_be_gathered():
    # Shows that the check above can fail: the compiler does this when left to itself.
    batch = make_sharded(AxisType.Auto, (8, 1))
    lost = EncodedBatch(batch.bytes[:1], batch.rows, batch.sizes)
    program = jax.jit(lambda b: decode(b, (35, 40)))
    assert "all-gather" in program.lower(lost).compile().as_text()


@pytest.mark.parametrize("axis_type", [AxisType.Auto, AxisType.Explicit])
def test_inside_the_users_own_shard_map(axis_type):
    batch = make_sharded(axis_type)
    mapped = jax.shard_map(
        lambda b: decode(b, (35, 40)),
        mesh=batch.sharding.mesh,
        in_specs=P("data"),
        out_specs=P("data"),
    )
    np.testing.assert_array_equal(mapped(batch), decode(one_batch(), (35, 40)))


DECODERS = {
    "decode": lambda b: decode(b, (35, 40)),
    "decode with statuses": lambda b: decode(b, (35, 40), on_error="zeros"),
    "decode_resample": lambda b: decode_resample(b, None, (8, 8)),
    "open": lambda b: image.open(b).resize(size=(8, 8)).array(),
}


@pytest.mark.parametrize("name", DECODERS)
def test_a_shard_map_that_checks_knows_that_images_vary(name):
    batch = make_sharded(AxisType.Auto)
    mapped = jax.shard_map(DECODERS[name], mesh=batch.sharding.mesh, in_specs=P("data"), out_specs=P())
    with pytest.raises(ValueError, match="out_specs"):
        jax.eval_shape(mapped, batch)


def test_a_bad_row_of_a_sharded_batch_is_named_with_its_device():
    files = [*FILES[:13], b"nonsense", *FILES[14:]]
    batch = make_sharded(AxisType.Auto, (4, 2), files)
    assert decode(batch, (35, 40), on_error="zeros")[1].tolist() == [0] * 13 + [2, 0, 0]
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"row 1: CORRUPT: .*4 rows of device [67]"):
        jax.block_until_ready(decode(batch, (35, 40)))


def test_arrays_that_do_not_fit_the_sharding():
    batch = make_sharded(AxisType.Auto)
    lost = dataclasses.replace(batch, sharding=None)
    with pytest.raises(ConfigError, match=r"bytes has 4 rows.*expected bytes\[1, capacity\]"):
        decode(lost, (35, 40))
    mapped = jax.shard_map(
        lambda b: decode(b, (35, 40)),
        mesh=batch.sharding.mesh,
        in_specs=P(),
        out_specs=P(),
        axis_names={"model"},
    )
    with pytest.raises(ConfigError, match=r"map over \('data',\) too"):
        jax.jit(mapped)(dataclasses.replace(one_batch(), sharding=batch.sharding))
