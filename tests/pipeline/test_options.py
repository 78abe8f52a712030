"""Every argument of `Pipeline` is honoured, or refused with words that say what to do."""

import dataclasses
import pickle

import numpy as np
import pytest

from jaxdali import ConfigError, OperatorConcurrency, Pipeline, StreamPolicy, fn, types
from jaxdali._dali.planner.options import PipelineOptions


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"batch_size": 0}, "Invalid batch size: 0"),
        ({"batch_size": -3}, "Invalid batch size: -3"),
        ({"batch_size": 2.0}, "Invalid batch size: 2.0; .*positive integer"),
        ({"batch_size": True}, "Invalid batch size: True"),
        ({"num_threads": 0}, "num_threads must be an integer, at least 1 and at most 2147483647, got 0"),
        ({"num_threads": "4"}, "num_threads must be an integer, at least 1 and at most 2147483647, got '4'"),
        ({"device_id": -1}, "device_id must be an integer, at least 0"),
        ({"device_id": "cpu"}, "device_id must be an integer"),
        ({"seed": 1.5}, "seed must be an integer"),
        ({"seed": 1 << 64}, f"seed .*at most {(1 << 64) - 1}"),
        ({"prefetch_queue_depth": 0}, "prefetch_queue_depth must be greater than 0"),
        ({"prefetch_queue_depth": "2"}, "prefetch_queue_depth must be greater than 0, an integer"),
        ({"prefetch_queue_depth": {"cpu_size": 2}}, '"cpu_size": integer, "gpu_size": integer.*got .*cpu_size'),
        ({"prefetch_queue_depth": {"cpu_size": 2, "gpu_size": 0}}, "prefetch_queue_depth must be greater than 0"),
        (
            {"prefetch_queue_depth": {"cpu_size": 2, "gpu_size": 2}, "exec_async": False},
            "`exec_async` must not evaluate to `False` when using separated queues",
        ),
        ({"py_num_workers": -1}, "py_num_workers must be an integer, at least 0"),
        ({"py_num_workers": 1 << 16}, "py_num_workers .*at most 65535"),
        ({"py_start_method": "thread"}, "cannot find context for 'thread'.*fork, spawn"),
        ({"py_start_method": 3}, "cannot find context for 3"),
        ({"worker_timeout_s": 0}, "worker_timeout_s must be a positive number"),
        ({"worker_restarts": -1}, "worker_restarts must be"),
        ({"max_image_pixels": 0}, "max_image_pixels must be"),
        ({"max_canvas_bytes": 0}, "max_canvas_bytes must be"),
        ({"batchsize": 3}, "no argument 'batchsize'; did you mean batch_size"),
        ({"zzz": 3}, "a pipeline has no argument 'zzz'$"),
        # DALI's own arguments, with the alternative
        ({"exec_pipelined": 0}, "exec_pipelined must be True or False, got 0"),
        ({"exec_dynamic": "no"}, "exec_dynamic='no' is not supported"),
        ({"bytes_per_sample": -1}, "bytes_per_sample must be an integer, at least 0"),
        ({"bytes_per_sample": [1, 2]}, "bytes_per_sample must be an integer"),
        ({"set_affinity": 1}, "set_affinity must be True or False, got 1"),
        ({"stream_policy": "single"}, "stream_policy must be a StreamPolicy or None, got 'single'"),
        ({"concurrency": StreamPolicy.SINGLE}, "concurrency must be a OperatorConcurrency or None, got .*SINGLE"),
        ({"enable_memory_stats": 1}, "enable_memory_stats must be True or False, got 1"),
        ({"enable_checkpointing": "no"}, "enable_checkpointing must be True or False, got 'no'"),
        ({"checkpoint": b"x"}, "expects what Pipeline.checkpoint"),
        ({"py_callback_pickler": np}, "py_callback_pickler must be a module or an object with dumps and loads"),
        (
            {"py_callback_pickler": pickle, "py_start_method": "fork"},
            "py_callback_pickler should not be set when 'fork'",
        ),
        ({"enable_conditionals": True}, "enable_conditionals= is an argument of @pipeline_def, not of Pipeline"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_refused(arguments, words):
    with pytest.raises(ConfigError, match=words):
        Pipeline(**{"batch_size": 2, **arguments})


def test_what_describes_how_it_is_here_is_accepted():
    pipe = Pipeline(
        batch_size=1,
        exec_pipelined=True,
        exec_async=True,
        exec_dynamic=True,
        bytes_per_sample=0,
        set_affinity=False,
        enable_memory_stats=False,
        enable_checkpointing=False,
        checkpoint=None,
        py_callback_pickler=None,
        output_dtype=None,
        output_ndim=None,
        output_layout=None,
        stream_policy=None,
        concurrency=None,
    )
    assert dataclasses.asdict(pipe.options) == dataclasses.asdict(PipelineOptions(batch_size=1))


def test_accepted_values_arrive():
    given = {
        "batch_size": 4,
        "num_threads": 3,
        "device_id": 2,
        "seed": 9,
        "prefetch_queue_depth": 5,
        "exec_pipelined": False,
        "exec_async": False,
        "py_num_workers": 6,
        "py_start_method": "spawn",
        "py_callback_pickler": None,
        "worker_restarts": 0,
        "bytes_per_sample": 100,
        "enable_memory_stats": True,
        "worker_timeout_s": 2.5,
        "max_image_pixels": 100,
        "max_canvas_bytes": 1000,
        "on_error": "zeros",
        "decode_ahead": 0,
        "decode_memory": 1 << 20,
        "set_affinity": True,
        "enable_checkpointing": True,
        "checkpoint": None,
        "output_dtype": types.UINT8,
        "output_ndim": [3, None],
        "output_layout": "HWC",
        "stream_policy": StreamPolicy.PER_BACKEND,
        "concurrency": OperatorConcurrency.FULL,
    }
    assert dataclasses.asdict(Pipeline(**given).options) == given
    assert set(given) == {field.name for field in dataclasses.fields(PipelineOptions)}


def test_by_position_they_have_dalis_order():
    with pytest.warns(
        DeprecationWarning, match=r"(max_streams|priority) of Pipeline is deprecated, and has no effect"
    ) as warned:
        pipe = Pipeline(4, 3, None, 7, True, {"cpu_size": 3, "gpu_size": 2}, True, 100, False, 1, 5)
    assert [warning.filename for warning in warned] == [__file__] * 2
    named = Pipeline(
        batch_size=4,
        num_threads=3,
        seed=7,
        prefetch_queue_depth={"cpu_size": 3, "gpu_size": 2},
        bytes_per_sample=100,
    )
    assert dataclasses.asdict(pipe.options) == dataclasses.asdict(named.options)
    assert (pipe.max_streams, pipe.default_cuda_stream_priority) == (-1, 0), "as of DALI, whatever was given"
    with pytest.raises(TypeError, match="positional arguments"):
        Pipeline(*[1] * 12)


@pytest.mark.parametrize("value", [True, False])
def test_the_old_name_of_exec_dynamic(value):
    with pytest.warns(DeprecationWarning, match="experimental_exec_dynamic of Pipeline is deprecated, and is exec_dyn"):
        assert Pipeline(2, experimental_exec_dynamic=value).exec_dynamic


def test_numpy_integers_are_integers():
    options = Pipeline(batch_size=np.int64(4), seed=np.uint64(3)).options
    assert (options.batch_size, options.seed) == (4, 3)
    assert type(options.batch_size) is int


def test_dalis_words_for_not_given():
    assert Pipeline(batch_size=1, num_threads=-1).options.num_threads is None
    assert Pipeline(batch_size=1, py_num_workers=None).options.py_num_workers == 1
    assert Pipeline(batch_size=1, seed=-1).options.seed is None


def test_a_seed_that_is_not_given_is_drawn_and_told():
    seeds = {Pipeline(batch_size=1, seed=seed).seed for seed in (None, -1, None)}
    assert len(seeds) == 3
    assert all(0 <= seed < 1 << 64 for seed in seeds)
    assert Pipeline(batch_size=1, seed=0).seed == 0


def test_every_error_is_a_value_error():
    with pytest.raises(ValueError, match="Invalid batch size: 0"):
        Pipeline(batch_size=0)


def test_the_first_four_may_be_given_by_position():
    options = Pipeline(4, 2, 0, 12).options
    assert (options.batch_size, options.num_threads, options.device_id, options.seed) == (4, 2, 0, 12)


@pytest.mark.parametrize("given", [{}, {"batch_size": None}, {"batch_size": -1}], ids=str)
def test_without_a_batch_size_only_a_saved_pipeline_can_be_built(given):
    pipe = Pipeline(**given)
    assert pipe.batch_size is None
    with pipe:
        pipe.set_outputs(fn.random.uniform())
    with pytest.raises(ConfigError, match="a pipeline needs batch_size="):
        pipe.build()
