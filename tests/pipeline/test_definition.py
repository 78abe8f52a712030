"""`pipeline_def`: which arguments belong to the pipeline, and which to the function."""

import re

import numpy as np
import pytest

from jaxdali import ConfigError, GraphError, Pipeline, fn, pipeline_def


def constant(value=1.0):
    return fn.external_source(lambda: np.float32(value), batch=False)


def test_with_and_without_a_call():
    @pipeline_def
    def bare():
        return constant()

    @pipeline_def()
    def called():
        return constant()

    for factory in (bare, called):
        pipe = factory(batch_size=3)
        assert isinstance(pipe, Pipeline) and pipe.max_batch_size == 3
        assert len(pipe.run()[0]) == 3


def test_the_factory_keeps_the_functions_name_and_docstring():
    @pipeline_def(batch_size=1)
    def mine():
        """Words."""
        return constant()

    assert (mine.__name__, mine.__doc__) == ("mine", "Words.")


def test_the_call_wins_over_the_decorator_and_the_rest_is_merged():
    @pipeline_def(batch_size=2, seed=5, prefetch_queue_depth=3)
    def mine():
        return constant()

    assert (mine().options.batch_size, mine().seed) == (2, 5)
    options = mine(batch_size=4, num_threads=1).options
    assert (options.batch_size, options.seed) == (4, 5)
    assert (options.prefetch_queue_depth, options.num_threads) == (3, 1)
    assert mine().options.batch_size == 2, "a call changed the decorator's arguments"


def test_the_function_gets_its_own_arguments():
    @pipeline_def(batch_size=2)
    def mine(first, second=10.0, *, third):
        assert (first, third) == (1.0, 3.0)
        return constant(second)

    assert mine(1.0, third=3.0).run()[0].as_array().tolist() == [10.0, 10.0]
    assert mine(first=1.0, second=5.0, third=3.0, seed=1).run()[0].as_array().tolist() == [5, 5]
    with pytest.raises(TypeError, match="third"):
        mine(1.0)


def test_a_function_may_take_any_number_of_positional_arguments():
    @pipeline_def(batch_size=1)
    def mine(*values):
        return [constant(value) for value in values]

    assert [float(out.at(0)) for out in mine(1.0, 2.0).run()] == [1.0, 2.0]


def test_variadic_keywords_are_refused():
    with pytest.raises(TypeError, match=r"variadic keyword argument \(\*\*rest\)"):

        @pipeline_def
        def mine(**rest):
            return constant()


def test_an_argument_that_nobody_has_is_named_with_the_nearest_one():
    @pipeline_def(batch_size=1)
    def mine(image_size=1):
        return constant()

    with pytest.raises(TypeError, match=r"mine.*'image_sise'.*did you mean image_size"):
        mine(image_sise=3)
    with pytest.raises(TypeError, match=r"'num_thread'.*did you mean num_threads"):
        mine(num_thread=3)
    with pytest.raises(TypeError, match=r"neither mine nor Pipeline has an argument 'zzz'$"):
        mine(zzz=3)
    with pytest.raises(ConfigError, match=r"'batchsize'.*did you mean batch_size"):
        pipeline_def(batchsize=3)(mine)


@pytest.mark.parametrize("decorate", [pipeline_def, pipeline_def(batch_size=1)])
def test_a_parameter_that_shadows_pipelines_is_warned_of_where_it_stands(decorate):
    with pytest.warns(UserWarning, match="'seed' of mine shadows the Pipeline argument") as caught:

        def mine(seed):
            return constant(seed)

        mine = decorate(mine)
    assert caught[0].filename == __file__
    pipe = mine(seed=4.0) if decorate is not pipeline_def else None
    if pipe is not None:
        assert pipe.options.seed is None
        assert pipe.run()[0].at(0) == 4.0


def test_batch_size_must_be_given_somewhere():
    @pipeline_def
    def mine():
        return constant()

    with pytest.raises(ConfigError, match="a pipeline needs batch_size="):
        mine()


def test_a_function_that_returns_nothing():
    @pipeline_def(batch_size=1)
    def mine():
        constant()

    with pytest.raises(ConfigError, match="mine returned nothing; return the pipeline's outputs"):
        mine()


def test_an_error_in_the_function_leaves_no_pipeline_open():
    @pipeline_def(batch_size=1)
    def broken():
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        broken()
    assert Pipeline.current() is None and constant().call.scope is None


def test_pipelines_may_be_defined_inside_of_each_other():
    @pipeline_def(batch_size=1)
    def inner():
        return constant(2.0)

    @pipeline_def(batch_size=1)
    def outer():
        before = constant(1.0)
        twos = inner().run()[0].at(0)
        return before, constant(twos)

    assert [float(out.at(0)) for out in outer().run()] == [1.0, 2.0]


def test_one_factory_makes_pipelines_that_share_nothing():
    @pipeline_def(batch_size=2, seed=1)
    def mine():
        count = iter(range(100))
        return fn.external_source(lambda: np.int32(next(count)), batch=False)

    first, second = mine(), mine()
    assert first.run()[0].as_array().tolist() == [0, 1]
    assert first.run()[0].as_array().tolist() == [2, 3]
    assert second.run()[0].as_array().tolist() == [0, 1]


def test_the_words_name_the_function():
    @pipeline_def(batch_size=1)
    def mine():
        return ()

    with pytest.raises(GraphError, match=re.escape("the pipeline has no outputs")):
        mine()
