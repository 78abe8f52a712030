"""Rows mixed across the global batch, and batches stacked by device: the same on any number of devices."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from front_sources import Mapped
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import jaxdali
from jaxdali import ConfigError, Loader

CPUS = jax.devices("cpu")


def image(index):
    return {"x": np.random.default_rng(index).random((6, 6, 3), np.float32), "y": index % 3, "name": f"n{index}"}


def augment(batch, keys):
    return {"x": batch["x"] - 0.5, "y": jax.nn.one_hot(batch["y"], 3), "name": batch["name"]}


def mix(batch, key):
    images, labels = jaxdali.random.mixup(key, batch["x"], batch["y"], alpha=1.0)
    distances = jnp.square(batch["x"][:, None] - batch["x"]).max(axis=(2, 3, 4))
    nearest = jnp.argmin(distances + 9 * jnp.eye(len(images)), axis=1)  # of the other rows
    return {"x": images - batch["x"][nearest], "y": labels, "name": batch["name"]}


def sharding(devices):
    return NamedSharding(Mesh(np.array(CPUS[:devices]), "x"), PartitionSpec("x"))


OF_EACH = {"x": sharding(2), "y": sharding(2), "name": sharding(2)}
OPTIONS = {"batch_size": 8, "shuffle": True, "seed": 5, "epochs": 2, "workers": 0}


def test_the_same_mixture_on_any_number_of_devices():
    alone = Loader(Mapped(image, 16), augment, mix=mix, **OPTIONS)
    batches = list(alone)
    plain = list(Loader(Mapped(image, 16), augment, **OPTIONS))
    for batch, before in zip(batches, plain, strict=True):
        assert jax.tree.structure(batch) == jax.tree.structure(alone.element_spec)
        assert not np.allclose(batch["x"], before["x"]) and (batch["name"] == before["name"]).all()
        np.testing.assert_allclose(batch["y"].sum(axis=1), 1, rtol=1e-6)
    assert len({np.asarray(batch["y"]).tobytes() for batch in batches}) == 4, "each batch has a key of its own"
    for devices, place in ((8, sharding(8)), (2, OF_EACH)):
        loader = Loader(Mapped(image, 16), augment, mix=mix, sharding=place, **OPTIONS)
        loader.seek(2)
        for batch, expected in zip(loader, batches[2:], strict=True):
            for leaf in "xy":  # bit for bit
                np.testing.assert_array_equal(batch[leaf], expected[leaf])
            assert len(batch["x"].sharding.device_set) == devices


def test_mixtures_on_the_mesh_that_jax_makes():
    """Its axes are Explicit: JAX refuses to guess how the rows of another order are cut."""

    def mixed(batch, key):
        for_images, for_windows = jax.random.split(key)
        images, labels = jaxdali.random.mixup(for_images, batch["x"], batch["y"])
        images, labels = jaxdali.random.cutmix(for_windows, images, labels)
        return {"x": images, "y": labels, "name": batch["name"]}

    expected = list(Loader(Mapped(image, 16), augment, mix=mixed, **OPTIONS))
    mesh = jax.make_mesh((4,), ("x",))
    assert mesh.axis_types == (jax.sharding.AxisType.Explicit,)
    place = NamedSharding(mesh, PartitionSpec("x"))
    with jax.set_mesh(mesh):
        batches = list(Loader(Mapped(image, 16), augment, mix=mixed, sharding=place, **OPTIONS))
    for batch, wanted in zip(batches, expected, strict=True):
        np.testing.assert_array_equal(batch["x"], wanted["x"])
        # The suite's XLA flags let two programs contract a product and a sum differently; with XLA's own, these are equal.
        np.testing.assert_allclose(batch["y"], wanted["y"], rtol=1e-6)
        for leaf in "xy":
            assert batch[leaf].sharding.is_equivalent_to(place, batch[leaf].ndim)


OTHER_MESHES = {
    "more devices": lambda: jax.make_mesh((8,), ("d",)),
    "another order": lambda: Mesh(np.array(CPUS[1::-1]), ("x",)),
    "other axes": lambda: jax.make_mesh((2,), ("d",), devices=CPUS[:2]),
}


@pytest.mark.parametrize("other", OTHER_MESHES)
def test_mixtures_where_users_have_set_another_mesh(other):
    """For the model, while a Loader for evaluation, say, has two devices."""

    def doubled(batch, keys):
        return batch * 2

    def backward(batch, key):
        return batch[::-1]

    data = [np.float32(k) for k in range(8)]
    for options in ({"sharding": sharding(2)}, {"devices": CPUS[:2]}):
        loader = Loader(data, doubled, mix=backward, batch_size=4, workers=0, **options)
        plain = Loader(data, doubled, batch_size=4, workers=0, **options)
        with jax.set_mesh(OTHER_MESHES[other]()):
            assert np.ravel(next(iter(loader))).tolist() == [6, 4, 2, 0]
            assert np.ravel(next(iter(plain))).tolist() == [0, 2, 4, 6]
            assert np.ravel(loader.mask(0)).tolist() == [True] * 4
            made_there = Loader(data, doubled, mix=backward, batch_size=4, workers=0, **options)
            assert np.ravel(next(iter(made_there))).tolist() == [6, 4, 2, 0]


def test_a_mixture_may_name_the_axes_of_the_users_mesh():
    mesh = Mesh(np.array(CPUS[:2]), ("d",))

    def constrained(batch, key):
        return jax.lax.with_sharding_constraint(batch[::-1], PartitionSpec("d"))

    with jax.set_mesh(mesh):
        loader = Loader(
            [np.float32(k) for k in range(4)], mix=constrained, batch_size=4, workers=0, sharding=sharding(2)
        )
        assert next(iter(loader)).tolist() == [3, 2, 1, 0]


def test_devices_stack_batches_for_pmap():
    loader = Loader(Mapped(image, 12), augment, devices=CPUS[:4], **OPTIONS)
    plain = Loader(Mapped(image, 12), augment, **OPTIONS)
    double = jax.pmap(lambda x: 2 * x, devices=CPUS[:4])
    for step, (batch, expected) in enumerate(zip(loader, plain, strict=True)):
        assert jax.tree.map(lambda leaf: leaf.shape, batch) == jax.tree.map(
            lambda leaf: leaf.shape, loader.element_spec
        )
        assert batch["x"].shape == (4, 2, 6, 6, 3)
        np.testing.assert_array_equal(double(batch["x"]).reshape(8, 6, 6, 3), 2 * expected["x"])
        assert batch["name"].ravel().tolist() == expected["name"].tolist()
        np.testing.assert_array_equal(np.ravel(loader.mask(step)), plain.mask(step))
    assert loader.mask(1).shape == (4, 2) and [d for s in batch["x"].addressable_shards for d in [s.device]] == CPUS[:4]


def test_mixup_and_cutmix():
    images = jnp.asarray(np.stack([np.full((8, 8, 1), k, np.float32) for k in range(4)]))
    labels = jax.nn.one_hot(jnp.arange(4), 4)
    values = jnp.arange(4, dtype=jnp.float32)
    both = jax.jit(lambda key: [mix(key, images, labels) for mix in (jaxdali.random.mixup, jaxdali.random.cutmix)])
    for mixed, shares in both(jax.random.key(3)):
        # Each class has the share of an image that its label says.
        np.testing.assert_allclose(np.asarray(mixed).mean(axis=(1, 2, 3)), shares @ values, atol=1e-5)
        assert (shares >= 0).all() and (np.asarray(shares) < 1).all(axis=1).any()
    assert (np.asarray(both(jax.random.key(1))[0][1]).diagonal() >= 0.5).all()
    for arguments, words in (
        ((images, jnp.arange(4)), r"expects labels of a float type, \[N, ...\], got int32\[4\]; jax.nn.one_hot"),
        ((images, labels[:3]), "expects a label for each image, got 3 for 4"),
        ((images.astype(np.uint8), labels), "expects images of a float type"),
        (({"x": images}, labels), "expects images as one array, got dict; calls with equal keys mix alike"),
        ((images, (labels, labels)), "expects labels as one array, got tuple"),
    ):
        with pytest.raises(ConfigError, match=words):
            jaxdali.random.mixup(jax.random.key(0), *arguments)
    with pytest.raises(ConfigError, match="alpha must be positive, got 0"):
        jaxdali.random.cutmix(jax.random.key(0), images, labels, alpha=0)
    with pytest.raises(ConfigError, match=r"cutmix expects images \[N, H, W, C\]"):
        jaxdali.random.cutmix(jax.random.key(0), labels, labels)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"mix": 3}, r"mix must be a function of \(batch, key\), got 3"),
        ({"mix": lambda batch, key: None}, r"mix must return arrays with a row per sample, \[8, ...\], got None"),
        (
            {"mix": lambda batch, key: {"x": batch["x"][:2]}},
            r"got shape \(2, 6, 6, 3\) of \['x'\] for a batch of 8 rows",
        ),
        ({"mix": lambda batch, key: batch["x"].mean()}, r"got shape \(\) of the batch for a batch of 8 rows"),
        ({"devices": []}, "devices= expects distinct jax.Devices"),
        ({"devices": CPUS[:1] * 2}, "devices= expects distinct jax.Devices"),
        ({"devices": CPUS[:3]}, "batch_size=8 is that of the global batch"),
        ({"devices": CPUS[:2], "device": CPUS[0]}, "devices= excludes device= and sharding="),
        (
            {
                "mix": lambda batch, key: {"z": batch["x"]},
                "sharding": {"x": sharding(2), "y": sharding(2), "name": sharding(2)},
            },
            "sharding= does not fit what mix returns",
        ),
    ],
)
def test_refused(arguments, words):
    with pytest.raises(ConfigError, match=words):
        Loader(Mapped(image), augment, **arguments, **OPTIONS)
