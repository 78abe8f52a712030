"""Parsers of bytes, lists and folders of others take time that grows with them, and go down without recursion."""

from __future__ import annotations

import functools
import itertools
import json
import logging
import os
import pathlib
import re
import struct
import types
import zlib

import numpy as np
import pytest
from growth import assert_linear
from lmdb_files import datum, lmdb_bytes, tensor, tensors
from sound_files import sound_bytes, tones

from jaxdali import ConfigError, SourceDataError, source
from jaxdali._base import formats
from jaxdali._base.formats.cut_off_files import ends_early
from jaxdali._base.formats.tiff import TiffDirectory
from jaxdali._dali.readers.listing import LabelledFiles
from jaxdali._feed._host import decode_image
from jaxdali._feed.records.caffe import parse_datum, parse_tensors
from jaxdali._feed.records.coco_annotations import Wanted, read_annotations
from jaxdali._feed.records.index_files import read_indices, read_text
from jaxdali._feed.records.lmdb_pages import index_lmdb
from jaxdali._feed.records.recordio_file import index_recordio, joined_parts, offsets_of
from jaxdali._feed.source import folder as folders
from jaxdali._feed.source.sounds import SoundReading


def png(count):
    """A PNG file with that many chunks of time, and no pixels."""
    chunk = struct.pack(">I", 0) + b"tIME" + struct.pack(">I", zlib.crc32(b"tIME"))
    first = b"IHDR" + struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + first + struct.pack(">I", zlib.crc32(first)) + chunk * count


def tiff(count):
    """A big TIFF file with one directory of that many entries."""
    entries = b"".join(struct.pack("<HHQQ", k & 0xFFFF, 4, 1, 0) for k in range(count))
    return b"II\x2b\0\x08\0\0\0" + struct.pack("<QQ", 16, count) + entries


def wave(count):
    """A WAV file with that many empty chunks before the samples."""
    plain = sound_bytes(tones(9)).tobytes()
    rest = b"WAVE" + b"LIST\0\0\0\0" * count + plain[12:]
    return np.frombuffer(b"RIFF" + struct.pack("<I", len(rest)) + rest, np.uint8)


def part(flag, data=b""):
    return struct.pack("<II", 0xCED7230A, flag << 29 | len(data)) + data


def annotations(count):
    box = {"category_id": 7, "bbox": [1, 1, 2, 3]}
    polygon, runs = [[0, 0, 4, 0, 4, 4]], {"size": [6, 8], "counts": "`1"}
    images = [{"id": k, "file_name": f"{k}.jpg", "height": 6, "width": 8} for k in range(count)]
    objects = [{**box, "image_id": k, "segmentation": runs if k % 2 else polygon} for k in range(count)]
    return json.dumps({"images": images, "annotations": objects, "categories": [{"id": 7}]})


def lines(count):
    return "".join(json.dumps({"audio_filepath": f"/{k}.wav", "duration": 1, "text": "a"}) + "\n" for k in range(count))


IN_MEMORY = {
    "PNG, chunks": (
        png,
        20_000,
        lambda content: (decode_image(np.frombuffer(content, np.uint8), 100, False), ends_early("png", content)),
    ),
    "TIFF, entries": (tiff, 5_000, lambda content: TiffDirectory(content).ends_early),
    "PNG, reason": (png, 20_000, formats.why_unsupported),
    "WAV, chunks": (wave, 10_000, SoundReading()),
    "Datum, fields": (lambda n: b"\x28\x03" * n, 5_000, parse_datum),
    "TensorProtos, tensors": (
        lambda n: tensors(*[tensor("int32", [1])] * (n + 7)),
        1_000,
        lambda content: parse_tensors(content, False, 2, 1, 6, False),
    ),
    "TensorProtos, numbers": (
        lambda n: tensors(tensor("int32", range(n))),
        2_000,
        lambda content: parse_tensors(content, False, 2, 1, 0, False),
    ),
    "RecordIO, parts": (lambda n: part(1) + part(2) * n + part(3), 10_000, joined_parts),
}


@pytest.mark.parametrize("name", IN_MEMORY)
def test_bytes(name):
    make, size, work = IN_MEMORY[name]
    assert_linear(make, work, size, name)


IN_FILES = {
    "COCO": (annotations, 500, lambda path: read_annotations(path, Wanted(masks="pixels"))),
    "COCO, one polygon": (
        lambda n: annotations(1).replace("[0, 0, 4", "[" + "0, 0, " * n + "0, 0, 4"),
        20_000,
        lambda path: read_annotations(path, Wanted(masks="polygons")),
    ),
    "COCO, one mask": (
        lambda n: annotations(2).replace("`1", "`1" + "00" * n),
        20_000,
        lambda path: read_annotations(path, Wanted(masks="pixels")),
    ),
    "COCO, lists in lists": (lambda n: "[" * n, 20_000, lambda path: read_annotations(path, Wanted())),
    "NeMo": (lines, 1_000, source.NemoASR),
    "NeMo, one line": (lambda n: lines(1) + "[" * n, 20_000, source.NemoASR),
    "index": (lambda n: "1 2\n" * n, 20_000, lambda path: [*read_indices([path])]),
    "index, wrong at the end": (lambda n: "1 2\n" * n + "x", 10_000, lambda path: [*read_indices([path])]),
    "index, one line": (lambda n: "1" * n, 200_000, lambda path: [*read_indices([path])]),
    "RecordIO's index": (lambda n: "1\t2\n" * n, 10_000, lambda path: offsets_of(read_text(path), path)),
    "RecordIO": (lambda n: part(1) + part(2) * n, 50_000, index_recordio),
    "LMDB": (lambda n: lmdb_bytes([datum(b"a", k) for k in range(n)]), 5_000, index_lmdb),
    "list of files": (lambda n: "a 1\n" * n, 5_000, lambda path: LabelledFiles.from_list(path, "/")),
    "list of files, one line": (
        lambda n: "a 1 " * n + "1" * n + " " * n + "x",
        20_000,
        lambda path: LabelledFiles.from_list(path, "/"),
    ),
}


@pytest.mark.parametrize("name", IN_FILES)
def test_files(name, tmp_path, caplog):
    make, size, work = IN_FILES[name]

    def opened(content):
        path = tmp_path / "hostile"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        try:
            work(str(path))
        except ConfigError as error:
            assert str(path) in str(error)

    caplog.set_level(logging.CRITICAL, "jaxdali")
    assert_linear(make, opened, size, name)


def test_a_pattern_of_two_parts_knows_what_one_with_all_parts_did():
    once = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml\b.*?)?(?:<!.*?)*<svg\b", re.DOTALL)
    parts = (b"<svg", b"<!", b"<?xml", b" ", b"a", b">", b"\xef\xbb\xbf")
    for words in itertools.product(parts, repeat=5):
        head = b"".join(words)
        assert (formats.recognise(head) == "svg") == bool(once.match(head)), head


@pytest.fixture
def deep(tmp_path):
    """A folder with 1200 others within each other, which are removed again: Python's own functions go down by recursion."""
    levels, here = 1200, os.getcwd()
    os.chdir(tmp_path)
    try:
        for _ in range(levels):
            os.mkdir("a")
            os.chdir("a")
        pathlib.Path("1.jpg").touch()
        yield tmp_path
        os.unlink("1.jpg")
        for _ in range(levels):
            os.chdir("..")
            os.rmdir("a")
    finally:
        os.chdir(here)


def test_folders_within_folders_may_be_as_deep_as_the_system_lets_them_be(deep):
    (deep / "b").mkdir()
    (deep / "b" / "2.jpg").touch()
    data = source.ImageFolder(deep)
    assert data.labels.tolist() == [0, 1] and data.paths[0].count("/a") >= 1200


def test_a_server_that_lists_a_folder_within_itself_is_told(monkeypatch):
    asked = []

    def listing(urls, wide=1):
        asked.extend(urls)
        return [types.SimpleNamespace(files=["1.jpg"], folders=["a", "b", "a"][:wide]) for _ in urls]

    monkeypatch.setattr(folders, "_MOST_FOLDERS", 3000)
    for wide in (1, 3):
        asked.clear()
        monkeypatch.setattr(folders, "list_folders", functools.partial(listing, wide=wide))
        with pytest.raises(ConfigError, match=r"http://x/a/.*Does the server list a folder within itself\?"):
            list(folders.remote_images(["http://x"], (".jpg",)))
        assert len(asked) <= 3000
    monkeypatch.setattr(folders, "_DEEPEST", 3)
    tree = {
        "http://x": (["b", "a"], ["0.jpg"]),
        "http://x/a": (["c"], ["1.jpg"]),
        "http://x/b": ([], ["2.jpg", ".3.jpg"]),
    }
    tree["http://x/a/c"] = ([], ["4.jpg", "5.txt"])

    def listed(urls):
        return [types.SimpleNamespace(folders=tree[one][0], files=tree[one][1]) for one in urls]

    monkeypatch.setattr(folders, "list_folders", listed)
    expected = ["http://x/0.jpg", "http://x/b/2.jpg", "http://x/a/1.jpg", "http://x/a/c/4.jpg"]
    assert [*map(list, folders.remote_images(["http://x"], (".jpg",)))] == [expected]
    below = [["http://x/b/2.jpg"], expected[2:]]
    assert [*map(list, folders.remote_images(["http://x/b", "http://x/a"], (".jpg",)))] == below


def test_what_ffmpeg_and_its_python_raise_is_of_the_video(monkeypatch):
    import av
    from video_files import video_bytes

    from jaxdali._feed.records.frame_pixels import FramePixels
    from jaxdali._feed.records.video_file import Video

    file = video_bytes(3, 16, 16).tobytes()
    for error in (
        RuntimeError(),
        UnicodeDecodeError("utf-8", b"a", 0, 1, "b"),
        MemoryError(),
        av.error.OSError(5, "x"),
        KeyError(1),
    ):

        def raising(*_, error=error, **__):
            raise error

        with (
            monkeypatch.context() as patched,
            pytest.raises(SourceDataError, match="is not a video that can be read: "),
        ):
            patched.setattr(av, "open", raising)
            Video(file)
        with (
            monkeypatch.context() as patched,
            pytest.raises(SourceDataError, match="frame 1 cannot be decoded: "),
            Video(file) as one,
        ):
            patched.setattr(FramePixels, "write", raising)
            one.read([1])
