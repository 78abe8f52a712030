"""`Pipeline` without the decorator: classes, blocks, scopes, constants, declared outputs, batches that vary in size."""

import gc
import weakref

import numpy as np
import pytest

from jaxdali import ConfigError, GraphError, OutputError, Pipeline, StateError, fn, pipeline_def, types
from jaxdali.plugin.jax import DALIGenericIterator

OPTIONS = {"batch_size": 2, "seed": 1}


def images(layout="HWC"):
    return fn.external_source(lambda: np.zeros((2, 4, 4, 3), np.uint8), batch=True, layout=layout)


def numbers():
    return fn.external_source(lambda iteration: np.full((2, 3), iteration, np.int16), batch=True)


# CLASSES


class Counting(Pipeline):
    """Sets `number`, which its source reads, before each iteration."""

    def __init__(self, iterations=3, **options):
        super().__init__(**{**OPTIONS, **options})
        self.iterations = iterations
        self.set_up = 0
        self.number = [0]

    def define_graph(self):
        number = self.number
        return fn.external_source(lambda: np.full(2, number[0], np.int32), batch=True), 7

    def iter_setup(self):
        if self.set_up == self.iterations:
            raise StopIteration
        self.set_up += 1
        self.number[0] = 10 * self.set_up


def seen(pipe):
    values = []
    with pytest.raises(StopIteration):
        while True:
            values.append(int(pipe.run()[0].at(0)))
    return values


@pytest.mark.parametrize("depth", [1, 3])
def test_a_class_draws_its_graph_and_sets_up_each_iteration(depth):
    pipe = Counting(prefetch_queue_depth=depth)
    assert pipe.num_outputs == 2
    pipe.build()
    assert pipe.set_up == 0, "nothing is taken before the first run"
    pipe.run()
    assert pipe.set_up == min(depth, 3)
    assert seen(pipe) == [20, 30]
    with pytest.raises(StopIteration):
        pipe.run()
    pipe.iterations = 5
    pipe.reset()
    assert seen(pipe) == [40, 50]


def test_iter_setup_comes_before_arrays_too():
    pipe = Counting(prefetch_queue_depth=1)
    assert [int(pipe.run_arrays(1)[0][0]) for _ in range(2)] == [10, 20]


def test_what_iter_setup_raises_stands_in_its_place():
    class Failing(Counting):
        def iter_setup(self):
            super().iter_setup()
            if self.set_up == 2:
                raise KeyError("mine")

    pipe = Failing(prefetch_queue_depth=2)
    assert int(pipe.run()[0].at(0)) == 10
    with pytest.raises(KeyError, match="mine"):
        pipe.run()
    pipe.reset()
    assert seen(pipe) == [30]


def test_a_class_with_iter_setup_goes_with_its_last_reference():
    pipe = Counting()
    seen(pipe)
    gone = weakref.ref(pipe)
    del pipe
    gc.collect()
    assert gone() is None


def test_outputs_that_were_set_win_over_define_graph():
    pipe = Counting()
    with pipe.definition():
        pipe.set_outputs(numbers())
    assert pipe.run()[0].dtype == types.INT16


def test_a_class_is_closed_by_its_block():
    with Counting() as pipe:
        pipe.run()
    with pytest.raises(StateError, match="closed"):
        pipe.run()


def test_define_graph_that_returns_nothing():
    class Empty(Pipeline):
        def define_graph(self):
            numbers()

    with pytest.raises(GraphError, match="define_graph of Empty returned nothing; return the outputs"):
        Empty(**OPTIONS).build()


def test_a_class_may_have_attributes_of_nearly_any_name():
    kept = {"define_graph", "iter_setup", "on_error"}  # a class is expected to define or set these
    public = {name for name in dir(Pipeline) if not name.startswith("_")} - kept
    told = {name for name in public if isinstance(getattr(Pipeline, name), property)}
    names = [*sorted(public - told), "input", "decode", "place", "part", "graph", "session"]
    names += ["_session", "_blocks", "_seed", "_pipe", "_definition", "_graph", "_outputs", "_options", "_name"]
    assert {"device", "seed", "options", "run", "reset", "build", "close", "definition", "epoch_idx"} <= set(names)

    class Mine(Counting):
        def __init__(self, **options):
            self.device = "gpu"
            super().__init__(**options)
            for name in names:
                setattr(self, name, "mine")

    def make(**options):
        return Mine(iterations=9, prefetch_queue_depth=1, enable_checkpointing=True, **options)

    pipe = make()
    with pytest.warns(UserWarning, match="enable_checkpointing=True, but"):
        Pipeline.build(pipe)
    with pipe:
        assert [int(Pipeline.run(pipe)[0].at(0)) for _ in range(2)] == [10, 20]
        record = Pipeline.checkpoint(pipe)
        Pipeline.reset(pipe)
        assert int(Pipeline.run_arrays(pipe)[0][0]) == 30
        assert repr(pipe).splitlines()[0].endswith("(batch_size=2, seed=1, built)")
        assert [getattr(pipe, name) for name in names] == ["mine"] * len(names)
    with pytest.warns(UserWarning, match="does not capture the state"):
        iterator = DALIGenericIterator(make(checkpoint=record), ["x", "y"], on_error="zeros", prepare_first_batch=False)
    with iterator:
        assert next(iterator)["x"].tolist() == [10, 10]
        assert len(iterator.checkpoints()) == 1
        iterator.reset()
    for name in sorted(told):  # as in DALI
        with pytest.raises(AttributeError):
            setattr(pipe, name, "mine")


# WHO IS DRAWN INTO


def test_current():
    assert Pipeline.current() is None
    first, second = Pipeline(**OPTIONS), Pipeline(**OPTIONS)
    with first as inner:
        assert inner is first and Pipeline.current() is first
        with second:
            assert Pipeline.current() is second
            second.set_outputs(numbers())
        assert Pipeline.current() is first
        first.set_outputs(numbers(), 1)
    assert Pipeline.current() is None
    assert [len(pipe.run()) for pipe in (first, second)] == [2, 1]

    @pipeline_def(**OPTIONS)
    def mine():
        currents.append(Pipeline.current())
        return numbers()

    currents = []
    assert [mine()] == currents


def test_a_block_that_is_never_left_takes_no_scope_away():
    left, pipe = Pipeline(batch_size=1), Pipeline(batch_size=1)
    left.definition().__enter__()  # and is never left
    try:
        with pipe:
            gc.collect()
            assert Pipeline.current() is pipe
    finally:
        Pipeline.pop_current()


def test_push_current_and_pop_current():
    pipe, outer = Pipeline(**OPTIONS), Pipeline(**OPTIONS)
    assert Pipeline.push_current(outer) is None
    assert Pipeline.push_current(pipe) is outer, "the one before, as in DALI"
    assert Pipeline.current() is pipe
    pipe.set_outputs(numbers())
    Pipeline.pop_current()
    Pipeline.pop_current()
    assert Pipeline.current() is None
    assert pipe.run()[0].shape() == [(3,)] * 2
    with pytest.raises(GraphError, match="pop_current was called without push_current"):
        Pipeline.pop_current()
    with pytest.raises(StateError, match="the pipeline is built"):
        Pipeline.push_current(pipe)


# CONSTANTS


def of_constants(*constants, **options):
    pipe = Pipeline(**{**OPTIONS, **options})
    with pipe:
        pipe.set_outputs(*constants)
    return pipe.run()


# These are DALI 2.4.0's results.
CONSTANTS = [
    (1, types.INT32, [1]),
    (2.5, types.FLOAT, [2.5]),
    (True, types.BOOL, [True]),
    (np.float16(3), types.FLOAT16, [3]),
    (np.uint8(3), types.UINT8, [3]),
    ([1, 2], types.INT32, [1, 2]),
    ((1, 2.5), types.FLOAT, [1, 2.5]),
    ([True, False], types.BOOL, [True, False]),
    (np.zeros((2, 3)), types.FLOAT, [0] * 6),
    (np.arange(3), types.INT32, [0, 1, 2]),
    (types.Constant(3, dtype=types.UINT8), types.UINT8, [3]),
    (types.Constant(1.5, dtype=types.INT32), types.INT32, [1]),
    (types.Constant([1, 2, 3], shape=(3, 1)), types.INT32, [1, 2, 3]),
    (types.Constant(7, shape=(2, 2)), types.INT32, [7] * 4),
    (types.Constant(7, shape=2), types.INT32, [7] * 2),
]


def test_constants_are_outputs():
    results = of_constants(*(constant for constant, _, _ in CONSTANTS))
    for (constant, dtype, values), result in zip(CONSTANTS, results, strict=True):
        assert (result.dtype, len(result)) == (dtype, 2), constant
        assert [result.at(k).ravel().tolist() for k in range(2)] == [values] * 2
        wanted = constant.shape if isinstance(constant, types.Constant) else np.shape(constant)
        assert result.shape() == [tuple(wanted)] * 2


def test_the_layout_of_a_constant():
    (result,) = of_constants(types.Constant(np.zeros((2, 3, 3), np.uint8), layout="HWC"), output_layout="HWC")
    assert result.layout() == "HWC"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: types.Constant(300, dtype=types.UINT8), "constant 300 is out of range for uint8"),
        (lambda: types.Constant(1 << 40), "out of range for int32"),
        (lambda: types.Constant(-1, dtype=types.UINT32), "out of range for uint32"),
        (lambda: types.Constant(float("nan"), dtype=types.INT8), "out of range for int8"),
        (lambda: types.Constant([1, 2, 3], shape=(2, 2)), r"3 numbers cannot have the shape \(2, 2\)"),
        (lambda: types.Constant([1, 2], layout="HW"), "'HW' cannot describe 1-dimensional data"),
        (lambda: types.Constant("a"), "got str 'a'"),
        (lambda: of_constants(types.Constant(1 << 40, dtype=types.INT64)), "does not fit int32; set jax_enable_x64"),
    ],
)
def test_constants_that_are_refused(make, words):
    with pytest.raises(ConfigError, match=words):
        make()


def test_a_constant_stays_what_it_was():
    array = np.zeros(2, np.float32)
    constant = types.Constant(array)
    array[0] = 1
    assert constant.value.tolist() == [0, 0]
    with pytest.raises(ValueError, match="read-only"):
        constant.value[0] = 1
    assert repr(types.Constant(3)) == "Constant(3, dtype=DALIDataType.INT32)"


# DECLARED OUTPUTS


def declared(layout="HWC", **options):
    pipe = Pipeline(**OPTIONS, **options)
    with pipe:
        pipe.set_outputs(images(layout), 0.5)
    return pipe


@pytest.mark.parametrize(
    "options",
    [
        {"output_dtype": [types.UINT8, types.FLOAT], "output_ndim": [3, 0], "output_layout": ["HWC", ""]},
        {"output_dtype": (types.UINT8, None), "output_ndim": [None, 0], "output_layout": ["HWC", None]},
        {},
    ],
)
def test_outputs_as_declared(options):
    pipe = declared(**options)
    assert len(pipe.run()) == 2
    assert pipe.output_dtype() == list(options.get("output_dtype", [None] * 2))
    assert pipe.output_ndim() == list(options.get("output_ndim", [None] * 2))
    assert pipe.output_layout() == list(options.get("output_layout", [None] * 2))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"output_dtype": types.UINT8}, "Data type in the output_idx=1 .*Expected: .*UINT8. Received: .*FLOAT"),
        ({"output_dtype": [types.INT8, None]}, "Data type in the output_idx=0"),
        ({"output_ndim": 3}, "Number of dimensions in the output_idx=1 .*Expected: 3. Received: 0"),
        ({"output_ndim": [2, None]}, "Number of dimensions in the output_idx=0"),
        ({"output_layout": "HWC"}, "Layout in the output_idx=1 does not match. Expected: HWC. Received: ."),
        ({"output_layout": ["CHW", None]}, "Layout in the output_idx=0"),
    ],
)
def test_outputs_that_are_not_as_declared(options, words):
    pipe = declared(**options)
    for run, error in ((pipe.run, OutputError), (pipe.run_arrays, RuntimeError), (pipe.run, ConfigError)):
        with pytest.raises(error, match=words):
            run()


@pytest.mark.parametrize(
    "options", [{"output_dtype": [types.UINT8]}, {"output_ndim": [3] * 3}, {"output_layout": ["HWC"]}]
)
def test_another_number_of_outputs_than_declared(options):
    with pytest.raises(GraphError, match="Lengths of provided output descriptions do not match"):
        declared(**options)


@pytest.mark.parametrize(
    ("options", "words", "error"),
    [
        ({"output_dtype": "x"}, "`output_dtype` must be either: .*Found type: str", TypeError),
        ({"output_dtype": [types.UINT8, types.NO_TYPE]}, "can't be a types.NO_TYPE", ValueError),
        ({"output_ndim": "a"}, "`output_ndim` must be either: an int", TypeError),
        ({"output_ndim": -1}, "must be non-negative. Found value: -1", ValueError),
        ({"output_layout": 3}, "`output_layout` must be either: a string", TypeError),
    ],
)
def test_declarations_that_are_refused(options, words, error):
    with pytest.raises(error, match=words):
        Pipeline(**OPTIONS, **options)


# BATCHES THAT VARY


def test_batches_of_different_sizes():
    @pipeline_def(batch_size=4, seed=1)
    def mine():
        data = fn.external_source(lambda iteration: np.zeros((iteration % 4 + 1, 2), np.uint8), batch=True)
        draws = fn.random.uniform()
        return data, draws, fn.brightness_contrast(data, brightness_shift=draws), 3

    pipe = mine()
    assert pipe.max_batch_size == 4
    assert [[len(output) for output in pipe.run()] for _ in range(6)] == [[n] * 4 for n in (1, 2, 3, 4, 1, 2)]
