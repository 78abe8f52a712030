"""`jaxdali.random.split`: a key for each of a sample's draws."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxdali
from jaxdali.errors import ConfigError
from jaxdali.random import coin_flip, normal, resized_crop_window, sample_keys, split, uniform


def words_of(keys):
    return np.asarray(jax.random.key_data(keys))


KEYS = sample_keys(42, 1, 2, np.arange(4000))


def test_they_are_a_function_of_key_and_number():
    parts = split(KEYS, 3)
    assert parts.shape == (3, 4000) and parts.dtype == KEYS.dtype and split(KEYS).shape == (2, 4000)
    for part in range(3):
        expected = jax.random.fold_in(jax.random.fold_in(KEYS[7], 0x73706C74), part)
        np.testing.assert_array_equal(words_of(parts[part, 7]), words_of(expected))
    np.testing.assert_array_equal(words_of(split(KEYS, 5)[:3]), words_of(parts))
    np.testing.assert_array_equal(words_of(split(KEYS[9:12], 3)), words_of(parts[:, 9:12]))
    np.testing.assert_array_equal(words_of(jax.jit(split, static_argnums=1)(KEYS, 3)), words_of(parts))


def test_golden():
    """These numbers must never change: a record of an old run must draw the same."""
    assert words_of(split(KEYS[:2], 2)).tolist() == GOLDEN


GOLDEN = [[[430955660, 1239477853], [2278172148, 2366673492]], [[950526549, 1225927467], [1055678315, 2796328915]]]


def test_draws_from_them_are_independent_and_differ_from_those_of_the_keys():
    parts = [KEYS, *split(KEYS, 3)]
    draws = [draw(part) for draw in (uniform, normal) for part in parts]
    draws += [coin_flip(part) for part in parts]
    draws += [resized_crop_window(part, np.full((4000, 3), 1000, np.int32))[:, 0] for part in parts]
    correlations = np.corrcoef(np.asarray([np.asarray(draw, np.float64) for draw in draws]))
    assert np.abs(correlations - np.eye(len(draws))).max() < 5 / np.sqrt(4000)
    everything = np.concatenate([words_of(part) for part in [*parts, *split(parts[1], 3)]])
    assert len(np.unique(everything, axis=0)) == len(everything)


def test_a_loaders_function_may_split():
    def augment(batch, keys):
        one, two = jaxdali.random.split(keys, 2)
        return uniform(one), uniform(two)

    one, two = next(iter(jaxdali.Loader(np.zeros((8, 1)), augment, batch_size=8, seed=3, workers=0)))
    keys = split(sample_keys(3, 0, 0, np.arange(8)))
    np.testing.assert_array_equal(one, uniform(keys[0]))
    np.testing.assert_array_equal(two, uniform(keys[1]))


@pytest.mark.parametrize(
    ("keys", "number", "words"),
    [
        (KEYS, 0, "number must be an integer, at least 1, got 0"),
        (KEYS, 1.5, "number must be an integer"),
        (KEYS[0], 2, r"expected threefry2x32 keys \[N\], one per sample"),
        (jnp.zeros((4, 2), jnp.uint32), 2, r"keys are uint32; expected typed keys"),
        (jax.random.split(jax.random.key(0, impl="rbg"), 3), 2, "expected threefry2x32 keys"),
    ],
    ids=["none", "fraction", "one key", "raw", "rbg"],
)
def test_refused(keys, number, words):
    with pytest.raises(ConfigError, match=words):
        split(keys, number)
