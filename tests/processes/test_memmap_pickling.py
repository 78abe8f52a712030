"""Arrays that are mapped from a file travel to workers as the file's name."""

from __future__ import annotations

import os

import numpy as np
import pytest
from test_pickling import payload, wrap

from jaxdali import Loader
from jaxdali._feed.processes.payload import write_payload
from jaxdali._feed.processes.source_loading import PayloadReader
from jaxdali.source import Arrays

ROWS = np.arange(60000, dtype=np.int32).reshape(3000, 20)


@pytest.fixture
def path(tmp_path):
    np.save(tmp_path / "rows.npy", ROWS)
    return tmp_path / "rows.npy"


def travelled(array):
    """Returns the array that arrives, and the size of the payload."""
    with payload([array]) as (reader, size):
        (source,) = reader.sources()
        return source.function, size


VIEWS = {
    "whole": lambda rows: rows,
    "rows": lambda rows: rows[7:2000],
    "one": lambda rows: rows[1:2],
    "columns": lambda rows: rows[:, 3:9:2],
    "backwards": lambda rows: rows[::-3, ::-1],
    "transposed": lambda rows: rows.T,
    "plain": lambda rows: np.asarray(rows)[5:],
    "bytes": lambda rows: rows.view(np.uint8)[100:],
}


def test_large_arrays_are_written_once_and_their_pages_shared():
    first, second = (np.arange(k, k + (1 << 19), dtype=np.int32) for k in range(2))
    first.flags.writeable = False
    rows, small = second.reshape(1024, -1).T, np.arange(9)
    fd = write_payload(None, [wrap(user) for user in ({"x": first, "rows": [rows, small]}, {"x": first})])
    try:
        assert os.fstat(fd).st_size < first.nbytes + second.nbytes + 20000
        for _ in range(2):  # the second reader must not see what the first one writes
            reader = PayloadReader(fd, 8 + int.from_bytes(os.pread(fd, 8, 0), "little"))
            one, two = (source.function for source in reader.sources())
            np.testing.assert_array_equal(one["x"], first)
            np.testing.assert_array_equal(one["rows"][0], rows)
            np.testing.assert_array_equal(one["rows"][1], small)
            assert two["x"] is one["x"] and not one["x"].flags.writeable
            assert "memfd:jaxdali-sources" in line_of(one["rows"][0])
            one["rows"][0][:] = -1
    finally:
        os.close(fd)


def line_of(array):
    """Returns the line of /proc/self/maps that contains an array's address."""
    address = array.__array_interface__["data"][0]
    with open("/proc/self/maps") as lines:
        for line in lines:
            low, high = (int(end, 16) for end in line.split()[0].split("-"))
            if low <= address < high:
                return line
    return ""


@pytest.mark.parametrize("mode", ["r", "r+"])
@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_it_is_opened_where_it_lies(path, view, mode):
    array = view(np.load(path, mmap_mode=mode))
    found, size = travelled(array)
    np.testing.assert_array_equal(found, array)
    assert isinstance(found, np.memmap) and found.dtype == array.dtype
    assert size < 20000, "the content travelled"
    with pytest.raises(ValueError, match="read-only"):
        found[0, 0] = 1


def test_an_offset_beyond_the_first_page(tmp_path):
    ROWS.tofile(tmp_path / "rows.bin")
    array = np.memmap(tmp_path / "rows.bin", np.int32, "r", offset=20012, shape=(700, 30))
    for view in (array, array[3:], array[2:5][1]):
        found, size = travelled(view)
        np.testing.assert_array_equal(found, view)
        assert size < 20000


def test_what_was_written_is_there(path):
    array = np.load(path, mmap_mode="r+")
    array[5] = -1
    np.testing.assert_array_equal(travelled(array)[0], array)


def changed_privately(path):
    array = np.load(path, mmap_mode="c")
    array[5] = -1
    return array


def deleted(path):
    array = np.load(path, mmap_mode="r")
    path.unlink()
    return array


def replaced(path):
    array = np.load(path, mmap_mode="r")
    np.save(path.with_name("other.npy"), -ROWS)
    os.replace(path.with_name("other.npy"), path)
    return array


@pytest.mark.parametrize("make", [changed_privately, deleted, replaced])
def test_what_the_file_does_not_hold_goes_by_value(path, make):
    array = make(path)
    found, size = travelled(array)
    np.testing.assert_array_equal(found, array)
    assert size > ROWS.nbytes


def test_nothing_is_left_of_an_empty_one(path):
    assert travelled(np.load(path, mmap_mode="r")[:0])[0].shape == (0, 20)


def test_a_loader_reads_them(path):
    rows = np.load(path, mmap_mode="r")
    with Loader(Arrays(rows=rows[100:]), batch_size=8, workers=1) as loader:
        np.testing.assert_array_equal(next(iter(loader))["rows"], ROWS[100:108])
