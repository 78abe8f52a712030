"""The position of a Loader as a record, and where a Loader can resume from it."""

import hashlib
import json

import jax
import jax.numpy as jnp
import numpy as np
import orbax_programs
import pytest
from front_pipelines import small_images
from front_sources import Folder, Rows
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from processes import run_program

from jaxdali import ConfigError, Loader, StateError, fingerprint, source

OPTIONS = {"batch_size": 4, "shuffle": True, "seed": 3, "epochs": 3}


def make(workers=0, parts=0, **options):
    if parts:
        mesh = Mesh(np.array(jax.devices("cpu")[:parts]), ("data",))
        options["sharding"] = NamedSharding(mesh, PartitionSpec("data"))
    return Loader(Folder(), small_images, workers=workers, **{**OPTIONS, **options})


@pytest.fixture(scope="module")
def straight():
    return [jax.device_get(batch) for batch in make()]


@pytest.mark.parametrize("parts", [0, 1, 2, 4])
def test_it_is_taken_up_at_any_step_on_any_number_of_devices(straight, parts):
    records = []
    before = make()
    for step, _ in before.enumerate():
        records.append(json.loads(json.dumps(before.get_state())))
        assert records[-1]["step"] == step + 1
    after = make(parts=parts)
    for step in [5, *range(len(straight))]:
        after.set_state(make_record(records, step))
        assert after.step == step
        for batch, expected in zip(after, straight[step:], strict=True):
            jax.tree.map(np.testing.assert_array_equal, batch, expected)
        assert after.get_state() == records[-1]


def make_record(records, step):
    """Returns the record for a step; for step 0 that of a new Loader."""
    return records[step - 1] if step else make().get_state()


def test_what_was_prefetched_does_not_count():
    with make(workers=2, prefetch=3) as loader:
        next(iter(loader))
        assert loader.get_state()["step"] == 1


def test_a_step_far_away_is_as_near_as_any():
    loader = Loader(Rows(10), batch_size=4, shuffle=True, seed=3, workers=0)
    record = loader.get_state()
    loader.set_state({**record, "step": 10**6})
    assert loader.get_state()["step"] == 10**6
    far = next(iter(loader))
    other = Loader(Rows(10), batch_size=4, shuffle=True, seed=3, workers=0)
    other.seek(10**6)
    np.testing.assert_array_equal(next(iter(other)), far)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seed": 4}, "taken with seed=3, here it is 4"),
        ({"batch_size": 2}, "taken with batch_size=4, here it is 2"),
        ({"shuffle": False}, "taken with shuffle=True, here it is False"),
        ({"last_batch": "drop"}, "taken with steps_per_epoch=4, here it is 3"),
    ],
)
def test_a_record_of_another_order_is_refused(options, words):
    with pytest.raises(ConfigError, match=words):
        make(**options).set_state(make().get_state())


@pytest.mark.parametrize("sampler", [source.WeightedSampler, source.RowGroupSampler])
def test_a_record_of_a_sampler_with_another_seed_is_refused(sampler):
    argument = np.arange(0, 41, 8) if sampler is source.RowGroupSampler else np.ones(40)
    one, two, same = (
        Loader(Rows(40), batch_size=4, sampler=sampler(argument, seed=seed), workers=0) for seed in (0, 1, 0)
    )
    record = one.get_state()
    same.set_state(record)
    with pytest.raises(ConfigError, match=r"taken with sampler\.seed=0, here it is 1"):
        two.set_state(record)
    two.set_state(record, ignore=("sampler",))


def test_records_of_version_2_are_taken_with_a_warning():
    data, weights = Rows(40), np.ones(40)
    made = (Loader(data, batch_size=4, sampler=source.WeightedSampler(weights, seed=s), workers=0) for s in (0, 1))
    one, two = made
    indices = source.WeightedSampler(weights).indices(0, np.arange(40)).astype("<i8")
    order = hashlib.blake2b(indices.tobytes(), digest_size=8).hexdigest()
    record = {**one.get_state(), "version": 2, "step": 3, "sampler": "WeightedSampler", "order": order}
    del record["data"]
    with pytest.warns(UserWarning, match="does not say which data") as caught:
        one.set_state(record)
    assert one.step == 3 and caught[0].filename == __file__
    with pytest.raises(ConfigError, match="taken with order="), pytest.warns(UserWarning):
        two.set_state(record)
    del record["order"]  # as in the oldest ones
    with pytest.warns(UserWarning):
        two.set_state(record)


def test_set_state_names_what_differs():
    """The table of what is told apart is in `tests/source/test_identity.py`."""
    a, b = Rows(20), Rows(20)

    def made(data, **options):
        return Loader(data, batch_size=4, workers=0, **options)

    with pytest.raises(ConfigError, match=r"taken with data\.indices=.*, here it is") as caught:
        made(source.subset(a, range(10, 20))).set_state(made(source.subset(a, [*range(10)])).get_state())
    assert "Samples would come twice or never" in str(caught.value) and "pass ignore=('data',)" in str(caught.value)
    mixed = made(source.mix(a, b, weights=[1, 3]))
    record = json.loads(json.dumps({**mixed.get_state(), "step": 7}))
    for weights, words in (([1, 1], r"data.weights='0.25, 0.75 \(.*\)', here it is '0.5, 0.5 "), ([2, 6], "")):
        other = made(source.mix(a, b, weights=weights))
        if words:
            with pytest.raises(ConfigError, match=words):
                other.set_state(record)
        other.set_state(record, ignore=("data",) if words else ())
        assert other.step == 7
    with pytest.raises(ConfigError, match="ignore= names fields of a state, some of samples, "):
        mixed.set_state(record, ignore=("weights",))
    with pytest.raises(ConfigError, match="ignore= names fields"):
        mixed.set_state(record, ignore="data")


def test_an_epoch_resumes_where_set_state_put_it():
    loader = Loader(Rows(20), batch_size=4, shuffle=True, seed=3, epochs=3, workers=0)
    straight = [np.asarray(batch) for batch in loader]
    spe = loader.steps_per_epoch
    for step in range(len(straight)):
        loader.set_state({**loader.get_state(), "step": step})
        found = []
        for number in range(loader.step // spe, 3):
            batches = loader.epoch(number)
            assert len(batches) == spe - (step + len(found)) % spe
            found += batches
        np.testing.assert_array_equal(np.stack(found), np.stack(straight[step:]))
    # Once a step was taken, an epoch begins anew.
    loader.seek(spe + 2)
    next(loader.enumerate())
    assert len(list(loader.epoch(1))) == spe and len(list(loader.epoch(0))) == spe


def test_the_state_of_a_batch_that_was_taken_ahead():
    loader = Loader(Rows(20), batch_size=4, shuffle=True, epochs=2, workers=0)
    steps = loader.enumerate()
    ahead = [next(steps) for _ in range(4)]
    step, _ = ahead[1]
    record = loader.get_state(step + 1)
    assert record == {**loader.get_state(), "step": 2}
    loader.set_state(record)
    np.testing.assert_array_equal(next(loader.enumerate())[1], ahead[2][1])
    with pytest.raises(ConfigError, match="step must be an integer"):
        loader.get_state(11)


@pytest.mark.parametrize("record", [None, 3, {}, {"step": 1}, {"version": 1}])
def test_what_is_no_record_is_refused(record):
    with pytest.raises(ConfigError):
        make().set_state(record)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        *[
            ({"step": step}, "step must be an integer")
            for step in ("1", None, 1.5, True, [1], np.array([1, 2]), 10**30)
        ],
        ({"seed": np.array([3, 3])}, "taken with seed=array"),
        ({"shuffle": 1}, "taken with shuffle=1, here it is True"),
        *[({"version": version}, "with a number as its 'version': ") for version in (2.0, None, "3", True, 0)],
        (
            {"version": 1},
            "has version 1, of an earlier jaxdali; this one reads versions 2 and 3: pass the state's step to",
        ),
        ({"version": 4}, "has version 4, of a later jaxdali; this one reads versions 2 and 3: update jaxdali, or"),
        ({"batch_size": None}, "taken with batch_size=None"),
    ],
    ids=str,
)
def test_a_record_from_elsewhere_is_refused(changes, words):
    for epochs in (3, None):
        loader = make(epochs=epochs)
        with pytest.raises(ConfigError, match=words):
            loader.set_state({**loader.get_state(), **changes})


def test_a_record_of_numpys_numbers_is_one():
    loader = make()
    record = {name: np.asarray(value)[()] for name, value in loader.get_state().items()}
    loader.set_state({**record, "step": np.int64(2)})
    assert loader.step == 2


def test_a_step_that_does_not_exist_is_refused():
    with pytest.raises(ConfigError, match="step must be an integer"):
        make().set_state({**make().get_state(), "step": 10**6})


@pytest.mark.parametrize(("workers", "parts"), [(0, 0), (2, 0), (0, 2)])
def test_any_step_can_be_made_once_more(straight, workers, parts):
    with make(workers=workers, parts=parts) as loader:
        jax.tree.map(np.testing.assert_array_equal, loader.at(4), straight[4])
        steps = loader.enumerate()
        for step, batch in zip(range(3), steps, strict=False):
            assert batch[0] == step
        jax.tree.map(np.testing.assert_array_equal, loader.at(1), straight[1])
        assert loader.step == 3 and next(steps)[0] == 3
        with pytest.raises(ConfigError, match="step must be an integer"):
            loader.at(len(straight))


@pytest.mark.parametrize("integer", [np.int64, jnp.int32, int], ids=["numpy", "jax", "python"])
def test_the_step_of_a_training_state_is_a_step(integer):
    """For example `state.step`, which is an array. The record has JSON's types all the same."""
    loader = make()
    loader.seek(integer(3))
    record = json.loads(json.dumps(loader.get_state()))
    assert record == loader.get_state() and record["step"] == 3
    jax.tree.map(np.testing.assert_array_equal, loader.at(integer(4)), loader.at(4))
    assert next(loader.enumerate())[0] == 3 and json.dumps(loader.get_state())


def test_a_state_travels_with_orbax(tmp_path):
    """As a JSON item next to the parameters; in processes of its own, because Orbax starts threads that stay."""
    expected = [[step, fingerprint(batch)] for step, batch in make().enumerate()]
    before, record, parameters = run_program(orbax_programs.save, str(tmp_path), 2)
    assert before == expected[:2] and record["step"] == 2
    restored, after = run_program(orbax_programs.restore, str(tmp_path))
    assert restored == parameters and after == expected[2:]


def test_a_seed_of_numpy_is_a_seed():
    loader = Loader(Rows(10), batch_size=4, shuffle=True, seed=np.int64(3), workers=0)
    assert (
        json.loads(json.dumps(loader.get_state()))
        == Loader(Rows(10), batch_size=4, shuffle=True, seed=3, workers=0).get_state()
    )


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("inside", [None, source.map, source.concat, source.mix, source.subset])
def test_data_that_grow_are_refused(workers, inside):
    if workers and inside is not None:
        return  # the check is in this process
    data = Rows(20)
    views = {
        None: data,
        source.map: lambda: source.map(data, abs),
        source.subset: lambda: source.subset(data, range(12)),
    }
    view = views.get(inside, lambda: inside(Rows(8), data))
    with Loader(view if inside is None else view(), batch_size=4, epochs=3, workers=workers) as loader:
        steps = iter(loader)
        next(steps)
        data.length += 1
        with pytest.raises(
            StateError, match=r"had 20 samples when the Loader was made, and have 21 now\..*make a new Loader"
        ):
            next(steps)
        assert loader.step == 1
