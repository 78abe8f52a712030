import math
import os
import statistics
import subprocess
import sys
import textwrap

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from configurations import CONFIGURATIONS
from draws_reference import draw_bits, sample_key
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxdali._device.random.draws import coin_flip, normal, uniform
from jaxdali._device.random.keys import sample_keys, to_words
from jaxdali.errors import ConfigError

KEYS = sample_keys(7, 1, 0, np.arange(20000))
FEW = KEYS[:8]
FLOATS = [np.float16, jnp.bfloat16, np.float32]


def oracle_uniform(indices, low, high, shape=(), stream=1):
    """The documented formula in float32, step by step, from the documented bits."""
    count = int(np.prod(shape))
    bits = [draw_bits(sample_key(7, 1, 0, i), stream, count) for i in indices]
    unit = (np.asarray(bits, np.uint32) >> 8).astype(np.float32) * np.float32(2**-24)
    draw = np.float32(low) + unit * np.float32(high - low)
    return draw.reshape((len(indices), *shape))


class TestUniform:
    @pytest.mark.parametrize(
        ("bounds", "shape"),
        [
            ((-1.0, 1.0), ()),
            ((1, 3.0), ()),
            ((0.1, 0.7), ()),
            ((-1e30, 1e30), ()),
            ((1, 3.0), (1,)),
            ((-1.0, 1.0), (3,)),
            ((0.1, 0.7), (2, 3)),
        ],
    )
    def test_equals_the_oracle(self, bounds, shape):
        expected = oracle_uniform(range(8), *bounds, shape)
        eager = uniform(FEW, shape, minval=bounds[0], maxval=bounds[1])
        assert eager.dtype == np.float32
        np.testing.assert_array_equal(eager, expected)
        jitted = jax.jit(lambda keys: uniform(keys, shape, np.float32, *bounds))
        np.testing.assert_array_equal(jitted(FEW), expected)

    def test_default_range(self):
        draws = np.asarray(uniform(KEYS))
        assert draws.shape == (20000,)
        assert 0 <= draws.min() < 0.005 and 0.995 < draws.max() < 1
        # 20000 draws: the standard errors of mean and variance are 0.0020 and 0.0005
        assert abs(draws.mean() - 1 / 2) < 0.01
        assert abs(draws.var() - 1 / 12) < 0.0025

    def test_elements_of_a_shape_are_independent(self):
        draws = np.asarray(uniform(KEYS, shape=(3,)))
        correlation = np.corrcoef(draws.T) - np.eye(3)
        assert np.abs(correlation).max() < 0.03  # 4 standard errors
        assert len(np.unique(draws)) > 59000
        np.testing.assert_array_equal(uniform(KEYS)[:100], draws[:100, 0])

    @given(
        st.floats(-30000, 30000, allow_subnormal=False, width=16),
        st.floats(0, 1e-3),
        st.floats(1e-6, 30000),
        st.sampled_from([np.float16, np.float32]),
    )
    @settings(max_examples=60, deadline=None)
    def test_half_open_after_rounding(self, held, below, width, dtype):
        low, high = held - below, held + width  # so that `dtype` can represent a number in the range: `held`
        draws = uniform(KEYS[:64], (), dtype, low, high)
        assert draws.dtype == dtype
        wide = np.asarray(draws, np.float64)
        assert (wide >= low).all() and (wide < high).all()

    @pytest.mark.parametrize("dtype", FLOATS)
    def test_the_end_never_comes(self, dtype):
        # The range contains only one number of `dtype`, and nearly all draws are nearer to its end.
        one = np.dtype(dtype).type(1)
        following = np.nextafter(one, np.dtype(dtype).type(2))
        draws = uniform(KEYS[:1000], (), dtype, float(one), float(following))
        assert np.unique(draws).tolist() == [1]

    def test_integers_are_refused(self):
        """As in jax.random: rounded draws would include both ends, even of a half-open range."""
        with pytest.raises(
            ConfigError, match=r"dtype is int32; .* jaxdali.random.choice\(keys, count\) draws integers"
        ):
            uniform(FEW, (), np.int32, 0, 5)

    def test_values(self):
        draws = uniform(KEYS, values=[1, 2.5, -7])
        assert draws.dtype == np.float32
        values, counts = np.unique(draws, return_counts=True)
        assert values.tolist() == [-7, 1, 2.5]
        np.testing.assert_allclose(counts, 20000 / 3, atol=300)
        bits = [draw_bits(sample_key(7, 1, 0, i), 1, 2) for i in range(8)]
        index = (np.asarray(bits, np.uint64) * np.uint64(60000)) >> np.uint64(32)
        got = uniform(FEW, shape=(2,), values=np.arange(60000), dtype=np.int32)
        np.testing.assert_array_equal(got, index)
        assert uniform(FEW, values=[3.5], dtype=np.int8).tolist() == [4] * 8

    @pytest.mark.parametrize(
        "bounds",
        [
            (1, 1),
            (3, 1),
            (0, np.inf),
            (-np.inf, 0),
            (np.nan, 1),
            (0, np.nan),
            (-3e38, 3e38),
            (0, 1e39),
            (None, 1),
            ((0, 1), 2),
            ("a", "b"),
        ],
    )
    def test_invalid_range(self, bounds):
        with pytest.raises(ConfigError, match="Invalid range"):
            uniform(FEW, minval=bounds[0], maxval=bounds[1])

    def test_the_second_argument_is_a_shape_as_in_jax(self):
        assert uniform(FEW, (3, 8)).shape == (8, 3, 8) == normal(FEW, (3, 8)).shape
        for draw, range in ((uniform, "minval= and maxval="), (normal, "mean= and stddev=")):
            with pytest.raises(ConfigError, match=rf"shape is \(0.9, 1.1\).* is {range}"):
                draw(FEW, (0.9, 1.1))

    def test_a_range_beyond_the_dtype_is_invalid(self):
        with pytest.raises(ConfigError, match=r"Invalid range .*6.55e\+04, the largest float16"):
            uniform(FEW, (), np.float16, 0, 65505)

    def test_a_range_between_two_numbers_is_invalid(self):
        with pytest.raises(ConfigError, match=r"Invalid range .* holds no bfloat16"):
            uniform(FEW, (), jnp.bfloat16, 1.001, 1.002)

    def test_a_range_may_be_traced(self):
        drawn = jax.jit(lambda high: uniform(FEW, maxval=high))(3.0)
        np.testing.assert_array_equal(drawn, uniform(FEW, maxval=3.0))

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"dtype": np.bool_}, "dtype is bool"),
            ({"dtype": "nonsense"}, "dtype is 'nonsense'"),
            ({"maxval": 2, "values": [1]}, "both values and minval or maxval"),
            ({"minval": jnp.zeros(3)}, r"minval has shape \(3,\) for 8 keys"),
            ({"values": []}, r"values have shape \(0,\)"),
            ({"values": np.zeros(65536)}, r"values have shape \(65536,\)"),
            ({"values": [[1, 2]]}, r"values have shape \(1, 2\)"),
            ({"values": ["a"]}, "1 to 65535 numbers"),
            ({"shape": (-1,)}, "no negative extent"),
            ({"shape": 1.5}, "integers known while tracing"),
            ({"shape": (2**62,)}, "at most 2147483647 numbers in a sample"),
            # XLA counts these elements although the array is empty.
            ({"shape": (2**20, 2**20, 0)}, "at most 2147483647 numbers in a sample"),
        ],
    )
    def test_wrong_arguments(self, options, message):
        with pytest.raises(ConfigError, match=message):
            uniform(FEW, **options)


class TestCoinFlip:
    @pytest.mark.parametrize("dtype", [np.int32, np.bool_, np.uint8, np.float32])
    def test_equals_the_oracle(self, dtype):
        got = coin_flip(FEW, 0.3, dtype)
        assert got.dtype == dtype
        expected = oracle_uniform(range(8), 0, 1, stream=2) < np.float32(0.3)
        np.testing.assert_array_equal(got, expected)

    @pytest.mark.parametrize("probability", [0.5, 0.1, 0.999])
    def test_probability(self, probability):
        flips = np.asarray(coin_flip(KEYS, probability))
        assert flips.dtype == np.int32
        error = np.sqrt(probability * (1 - probability) / 20000)
        assert abs(flips.mean() - probability) < 5 * error
        assert set(np.unique(flips)) == {0, 1}

    def test_never_and_always(self):
        assert not np.any(coin_flip(KEYS, 0.0))
        assert np.all(coin_flip(KEYS, 1.0))

    @pytest.mark.parametrize("place", [list, np.asarray, jnp.asarray])
    def test_a_probability_a_key(self, place):
        probability = np.tile([0.0, 1.0, 0.5, 1.0], 2)
        got = np.asarray(coin_flip(FEW, place(probability), shape=(50,)))
        assert got.shape == (8, 50)
        assert got[probability == 0].sum() == 0 and (got[probability == 1] == 1).all()
        assert 0 < got[2].mean() < 1

    def test_independent_of_uniform(self):
        flips, draws = np.asarray(coin_flip(KEYS)), np.asarray(uniform(KEYS))
        assert abs(np.corrcoef(flips, draws)[0, 1]) < 0.03

    @pytest.mark.parametrize("probability", [-0.1, 1.1, np.nan, [0.5] * 7 + [2]])
    def test_not_a_probability(self, probability):
        with pytest.raises(ConfigError, match="expected 0 to 1"):
            coin_flip(FEW, probability)

    def test_wrong_shape(self):
        with pytest.raises(ConfigError, match=r"probability has shape \(3,\) for 8 keys"):
            coin_flip(FEW, [0.5] * 3)


@pytest.mark.parametrize("draw", [uniform, coin_flip])
def test_a_draw_depends_on_its_key_alone(draw):
    draws = np.asarray(draw(FEW))
    for k in range(8):
        np.testing.assert_array_equal(draw(FEW[k : k + 1]), draws[k : k + 1])
    order = np.array([5, 1, 1, 7, 0])
    np.testing.assert_array_equal(draw(FEW[order]), draws[order])
    assert draw(FEW[:0]).shape == (0,)


@pytest.mark.parametrize("context", CONFIGURATIONS)
def test_no_configuration_of_jax_changes_a_draw(context):
    def draws():
        keys = sample_keys(7, 1, 0, np.arange(8))
        return uniform(keys, (2,), minval=1, maxval=3), coin_flip(keys), uniform(keys, values=[1, 2, 3])

    expected = draws()
    with context():
        for got, want in zip((*draws(), *jax.jit(draws)()), (*expected, *expected), strict=True):
            assert got.dtype == want.dtype
            np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("draw", [uniform, coin_flip])
@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (lambda: np.zeros((4, 2), np.uint32), "keys are uint32; expected typed keys"),
        (lambda: 3, "keys are int; expected typed keys"),
        (lambda: jax.random.split(jax.random.key(0, impl="rbg"), 4), "threefry2x32 keys"),
        (lambda: jax.random.key(0, impl="threefry2x32"), r"expected threefry2x32 keys \[N\]"),
    ],
)
def test_other_keys_are_refused(draw, keys, message):
    with pytest.raises(ConfigError, match=message):
        draw(keys())


PROGRAM = textwrap.dedent(
    """
    import jax, numpy as np
    from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

    from jaxdali._device.random.draws import coin_flip, normal, uniform
    from jaxdali._device.random.keys import sample_keys, to_words

    def draws(indices, probability):
        keys = sample_keys(7, 1, 0, indices)
        return (
            uniform(keys, (2,), minval=1, maxval=3),
            uniform(keys, values=[1, 2, 3]),
            coin_flip(keys, probability),
            coin_flip(keys, np.linspace(0, 1, 8), shape=(3,)),
        )

    operands = to_words(np.arange(8)), np.linspace(0, 1, 8, dtype=np.float32)
    alone = jax.jit(draws)(*operands)
    for kind in (AxisType.Auto, AxisType.Explicit):
        mesh = jax.make_mesh((4,), ("data",), axis_types=(kind,))
        sharded = [jax.device_put(v, NamedSharding(mesh, P("data"))) for v in operands]
        with jax.set_mesh(mesh):
            compiled = jax.jit(draws).lower(*sharded).compile()
            results = compiled(*sharded)
        for word in ("all-gather", "all-reduce", "all-to-all", "collective-permute"):
            assert word not in compiled.as_text(), (kind, word)
        for got, want in zip(results, alone, strict=True):
            assert got.sharding.spec[0] == "data", (kind, got.sharding)
            np.testing.assert_array_equal(got, want)
    print("same", uniform(sample_keys(7, 1, 0, [3]))[0])
    """
)


def test_sharding_and_environment_change_nothing():
    """With four devices and every setting that might matter, in a process of its own."""
    environment = {
        **os.environ,
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": "--xla_force_host_platform_device_count=4",
        "JAX_DEFAULT_PRNG_IMPL": "rbg",
        "JAX_ENABLE_X64": "1",
        "JAX_THREEFRY_PARTITIONABLE": "0",
    }
    result = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
    expected = oracle_uniform([3], 0, 1)[0]
    assert result.stdout.split() == ["same", str(expected)], result.stderr


def test_words_may_be_traced():
    program = jax.jit(lambda epoch, indices: uniform(sample_keys(7, 1, epoch, indices)))
    got = program(to_words(0), to_words(np.arange(8)))
    np.testing.assert_array_equal(got, oracle_uniform(range(8), 0, 1))


def oracle_normal(indices, mean, stddev):
    words = [draw_bits(sample_key(7, 1, 0, i), 4, 1)[0] for i in indices]
    # The midpoint of one of 2**23 equal parts of (0, 1).
    return [statistics.NormalDist().inv_cdf(((word >> 9) + 0.5) / 2**23) * stddev + mean for word in words]


class TestNormal:
    def test_equals_the_oracle(self):
        expected = oracle_normal(range(200), 3.0, 0.5)
        for function in (normal, jax.jit(normal)):
            np.testing.assert_allclose(function(KEYS[:200], mean=3.0, stddev=0.5), expected, rtol=2e-6)

    def test_distribution(self):
        draws = np.sort(np.asarray(normal(KEYS, shape=(5,)), np.float64).ravel())
        assert draws.shape == (100000,)
        cumulative = np.vectorize(statistics.NormalDist().cdf)(draws)
        # Kolmogorov-Smirnov: exceeds 1.95 / sqrt(n) once in a thousand times, and these keys are always the same.
        assert np.abs(cumulative - (np.arange(100000) + 0.5) / 100000).max() < 1.95 / math.sqrt(100000)

    def test_every_key_has_moments_of_its_own(self):
        mean, stddev = jnp.arange(8.0) * 100, jnp.array([0, 1, 2, 0, -1, 1, 1, 1.0])
        draws = np.asarray(normal(FEW, (3,), mean=mean, stddev=stddev))
        plain = np.asarray(normal(FEW, shape=(3,)))
        expected = np.asarray(mean)[:, None] + plain * np.asarray(stddev)[:, None]
        np.testing.assert_allclose(draws, expected, rtol=1e-6)
        assert normal(FEW, (), np.uint8, mean=300.0, stddev=0.0).tolist() == [255] * 8

    def test_refused(self):
        with pytest.raises(ConfigError, match=r"stddev has shape \(3,\) for 8 keys"):
            normal(FEW, stddev=np.ones(3))
        with pytest.raises(ConfigError, match="dtype is bool"):
            normal(FEW, dtype=np.bool_)


class TestOfEachKey:
    def test_ranges(self):
        ranges = [(0.0, 1.0), (-5.5, 7.25), (1e-3, 1e3)]
        for dtype in FLOATS:
            drawn = uniform(FEW[:3], (4,), dtype, *jnp.array(ranges, jnp.float32).T)
            for key, bounds in enumerate(np.array(ranges, np.float32).tolist()):
                np.testing.assert_array_equal(drawn[key : key + 1], uniform(FEW[key : key + 1], (4,), dtype, *bounds))

    @pytest.mark.parametrize("dtype", FLOATS)
    def test_the_end_of_a_range_never_comes(self, dtype):
        one = np.dtype(dtype).type(1)
        following = np.nextafter(one, np.dtype(dtype).type(2))
        ends = jnp.full(1000, following, jnp.float32)
        assert np.unique(uniform(KEYS[:1000], (), dtype, 1, ends)).tolist() == [1]

    def test_values(self):
        table = jnp.arange(24).reshape(8, 3)
        drawn = np.asarray(uniform(FEW, values=table, shape=(2, 20), dtype=np.int32))
        for key in range(8):
            own = uniform(FEW[key : key + 1], values=range(3 * key, 3 * key + 3), shape=(2, 20), dtype=np.int32)
            np.testing.assert_array_equal(drawn[key : key + 1], own)

    def test_shapes(self):
        shapes = [(2, 3), (4, 1), (4, 5), (0, 3)]
        drawn = np.asarray(uniform(FEW[:4], shape=(4, 5), shapes=jnp.array(shapes, jnp.int32)))
        for key, (height, width) in enumerate(shapes):
            own = np.asarray(uniform(FEW[key : key + 1], shape=(height, width)))[0]
            np.testing.assert_array_equal(drawn[key, :height, :width], own)
