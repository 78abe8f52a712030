"""`fn.readers.webdataset` and `source.WebDataset`: what they read, and their errors for damaged archives."""

from __future__ import annotations

import logging
import os
import pickle
import tarfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jpeg_files import pillow_jpeg
from webdataset_files import write_tar

from jaxdali import ConfigError, Loader, SourceDataError, fn, pipeline_def, source, types
from jaxdali._feed import _host
from jaxdali._feed.records.tar import tar_members
from jaxdali._feed.records.tar_samples import samples_in_index, samples_in_tar, samples_text
from jaxdali.source import WebDataset

LONG = "n" * 150


def images(count, first=0):
    found = {}
    for k in range(first, first + count):
        found[f"train/{k:03}.jpg"] = pillow_jpeg(8, 8 + k)
        found[f"train/{k:03}.cls"] = str(k).encode()
        found[f"train/{k:03}.id"] = np.array([k, -k], "<i4").tobytes()
    return found


@pytest.fixture
def files(tmp_path):
    return [write_tar(tmp_path / "a.tar", images(5)), write_tar(tmp_path / "b.tar", images(3, first=5))]


@pytest.mark.parametrize("workers", [0, 1])
def test_images_are_decoded_beside_their_numbers(files, workers):
    @pipeline_def(batch_size=8, py_num_workers=workers, seed=1)
    def mine():
        jpeg, number = fn.readers.webdataset(paths=files, ext=["jpg", "id"], dtypes=[types.UINT8, types.INT32])
        return fn.decoders.image(jpeg), number

    with mine() as pipe:
        found, numbers = pipe.run()
    assert [found.at(k).shape for k in range(8)] == [(8, 8 + k, 3) for k in range(8)]
    assert numbers.as_array().tolist() == [[k, -k] for k in range(8)] and numbers.at(0).dtype == np.int32


def test_a_loader_reads_them(files):
    data = pickle.loads(pickle.dumps(WebDataset(files, {"image": "png;jpg", "label": "cls"})))
    assert data.source_info(6).startswith(f"{files[1]} at byte ") and data.bounds.tolist() == [0, 5, 8]
    assert data[6] == {"image": pillow_jpeg(8, 14), "label": b"6"}
    numbered = source.map(data, lambda sample: {"label": int(sample["label"])})
    with Loader(numbered, lambda batch, keys: batch["label"], batch_size=4, workers=0, epochs=1) as loader:
        assert [np.asarray(batch).tolist() for batch in loader] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    numbers = WebDataset(files, "id", dtypes=["int32"])[3]
    assert numbers["id"].tolist() == [3, -3]


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_archives_of_all_formats_hold_what_pythons_library_finds(tmp_path, form):
    contents = {"./x.jpg": b"1" * 700, "/abs/x.jpg": b"", "../up/x.jpg": b"3", "a/.hidden/x.y.jpg": b"4"}
    contents |= {"d": (tarfile.DIRTYPE, ""), "link.jpg": (tarfile.SYMTYPE, "../x.jpg"), "x": (tarfile.LNKTYPE, "d")}
    contents |= {f"{'p' * 90}/{'n' * 90}.jpg": b"5" * 512, "pipe": (tarfile.FIFOTYPE, "")}
    if form != tarfile.USTAR_FORMAT:
        contents |= {f"{LONG}.jpg": b"6", f"{LONG}.cls": b"7", "ü.jpg": b"8", f"l{LONG}": (tarfile.SYMTYPE, LONG)}
    path = write_tar(tmp_path / "a.tar", contents, form)
    with tarfile.open(path) as archive:
        expected = [(one.name, one.offset_data, one.size) for one in archive if one.isreg()]
    assert list(tar_members(str(path))) == expected
    names = {name for name, content in contents.items() if isinstance(content, bytes)}
    assert {one.name for sample in samples_in_tar(str(path)) for one in sample} == names


def test_what_pax_says_of_all_members_counts_for_each(tmp_path):
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT, pax_headers={"comment": "by git"}):
        pass
    head = path.read_bytes()[:1024]
    path.write_bytes(head + write_tar(tmp_path / "b.tar", {"x.jpg": b"12"}).read_bytes())
    assert list(tar_members(str(path))) == [("x.jpg", 1536, 2)]


def test_a_sample_are_files_in_a_row(tmp_path, caplog):
    contents = {"d/x.jpg": b"1", "d/x.cls": b"2", "x.jpg": b"3", ".x.cls": b"4", "y.JPG": b"5", "x.cls": b"6"}
    contents |= {"z.left.jpg": b"7", "z.jpeg": b"8", "z.jpg": b"9", "none": b"0"}
    path = write_tar(tmp_path / "a.tar", contents)

    def read(ext, **arguments):
        data = WebDataset(path, ext, **arguments)
        return [b"".join(value or b"" for value in data[k].values()) for k in range(len(data))]

    assert read("jpg") == [b"1", b"3", b"", b"", b"9", b""]
    assert read("jpg", case_sensitive_extensions=False) == [b"1", b"3", b"5", b"", b"9", b""]
    assert read("jpg", missing_component_behavior="skip") == [b"1", b"3", b"9"]
    assert read(["left.jpg", "jpg"], missing_component_behavior="skip") == [b"79"]
    assert not caplog.records
    assert read("jpg;jpeg", missing_component_behavior="skip") == [b"1", b"3", b"8"]
    assert "several files for one of ['jpg;jpeg']; the first counts" in caplog.text
    assert read("gif") == [b""] * 6 and "has 'gif'; they have files with 'jpg', 'cls'" in caplog.text
    with pytest.raises(ConfigError, match=r"sample at byte \d+ has no 'cls', only 'jpg'; missing_component_behavior"):
        read(["jpg", "cls"], missing_component_behavior="error")
    with pytest.raises(ConfigError, match="hold no sample with 'gif'; they have files with 'jpg'"):
        read("gif", missing_component_behavior="skip")


@pytest.mark.parametrize(
    ("names", "ext", "parted"),
    [
        ("a.jpg b.jpg a.cls b.cls", ["jpg", "cls"], ("a", 512, 2560)),
        ("a.cls a.jpg b.cls c.cls b.jpg", ["jpg", "cls"], ("b", 2560, 4608)),
        ("d/a.jpg e/a.cls a.txt a.jpg a.txt", ["jpg", "cls"], None),
        ("a.jpg b.jpg a.cls b.cls", ["jpg"], None),
        ("a.jpg a.cls b.jpg a.jpg", ["jpg", "cls"], None),  # nothing that the first one lacks
        ("a.jpg b.jpg a.cls b.cls", ["gif", "jpg", "cls"], ("a", 512, 2560)),
    ],
)
@pytest.mark.parametrize("missing", ["empty", "skip"])
@pytest.mark.parametrize("indexed", [False, True])
def test_files_of_a_sample_that_do_not_lie_together_are_told(tmp_path, caplog, names, ext, parted, missing, indexed):
    path = write_tar(tmp_path / "a.tar", {name: b"1" for name in names.split()})
    try:
        WebDataset(path, ext, index_of(path) if indexed else None, missing_component_behavior=missing)
    except ConfigError as error:
        assert missing == "skip" and "hold no sample with" in str(error)
    told = [one.getMessage() for one in caplog.records if "do not lie together" in one.getMessage()]
    assert bool(told) == (parted is not None)
    if parted:
        key, first, second = parted
        assert told[0].startswith(f"{path}: the files of {key!r} at byte {first} and at byte {second} do not lie")


LINKS = {"b.jpg": (tarfile.LNKTYPE, "a.jpg"), "latest": (tarfile.SYMTYPE, "a.jpg"), "c.jpg": (tarfile.SYMTYPE, "../c")}


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("native", [False, True])
def test_links_are_told(tmp_path, caplog, monkeypatch, form, long, native):
    if not native:
        monkeypatch.setattr(_host, "walk_tar", lambda _path, offset, _most: (b"", b"", offset))
    prefix = f"{'d' * 60}/{'e' * 60}/" if long else ""
    files = {"a.jpg": b"1", **LINKS, "d.jpg": b"2", "e.jpg": (tarfile.LNKTYPE, "d.jpg"), "f.jpg": b"3"}
    path = write_tar(tmp_path / "a.tar", {prefix + name: content for name, content in files.items()}, form)
    data = WebDataset(path, "jpg")
    assert [data[k]["jpg"] for k in range(len(data))] == [b"1", b"2", b"3"]
    expected = (
        f"{path}: 3 links are left out, such as '{prefix}b.jpg'; only files are read. To pack files in place of links"
    )
    assert [one.getMessage().startswith(expected) for one in caplog.records] == [True]


def index_of(path):
    text, _ = samples_text(samples_in_tar(str(path)), str(path))
    index = path.with_suffix(".idx")
    index.write_text(text)
    return index


def test_an_index_leads_to_what_the_archive_holds(files, tmp_path):
    indices = [index_of(path) for path in files]
    assert indices[0].read_text().startswith("v1.2 5\njpg 512 ")
    expected = WebDataset(files, ["jpg", "cls"]).digest()
    assert WebDataset(files, ["jpg", "cls"], indices).digest() == expected
    blank = write_tar(tmp_path / "c.tar", {"a b.jpg": b"1", "a b.cls": b"2"})
    assert index_of(blank).read_text() == "v1.1 1\njpg 512 1 cls 1536 1\n"
    assert WebDataset(blank, "cls", index_of(blank))[0] == {"cls": b"2"}
    with pytest.raises(ConfigError, match="has blanks in it, which no index can hold"):
        index_of(write_tar(tmp_path / "d.tar", {"a.j pg": b"1"}))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", r"i:1 is '', expected v1\.2"),
        ("v1.0 1\njpg 512 1\n", r"i:1 is 'v1\.0 1', expected v1\.2"),
        ("v1.2 0\n", "says that it has 0 samples"),
        ("v1.2 9999999\njpg 512 1 x\n", "says that it has 9999999 samples, but has 2 lines"),
        ("v1.2 1\njpg 512 1\n", "i:2 is 'jpg 512 1', expected EXTENSION OFFSET SIZE NAME of"),
        ("v1.1 1\njpg 512\n", "i:2 is 'jpg 512', expected EXTENSION OFFSET SIZE of"),
        ("v1.2 2\njpg 512 1 x\n\n", "i:3 is ''"),
        ("v1.2 1\njpg 513 1 x\n", "i:2: a file at byte 513, expected a multiple of 512"),
        ("v1.2 1\njpg -512 1 x\n", "i:2 is 'jpg -512 1 x'"),
        ("v1.2 1\njpg 512 99999999999999999999 x\n", "i:2 is 'jpg 512 9"),
    ],
)
def test_an_index_of_something_else_is_refused(tmp_path, text, words):
    with pytest.raises(ConfigError, match=words):
        list(samples_in_index(text.encode(), str(tmp_path / "i")))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda raw: raw[:520], r"at byte 0: the member says that it holds \d+ bytes, but 8 are left"),
        (lambda raw: raw[:300], "at byte 0: 300 bytes are left, expected the 512"),
        (lambda raw: raw[:9] + b"X" + raw[10:], "at byte 0: this is not the head of a member, or is damaged"),
        (lambda raw: b"\x1f\x8b" + raw[2:], "compressed archives must be unpacked"),
        (lambda raw: b"", "hold no sample with 'jpg'"),
        (lambda raw: bytes(1024), "hold no sample with 'jpg'"),
    ],
)
def test_a_damaged_archive_is_refused(files, change, words):
    files[0].write_bytes(change(files[0].read_bytes()))
    with pytest.raises(ConfigError, match=words):
        WebDataset(files[0], "jpg")


def head(name=b"x.jpg", size=b"00000000001\0", kind=b"0", prefix=b""):
    raw = bytearray(512)
    raw[: len(name)], raw[124 : 124 + len(size)], raw[156:157], raw[257:265] = name, size, kind, b"ustar\x0000"
    raw[345 : 345 + len(prefix)] = prefix
    raw[148:156] = b"%06o\0 " % (sum(raw) + 8 * 32)
    return bytes(raw)


BLOCK = b"1" + bytes(511)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (head(size=b"\x80" + bytes(3) + (1 << 62).to_bytes(8, "big")) + BLOCK, "holds 4611686018427387904 bytes"),
        (head(size=b"\xff" * 12) + BLOCK, "a number of f+, which is negative"),
        (head(size=b"12x4\0") + BLOCK, "expected octal digits"),
        (head(kind=b"S") + BLOCK, "type 'S', expected files, links and folders; sparse"),
        (head(kind=b"L", size=b"77777777\0\0\0\0") + bytes(1 << 24), r"of 16777215 bytes; expected at most 1048576"),
        (head(kind=b"x", size=b"00000000012\0") + b"99 path=x\n" + bytes(502), "expected LENGTH KEY=VALUE"),
        (head(kind=b"x", size=b"00000000012\0") + b"9 path=x\nx" + bytes(502), "begins with b'x', expected LENGTH"),
        (head(kind=b"x", size=b"00000000013\0") + b"11 size=-1\n" + bytes(501) + head() + BLOCK, "a size of '-1'"),
        (head(kind=b"x", size=b"00000000024\0") + b"20 GNU.sparse.x=abc\n" + bytes(492), "a sparse file"),
    ],
)
def test_what_lies_is_refused(tmp_path, raw, words):
    (tmp_path / "a.tar").write_bytes(raw)
    with pytest.raises(ConfigError, match=rf"a.tar at byte \d+: .*{words}"):
        list(tar_members(str(tmp_path / "a.tar")))


@given(st.data())
def test_any_archive_is_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.tar"
    form = data.draw(st.sampled_from([tarfile.GNU_FORMAT, tarfile.PAX_FORMAT]))
    raw = bytearray(write_tar(path, {f"{LONG}.jpg": b"12", "x.cls": b"3"}, form).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        block = data.draw(st.integers(0, 7)) * 512
        raw[block + data.draw(st.integers(0, 511))] = data.draw(st.integers(0, 255))
        if data.draw(st.booleans()):  # and fix the checksum
            spaced = raw[block : block + 148] + b" " * 8 + raw[block + 156 : block + 512]
            raw[block + 148 : block + 156] = b"%06o\0 " % sum(spaced)
    path.write_bytes(raw)
    try:
        for one in tar_members(str(path)):
            assert 0 < one.offset <= one.offset + one.size <= len(raw)
    except ConfigError as error:
        assert f"{path} at byte " in str(error)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"ext": []}, "expects at least one extension"),
        ({"ext": ".jpg"}, "extensions without their first dot"),
        ({"ext": "jpg", "index_paths": ["i", "j"]}, "2 index files for 1 archives"),
        ({"ext": ["jpg", "cls"], "dtypes": ["int8"]}, "a type for each of the 2 in ext"),
        (
            {"ext": "jpg", "dtypes": ["int32"]},
            r"at byte 512: a file of \d+ bytes for 'jpg', whose type in dtypes is int32",
        ),
        ({"ext": "jpg", "dtypes": ["U1"]}, "must be of integers"),
        ({"ext": "jpg", "missing_component_behavior": "ignore"}, "must be one of empty, skip, error"),
    ],
)
def test_arguments_that_do_not_go_together_are_errors(tmp_path, arguments, words):
    path = write_tar(tmp_path / "a.tar", {"x.jpg": b"1" * 18})
    with pytest.raises(ConfigError, match=words):
        WebDataset(path, **arguments)


def test_an_archive_that_became_another_is_an_error_of_its_sample(files, caplog):
    caplog.set_level(logging.ERROR)
    data = WebDataset(files, "jpg")
    with open(files[1], "r+b") as file:
        file.truncate(600)
    assert data[0]
    with pytest.raises(SourceDataError, match="has 600 bytes, but its index says that a record is at bytes"):
        _ = data[7]
    os.unlink(files[1])
    with pytest.raises(FileNotFoundError, match=r"b\.tar"):
        _ = WebDataset(files, "jpg")
