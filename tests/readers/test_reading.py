"""`fn.readers.file` in a pipeline: bytes, labels, order, errors, and random numbers of its samples."""

import os

import numpy as np
import pytest
from jpeg_files import pillow_jpeg

from jaxdali import ConfigError, DecodeError, SourceError, fn, pipeline_def

COUNT = 13
SMALL = pillow_jpeg(24, 32)


@pytest.fixture
def root(tmp_path):
    for index in range(COUNT):
        folder = tmp_path / f"class_{index % 3}"
        folder.mkdir(exist_ok=True)
        (folder / f"{index:02d}.jpg").write_bytes(bytes([index]) * (index * 5000))
    return str(tmp_path)


def reader(root, batch_size=4, graph=lambda files, labels: (files, labels), workers=0, **arguments):
    @pipeline_def(batch_size=batch_size, py_num_workers=workers, seed=5)
    def mine():
        return graph(*fn.readers.file(file_root=root, name="reader", **arguments))

    return mine()


def read(pipe, count):
    """Returns label and content of every sample of `count` batches."""
    found = []
    for _ in range(count):
        files, labels = pipe.run()
        found += [(labels.at(k).tolist(), bytes(files.at(k))) for k in range(len(labels))]
    return found


def content(index):
    return bytes([index]) * (index * 5000)


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_files_come_whole_in_order_and_for_ever(root, workers):
    with reader(root, workers=workers) as pipe:
        found = read(pipe, 8)
    by_path = [(label, index) for label in range(3) for index in range(label, COUNT, 3)]
    assert found == [([label], content(index)) for label, index in by_path * 2 + by_path[:6]]


def test_labels_are_arrays_of_one_int32(root):
    with reader(root) as pipe:
        files, labels = pipe.run()
    assert labels.at(0).shape == (1,) and labels.at(0).dtype == np.int32
    assert files.at(1).dtype == np.uint8 and files.at(1).ndim == 1


def test_the_metadata_are_dalis(root):
    with reader(root, shard_id=1, num_shards=4, pad_last_batch=True, stick_to_shard=True) as pipe:
        assert pipe.reader_meta("reader") == {
            "epoch_size": 13,
            "epoch_size_padded": 16,
            "number_of_shards": 4,
            "shard_id": 1,
            "pad_last_batch": 1,
            "stick_to_shard": 1,
        }
        assert pipe.reader_meta() == {"reader": pipe.reader_meta("reader")}
        assert pipe.epoch_size("reader") == 16 and pipe.epoch_size() == {"reader": 16}
        with pytest.raises(ConfigError, match="'other' not found or does not expose valid metadata"):
            pipe.reader_meta("other")
        with pytest.raises(ConfigError, match="'other' not found"):
            pipe.epoch_size("other")
    with reader(root) as pipe:
        assert pipe.epoch_size("reader") == 13


def test_a_reset_does_not_move_the_stream(root):
    with reader(root, workers=1) as pipe:
        first = read(pipe, 2)
        pipe.reset()
        assert pipe.epoch_idx == 0
        assert [label for label, _ in first + read(pipe, 2)] == [[0]] * 5 + [[1]] * 4 + [[2]] * 4 + [[0]] * 3


@pytest.mark.parametrize("workers", [0, 2])
def test_beside_a_source_with_epochs_it_goes_on_where_it_is(root, workers):
    def numbers(info):
        if info.idx_in_epoch >= 8:
            raise StopIteration
        return np.array([info.idx_in_epoch])

    @pipeline_def(batch_size=4, py_num_workers=workers, seed=5)
    def mine():
        _, labels = fn.readers.file(files=[os.path.join(root, "class_0", "00.jpg")] * 100)
        return labels, fn.external_source(numbers, batch=False, parallel=workers > 0)

    found = []
    with mine() as pipe:
        for _ in range(3):
            with pytest.raises(StopIteration):
                while True:
                    found.append(tuple(output.as_array()[:, 0].tolist() for output in pipe.run()))
            pipe.reset()
        assert pipe.epoch_idx == 3
    assert found == [(list(range(4 * k, 4 * k + 4)), [[0, 1, 2, 3], [4, 5, 6, 7]][k % 2]) for k in range(6)]


@pytest.mark.parametrize("workers", [0, 2])
def test_a_file_that_is_gone_is_named_and_the_stream_goes_on_behind_it(root, workers):
    path = os.path.join(root, "class_1", "04.jpg")
    pipe = reader(root, workers=workers)
    os.unlink(path)
    with pipe:
        assert [label for label, _ in read(pipe, 1)] == [[0]] * 4
        with pytest.raises((SourceError, FileNotFoundError)) as caught:
            pipe.run()
        assert path in str(caught.value)
        if workers:
            assert (caught.value.source_info, caught.value.sample_index, caught.value.output) == (
                path,
                6,
                "reader[0], reader[1]",
            )
        pipe.reset()
        assert [label for label, _ in read(pipe, 1)] == [[1], [2], [2], [2]]


def test_a_file_that_cannot_be_decoded_is_named(tmp_path):
    for name, data in (("0.jpg", SMALL), ("1.jpg", SMALL[:100]), ("2.jpg", SMALL), ("3.jpg", SMALL)):
        (tmp_path / name).write_bytes(data)
    paths = [str(tmp_path / f"{index}.jpg") for index in range(4)]

    @pipeline_def(batch_size=2, py_num_workers=0)
    def mine():
        files, labels = fn.readers.file(files=paths)
        return fn.decoders.image(files), labels

    with mine() as pipe:
        with pytest.raises(DecodeError) as caught:
            pipe.run()
        assert caught.value.source_info == paths[1] and paths[1] in str(caught.value)
        assert pipe.run()[1].as_array()[:, 0].tolist() == [2, 3]


def draws(root, shards, visits, **arguments):
    """Returns the random numbers of all shards' samples, by visit and label."""
    found = {}
    for shard in range(shards):
        files = [os.path.join(root, "class_0", "00.jpg")] * 12

        @pipeline_def(batch_size=12 // shards, py_num_workers=0, seed=8)
        def mine(shard=shard, files=files):
            _, labels = fn.readers.file(files=files, shard_id=shard, num_shards=shards, **arguments)
            return labels, fn.random.uniform(range=(0.0, 1.0))

        with mine() as pipe:
            for visit in range(visits):
                labels, numbers = pipe.run()
                for label, number in zip(labels.as_array()[:, 0], numbers.as_array(), strict=True):
                    found[visit, int(label)] = float(number)
    return found


@pytest.mark.parametrize(
    "arguments", [{}, {"shuffle_after_epoch": True}, {"random_shuffle": True}, {"pad_last_batch": True}], ids=str
)
def test_what_is_drawn_follows_the_sample_and_not_the_shard(root, arguments):
    whole = draws(root, 1, 4, **arguments)
    assert len(whole) == len(set(whole.values())) == 48
    for shards in (2, 3):
        assert draws(root, shards, 4, **arguments) == whole


def test_the_order_follows_the_seed_and_stays_in_the_shard(root):
    def labels(seed, pipelines=None):
        @pipeline_def(batch_size=4, py_num_workers=0, seed=pipelines)
        def mine():
            files = [os.path.join(root, "class_0", "00.jpg")] * 13
            _, labels = fn.readers.file(files=files, random_shuffle=True, seed=seed, shard_id=3, num_shards=4)
            return labels

        with mine() as pipe:
            return tuple(pipe.run()[0].as_array()[:, 0].tolist())

    assert labels(1) == labels(1, 7) and len({tuple(sorted(labels(seed))) for seed in range(12)}) == 1
    assert len({labels(seed) for seed in range(12)}) > 1
    # Without a seed of its own, the reader has the pipeline's.
    assert labels(None, 7) == labels(7)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "`file_root` argument is required when not using `files` or `file_list`"),
        ({"files": []}, "specified an empty list"),
        ({"files": ["a"], "file_list": "b"}, "but not both"),
        ({"file_root": ".", "labels": [1]}, "`labels` is valid only when file paths are provided as `files`"),
        ({"file_root": ".", "file_filters": []}, "`file_filters` list cannot be empty"),
        ({"file_root": ".", "dir_filters": []}, "`dir_filters` list cannot be empty"),
        ({"files": ["a"], "file_filters": "*.jpg"}, "files and file_list name each file"),
        ({"files": ["a"], "num_shards": 2}, "The number of input samples: 1, needs to be at least equal"),
        ({"files": ["a"], "device": "gpu"}, 'use device="cpu"'),
        ({"files": ["a"], "initial_fill": 0}, r"initial_fill=\) must be an integer, at least 1"),
        ({"files": ["a"], "prefetch_queue_depth": 0}, r"prefetch_queue_depth=\) must be an integer, at least 1"),
        ({"files": ["a"], "shard": 1}, "did you mean shard_id"),
        (
            {"files": ["a"], "shuffle_after_epoch_seed": -1},
            r"shuffle_after_epoch_seed=\) must be an integer, at least 0",
        ),
    ],
    ids=str,
)
def test_refused(arguments, words):
    @pipeline_def(batch_size=2)
    def mine():
        return fn.readers.file(**arguments)

    with pytest.raises(ConfigError, match=words):
        mine()


def test_a_seed_without_its_shuffle_is_warned_of():
    @pipeline_def(batch_size=2)
    def mine():
        return fn.readers.file(files=["a"], shuffle_after_epoch_seed=3)

    with pytest.warns(UserWarning, match="has no effect when `shuffle_after_epoch` is False"):
        mine()
