import collections
import functools
import math

import draws_reference as reference
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from draws_reference import draw_bits, sample_key
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

from jaxdali._device.random import uint64
from jaxdali.errors import ConfigError
from jaxdali.random import resized_crop_window, sample_keys


@functools.cache
def keys(count=4000):
    return sample_keys(3, 1, 0, np.arange(count))


def sizes_of(*size, count=4000):
    return np.tile(np.array([size], np.int32), (count, 1))


def sizes_of_all_kinds(count):
    draws = np.random.default_rng(0)
    sizes = np.concatenate(
        [draws.integers(1, 40, (count // 2, 2)), draws.integers(1, 900, (count - count // 2, 2))]
    ).astype(np.int32)
    sizes[:4] = (65500, 32000), (1, (1 << 20) - 1), (1, 1), (20, 400)
    return sizes


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"area": (0.1, 0.2), "aspect_ratio": (0.95, 0.951), "attempts": 3},
        {"area": (1, 1), "aspect_ratio": (1 / 64, 64)},
        {"area": (1e-9, 0.01), "aspect_ratio": (2, 2)},
        {"area": (0.08, 1.25)},
        {"area": (1e-12, 4), "aspect_ratio": (1 / 64, 64)},
        {"area": (4, 4), "attempts": 2},
    ],
    ids=str,
)
def test_equals_the_reference(options):
    sizes = sizes_of_all_kinds(300)
    words = 2 + 2 * options.get("attempts", 10)
    bounds = {name: value for name, value in options.items() if name != "attempts"}
    expected = [
        reference.resized_crop_window(draw_bits(sample_key(3, 1, 0, k), 3, words), *map(int, size), **bounds)
        for k, size in enumerate(sizes)
    ]
    got = np.asarray(resized_crop_window(keys()[:300], sizes, **options))
    assert got.dtype == np.int32
    np.testing.assert_array_equal(got, expected)
    assert (got[:, :2] >= 0).all() and (got[:, 2:] >= 1).all() and (got[:, :2] + got[:, 2:] <= sizes).all()


def test_known_windows():
    # These draws are promised, and must never change.
    windows = resized_crop_window(keys()[:4], np.array([[375, 500, 3]] * 4))
    assert windows.tolist() == [[64, 82, 235, 292], [116, 24, 246, 287], [24, 2, 294, 387], [133, 156, 196, 192]]


def test_distribution():
    windows = np.asarray(resized_crop_window(keys(), sizes_of(4000, 4000), area=(0.1, 0.4)))
    area = windows[:, 2] * windows[:, 3] / 4000**2
    log_ratio = np.log(windows[:, 3] / windows[:, 2])
    # All windows fit, so none is drawn again. 4000 draws: a standard error is 0.0046 of a range.
    for draws, low, high in ((area, 0.1, 0.4), (log_ratio, np.log(3 / 4), np.log(4 / 3))):
        unit = (draws - low) / (high - low)
        assert -1e-3 < unit.min() < 0.01 and 0.99 < unit.max() < 1 + 1e-3
        np.testing.assert_allclose(np.quantile(unit, np.arange(1, 10) / 10), np.arange(1, 10) / 10, atol=0.03)
    assert abs(np.corrcoef(area, log_ratio)[0, 1]) < 0.06
    for axis in (0, 1):
        place = windows[:, axis] / (4000 - windows[:, 2 + axis])
        np.testing.assert_allclose(np.quantile(place, np.arange(1, 10) / 10), np.arange(1, 10) / 10, atol=0.03)
        assert place.min() < 0.01 and place.max() > 0.99


# From 20000 draws of DALI 2.4.0.
def test_distribution_of_dali_where_windows_are_drawn_again():
    windows = np.asarray(resized_crop_window(keys(), sizes_of(300, 400)))
    area = windows[:, 2] * windows[:, 3] / (300 * 400)
    quantiles = [0.146, 0.250, 0.419, 0.594, 0.740]
    np.testing.assert_allclose(np.quantile(area, [0.1, 0.25, 0.5, 0.75, 0.9]), quantiles, atol=0.02)
    log_ratio = np.log(windows[:, 3] / windows[:, 2])
    assert abs(log_ratio.mean() - 0.029) < 0.01 and abs(log_ratio.std() - 0.164) < 0.006


# From 20000 draws each of DALI 2.4.0. Some windows are the whole image, where no attempt fits.
@pytest.mark.parametrize(
    ("options", "quantiles", "whole"),
    [
        ({"area": (0.08, 1.25)}, [0.149, 0.249, 0.420, 0.595, 0.739], 0.0),
        ({"area": (0.08, 1.25), "attempts": 1}, [0.197, 0.371, 0.692, 1, 1], 0.421),
        ({"area": (1.2, 1.5)}, [1, 1, 1, 1, 1], 1.0),
    ],
)
def test_areas_of_more_than_the_image_are_drawn_again(options, quantiles, whole):
    windows = np.asarray(resized_crop_window(keys(), sizes_of(300, 400), **options))
    area = windows[:, 2] * windows[:, 3] / (300 * 400)
    np.testing.assert_allclose(np.quantile(area, [0.1, 0.25, 0.5, 0.75, 0.9]), quantiles, atol=0.025)
    assert abs((area == 1).mean() - whole) < 0.02


@pytest.mark.parametrize(
    ("size", "options", "expected"),
    [
        ((20, 400), {}, {(20, 26)}),
        ((400, 20), {}, {(26, 20)}),
        ((100, 100), {"area": (0.9, 0.9), "aspect_ratio": (3, 4)}, {(33, 100)}),
        ((3, 4), {"area": (0.1, 0.2), "aspect_ratio": (1.2, 1.34)}, {(1, 1)}),
        ((7, 5), {"area": (0.5, 0.6), "aspect_ratio": (0.69, 0.72), "attempts": 1}, {(5, 3)}),
        ((4, 4), {}, {(1, 1), (2, 2), (3, 3), (3, 4), (4, 3), (4, 4)}),  # no 2 x 3
        ((4, 4), {"area": (0.5, 1.25)}, {(3, 3), (3, 4), (4, 3), (4, 4)}),
        ((100, 300), {"area": (0.5, 1.5)}, {(100, 133)}),
        ((300, 100), {"area": (0.5, 1.5), "attempts": 2}, {(133, 100)}),
        ((1, 1), {"area": (2, 3.9)}, {(1, 1)}),
    ],
)
def test_windows_of_dali_where_few_fit(size, options, expected):
    windows = np.asarray(resized_crop_window(keys(1000), sizes_of(*size, 3, count=1000), **options))
    assert {tuple(window) for window in windows[:, 2:].tolist()} == expected


def test_a_window_in_place_of_others_is_shrunk_and_lies_anywhere():
    options = {"area": (0.1, 0.2), "aspect_ratio": (0.95, 0.951), "attempts": 1}
    windows = np.asarray(resized_crop_window(keys(1000), sizes_of(100, 100, count=1000), **options))
    counts = collections.Counter(map(tuple, windows[:, 2:].tolist()))
    assert set(counts) == {(45, 43), (40, 38)} and 0.9 < counts[45, 43] / 1000 < 0.97  # DALI's share is 0.934
    assert windows[:, 0].min() == 0 and windows[:, 0].max() >= 55


def test_an_image_without_pixels():
    sizes = np.array([[0, 0, 0], [10, 10, 3]])
    assert resized_crop_window(keys()[:2], sizes)[0].tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("axis_type", [AxisType.Auto, AxisType.Explicit])
def test_sharded_keys_and_sizes(axis_type):
    mesh = jax.make_mesh((4,), ("data",), axis_types=(axis_type,))
    sharding = NamedSharding(mesh, P("data"))
    sizes = sizes_of_all_kinds(16)
    expected = resized_crop_window(keys()[:16], sizes)
    sharded = [jax.device_put(value, sharding) for value in (keys()[:16], sizes)]
    with jax.set_mesh(mesh):
        compiled = jax.jit(resized_crop_window).lower(*sharded).compile()
        half = resized_crop_window(sharded[0], sizes)
    assert "all-gather" not in compiled.as_text()
    got = compiled(*sharded)
    assert got.sharding.is_equivalent_to(sharding, 2)
    for windows in (got, half):
        np.testing.assert_array_equal(windows, expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"area": (0, 1)}, "area is .*more than 0"),
        ({"area": (0.5, 0.4)}, "smallest <= largest"),
        ({"area": (0.5, 4.5)}, "to 4"),
        ({"area": 0.5}, "known while tracing"),
        ({"aspect_ratio": (0.01, 1)}, "aspect_ratio is .*from 0.0156"),
        ({"aspect_ratio": (1, 65)}, "to 64"),
        ({"attempts": 0}, "attempts"),
        ({"sizes": np.zeros((3, 2), int)}, r"sizes have shape \(3, 2\) for 2 keys"),
    ],
)
def test_wrong_arguments(options, message):
    with pytest.raises(ConfigError, match=message):
        resized_crop_window(**{"keys": keys()[:2], "sizes": np.full((2, 3), 9), **options})


class TestWide:
    words = np.concatenate(
        [[0, 1, 2**16 - 1, 2**16, 2**31, 2**32 - 1], np.random.default_rng(0).integers(0, 2**32, 50)]
    )
    a, b = (jnp.asarray(grid.ravel(), jnp.uint32) for grid in np.meshgrid(words, words))

    def pairs(self):
        return zip(map(int, np.asarray(self.a)), map(int, np.asarray(self.b)), strict=True)

    def test_multiply(self):
        high, low = uint64.multiply(self.a, self.b)
        assert [h << 32 | n for h, n in zip(high.tolist(), low.tolist(), strict=True)] == [
            a * b for a, b in self.pairs()
        ]

    @pytest.mark.parametrize("bits", [1, 16, 28, 31])
    def test_shift_right(self, bits):
        got = uint64.shift_right((self.a >> (33 - bits), self.b), bits, rounded=True).tolist()
        expected = [((a >> (33 - bits) << 32 | b) + (1 << (bits - 1))) >> bits for a, b in self.pairs()]
        assert got == expected

    def test_square_root(self):
        got = uint64.square_root((self.a >> 6, self.b)).tolist()
        assert got == [math.isqrt((a >> 6) << 32 | b) for a, b in self.pairs()]

    def test_ratio(self):
        a, b = self.a >> 1, self.b >> 1
        got = uint64.ratio16(a, b).tolist()
        expected = [1 << 16 if x >= y else (x << 16) // y for x, y in zip(a.tolist(), b.tolist(), strict=True)]
        assert got == expected
