"""Styles in which pipelines are written, compared with NVIDIA's DALI: each program runs in both systems."""

from __future__ import annotations

import inspect
import warnings

import pytest
from beside_dali import SYSTEMS, batches, counted, forms, load, results
from style_programs import styles

pytestmark = pytest.mark.dali


@pytest.mark.parametrize("name", styles)
@pytest.mark.filterwarnings("ignore:.*negative seed:UserWarning")
def test_outputs_are_equal(name):
    theirs, ours = (results(styles[name], system) for system in SYSTEMS)
    assert forms(ours) == forms(theirs)
    assert ours == theirs


def positional(function):
    """Returns names and defaults of the parameters that a function takes by position."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [(p.name, p.default) for p in inspect.signature(function).parameters.values() if p.kind in kinds]


def test_arguments_by_position_have_dalis_order():
    theirs, ours = map(load, SYSTEMS)
    assert positional(ours.Pipeline.__init__) == positional(theirs.Pipeline.__init__)
    for name in ("set_outputs", "run", "push_current", "feed_input", "reader_meta", "epoch_size", "serialize", "build"):
        mine, other = positional(getattr(ours.Pipeline, name)), positional(getattr(theirs.Pipeline, name))
        assert [n for n, _ in mine] == [n for n, _ in other], name


def test_every_argument_of_a_pipeline_is_one_of_ours():
    theirs, ours = map(load, SYSTEMS)
    names = set(inspect.signature(theirs.Pipeline.__init__).parameters) - {"self"}
    assert names <= ours.pipeline.PipelineOptions.names()


def assigned(dali, name):
    """Returns what happens to a pipeline whose class assigns an attribute of that name."""

    class Mine(dali.Pipeline):
        def define_graph(self):
            return dali.fn.external_source(counted())

    pipe = Mine(2, 1, None)
    try:
        setattr(pipe, name, "gpu")
        dali.Pipeline.build(pipe)
        assert getattr(pipe, name) == "gpu"
        return len(batches_of(dali, pipe))
    except (AttributeError, TypeError):
        return "refused"


def batches_of(dali, pipe):
    return [dali.Pipeline.run(pipe) for _ in range(2)]


def test_what_dali_lets_a_class_assign_ours_does():
    theirs, ours = map(load, SYSTEMS)
    names = {name for system in (theirs, ours) for name in dir(system.Pipeline) if not name.startswith("__")}
    names |= {
        "device",
        "input",
        "decode",
        "res",
        "iterator",
        "shard_id",
        "labels",
        "_seed",
        "_session",
        "_graph",
        "_name",
    }
    # Methods that both systems call, and the one that a class must define.
    names -= {"define_graph", "iter_setup"}
    # Names that DALI does not have, and whose values are reserved for jaxdali.
    names -= {"on_error"} | {name for name in names if name.startswith("_jaxdali")}
    refused = {name for name in names if assigned(ours, name) == "refused"}
    assert {name for name in refused if assigned(theirs, name) != "refused"} == set()
    assert {"batch_size", "device_id", "num_threads"} <= refused, "read-only in both"


def test_a_list_from_a_function_is_outputs_where_dali_refuses_it():
    def outputs(dali):
        return dali.pipeline_def(lambda: [dali.fn.external_source(counted())] * 2, batch_size=2, num_threads=1)

    with pytest.raises(TypeError, match="nested"):
        outputs(load("nvidia.dali"))(device_id=None).build()
    assert len(batches(outputs(load("jaxdali"))(device_id=None))[0]) == 2


def test_deprecated_arguments_warn_in_both():
    for system in SYSTEMS:
        dali = load(system)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            pipe = dali.Pipeline(2, 1, None, 3, True, 2, True, 0, False, 1, -5, experimental_exec_dynamic=True)
        assert len(found) == 3 and all("deprecated" in str(warning.message) for warning in found)
        assert (pipe.max_streams, pipe.default_cuda_stream_priority) == (-1, 0)


def test_hints_about_streams_are_taken():
    for system in SYSTEMS:
        dali = load(system)
        pipe = dali.Pipeline(
            2, 1, None, stream_policy=dali.StreamPolicy.SINGLE, concurrency=dali.OperatorConcurrency.NONE
        )
        assert pipe.stream_policy is dali.StreamPolicy.SINGLE and pipe.concurrency is dali.OperatorConcurrency.NONE
        assert [one.name for one in dali.StreamPolicy] == ["SINGLE", "PER_BACKEND", "PER_OPERATOR", "UNSPECIFIED"]
        assert [one.name for one in dali.OperatorConcurrency] == ["NONE", "BACKEND", "FULL", "UNSPECIFIED"]
