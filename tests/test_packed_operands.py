"""Small arrays that reach a program as one come out of it bit for bit."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from jaxdali._base.batch import Row, Status
from jaxdali._device.image.encoded import sizes_of_rows
from jaxdali._run.executor.device_io.packed import Packed, unpacked

ROWS = 4
KINDS = "?bhiBHIef"
ARRAYS = st.lists(
    st.tuples(st.sampled_from(KINDS), st.lists(st.integers(0, 3), max_size=2), st.integers(0, 2**32)),
    min_size=1,
    max_size=4,
)


def array_of(kind: str, shape: list[int], seed: int) -> np.ndarray:
    size = (ROWS, *shape, np.dtype(kind).itemsize)
    draws = np.random.default_rng(seed).integers(0, 2 if kind == "?" else 256, size, np.uint8)
    return draws.view(kind).reshape(ROWS, *shape)


def bits(array: object) -> list[int]:
    return np.ascontiguousarray(np.asarray(array)).view(np.uint8).ravel().tolist()


@settings(max_examples=25)
@given(ARRAYS, st.booleans())
def test_arrays_are_unpacked_bit_for_bit(described, cut):
    arrays = {number: (array_of(*one), None) for number, one in enumerate(described)}
    packed = Packed.of(arrays)
    if cut:
        sharding = NamedSharding(Mesh(np.array(jax.devices()[:2]), ("part",)), PartitionSpec("part"))
        packed = jax.device_put(packed, sharding)
    found = jax.jit(unpacked)(packed)
    assert found.keys() == arrays.keys()
    for number, (array, nothing) in arrays.items():
        mine, other = found[number]
        assert nothing is other is None and (mine.shape, mine.dtype) == (array.shape, array.dtype)
        assert bits(mine) == bits(array)


def test_numbers_of_64_bits_are_unpacked_where_jax_has_them():
    arrays = [array_of(kind, [2], 5) for kind in "lLd"]
    with jax.enable_x64(True):
        found = jax.jit(unpacked)(Packed.of(arrays))
    assert [array.dtype for array in found] == [array.dtype for array in arrays]
    assert [*map(bits, found)] == [*map(bits, arrays)]


@pytest.mark.parametrize("axes", [(3,), (2, 3)])
def test_sizes_of_rows(axes):
    rows = np.zeros((*axes, len(Row)), np.int32)
    rows[..., Row.HEIGHT], rows[..., Row.WIDTH] = 30, 40
    rows[..., Row.ORIENTATION], rows[..., Row.STATUS] = [1, 6, 6], [Status.OK, Status.OK, Status.CORRUPT]
    wanted = np.broadcast_to([[30, 40, 3], [40, 30, 3], [0, 0, 0]], (*axes, 3))
    np.testing.assert_array_equal(sizes_of_rows(jnp.asarray(rows)), wanted)
