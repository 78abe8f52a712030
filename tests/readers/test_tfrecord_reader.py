"""`fn.readers.tfrecord` and `source.TFRecords`: what they read, and their errors for damaged files."""

from __future__ import annotations

import os
import pathlib
import pickle
import struct

import numpy as np
import pytest
import tfrecord_files
from hypothesis import given
from hypothesis import strategies as st
from jpeg_files import pillow_jpeg
from tfrecord_files import entry, feature, field, record, varint, write_tfrecord

from jaxdali import ConfigError, Loader, SourceDataError, SourceError, fn, pipeline_def
from jaxdali import tfrecord as tfrec
from jaxdali._feed import _host
from jaxdali._feed.records.example import parse_example
from jaxdali._feed.records.tfrecord_file import index_tfrecord
from jaxdali.source import TFRecords

COUNT = 5
LABEL = {"label": tfrec.FixedLenFeature([1], tfrec.int64, -1)}


def examples(count=COUNT, first=0):
    return [{"image": pillow_jpeg(8, 8 + k), "label": [first + k], "boxes": [0.5] * 4 * k} for k in range(count)]


@pytest.fixture
def files(tmp_path):
    write_tfrecord(tmp_path / "a", examples())
    write_tfrecord(tmp_path / "b", examples(3, first=5))
    return [tmp_path / "a", tmp_path / "b"]


def test_the_checksum_is_that_of_the_standard():
    # Test vectors of RFC 3720, B.4.
    assert _host.crc32c(bytes(32)) == 0x8A9136AA and _host.crc32c(bytes(range(32))) == 0x46DD794E
    assert _host.crc32c(b"123456789") == 0xE3069283 and _host.crc32c(b"") == 0


@pytest.mark.parametrize("workers", [0, 2])
def test_images_are_decoded_and_numbers_have_their_shapes(files, workers):
    features = {
        "image": tfrec.FixedLenFeature((), tfrec.string, ""),
        **LABEL,
        "boxes": tfrec.VarLenFeature([4], tfrec.float32, 0.0),
    }

    @pipeline_def(batch_size=8, py_num_workers=workers, seed=1)
    def mine():
        data = fn.readers.tfrecord(path=files, features=features, name="Reader")
        return fn.decoders.image(data["image"]), data["label"], data["boxes"]

    with mine() as pipe:
        images, labels, boxes = pipe.run()
        assert pipe.epoch_size("Reader") == 8
    assert [images.at(k).shape for k in range(8)] == [(8, 8 + k, 3) for k in [*range(5), *range(3)]]
    assert labels.as_array().tolist() == [[k] for k in range(8)]
    assert [boxes.at(k).shape for k in range(8)] == [(k, 4) for k in [*range(5), *range(3)]]


def test_a_loader_reads_them(files):
    features = {"image": tfrec.FixedLenFeature([], tfrec.string, b""), **LABEL}
    data = pickle.loads(pickle.dumps(TFRecords(files, features)))
    assert len(data) == 8 and isinstance(data[0]["image"], bytes)
    assert data.source_info(6).startswith(f"{files[1]} at byte ")
    loader = Loader(data, lambda batch, keys: batch["label"][:, 0], batch_size=4, workers=0, epochs=1)
    with loader:
        assert [np.asarray(batch).tolist() for batch in loader] == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_an_index_of_dalis_tool_is_the_one_that_is_found(files):
    with_index = TFRecords(files, LABEL, [f"{path}.idx" for path in files])
    assert with_index.digest() == TFRecords(files, LABEL).digest()
    assert with_index.bounds.tolist() == [0, 5, 8]


def test_features_that_are_not_there_have_their_defaults(tmp_path):
    write_tfrecord(tmp_path / "a", [{"here": [1]}])
    features = {
        "number": tfrec.FixedLenFeature([2, 2], tfrec.int64, 7),
        "floats": tfrec.FixedLenFeature([], tfrec.float32, 3),
        "text": tfrec.FixedLenFeature([], tfrec.string, "xy"),
        "any": tfrec.VarLenFeature(tfrec.int64, 7),
        "rows": tfrec.VarLenFeature([3], tfrec.float32, 0.0),
    }
    found = TFRecords(tmp_path / "a", features)[0]
    assert found["number"].tolist() == [[7, 7], [7, 7]] and found["text"] == b"xy"
    assert found["floats"] == 3 and found["floats"].dtype == np.float32 and found["floats"].shape == ()
    assert found["any"].shape == (0,) and found["rows"].shape == (0, 3)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=20), st.booleans())
def test_integers_are_read_packed_and_one_by_one(values, packed):
    numbers = field(1, b"".join(map(varint, values))) if packed else b"".join(b"\x08" + varint(v) for v in values)
    data = field(1, entry("x", field(3, numbers)))
    found = parse_example(data, {"x": tfrec.VarLenFeature(tfrec.int64, 0)})
    assert found["x"].tolist() == values and found["x"].dtype == np.int64


def test_floats_are_read_one_by_one_and_unknown_fields_are_passed_by():
    floats = b"".join(b"\x0d" + struct.pack("<f", value) for value in (0.5, -2.0))
    other = b"\x10\x07" + b"\x19" + bytes(8) + b"\x25" + bytes(4) + field(9, b"xyz")
    data = other + field(1, other + entry("x", other + field(2, floats + other)) + entry("y", feature([3])))
    found = parse_example(data, {"x": tfrec.FixedLenFeature([2], tfrec.float32, 0.0)})
    assert found["x"].tolist() == [0.5, -2.0]


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (tfrec.FixedLenFeature([1], tfrec.float32, 0.0), "'x' holds integers, expected floats"),
        (tfrec.FixedLenFeature([], tfrec.string, ""), "'x' holds integers, expected strings"),
        (
            tfrec.FixedLenFeature([2], tfrec.int64, 0),
            r"'x' has 3 values, expected 2 \(FixedLenFeature\(\[2\], int64, 0\)\)",
        ),
        (tfrec.VarLenFeature([2], tfrec.int64, 0), r"'x' has 3 values, which its partial shape \[2\] does not divide"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(tmp_path, wanted, words):
    write_tfrecord(tmp_path / "a", [{"x": [1]}, {"x": [1, 2, 3]}])
    with pytest.raises(SourceDataError, match=rf"a at byte \d+: the feature {words}"):
        _ = TFRecords(tmp_path / "a", {"x": wanted})[1]

    @pipeline_def(batch_size=2, py_num_workers=1, seed=1)
    def mine():
        return fn.readers.tfrecord(path=tmp_path / "a", features={"x": wanted})["x"]

    with mine() as pipe, pytest.raises(SourceError, match="the feature 'x' ") as caught:
        pipe.run()
    assert f"{tmp_path}/a at byte" in str(caught.value)


def damaged(files, change):
    raw = bytearray(files[0].read_bytes())
    change(raw)
    files[0].write_bytes(bytes(raw))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda raw: raw.__delitem__(slice(-7, None)), r"record 4 at byte \d+: the record says that it holds"),
        (lambda raw: raw.extend(b"abc"), r"record 5 at byte \d+: the file ends 3 bytes after the beginning"),
        (lambda raw: raw.__setitem__(3, 1), "record 0 at byte 0: the checksum of the record's length"),
        (
            lambda raw: raw.__setitem__(
                slice(0, 12), struct.pack("<QI", 2**63, tfrecord_files.masked_crc(struct.pack("<Q", 2**63)))
            ),
            "record 0 at byte 0: the record says that it holds 9223372036854775808 bytes",
        ),
        (lambda raw: raw.__setitem__(slice(0, 2), b"\x1f\x8b"), "or not a TFRecord file"),
        (lambda raw: raw.clear(), "hold no record"),
    ],
)
def test_an_index_of_a_damaged_file_is_refused(files, change, words):
    damaged(files, change)
    with pytest.raises(ConfigError, match=words):
        TFRecords(files[:1], LABEL)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda raw: raw.__delitem__(slice(60, None)), "the file is cut off, or the index belongs to another file"),
        (lambda raw: raw.__setitem__(40, raw[40] ^ 1), "checksum of the record's data"),
        (lambda raw: raw.insert(0, 0), "checksum of the record's length"),
    ],
)
def test_a_damaged_record_is_an_error_of_its_sample(files, change, words):
    damaged(files, change)
    with pytest.raises(SourceDataError, match=words):
        _ = TFRecords(files[:1], LABEL, [f"{files[0]}.idx"])[0]


@given(st.binary(max_size=60))
def test_any_bytes_are_an_example_or_an_error(data):
    wanted = {"x": tfrec.VarLenFeature(tfrec.int64, 0), "y": tfrec.FixedLenFeature([], tfrec.string, "")}
    try:
        assert set(parse_example(data, wanted)) == {"x", "y"}
    except SourceDataError as error:
        assert "is not a tf.train.Example" in str(error) or "holds" in str(error)


@given(st.data())
def test_a_changed_example_is_read_or_refused(data):
    raw = bytearray(tfrecord_files.example({"x": [1, 300, -5], "y": b"text", "z": [0.5, 0.25]}))
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    wanted = {"x": tfrec.VarLenFeature(tfrec.int64, 0), "z": tfrec.VarLenFeature(tfrec.float32, 0.0)}
    try:
        found = parse_example(bytes(raw), wanted)
    except SourceDataError:
        return
    assert sum(value.nbytes for value in found.values()) <= 8 * len(raw)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"features": {}}, "must be a dictionary of names and features"),
        ({"features": {"label": tfrec.int64}}, r"'label'\] must be a FixedLenFeature or VarLenFeature"),
        ({"index_path": ["a.idx", "b.idx"]}, "2 index files for 1 data files"),
        ({"random_shuffle": True, "stick_to_shard": True, "shuffle_after_epoch": True}, "cannot be both true"),
        ({"num_shards": 6}, "at least equal to the requested number of shards"),
    ],
)
def test_arguments_that_do_not_go_together_are_errors(files, arguments, words):
    with pytest.raises(ConfigError, match=words):
        fn.readers.tfrecord(**{"path": files[:1], "features": LABEL, **arguments})


@pytest.mark.parametrize("text", ["0", "0 x\n", "1 2 3\n", "-1 5\n", "0 99999999999999999999\n", "\n"])
def test_an_index_of_something_else_is_refused(files, tmp_path, text):
    (tmp_path / "i").write_text(text)
    with pytest.raises(ConfigError, match=r"OFFSET SIZE|hold no record|expected numbers that are not negative"):
        TFRecords(files[:1], LABEL, tmp_path / "i")


def test_files_that_are_gone_are_named(files, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        TFRecords(tmp_path / "nowhere", LABEL)
    data = TFRecords(files, LABEL)
    os.unlink(files[1])
    with pytest.raises(FileNotFoundError, match=str(files[1])):
        _ = data[7]
    os.mkfifo(files[1])
    with pytest.raises(OSError, match="expected a regular file"):
        _ = data[7]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tfrec.FixedLenFeature([2, 1], tfrec.string, ""), "texts differ in length"),
        (lambda: tfrec.VarLenFeature([2], tfrec.string, ""), "texts differ in length"),
        (lambda: tfrec.FixedLenFeature(1, tfrec.int64, 0), "shape must be a list of extents"),
        (lambda: tfrec.FixedLenFeature([2**30, 2**30], tfrec.int64, 0), "too many values"),
        (lambda: tfrec.FixedLenFeature([1], 9, 0), "dtype must be tfrecord.int64"),
        (lambda: tfrec.FixedLenFeature([1], tfrec.int64, 0.5), r"default_value=\) must be a int64"),
        (lambda: tfrec.VarLenFeature(tfrec.int64), "takes dtype and default_value"),
    ],
)
def test_wrong_features_are_errors(make, words):
    with pytest.raises(ConfigError, match=words):
        make()


def test_more_files_are_read_than_may_be_open(tmp_path):
    paths: list[pathlib.Path] = []
    for k in range(40):
        paths.append(tmp_path / f"{k}")
        write_tfrecord(paths[-1], [{"label": [k]}])
    data = TFRecords(paths, LABEL)
    for _ in range(2):
        assert [int(data[k]["label"][0]) for k in range(40)] == list(range(40))
    assert len(os.listdir("/proc/self/fd")) < 200


def test_a_record_by_its_definition(tmp_path):
    (tmp_path / "a").write_bytes(record(b"abc") + record(b""))
    assert index_tfrecord(str(tmp_path / "a")).tolist() == [[0, 19], [19, 16]]
