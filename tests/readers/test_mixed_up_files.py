"""Shards, indices and lists that were mixed up, concatenated, or written by other systems, as found in practice."""

from __future__ import annotations

import gzip
import logging

import pytest
from every_reader import every_reader
from tfrecord_files import FEATURES

from jaxdali import ConfigError, SourceDataError, fn, pipeline_def
from jaxdali._cli.main import main
from jaxdali._dali.readers.listing import LabelledFiles
from jaxdali.source import RecordIO, TFRecords, WebDataset


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    """A folder with two shards of each kind and their indices."""
    folder = tmp_path_factory.mktemp("shards") / "all"
    every_reader(folder)
    for part in range(2):
        assert main(["index", str(folder / f"{part}.tar")]) == 0
    return folder


def webdataset(archive, index=None):
    return WebDataset([archive], ["jpg", "id"], None if index is None else [index])


def written(path, content):
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("behind", ["an archive", "garbage", "later"])
def test_what_lies_behind_the_end_of_an_archive_is_told(shards, tmp_path, caplog, behind):
    first, second = ((shards / f"{part}.tar").read_bytes() for part in range(2))
    more = {"an archive": second, "garbage": b"garbage", "later": bytes(3 << 20) + b"!"}[behind]
    path = written(tmp_path / "both.tar", first + more)
    with caplog.at_level(logging.WARNING, "jaxdali"):
        assert len(webdataset(path)) == 6
    (record,) = caplog.records
    end = len(first.rstrip(b"\0")) + -len(first.rstrip(b"\0")) % 512
    at = len(first) + len(more) - len(more.lstrip(b"\0"))
    assert f"{path} ends at byte {end}, so what follows at byte {at} is not read" in record.getMessage()


def test_nothing_is_told_of_an_archive_that_is_as_it_should_be(shards, caplog):
    with caplog.at_level(logging.WARNING, "jaxdali"):
        webdataset(shards / "0.tar")
        webdataset(shards / "0.tar", shards / "0.tar.idx")
    assert not caplog.records


def test_an_index_of_another_archive_or_of_its_past_is_refused(shards, tmp_path):
    archives = [(shards / f"{part}.tar").read_bytes() for part in range(2)]
    index = shards / "0.tar.idx"
    one, cut = written(tmp_path / "0.tar", archives[1]), written(tmp_path / "cut.tar", archives[0][:700])
    shifted = written(tmp_path / "later.tar", archives[0][:1024] + archives[0])
    for path in (one, cut, shifted):
        with pytest.raises(ConfigError, match=rf"{path.name}: its index has a file of \d+ bytes at byte \d+, where"):
            webdataset(path, index)
    with pytest.raises(ConfigError, match=r"1\.tar: its index has a file .* `jaxdali index` remakes it"):
        webdataset(shards / "1.tar", index)


@pytest.mark.parametrize("workers", [0, 1])
def test_a_file_that_an_index_has_elsewhere_is_an_error_of_its_sample(shards, tmp_path, workers):
    """The first and last files are where the index says."""
    archive, lines = shards / "0.tar", (shards / "0.tar.idx").read_text().splitlines()
    words = lines[3].split()
    words[1] = str(int(words[1]) + 512)
    index = written(tmp_path / "index", "\n".join([*lines[:3], " ".join(words), *lines[4:], ""]).encode())

    @pipeline_def(batch_size=2, py_num_workers=workers)
    def mine():
        return tuple(fn.readers.webdataset(paths=archive, index_paths=index, ext=["jpg", "id"]))

    expected = rf"0\.tar: its index has a file of \d+ bytes at byte {words[1]}, where the archive has none"
    with mine() as pipe:
        pipe.run()
        with pytest.raises(SourceDataError, match=expected):
            pipe.run()
    assert webdataset(archive, index)[1]
    with pytest.raises(SourceDataError, match=expected):
        webdataset(archive, index)[2]


def test_records_say_that_their_index_may_be_another_files(shards):
    data = TFRecords(shards / "0.tfrecord", FEATURES, shards / "1.tfrecord.idx")
    with pytest.raises(
        SourceDataError, match=r"holds 197 bytes, but its index gives it \d+; the index belongs to another file"
    ):
        data[0]
    data = TFRecords(shards / "1.tfrecord", FEATURES, shards / "0.tfrecord.idx")
    with pytest.raises(
        SourceDataError, match=r"holds \d+ bytes, but its index gives it 197; the index belongs to another file"
    ):
        data[0]
    data = TFRecords(shards / "0.tfrecord", FEATURES, shards / "0.idx")  # the index of a RecordIO file
    with pytest.raises(SourceDataError, match="its index gives the record 0 bytes, expected at least 16"):
        data[0]


@pytest.mark.parametrize("kind", ["tfrecord", "rec", "tar"])
def test_two_in_one_are_both_read_or_told_and_packed_ones_refused(shards, tmp_path, kind, caplog):
    contents = [(shards / f"{part}.{kind}").read_bytes() for part in range(2)]
    make = {"tfrecord": lambda path: TFRecords(path, FEATURES), "rec": RecordIO, "tar": webdataset}[kind]
    both = make(written(tmp_path / "both", b"".join(contents)))
    assert len(both) == 12 if kind != "tar" else len(both) == 6 and "is not read" in caplog.text
    with pytest.raises(ConfigError, match=r"packed.*at byte 0"):
        make(written(tmp_path / "packed", gzip.compress(contents[0])))


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "byte order mark"])
def test_lists_of_other_systems_are_read(tmp_path, ends, mark):
    path = written(tmp_path / "list.txt", f"{mark}bild ä.jpg 3{ends}b.jpg 4{ends}".encode())
    data = LabelledFiles.from_list(str(path), None)
    assert [data.path(index) for index in range(2)] == [str(tmp_path / "bild ä.jpg"), str(tmp_path / "b.jpg")]
    assert data.labels.tolist() == [3, 4]


@pytest.mark.parametrize("kind", ["tfrecord", "tar"])
def test_indices_of_other_systems_are_read(shards, tmp_path, kind):
    text = (shards / f"0.{kind}.idx").read_bytes().replace(b"\n", b"\r\n")
    index = written(tmp_path / "index", b"\xef\xbb\xbf" + text)
    path = shards / f"0.{kind}"
    assert len(webdataset(path, index) if kind == "tar" else TFRecords(path, FEATURES, index)) == 6


def test_an_archive_without_files_says_so(tmp_path):
    with pytest.raises(ConfigError, match="hold no sample with 'jpg' and 'id'; they have no files"):
        webdataset(written(tmp_path / "a.tar", b""))


def test_of_what_is_no_list_little_is_shown(tmp_path):
    path = written(tmp_path / "list.txt", b"x" * 10**6)
    with pytest.raises(ConfigError, match="Incorrect format of the list file") as caught:
        LabelledFiles.from_list(str(path), None)
    assert len(str(caught.value)) < 1000
