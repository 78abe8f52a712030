"""The native search for records finds the same as each format's own code, and the same faults in a file."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordio_files import image_record, write_recordio
from tfrecord_files import write_tfrecord
from webdataset_files import write_tar

from jaxdali import ConfigError
from jaxdali._feed import _host
from jaxdali._feed.records import tar, walking
from jaxdali._feed.records.recordio_file import index_recordio
from jaxdali._feed.records.tar import tar_members
from jaxdali._feed.records.tar_samples import archive_text, samples_in_tar, samples_text
from jaxdali._feed.records.tfrecord_file import index_tfrecord

WALKS = ("walk_tfrecords", "walk_recordio", "walk_tar")
LONG = "d/" * 80 + "x"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A file of each kind; records are small, and larger than one read."""
    folder = tmp_path_factory.mktemp("walks")
    sizes = [1, 700, 3, 40_000, 0, 300_000, 12, 90, 5]
    write_tfrecord(folder / "tfrecord", [bytes(size) for size in sizes])
    # The magic number within a record splits it into parts.
    magic = (0xCED7230A).to_bytes(4, "little")
    write_recordio(folder / "rec", [image_record([1], magic + bytes(size)) for size in sizes])
    names = ["a.jpg", "a.b.cls", ".h.jpg", f"{LONG}.jpg", "none", "d/ü.jpg", "d/ü.cls", "e.x/y.jpg", "f."]
    members = {name: bytes(size) for name, size in zip(names, sizes, strict=True)}
    members |= {"link.jpg": (tarfile.SYMTYPE, LONG), "g.jpg": b"1"}
    write_tar(folder / "tar", members, tarfile.GNU_FORMAT)
    write_tar(folder / "pax", members, tarfile.PAX_FORMAT)
    return folder


READ: dict[str, Callable[[str], list[object]]] = {
    "tfrecord": lambda path: index_tfrecord(path).tolist(),
    "rec": lambda path: index_recordio(path).tolist(),
    "tar": lambda path: [*map(tuple, tar_members(path))],
}
READ["pax"] = READ["tar"]


def found(kind: str, path: str) -> list[object] | str:
    try:
        return READ[kind](path)
    except ConfigError as error:
        return str(error)


def by_python(kind: str, path: str) -> list[object] | str:
    nothing: dict[str, Any] = {name: lambda _path, offset, _most: (b"", offset) for name in WALKS}
    nothing["walk_tar"] = lambda _path, offset, _most: (b"", b"", offset)
    with mock.patch.multiple(_host, **nothing):
        return found(kind, path)


@pytest.mark.parametrize("most", [1, 2, 1 << 16])
@pytest.mark.parametrize("kind", READ)
def test_nothing_is_left_out(files, kind, most, monkeypatch):
    path = str(files / kind)
    expected = by_python(kind, path)
    assert isinstance(expected, list) and len(expected) >= 9
    for module in (tar, walking):
        monkeypatch.setattr(module, "MOST_AT_ONCE", most)
    assert found(kind, path) == expected


@pytest.mark.parametrize("kind", READ)
@given(st.data())
def test_damage_is_told_as_by_the_formats_own_code(files, kind, data):
    raw = bytearray((files / kind).read_bytes())
    for _ in range(data.draw(st.integers(0, 3))):
        begin = data.draw(st.sampled_from([0, 0, len(raw) // 2, len(raw) - 4000]))
        place = begin + data.draw(st.integers(0, 3999))
        raw[place % len(raw)] = data.draw(st.integers(0, 255))
        if kind in ("tar", "pax"):  # and fix the checksum
            block = place % len(raw) // 512 * 512
            spaced = raw[block : block + 148] + b" " * 8 + raw[block + 156 : block + 512]
            raw[block + 148 : block + 156] = b"%06o\0 " % sum(spaced)
    damaged = files / f"damaged {kind}"
    damaged.write_bytes(raw[: data.draw(st.sampled_from([len(raw), len(raw) - 7, 600]))])
    assert found(kind, str(damaged)) == by_python(kind, str(damaged))


@pytest.mark.parametrize("kind", ["tar", "pax"])
def test_the_index_of_an_archive_is_that_of_its_samples(files, tmp_path, kind):
    lines, count = samples_text(samples_in_tar(str(files / kind)), kind)
    assert archive_text(str(files / kind)) == (lines.encode(), count) and count == 5
    blank = str(write_tar(tmp_path / "blank.tar", {"a b.jpg": b"1", "a b.cls": b"2"}))
    assert archive_text(blank) == (b"v1.1 1\njpg 512 1 cls 1536 1\n", 1)
    assert archive_text(str(write_tar(tmp_path / "none.tar", {}))) == (b"v1.2 0\n", 0)


@pytest.mark.parametrize("said", [b"L", b"x"])
def test_an_archive_that_ends_before_what_it_tells_of_is_cut_off(files, tmp_path, said):
    raw = (files / {b"L": "tar", b"x": "pax"}[said]).read_bytes()
    begin = next(place for place in range(0, len(raw), 512) if raw[place + 156 : place + 157] == said)
    for behind in (b"", bytes(1024)):
        (tmp_path / "cut.tar").write_bytes(raw[: begin + 1024] + behind)
        with pytest.raises(ConfigError, match=rf"cut.tar at byte {begin + 1024}: no member follows"):
            list(tar_members(str(tmp_path / "cut.tar")))
