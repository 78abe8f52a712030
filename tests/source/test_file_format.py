"""A source that says what its files are is found by the command line and by the tests of all sources."""

from __future__ import annotations

import argparse
import shutil
import sys
import types

import numpy as np
import pytest
from every_reader import every_reader, every_source
from samples import COUNT, Samples

from jaxdali import Pipeline, source
from jaxdali._cli import index
from jaxdali._cli.find import find_content
from jaxdali._cli.formats import by_first_bytes, by_name, first_bytes, formats
from jaxdali._feed.source.file_format import FileFormat
from jaxdali.source import NumpyFiles


class Rows(NumpyFiles):
    """NumPy's files by another name."""

    __module__ = "somewhere.made_up"
    _format = FileFormat("rows", r"\.rows$", lambda head: head[:6] == b"\x93NUMPY", 7, lambda *_: (b"0 1\n", 1), "rows")


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A file of a format whose source was added to `jaxdali.source`."""
    support = types.ModuleType("made_up_files")
    support.SAMPLES = {"rows": Samples(lambda folder: ({}, Rows([folder / "x"])))}
    monkeypatch.setitem(sys.modules, "made_up_files", support)
    monkeypatch.setattr(source, "Rows", Rows, raising=False)
    monkeypatch.setattr(source, "__all__", [*source.__all__, "Rows"])
    np.save(tmp_path / "a.npy", np.eye(3, 4))
    return (tmp_path / "a.npy").rename(tmp_path / "a.rows")


def test_the_command_line_finds_it(path):
    shutil.copy(path, path.with_name("nameless"))
    for name in ("a.rows", "nameless"):
        content = find_content([str(path.with_name(name))])
        assert (content.kind, content.unit, content.count) == ("rows", "rows", 1)
    with Pipeline(1, 1, None, py_num_workers=0) as pipe:
        pipe.set_outputs(*content.nodes("r"))
    np.testing.assert_array_equal(pipe.run()[0].at(0), np.eye(3, 4))
    assert content.why.endswith(
        "no column of its first row is an image; there are 'sample'. `jaxdali bench` measures how fast they are read"
    )
    index.run(argparse.Namespace(files=[str(path)], output=None))
    assert path.with_name("a.rows.idx").read_bytes() == b"0 1\n"


def test_the_tests_find_it(path, tmp_path):
    assert isinstance(every_source(tmp_path / "all")["rows"].data, Rows)
    assert "rows" not in every_reader(tmp_path / "others")


def test_every_class_that_names_its_samples_says_what_its_files_are():
    classes = [one for name in source.__all__ if isinstance(one := getattr(source, name), type)]
    assert [one for one in classes if hasattr(one, "source_info") and FileFormat.of(one) is None] == []
    assert {FileFormat.of(one) for one in classes} - {None} == set(formats())


def test_files_of_every_format_are_recognised_opened_and_indexed(tmp_path):
    every_source(tmp_path / "all")
    known = formats()
    for form in (one for one in known if one.endings is not None):
        paths = [str(path) for path in sorted(tmp_path.rglob("*")) if path.suffix != ".idx"]
        paths = [path for path in paths if by_name(path, known) == form]
        assert paths or form.name == "Parquet", form.name  # of which there are no samples
        for path in paths:
            assert form.begins is None or by_first_bytes(first_bytes(path), known) == form
            assert len(find_content([path]).data()) in (COUNT // 2, 1), path
            assert form.index is None or form.index(path, lambda *_: None)[1] == COUNT // 2
