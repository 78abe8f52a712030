import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxdali._device.image.sizes import Sizes, bound_extents, bound_sizes, resized_extents, sizes_of
from jaxdali.errors import ConfigError

SHAPES = np.asarray([(480, 640), (640, 480), (375, 500), (333, 333), (1, 700), (7, 5), (1, 1), (2000, 3001)], np.int32)

# All ways to give sizes, and what DALI 2.4.0 makes of an image of 480 x 640.
CASES = [
    (dict(resize_x=100), (75, 100)),
    (dict(resize_x=100.5), (75, 101)),
    (dict(resize_y=-77), (77, 103)),
    (dict(resize_x=50.5, resize_y=60.25), (60, 51)),
    (dict(resize_shorter=64), (64, 85)),
    (dict(resize_shorter=100, max_size=120), (90, 120)),
    (dict(resize_longer=200), (150, 200)),
    (dict(resize_longer=-100), (75, 100)),
    (dict(size=(50, -60)), (50, 60)),
    (dict(size=(0, 100)), (75, 100)),
    (dict(size=(0, 0)), (480, 640)),
    (dict(size=100, max_size=(30, 0)), (30, 100)),
    (dict(size=(0, 90), mode="stretch"), (480, 90)),
    (dict(size=(100, 150), mode="not_larger"), (100, 133)),
    (dict(size=(40, 50), mode="not_smaller"), (40, 53)),
    (dict(size=(80, 100), mode="not_smaller", max_size=(120.0, 101.5)), (76, 102)),
    (dict(resize_y=30, mode="not_smaller"), (30, 40)),
    (dict(resize_x=100, roi_start=(0.1, 0.7), roi_end=(0.8, 0.2), roi_relative=True), (105, 100)),
    (dict(resize_longer=100, roi_start=(-3.0, 10.0), roi_end=(20.0, 70.0)), (38, 100)),
    (dict(size=(20, 30), roi_start=(5.0, 5.0), roi_end=(5.0, 5.0)), (20, 30)),
]
IDS = [" ".join(f"{name}={value}" for name, value in given.items()) for given, _ in CASES]


def steps(axis: int, requested, lengths, rule, limits):
    """Computes the real extent of an axis in Python's float64, rounded to float32 where DALI stores one."""
    f32 = np.float32
    scales = [float(f32(abs(want)) / f32(length)) for want, length in zip(requested, lengths, strict=True)]
    given = [want != 0 for want in requested]
    want, length = float(f32(requested[axis])), float(lengths[axis])
    if not any(given):
        return length
    if rule in ("default", "stretch"):
        real = want if given[axis] else float(f32(length * (scales[1 - axis] if rule == "default" else 1)))
        return float(np.copysign(limits[axis], real)) if 0 < limits[axis] < abs(real) else real
    final = (max if rule == "not_smaller" else min)(s for s, is_given in zip(scales, given, strict=True) if is_given)
    for limit, other in zip(limits, lengths, strict=True):
        if limit > 0:
            final = min(final, float(f32(limit)) / float(other))
    if given[axis] and scales[axis] == final:
        return want
    return float(np.copysign(f32(length * final), want))


@pytest.mark.parametrize(("given", "expected"), CASES, ids=IDS)
def test_what_dali_makes_of_an_image(given, expected):
    out = resized_extents(np.asarray([[480, 640, 3]], np.int32), **given)
    assert tuple(out.extents[0]) == expected
    assert out.extents.dtype == np.int32


@pytest.mark.parametrize("given", [given for given, _ in CASES], ids=IDS)
def test_the_device_computes_what_the_host_does(given):
    host = resized_extents(SHAPES, **given)
    arrays = {
        name: jnp.asarray(value, jnp.float32) for name, value in given.items() if not isinstance(value, bool | str)
    }
    options = {name: value for name, value in given.items() if name not in arrays}

    @jax.jit
    def both(extents, arrays):
        return resized_extents(extents, **given), resized_extents(SHAPES, **arrays, **options)

    device, traced = both(SHAPES, arrays)
    each = {
        name: np.broadcast_to(value, (len(SHAPES),) if name.startswith("resize") else (len(SHAPES), 2))
        for name, value in arrays.items()
    }
    own = resized_extents(SHAPES, **each, **options)
    for got in (device, traced, own):
        np.testing.assert_array_equal(got.extents, host.extents)
        assert (got.region is None) <= (host.region is None)
        if got.region is not None and host.region is not None:
            np.testing.assert_array_equal(got.region, host.region)
        if got.mirrored is not None:
            np.testing.assert_array_equal(got.mirrored, 0 if host.mirrored is None else host.mirrored)
    np.testing.assert_array_equal(bound_extents(SHAPES, Sizes(**given)), host.extents)
    if bound := bound_sizes(Sizes(**given)):
        assert (host.extents <= bound).all()


@pytest.mark.parametrize("rule", ["default", "stretch", "not_larger", "not_smaller"])
@pytest.mark.parametrize("fractions", [1, 0.5, 0.01])
def test_random_sizes_are_those_of_float64(rule, fractions):
    rng = np.random.default_rng(3)
    shapes = rng.integers(1, 5000, (300, 2))
    wanted = np.round(rng.uniform(-3000, 3000, (300, 2)) / fractions) * fractions
    wanted = np.where(rng.random((300, 2)) < 0.8, wanted, 0)
    limits = np.round(rng.uniform(1, 4000, (300, 2)) / fractions) * fractions * (rng.random((300, 2)) < 0.4)
    out = resized_extents(shapes, size=wanted, mode=rule, max_size=limits)
    for k, (shape, own, limit) in enumerate(zip(shapes, wanted, limits, strict=True)):
        for axis in (0, 1):
            real = steps(axis, own, shape, rule, limit)
            rounded = max(1, int(abs(real) + 0.5))
            assert out.extents[k, axis] == rounded
            assert out.mirrored[k, axis] == (real < 0)
            if out.region is None:  # every real extent is a whole number
                assert rounded == abs(real)
                continue
            growth = min(rounded / abs(real), 10) * shape[axis] / 2
            edges = shape[axis] / 2 - growth, shape[axis] / 2 + growth
            region = out.region[k, 2 * axis : 2 * axis + 2]
            np.testing.assert_allclose(region, edges, rtol=1e-6, atol=1e-6 * shape[axis])


def test_the_region_keeps_the_scale_that_was_asked_for():
    images = np.asarray([[100, 151]], np.int32)
    soft = resized_extents(images, resize_shorter=50)  # the real width is 75.5
    assert soft.extents.tolist() == [[50, 76]]
    np.testing.assert_allclose(soft.region, [[0, 100, -0.5, 151.5]], rtol=1e-6)
    assert resized_extents(images, resize_shorter=50, subpixel_scale=False).region is None
    assert resized_extents(images, size=(50, 76)).region is None


def test_a_region_of_interest_is_mirrored_where_it_is_reversed():
    out = resized_extents(np.asarray([[100, 200]], np.int32), size=(10, 20), roi_start=(90, 20), roi_end=(40, 60))
    assert out.mirrored.tolist() == [[True, False]]
    assert out.region.tolist() == [[10, 60, 20, 60]]  # rows 40 to 90, counted from below
    back = resized_extents(np.asarray([[100, 200]], np.int32), size=(-10, -20), roi_start=(90, 20), roi_end=(40, 60))
    assert back.mirrored.tolist() == [[False, True]]
    assert back.region.tolist() == [[40, 90, 140, 180]]
    assert resized_extents(np.asarray([[9, 9]]), size=4, roi_start=1, roi_end=2).mirrored is None


def test_images_without_pixels_stay_so():
    out = resized_extents(np.asarray([[0, 0], [5, 0], [4, 4]]), resize_shorter=-8.5, max_size=7.5)
    assert out.extents.tolist() == [[0, 0], [8, 0], [8, 8]]  # the other axis is resized, as in DALI
    assert np.isfinite(out.region).all() and (out.region[:, 0::2] < out.region[:, 1::2]).all()


def test_long_images_are_not_limited_here():
    assert resized_extents(np.asarray([[1, 700]]), resize_shorter=256).extents.tolist() == [[256, 179200]]
    assert resized_extents(np.asarray([[1, 2**30]]), resize_shorter=256).extents.tolist() == [[256, 2147483520]]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (dict(resize_shorter=256), None),
        (dict(resize_shorter=256, max_size=500), (500, 500)),
        (dict(resize_shorter=256, max_size=(500, 0)), None),
        (dict(resize_longer=-99.5), (100, 100)),
        (dict(resize_x=50), None),
        (dict(resize_x=50, max_size=80), (80, 50)),
        (dict(resize_x=50, resize_y=np.asarray([3, 90])), (90, 50)),
        (dict(resize_x=50, resize_y=np.asarray([0, 90])), None),
        (dict(resize_longer=jnp.asarray(7)), None),
        (dict(resize_longer=jnp.asarray(7), max_size=9), (9, 9)),
        (dict(size=(0.25, 9)), (1, 9)),
    ],
)
def test_bounds_of_any_image(given, expected):
    assert bound_sizes(Sizes(**given)) == expected


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (dict(), "exactly one of .* got none"),
        (dict(resize_x=3, size=4), "got resize_x or resize_y and size"),
        (dict(resize_shorter=3, mode="stretch"), "mode of its own"),
        (dict(size=3, mode="largest"), "mode is 'largest'"),
        (dict(size=3, roi_start=(0, 0)), "belong together"),
        (dict(size=(1, 2, 3)), "expected a number, a pair"),
        (dict(size=np.zeros((2, 3))), "expected a number, a pair"),
        (dict(resize_x=np.ones(3)), "for 2 images"),
        (dict(resize_x=np.inf), "finite"),
        (dict(size=(3, float("nan"))), "NaN"),
        (dict(size="3"), "must be a number"),
    ],
)
def test_contradictions(given, words):
    with pytest.raises(ConfigError, match=words):
        resized_extents(np.asarray([[5, 5], [6, 6]]), **given)


def test_bounds_are_computed_on_the_host():
    with pytest.raises(ConfigError, match="on the host"):
        bound_extents(SHAPES, Sizes(resize_x=jnp.asarray(3)))
    with pytest.raises(ConfigError, match="expected \\[N, 2\\]"):
        sizes_of(np.zeros(3), Sizes(resize_x=3))
