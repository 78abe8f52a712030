"""The header parser and the decoder behind it read any bytes safely and correctly."""

import functools
import io
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jpeg_files import (
    pillow_jpeg,
    pillow_pixels,
    random_jpeg,
    segment,
    start_of_frame,
    with_segments,
)
from PIL import Image, ImageOps

from jaxdali import Pipeline, fn
from jaxdali._base.batch import ALIGNMENT, DEFAULT_MAX_IMAGE_PIXELS, Codec, Row, Status
from jaxdali._device.ffi import load
from jaxdali._feed import _host
from jaxdali._feed.ring.feed_options import STRIDE
from jaxdali._feed.ring.slot_reader import RECORD
from jaxdali._run.executor import column_rows, device_stage
from jaxdali.image import EncodedBatch, decode


def stored(files, flags=_host.RECORD_SEEN, noted=False):
    """Stores files in a ring; returns its data, and the records as the ring reads them: uint8[N, RECORD_SIZE]."""
    ring = _host.Ring.create(1, 1, 1, len(files), 0, STRIDE)
    slot = ring.take_free()
    ring.publish(slot, 1, 0, 0, 0, len(files), [(True, None)])
    _, _, chunk, ticket, *_ = _host.Claimant([ring], 1).next(0.0)
    for row, file in enumerate(files):
        ring.write_output(slot, row, 0, np.frombuffer(file, np.uint8), flags)
    if noted:
        ring.note_headers(slot, 0, len(files))
    ring.finish(slot, chunk, ticket, 1, _host.WORD_STATES.index("done"))
    ring.show(slot, ring.used(slot))
    *_, records = ring.read(slot, ring.capacities()[slot])
    return np.array(memoryview(ring.lease(slot))), np.frombuffer(records, RECORD).copy()


def describe(data, records, max_image_pixels=DEFAULT_MAX_IMAGE_PIXELS, as_stored=False):
    rows, sizes = np.zeros((len(records), 8), np.int32), np.zeros((len(records), 3), np.int32)
    lines = records.view(np.uint8).reshape(len(records), -1)
    _host.describe_files(data, lines, max_image_pixels, as_stored, rows, sizes)
    return rows, sizes


def probe(file, max_image_pixels=DEFAULT_MAX_IMAGE_PIXELS):
    rows, sizes = load.cpu_module().probe_rows(
        np.frombuffer(file, np.uint8),
        np.zeros(1, np.uint64),
        np.array([len(file)], np.uint64),
        max_image_pixels,
    )
    assert (rows.dtype, rows.shape, sizes.dtype, sizes.shape) == (
        np.int32,
        (1, 8),
        np.int32,
        (1, 3),
    )
    # A slot's rows say the same, by the file, or without it by what a worker noted of it.
    for noted in (False, True):
        data, records = stored([file], noted=noted)
        assert bool(records["dims"][0, 1]) == noted
        again = describe(np.zeros_like(data) if noted else data, records, max_image_pixels)
        assert [part.tolist() for part in again] == [rows.tolist(), sizes.tolist()]
    return rows[0], tuple(sizes[0].tolist())


@pytest.mark.parametrize(
    ("file", "components"),
    [
        (pillow_jpeg(33, 70), 3),
        (pillow_jpeg(33, 70, mode="L"), 1),
        (pillow_jpeg(33, 70, mode="CMYK"), 4),
        (pillow_jpeg(33, 70, progressive=True), 3),
        (random_jpeg(33, 70, [(4, 1), (1, 1), (1, 1)], restart_interval=1), 3),
        (with_segments(pillow_jpeg(33, 70), segment(0xFE, b"\xff\xd9\xff\xda comment")), 3),
        (with_segments(pillow_jpeg(33, 70), segment(0xFE, b"x"), b"junk", b"\xff" * 9), 3),
        (with_segments(pillow_jpeg(33, 70), segment(0xE1, b"")), 3),
    ],
)
def test_headers(file, components):
    row, size = probe(file)
    assert row.tolist() == [0, len(file), 33, 70, components, Codec.JPEG, 1, Status.OK]
    assert size == (33, 70, 3)


def exif(*entries, order="<", start=8, prefix=b"Exif\0\0", data=b"", mark=None):
    """Makes an APP1 segment with one directory of (tag, type, count, value) entries."""
    mark = mark or {"<": b"II\x2a\0", ">": b"MM\0\x2a"}[order]
    body = mark + struct.pack(order + "I", start) + bytes(start - 8)
    body += struct.pack(order + "H", len(entries))
    for tag, kind, count, value in entries:
        body += struct.pack(order + "HHI", tag, kind, count)
        body += struct.pack(order + {3: "Hxx"}.get(kind, "I"), value)
    return segment(0xE1, prefix + body + bytes(4) + data)


def xmp(text):
    return segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + text)


TAG = 0x0112
METADATA = {
    "little": [exif((TAG, 3, 1, 6))],
    "big": [exif((TAG, 3, 1, 6), order=">")],
    "marked the wrong way": [exif((TAG, 3, 1, 6), order=">", mark=b"MM\x2a\0")],
    "no mark": [exif((TAG, 3, 1, 6), mark=b"XX\x2a\0")],
    "long": [exif((TAG, 4, 1, 8))],
    "byte": [exif((TAG, 1, 1, 8))],
    "not a number": [exif((TAG, 2, 1, 8))],
    "later directory": [exif((TAG, 3, 1, 3), start=50)],
    "directory outside": [exif((TAG, 3, 1, 3)).replace(b"\x08\0\0\0", b"\xff\xff\0\0")],
    "value 0": [exif((TAG, 3, 1, 0))],
    "value 9": [exif((TAG, 3, 1, 9))],
    "count 0": [exif((TAG, 3, 0, 6))],
    "unknown type": [exif((TAG, 99, 1, 6))],
    "after an unknown type": [exif((1, 99, 1, 6), (TAG, 3, 1, 5))],
    "after a string": [exif((0x10E, 2, 9, 38), (TAG, 3, 1, 5), data=b"abcdefgh\0")],
    "after a string outside": [exif((0x10E, 2, 9, 60000), (TAG, 3, 1, 5))],
    "after a string too long": [exif((0x10E, 2, 60000, 38), (TAG, 3, 1, 5))],
    "twice": [exif((TAG, 3, 1, 7), (TAG, 3, 1, 2))],
    "prefix twice": [exif((TAG, 3, 1, 7), prefix=b"Exif\0\0Exif\0\0")],
    "two segments": [exif((TAG, 3, 1, 7)), exif((TAG, 3, 1, 2))],
    "xmp": [xmp(b'<x tiff:Orientation="6"/>')],
    "xmp element": [xmp(b"<tiff:Orientation>8</tiff:Orientation>")],
    "xmp odd": [xmp(b"tiff:Orientation tiff:Orientation=\"x tiff:Orientation='3' tiff:Orient")],
    "xmp second": [xmp(b'tiff:Orientation="" tiff:Orientation="4"')],
    "xmp 0": [xmp(b'tiff:Orientation="0"')],
    "last xmp": [xmp(b'tiff:Orientation="4"'), xmp(b'tiff:Orientation="2"')],
    "exif before xmp": [xmp(b'tiff:Orientation="6"'), exif((TAG, 3, 1, 3))],
    "exif without it before xmp": [exif((0x0100, 3, 1, 3)), xmp(b'tiff:Orientation="6"')],
    "directory cut": [segment(0xE1, exif((TAG, 3, 1, 3))[4:-8])],
    "invalid exif before xmp": [exif((TAG, 3, 1, 0)), xmp(b'tiff:Orientation="6"')],
    "another application": [segment(0xE1, b"Other\0II\x2a\0\x08\0\0\0")],
}


@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
@pytest.mark.parametrize("segments", METADATA.values(), ids=METADATA)
@pytest.mark.parametrize("place", ["first", "before the scan"])
def test_orientation_is_what_pillow_applies(segments, place):
    file = pillow_jpeg(16, 24)
    at = 2 if place == "first" else file.index(b"\xff\xda")
    file = file[:at] + b"".join(segments) + file[at:]
    with Image.open(io.BytesIO(file)) as image:
        try:
            upright = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
        except SyntaxError:  # Pillow refuses an Exif block without a TIFF mark
            upright = np.asarray(image.convert("RGB"))
    row, size = probe(file)
    assert size == upright.shape
    batch = EncodedBatch.from_encoded([file])
    np.testing.assert_array_equal(decode(batch)[0], upright)
    turned = {5, 6, 7, 8}
    assert (row[Row.ORIENTATION] in turned) == (upright.shape == (24, 16, 3))


def edited(file, at, replacement):
    return file[:at] + replacement + file[at + len(replacement) :]


GOOD = pillow_jpeg(33, 70)
SOF = start_of_frame(GOOD)


@pytest.mark.parametrize(
    ("file", "status"),
    [
        (b"\xff\xd8", Status.CORRUPT),
        (b"\xff\xd8\xff", Status.TRUNCATED),
        (b"\xff\xd8\x00\xff\xe0", Status.CORRUPT),
        (b"\xff\xd8\xff\xd9", Status.TRUNCATED),
        (GOOD[: SOF + 19], Status.TRUNCATED),
        (GOOD[: SOF + 7], Status.TRUNCATED),
        (edited(GOOD, SOF + 2, b"\xff\xff"), Status.TRUNCATED),
        (edited(GOOD, SOF + 2, b"\x00\x05"), Status.CORRUPT),
        (edited(GOOD, SOF + 9, b"\x09"), Status.CORRUPT),
        (edited(GOOD, SOF + 7, b"\0\0"), Status.CORRUPT),
        (edited(GOOD, SOF + 5, b"\0\0"), Status.UNSUPPORTED),
        (edited(GOOD, SOF + 4, b"\x0c"), Status.UNSUPPORTED),
        (edited(GOOD, SOF + 1, b"\xc3"), Status.UNSUPPORTED),
        (edited(GOOD, SOF + 1, b"\xc5"), Status.UNSUPPORTED),
        (edited(GOOD, SOF + 1, b"\xcb"), Status.UNSUPPORTED),
        (edited(GOOD, SOF + 1, b"\xc9"), Status.OK),  # arithmetic coding: left to the decoder
        (edited(GOOD, SOF + 1, b"\x05"), Status.CORRUPT),
        (GOOD[:2] + GOOD[GOOD.index(b"\xff\xda") :], Status.CORRUPT),
    ],
)
def test_statuses_of_headers(file, status):
    row, size = probe(file)
    assert row[Row.STATUS] == status
    assert size == ((33, 70, 3) if status == Status.OK else (0, 0, 0))


def test_the_number_of_pixels_is_judged_from_the_header():
    assert probe(GOOD, 33 * 70)[0][Row.STATUS] == Status.OK
    row, size = probe(GOOD, 33 * 70 - 1)
    assert row[Row.HEIGHT : Row.COMPONENTS].tolist() == [33, 70]
    assert (row[Row.STATUS], size) == (Status.TOO_LARGE, (0, 0, 0))
    claim = edited(GOOD, SOF + 5, b"\xff\xff\xff\xff")
    assert probe(claim, 65535 * 65535)[0][Row.STATUS] == Status.OK
    assert probe(claim)[0][Row.STATUS] == Status.TOO_LARGE


@pytest.mark.parametrize(
    ("offset", "size", "message"),
    [
        (1, 10, "multiple of 64"),
        (64 * 2**31, 0, r"at most 64 \* \(2\*\*31 - 1\)"),
        (192, 1, "do not lie within a buffer of 128"),
        (64, 65, "do not lie within"),
        (64, 2**64 - 1, "do not lie within"),
        (64 * (2**31 - 1), 2**64 - 64, "do not lie within"),
    ],
)
def test_ranges_are_checked_before_anything_is_read(offset, size, message):
    buffer = np.zeros(128, np.uint8)
    offsets, sizes = np.array([0, offset], np.uint64), np.array([1, size], np.uint64)
    with pytest.raises(ValueError, match=f"image 1: .*{message}"):
        load.cpu_module().probe_rows(buffer, offsets, sizes, 1)
    with pytest.raises(ValueError, match="got 2 offsets and 1 sizes"):
        load.cpu_module().probe_rows(buffer, offsets, sizes[:1], 1)


def test_rows_of_a_buffer():
    files = [GOOD, pillow_jpeg(8, 9, orientation=6), b""]
    starts = [0, 4 * ALIGNMENT * 100, 128 * ALIGNMENT]
    buffer = np.zeros(1 << 17, np.uint8)
    for file, start in zip(files, starts, strict=True):
        buffer[start : start + len(file)] = np.frombuffer(file, np.uint8)
    lengths = np.array([len(file) for file in files], np.uint64)
    rows, sizes = load.cpu_module().probe_rows(buffer, np.array(starts, np.uint64), lengths, 10**6)
    assert rows[:, Row.OFFSET].tolist() == [start // ALIGNMENT for start in starts]
    assert rows[:, Row.SIZE].tolist() == [len(file) for file in files]
    assert rows[:, Row.STATUS].tolist() == [Status.OK, Status.OK, Status.CORRUPT]
    assert rows[1].tolist()[2:7] == [8, 9, 3, Codec.JPEG, 6]
    assert sizes.tolist() == [[33, 70, 3], [9, 8, 3], [0, 0, 0]]


@given(st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(0, 2**56 - 1).map(lambda rest: rest | 1 << 62)))
def test_a_word_that_holds_no_header_is_not_believed(word):
    data, records = stored([GOOD])
    (own,), _ = describe(data, records)
    records["dims"][0, 1] = word
    (row,), _ = describe(data, records)
    if (row != own).any():
        assert row[Row.STATUS] in list(Status) and 1 <= row[Row.ORIENTATION] <= 8
        if row[Row.STATUS] == Status.OK:
            assert row[Row.COMPONENTS] in (1, 3, 4) and row[Row.HEIGHT] > 0 and row[Row.WIDTH] > 0


def test_rows_of_what_is_known_of_files_already():
    files = [GOOD, b"x" * 30]
    for status in Status:
        data, records = stored(files, _host.RECORD_SEEN | status << _host.STATUS_SHIFT, noted=True)
        rows, sizes = describe(data, records)
        if status != Status.OK:
            assert rows[:, Row.STATUS].tolist() == [status] * 2 and not sizes.any() and not records["dims"][:, 1].any()
            assert (rows[:, Row.OFFSET] < 0).all() == (status == Status.MISSING)
    data, records = stored([pillow_jpeg(8, 9, orientation=6)], noted=True)
    rows, sizes = describe(data, records, as_stored=True)
    assert rows[0, Row.ORIENTATION] == 1 and sizes.tolist() == [[8, 9, 3]]
    records["flags"], records["ndim"] = _host.RECORD_DECODED, 3
    for height, width, status in ((8, 9, Status.OK), (0, 2**32 + 5, Status.TOO_LARGE), (2**31, 0, Status.TOO_LARGE)):
        records["dims"][0, :3] = height, width, 3  # pixels
        rows, sizes = describe(data, records)
        assert rows[0, Row.STATUS] == status and sizes.tolist() == [[8, 9, 3] if status == Status.OK else [0, 0, 0]]
    with pytest.raises(ValueError, match="does not lie in its slot"):
        describe(data[: records["offset"][0] + records["size_bytes"][0] - 1], records)
    with pytest.raises(ValueError, match="expected as many rows and sizes as records"):
        _host.describe_files(data, records.view(np.uint8).reshape(1, -1), 1, False, rows, sizes[:0])


def test_whoever_writes_files_notes_their_headers(tmp_path, monkeypatch):
    files = [pillow_jpeg(20 + number, 30) for number in range(6)]
    for number, file in enumerate(files):
        (tmp_path / f"{number}.jpg").write_bytes(file)
    seen = []

    def watched(column):
        rows = column_rows.image_rows(column)
        seen.append((rows[0][:, Row.HEIGHT].tolist(), bool(column.records["dims"][:, 1].all())))
        return rows

    monkeypatch.setattr(device_stage, "image_rows", watched)
    batches = [[np.frombuffer(file, np.uint8) for file in part] for part in (files[:4], files[4:])]
    read = functools.partial(fn.readers.file, file_root=str(tmp_path), files=[f"{number}.jpg" for number in range(6)])
    for make in (lambda: read()[0], lambda: fn.external_source(source=iter(batches))):
        with Pipeline(batch_size=4, device_id=None, num_threads=2) as pipe:
            pipe.set_outputs(fn.resize(fn.decoders.image(make(), device="cpu"), size=(8, 8)))
        with pipe:
            pipe.run()
            pipe.run()
        assert ([20, 21, 22, 23], True) in seen and all(noted for _, noted in seen)
        seen.clear()


SEEDS = [
    pillow_jpeg(24, 33, quality=80),
    pillow_jpeg(24, 33, subsampling="4:4:4", orientation=6),
    pillow_jpeg(17, 40, mode="CMYK"),
    pillow_jpeg(17, 40, mode="L", restart_marker_rows=1),
    random_jpeg(20, 30, [(1, 2), (1, 1), (1, 1)], restart_interval=1),
    random_jpeg(20, 30, [(1, 1)] * 4, adobe_transform=2),
    pillow_jpeg(24, 33, progressive=True),
]
CANVAS = 48


@st.composite
def mutated_files(draw):
    file = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, max(len(file) - 1, 0)))
        length = draw(st.integers(0, 12))
        patch = draw(st.one_of(st.binary(max_size=12), st.just(b"\xff\xd9"), st.just(b"\xff\xda")))
        file[at : at + length] = patch
    return bytes(file)


@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
@settings(max_examples=60, deadline=None)
@given(st.lists(mutated_files(), min_size=8, max_size=8))
def test_mutated_files_never_harm_and_agree_with_pillow(files):
    batch = EncodedBatch.from_encoded(files)
    pixels, status = map(np.asarray, decode(batch, (CANVAS, CANVAS), on_error="zeros"))
    for k, file in enumerate(files):
        row, (height, width, _) = np.asarray(batch.rows)[k], np.asarray(batch.sizes)[k]
        assert status[k] in list(Status)
        assert not pixels[k, height:].any() and not pixels[k, :, width:].any()
        if status[k] != Status.OK:
            assert not pixels[k].any()
        else:
            assert row[Row.STATUS] == Status.OK
            assert 0 < height <= CANVAS and 0 < width <= CANVAS
        if row[Row.STATUS] != Status.OK:
            assert (height, width) == (0, 0)
            continue
        # libjpeg-turbo smooths an incomplete progressive image, differently in each version.
        if b"\xff\xc2" in file:
            continue
        try:
            expected = pillow_pixels(file)
        except OSError as error:
            truncated = "image file is truncated" in str(error)
            assert (status[k] == Status.TRUNCATED) == truncated or status[k] == Status.TOO_LARGE
        except SyntaxError:
            pass  # Pillow's own checks of the metadata
        else:
            if status[k] != Status.TOO_LARGE:
                assert status[k] == Status.OK
                np.testing.assert_array_equal(pixels[k, :height, :width], expected)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200), st.booleans())
def test_random_bytes_are_never_ok(data, with_mark):
    row, size = probe(b"\xff\xd8\xff" + data if with_mark else data)
    assert row[Row.STATUS] in set(Status) - {Status.OK}
    assert size == (0, 0, 0)
