"""Random operators whose arguments are nodes, and which draw as many numbers as another node has."""

import functools

import numpy as np
import pytest
from front_pipelines import SEED, keys

from jaxdali import ConfigError, GraphError, Pipeline, SourceDataError, fn, pipeline_def, random, types
from jaxdali.image import round_to_dtype

RANGES = np.array([[0, 1], [10, 11], [20, 30], [5, 5.5]], np.float32)
UNEVEN = [np.zeros(shape, np.uint8) for shape in ((2, 3), (4, 1), (4, 1), (2, 3))]


def run(graph, **sources):
    """Returns the outputs of one batch of four; `graph` takes one node per source."""
    pipe = Pipeline(batch_size=4, seed=SEED)
    with pipe:
        nodes = {name: fn.external_source([batch], batch=True) for name, batch in sources.items()}
        outputs = graph(**nodes)
        pipe.set_outputs(*(outputs if isinstance(outputs, tuple) else (outputs,)))
    with pipe:
        return pipe.run()


def drawn(operator, index=0, **arguments):
    return np.asarray(operator(keys(index, 0, range(4)), **arguments))


def test_every_sample_has_a_range_of_its_own():
    floats, whole, several, chosen = run(
        lambda x: (
            fn.random.uniform(range=x),
            fn.random.uniform(range=x, dtype=types.INT32),
            fn.random.uniform(range=x, shape=[2]),
            fn.random.uniform(values=x),
        ),
        x=RANGES,
    )
    for index, out in enumerate((floats, whole, several)):
        shape, dtype = ((2,) if index == 2 else ()), (np.int32 if index == 1 else np.float32)
        assert out.layout() == ""
        for k, (low, high) in enumerate(RANGES.tolist()):
            wanted = drawn(random.uniform, index, minval=low, maxval=high, shape=shape)[k]
            np.testing.assert_array_equal(out.at(k), round_to_dtype(wanted, dtype))
    assert all(chosen.at(k) in RANGES[k] for k in range(4))


def test_a_range_that_is_computed():
    low, high, out = run(
        lambda x: (x[0], x[1], fn.random.uniform(range=fn.random.uniform(shape=[2]) * [0.0, 0.0] + x)), x=RANGES
    )
    assert all(low.at(k) <= out.at(k) < high.at(k) for k in range(4))


def test_moments_and_probabilities_of_each_sample():
    mean, stddev = np.float32([0, 100, 200, 300]), np.float32([0, 1, 0, -1])
    moved, flipped, flags = run(
        lambda m, s, p: (
            fn.random.normal(mean=m, stddev=s),
            fn.random.coin_flip(probability=p, shape=8),
            fn.random.coin_flip(probability=p, dtype=types.BOOL),
        ),
        m=mean,
        s=stddev,
        p=np.float32([2, 1, -1, 0]),
    )
    np.testing.assert_allclose(moved.as_array(), mean + drawn(random.normal) * stddev, rtol=1e-6)
    assert flipped.as_array().tolist() == [[1] * 8, [1] * 8, [0] * 8, [0] * 8]
    assert flags.dtype == types.BOOL and flags.as_array().tolist() == [True, True, False, False]


@pytest.mark.parametrize("kind", ["uniform", "normal", "coin_flip"])
def test_a_draw_has_the_shape_of_a_sample(kind):
    dense, uneven = run(
        lambda x, y: (getattr(fn.random, kind)(x), getattr(fn.random, kind)(y)),
        x=np.zeros((4, 2, 1), np.uint8),
        y=UNEVEN,
    )
    draw = functools.partial(random.uniform, minval=-1) if kind == "uniform" else getattr(random, kind)
    np.testing.assert_array_equal(dense.as_array(), drawn(draw, shape=(2, 1)))
    for k, sample in enumerate(UNEVEN):
        # Other samples of the batch make no difference.
        np.testing.assert_array_equal(uneven.at(k), drawn(draw, 1, shape=sample.shape)[k])


@pytest.mark.parametrize(
    ("graph", "batch", "error", "words"),
    [
        (
            lambda x: fn.random.uniform(range=x),
            [[1, 0]] * 4,
            SourceDataError,
            "Invalid range.*test_random_arguments.py",
        ),
        (lambda x: fn.random.uniform(range=x), [[1, 1]] * 4, SourceDataError, "Invalid range"),
        (lambda x: fn.random.uniform(range=x), [[1, 2, 3]] * 4, GraphError, r"two numbers per sample, got .*\(3,\)"),
        (lambda x: fn.random.uniform(range=x), [3] * 4, GraphError, "two numbers per sample"),
        (
            lambda x: fn.random.normal(mean=x),
            [[1, 2]] * 4,
            GraphError,
            "mean of fn.random.normal expects one number",
        ),
        (
            lambda x: fn.random.coin_flip(probability=x),
            [[1, 0]] * 4,
            GraphError,
            "probability of fn.random.coin_flip expects",
        ),
        (
            lambda x: fn.random.uniform(shape=x),
            [2] * 4,
            GraphError,
            "shape=.* as a node expects integers; fn.cast them",
        ),
        (
            lambda x: fn.random.uniform(x, shape=2),
            [2] * 4,
            ConfigError,
            "incompatible with providing a shape-like input",
        ),
        (lambda x: fn.random.uniform(range=x, values=x), [2] * 4, ConfigError, "both range= and values="),
        (lambda x: fn.random.normal(stdev=1), [2] * 4, ConfigError, "no argument 'stdev'; did you mean stddev"),
        (lambda x: fn.random.normal(mean="1"), [2] * 4, ConfigError, "mean=.*must be a number"),
    ],
)
def test_refused(graph, batch, error, words):
    with pytest.raises(error, match=words):
        run(graph, x=np.array(batch, np.float32))


@pytest.mark.parametrize("given", [(1, 1), (-0.0, 0.0), (2, 1)], ids=str)
def test_an_empty_range_is_refused_where_it_is_drawn_from(given):
    @pipeline_def(batch_size=4, enable_conditionals=True)
    def branches(numbers):
        x = fn.external_source(lambda: np.float32(numbers))
        fn.random.uniform(range=given)  # nothing draws from it
        if x > 5:
            y = fn.random.uniform(range=given)
        else:
            y = x
        return y

    with branches([0, 1, 2, 3]) as pipe:
        assert np.ravel(pipe.run()[0].as_array()).tolist() == [0, 1, 2, 3]
    with branches([4, 5, 6, 7]) as pipe, pytest.raises(SourceDataError, match="Invalid range") as caught:
        pipe.run()
    assert caught.value.sample_index == 2
    with pytest.raises(ConfigError, match=r"Invalid range .*low < high"):
        run(lambda x: fn.random.uniform(range=given) + x, x=np.zeros(4))


@pytest.mark.parametrize(
    "operator", [fn.random.uniform, fn.random.normal, fn.random.coin_flip], ids=lambda op: op.__name__
)
@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ([1 << 62], "at most 2147483647 numbers in a sample"),
        ([1 << 15] * 3 + [0], "at most 2147483647 numbers in a sample"),
        ([-1], "no negative extent"),
        ("ab", "expected integers"),
    ],
    ids=str,
)
def test_an_absurd_shape_is_refused_where_it_is_written(operator, shape, words):
    with (
        Pipeline(batch_size=4),
        pytest.raises(ConfigError, match=rf"fn.random.{operator.__name__}\(shape=\) is .*{words}"),
    ):
        operator(shape=shape)


def test_an_absurd_batch_is_refused_before_it_is_compiled():
    pipe = Pipeline(batch_size=4, seed=SEED)
    with pipe:
        sides = [fn.random.coin_flip(shape=[1 << 16 if axis == side else 1 for axis in range(3)]) for side in range(3)]
        pipe.set_outputs(sides[0] + sides[1] + sides[2])
    with (
        pipe,
        pytest.raises(GraphError, match=r"shape \(4, 65536, 65536, 65536\) has more numbers than any memory can hold"),
    ):
        pipe.run()


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda: fn.random.uniform(range=[0, 10**400]), "Invalid range"),
        (lambda: fn.random.uniform(shape=[3])[:: 10**40], "step of a subscript is at most 2147483647"),
        (
            lambda: fn.external_source(num_outputs=1 << 20),
            r"fn.external_source\(num_outputs=\) must be an integer, .*, got 1048576",
        ),
        (lambda: fn.random_resized_crop(fn.external_source(), size=[1 << 30] * 2), "at most 2147483647 numbers"),
        (lambda: fn.random_resized_crop(fn.external_source(), size=8, random_area=(0.1, 10**400)), "random_area="),
        (lambda: fn.resize(fn.external_source(), size=[1 << 30] * 2), "at most 2147483647 numbers"),
        (lambda: fn.crop(fn.external_source(), crop=[1 << 30] * 2), "at most 2147483647 numbers"),
        (
            lambda: fn.crop_mirror_normalize(fn.external_source(), dtype=types.NO_TYPE),
            r"fn.crop_mirror_normalize\(dtype=\): expected a type of samples, .* got .*NO_TYPE.*; there are",
        ),
        (lambda: fn.decoders.image(fn.external_source(), canvas=[1 << 30] * 2), "at most 2147483647 numbers"),
        (lambda: fn.external_source(bytes_per_sample_hint=1 << 40), "bytes_per_sample_hint must be .* at most"),
    ],
)
def test_an_absurd_number_is_refused_where_it_is_written(draw, words):
    with Pipeline(batch_size=4), pytest.raises(ConfigError, match=words):
        draw()
