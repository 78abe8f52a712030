"""What libraries and parsers raise about damaged files is an error of the data that names them, whatever its type."""

from __future__ import annotations

import io
import json
import random
import signal
import struct

import numpy as np
import pytest
from growth import assert_linear
from lmdb_files import datum, lmdb_bytes
from sound_files import sound_bytes, tones

import jaxdali
from jaxdali import ConfigError, SourceDataError, source
from jaxdali._feed.records.coco_annotations import Wanted, read_annotations
from jaxdali._feed.records.coco_files import read_preprocessed, write_preprocessed
from jaxdali._feed.records.foreign import data_errors, said
from jaxdali._feed.records.npy import read_npy
from jaxdali._feed.records.tar import tar_members
from jaxdali._feed.source import sounds
from jaxdali._feed.source.sounds import SoundReading
from jaxdali.errors import BackendUnavailable

RAISED = [
    ValueError("words"),
    RuntimeError(),
    RecursionError("deep"),
    IndexError("list index"),
    MemoryError(),
    KeyError("x"),
]
RAISED += [
    struct.error("s"),
    EOFError(),
    UnicodeDecodeError("utf-8", b"a", 0, 1, "bad"),
    OverflowError(),
    OSError("corrupt"),
]
RAISED += [AssertionError(), AttributeError("a"), SyntaxWarning("w"), StopIteration(), ZeroDivisionError()]


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
def test_any_error_is_one_of_the_data_that_says_where_and_what(error):
    with pytest.raises(SourceDataError, match=r"^a.bin, frame 3: \S.*") as raised:
        with data_errors(lambda: "a.bin, frame 3"):
            raise error
    assert raised.value.__cause__ is None and said(error) in str(raised.value)
    assert str(error) in str(raised.value) or isinstance(error, MemoryError | RecursionError)


def test_what_is_not_about_the_data_passes():
    class Own(OSError):
        pass

    for error, passing in (
        (BackendUnavailable("b"), ()),
        (ConfigError("c"), ()),
        (KeyboardInterrupt(), ()),
        (OSError(5), (OSError,)),
    ):
        with pytest.raises(type(error)) as raised, data_errors("a.bin", *passing):
            raise error
        assert raised.value is error
    with pytest.raises(SourceDataError, match="bin: no"), data_errors("a.bin", OSError, own=Own):
        raise Own("no")

    def late(*_):
        raise TimeoutError("the user's")

    before = signal.signal(signal.SIGALRM, late)
    try:
        with pytest.raises(TimeoutError, match="the user's"), data_errors("a.bin"):
            signal.raise_signal(signal.SIGALRM)
    finally:
        signal.signal(signal.SIGALRM, before)


def damaged(content, chance):
    """A copy with some bytes changed, taken out or put in, or another size in a field of four bytes."""
    found = bytearray(content)
    for _ in range(chance.choice((1, 1, 3))):
        place, how = chance.randrange(max(len(found), 1)), chance.randrange(5)
        if how == 0:
            found[place : place + 1] = bytes([chance.randrange(256)])
        elif how == 1:
            del found[place : place + chance.randrange(1, 9)]
        elif how == 2:
            found[place:place] = chance.randbytes(chance.randrange(1, 9))
        elif how == 3:
            found[place : place + 4] = struct.pack(
                "<I", chance.choice((0, 1, 1 << 20, 1 << 30, (1 << 31) - 1, (1 << 32) - 1))
            )
        else:
            del found[place:]
    return bytes(found)


def with_chunk(wave, size):
    """A WAV file with a chunk before the samples that says it has `size` bytes, and has 10."""
    return wave[:12] + b"LIST" + struct.pack("<I", size) + b"x" * 10 + wave[12:]


def record(flag, data):
    return struct.pack("<II", 0xCED7230A, flag << 29 | len(data)) + data + bytes(-len(data) % 4)


def saved(array):
    np.save(stream := io.BytesIO(), array)
    return stream.getvalue()


def head(kind, body=b"", name=b"a"):
    """The head of a member of an archive, and what follows."""
    found = bytearray(512)
    found[: len(name)], found[124:136], found[156], found[257:263] = name, b"%011o\0" % len(body), kind[0], b"ustar\0"
    found[148:156] = b" " * 8
    found[148:156] = b"%06o\0 " % sum(found)
    return bytes(found) + body + bytes(-len(body) % 512)


def reading(kind, folder):
    """Returns whole files of a kind, and a function that reads such bytes."""
    path = folder / f"damaged.{kind}"

    def of_file(read):
        return lambda content: (path.write_bytes(content), read(str(path)))

    def all_of(make):
        return of_file(lambda name: (lambda data: [data[k] for k in range(min(len(data), 40))])(make(name)))

    image = struct.pack("<IfQQ", 2, 3.0, 1, 0) + struct.pack("<ff", 1, 2) + b"jpeg"
    names = [
        head(b"L", b"long\0") + head(b"0", b"hi"),
        head(b"x", b"17 path=long.txt\n") + head(b"0", b"hi") + bytes(1024),
    ]
    return {
        "wav": (
            [with_chunk(sound_bytes(tones(90)).tobytes(), 10)],
            lambda content: SoundReading(True, "int16")(as_array(content)),
        ),
        "flac": (
            [sound_bytes(tones(900), 8000, "FLAC").tobytes()],
            lambda content: SoundReading(sample_rate=9000)(as_array(content)),
        ),
        "ogg": ([sound_bytes(tones(900), 8000, "OGG").tobytes()], lambda content: SoundReading()(as_array(content))),
        "npy": ([saved(np.ones((2, 3), ">i2")), saved(np.bool_(1))], of_file(read_npy)),
        "mdb": ([lmdb_bytes([datum(b"abc" * (1 + 900 * (k == 7)), k) for k in range(50)])], all_of(source.Caffe)),
        "rec": (
            [record(0, image) + record(1, image[:8]) + record(2, image[8:12]) + record(3, image[12:])],
            all_of(source.RecordIO),
        ),
        "tar": (names, of_file(lambda name: [*tar_members(name)])),
    }[kind]


def as_array(content):
    return np.frombuffer(content, np.uint8)


@pytest.mark.parametrize("kind", ["wav", "flac", "ogg", "npy", "mdb", "rec", "tar"])
def test_damaged_files_are_read_or_are_errors_in_words(kind, tmp_path):
    files, read = reading(kind, tmp_path)
    chance, refused = random.Random(kind), 0
    for file in files:
        read(file)
    for _ in range(250):
        try:
            read(damaged(chance.choice(files), chance))
        except (ConfigError, SourceDataError) as error:
            assert str(error)
            refused += 1
    assert refused > 20


def test_a_damaged_sound_is_an_error_that_names_it_and_the_rest_of_the_epoch_comes(tmp_path):
    paths = [tmp_path / f"{k}.wav" for k in range(8)]
    for k, path in enumerate(paths):
        path.write_bytes(sound_bytes(tones(80 + k), 8000).tobytes())
    paths[5].write_bytes(with_chunk(paths[5].read_bytes(), 1 << 30))
    (manifest := tmp_path / "m.json").write_text(
        "".join(json.dumps({"audio_filepath": str(path)}) + "\n" for path in paths)
    )
    data = source.NemoASR(manifest, values=["audio"])
    with pytest.raises(SourceDataError, match=r"5\.wav: \d+ bytes are not a sound that libsndfile reads .*: \S"):
        data[5]
    with jaxdali.Loader(data, batch_size=1, epochs=1, workers=0, ragged={"audio": 90}) as loader:
        steps, failed = [], []
        for _ in range(8):
            try:
                steps.append(loader.enumerate().__next__()[0])
            except SourceDataError as error:
                failed.append(str(error))
    assert steps == [0, 1, 2, 3, 4, 6, 7] and len(failed) == 1 and "5.wav" in failed[0]


@pytest.mark.parametrize("field", range(4, 44, 4))
@pytest.mark.parametrize("size", [0, 1, 9, 1 << 30, (1 << 31) - 1, (1 << 32) - 1])
def test_a_sound_with_any_number_in_its_header_is_read_or_refused(field, size):
    file = bytearray(with_chunk(sound_bytes(tones(50)).tobytes(), 10))
    file[field : field + 4] = struct.pack("<I", size)
    try:
        SoundReading(sample_rate=48_000)(as_array(bytes(file)))
    except SourceDataError as error:
        assert str(error)


def test_a_sound_of_few_bytes_does_not_become_any_number_of_values(monkeypatch):
    silence = sound_bytes(np.zeros((200_000, 2), np.float32), 8000, "FLAC")
    monkeypatch.setattr(sounds, "_MOST_VALUES", 100_000)
    monkeypatch.setattr(sounds, "_MOST_PER_BYTE", 1)
    monkeypatch.setattr(sounds, "_FRAMES", 1 << 14)
    with pytest.raises(SourceDataError, match=r"more than 100000 values .*read it in parts"):
        SoundReading()(silence)
    assert SoundReading().part(silence, 1.0, 2.0)[0].shape == (16_000, 2)
    slow = bytearray(sound_bytes(tones(900), 8000, "WAV").tobytes())
    slow[24:28] = struct.pack("<I", 1)
    with pytest.raises(SourceDataError, match="more than 100000 values"):
        SoundReading(sample_rate=48_000)(as_array(bytes(slow)))
    with pytest.raises(SourceDataError, match="its rate may be wrong"):
        sounds.resample(np.zeros(1000, np.float32), 1, 1e9)


def test_floats_of_a_sound_may_be_any(recwarn):
    wave = np.array([np.nan, np.inf, -np.inf, 3e38], np.float32)
    SoundReading(True, "int16", sample_rate=9000)(sound_bytes(np.stack([wave, wave], 1), 8000, "WAV", "FLOAT"))
    assert not recwarn.list


HEADERS = [
    "()",
    "{'descr': (), 'fortran_order': False, 'shape': (1,)}",
    "{'descr': [()], 'fortran_order': False, 'shape': ()}",
]
HEADERS += [
    f"{{'descr': {one}, 'fortran_order': False, 'shape': (1,)}}"
    for one in ("'<f99999999999999999999'", "'('", "{}", "[[]]", "'O'")
]
HEADERS += [
    f"{{'descr': '<i4', 'fortran_order': False, 'shape': {one}}}"
    for one in ("(-1,)", "(1.0,)", "(True,)", "(" + "9" * 5000 + ",)", "[1]")
]
HEADERS += [
    "(" * 4000,
    "-" * 4000 + "1",
    "+".join("1" * 2000),
    "'\\d'",
    "[" * 80 + "]" * 80,
    "{1: 2, 1: 3}",
    "\0",
    "é" * 10,
]


@pytest.mark.parametrize("text", HEADERS, ids=range(len(HEADERS)))
def test_headers_of_arrays_may_be_any_text(text):
    encoded = text.encode("latin-1")
    with pytest.raises(SourceDataError, match=r"^a\.npy "):
        read_npy("a.npy", None, None, b"\x93NUMPY\1\0" + struct.pack("<H", len(encoded)) + encoded + bytes(16))


NAMES = {"id": 1, "file_name": "a.jpg", "height": 6, "width": 8}
POLYGON = {"id": 1, "image_id": 1, "category_id": 7, "bbox": [1, 1, 2, 3], "segmentation": [[0, 0, 4, 0, 4, 4]]}
RUNS = {**POLYGON, "segmentation": {"size": [6, 8], "counts": [10, 20, 18]}}
ODD = [
    None,
    True,
    -1,
    10**30,
    int("9" * 4000),
    1e308,
    float("nan"),
    "",
    "a\0",
    "\ud800",
    [],
    {},
    [[[]]],
    [1],
    ["a"],
    [10**400] * 4,
]


@pytest.mark.parametrize("masks", ["polygons", "pixels"])
def test_annotations_may_hold_any_value(masks, tmp_path):
    refused = 0
    for annotation in (POLYGON, RUNS):
        whole = {"images": [NAMES], "annotations": [annotation], "categories": [{"id": 7}]}
        places = [(name, 0, key) for name, rows in whole.items() for key in rows[0]] + [(name,) for name in whole]
        places += [
            ("annotations", 0, "bbox", 2),
            ("annotations", 0, "segmentation", 0),
            ("annotations", 0, "segmentation", 0, 1),
        ]
        places += [("annotations", 0, "segmentation", "size", 0), ("annotations", 0, "segmentation", "counts", 1)]
        for place in places:
            for odd in ODD:
                changed = json.loads(json.dumps(whole))
                at = changed
                try:
                    for key in place[:-1]:
                        at = at[key]
                    at[place[-1]] = odd
                except (KeyError, TypeError):
                    continue
                (path := tmp_path / "a.json").write_text(json.dumps(changed))
                try:
                    data = source.COCO(tmp_path, path, masks, True)
                    assert data.digest() and data.source_info(0) and data.row(0)
                except (ConfigError, SourceDataError) as error:
                    assert len(str(error)) < 2000
                    refused += 1
    assert refused > 300


def test_preprocessed_annotations_may_be_damaged(tmp_path):
    whole = {"images": [NAMES], "annotations": [POLYGON, RUNS], "categories": [{"id": 7}]}
    (tmp_path / "a.json").write_text(json.dumps(whole))
    table, refused = read_annotations(str(tmp_path / "a.json"), Wanted(masks="pixels")), 0
    (folder := tmp_path / "saved").mkdir()
    write_preprocessed(table, str(folder), True, True, True)
    files, chance = {path: path.read_bytes() for path in sorted(folder.iterdir())}, random.Random(0)
    for path, content in files.items():
        words = [content[:4] + struct.pack("<i", odd) + content[8:] for odd in (-1, 1, 2, 1 << 20, (1 << 31) - 1)]
        for changed in [*words, *(damaged(content, chance) for _ in range(8))]:
            path.write_bytes(changed)
            for masks in ("polygons", "pixels"):
                try:
                    found = read_preprocessed(str(folder), True, masks == "polygons", masks == "pixels")
                    source.COCO(tmp_path, found, masks, True).row(0)
                except (ConfigError, SourceDataError):
                    refused += 1
        path.write_bytes(content)
    assert refused > 100


def test_the_heads_of_an_archive_take_time_that_grows_with_them(tmp_path):
    def work(content):
        (path := tmp_path / "a.tar").write_bytes(content)
        try:
            assert [one.name for one in tar_members(str(path))] in ([], ["a"])
        except ConfigError as error:
            assert "cut off" in str(error)

    for kind, body in ((b"K", b"link"), (b"x", b"13 comment=a\n"), (b"L", b"name\0"), (b"g", b"13 comment=a\n")):
        assert_linear(lambda n, kind=kind, body=body: head(kind, body) * n, work, 300, f"heads of {kind}")
    assert_linear(lambda n: head(b"x", b"6 a=b\n" * n) + head(b"0", b"hi"), work, 40_000, "lines of a PAX header")
