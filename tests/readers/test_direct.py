"""Samples that are written without Python: exactly what Python's own code reads from the same bytes, or nothing."""

from __future__ import annotations

import functools
import random
import struct

import numpy as np
import pytest
from every_reader import every_reader, every_samples
from hypothesis import example as also
from hypothesis import given, settings
from hypothesis import strategies as st
from lmdb_files import datum, tensor, tensors, tensors_of
from recordio_files import image_record, record
from samples import COUNT, content
from tfrecord_files import FEATURES, features
from tfrecord_files import example as example_bytes
from tfrecord_files import record as tf_record

from jaxdali import SourceDataError
from jaxdali._feed import _host
from jaxdali._feed.records.caffe import parse_datum, parse_tensors
from jaxdali._feed.records.example import parse_example
from jaxdali._feed.records.npy import read_npy
from jaxdali._feed.records.recordio_file import joined_parts, split_image
from jaxdali._feed.records.tfrecord_file import payload
from jaxdali._feed.ring.slot_reader import RECORD
from jaxdali.types import DALIDataType, to_numpy_type

NATIVE = [name for name, one in every_samples().items() if one.native]


class Slot:
    """A slot of a ring, to be written and read."""

    def __init__(self, outputs: int, encoded: bool = False, samples: int = COUNT):
        self.samples, self.outputs = samples, outputs
        self.ring = _host.Ring.create(1, 1, outputs, samples, 1, 1 << 30)
        self.slot = self.ring.take_free()
        self.ring.publish(self.slot, 0, 0, 0, 0, samples, [(encoded, None)] * outputs)

    def write(self, write, indices) -> int:
        return write(self.ring, self.slot, 0, 0, np.asarray(indices, np.int64))

    def read(self, sample: int) -> list[np.ndarray]:
        records = np.frombuffer(self.ring.records(self.slot), RECORD).reshape(self.outputs, self.samples)
        memory = memoryview(self.ring.lease(self.slot))
        found = []
        for one in records[:, sample]:
            dtype = np.dtype(to_numpy_type(DALIDataType(int(one["dtype"]))))
            shape = one["dims"][: one["ndim"]].tolist()
            size = int(np.prod(shape, dtype=np.int64))
            assert size * dtype.itemsize == one["size_bytes"]
            found.append(np.frombuffer(memory, dtype, size, int(one["offset"])).reshape(shape))
        return found


@functools.cache
def one_sample(outputs: int) -> Slot:
    """A slot for one sample; each write takes memory behind the previous one."""
    return Slot(outputs, samples=1)


def same(found, expected):
    assert len(found) == len(expected)
    for mine, theirs in zip(found, expected, strict=True):
        assert mine.dtype == theirs.dtype and mine.shape == theirs.shape
        np.testing.assert_array_equal(mine, theirs)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return every_reader(tmp_path_factory.mktemp("every"))


@pytest.mark.parametrize("name", NATIVE)
@pytest.mark.parametrize("order", ["as they lie", "mixed"])
def test_every_sample_is_what_python_reads(made, name, order):
    data = made[name].data
    # Rows may reuse memory, so they are copied.
    expected = [[np.array(one) for one in data.row(index)] for index in range(COUNT)]
    indices = [*range(COUNT)]
    if order == "mixed":
        random.Random(1).shuffle(indices)
    slot = Slot(len(expected[0]))
    assert slot.write(data.direct(), indices) == COUNT
    for row, index in enumerate(indices):
        same(slot.read(row), expected[index])


@pytest.mark.parametrize("name", ["tfrecord", "mxnet", "webdataset", "caffe", "caffe2"])
def test_what_is_to_be_decoded_and_is_no_jpeg_is_left_to_python(made, name):
    data = made[name].data
    assert Slot(len(data.row(0)), encoded=True).write(data.direct(), [0]) == 0


def test_a_window_that_was_not_met_is_left_to_python_once(made, tmp_path):
    data = type(made["region"].data)(made["region"].data.files, made["region"].data.window)
    write = data.direct()
    assert Slot(1).write(write, [0, 2]) == 0
    data.row(4)  # of the same shape as 0, 2, ...
    assert Slot(1).write(write, [0, 2, 1, 4]) == 2
    with pytest.raises(ValueError, match="does not lie within"):
        made["region"].data._rows.learn(0, (4,), (0,), (5,), (0,), (5,), b"")


def places(*sizes: int) -> tuple[np.ndarray, np.ndarray]:
    ends = np.cumsum([0, *sizes])
    return np.stack([ends[:-1], np.asarray(sizes)], 1).astype(np.int64), np.array([0, len(sizes)], np.int64)


def features_as_told():
    return [(name.encode(), one.dtype, one.fixed, one.shape or ()) for name, one in FEATURES.items()]


def _example(raw: bytes) -> list[np.ndarray]:
    values = parse_example(payload(raw), FEATURES).values()
    return [np.frombuffer(value, np.uint8) if isinstance(value, bytes) else value for value in values]


def _image(raw: bytes) -> list[np.ndarray]:
    labels, image = split_image(joined_parts(raw))
    return [np.frombuffer(image, np.uint8), labels]


# A good record, what reads it without Python, and what reads it in Python.
FORMATS = {
    "tfrecord": (
        tf_record(example_bytes(features(1))),
        lambda *at: _host.ExampleRows(*at, features_as_told()),
        _example,
    ),
    "mxnet": (record(image_record([1.0, 2.0], content(1))), lambda *at: _host.RecordioRows(*at), _image),
    "caffe": (datum(content(1), 5), lambda *at: _host.DatumRows(*at, True, True), parse_datum),
    "caffe, pixels": (
        datum(bytes(24), 5, (3, 2, 4), encoded=False),
        lambda *at: _host.DatumRows(*at, True, True),
        parse_datum,
    ),
    "caffe2": (
        tensors_of(1),
        lambda *at: _host.TensorsRows(*at, True, 2, True),
        lambda raw: parse_tensors(raw, True, 0, 1, 1, False),
    ),
    "caffe2, pixels": (
        tensors(tensor("byte", bytes(24), [2, 4, 3]), tensor("int32", [7]), tensor("int32", [1, 2], packed=True)),
        lambda *at: _host.TensorsRows(*at, True, 2, True),
        lambda raw: parse_tensors(raw, True, 0, 1, 1, False),
    ),
}


def _damaged(raw: bytes, damage: list[tuple[int, int]], cut: int, grown: bytes) -> bytes:
    found = bytearray(raw)
    for place, byte in damage:
        found[place % len(found)] = byte
    return bytes(found[: len(found) - cut % len(found)]) + grown


damages = st.builds(
    lambda *parts: parts,
    st.lists(st.tuples(st.integers(0, 60) | st.integers(0, 1 << 10), st.integers(0, 255)), max_size=3),
    st.just(0) | st.integers(0, 1 << 10),
    st.just(b"") | st.binary(max_size=12),
)


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=150)
@given(damage=damages)
@also(damage=([], 0, b""))
def test_damaged_records_are_read_as_python_reads_them_or_not_at_all(tmp_path_factory, name, damage):
    good, make, parse = FORMATS[name]
    raw = _damaged(good, *damage)
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(raw)
    slot = one_sample(3 if name in ("tfrecord", "caffe2", "caffe2, pixels") else 2)
    written = slot.write(make([bytes(path)], *places(len(raw))).write, [0])
    assert written == 1 or raw != good
    try:
        expected = parse(raw)
    except SourceDataError:
        assert written == 0
    else:
        if written:
            same(slot.read(0), expected)


@settings(max_examples=150)
@given(
    damage=damages,
    descr=st.sampled_from(["<f4", "|u1", ">i2", "|b1", "<i8", "<c8", "|O", "<f2"]),
    shape=st.lists(st.integers(0, 5) | st.just(1 << 60), max_size=9),
    order=st.sampled_from(["False", "True"]),
    bytes_=st.integers(0, 400),
)
@also(damage=([], 0, b""), descr="<f4", shape=[0, 1 << 60], order="False", bytes_=0)
@also(damage=([], 0, b""), descr="|u1", shape=[0, 1 << 60], order="False", bytes_=0)
@also(damage=([], 1, b"\0\0"), descr="|u1", shape=[], order="False", bytes_=0)
def test_arrays_are_what_python_reads_or_not_read(tmp_path_factory, damage, descr, shape, order, bytes_):
    words = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {tuple(shape)!r}, }}\n".encode()
    raw = _damaged(b"\x93NUMPY\1\0" + struct.pack("<H", len(words)) + words + bytes(bytes_), *damage)
    path = tmp_path_factory.getbasetemp() / "damaged.npy"
    path.write_bytes(raw)
    slot = one_sample(1)
    written = slot.write(_host.NpyRows([bytes(path)], True).write, [0])
    try:
        expected = read_npy(str(path))
    except SourceDataError:
        assert written == 0
    else:
        if written:
            same(slot.read(0), [expected])


def test_places_that_no_file_has_are_left_to_python(tmp_path):
    (tmp_path / "a").write_bytes(bytes(100))
    for place, size in ((0, 101), (1 << 60, 4), (90, 1 << 62), (100, 1)):
        where = np.array([[place, size]], np.int64), np.array([0, 1], np.int64)
        rows = _host.PlainRows([bytes(tmp_path / "a")], *where, [(0, 1)], False)
        assert Slot(1, samples=1).write(rows.write, [0]) == 0
        assert Slot(1, samples=1).write(rows.write, [5]) == 0 == Slot(1, samples=1).write(rows.write, [-1])
    for path in (tmp_path, tmp_path / "gone"):
        rows = _host.PlainRows([bytes(path)], *places(4), [(0, 1)], False)
        assert Slot(1, samples=1).write(rows.write, [0]) == 0
    with pytest.raises(IndexError):
        Slot(1, samples=1).write(rows.write, [0, 0])
    with pytest.raises((ValueError, TypeError)):
        _host.PlainRows([b"a"], np.zeros((2, 2), np.float32), np.zeros(2, np.int64), [(0, 1)], False)
