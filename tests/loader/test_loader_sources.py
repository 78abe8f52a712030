"""Data made of other data, with random numbers, or in an order of their own: the same steps for every reader."""

import jax
import numpy as np
import pytest
from front_sources import Noisy, Rows, draw_again, refuse
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from jaxdali import ConfigError, Loader, source
from jaxdali.source import WeightedSampler
from jaxdali.types import sample_info_type


@pytest.fixture(scope="module")
def sharding():
    return NamedSharding(Mesh(np.array(jax.devices("cpu")[:2]), "x"), PartitionSpec("x"))


OPTIONS = {"batch_size": 4, "shuffle": True, "seed": 3, "epochs": 2}


def test_random_numbers_are_the_same_whoever_reads(sharding):
    data = source.map(source.mix(Noisy(), source.subset(Noisy(), [9]), weights=[3, 1]), draw_again)
    alone = [jax.tree.map(np.asarray, batch) for batch in Loader(data, workers=0, **OPTIONS)]
    for options in ({"workers": 2}, {"workers": 0, "sharding": sharding}):
        with Loader(data, **options, **OPTIONS) as loader:
            loader.seek(1)
            for batch, expected in zip(loader, alone[1:], strict=True):
                jax.tree.map(np.testing.assert_array_equal, batch, expected)
    rng = sample_info_type(3)(5, 0, 0, 1).rng  # the sample at position 5 of epoch 1
    np.testing.assert_array_equal(alone[3 + 1]["noise"][1], rng.random(2).astype(np.float32))
    assert alone[3 + 1]["again"][1] == np.float32(rng.random())
    assert len(np.unique(np.concatenate([batch["noise"] for batch in alone]))) == 2 * 2 * 11
    np.testing.assert_array_equal(alone[2]["again"][3], alone[2]["again"][0], "padding repeats a row as it is")


def test_errors_name_the_sample_of_the_inner_source():
    data = source.concat(Noisy(), source.map(source.subset(Noisy(), [7]), refuse))
    with (
        Loader(data, batch_size=4, workers=1) as loader,
        pytest.raises(ValueError, match="noisy/7"),
    ):
        loader.seek(2)
        next(iter(loader))


def test_a_sampler_orders():
    sampler = WeightedSampler(np.arange(10), length=8, seed=1)
    loader = Loader(Rows(10), batch_size=4, sampler=sampler, epochs=2, workers=0)
    assert loader.steps_per_epoch == 2
    found = np.concatenate([batch[:, 0] for batch in loader])
    expected = [sampler.indices(epoch, np.arange(8)) for epoch in range(2)]
    np.testing.assert_array_equal(found, np.concatenate(expected))
    record = loader.get_state()
    Loader(Rows(10), batch_size=4, sampler=sampler, workers=0).set_state(record)
    with pytest.raises(ConfigError, match="taken with sampler='WeightedSampler', here it is None"):
        Loader(Rows(8), batch_size=4, workers=0).set_state(record)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"sampler": [3, 1]}, r"indices\(epoch, positions\).*got list. A fixed order is jaxdali.source.subset"),
        ({"sampler": WeightedSampler([1]), "shuffle": True}, "sampler= and shuffle=True both set the order"),
    ],
)
def test_refused(arguments, words):
    with pytest.raises(ConfigError, match=words):
        Loader(Rows(10), batch_size=4, **arguments)


class Asked:
    """An order given by a function of positions."""

    def __init__(self, function):
        self.indices = lambda epoch, positions: function(positions)

    def __len__(self) -> int:
        return 8


def test_what_is_no_order_is_refused():
    for data in (Rows(8), source.Arrays(x=np.arange(8))):
        for function, found in ((lambda places: places[:-1], "int64"), (lambda places: places * 1.0, "float64")):
            words = (
                rf"the sampler, Asked, was asked .* returned {found}\[\d\]; expected int64\[\d\], indices of samples"
            )
            with pytest.raises(ConfigError, match=words):
                next(iter(Loader(data, batch_size=4, sampler=Asked(function), workers=0)))
    assert len(list(Loader(Rows(8), batch_size=4, sampler=Asked(list), workers=0, epochs=1))) == 2
