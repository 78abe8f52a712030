"""`Loader(sharding=)`: the same steps under any sharding, and each row where it belongs."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from case_names import plain
from front_pipelines import resized_images, small_images
from front_sources import Folder, Rows
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec
from jpeg_files import pillow_jpeg

import jaxdali
from jaxdali import ConfigError, DecodeError, Loader, SourceDataError
from jaxdali._run.executor.device_io.device_placement import SeveralDevices
from jaxdali.image import decode

P = PartitionSpec


@pytest.fixture(scope="module")
def mesh():
    return Mesh(np.array(jax.devices("cpu")[:8]).reshape(2, 2, 2), ("x", "y", "z"))


def assert_equal(one, two):
    jax.tree.map(np.testing.assert_array_equal, one, two)


OPTIONS = {"batch_size": 8, "shuffle": True, "seed": 3, "epochs": 2, "workers": 0}


@pytest.fixture(scope="module")
def alone():
    steps = list(Loader(Folder(), small_images, **OPTIONS).enumerate())
    assert len(steps) == 4
    return steps


@pytest.mark.parametrize("on_error", ["raise", "zeros"])
@pytest.mark.parametrize(
    "spec", [P("x"), P(("x", "y")), P(("z", "y", "x")), P(("x", "y", "z")), P(None), P()], ids=plain
)
def test_steps_are_the_same_under_any_sharding(mesh, alone, spec, on_error):
    sharding = NamedSharding(mesh, spec)
    loader = Loader(Folder(), small_images, sharding=sharding, on_error=on_error, **OPTIONS)
    for (step, batch), (expected_step, expected) in zip(loader.enumerate(), alone, strict=True):
        assert step == expected_step
        assert_equal(batch, expected)
        for leaf in jax.tree.leaves(batch):
            assert leaf.sharding == sharding
            for shard in leaf.addressable_shards:
                np.testing.assert_array_equal(shard.data, np.asarray(leaf)[shard.index])


def test_resized_images_are_the_same_on_any_number_of_devices(mesh):
    expected, found = (
        list(Loader(Folder(), resized_images, sharding=sharding, **OPTIONS))
        for sharding in (None, NamedSharding(mesh, P(("x", "y"))))
    )
    assert_equal(found, expected)


def test_every_leaf_may_have_a_sharding_of_its_own(mesh, alone):
    sharding = {
        "x": NamedSharding(mesh, P(("x", "y"), None, "z")),
        "y": NamedSharding(mesh, P()),
        "u": NamedSharding(mesh, P("z")),
    }
    loader = Loader(Folder(), small_images, sharding=sharding, **OPTIONS)
    spec = loader.element_spec
    assert {name: leaf.sharding for name, leaf in spec.items()} == sharding
    for (_, batch), (_, expected) in zip(loader.enumerate(), alone, strict=True):
        assert_equal(batch, expected)
        assert jax.tree.map(lambda leaf: (leaf.shape, leaf.dtype, leaf.sharding), batch) == jax.tree.map(
            lambda leaf: (leaf.shape, leaf.dtype, leaf.sharding), spec
        )


@pytest.mark.parametrize("order", [1, -1], ids=["as the devices", "reversed"])
@pytest.mark.parametrize("axis_types", [AxisType.Auto, AxisType.Explicit], ids=["auto", "explicit"])
@pytest.mark.parametrize("augment", [None, lambda batch, keys: {"double": batch * 2, "row": batch}])
def test_a_part_for_each_device_has_the_sharding_that_was_asked_for(order, axis_types, augment):
    devices = np.array(jax.devices("cpu")[:8][::order])
    sharding = NamedSharding(Mesh(devices, ("data",), axis_types=(axis_types,)), P("data"))
    given = list(Loader(Rows(21), augment, batch_size=8, sharding=sharding, epochs=1, workers=0))
    alone = list(Loader(Rows(21), augment, batch_size=8, epochs=1, workers=0))
    assert len(given) == 3
    assert_equal(given, alone)
    for leaf in jax.tree.leaves(given):
        assert leaf.sharding == sharding
        for shard in leaf.addressable_shards:
            np.testing.assert_array_equal(shard.data, np.asarray(leaf)[shard.index])


@pytest.mark.parametrize("workers", [1, 3])
def test_workers_change_nothing(mesh, alone, workers):
    options = {**OPTIONS, "workers": workers}
    with Loader(Folder(), small_images, sharding=NamedSharding(mesh, P("y")), **options) as loader:
        for (_, batch), (_, expected) in zip(loader.enumerate(), alone, strict=True):
            assert_equal(batch, expected)


def test_a_prefix_of_the_batch_will_do(mesh):
    sharding = (NamedSharding(mesh, P("x")), NamedSharding(mesh, P("y")))

    def augment(batch, keys):
        return {"a": batch, "b": [batch + 1]}, jaxdali.random.uniform(keys)

    pair, numbers = next(iter(Loader(Rows(16), augment, batch_size=8, sharding=sharding, workers=0)))
    assert pair["b"][0].sharding == pair["a"].sharding == sharding[0] and numbers.sharding == sharding[1]
    np.testing.assert_array_equal(pair["b"][0][:, 0], 1 + np.arange(8))


def test_without_augment_arrays_are_cut_as_they_come(mesh):
    loader = Loader(Rows(16), batch_size=8, sharding=NamedSharding(mesh, P("x")), workers=0)
    batch = next(iter(loader))
    assert batch.sharding == NamedSharding(mesh, P("x"))
    np.testing.assert_array_equal(batch[:, 0], np.arange(8))


def test_arrays_may_be_donated_and_never_change(mesh):
    sharding = NamedSharding(mesh, P(("x", "y", "z")))
    loader = Loader(Rows(400), batch_size=8, sharding=sharding, workers=1)
    with loader:
        steps = iter(loader)
        held = [next(steps) for _ in range(30)]
        step = jax.jit(lambda x: 2 * x, donate_argnums=0)
        doubled = [step(batch) for batch in held[::2]]
        for k, batch in enumerate(doubled):
            assert batch[0, 0] == 2 * 8 * 2 * k
        for k, batch in enumerate(held[1::2]):
            np.testing.assert_array_equal(batch[:, 0], 8 * (2 * k + 1) + np.arange(8))


def test_programs_need_no_gather(mesh):
    sharding = NamedSharding(mesh, P("x"))
    batch = next(iter(Loader(Folder(), small_images, sharding=sharding, **OPTIONS)))

    def step(batch):
        return batch["x"].astype(jnp.float32).mean(axis=(1, 2, 3))

    text = jax.jit(step).lower(batch).compile().as_text()
    assert "all-gather" not in text and "all-to-all" not in text


class Broken:
    """Some images are cut off."""

    def __init__(self, *bad, length=16):
        self.bad, self.length = bad or (5,), length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        file = pillow_jpeg(24, 24, seed=index)
        return {"image": file[:100] if index in self.bad else file}


@pytest.fixture(params=["is waited for", "is dispatched"])
def fails_when(request, monkeypatch):
    """Programs fail when they are waited for, or when they are dispatched, as on GPUs."""
    if request.param == "is dispatched":
        call = SeveralDevices.call
        at_once = lambda *operands: jax.block_until_ready(call(*operands))  # noqa: E731
        monkeypatch.setattr(SeveralDevices, "call", at_once)


def small(batch, keys):
    return decode(batch["image"], (24, 24))


@pytest.mark.parametrize("bad", [(5,), (7, 5, 6)], ids=len)
def test_a_bad_image_is_named_wherever_it_lies(mesh, bad, fails_when):
    data, sharding = Broken(*bad), NamedSharding(mesh, P(("x", "y")))
    loader = Loader(data, small, batch_size=8, sharding=sharding, workers=0)
    for _ in range(2):
        loader.seek(0)
        with pytest.raises(DecodeError) as caught:
            next(iter(loader))
        assert caught.value.sample_index == 5 and "data[5]" in caught.value.__notes__[0]
    assert loader.stats().images_failed == {"TRUNCATED": 2 * len(bad)}
    expected = Loader(data, small, batch_size=8, workers=0)
    expected.seek(1)
    assert_equal(next(iter(loader)), next(iter(expected)))
    zeros = next(iter(Loader(data, small, batch_size=8, sharding=sharding, on_error="zeros", workers=0)))
    assert [bool(image.any()) for image in zeros] == [index not in bad for index in range(8)]


def test_failures_count_when_their_batch_is_due(mesh, fails_when):
    data, sharding = Broken(12, 13, 16, length=17), NamedSharding(mesh, P(("x", "y")))
    with Loader(data, small, batch_size=8, sharding=sharding, prefetch=3, epochs=1, workers=0) as loader:
        steps = iter(loader)
        next(steps)
        assert loader.stats().images_failed == {}
        with pytest.raises(DecodeError, match=r"1 more in this batch") as caught:
            next(steps)
        assert caught.value.sample_index == 12 and loader.stats().images_failed == {"TRUNCATED": 2}
        with pytest.raises(DecodeError) as caught:  # of a batch whose other rows are padding
            next(steps)
        assert caught.value.sample_index == 16 and "more" not in str(caught.value)
        assert loader.stats().images_failed == {"TRUNCATED": 3}


def test_images_may_be_decoded_where_jax_cannot_note_what_failed(mesh, fails_when):
    def augment(batch, keys):
        levels = jnp.arange(2, dtype=jnp.uint8)
        return jax.vmap(lambda level: decode(batch["image"], (24, 24)) + level, out_axes=1)(levels)

    sharding = NamedSharding(mesh, P("x"))
    loader = Loader(Broken(8, 9), augment, batch_size=8, sharding=sharding, workers=0)
    steps = iter(loader)
    assert_equal(next(steps), next(iter(Loader(Broken(8, 9), augment, batch_size=8, workers=0))))
    with pytest.raises(DecodeError, match="one of the samples 8, 12:"):
        next(steps)


def test_a_call_that_raises_by_itself_names_those_that_it_may_be(mesh):
    def augment(batch, keys):
        return decode(batch["image"], (24, 24), on_error="raise")

    loader = Loader(Broken(), augment, batch_size=8, sharding=NamedSharding(mesh, P("x")), workers=0)
    with pytest.raises(DecodeError, match="one of the samples 1, 5:"):
        next(iter(loader))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"sharding": 3}, "expects a jax.sharding.Sharding, .* or a pytree of them; got 3"),
        ({"sharding": "x", "device": "cpu"}, "exclude each other"),
        ({"sharding": "xyz", "batch_size": 12}, "batch_size=12 is that of the global batch.* multiple of 8"),
        ({"sharding": {"a": "x"}}, "does not fit what the Loader gives"),
        (
            {"sharding": "too_many"},
            r"of shape \(8, .\) does not fit its sharding .* names 3 axes, and the array has 2. Give a pytree of shardings",
        ),
        (
            {"sharding": "second", "data": list(range(16))},
            "names 2 axes, and the array has 1. Give a pytree of shardings",
        ),
        ({"sharding": "x", "augment": lambda batch, keys: batch.sum()}, "has no first axis to shard"),
        (
            {"sharding": "x", "augment": lambda batch, keys: jnp.concatenate([batch, batch])},
            r"has 8 rows for 4 samples of a device;.*return \[4, 2, ...\], or several arrays",
        ),
        ({"sharding": "x", "data": Folder(), "augment": None}, "decode them in augment"),
    ],
    ids=plain,
)
def test_refused(mesh, arguments, words):
    named = {"x": P("x"), "xyz": P(("x", "y", "z")), "too_many": P("x", None, "y"), "second": P(None, "x")}
    values = jax.tree.map(
        lambda value: NamedSharding(mesh, named[value]) if value in named else value,
        arguments["sharding"],
    )
    device = {"device": jax.devices("cpu")[0]} if "device" in arguments else {}
    options = {
        "data": Rows(16),
        "augment": None,
        "batch_size": 8,
        "workers": 0,
        **arguments,
        **device,
        "sharding": values,
    }
    with pytest.raises(ConfigError, match=words):
        Loader(**options)


class Ragged:
    def __len__(self):
        return 16

    def __getitem__(self, index):
        return {"x": np.arange(1 + index // 8 * (index % 3), dtype=np.float32)}


def test_ragged_arrays_are_cut_as_they_come(mesh):
    options = {"batch_size": 8, "workers": 0, "epochs": 1, "ragged": ["x"]}
    sharding = NamedSharding(mesh, P("x"))
    for augment in (None, lambda batch, keys: {"x": batch["x"][0].sum(axis=1), "pair": batch["x"]}):
        alone = Loader(Ragged(), augment, **options)
        cut = Loader(Ragged(), augment, sharding=sharding, **options)
        for expected, batch in zip(alone, cut, strict=True):
            assert_equal(batch, expected)
            assert jax.tree.structure(batch) == jax.tree.structure(cut.element_spec)
            assert all(leaf.sharding == sharding for leaf in jax.tree.leaves(batch))


def test_ragged_arrays_that_nobody_declared_are_refused(mesh):
    loader = Loader(Ragged(), batch_size=8, workers=0, epochs=1, sharding=NamedSharding(mesh, P("x")))
    steps = loader.enumerate()
    next(steps)
    with pytest.raises(SourceDataError, match=r"ragged=\('x',\)"):
        next(steps)


def test_an_interrupt_before_a_step_is_handed_out_does_not_lose_it(mesh, monkeypatch):
    loader = Loader(Rows(16), batch_size=8, workers=0, sharding=NamedSharding(mesh, P("x")))

    def interrupted(*_):
        monkeypatch.undo()
        raise KeyboardInterrupt

    steps = loader.enumerate()
    monkeypatch.setattr(type(loader._output_sharding), "assemble", interrupted)
    with pytest.raises(KeyboardInterrupt):
        next(steps)
    assert next(steps)[0] == 0


def test_memory_of_the_host_is_refused(mesh):
    sharding = NamedSharding(mesh, P("x"), memory_kind="pinned_host")
    with pytest.raises(ConfigError, match="memory kind that devices do not compute in"):
        Loader(Rows(16), batch_size=8, sharding=sharding, workers=0)
