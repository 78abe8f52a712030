"""`fn.readers.mxnet` and `source.RecordIO`: what they read, and their errors for damaged files."""

from __future__ import annotations

import os
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jpeg_files import pillow_jpeg
from recordio_files import MAGIC, image_record, part, record, write_recordio

from jaxdali import ConfigError, Loader, SourceDataError, fn, pipeline_def
from jaxdali._feed.records.recordio_file import joined_parts
from jaxdali.source import RecordIO


def images(count, first=0):
    return [image_record([first + k], pillow_jpeg(8, 8 + k), k) for k in range(count)]


@pytest.fixture
def files(tmp_path):
    write_recordio(tmp_path / "a.rec", images(5))
    write_recordio(tmp_path / "b.rec", images(3, first=5))
    return [tmp_path / "a.rec", tmp_path / "b.rec"]


@pytest.mark.parametrize("workers", [0, 1])
def test_images_are_decoded_beside_their_labels(files, workers):
    @pipeline_def(batch_size=8, py_num_workers=workers, seed=1)
    def mine():
        data, labels = fn.readers.mxnet(path=files, index_path=[path.with_suffix(".idx") for path in files])
        return fn.decoders.image(data), labels

    with mine() as pipe:
        found, labels = pipe.run()
    assert [found.at(k).shape for k in range(8)] == [(8, 8 + k, 3) for k in [*range(5), *range(3)]]
    assert labels.as_array().tolist() == [[k] for k in range(8)] and labels.at(0).dtype == np.float32


def test_a_loader_reads_them(files):
    data = RecordIO(files)
    assert isinstance(data[0]["image"], bytes) and data.source_info(6).startswith(f"{files[1]} at byte ")
    with Loader(data, lambda batch, keys: batch["label"][:, 0], batch_size=4, workers=0, epochs=1) as loader:
        assert [np.asarray(batch).tolist() for batch in loader] == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_indices_lead_to_the_records_that_are_found(files, tmp_path):
    expected = RecordIO(files).digest()
    assert RecordIO(files, [path.with_suffix(".idx") for path in files]).digest() == expected
    first = files[0].stat().st_size
    lines = files[0].with_suffix(".idx").read_text().split("\n")
    lines += [
        f"{k}\t{int(line.split()[1]) + first}"
        for k, line in enumerate(files[1].with_suffix(".idx").read_text().splitlines())
    ]
    (tmp_path / "all.idx").write_text("\n".join(reversed(lines)))
    assert RecordIO(files, tmp_path / "all.idx").digest() == expected


def test_an_index_that_names_a_record_twice_is_told(files, tmp_path, caplog):
    lines = files[0].with_suffix(".idx").read_text().splitlines()
    (tmp_path / "part.idx").write_text("\n".join(lines[::2]))
    assert len(RecordIO(files[:1], tmp_path / "part.idx")) == len(lines[::2]) and not caplog.records
    (tmp_path / "twice.idx").write_text("\n".join([*lines, *lines[:2]]))
    assert len(RecordIO(files[:1], tmp_path / "twice.idx")) == len(lines)
    assert [f"{tmp_path}/twice.idx names 2 records twice" in one.getMessage() for one in caplog.records] == [True]


def test_records_have_several_labels_and_any_bytes(tmp_path):
    contents = [b"", b"ab" + b"12" + MAGIC + b"xyz" + MAGIC, MAGIC, b"12" + MAGIC]
    write_recordio(tmp_path / "a.rec", [image_record([1.0, 2.5, 7.0], content) for content in contents])
    data = RecordIO(tmp_path / "a.rec")
    assert [data[k]["image"] for k in range(4)] == contents
    assert all(data[k]["label"].tolist() == [1.0, 2.5, 7.0] for k in range(4))


@given(st.lists(st.sampled_from([MAGIC, b"a", b"bc", b"\0\0\0\0"]), max_size=12).map(b"".join))
def test_what_is_written_in_parts_is_read(data):
    assert joined_parts(record(data)) == data


@given(st.binary(max_size=40))
def test_any_bytes_are_a_record_or_an_error(data):
    for given_bytes in (data, MAGIC + data, part(data, 1) + part(data, 2)):
        try:
            assert len(joined_parts(given_bytes)) <= len(given_bytes)
        except SourceDataError:
            continue


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"PK\3\4" + bytes(20), "record 0, at byte 0: it begins with 0x04034b50"),
        (part(b"abcd") + b"abc", "record 1, at byte 12: 3 bytes are left"),
        (MAGIC + struct.pack("<I", (1 << 29) - 1) + b"abc", "says that it holds 536870911 bytes, but 3 are there"),
        (part(b"abcd", 5), "a part with the flag 5"),
        (b"", "hold no record"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path, raw, words):
    (tmp_path / "a").write_bytes(raw)
    with pytest.raises(ConfigError, match=words):
        RecordIO(tmp_path / "a")


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (part(b"abc"), "the record has 3 bytes, expected at least the 24"),
        (part(struct.pack("<IfQQ", 1 << 31, 0, 0, 0)), "has 2147483648 labels, but it has 0 bytes left"),
        (part(b"abc", 3), r"has the flag 3, expected one of \(0, 1\)"),
        (part(b"abc", 1), "0 bytes are left, expected the 8"),
        (part(b"abc", 1) + part(b"abc"), r"has the flag 0, expected one of \(2, 3\)"),
    ],
)
def test_a_damaged_record_is_an_error_of_its_sample(tmp_path, raw, words):
    (tmp_path / "a").write_bytes(raw)
    (tmp_path / "i").write_text("0 0\n")
    with pytest.raises(SourceDataError, match=rf"a at byte 0: .*{words}"):
        _ = RecordIO(tmp_path / "a", tmp_path / "i")[0]


@pytest.mark.parametrize("text", ["", "0\n", "0 x\n", "0 0\n1 99999\n", "0 -5\n", "0 9999999999999999999\n"])
def test_an_index_of_something_else_is_refused(files, tmp_path, text):
    (tmp_path / "i").write_text(text)
    with pytest.raises(ConfigError, match=r"KEY OFFSET|has no record|has a record at byte 99999"):
        RecordIO(files[:1], tmp_path / "i")
    with pytest.raises(ConfigError, match="2 index files for 1 data files"):
        RecordIO(files[:1], ["i", "j"])


def test_files_that_are_gone_are_named(files):
    data = RecordIO(files)
    os.unlink(files[1])
    with pytest.raises(FileNotFoundError, match=str(files[1])):
        _ = data[7]
