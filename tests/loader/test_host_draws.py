"""What augment and mix draw with NumPy while JAX traces them is the same in every batch: a warning says so."""

import functools
import random
import warnings

import jax.numpy as jnp
import numpy as np
import pytest

from jaxdali import Loader

RNG = np.random.default_rng(0)
DATA = [{"x": np.float32(k)} for k in range(4)]


class Trainer:
    def augment(self, batch, keys):
        return {"x": batch["x"] + RNG.random()}


def of_a_module(batch, keys):
    return {"x": jnp.stack([RNG.normal() * row for row in batch["x"]])}


def partial(scale, batch, keys):
    return {"x": batch["x"] * scale * random.random()}


def make(function, name="augment"):
    return Loader(DATA, **{name: function}, batch_size=2, workers=0)


@pytest.mark.parametrize(
    ("function", "culprit"),
    [
        (lambda batch, keys: {"x": batch["x"] + np.random.uniform(size=2)}, "numpy.random"),
        (lambda batch, keys: {"x": batch["x"] * random.choice([1, 2])}, "Python's random"),
        (of_a_module, "RNG"),
        (Trainer().augment, "RNG"),
        (functools.partial(partial, 2), "Python's random"),
    ],
)
def test_draws_are_named(function, culprit):
    with pytest.warns(
        UserWarning, match=f"augment drew from {culprit} while JAX traced it.* jaxdali.random.uniform"
    ) as said:
        make(function)
    assert said[0].filename == __file__


def test_a_variable_of_an_enclosing_function_is_seen_and_mix_too():
    own = np.random.RandomState(3)

    def mixes(batch, key):
        return {"x": batch["x"] + own.rand()}

    with pytest.warns(UserWarning, match="mix drew from own .* its key"):
        make(mixes, "mix")


def test_constants_and_the_draws_of_others_are_not():
    RNG.random()
    fixed = RNG.random(2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make(lambda batch, keys: {"x": batch["x"] + fixed + np.random.default_rng(0).random()})
        system = random.SystemRandom()  # has no state that can be compared
        make(lambda batch, keys: {"x": batch["x"] + system.random()})
        make(None)
