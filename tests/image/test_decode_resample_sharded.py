"""A sharded batch is decoded and resized where it lies, shard by shard."""

import jax
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P
from sharded_files import FILES, make_sharded

from jaxdali.image import EncodedBatch, decode_resample

WINDOWS = np.array([(k % 5, k % 7, 10 + k % 6, 12) for k in range(16)], np.int32)
FLIPS = np.arange(16) % 3 == 0
MEANS = np.random.default_rng(0).uniform(100, 130, (16, 3)).astype(np.float32)


@pytest.mark.parametrize("axis_type", [AxisType.Auto, AxisType.Explicit])
@pytest.mark.parametrize("mesh_shape", [(8, 1), (4, 2), (1, 8)])
@pytest.mark.parametrize("mean", [120.0, [120.0, 110.0, 100.0], MEANS], ids=np.ndim)
def test_sharded_batches_are_decoded_where_they_lie(axis_type, mesh_shape, mean):
    batch = make_sharded(axis_type, mesh_shape)
    options = {"flip": FLIPS, "mean": mean, "layout": "CHW"}
    expected = decode_resample(EncodedBatch.from_encoded(FILES), WINDOWS, (9, 7), **options)

    def program(batch, windows):
        return decode_resample(batch, windows, (9, 7), **options)

    windows = jax.device_put(WINDOWS, batch.sharding)
    compiled = jax.jit(program).lower(batch, windows).compile()
    text = compiled.as_text()
    assert "jaxdali_images_v1" in text
    assert not any(word in text for word in ("all-gather", "all-to-all", "collective-permute"))
    assert f"f32[{16 // mesh_shape[0]},3,9,7]" in text
    for got in (program(batch, WINDOWS), program(batch, windows), compiled(batch, windows)):
        assert got.sharding.is_equivalent_to(NamedSharding(batch.sharding.mesh, P("data")), 4)
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("axis_type", [AxisType.Auto, AxisType.Explicit])
def test_inside_the_users_own_shard_map(axis_type):
    batch = make_sharded(axis_type, (4, 2))
    mapped = jax.shard_map(
        lambda b, w, f, m: decode_resample(b, w, (9, 7), flip=f, mean=m),
        mesh=batch.sharding.mesh,
        in_specs=(P("data"), P("data"), P("data"), P("data")),
        out_specs=P("data"),
    )
    operands = jax.device_put((WINDOWS, FLIPS, MEANS), batch.sharding)
    expected = decode_resample(EncodedBatch.from_encoded(FILES), WINDOWS, (9, 7), flip=FLIPS, mean=MEANS)
    np.testing.assert_array_equal(mapped(batch, *operands), expected)
