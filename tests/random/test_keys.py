import jax
import jax.numpy as jnp
import numpy as np
import pytest
from configurations import CONFIGURATIONS
from draws_reference import sample_key, threefry2x32
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxdali._device.random.keys import sample_keys, to_words
from jaxdali.errors import ConfigError

SEED, OPERATOR, EPOCH = 2**40 + 3, 2**33 + 7, 2**35 + 1
INDICES = np.array([0, 1, 2**32 - 1, 2**32, 2**40 + 5], np.int64)
JITTED = jax.jit(sample_keys, static_argnums=1)


def words_of(keys):
    return np.asarray(jax.random.key_data(keys))


def test_the_oracle_by_the_vectors_of_random123():
    assert threefry2x32((0, 0), (0, 0)) == (0x6B200159, 0x99BA4EFE)
    assert threefry2x32((0xFFFFFFFF,) * 2, (0xFFFFFFFF,) * 2) == (0x1CB996FC, 0xBB002BE7)
    assert threefry2x32((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3)) == (
        0xC4923A9C,
        0x483DF7A0,
    )


def test_golden():
    """These numbers must never change: a record of an old run must draw the same."""
    got = words_of(sample_keys(42, 1, 2, np.array([0, 3])))
    assert got.tolist() == [[2933460781, 268700104], [628760983, 2583614944]]


@given(*[st.integers(0, 2**64 - 1)] * 3, st.lists(st.integers(0, 2**63 - 1), min_size=3, max_size=3))
@settings(max_examples=30, deadline=None)
def test_equals_the_oracle(seed, operator, epoch, indices):
    got = words_of(sample_keys(seed, operator, epoch, np.asarray(indices, np.int64)))
    assert got.tolist() == [list(sample_key(seed, operator, epoch, i)) for i in indices]


def test_typed_threefry_keys():
    keys = sample_keys(0, 0, 0, INDICES)
    assert jnp.issubdtype(keys.dtype, jax.dtypes.prng_key)
    assert str(jax.random.key_impl(keys)) == "threefry2x32"
    assert keys.shape == (5,)
    assert sample_keys(0, 0, 0, []).shape == (0,)


def test_words_and_integers_mean_the_same():
    expected = words_of(sample_keys(SEED, OPERATOR, EPOCH, INDICES))
    traced = JITTED(to_words(SEED), OPERATOR, to_words(EPOCH), to_words(INDICES))
    np.testing.assert_array_equal(words_of(traced), expected)
    listed = sample_keys(SEED, OPERATOR, np.int64(EPOCH), INDICES.tolist())
    np.testing.assert_array_equal(words_of(listed), expected)
    unsigned = sample_keys(np.uint64(SEED), OPERATOR, jnp.asarray(to_words(EPOCH)), INDICES)
    np.testing.assert_array_equal(words_of(unsigned), expected)


def test_a_key_depends_on_its_index_alone():
    keys = words_of(sample_keys(SEED, OPERATOR, EPOCH, INDICES))
    for k, index in enumerate(INDICES):
        alone = words_of(sample_keys(SEED, OPERATOR, EPOCH, np.array([index])))
        np.testing.assert_array_equal(alone[0], keys[k])
    order = [3, 1, 4, 0, 2, 2]
    permuted = words_of(sample_keys(SEED, OPERATOR, EPOCH, INDICES[order]))
    np.testing.assert_array_equal(permuted, keys[order])


@pytest.mark.parametrize("low", [0, 1, 5])
def test_every_number_counts_with_all_its_bits(low):
    arguments = [low, low, low, low]
    keys = {tuple(words_of(sample_keys(*arguments[:3], np.array([arguments[3]])))[0])}
    for place in range(4):
        for bit in (0, 31, 32, 62):
            changed = list(arguments)
            changed[place] ^= 1 << bit
            key = words_of(sample_keys(*changed[:3], np.array([changed[3]])))[0]
            keys.add(tuple(key))
    assert len(keys) == 1 + 4 * 4


@pytest.mark.parametrize("context", CONFIGURATIONS)
def test_no_configuration_of_jax_changes_a_key(context):
    expected = words_of(sample_keys(SEED, OPERATOR, EPOCH, INDICES))
    with context():
        got = sample_keys(SEED, OPERATOR, EPOCH, INDICES)
        np.testing.assert_array_equal(words_of(got), expected)
        got = JITTED(to_words(SEED), OPERATOR, to_words(EPOCH), to_words(INDICES))
        np.testing.assert_array_equal(words_of(got), expected)


def test_to_words():
    got = to_words([0, 1, 2**32 - 1, 2**32, 2**63 - 1])
    assert got.dtype == np.uint32
    assert got.tolist() == [[0, 0], [0, 1], [0, 2**32 - 1], [1, 0], [2**31 - 1, 2**32 - 1]]
    assert to_words(2**64 - 1).tolist() == [2**32 - 1, 2**32 - 1]
    assert to_words([]).shape == (0, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 0, 0, [0]), "-1 is negative"),
        ((2**64, 0, 0, [0]), "64 bits"),
        ((0.5, 0, 0, [0]), "seed is 0.5; expected a Python integer"),
        ((0, "crop", 0, [0]), "operator is 'crop'"),
        ((0, 0, np.zeros(2, np.int32), [0]), r"epoch is int32\[2\]"),
        ((0, 0, jnp.int32(3), [0]), None),
        ((0, 0, 0, [-1]), "-1 is negative"),
        ((0, 0, 0, [0.5]), "64 bits"),
        ((0, 0, 0, 3), r"indices are int of shape \(\)"),
        ((0, 0, 0, jnp.arange(3)), r"made by jaxdali.random.to_words"),
        ((0, 0, 0, np.zeros((3, 2), np.int32)), r"indices are int32\[3, 2\]"),
        ((0, 0, 0, np.zeros((3, 3), np.uint32)), r"indices are uint32\[3, 3\]"),
    ],
)
def test_wrong_arguments(arguments, message):
    if message is None:  # a concrete integer array of JAX counts as an integer
        assert sample_keys(*arguments).shape == (1,)
        return
    with pytest.raises(ConfigError, match=message):
        sample_keys(*arguments)


def test_a_traced_integer_is_refused_with_advice():
    with pytest.raises(ConfigError, match=r"epoch is .*words uint32\[2\]"):
        jax.jit(lambda epoch: sample_keys(0, 0, epoch, [0]))(3)
