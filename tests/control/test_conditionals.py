"""Branches on nodes: what each sample gets from them, and what it does not."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from jpeg_files import photo, pillow_jpeg

from jaxdali import GraphError, Pipeline, SourceDataError, fn, pipeline_def, types
from jaxdali.pipeline import do_not_convert
from jaxdali.plugin.jax import data_iterator

OPTIONS = {"batch_size": 4, "seed": 1, "enable_conditionals": True, "prefetch_queue_depth": 1}


def counted():
    return fn.external_source(lambda: [np.int32(k) for k in range(4)])


def run(define, **options):
    """Returns the samples of each output of the first batch."""
    with pipeline_def(**{**OPTIONS, **options})(define)() as pipe:
        return [[np.asarray(output.at(row)).tolist() for row in range(len(output))] for output in pipe.run()]


# WHAT IS REWRITTEN ----------------------------------------------------------------------------------------------------


def nested_returns(x, flag):
    if flag:
        return x
    if x > 1:
        if x > 2:
            return x + 100
        y = x * 7
    else:
        y = x
        if x > 0:
            return y + 200
    return y + 1000


def test_returns_in_nested_branches():
    assert run(lambda: (nested_returns(counted(), False), nested_returns(counted(), True))) == [
        [1000, 201, 1014, 103],
        [0, 1, 2, 3],
    ]


def test_a_return_for_some_samples_only():
    def mine(x):
        if x > 1:
            return x

    with pytest.raises(
        GraphError, match=r"what is returned has no value for each sample: .*test_conditionals.py:\d+ give"
    ):
        run(lambda: mine(counted()))


class Shifted:
    """Has a private name; Twice adds `super`, and `counting` a variable of an enclosing function."""

    def __init__(self, by):
        self.__by = by

    def __call__(self, x):
        if x > 1:
            x = x + self.__by
        return x


class Twice(Shifted):
    def __call__(self, x):
        return super().__call__(x) if x != 3 else x * 0


def counting():
    calls = 0

    def shift(x, *, by: int = 1):
        nonlocal calls
        calls += 1
        if x > 1:
            by = by + calls
        return x + by

    return shift


def test_methods_and_closures_stay_what_they_are():
    shift = counting()
    x = counted()
    found = run(lambda: (Shifted(10)(x), Twice(20)(x), shift(x), shift(x, by=5), functools.partial(shift, by=0)(x)))
    assert found == [[0, 1, 12, 13], [0, 1, 22, 0], [1, 2, 4, 5], [5, 6, 9, 10], [0, 1, 5, 6]]


def test_decorated_functions_and_lambdas():
    def doubled(function):
        @functools.wraps(function)
        def wrapper(*args):
            found = function(*args)
            if found > 2:
                found = found * 2
            return found

        return wrapper

    @doubled
    def shifted(x):
        return x + 1 if x > 1 else x

    pick = lambda x: x if x > 1 else x + 50  # noqa: E731
    assert run(lambda: (shifted(counted()), pick(counted()))) == [[0, 1, 6, 8], [50, 51, 2, 3]]


def test_python_s_own_loops_and_ways_out():
    def first(values, limit):
        for value in values:
            if value > limit and value is not None:
                return value
            if value < 0:
                continue
            if not value:
                break
        else:
            return -1
        return -2

    def mine():
        x = counted()
        numbers = [number for number in (1, 2, 3) if number > 1 or not number]
        if any(number > 2 for number in numbers) and (half := len(numbers) / 2) == 1:
            x = x + int(half)
        return x + first([1, 5], 3), x + first([-1, 2], 3), x + first([0], 3)

    assert run(mine) == [[6, 7, 8, 9], [0, 1, 2, 3], [-1, 0, 1, 2]]


def test_values_that_python_knows_are_asked_no_more_than_by_python():
    asked = []

    def ask(value):
        asked.append(value)
        return value

    def mine():
        assert (ask(0) and ask(1)) == 0 and (ask(2) or ask(3)) == 2 and not 1 < ask(0) < ask(4)
        return counted()

    run(mine)
    assert asked == [0, 2, 0]


@pytest.mark.parametrize("leave", ["return", "break", "continue"])
def test_a_branch_on_a_node_that_is_left(leave):
    def returning(x):
        for k in range(3):
            if x > k:
                return x
        return x

    def breaking(x):
        for k in range(3):
            if x > k:
                break
        return x

    def continuing(x):
        for k in range(3):
            if x > k:
                continue
            x = x + 1
        return x

    function = {"return": returning, "break": breaking, "continue": continuing}[leave]
    line = function.__code__.co_firstlineno + 2
    with pytest.raises(
        GraphError, match=rf"leaves a branch of the `if` at {__file__}:{line}, whose condition is a node"
    ):
        run(lambda: function(counted()))


def test_functions_that_are_not_converted():
    @do_not_convert
    def mine(x):
        return x + 1 if x > 1 else x

    line = mine.__code__.co_firstlineno + 2
    with pytest.raises(TypeError, match=rf"`... if ... else ...` at {__file__}:{line} asks whether"):
        run(lambda: mine(counted()))
    assert do_not_convert(sorted)([1, 2], reverse=True) == [2, 1], "it takes no mark, and is wrapped"


def test_a_function_without_source_says_what_it_wants():
    space = {}
    exec("def mine(x):\n    if x > 1:\n        x = x + 1\n    return x", space)
    with pytest.raises(TypeError, match="functions whose source is available"):
        run(lambda: space["mine"](counted()))


# WHAT BRANCHES LEAVE --------------------------------------------------------------------------------------------------


def test_lists_that_branches_change():
    def mine():
        x, found, kept = counted(), [], {"a": [1]}
        if x > 1:
            found.append(x)
            kept["a"].append(5)
        else:
            found.append(x + 100)
            kept["a"].append(6)
        return (*found, *kept["a"])

    assert run(mine) == [[100, 101, 2, 3], [1] * 4, [6, 6, 5, 5]]


def test_lists_that_branches_change_otherwise():
    def mine():
        x, found = counted(), []
        if x > 1:
            found.append(x)
        return found

    with pytest.raises(GraphError, match=r"a list is changed differently in the branches of the `if` at"):
        run(mine)


def test_an_unset_variable_says_so_wherever_it_is_used():
    def using(use):
        def mine():
            x = counted()
            if x > 1:
                y = x
            return use(y, x)

        return mine

    for use in (lambda y, x: y, lambda y, x: y + x, lambda y, x: x - y, lambda y, x: fn.cast(y, dtype=types.FLOAT)):
        with pytest.raises(
            GraphError, match=r"`y` is set in one branch only of the `if` at .*test_conditionals.py:\d+"
        ):
            run(using(use))


def test_types_that_differ_are_named_with_their_variable_and_line():
    def mine():
        x = counted()
        if x > 1:
            y = x * 1.5
        else:
            y = x
        return y

    line = mine.__code__.co_firstlineno + 2
    words = rf"the branches of the `if` at {__file__}:{line} give `y` different types: float32 and int32; fn.cast"
    with pytest.raises(GraphError, match=words):
        run(mine)


def test_integers_of_64_bits_are_one_type_wherever_they_come_from():
    def mine():
        x, other = counted(), fn.external_source(lambda: np.arange(4, dtype=np.int64))
        origins = [
            other,
            other + 1,
            fn.flip(fn.reshape(other, shape=[1, 1, 1], layout="HWC"))[0, 0, 0],
            fn.cast(x, dtype=types.INT64),
            fn.stack(x, x).shape()[0],
            types.Constant(7, dtype=types.INT64, device="cpu"),
            fn.python_function(function=lambda: np.int64(8)),
            fn.reductions.sum(other),
        ]
        found = []
        for one in origins:
            for another in origins:
                if x > 1:
                    found.append(one)
                else:
                    found.append(another)
        return found

    with pipeline_def(**OPTIONS)(mine)() as pipe:
        assert {output.dtype for output in pipe.run()} == {types.INT64}


def test_layouts_that_differ():
    def mine():
        x = fn.external_source(lambda: np.zeros((4, 2, 2), np.uint8), layout="AB")
        y = fn.external_source(lambda: np.zeros((4, 2, 2), np.uint8), layout="CD")
        return x if fn.random.coin_flip() else y

    with pytest.raises(GraphError, match="different layouts: AB and CD"):
        run(mine)


# WHAT IS COMPUTED -----------------------------------------------------------------------------------------------------


def test_draws_do_not_depend_on_who_takes_their_branch():
    def mine(least):
        drawn = fn.random.uniform()
        if counted() >= least:
            y = fn.random.uniform()
        else:
            y = fn.random.uniform()
        return y, fn.random.normal(), drawn

    all_, none, some = (run(functools.partial(mine, least)) for least in (0, 9, 2))
    assert some[0] == none[0][:2] + all_[0][2:]
    assert set(all_[0]).isdisjoint(none[0])
    assert all_[1:] == none[1:] == some[1:]


def test_what_a_branch_requires_counts_for_its_samples():
    def mine(least):
        x = counted()
        y = x
        if x >= least:
            z = 6 // x
            if z < 5:
                y = z
        return y

    assert run(functools.partial(mine, 1)) == [[0, 1, 3, 2]]
    with pytest.raises(SourceDataError, match="Integer division by zero"):
        run(functools.partial(mine, 0))


def test_a_saved_pipeline_branches_alike():
    @pipeline_def(**OPTIONS)
    def mine():
        x = fn.external_source(name="x")
        if x > 1 and not x == 3:
            x = 6 // (x - 1)
        return x, fn.random.uniform() if x > 3 else 0.5

    pipe = mine()
    again = Pipeline.deserialize(pipe.serialize())
    found = []
    for one in (pipe, again):
        with one:
            one.feed_input("x", [np.int32(k) for k in range(4)])
            found.append([output.as_array().tolist() for output in one.run()])
    assert found[0] == found[1]
    assert found[0][0] == [0, 1, 6, 3]


FILES = [np.frombuffer(pillow_jpeg(8 + 3 * k, 20 - 4 * k, seed=k), np.uint8) for k in range(3)]


def test_images_of_different_extents():
    """Each sample is what it would be without the branch; the iterator gives them on a canvas, or as an array."""

    @data_iterator(output_map=["images", "small"])
    def mine(canvas=None):
        x = fn.external_source(lambda: [np.int32(k) for k in range(3)], batch=True)
        images = fn.decoders.image(fn.external_source(lambda: FILES), canvas=canvas)
        if x == 1:
            images = fn.crop(images, crop=(6, 5))
        elif x > 1:
            images = fn.flip(images)
        return images, fn.resize(images, size=(4, 4))

    options = {"batch_size": 3, "enable_conditionals": True, "prefetch_queue_depth": 1}
    with mine(canvas=(16, 24), **options) as batches:
        batch = next(batches)
    pixels, shapes = (np.asarray(part) for part in batch["images"])
    assert shapes.tolist() == [[8, 20, 3], [6, 5, 3], [14, 12, 3]]
    assert batch["small"].shape == (3, 4, 4, 3)

    @pipeline_def(**{**options, "enable_conditionals": False})
    def apart():
        images = fn.decoders.image(fn.external_source(lambda: FILES))
        return images, fn.crop(images, crop=(6, 5)), fn.flip(images)

    with apart() as pipe:
        several = pipe.run()
    for row, output in enumerate(several):
        height, width, _ = shapes[row]
        np.testing.assert_array_equal(pixels[row, :height, :width], output.at(row))
        assert not pixels[row, height:].any() and not pixels[row, :, width:].any()


def test_images_on_no_canvas():
    def mine():
        images = fn.external_source(lambda: [photo(3 + k, 5, seed=k) for k in range(4)], layout="HWC")
        images = images if counted() % 2 else images[0:2, 1:]
        return fn.flip(images)

    found = run(mine)[0]
    assert [np.shape(sample) for sample in found] == [(2, 4, 3), (4, 5, 3), (2, 4, 3), (6, 5, 3)]
