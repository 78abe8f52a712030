"""Debug mode computes operators as they are written, and gives the same batches as the pipeline without it."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest
from jpeg_files import pillow_jpeg

from jaxdali import fn, pipeline_def, types
from jaxdali._dali.eager.eager_values import DataNodeDebug
from jaxdali.errors import ConfigError, ConfigTypeError, DecodeError, NoInputError, SourceError, StateError
from jaxdali.pipeline.experimental import pipeline_def as experimental_def
from jaxdali.plugin.jax import DALIGenericIterator

SIZES = [(20, 24), (33, 18), (24, 24), (16, 40)]
FILES = [np.frombuffer(pillow_jpeg(*size), np.uint8) for size in SIZES]


def debugged(define, **options):
    return pipeline_def(define, **{"batch_size": 2, "seed": 5, "debug": True, **options})()


def numbers(epoch=None):
    """A source of batches of two float32 samples: [10, 1] and [11, 2], then [20, 1] and [21, 2], ..."""

    def batch(k):
        if k == epoch:
            raise StopIteration
        return np.float32([[10 * k + 10, 1], [10 * k + 11, 2]])

    return batch


def same(one, other):
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        assert (a.dtype, a.layout(), a.shape()) == (b.dtype, b.layout(), b.shape())
        for k in range(len(a)):
            np.testing.assert_array_equal(a.at(k), b.at(k))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("images")
    for k, file in enumerate(FILES):
        (root / f"class{k}").mkdir()
        (root / f"class{k}" / "a.jpg").write_bytes(file.tobytes())
    return os.fspath(root)


def test_batches_are_those_of_the_pipeline_without_it(folder):
    def define():
        files, labels = fn.readers.file(file_root=folder, random_shuffle=True, name="files")
        images = fn.decoders.image_random_crop(files, device="mixed")
        small = fn.resize(images, size=fn.random.uniform(range=(8, 14)))
        mirrored = fn.crop_mirror_normalize(small, crop=(6, 6), mirror=fn.random.coin_flip(), std=255.0)
        doubled = fn.python_function(labels, function=lambda label: label.astype(np.int64) * 2)
        return small, mirrored, doubled, fn.cast(labels, dtype=types.INT64) - 1, 3.5

    with pipeline_def(define, batch_size=2, seed=5)() as usual, debugged(define) as pipe:
        for _ in range(3):
            same(usual.run(), pipe.run())
        assert pipe.epoch_size("files") == 4
        assert pipe.num_outputs == 5


def test_what_a_node_holds_is_seen_at_once():
    seen = []

    def define():
        node = fn.external_source(numbers(), layout="C")
        tripled = node * 3
        seen.append((node.shape(), node.get().layout(), tripled.get().as_array().tolist()))
        assert isinstance(tripled, DataNodeDebug)
        assert "shape=2 x (2,)" in repr(tripled) and "DataNodeDebug(" in repr(tripled)
        largest = max(float(sample.max()) for sample in map(tripled.get().at, range(2)))
        # Python chooses between values, and writes the same operators either way.
        chosen = tripled if largest > 50 else node
        return -chosen

    pipe = debugged(define)
    outputs = [pipe.run()[0].as_array().tolist() for _ in range(2)]
    assert seen[0] == ([(2,), (2,)], "C", [[30, 3], [33, 6]])
    assert outputs == [[[-10, -1], [-11, -2]], [[-60, -3], [-63, -6]]]


def test_operators_take_batches_of_arrays():
    def define():
        node = fn.external_source(numbers())
        arrays = [sample + 1 for sample in map(node.get().at, range(2))]
        ends = [np.int32([1]), np.int32([2])]
        return (
            fn.cast(arrays, dtype=types.INT32),
            fn.cast(node.get(), dtype=types.INT32),
            fn.cast(np.stack(arrays), dtype=types.INT16),
            fn.slice(node, start=0, end=ends, axes=[0]),
            node.get(),
        )

    of_list, of_tensors, of_array, cut, itself = debugged(define).run()
    assert of_list.as_array().tolist() == [[11, 2], [12, 3]] == of_array.as_array().tolist()
    assert of_tensors.as_array().tolist() == [[10, 1], [11, 2]] == itself.as_array().tolist()
    assert [cut.at(k).tolist() for k in range(2)] == [[10], [11, 2]]


def test_extents_that_are_nodes_may_be_of_any_source():
    sizes = [np.int32([[2, 3], [4, 1]]), np.int32([[30, 70], [4, 1]])]

    def define():
        node = fn.external_source(sizes)
        return fn.zeros(shape=node), fn.resize(
            np.full((2, 4, 4, 3), 7, np.uint8), size=fn.cast(node, dtype=types.FLOAT)
        )

    pipe = debugged(define)
    for expected in sizes:
        zeros, resized = pipe.run()
        assert zeros.shape() == [tuple(size) for size in expected.tolist()]
        assert [resized.at(k).shape[:2] for k in range(2)] == zeros.shape() and resized.at(0).min() == 7


def test_branches_on_nodes_hold_all_samples(capsys):
    def define():
        node = fn.external_source(numbers())
        if node[0] > 10:
            node = node + 1
            print(node.shape())
        else:
            node = -node
        return node

    same(
        debugged(define, enable_conditionals=True).run(),
        pipeline_def(define, batch_size=2, enable_conditionals=True)().run(),
    )
    assert capsys.readouterr().out.startswith("[(2,), (2,)]\n")
    with pytest.raises(ConfigTypeError, match="neither true nor false"):
        debugged(define).run()


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (
            lambda x, k: x + 1 if k else fn.cast(x, dtype=types.INT32),
            "Unexpected operator 'math.add'.*changing the order",
        ),
        (lambda x, k: -x if k else x, "Unexpected operator 'math.minus'.*changing the order"),
        (lambda x, k: fn.slice(x, 0, 1 + k, axes=[0]), "Argument 'value' for operator 'constant' unexpectedly changed"),
        (lambda x, k: fn.pad(x, shape=3 + k), "Argument 'shape' for operator 'pad' unexpectedly changed value from"),
        (lambda x, k: fn.pad(x, shape=3, fill_value=x[0] if k else 0), "Unexpected operator 'subscript'"),
        (lambda x, k: fn.cat(*[x] * (k + 1)), "'cat' with different number of inputs.*Expected: 1 inputs, got 2"),
        (lambda x, k: fn.pad(x, shape=3, fill_value=[np.float32(1)] * 2 if k else 0), "is a batch but was a constant"),
        (
            lambda x, k: fn.flip([np.zeros((2, 2, 3), [np.uint8, np.int16][k])] * 2),
            "has dtype = .*INT16, expected: .*UINT8",
        ),
        (lambda x, k: fn.cast([np.zeros([1] * (k + 1))] * 2, dtype=types.INT32), "has ndim = 2, expected: 1"),
    ],
)
def test_each_iteration_writes_the_same(write, words):
    iterations = []

    def define():
        iterations.append(None)
        return write(fn.external_source(numbers()), len(iterations) - 1)

    pipe = debugged(define)
    pipe.run()
    with pytest.raises(StateError, match=words):
        pipe.run()


def test_batches_of_an_iteration_are_of_one_size():
    one, three = (lambda n: lambda: np.zeros((n, 2), np.float32))(1), lambda: np.zeros((3, 2), np.float32)
    with pytest.raises(StateError, match=r"Batch size must be uniform across an iteration\. External Source"):
        debugged(lambda: (fn.external_source(one), fn.external_source(three)), batch_size=3).run()
    with pytest.raises(StateError, match=r"Input 0 for operator 'cast' has batch size = 3\. Expected batch size = 1"):
        debugged(lambda: (fn.external_source(one), fn.cast([np.zeros(1)] * 3, dtype=types.INT32)), batch_size=3).run()


def test_epochs_end_and_begin_where_sources_say():
    def define():
        return fn.external_source(numbers(2)), fn.random.uniform(range=(0, 1))

    with pipeline_def(define, batch_size=2, seed=5)() as usual, debugged(define) as pipe:
        for _ in range(2):
            for _ in range(2):
                same(usual.run(), pipe.run())
            for one in (usual, pipe):
                with pytest.raises(StopIteration):
                    one.run()
                with pytest.raises(StopIteration):
                    one.run()
                one.reset()
        pipe.run()
        pipe.reset()
        assert pipe.run()[0].at(0)[0] == 10
        assert pipe.epoch_idx == 3


def test_what_is_fed_waits_for_its_run():
    pipe = debugged(lambda: (fn.external_source(name="x") + 1, fn.external_source(numbers())))
    pipe.feed_input("x", np.float32([[1], [2]]))  # before the operator is written
    assert pipe.run()[0].as_array().tolist() == [[2], [3]]
    with pytest.raises(StateError, match=r"feed_input\('x', data\)"):
        pipe.run()
    fed, counted = pipe.run(x=[np.float32([5]), np.float32([6])])
    assert fed.as_array().tolist() == [[6], [7]] and counted.at(0)[0] == 20  # nothing was lost
    with pytest.raises(NoInputError):
        pipe.feed_input("y", np.zeros((2, 1)))


def test_an_error_is_raised_where_it_happens_and_the_next_batch_follows():
    reached = []

    def define():
        files = fn.external_source(lambda k: [FILES[0], FILES[0][:40] if k == 1 else FILES[1]])
        images = fn.decoders.image(files)
        reached.append(images.shape())
        return images

    pipe = debugged(define)
    pipe.run()
    with pytest.raises(DecodeError, match="sample 3, iteration 1"):
        pipe.run()
    assert len(reached) == 1
    pipe.run()
    assert reached == [[(20, 24, 3), (33, 18, 3)]] * 2

    def broken():
        source = fn.external_source(numbers())
        if len(reached) == 2:
            reached.append(None)
            raise ZeroDivisionError
        return source

    pipe = debugged(broken)
    with pytest.raises(ZeroDivisionError):
        pipe.run()
    assert pipe.run()[0].at(0)[0] == 20


def test_sources_run_in_this_process():
    pids = []

    def sample(info):
        pids.append(os.getpid())
        if info.iteration:
            raise ValueError("no more")
        return np.float32([info.idx_in_epoch])

    pipe = debugged(lambda: fn.external_source(sample, batch=False, parallel=True), py_start_method="fork")
    assert pipe.run()[0].as_array().tolist() == [[0], [1]] and {*pids} == {os.getpid()}
    with pytest.raises((SourceError, ValueError), match="no more"):
        pipe.run()
    assert pipe.worker_pids() == []


@pytest.mark.parametrize("prepare", [True, False])
def test_iterators_give_the_batches_that_they_give_without_it(prepare, tmp_path):
    for number in range(7):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "file.wav").write_bytes(bytes([number, 1]))
    made: list[int] = []

    def read():
        made.append(1)
        files, labels = fn.readers.file(file_root=str(tmp_path), name="Reader", random_shuffle=True, seed=3)
        return files + fn.cast(fn.random.uniform(range=(0, 9), seed=5), dtype=types.UINT8), labels

    def given():
        return fn.external_source([[np.float32([k, n]) for n in range(2)] for k in range(3)], cycle="raise") * 2

    def epochs(define, debug, names, **options):
        pipe = pipeline_def(define, batch_size=2, num_threads=1, device_id=None, seed=4, debug=debug)()
        iterator = DALIGenericIterator(pipe, names, prepare_first_batch=prepare, **options)
        found = []
        for _ in range(2):
            found.append([{name: np.asarray(one).tolist() for name, one in batch.items()} for batch in iterator])
            iterator.reset()
        return found

    with_reader = {"names": ["x", "y"], "reader_name": "Reader"}
    plain = epochs(read, False, **with_reader)
    assert len(plain[0]) == 4 and epochs(read, True, **with_reader) == plain
    assert len(made) == 1 + sum(map(len, plain))
    assert epochs(given, True, ["x"]) == epochs(given, False, ["x"])

    def ragged():
        return fn.external_source(lambda: [np.zeros(2), np.zeros(3)])

    with pytest.raises(ConfigError, match="differ in shape"):
        next(DALIGenericIterator(pipeline_def(ragged, batch_size=2, device_id=None, debug=True)(), ["x"]))


def test_what_there_is_not():
    pipe = debugged(lambda: fn.external_source(numbers()))
    for ask in (pipe.schedule_run, pipe.share_outputs, pipe.serialize):
        with pytest.raises(StateError, match="debug mode"):
            ask()
    with pytest.raises(StateError, match="pmap_compatible=: not supported in debug mode"):
        DALIGenericIterator(pipe, ["x"], pmap_compatible=True)
    with pytest.raises(ConfigError, match="no checkpoints"):
        debugged(lambda: fn.external_source(numbers()), enable_checkpointing=True)
    with pytest.raises(ConfigError, match="debug must be True or False"):
        debugged(lambda: fn.external_source(numbers()), debug=2)
    with pytest.raises(StateError, match="was not made in this iteration"):
        outside = fn.random.uniform(range=(0, 1))
        debugged(lambda: outside + 1).run()
    pipe.close()
    with pytest.raises(StateError, match="closed"):
        pipe.run()


def test_both_decorators_take_it_and_so_does_the_factory():
    def define():
        return fn.random.uniform(range=(0, 1), seed=3).get().as_array().tolist()[0]

    value = experimental_def(define, batch_size=2, debug=True)().run()[0].at(0)
    assert 0 <= value < 1 and not math.isnan(value)
    assert pipeline_def(define, batch_size=2)(debug=True).run()[0].at(1) == value
    with pytest.raises(AttributeError, match="get"):
        pipeline_def(define, batch_size=2, debug=True)(debug=False)
    assert pipeline_def(lambda debug: debug * 1, batch_size=1, debug=True)(debug=4).run()[0].at(0) == 4
    assert pipeline_def(lambda: None, batch_size=2, debug=True)().run() == ()
