"""Small arrays that reach a program as one come out of it bit for bit."""

from __future__ import annotations

import gc
import weakref

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from jaxdali import Loader
from jaxdali._base.batch import Row, Status
from jaxdali._device.image.encoded import sizes_of_rows
from jaxdali._run.executor import device_stage
from jaxdali._run.executor.device_io import device_placement
from jaxdali._run.executor.device_io.packed import Packed, rows_to_pack, unpacked

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


class Rows:
    """Samples with leaves of many types and shapes, of which some are packed."""

    def __len__(self):
        return 7

    def __getitem__(self, index):
        return {
            **{kind: array_of(kind, [2], index)[0] for kind in KINDS[:5]},
            "bits": np.asarray(index / 3, jnp.bfloat16),
            "none": np.zeros((0, 3), np.int16),
            "large": np.full((40, 40), index, np.float32),
            "ragged": np.arange(index + 1, dtype=np.int32),
        }


def changed(batch, _):
    data, shapes = batch["ragged"]
    return {**batch, "ragged": (data + 1, shapes)}


def test_a_loader_computes_the_same_with_and_without_packing(monkeypatch):
    chosen, found = [], []
    monkeypatch.setattr(device_stage, "rows_to_pack", lambda *given: chosen.append(rows_to_pack(*given)) or chosen[-1])
    cut = NamedSharding(Mesh(np.array(jax.devices()[:2]), "p"), PartitionSpec("p"))
    for where in ({}, {"packs": True}, {"sharding": cut}, {"devices": jax.devices()[:2]}):
        if where.pop("packs", False):  # one CPU device packs nothing of its own accord
            monkeypatch.setattr(device_placement.OneDevice, "packs", True)
        options = {
            "workers": 0,
            "batch_size": 4,
            "shuffle": True,
            "ragged": ["ragged"],
            "epochs": 1,
            "last_batch": "mask",
            **where,
        }
        with Loader(Rows(), changed, **options) as loader:
            found.append([jax.tree.map(bits, batch) for batch in loader])
    assert found == [found[0]] * 4 and len(found[0]) == 2
    assert len(chosen) == 6 and {len(columns) for columns in chosen} == {6}  # and neither bits, nor large, nor ragged


@pytest.mark.parametrize("devices", [1, 2])
def test_a_loader_that_is_dropped_is_no_garbage(devices):
    mesh = Mesh(np.array(jax.devices()[:devices]), "p")
    stages = []
    make = device_stage.DeviceStage.__init__

    def watched(self, *given, **named):
        make(self, *given, **named)
        stages.append(weakref.ref(self))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(device_stage.DeviceStage, "__init__", watched)
        cut = NamedSharding(mesh, PartitionSpec("p"))
        loader = Loader(Rows(), changed, batch_size=4, ragged=["ragged"], workers=0, sharding=cut)
        next(iter(loader))
    gc.collect()
    gc.disable()
    try:
        loader.close()
        del loader
        assert [stage() for stage in stages] == [None]
    finally:
        gc.enable()
