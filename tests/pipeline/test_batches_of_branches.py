"""In a branch, the samples that take it are the batch, for every operator whose results depend on other samples."""

import numpy as np
import pytest

from jaxdali import SourceDataError, fn, pipeline_def, types
from jaxdali._dali.graph.declarations import operators

TAKING = (1, 3, 4)  # of six samples
OF_BATCH = {"permute_batch", "pad", "normalize", "multi_paste", "batch_permutation"}


def sample(number):
    """Two images, the first of a size of its own, and the index of one of three samples."""
    rng = np.random.default_rng(number)
    shapes = (2 + number, 7 - number, 3), (5, 4, 3)
    return *(rng.integers(0, 256, shape, np.uint8) for shape in shapes), np.int32([(number + 1) % 3])


def sources(numbers):
    batch = [list(column) for column in zip(*map(sample, numbers), strict=True)]
    return fn.external_source(lambda: batch, num_outputs=3, layout=["HWC", "HWC", ""])


def mixed(ragged, images, indices):
    """What each of these operators makes of a batch: nine batches of UINT8, two of FLOAT."""
    both = fn.cat(indices, indices)
    return [
        fn.permute_batch(images, indices=indices),
        fn.permute_batch(ragged, indices=[2, 0, 0]),
        fn.permute_batch(images, indices=1),
        fn.pad(ragged),
        fn.pad(ragged, axes=[0], align=4),
        fn.pad(ragged, axes=[1], shape=[-1]),
        fn.multi_paste(images, in_ids=both, in_anchors=np.int32([[0, 0], [1, 1]]), output_size=(6, 6)),
        fn.multi_paste(images, in_ids=[2, 0], shapes=np.int32([[3, 3], [2, 1]])),
        fn.multi_paste(fn.stack(images, images + images, axis_name="F"), in_ids=[2], output_size=(6, 6))[0],
        fn.normalize(images, batch=True),
        fn.normalize(ragged, batch=True, axes=[0, 1], ddof=1),
    ]


def others(ragged):
    return [ragged] * 9 + [fn.cast(ragged, dtype=types.FLOAT)] * 2


def test_every_operator_of_batches_is_here():
    declared = operators().values()
    assert {one.name for one in declared if getattr(one, "of_batch", False)} == OF_BATCH
    assert all(one.of_batch for one in declared if getattr(one, "mixes", False))


def test_a_branch_gives_what_a_batch_of_its_samples_gives():
    @pipeline_def(batch_size=3)
    def alone():
        return tuple(mixed(*sources(TAKING)))

    @pipeline_def(batch_size=6, enable_conditionals=True)
    def branched():
        ragged, images, indices = sources(range(6))
        some = fn.external_source(lambda: [np.bool_(k == 0 or k in TAKING) for k in range(6)])
        later = fn.external_source(lambda: [np.bool_(k > 0) for k in range(6)])
        if some:
            if later:
                found = mixed(ragged, images, indices)
            else:
                found = others(ragged)
        else:
            found = others(ragged)
        return tuple(found)

    with alone() as one, branched() as other:
        for number, (wanted, found) in enumerate(zip(one.run(), other.run(), strict=True)):
            for place, row in enumerate(TAKING):
                np.testing.assert_array_equal(
                    np.asarray(found.at(row)), np.asarray(wanted.at(place)), f"output {number}"
                )
            assert np.asarray(found.at(0)).shape == sample(0)[0].shape


@pytest.mark.parametrize("repetitions", [False, True])
@pytest.mark.parametrize("fixed", [False, True])
def test_permutations_of_branches_are_those_of_their_samples(repetitions, fixed):
    @pipeline_def(batch_size=8, enable_conditionals=True, seed=3)
    def define():
        number = fn.external_source(lambda info: np.int32(info.idx_in_batch), batch=False)
        taken = fn.external_source(lambda info: np.bool_(info.idx_in_batch in rows[info.iteration]), batch=False)
        if taken:
            found = fn.batch_permutation(allow_repetitions=repetitions, no_fixed_points=not fixed)
            moved = fn.permute_batch(number, indices=found)
        else:
            found, moved = number, number
        return found, moved

    rows = [(1, 2, 5, 7), (), (3,), tuple(range(8))] + [(0, 4, 6)] * 8
    orders = set()
    with define() as pipe:
        for taking in rows:
            order, moved = ([int(np.asarray(one.at(k))) for k in range(8)] for one in pipe.run())
            places = [order[row] for row in taking]
            assert [moved[row] for row in taking] == [taking[place] for place in places]
            assert all(order[k] == moved[k] == k for k in range(8) if k not in taking)
            assert repetitions or sorted(places) == list(range(len(taking)))
            assert fixed or len(taking) < 2 or all(place != k for k, place in enumerate(places))
            orders.add(tuple(places))
    assert len(orders) >= 5


@pytest.mark.parametrize(
    ("indices", "said"),
    [([0, 1], "each of the samples that take its branch, got 2"), ([0, 1, 3], "is not in the batch")],
)
def test_an_index_counts_the_samples_of_the_branch(indices, said):
    @pipeline_def(batch_size=5, enable_conditionals=True)
    def define():
        number = fn.external_source(lambda: [np.int32(k) for k in range(5)])
        if number > 1:
            number = fn.permute_batch(number, indices=indices)
        return number

    with define() as pipe, pytest.raises(SourceDataError, match=said):
        pipe.run()


@pytest.mark.parametrize("debug", [False, True])
def test_functions_of_python_are_called_with_the_samples_of_their_branch(debug):
    taking = [(1, 3), (0, 1, 2, 3), (), (2,)]
    seen, alone = [], []

    def note(where, what):
        if not debug:  # where what branches do to objects would be undone
            where.append(what)

    def mean(numbers):
        note(seen, [int(number) for number in numbers])
        return [np.float32(np.mean(numbers)) for _ in numbers]

    def halved(number):
        note(alone, int(number))
        assert number < 4
        return np.float32(number / 2)

    @pipeline_def(batch_size=5, enable_conditionals=True, debug=debug, prefetch_queue_depth=1)
    def define():
        number = fn.external_source(lambda info: np.int32(info.idx_in_batch), batch=False)
        taken = fn.external_source(lambda info: np.bool_(info.idx_in_batch in taking[info.iteration]), batch=False)
        if taken:
            if number < 4:
                found = fn.python_function(number, function=mean, batch_processing=True)
                half = fn.python_function(number, function=halved)
                fn.python_function(number, function=lambda one: note(seen, int(one)), num_outputs=0)
            else:
                found, half = fn.cast(number, dtype=types.FLOAT), fn.cast(number, dtype=types.FLOAT)
        else:
            found, half = fn.cast(number, dtype=types.FLOAT), fn.cast(number, dtype=types.FLOAT)
        return found, half

    with define() as pipe:
        for rows in taking:
            seen.clear(), alone.clear()
            found, half = ([float(np.asarray(one.at(k))) for k in range(5)] for one in pipe.run())
            assert [half[k] for k in range(5)] == [k / 2 if k in rows else k for k in range(5)]
            assert [found[k] for k in range(5)] == [np.mean(rows) if k in rows else k for k in range(5)]
            assert debug or (alone == list(rows) and seen == ([list(rows), *rows] if rows else []))


def test_a_file_that_only_other_samples_name_is_not_read(tmp_path):
    (tmp_path / "there").write_bytes(b"123")
    paths = [np.frombuffer(str(tmp_path / name).encode(), np.uint8) for name in ("there", "away", "there")]

    @pipeline_def(batch_size=3, enable_conditionals=True)
    def define():
        found = path = fn.external_source(lambda: paths)
        there = fn.external_source(lambda: [np.bool_(True), np.bool_(False), np.bool_(True)])
        if there:
            found = fn.io.file.read(path)
        return found

    with define() as pipe:
        (found,) = pipe.run()
        assert bytes(np.asarray(found.at(0))) == bytes(np.asarray(found.at(2))) == b"123"
        assert np.asarray(found.at(1)).tolist() == paths[1].tolist()
