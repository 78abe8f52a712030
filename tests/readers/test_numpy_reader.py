"""`fn.readers.numpy` and `source.NumpyFiles`: what they read, two of them in step, and the errors for wrong files."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxdali import ConfigError, Loader, SourceDataError, SourceError, fn, pipeline_def
from jaxdali._feed.source.numpy_files import Window
from jaxdali.source import NumpyFiles


@pytest.fixture
def root(tmp_path):
    for name, factor in (("images", 1), ("labels", 10)):
        (tmp_path / name).mkdir()
        for k in range(9):
            np.save(tmp_path / name / f"{k}.npy", np.full((2, 3), k * factor, np.float32))
    return tmp_path


@pytest.mark.parametrize("order", ["random_shuffle", "shuffle_after_epoch"])
def test_two_readers_with_one_seed_are_in_step(root, order):
    @pipeline_def(batch_size=3, py_num_workers=2, seed=1)
    def mine():
        return tuple(fn.readers.numpy(file_root=root / name, seed=5, **{order: True}) for name in ("images", "labels"))

    seen = []
    with mine() as pipe:
        for _ in range(6):
            images, labels = (output.as_array()[:, 0, 0] for output in pipe.run())
            np.testing.assert_array_equal(images * 10, labels)
            seen += images.astype(int).tolist()
    assert sorted(seen[:9]) == sorted(seen[9:]) == [*range(9)] and seen[:9] != seen[9:] and seen[:9] != [*range(9)]


def test_a_loader_reads_them(root):
    data = NumpyFiles([root / "images" / f"{k}.npy" for k in range(4)], Window(start=(0, 1), shape=(1, 2)))
    with Loader(data, lambda batch, keys: batch[:, 0, 0], batch_size=2, workers=0, epochs=1) as loader:
        assert [np.asarray(batch).tolist() for batch in loader] == [[0, 1], [2, 3]]


@given(st.data())
def test_a_part_is_numpys(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "part.npy"
    array = np.arange(60).reshape(3, 4, 5).astype(data.draw(st.sampled_from(["<i2", ">f4", "?"])))
    np.save(path, np.asfortranarray(array) if data.draw(st.booleans()) else array)
    starts = tuple(data.draw(st.integers(-2, 4)) for _ in range(3))
    sizes = tuple(data.draw(st.integers(0, 6)) for _ in range(3))
    around = np.pad(array, 12, constant_values=1)
    window = Window(start=starts, shape=sizes, policy="pad", fill=1.0)
    found = NumpyFiles([path], window)[0]
    parts = tuple(slice(start + 12, start + 12 + size) for start, size in zip(starts, sizes, strict=True))
    np.testing.assert_array_equal(found, around[parts])
    assert found.dtype == array.dtype.newbyteorder("=") and found.flags.c_contiguous
    rows = NumpyFiles([path, path], window)
    for k in (0, 1):  # reads into the same memory
        np.testing.assert_array_equal(rows.row(k)[0], found)


HEADER = b"\x93NUMPY\x01\x00"


def header(text, size=None):
    return HEADER + (len(text) if size is None else size).to_bytes(2, "little") + text


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_second_array_of_a_file_is_not_left_out_silently(tmp_path, order):
    path = tmp_path / "x.npy"
    with open(path, "wb") as file:
        np.save(file, np.asarray(np.ones((2, 3)), order=order))
        end = file.tell()
        np.save(file, np.zeros(4))
    for window in (None, Window(start=(0,), shape=(1,))):
        with pytest.raises(SourceDataError, match=rf"x.npy holds another array at byte {end}, behind its first one"):
            _ = NumpyFiles([path], window)[0]

    @pipeline_def(batch_size=1, py_num_workers=0)
    def mine():
        return fn.readers.numpy(files=path)

    with mine() as pipe, pytest.raises(SourceError, match=r"x.npy holds another array at byte"):
        pipe.run()
    path.write_bytes(path.read_bytes()[:end] + b"other")
    assert NumpyFiles([path])[0].tolist() == [[1] * 3] * 2


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "is not a .npy file"),
        (b"PK\3\4" + bytes(30), "is not a .npy file; it begins with"),
        (header(b"{}", 60000), "says that its header has 60000 bytes, but the file has 12"),
        (header(b"__import__('os')"), "a header that NumPy does not write"),
        (header(b"(" * 5000), "a header that NumPy does not write"),
        (header(b"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"), "a header that NumPy does not write"),
        (header(b"{'descr': '<f4', 'fortran_order': 3, 'shape': (1,)}"), "a header that NumPy does not write"),
        (
            header(b"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1)}") + bytes(4),
            r"holds an array of 9 axes, float32\[1, 1, 1, 1, 1, 1, 1, 1, 1\], and a sample has at most 8; .*joined",
        ),
        (
            header(b"{'descr': '<f4', 'fortran_order': False, 'shape': (1152921504606846976, 4)}"),
            "is cut off, or damaged",
        ),
        (header(b"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}") + bytes(7), "is cut off, or damaged"),
        (header(b"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}") + b"\x80\x04.", "Objects are not read"),
        (header(b"{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}") + bytes(8), "holds complex64"),
        (
            header(b"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}") + bytes(4),
            "expected bool, integers",
        ),
    ],
)
def test_what_is_no_array_is_named(tmp_path, raw, words):
    path = tmp_path / "x.npy"
    path.write_bytes(raw)
    for window in (None, Window(start=(0,), shape=(1,))):
        with pytest.raises(SourceDataError, match=words) as caught:
            _ = NumpyFiles([path], window)[0]
        assert str(path) in str(caught.value)


@given(st.binary(max_size=80))
def test_any_header_is_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.npy"
    path.write_bytes(header(data) + bytes(16))
    with pytest.raises(SourceDataError):
        _ = NumpyFiles([path])[0]


@pytest.mark.parametrize(
    ("window", "words"),
    [
        (Window(start=(-1, 0)), r"from \[-1, 0\] to \[2, 3\] extends beyond the array, \[2, 3\]"),
        (Window(start=(0, 2), shape=(1, 2)), "extends beyond the array"),
        (Window(start=(1, 1, 1)), "has 3 values for its start, expected 2"),
        (Window(axes=(5,), start=(1,)), "names axis 5 of an array that has 2 axes"),
        (Window(axes=(0, -2), start=(1,)), "names an axis twice"),
        (Window(start=(1, 1), end=(0, 1)), "begins at 1 and ends at 0 on axis 0"),
        (Window(start=(0, 4), policy="pad"), "begins at 4 and ends at 3 on axis 1"),
        (
            Window(axes=(0,), start=(1.5,), rel_start=True, policy="trim_to_shape"),
            "begins at 3 and ends at 2 on axis 0",
        ),
        (Window(shape=(2**30, 2**30), policy="pad"), "is too large"),
    ],
)
def test_a_part_that_is_not_there_is_an_error(root, window, words):
    with pytest.raises(SourceDataError, match=words):
        _ = NumpyFiles([root / "images" / "0.npy"], window)[0]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"files": ["a"], "file_list": "b"}, "but not both"),
        ({"files": []}, "empty list"),
        ({}, "`file_root` argument is required"),
        (
            {"files": ["a"], "roi_start": [1], "rel_roi_start": [0.5]},
            "roi_start and rel_roi_start cannot be given together",
        ),
        ({"files": ["a"], "roi_end": [1], "rel_roi_shape": [0.5]}, "the end and the shape of a region"),
        ({"files": ["a"], "roi_start": [0.5]}, "must be whole numbers"),
        ({"files": ["a"], "out_of_bounds_policy": "wrap"}, "must be one of error, pad, trim_to_shape"),
    ],
)
def test_arguments_that_do_not_go_together_are_errors(given, words):
    with pytest.raises(ConfigError, match=words):
        fn.readers.numpy(**given)


def test_lists_and_folders_are_read(root):
    (root / "list.txt").write_text("images/3.npy\n\nlabels/2.npy\n")

    @pipeline_def(batch_size=2, py_num_workers=0, seed=1)
    def mine():
        return fn.readers.numpy(file_list=root / "list.txt")

    with mine() as pipe:
        assert pipe.run()[0].as_array()[:, 0, 0].tolist() == [3, 20]

    @pipeline_def(batch_size=2, py_num_workers=0, seed=1)
    def mine_cut():
        end = np.int32([1, 2])
        several: list[dict] = [{"roi_start": [], "roi_axes": []}, {"rel_roi_start": [], "roi_end": []}]
        several += [{"roi_start": [], "roi_end": fn.external_source(lambda: [end, end])}]
        return tuple(fn.readers.numpy(file_list=root / "list.txt", **one) for one in several)

    with mine_cut() as pipe:
        whole = np.load(root / "images" / "3.npy")
        for output, part in zip(pipe.run(), (whole, whole, whole[:1, :2]), strict=True):
            np.testing.assert_array_equal(output.at(0), part)
    with pytest.raises(ConfigError, match="No files found in"):
        fn.readers.numpy(file_root=root, file_filter="*.npz")


def test_a_file_that_is_gone_is_named(root):
    @pipeline_def(batch_size=9, py_num_workers=1, seed=1)
    def mine():
        return fn.readers.numpy(file_root=root / "images")

    pipe = mine()
    with pipe:
        os.unlink(root / "images" / "5.npy")
        with pytest.raises(SourceError, match=r"5\.npy"):
            pipe.run()
