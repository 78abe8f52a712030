"""A pipeline's graph is found from its outputs: its random numbers, which calls belong to it, and their names."""

import subprocess
import sys

import numpy as np
import pytest

from jaxdali import ConfigError, GraphError, NoInputError, Pipeline, fn, pipeline_def, types

uniform = fn.random.uniform


def pipeline(**options):
    return Pipeline(**{"batch_size": 3, "seed": 5, **options})


def returning(*outputs, **options):
    pipe = pipeline(**options)
    pipe.set_outputs(*outputs)
    return pipe


def run(pipe, count=2):
    """Returns the values of a few batches: a list per run, of a list per output."""
    return [[np.stack([np.asarray(sample) for sample in out]).tolist() for out in pipe.run()] for _ in range(count)]


def drawn(define, **options):
    """Returns the batches of a pipeline in whose scope `define` is called; it returns the outputs."""
    pipe = pipeline(**options)
    with pipe:
        pipe.set_outputs(*define())
    return run(pipe)


def columns(batches):
    """Transposes: a list per output, of a list per run."""
    return [list(column) for column in zip(*batches, strict=True)]


# NUMBERS OF DRAWS


def two():
    return uniform(), uniform()


def test_what_is_drawn_behind_others_changes_nothing():
    def and_one():
        outputs = two()
        uniform()
        return outputs

    assert drawn(and_one) == drawn(two)


def test_a_draw_that_nobody_uses_counts_where_it_stands():
    def behind_one():
        uniform()
        return two()

    assert columns(drawn(behind_one))[0] == columns(drawn(two))[1]


def test_the_order_of_outputs_changes_nothing():
    forth, back = columns(drawn(two)), columns(drawn(lambda: two()[::-1]))
    assert forth[0] != forth[1] and forth == back[::-1]
    assert columns(drawn(lambda: two()[1:])) == forth[1:]


def test_a_node_draws_by_its_number_in_each_pipeline():
    shared = uniform()
    assert run(returning(shared)) == run(returning(shared))

    def behind_another():
        return uniform(), shared

    first, second = columns(drawn(behind_another))
    assert [[one] for one in first] == run(returning(shared))
    assert [first, second] == columns(drawn(two))


def test_draws_from_elsewhere_follow_those_of_the_scope_as_they_were_made():
    early, late = two()
    uniform()  # belongs to no pipeline

    def late_first():
        return late, uniform(), early

    def of_one_scope():
        mine, first, second = uniform(), uniform(), uniform()
        return second, mine, first

    assert drawn(late_first) == drawn(of_one_scope)
    # Of the draws that were made elsewhere, only those that outputs need count.
    assert run(returning(late)) == run(returning(early))


def test_a_node_of_another_scope():
    with pipeline().definition() as scope:
        uniform()
        lent = uniform()
    assert lent.call.number == 1 and lent.call.scope is scope
    assert run(returning(lent)) == run(returning(uniform()))
    assert lent.call.number == 1


# SCOPES


def test_blocks_within_each_other_and_one_after_the_other():
    outer, inner = pipeline(), pipeline()
    with outer:
        first = uniform()
        with inner:
            inner.set_outputs(uniform())
        with outer:
            second = uniform()
    with outer:
        third = uniform()
    outer.set_outputs(first, second, third)
    found = columns(run(outer))
    assert found == columns(drawn(lambda: (*two(), uniform())))
    assert columns(run(inner)) == found[:1]


def test_a_scope_ends_with_its_block():
    with pipeline().definition() as scope:
        inside = uniform()
    outside = uniform()
    assert scope.calls == [inside.call] and (inside.call.scope, outside.call.scope) == (scope, None)


# WHAT IS COMPUTED


def counting(asked, name):
    def source(iteration):
        asked.append(name)
        return np.full((3, 1), iteration, np.int32)

    return source


def test_what_nobody_needs_is_not_asked_unless_it_is_preserved():
    asked = []
    pipe = pipeline(prefetch_queue_depth=1)
    with pipe:
        fn.external_source(counting(asked, "unused")) + 1
        fn.external_source(counting(asked, "preserved"), preserve=True)
        pipe.add_sink(fn.external_source(counting(asked, "sink")) * 2)
        pipe.set_outputs(fn.external_source(counting(asked, "output")))
    assert run(pipe, 1) == [[[[0]] * 3]]
    assert sorted(asked) == ["output", "preserved", "sink"]


def test_only_what_a_scope_sees_can_be_preserved():
    with pytest.raises(
        GraphError, match=r"fn.random.uniform\(preserve=\) keeps .*, but no pipeline is being defined: write it in"
    ):
        uniform(preserve=True)
    with pytest.raises(ConfigError, match=r"fn.random.uniform\(preserve=\) must be True or False, got 1"), pipeline():
        uniform(preserve=1)


def test_an_input_that_nobody_uses_cannot_be_fed():
    pipe = pipeline()
    with pipe:
        unused = fn.external_source(name="unused")
        pipe.set_outputs(fn.external_source(name="used"))
    for node in (unused, "unused"):
        with pytest.raises(
            NoInputError, match=r"input operator with name 'unused'; those that can be fed are \['used'\]"
        ):
            pipe.feed_input(node, np.zeros((3, 1)))


# NODES OF SEVERAL PIPELINES


def test_a_node_is_fed_in_each_pipeline_by_itself():
    node = fn.external_source(name="x", dtype=types.INT32)
    pipes = [returning(node + k) for k in range(2)]
    for k, pipe in enumerate(pipes):
        pipe.feed_input(node if k else "x", np.full((3,), 10 * k, np.int32))
    assert [run(pipe, 1) for pipe in pipes] == [[[[0] * 3]], [[[11] * 3]]]


@pytest.mark.parametrize(
    "source", [lambda k: np.full((3,), k), [np.full((3,), k) for k in range(2)]], ids=["fn", "list"]
)
def test_a_function_and_a_list_begin_anew_in_each_pipeline(source):
    node = fn.external_source(source)
    assert run(returning(node)) == run(returning(node)) == [[[0] * 3], [[1] * 3]]


def test_an_iterator_belongs_to_one_pipeline():
    node = fn.external_source(iter([np.full((3,), k) for k in range(2)]))
    first, second = returning(node), returning(node)
    first.build()
    words = r"is an iterator and already the source of another pipeline: .* a source of its own, or a function"
    with pytest.raises(GraphError, match=words):
        second.build()
    assert run(first) == [[[0] * 3], [[1] * 3]]


def test_a_reader_reads_for_each_pipeline(tmp_path):
    reader = files(tmp_path)
    one, other = returning(reader[1]), returning(reader[1])
    first = run(one, 3)
    assert run(other, 3) == first and len({label for (batch,) in first for label in map(tuple, batch)}) == 5
    assert one.reader_meta().keys() == other.reader_meta().keys() == {"__File_1"}


def files(root, **options):
    for k in range(5):
        (root / str(k)).mkdir(exist_ok=True)
        (root / str(k) / "x.jpg").write_bytes(bytes([k]))
    return fn.readers.file(file_root=str(root), **options)


def test_a_reader_that_nobody_uses_is_not_the_pipelines(tmp_path):
    pipe = pipeline()
    with pipe:
        files(tmp_path, name="unused")
        pipe.set_outputs(files(tmp_path, name="used")[1])
    assert pipe.reader_meta().keys() == {"used"}


# NAMES


def names(pipe):
    return [call.name for call in pipe._jaxdali_session.definition.graph().calls]


def test_a_name_twice_is_refused_only_where_both_are_used():
    first, second = uniform(name="x"), uniform(name="x")
    assert names(returning(first)) == names(returning(second)) == ["x"]
    with pytest.raises(GraphError, match=r"'x' is used twice in this pipeline, by fn.random.uniform \(x\), defined at"):
        returning(first, second).build()


def test_names_from_elsewhere_are_unique_and_leave_those_of_the_scope():
    elsewhere = [uniform() for _ in range(3)]
    pipe = pipeline()
    with pipe:
        mine, named = uniform(), uniform(name="__Uniform_6")
        pipe.set_outputs(mine, named, *elsewhere)
    found = names(pipe)
    assert len(set(found)) == 5 and {"__Uniform_0", "__Uniform_6"} < set(found)
    assert names(returning(*elsewhere)) == names(returning(*[uniform() for _ in range(3)]))


RESTORES = """
import sys
import numpy as np
from jaxdali import Pipeline, fn
[fn.random.uniform() for _ in range(int(sys.argv[3]))]
_, labels = fn.readers.file(file_root=sys.argv[1], random_shuffle=True)
checkpoint = None if sys.argv[2] == "-" else open(sys.argv[2], "rb").read()
pipe = Pipeline(batch_size=3, seed=5, py_num_workers=0, enable_checkpointing=True, checkpoint=checkpoint)
pipe.set_outputs(labels + 0, fn.random.uniform())
batches = [[np.asarray(out.as_array()).tolist() for out in pipe.run()] for _ in range(2)]
if checkpoint is None:
    open(sys.argv[1] + ".checkpoint", "wb").write(pipe.checkpoint())
    batches = [[np.asarray(out.as_array()).tolist() for out in pipe.run()] for _ in range(2)]
print(batches)
"""


def test_a_reader_made_outside_is_known_in_another_process(tmp_path):
    root = tmp_path / "data"
    root.mkdir()
    files(root)

    def printed(checkpoint, made_before):
        command = [sys.executable, "-c", RESTORES, root, checkpoint, str(made_before)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    # Nodes that were made before and are in no pipeline use up no names.
    assert printed("-", 0) == printed(f"{root}.checkpoint", 7) != ""


def test_a_pipeline_function_may_use_what_was_made_outside():
    outside = fn.external_source(name="x")

    @pipeline_def(batch_size=3, seed=5)
    def mine(scale):
        return outside * scale

    with mine(2) as pipe:
        assert pipe.run(x=np.full((3,), 4, np.int32))[0].as_array().tolist() == [8] * 3
