import math

import numpy as np
import pytest
from recipes_reference import axis_taps

from jaxdali._device.ffi.recipes import Filter
from jaxdali._device.image.filters import FILTERS, TABLES, check_filter
from jaxdali.errors import ConfigError

KERNELS = {
    Filter.LINEAR: lambda x: max(0.0, 1 - abs(x)),
    Filter.TRIANGULAR: lambda x: max(0.0, 1 - abs(x)),
    Filter.CUBIC: lambda x: keys(abs(x)) if abs(x) < 2 else 0.0,
    Filter.LANCZOS3: lambda x: np.sinc(x) * np.sinc(x / 3) if abs(x) < 3 else 0.0,
    Filter.GAUSSIAN: lambda x: math.exp(-4 * x * x),
}

# DALI 2.4.0's weight of each of n pixels in result i of m, for the region from lo to hi.
WEIGHTS = [
    # filter, antialias, n, m, lo, hi, i
    (
        "cubic",
        True,
        7,
        3,
        0,
        7,
        1,
        [-0.04376902, 0.04643724, 0.28273794, 0.4291878, 0.28273773, 0.04643719, -0.04376901],
    ),
    (
        "cubic",
        True,
        7,
        3,
        0.5,
        6.25,
        1,
        [-0.03260431, 0.00636249, 0.3242594, 0.51625121, 0.23060364, -0.02241686, -0.02245561],
    ),
    ("cubic", True, 7, 3, 0, 7, 0, [0.42708206, 0.40809572, 0.19853249, 0.0, -0.02993493, -0.00377524, 0.0]),
    ("cubic", True, 7, 3, 0.5, 6.25, 0, [0.25846019, 0.52052754, 0.26192757, -0.01482074, -0.02609459, 0.0, 0.0]),
    ("cubic", True, 3, 5, 0, 3, 1, [0.62395018, 0.42403573, -0.04798585]),
    ("cubic", True, 3, 5, 0.5, 2.25, 1, [0.46877438, 0.59664315, -0.06541748]),
    ("cubic", False, 7, 3, 0, 7, 1, [0.0, 0.0, 0.0, 0.99999988, 0.0, 0.0, 0.0]),
    ("cubic", False, 7, 3, 0.5, 6.25, 1, [0.0, -0.00683595, 0.09082042, 0.96386707, -0.04785156, 0.0, 0.0]),
    ("cubic", False, 7, 3, 0, 7, 0, [0.29640713, 0.77755725, -0.07396445, 0.0, 0.0, 0.0, 0.0]),
    ("cubic", False, 7, 3, 0.5, 6.25, 0, [0.02366135, 0.99526978, -0.0189311, 0.0, 0.0, 0.0, 0.0]),
    (
        "lanczos3",
        True,
        7,
        3,
        0,
        7,
        1,
        [-0.0760941, 0.06041091, 0.30079401, 0.42977825, 0.30079401, 0.06041091, -0.07609408],
    ),
    (
        "lanczos3",
        True,
        7,
        3,
        0.5,
        6.25,
        1,
        [-0.05723135, 0.00980888, 0.3475956, 0.51889312, 0.25623545, -0.03957308, -0.03572869],
    ),
    ("lanczos3", True, 7, 3, 0, 7, 0, [0.42651522, 0.41385686, 0.21975471, 0.0, -0.06218151, -0.01532166, 0.0173765]),
    (
        "lanczos3",
        True,
        7,
        3,
        0.5,
        6.25,
        0,
        [0.25884151, 0.5223611, 0.28731933, -0.02555284, -0.06050119, 0.00957637, 0.00795569],
    ),
    ("lanczos3", True, 3, 5, 0, 3, 1, [0.62088865, 0.47447222, -0.09536079]),
    ("lanczos3", True, 3, 5, 0.5, 2.25, 1, [0.46953869, 0.64441532, -0.11395398]),
    ("lanczos3", False, 7, 3, 0, 7, 1, [0.0, 0.0, 0.0, 0.99999988, 0.0, 0.0, 0.0]),
    (
        "lanczos3",
        False,
        7,
        3,
        0.5,
        6.25,
        1,
        [0.00183866, -0.03059784, 0.12065021, 0.97264665, -0.0849939, 0.02045625, 0.0],
    ),
    ("lanczos3", False, 7, 3, 0, 7, 0, [0.30147716, 0.81361842, -0.14625868, 0.03116318, 0.0, 0.0, 0.0]),
    ("lanczos3", False, 7, 3, 0.5, 6.25, 0, [0.02765815, 0.99656904, -0.03217997, 0.00795278, 0.0, 0.0, 0.0]),
    ("gaussian", True, 7, 3, 0, 7, 1, [0.0, 0.02573867, 0.23224744, 0.4840278, 0.2322474, 0.02573866, 0.0]),
    ("gaussian", True, 7, 3, 0.5, 6.25, 1, [0.0, 0.01292752, 0.25696161, 0.58094555, 0.14916527, 0.0, 0.0]),
    ("gaussian", True, 7, 3, 0, 7, 0, [0.41294914, 0.4466258, 0.13154198, 0.00888317, 0.0, 0.0, 0.0]),
    ("gaussian", True, 7, 3, 0.5, 6.25, 0, [0.21997304, 0.59632719, 0.18369982, 0.0, 0.0, 0.0, 0.0]),
    ("gaussian", True, 3, 5, 0, 3, 1, [0.68975562, 0.31024435, 0.0]),
    ("gaussian", True, 3, 5, 0.5, 2.25, 1, [0.45021996, 0.54978007, 0.0]),
    ("gaussian", False, 7, 3, 0, 7, 1, [0.0, 0.0, 0.01798621, 0.98201376, 0.0, 0.0, 0.0]),
    ("gaussian", False, 7, 3, 0.5, 6.25, 1, [0.0, 0.0, 0.04742588, 0.95257407, 0.0, 0.0, 0.0]),
    ("gaussian", False, 7, 3, 0, 7, 0, [0.20899171, 0.79100823, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ("gaussian", False, 7, 3, 0.5, 6.25, 0, [0.02508164, 0.97491837, 0.0, 0.0, 0.0, 0.0, 0.0]),
    ("linear", True, 7, 3, 0.5, 6.25, 1, [0.0, 0.01136362, 0.28409088, 0.48863637, 0.21590914, 0.0, 0.0]),
    ("linear", True, 7, 3, 0.5, 6.25, 0, [0.25842693, 0.50561804, 0.23595507, 0.0, 0.0, 0.0, 0.0]),
    ("linear", True, 3, 5, 0.5, 2.25, 1, [0.47500005, 0.52499998, 0.0]),
    ("linear", False, 7, 3, 0.5, 6.25, 1, [0.0, 0.0, 0.125, 0.875, 0.0, 0.0, 0.0]),
    ("linear", False, 7, 3, 0.5, 6.25, 0, [0.04166669, 0.95833331, 0.0, 0.0, 0.0, 0.0, 0.0]),
]


def keys(x: float) -> float:
    return 1.5 * x**3 - 2.5 * x**2 + 1 if x <= 1 else -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2


def dense(i: int, n: int, *rest) -> np.ndarray:
    """Returns the weights of all n pixels."""
    taps = axis_taps(i, n, *rest)
    assert list(taps) == sorted(taps)
    assert all(isinstance(weight, np.float32) for weight in taps.values())
    return np.asarray([taps.get(j, 0) for j in range(n)], np.float64)


@pytest.mark.parametrize("filter", TABLES)
def test_a_table_holds_its_kernel(filter):
    samples, radius = TABLES[filter]
    assert samples.dtype == np.float32
    assert len(samples) == (3 if filter in (Filter.LINEAR, Filter.TRIANGULAR) else 64 * radius + 1)
    places = np.linspace(-radius, radius, len(samples))
    np.testing.assert_allclose(samples, [KERNELS[filter](x) for x in places], rtol=1e-7, atol=1e-16)
    np.testing.assert_array_equal(samples, samples[::-1])
    assert samples[len(samples) // 2] == 1


@pytest.mark.parametrize(("name", "antialias", "n", "m", "lo", "hi", "i", "expected"), WEIGHTS)
def test_weights_are_those_of_dali(name, antialias, n, m, lo, hi, i, expected):
    got = dense(i, n, m, lo, hi, FILTERS[name], FILTERS[name], antialias)
    np.testing.assert_allclose(got, expected, atol=4e-7)


@pytest.mark.parametrize("filter", TABLES)
@pytest.mark.parametrize("antialias", [True, False])
def test_weights_are_those_of_the_kernel(filter, antialias):
    rng = np.random.default_rng(0)
    for _ in range(60):
        n, m = (int(extent) for extent in rng.integers(2, 40, 2))
        lo, hi = sorted(rng.uniform(-2, n + 2, 2)) if rng.random() < 0.7 else (0, n)
        i = int(rng.integers(m))
        scale = (hi - lo) / m
        wide = scale if antialias and scale > 1 else 1
        radius = TABLES[filter].radius * wide
        center = (i + 0.5) * scale + lo - 0.5
        first = math.ceil(center - radius)
        expected = np.zeros(n)
        for j in range(first, first + math.ceil(2 * radius)):
            expected[min(max(j, 0), n - 1)] += KERNELS[filter]((j - center) / wide)
        expected /= expected.sum()
        got = dense(i, n, m, lo, hi, filter, filter, antialias)
        # A Gaussian is not yet 0 at its end, so rounding decides whether the last tap is included.
        np.testing.assert_allclose(got, expected, atol=0.03 if filter == Filter.GAUSSIAN else 2e-3)
        assert abs(got.sum() - 1) < 1e-5


def test_min_and_mag_filters_are_chosen_by_the_axis():
    shrinks, grows = (dense(1, n, m, 0, n, Filter.CUBIC, Filter.NEAREST, True) for n, m in ((9, 4), (4, 9)))
    assert np.count_nonzero(shrinks) > 4
    assert np.count_nonzero(grows) == 1
    same = dense(1, 6, 6, 0, 6, Filter.CUBIC, Filter.NEAREST, True)
    assert same.tolist() == [0, 1, 0, 0, 0, 0]


@pytest.mark.parametrize(("n", "m"), [(10, 3), (3, 10), (7, 7), (1, 4), (4, 1)])
def test_nearest_takes_the_pixel_below_the_middle(n, m):
    for i in range(m):
        (j,) = axis_taps(i, n, m, 0, n, Filter.NEAREST, Filter.NEAREST, True)
        assert j == (2 * i + 1) * n // (2 * m)


def test_names():
    assert {check_filter(name, "min_filter") for name in FILTERS} == set(Filter) - {Filter.NONE}
    for wrong in ("NN", 3, None):
        with pytest.raises(ConfigError, match=r"min_filter is .*'nearest', 'linear'"):
            check_filter(wrong, "min_filter")
