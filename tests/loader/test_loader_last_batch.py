"""The last batch of a Loader's epoch: full, with a mask; each sample once per epoch, on any devices."""

import hashlib
import json
import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from case_names import plain
from front_pipelines import masked_pixels
from front_sources import Folder, Rows, file, label
from hypothesis import given, settings
from hypothesis import strategies as st
from jax.sharding import Mesh, NamedSharding, PartitionSpec, SingleDeviceSharding

import jaxdali
from jaxdali import ConfigError, DecodeError, Loader
from jaxdali.image import decode

P = PartitionSpec
SAMPLES = 14  # in Folder


def over(devices, spec="data"):
    return NamedSharding(Mesh(np.array(jax.devices("cpu")[:devices]), ("data",)), P(spec))


def digest(batch):
    found = hashlib.sha256()
    for leaf in jax.tree.leaves(batch):
        found.update(np.ascontiguousarray(leaf).tobytes())
    return found.hexdigest()


OPTIONS = {"batch_size": 8, "shuffle": True, "seed": 3, "epochs": 2}


@pytest.fixture(scope="module")
def alone():
    return [jax.device_get(batch) for batch in Loader(Folder(), masked_pixels, workers=0, **OPTIONS)]


# EXACTNESS


def test_an_epoch_has_each_sample_once_under_the_mask(alone):
    assert [batch["mask"].sum() for batch in alone] == [8, 6, 8, 6]
    orders = []
    for epoch in (alone[:2], alone[2:]):
        labels = np.concatenate([batch["y"][batch["mask"], 0] for batch in epoch])
        orders.append(labels.tolist())
        assert sorted(labels) == [label(index)[0] for index in range(SAMPLES)]
        # Padding repeats the batch's own rows: real pixels, and the same draws.
        for leaf in jax.tree.leaves({**epoch[1], "mask": ()}):
            np.testing.assert_array_equal(leaf[6:], leaf[:2])
    assert orders[0] != orders[1]


@pytest.mark.parametrize("devices", [1, 2, 4, 8])
def test_it_is_the_same_on_any_number_of_devices(alone, devices):
    loader = Loader(Folder(), masked_pixels, workers=0, sharding=over(devices), **OPTIONS)
    assert len(loader) == 4
    spec = loader.element_spec["mask"]
    assert (spec.shape, spec.dtype, spec.sharding) == ((8,), bool, over(devices))
    for (step, batch), expected in zip(loader.enumerate(), alone, strict=True):
        assert digest(batch) == digest(expected)
        mask = loader.mask(step)
        assert mask.sharding == batch["mask"].sharding == over(devices)
        np.testing.assert_array_equal(mask, expected["mask"])


@pytest.mark.parametrize("workers", [0, 2])
def test_it_is_taken_up_at_the_last_batch(alone, workers):
    with Loader(Folder(), masked_pixels, workers=workers, prefetch=3, **OPTIONS) as loader:
        steps = loader.enumerate()
        next(steps)
        record = json.loads(json.dumps(loader.get_state()))  # the last batch of the epoch is on its way
        assert digest(next(steps)[1]) == digest(alone[1])
    after = Loader(Folder(), masked_pixels, workers=0, sharding=over(2), **OPTIONS)
    after.set_state(record)
    assert [digest(batch) for batch in after] == [digest(batch) for batch in alone[1:]]
    after.seek(3)
    assert digest(after.at(1)) == digest(alone[1])
    assert [digest(batch) for batch in after] == [digest(alone[3])]


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 30), st.integers(1, 9), st.sampled_from([0, 1, 2, 4, 8]), st.booleans())
def test_any_lengths(samples, rows, devices, shuffle):
    batch_size = rows * max(devices, 1)
    sharding = {"sharding": over(devices)} if devices else {}
    options = {"batch_size": batch_size, "epochs": 2, "shuffle": shuffle, "workers": 0, **sharding}
    loader = Loader(Rows(samples), **options)
    assert loader.steps_per_epoch == -(-samples // batch_size)
    seen = [[], []]
    for step, batch in loader.enumerate():
        mask = np.asarray(loader.mask(step))
        assert batch.shape == (batch_size, 2) and mask.shape == (batch_size,)
        values = np.asarray(batch)[:, 0]
        seen[step // loader.steps_per_epoch] += values[mask].tolist()
        assert set(values[~mask]) <= set(values[mask])
    assert [sorted(epoch) for epoch in seen] == [list(range(samples))] * 2
    assert loader.stats().samples == 2 * samples


def test_a_mean_under_the_mask_is_that_of_the_epoch():
    def augment(batch, keys, mask):
        return jnp.where(mask, batch[:, 0], 0).sum(), mask.sum()

    sums = np.array(list(Loader(Rows(21), augment, batch_size=8, epochs=1, workers=0)))
    assert sums.tolist() == [[28, 8], [92, 8], [90, 5]]


# HOW IT IS HANDED OUT


@pytest.mark.parametrize("samples", [8, 10])
def test_what_a_batch_holds_does_not_depend_on_the_lengths(samples):
    tree = jax.tree.structure(0)
    loader = Loader(Rows(samples), batch_size=4, epochs=1, workers=0)
    assert jax.tree.structure(loader.element_spec) == tree
    assert {jax.tree.structure(batch) for batch in loader} == {tree}
    loader.close()
    assert [int(loader.mask(step).sum()) for step in range(len(loader))] == [4, 4, 2][: len(loader)]
    with pytest.raises(ConfigError, match="step must be an integer, at least 0 and at most"):
        loader.mask(len(loader))


@pytest.mark.parametrize(
    ("options", "asks", "warned"),
    [
        ({}, False, 1),
        ({}, True, 0),
        ({"augment": lambda batch, keys, mask: {"x": batch, "mask": mask}}, False, 0),
        ({"last_batch": "mask"}, False, 0),
        ({"last_batch": "drop"}, False, 0),
        ({"samples": 8}, False, 0),
        ({"stream": True}, False, 1),
        ({"stream": True, "augment": lambda batch, keys, mask: {"x": batch, "mask": mask}}, False, 0),
    ],
    ids=plain,
)
def test_padding_that_nobody_asked_about_is_warned_of_once(options, asks, warned):
    options = dict(options)
    rows = Rows(options.pop("samples", 10))
    data = jaxdali.source.Iterable(lambda: map(rows.__getitem__, range(10))) if options.pop("stream", False) else rows
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        loader = Loader(data, options.pop("augment", None), batch_size=4, epochs=1, workers=0, **options)
        for step, _ in loader.enumerate():
            if asks:
                loader.mask(step)
    assert len(caught) == warned and all(warning.filename == __file__ for warning in caught)
    assert not warned or "was completed with rows that repeat others" in str(caught[0].message)


def test_dropped():
    options = {"batch_size": 4, "last_batch": "drop", "epochs": 1, "workers": 0}
    loader = Loader(Rows(10), lambda batch, keys, mask: (batch[:, 0], mask), **options)
    assert [rows.tolist() for rows, _ in loader] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert all(loader.mask(step).all() and loader.at(step)[1].all() for step in range(2))


class Standing:
    """A function of three parameters, as an object."""

    def __call__(self, batch, keys, *, mask):
        return mask


@pytest.mark.parametrize("augment", [Standing(), jax.jit(lambda batch, keys, mask: mask)], ids=["object", "jit"])
def test_a_parameter_of_that_name_asks_for_it(augment):
    loader = Loader(Rows(3), augment, batch_size=4, workers=0)
    assert next(iter(loader)).tolist() == [True, True, True, False]


def test_another_third_parameter_is_the_users_own():
    loader = Loader(Rows(3), lambda batch, keys, scale=3: batch[:, 0] * scale, batch_size=4, workers=0)
    assert next(iter(loader)).tolist() == [0, 3, 6, 0]


def test_where_the_mask_lies():
    device = jax.devices("cpu")[3]
    assert Loader(Rows(10), batch_size=4, workers=0, device=device).mask(2).devices() == {device}
    mesh = Mesh(np.array(jax.devices("cpu")[:4]).reshape(2, 2), ("x", "y"))
    rows, both = NamedSharding(mesh, P("x", "y")), NamedSharding(mesh, P(("x", "y")))
    options = {"batch_size": 4, "workers": 0}
    augment = lambda batch, keys: (batch, batch)  # noqa: E731
    assert Loader(Rows(10), augment, sharding=(rows, rows), **options).mask(2).sharding == NamedSharding(mesh, P("x"))
    mask = Loader(Rows(10), augment, sharding=(rows, both), **options).mask(2)
    assert mask.sharding == both and mask.tolist() == [True, True, False, False]
    single = SingleDeviceSharding(device)
    assert Loader(Rows(10), augment, sharding=single, **options).mask(2).sharding == single


@pytest.mark.parametrize("devices", [0, 4])
def test_nothing_is_transferred_by_itself(devices):
    options = {"sharding": over(devices)} if devices else {}
    loader = Loader(Rows(10), lambda batch, keys, mask: mask, batch_size=4, epochs=1, workers=0, **options)
    with jax.transfer_guard("disallow"):
        pairs = [(mask, loader.mask(step)) for step, mask in loader.enumerate()]
    for augmented, mask in pairs:
        np.testing.assert_array_equal(augmented, mask)


# ERRORS


class Damaged:
    """Ten samples, one of which is cut off."""

    def __init__(self, bad):
        self.bad = bad

    def __len__(self):
        return 10

    def __getitem__(self, index):
        data = file(index).tobytes()
        return {"image": data[:100] if index == self.bad else data}


def pixels(batch, keys, mask):
    return decode(batch["image"], (80, 80)), mask


@pytest.mark.parametrize("devices", [0, 4])
@pytest.mark.parametrize("bad", [1, 8, 9])
def test_a_bad_image_is_an_error_of_its_own_step_alone(bad, devices):
    options = {"sharding": over(devices)} if devices else {}
    loader = Loader(Damaged(bad), pixels, batch_size=4, epochs=1, workers=0, **options)
    steps = loader.enumerate()
    given = []
    for step in range(3):
        try:
            given.append(next(steps)[0])
        except DecodeError as error:
            assert (step, error.sample_index) == (bad // 4, bad) and f"data[{bad}]" in error.__notes__[0]
    assert len(given) == 2 and loader.stats().images_failed == {"TRUNCATED": 1}


@pytest.mark.parametrize("devices", [0, 4])
def test_zeros_are_counted_once_though_padding_repeats_them(devices):
    options = {"sharding": over(devices)} if devices else {}
    loader = Loader(Damaged(9), pixels, batch_size=4, epochs=1, workers=0, on_error="zeros", **options)
    images, mask = list(loader)[2]
    assert mask.tolist() == [True, True, False, False]
    assert images.any(axis=(1, 2, 3)).tolist() == [True, False, True, False]
    assert loader.stats().images_failed == {"TRUNCATED": 1} and loader.stats().samples == 10


class Raising(Rows):
    def __getitem__(self, index):
        if index == 1:
            raise LookupError("no such row")
        return super().__getitem__(index)


def test_padding_reads_no_sample_of_another_step():
    loader = Loader(Raising(10), batch_size=4, epochs=1, workers=0)
    with pytest.raises(LookupError, match="no such row"):
        next(iter(loader))
    loader.seek(1)
    assert [batch[:, 0].tolist() for batch in loader] == [[4, 5, 6, 7], [8, 9, 8, 9]]


def test_files_that_are_handed_out_are_padded_too():
    batch = Loader(Folder(), batch_size=16, workers=0).at(0)
    images = decode(batch["image"], (80, 80))
    assert isinstance(batch["image"], jaxdali.EncodedBatch) and batch["label"][14:, 0].tolist() == [0, 7]
    np.testing.assert_array_equal(images[14:], images[:2])
