"""`fn.readers.caffe` and `caffe2`, `source.Caffe` and `Caffe2`: what they read, and errors for damaged databases."""

from __future__ import annotations

import pickle
import random
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jpeg_files import pillow_jpeg
from lmdb_files import PAGE, datum, lmdb_bytes, tensor, tensors, write_lmdb
from tfrecord_files import field, varint

from jaxdali import ConfigError, Loader, SourceDataError, SourceError, fn, pipeline_def
from jaxdali._feed.records.caffe import parse_datum, parse_tensors
from jaxdali._feed.records.lmdb_pages import index_lmdb
from jaxdali.source import Caffe, Caffe2

STRING = tensor("string", [b"img"])
BOX = tensor("int32", [1, 2, 3, 4])


@pytest.fixture
def paths(tmp_path):
    values = [datum(pillow_jpeg(8, 8 + k), k) for k in range(8)]
    return [write_lmdb(tmp_path / "a", values[:5]), write_lmdb(tmp_path / "b", values[5:])]


@pytest.mark.parametrize("workers", [0, 1])
def test_images_are_decoded_beside_their_labels(paths, workers):
    @pipeline_def(batch_size=8, py_num_workers=workers, seed=1)
    def mine():
        data, labels = fn.readers.caffe(path=paths)
        return fn.decoders.image(data), labels

    with mine() as pipe:
        found, labels = pipe.run()
    assert [found.at(k).shape for k in range(8)] == [(8, 8 + k, 3) for k in range(8)]
    assert labels.as_array().tolist() == [[k] for k in range(8)] and labels.at(0).dtype == np.int32


def test_a_loader_reads_them(paths):
    data = pickle.loads(pickle.dumps(Caffe([paths[0], paths[1] / "data.mdb"])))
    assert isinstance(data[0]["image"], bytes) and data.source_info(6).startswith(f"{paths[1]}/data.mdb at byte ")
    with Loader(data, lambda batch, keys: batch["label"][:, 0], batch_size=4, workers=0, epochs=1) as loader:
        assert [np.asarray(batch).tolist() for batch in loader] == [[0, 1, 2, 3], [4, 5, 6, 7]]


@pytest.mark.parametrize("count", [0, 1, 45, 1700])
def test_values_of_any_size_lie_where_the_tree_says(tmp_path, count):
    chance = random.Random(count)
    values = [chance.randbytes(chance.choice([0, 3, 900, 1100, 4079, 4080, 4081, 9000])) for _ in range(count)]
    raw = lmdb_bytes(values, width=9)
    (tmp_path / "a").write_bytes(raw)
    assert [raw[at : at + size] for at, size in index_lmdb(str(tmp_path / "a")).tolist()] == values


def test_the_newest_transaction_counts(tmp_path):
    raw = bytearray(lmdb_bytes([b"1", b"2"]))
    struct.pack_into("<Q", raw, PAGE + 128, (1 << 64) - 1)
    (tmp_path / "a").write_bytes(raw)
    assert len(index_lmdb(str(tmp_path / "a"))) == 0
    struct.pack_into("<Q", raw, 144, 9)
    (tmp_path / "a").write_bytes(raw)
    assert len(index_lmdb(str(tmp_path / "a"))) == 2


def test_a_datum_is_a_file_or_pixels():
    image, label = parse_datum(datum(b"abc", -5))
    assert image.tobytes() == b"abc" and label.tolist() == [-5] and label.dtype == np.int32
    pixels, label = parse_datum(datum(bytes(range(24)), None, (3, 2, 4), encoded=False))
    assert pixels.shape == (2, 4, 3) and pixels.ravel().tolist() == [*range(24)] and label.shape == (0,)
    assert parse_datum(datum(bytes(24), 1, (3, 2, 4), encoded=None))[0].shape == (24,)
    assert [part.shape for part in parse_datum(b"")] == [(0,), (0,)]


@pytest.mark.parametrize("encoded", [True, False, None])
@pytest.mark.parametrize("packed", [True, False])
def test_pixels_that_are_floats_are_refused(tmp_path, encoded, packed):
    numbers = [struct.pack("<f", one) for one in (0.5, 1)]
    floats = field(6, b"".join(numbers)) if packed else b"".join(varint(6 << 3 | 5) + one for one in numbers)
    extents = b"".join(varint(k << 3) + varint(extent) for k, extent in enumerate((1, 2, 1), 1))
    flag = b"" if encoded is None else varint(7 << 3) + varint(encoded)
    path = write_lmdb(tmp_path / "a", [extents + floats + varint(5 << 3) + varint(3) + flag])
    with pytest.raises(
        SourceDataError, match=r"a/data\.mdb at byte \d+: the Datum has float_data and no bytes; expected"
    ):
        _ = Caffe(path)[0]
    assert Caffe(path, image=False)[0]["label"].tolist() == [3]

    @pipeline_def(batch_size=1, py_num_workers=0)
    def mine(image):
        return fn.readers.caffe(path=path, image_available=image)

    with mine(True) as pipe, pytest.raises(SourceError, match="the Datum has float_data and no bytes"):
        pipe.run()
    with mine(False) as pipe:
        assert pipe.run()[0].as_array().tolist() == [[3]]


@pytest.mark.parametrize(
    ("value", "arguments", "expected"),
    [
        (tensors(STRING, tensor("int32", [5])), {}, [b"img", [5]]),
        (tensors(STRING, tensor("int32", [-5], packed=True)), {}, [b"img", [-5]]),
        (tensors(STRING, tensor("float", [0.5])), {}, [b"img", [0.5]]),
        (tensors(tensor("byte", b"abcdef", [1, 2, 3]), tensor("int32", [5])), {}, [b"abcdef", [5]]),
        (tensors(STRING), {"label": 4}, [b"img"]),
        (tensors(STRING, tensor("int32", [1, 3])), {"label": 1, "num_labels": 5}, [b"img", [0, 1, 0, 1, 0]]),
        (tensors(STRING, tensor("float", [0.5, 2])), {"label": 2}, [b"img", [0.5, 2]]),
        (
            tensors(STRING, tensor("int32", [1, 3]), tensor("float", [0.5, 0.25])),
            {"label": 3, "num_labels": 5},
            [b"img", [0, 0.5, 0, 0.25, 0]],
        ),
        (
            tensors(tensor("int32", [5]), tensor("float", [1, 2]), tensor("int32", [7]), BOX),
            {"image": False, "additional": 2, "bbox": True},
            [[5], [1, 2], [7], [1, 2, 3, 4]],
        ),
    ],
)
def test_tensors_are_read_in_their_order(value, arguments, expected):
    given = {"image": True, "label": 0, "num_labels": 1, "additional": 0, "bbox": False, **arguments}
    found = [one.tobytes() if one.dtype == np.uint8 else one.tolist() for one in parse_tensors(value, **given)]
    assert found == expected


@pytest.mark.parametrize(
    ("value", "arguments", "words"),
    [
        (b"\xff", {}, "is not a TensorProtos of Caffe2's: byte 1"),
        (tensors(STRING), {}, "the label is missing"),
        (tensors(tensor("float", [1]), BOX), {}, r"the image has the type 1, expected 4 \(string\)"),
        (
            tensors(tensor("byte", b"ab", [3, 1])),
            {},
            r"says that its extents are \[3, 1, 1\], but it has 2 bytes",
        ),
        (tensors(tensor("byte", b"ab")), {}, r"the image has the extents \[2\]"),
        (tensors(tensor("string", [], [1])), {}, "is an empty tensor of strings"),
        (tensors(tensor("string", [b"a", b"b"]), BOX), {}, "is a tensor of 2 strings, expected one"),
        (tensors(STRING, BOX), {}, "the label has 4 numbers, expected 1"),
        (tensors(STRING, STRING), {}, "the label has the type 4, expected"),
        (tensors(STRING, BOX), {"label_type": 1, "num_labels": 4}, "expected indices below num_labels, 4"),
        (tensors(STRING, BOX, BOX), {"label_type": 3, "num_labels": 5}, "4 weights of int32 for 4 labels"),
        (
            tensors(STRING, tensor("int32", [1]), tensor("float", [1])),
            {"bbox": True},
            "the box has 1 numbers of float32",
        ),
    ],
)
def test_what_is_no_such_value_is_named_with_its_place(tmp_path, value, arguments, words):
    path = write_lmdb(tmp_path / "a", [value])
    with pytest.raises(SourceDataError, match=rf"a/data\.mdb at byte \d+: .*{words}"):
        _ = Caffe2(path, **arguments)[0]


def test_a_reader_refuses_several_images_in_a_tensor(tmp_path):
    path = write_lmdb(tmp_path / "a", [tensors(tensor("string", [b"a", b"b"]), tensor("int32", [5]))])

    @pipeline_def(batch_size=1, py_num_workers=0)
    def mine():
        return fn.readers.caffe2(path=path)[0]

    with mine() as pipe, pytest.raises(SourceError, match="the image is a tensor of 2 strings, expected one"):
        pipe.run()


def test_a_value_that_is_no_datum_is_an_error_of_its_sample(tmp_path):
    path = write_lmdb(tmp_path / "a", [datum(b"abc", 1, (3, 2, 4), encoded=False), b"\xff\xff"])
    with pytest.raises(SourceDataError, match=r"at byte \d+: the Datum says that its extents are \[2, 4, 3\],"):
        _ = Caffe(path)[0]

    @pipeline_def(batch_size=1, py_num_workers=0)
    def mine():
        return fn.readers.caffe(path=path, label_available=False, shard_id=1, num_shards=2)

    with mine() as pipe, pytest.raises(SourceError, match="the value is not a Datum of Caffe's") as caught:
        pipe.run()
    assert f"{path}/data.mdb at byte" in str(caught.value)


def changed(at, form, *values):
    def change(raw):
        struct.pack_into(form, raw, at, *values)
        return raw

    return change


# In the database below: the offsets of the first page of its large value, and of its leaf.
LARGE, LEAF = 2 * PAGE, 4 * PAGE


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda raw: raw[:3000], r"at byte 4096: a page of \d+ bytes should be there, but the file has only 3000"),
        (lambda raw: raw[:-PAGE], "at byte 16384: a page of 4096 bytes should be there"),
        (changed(LARGE + 10, "<H", 2), "a value of 5000 bytes should be at byte 8192, but is not; the file has"),
        (lambda raw: b"PK\3\4" * 2000, "no LMDB page is there: its magic number is 0x04034b50, expected 0xbeefc0de$"),
        (changed(16, ">I", 0xBEEFC0DE), "written on a machine of another byte order"),
        (changed(20, "<I", 2), "format 2 with pages of 4096 bytes"),
        (changed(40, "<I", 4095), "pages of 4095 bytes"),
        (changed(LEAF + 10, "<H", 4), "a page with the flags 0x4"),
        (changed(LEAF + 12, "<H", 9999), "list of nodes ends at its byte 9999"),
        (changed(LEAF + 16, "<H", 4090), "a node at its byte 4090"),
        (changed(PAGE + 128, "<Q", 1 << 50), r"at byte 4611686018427387904: a page"),
        (changed(PAGE + 94, "<H", 65), "a tree of 65 levels"),
        (changed(PAGE + 94, "<H", 0), "is deeper than the tree"),
    ],
)
def test_a_damaged_database_is_refused(tmp_path, change, words):
    path = tmp_path / "data.mdb"
    path.write_bytes(change(bytearray(lmdb_bytes([b"abc", bytes(5000)]))))
    with pytest.raises(ConfigError, match=words):
        Caffe(tmp_path)


def test_a_tree_that_leads_back_is_refused(tmp_path):
    raw = bytearray(lmdb_bytes([b"1"] * 4, width=2))
    (lower,) = struct.unpack_from("<H", raw, 4 * PAGE + 16)
    struct.pack_into("<H", raw, 4 * PAGE + lower, 4)
    (tmp_path / "data.mdb").write_bytes(raw)
    with pytest.raises(ConfigError, match="a page that is reached twice"):
        Caffe(tmp_path)


@given(st.data())
def test_any_database_is_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.mdb"
    raw = bytearray(lmdb_bytes([b"a" * 50, b"b" * 3000, b"", b"c"] * 3, width=4))
    for _ in range(data.draw(st.integers(1, 4))):
        page = data.draw(st.integers(0, len(raw) // PAGE - 1)) * PAGE
        raw[page + data.draw(st.one_of(st.integers(0, 200), st.integers(0, PAGE - 1)))] = data.draw(st.integers(0, 255))
    path.write_bytes(raw[: data.draw(st.sampled_from([len(raw), len(raw) - PAGE, 5000]))])
    try:
        places = index_lmdb(str(path))
    except ConfigError as error:
        assert f"{path} at byte " in str(error)
    else:
        assert ((places >= 0) & (places.sum(axis=1, keepdims=True) <= len(raw))).all()


@given(st.binary(max_size=60))
def test_any_bytes_are_values_or_an_error(data):
    for parse in (parse_datum, lambda value: parse_tensors(value, True, 0, 1, 1, False)):
        try:
            values = parse(data)
        except SourceDataError:
            continue
        assert all(isinstance(value, np.ndarray) for value in values)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: Caffe(path, image=False, label=False), "neither images nor labels"),
        (lambda path: Caffe2(path, image=False, label_type=4), "expected at least one of them"),
        (lambda path: Caffe2(path, label_type=5), "label_type"),
        (
            lambda path: fn.readers.caffe(path=path, image_available=False, label_available=False),
            "the reader has no outputs",
        ),
        (lambda path: Caffe(write_lmdb(path / "empty", [])), "hold no record"),
    ],
)
def test_arguments_that_do_not_go_together_are_errors(paths, make, words):
    with pytest.raises(ConfigError, match=words):
        make(paths[0])
