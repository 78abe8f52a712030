"""`jaxdali index`: indices as the formats' own tools write them, and errors for files that cannot be indexed."""

import argparse
import io
import shutil

import pytest
from cli_runs import run
from recordio_files import image_record, write_recordio
from tfrecord_files import write_tfrecord
from webdataset_files import write_tar

from jaxdali._cli import index
from jaxdali._feed.records import walking


def test_an_index_is_the_one_of_dalis_tool(tmp_path):
    expected = write_tfrecord(tmp_path / "a.tfrecord", [{"x": [k]} for k in range(3)]).read_text()
    (tmp_path / "a.tfrecord.idx").unlink()
    (tmp_path / "other").mkdir()
    done = run("index", tmp_path / "a.tfrecord", cwd=tmp_path)
    assert done.returncode == 0 and "a.tfrecord.idx: 3 records" in done.stderr
    assert (tmp_path / "a.tfrecord.idx").read_text() == expected
    assert run("index", tmp_path / "a.tfrecord", "--output", tmp_path / "other", cwd=tmp_path).returncode == 0
    assert (tmp_path / "other" / "a.tfrecord.idx").read_text() == expected


def test_an_index_of_recordio_is_that_of_im2rec(tmp_path):
    expected = write_recordio(tmp_path / "a.rec", [image_record([k], b"x" * k) for k in range(3)]).read_text()
    assert run("index", tmp_path / "a.rec", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a.rec.idx").read_text() == expected


def test_an_index_of_an_archive_is_that_of_wds2idx(tmp_path):
    write_tar(tmp_path / "a.tar", {"d/x.jpg": b"12", "d/x.cls": b"3", "y.jpg": b"", ".z.jpg": b"4"})
    assert run("index", tmp_path / "a.tar", cwd=tmp_path).returncode == 0
    expected = "v1.2 2\njpg 512 2 d/x.jpg cls 1536 1 d/x.cls\njpg 2560 0 y.jpg\n"
    assert (tmp_path / "a.tar.idx").read_text() == expected


def test_a_format_is_told_by_the_first_bytes_where_the_name_says_nothing(tmp_path):
    write_tar(tmp_path / "a.tar", {"x.jpg": b"12"})
    write_recordio(tmp_path / "a.rec", [image_record([0], b"x")])
    write_tfrecord(tmp_path / "a.tfrecord", [{"x": [0]}])
    for name, other in (("a.tar", "shard-0"), ("a.tar", "shard.TAR"), ("a.rec", "shard-1"), ("a.tfrecord", "shard-2")):
        shutil.copy(tmp_path / name, tmp_path / other)
        for path in (name, other):
            index.run(argparse.Namespace(files=[str(tmp_path / path)], output=None))
        assert (tmp_path / f"{other}.idx").read_bytes() == (tmp_path / f"{name}.idx").read_bytes()


def test_a_terminal_is_shown_how_much_of_a_file_was_looked_through(tmp_path, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(index, "_PAUSE_S", 0.0)
    monkeypatch.setattr(walking, "MOST_AT_ONCE", 1)
    write_tfrecord(tmp_path / "a.tfrecord", [{"x": [0] * 50} for _ in range(4)])
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        index.run(argparse.Namespace(files=[str(tmp_path / "a.tfrecord")], output=None))
        said = stream.getvalue()
        for part in ("  0%", " 25%", " 75%"):
            assert (f"a.tfrecord [{'#' * int(30 * int(part[:-1]) / 100)}" in said and part in said) == shown
        assert said.endswith("a.tfrecord.idx: 4 records\n")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nowhere"], 1, "No such file"),
        (["damaged"], 2, "record 0 at byte 0"),
        (["damaged", "--output", "nowhere"], 2, "there is no such folder"),
        (["damaged", "."], 2, "is a folder; name the files in it"),
    ],
)
def test_what_cannot_be_indexed_is_named(tmp_path, arguments, code, words):
    (tmp_path / "damaged").write_bytes(b"something else, of more than a few bytes")
    done = run("index", *arguments, cwd=tmp_path)
    assert done.returncode == code and words in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "damaged.idx").exists()
