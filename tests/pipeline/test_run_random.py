"""Random operators are functions of (seed, operator, epoch, sample), in whatever process they are computed."""

import jax
import numpy as np
import pytest
from front_pipelines import SEED, keys, make

from jaxdali import ConfigError, fn, random, types
from jaxdali.image import round_to_dtype

# Most graphs here use only one of their source's two outputs.
pytestmark = pytest.mark.filterwarnings("ignore:the external_source:UserWarning")


def draws(pipe, batches=2):
    return [[out.as_array().tolist() for out in pipe.run()] for _ in range(batches)]


def test_the_seed_decides_and_operators_differ():
    def graph(files, labels):
        return fn.random.uniform(), fn.random.uniform(), labels

    first, again, other = (draws(make(graph, seed=seed)) for seed in (3, 3, 4))
    assert first == again != other
    (one, two, _), (next_one, _, _) = first
    assert len({*one, *two, *next_one}) == 12


def test_operators_with_equal_seeds_draw_the_same():
    def graph(files, labels):
        seeds = (9, 9, 10, SEED, -1, None)
        return [fn.random.uniform(seed=seed) for seed in seeds] + [labels]

    nine, nine_again, ten, same_as_pipeline, *own = draws(make(graph), 1)[0][:-1]
    assert nine == nine_again != ten
    # Without seed=, the operator's number counts; the pipeline's seed as seed= draws something else.
    assert same_as_pipeline not in own and own[0] != own[1]
    assert nine == random.uniform(keys((1 << 64) - 1, 0, range(4), seed=9), minval=-1).tolist()


def test_neither_the_order_of_outputs_nor_calls_behind_change_a_draw():
    def drawn(step=1, ahead=0, behind=0):
        def graph(files, labels):
            for _ in range(ahead):
                fn.random.uniform()
            outputs = [fn.random.uniform(), fn.random.normal(), fn.random.uniform(seed=5), labels]
            for _ in range(behind):
                fn.random.uniform()
            return outputs[::step]

        return [batch[::step] for batch in draws(make(graph))]

    assert drawn() == drawn(step=-1) == drawn(behind=2)
    # An earlier call counts, used or not: everything draws differently, except the operator with a seed of its own.
    (first, normal, own, labels), (other_first, other_normal, other_own, other_labels) = drawn()[0], drawn(ahead=1)[0]
    assert first != other_first and normal != other_normal and (own, labels) == (other_own, other_labels)


def test_every_epoch_draws_anew():
    pipe = make(lambda files, labels: (fn.random.uniform(), labels))
    first = draws(pipe, 1)
    pipe.reset()
    second = draws(pipe, 1)
    assert first[0][0] != second[0][0] and first[0][1] == second[0][1]
    expected = random.uniform(keys(0, 1, range(4)), minval=-1).tolist()
    assert second[0][0] == expected


@pytest.mark.parametrize(
    ("arguments", "dtype"),
    [
        ({}, np.float32),
        ({"range": (2, 5)}, np.float32),
        ({"range": (0, 5), "dtype": types.INT32}, np.int32),
        ({"range": (0, 1), "shape": (2, 3), "dtype": types.FLOAT16}, np.float16),
        ({"values": [1.5, -2.0, 8.0]}, np.float32),
        ({"values": [1, 2], "shape": 3, "dtype": types.UINT8}, np.uint8),
    ],
    ids=str,
)
def test_uniform(arguments, dtype):
    pipe = make(lambda files, labels: (fn.random.uniform(**arguments), labels))
    drawn = pipe.run()[0].as_array()
    given = {name: value for name, value in arguments.items() if name in ("values", "shape")}
    if "values" in arguments:
        given["dtype"] = dtype
    else:
        given["minval"], given["maxval"] = arguments.get("range", (-1, 1))
        given["dtype"] = np.float32 if dtype == np.int32 else dtype
    wanted = round_to_dtype(random.uniform(keys(0, 0, range(4)), **given), dtype)
    np.testing.assert_array_equal(drawn, wanted)
    shape = arguments.get("shape", ())
    assert drawn.dtype == dtype
    assert drawn.shape == (4, *(shape if isinstance(shape, tuple) else (shape,)))
    if "values" in arguments:
        assert set(drawn.ravel().tolist()) <= set(arguments["values"])
    else:
        low, high = arguments.get("range", (-1, 1))
        assert (drawn >= low).all() and (drawn <= high).all()


def test_coin_flip():
    def graph(files, labels):
        chance = fn.random.uniform(range=(0, 1))
        flips = [fn.random.coin_flip(probability=p, shape=50) for p in (0.0, 1.0, 0.5, chance)]
        return *flips, chance, fn.random.coin_flip(dtype=types.BOOL), labels

    never, always, half, by_node, chance, boolean, _ = make(graph).run()
    assert not never.as_array().any() and always.as_array().all()
    assert never.dtype == types.INT32 and boolean.dtype == types.BOOL
    assert 60 < half.as_array().sum() < 140
    expected = random.coin_flip(keys(4, 0, range(4)), np.asarray(chance), shape=50)
    np.testing.assert_array_equal(by_node.as_array(), expected)


def test_draws_from_beta_distributions_of_other_types():
    def graph(dtype):
        return lambda files, labels: fn.random.beta(alpha=2.0, shape=3, seed=5, dtype=dtype)

    for x64 in (True, False):
        with jax.enable_x64(x64):
            (wide,), (narrow,) = (make(graph(dtype)).run() for dtype in (types.FLOAT64, types.FLOAT))
            assert (wide.dtype, narrow.dtype) == (types.FLOAT64, types.FLOAT)
            np.testing.assert_array_equal(wide.as_array(), narrow.as_array())
    with pytest.raises(ConfigError, match="must be FLOAT or FLOAT64"):
        make(graph(types.INT32))
