"""Sources of all kinds in runs: DALI's table of cycles and resets, forms of batches, callbacks' arguments, workers."""

from __future__ import annotations

import functools
import os

import batch_sources
import front_sources
import numpy as np
import pytest

from jaxdali import Pipeline, SourceDataError, fn, ops, pipeline_def, types


def of(source, workers=0, *, batch_size=2, seed=5, graph=None, **arguments) -> Pipeline:
    """A pipeline of one source, which is parallel if there are workers."""
    options = {"py_num_workers": workers, "py_start_method": "spawn"} if workers else {}

    @pipeline_def(batch_size=batch_size, seed=seed, **options)
    def mine():
        nodes = fn.external_source(source, parallel=bool(workers), **{"batch": True, **arguments})
        return graph(nodes) if graph else nodes

    return mine()


def runs(pipe, count=14):
    """Returns the results of `count` runs, with a reset after two ends in a row, in the notation of DALI's table."""
    seen, ends = [], 0
    for _ in range(count):
        try:
            (batch,) = pipe.run()
            seen.append(str(batch.at(0).flat[0]))
            ends = 0
        except StopIteration:
            seen.append("S")
            ends += 1
            if ends == 2:
                pipe.reset()
                seen.append("|")
                ends = 0
    return "".join(seen)


TABLE = {None: "123SS|SS|SS|SS|SS|S", "quiet": "12312312312312", "raise": "123SS|123SS|123S"}
ITERATED = {"generator function": batch_sources.three, "iterable": batch_sources.Three(), "list": batch_sources.LISTED}


@pytest.mark.parametrize(("workers", "depth"), [(0, None), (1, 1), (1, 3)])
@pytest.mark.parametrize("cycle", TABLE, ids=str)
def test_the_table_of_cycles_and_resets(workers, depth, cycle):
    for source in ITERATED.values():
        with of(source, workers, cycle=cycle, prefetch_queue_depth=depth) as pipe:
            assert runs(pipe) == TABLE[cycle]


@pytest.mark.parametrize(("workers", "depth"), [(0, None), (1, 1), (2, 3)])
def test_a_callable_begins_anew_in_every_epoch(workers, depth):
    with of(batch_sources.three_of_an_epoch, workers, prefetch_queue_depth=depth) as pipe:
        assert runs(pipe) == "123SS|123SS|123S"


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize(("cycle", "expected"), [("no", "23SS|"), ("quiet", "23123"), ("raise", "123SS|")])
def test_a_reset_in_the_middle_of_an_epoch(workers, cycle, expected):
    """A source that continues where it stood loses no batch that was prepared ahead."""
    with of(batch_sources.three, workers, cycle=cycle) as pipe:
        assert runs(pipe, 1) == "1"
        pipe.reset()
        assert runs(pipe, len(expected.replace("|", ""))) == expected


@pytest.mark.parametrize("workers", [0, 2])
def test_a_callable_is_told_the_iteration_and_the_epoch(workers):
    with of(batch_sources.told, workers, batch_info=True) as pipe:
        for epoch in range(2):
            for iteration in range(3):
                assert pipe.run()[0].as_array().tolist() == [[iteration, epoch]] * 2
            pipe.reset()


def test_samples_of_an_iterable_are_taken_one_by_one():
    with of(map(np.int32, range(5)), batch=False) as pipe:
        assert [pipe.run()[0].as_array().tolist() for _ in range(2)] == [[0, 1], [2, 3]]
        with pytest.raises(StopIteration):
            pipe.run()


def test_one_worker_runs_an_iterable_and_others_are_not_started():
    with pytest.warns(
        UserWarning, match=r"There will be run only 1 python worker\(s\), even though 3 were specified"
    ) as told:
        pipe = of(batch_sources.processes, 3)
        pipe.build()
    assert told[0].filename == __file__
    with pipe:
        makers = {int(pipe.run()[0].at(0)[0]) for _ in range(5)}
        assert makers == set(pipe.worker_pids()) and os.getpid() not in makers


@pytest.mark.parametrize("cycle", ["no", "raise"])
@pytest.mark.parametrize("workers", [0, 1, 2, 3])
def test_a_factory_is_split_over_the_workers_in_a_fixed_order(workers, cycle):
    with of(batch_sources.share, workers, cycle=cycle) as pipe:
        for _ in range(2 if cycle == "raise" else 1):
            seen = []
            with pytest.raises(StopIteration):
                while True:
                    seen.append(pipe.run()[0].at(0).tolist())
            assert seen == [[number, number % max(workers, 1)] for number in range(7)]
            pipe.reset()


@pytest.mark.parametrize("workers", [0, 2])
def test_batches_of_all_forms(workers):
    with of(batch_sources.ragged, workers, batch_size=3) as pipe:
        for iteration in range(3):
            (batch,) = pipe.run()
            assert batch.shape() == [(iteration + row,) for row in range(3)]
            assert all(sample.tolist() == list(range(len(sample))) for sample in map(np.asarray, batch))
    with of(batch_sources.two_outputs, workers, batch_size=3, num_outputs=2) as pipe:
        for iteration in range(3):
            dense, listed = pipe.run()
            assert dense.as_array().tolist() == [[iteration]] * 3
            assert listed.as_array().tolist() == [[iteration, row] for row in range(3)]
    with of(batch_sources.shrinking, workers, batch_size=3) as pipe:
        assert [len(pipe.run()[0]) for _ in range(4)] == [3, 2, 1, 0]
        with pytest.raises(StopIteration):
            pipe.run()


def test_encoded_images_come_in_batches():
    def files(iteration):
        return [front_sources.FILES[(2 * iteration + row) % len(front_sources.FILES)] for row in range(2)]

    with of(files, graph=functools.partial(fn.decoders.image, device="mixed")) as pipe:
        for iteration in range(2):
            (images,) = pipe.run()
            for row in range(2):
                np.testing.assert_array_equal(images.at(row), front_sources.pixels(2 * iteration + row))


def test_a_batch_of_another_pipeline_is_a_source():
    with of(batch_sources.ragged, batch_size=3) as first, of(lambda: first.run()[0], batch_size=3) as second:
        assert [second.run()[0].shape() for _ in range(2)] == [[(0,), (1,), (2,)], [(1,), (2,), (3,)]]


def test_random_numbers_are_the_same_whoever_draws_them():
    """Also for other batch sizes, and in the smaller last batch of a source that declares its length."""
    info = types.sample_info_type(5)
    expected = [[[i, *info(i, 0, 0, epoch).rng.random(2)] for i in range(10)] for epoch in range(2)]
    for workers, batch_size in ((0, 4), (0, 10), (1, 4), (3, 4), (2, 3)):
        with of(batch_sources.Drawing(), workers, batch=False, batch_size=batch_size) as pipe:
            for epoch in range(2):
                drawn = []
                with pytest.raises(StopIteration):
                    while True:
                        drawn += pipe.run()[0].as_array().tolist()
                assert drawn == expected[epoch]
                pipe.reset()


@pytest.mark.parametrize("workers", [0, 2])
def test_random_numbers_of_batches(workers):
    with of(batch_sources.drawing_batches, workers, batch_info=True) as pipe:
        for iteration in range(3):
            expected = types.batch_info_type(5)(iteration, 0).rng.random(2).tolist()
            assert pipe.run()[0].as_array().tolist() == [[iteration, *expected]] * 2


REFUSED = {
    "text": ("abc", "Don't know how to extract the shape out of"),
    "None": (None, "Don't know how to extract the shape out of"),
    "number": (3, "Don't know how to extract the shape out of"),
    "numbers": ([1, 2], "Don't know how to extract the shape out of"),
    "complex": (np.zeros((2, 1), np.complex64), "complex64"),
    "object": (np.array([[None], [None]]), "Cannot create type for unknown format string"),
    "scalar": (np.float32(3), "without dimensions as a batch"),
    "too many": (np.zeros((5, 1)), "unexpected batch size. Expected batch_size <= 2, actual: 5"),
    "ranks": ([np.zeros(1), np.zeros((1, 1))], "must have the same number of dimensions"),
    "dtypes": ([np.zeros(1, np.uint8), np.zeros(1, np.int32)], "must have the same type as the target batch"),
}


@pytest.mark.parametrize(("value", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_batch_is_refused_and_the_next_epoch_runs(value, words):
    def source(info):
        return batch_sources.batch(7) if info.epoch_idx else value

    with of(source, batch_info=True) as pipe:
        with pytest.raises(SourceDataError) as caught:
            pipe.run()
        assert words in str(caught.value)
        pipe.reset()
        assert pipe.run()[0].as_array().tolist() == [[7], [7]]


def test_foreign_byte_order_is_converted_in_batches():
    with of(lambda: np.array([[1, -2], [3, 4]], ">i4")) as pipe:
        assert pipe.run()[0].as_array().tolist() == [[1, -2], [3, 4]]
    with of(lambda: [np.array([1.5], ">f4"), np.array([-2], ">f4")]) as pipe:
        assert pipe.run()[0].as_array().tolist() == [[1.5], [-2]]


@pytest.mark.parametrize("workers", [0, 2])
def test_the_class_form_runs_like_the_function(workers):
    options = {"py_num_workers": workers, "py_start_method": "spawn"} if workers else {}
    source = ops.ExternalSource(batch_sources.three_of_an_epoch, batch=True, parallel=bool(workers))
    pipe = Pipeline(batch_size=2, **options)
    with pipe.definition():
        pipe.set_outputs(source())
    with pipe:
        assert runs(pipe, 6) == "123SS|1"


class Refusal(ValueError):
    """An error whose constructor changes its argument."""

    def __init__(self, code: int):
        super().__init__(f"code {code}")
        self.code = code


def test_an_error_says_the_same_every_time():
    def source(_):
        raise Refusal(5)

    pipe = of(source, batch=False)
    for _ in range(3):
        with pytest.raises(Refusal) as raised:
            pipe.run()
        assert str(raised.value) == "code 5" and raised.value.code == 5
