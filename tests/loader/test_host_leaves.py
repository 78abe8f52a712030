"""Leaves that no device sees travel next to the batch; arrays of types that NumPy does not have come as they are."""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from front_sources import ODD, Mapped, named
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from jaxdali import ConfigError, Loader, SourceDataError


def keep(batch, keys):
    return {"double": 2 * batch["x"], "of": {"path": batch["path"], "id": batch["id"]}}


OPTIONS = {"batch_size": 4, "epochs": 1, "host": ("id", ("more", 1))}


@pytest.mark.parametrize("workers", [0, 2])
def test_they_come_as_they_are(workers):
    with Loader(Mapped(named, 7), workers=workers, shuffle=True, **OPTIONS) as loader:
        batches = list(loader)
        spec = loader.element_spec
    for batch in batches:
        assert jax.tree.structure(batch) == jax.tree.structure(spec)
        assert spec["path"].shape == batch["path"].shape == (4,) and spec["path"].dtype == batch["path"].dtype == object
        for row, number in enumerate(batch["x"].tolist()):
            expected = named(int(number))
            assert (batch["path"][row], batch["id"][row]) == (expected["path"], expected["id"])
            assert (batch["more"][0][row], batch["more"][1][row]) == expected["more"]
    assert len({path for batch in batches for path in batch["path"]}) == 7


def test_augment_passes_them_on_under_any_sharding():
    sharding = NamedSharding(Mesh(np.array(jax.devices("cpu")[:2]), "x"), PartitionSpec("x"))
    found = []
    for options in ({}, {"sharding": sharding}, {"sharding": {"double": sharding, "of": sharding}}):
        loader = Loader(Mapped(named), keep, workers=0, **options, **OPTIONS)
        batches = list(loader)
        assert jax.tree.structure(batches[0]) == jax.tree.structure(loader.element_spec)
        found.append(
            [(batch["double"].tolist(), batch["of"]["path"].tolist(), batch["of"]["id"].tolist()) for batch in batches]
        )
        assert loader.at(1)["of"]["path"].tolist() == found[0][1][1]
    assert found[0] == found[1] == found[2]
    assert found[0][1] == ([8, 10, 12, 14], [f"train/{k}.jpg" for k in (4, 5, 6, 7)], [ODD * k for k in (4, 5, 6, 7)])


def test_what_cannot_come():
    def of_types(index):
        return index, "name" if index < 5 else index

    steps = Loader(Mapped(of_types), workers=0, batch_size=4).enumerate()
    next(steps)
    with pytest.raises(SourceDataError, match="expected a string in '1', as the first sample has it, got int"):
        next(steps)
    with pytest.raises(SourceDataError, match=r"declared by host=, but its function cannot be pickled"):
        Loader(Mapped(lambda i: {"f": lambda: i, "y": i}), batch_size=4, host=("f",))
    for wrong, words in (
        ({"host": "id"}, "must be a tuple or list of leaves"),
        ({"host": ["name"]}, "host names 'name', but samples have no such leaf; they have: 'x', 'path', 'id'"),
        ({"ragged": ["path"]}, "names 'path', whose shape cannot differ: it stays on the host"),
    ):
        with pytest.raises(ConfigError, match=words):
            Loader(Mapped(named), batch_size=4, **{"host": ("id", ("more", 1)), **wrong})


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn])
def test_arrays_of_bfloat16(dtype):
    def of_type(index):
        return {"x": np.arange(index, index + 3).astype(dtype), "one": dtype(index), "r": np.ones(index, dtype)}

    with Loader(Mapped(of_type), lambda batch, keys: batch, batch_size=4, workers=1, ragged=["r"], epochs=1) as loader:
        for batch in (*loader, loader.at(0)):
            spec = jax.tree.map(lambda leaf: leaf.dtype, loader.element_spec)
            assert jax.tree.map(lambda leaf: leaf.dtype, batch) == spec and spec["x"] == jnp.dtype(dtype)
    expected = np.stack([of_type(k)["x"] for k in range(4)])
    np.testing.assert_array_equal(batch["x"], expected)
    assert batch["one"].astype(float).tolist() == [0, 1, 2, 3] and batch["r"][1].tolist() == [[0], [1], [2], [3]]
    np.testing.assert_array_equal(
        next(iter(Loader(Mapped(of_type), batch_size=4, workers=0, ragged=["r"])))["x"], expected
    )


def test_arrays_of_several_types():
    loader = Loader(Mapped(lambda i: np.ones(2, np.uint16 if i == 2 else ml_dtypes.bfloat16)), batch_size=4, workers=0)
    with pytest.raises(SourceDataError, match="expected bfloat16 in 'sample', as the first sample has it, got uint16"):
        next(iter(loader))


def test_paths_alone_are_a_mistake():
    with pytest.raises(
        SourceDataError, match=r"'a.jpg', holds only what stays on the host.*open\(path, 'rb'\).read\(\)"
    ):
        Loader(["a.jpg", "b.jpg"], batch_size=2)
    for data in ("train/", b"train"):
        with pytest.raises(
            ConfigError, match=r"got b?'train/?'; the images of a folder are jaxdali.source.ImageFolder"
        ):
            Loader(data, batch_size=2)


@pytest.mark.parametrize("compute", [lambda name: name + "!", lambda name: name[:2], len, jax.numpy.asarray])
def test_strings_are_not_computed_with_in_augment(compute):
    data = [{"x": np.float32(k), "name": f"n{k}"} for k in range(4)]
    with pytest.raises(ConfigError, match="'name' holds strings or other objects, which stay on the host"):
        Loader(data, lambda batch, keys: (batch["x"], compute(batch["name"])), batch_size=2, workers=0)
