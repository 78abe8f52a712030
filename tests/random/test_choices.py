"""Choices from several, permutations of a batch, and draws from beta distributions."""

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from draws_reference import draw_bits, sample_key

from jaxdali._device.image.logarithm import logarithm
from jaxdali.errors import ConfigError
from jaxdali.random import beta, choice, permutation, sample_keys

KEYS = sample_keys(7, 1, 0, np.arange(4000))
P = np.asarray([0.0, 0.25, 0.0, 0.75, 0.0], np.float32)


def test_a_choice_is_what_its_bits_say():
    words = np.asarray([draw_bits(sample_key(7, 1, 0, k), 5, 3) for k in range(8)], np.uint64)
    np.testing.assert_array_equal(choice(KEYS[:8], 1000, (3,)), words * np.uint64(1000) >> np.uint64(32))
    counts = jnp.arange(1, 9)
    found = np.asarray(choice(KEYS[:8], counts, (3,)))
    np.testing.assert_array_equal(found, words * np.arange(1, 9, dtype=np.uint64)[:, None] >> np.uint64(32))


def test_what_has_no_probability_never_comes():
    found = np.asarray(choice(KEYS, 5, p=P))
    assert set(found) == {1, 3} and abs((found == 1).mean() - 0.25) < 0.03
    traced = jax.jit(lambda p: choice(KEYS, 5, p=p))
    np.testing.assert_array_equal(traced(P), found)
    np.testing.assert_array_equal(traced(np.tile(P * 2, (4000, 1))), found)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"count": 0}, "at least 1"),
        ({"count": 2, "p": [0.5, -0.5]}, "below 0"),
        ({"count": 1, "p": [0.0]}, "all of them 0"),
    ],
)
def test_a_choice_of_nothing_is_an_error(arguments, said):
    with pytest.raises(ConfigError, match=said):
        choice(KEYS[:1], **arguments)


@pytest.mark.parametrize("count", [1, 2, 3, 50])
def test_permutations(count):
    plain, moved = (np.asarray(permutation(KEYS[:count], no_fixed_points=flag)) for flag in (False, True))
    every = np.arange(count)
    np.testing.assert_array_equal(np.sort(plain), every)
    np.testing.assert_array_equal(np.sort(moved), every)
    repeated = np.asarray(permutation(KEYS[:count], repetitions=True, no_fixed_points=True))
    assert ((repeated >= 0) & (repeated < count)).all()
    assert count == 1 or ((moved != every).all() and (repeated != every).all())


def test_betas_lie_between_0_and_1_and_end_where_they_end():
    drawn = jax.jit(functools.partial(beta, shape=(2,)))
    found = np.asarray(drawn(KEYS, jnp.linspace(1e-3, 50.0, 4000), jnp.full(4000, 0.5)))
    assert found.dtype == np.float32 and found.min() >= 0 and found.max() <= 1 and np.isfinite(found).all()
    near = np.asarray(drawn(KEYS, jnp.full(4000, 1e4), jnp.full(4000, 1e4)))
    assert abs(near.mean() - 0.5) < 1e-3 and 0.003 < near.std() < 0.004
    # Draws nearer to 1 than 2**-25 are 1, and no others: rounding twice would make it those nearer than 2**-24, 0.27.
    ends = np.asarray(drawn(KEYS, jnp.full(4000, 1e6), jnp.full(4000, 0.5)))
    assert abs((ends == 1).mean() - math.erf(math.sqrt(1e6 * 2**-25))) < 0.015
    with pytest.raises(ConfigError, match="above 0"):
        beta(KEYS, alpha=0.0)


def test_logarithms_are_near():
    x = np.exp(np.random.default_rng(0).uniform(-80, 80, 4000)).astype(np.float32)
    x = np.concatenate([x, np.linspace(0.5, 2, 4001, dtype=np.float32)])
    exact = np.log(x.astype(np.float64))
    assert (abs(np.asarray(logarithm(jnp.asarray(x))) - exact) <= 2e-7 * np.maximum(1, abs(exact))).all()
