"""Files made to take memory or time, or to break a parser: each gets a status, and costs little."""

import io
import struct
import tracemalloc
import warnings
import zlib

import numpy as np
import pytest
from PIL import Image, ImageFile, PngImagePlugin

from jaxdali import EncodedBatch
from jaxdali._base import formats
from jaxdali._base.batch import DEFAULT_MAX_IMAGE_PIXELS, Row, Status
from jaxdali._feed import _host

MIB = 1 << 20


def tiff(entries, data=b""):
    """A TIFF file: `data` at byte 8, then values that are `bytes`, then the table of `(tag, type, count, value)`."""
    body = bytearray(b"II\x2a\x00\x00\x00\x00\x00" + data)
    table = []
    for tag, kind, count, value in sorted(entries, key=lambda entry: entry[0]):
        table.append((tag, kind, count, len(body) if isinstance(value, bytes) else value))
        body += value if isinstance(value, bytes) else b""
    body[4:8] = struct.pack("<I", len(body))
    rows = b"".join(struct.pack("<HHII", *entry) for entry in table)
    return bytes(body + struct.pack("<H", len(table)) + rows + bytes(4))


def gray(height, width, *others, compression=1):
    entries = [
        (256, 4, 1, width),
        (257, 4, 1, height),
        (258, 3, 1, 8),
        (259, 3, 1, compression),
        (262, 3, 1, 1),
        (277, 3, 1, 1),
    ]
    return [*entries, *others]


ONE_STRIP = ((273, 4, 1, 8), (278, 4, 1, 8), (279, 4, 1, 64))


def png(*chunks):
    header = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    found = [(b"IHDR", header), *chunks, (b"IDAT", zlib.compress(bytes(72))), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in found
    )


def bmp(height, width, compression, data=b""):
    header = struct.pack(
        "<IIIIiiHHIIIIII", 1078 + len(data), 0, 1078, 40, width, height, 1, 8, compression, 0, 0, 0, 256, 0
    )
    return b"BM" + header + bytes(range(256)) * 4 + data


def shared_values():
    """Many entries that share the same bytes as their values, half of the file each."""
    values = np.arange(MIB // 4, dtype=np.uint16).tobytes()
    return tiff([(1000 + k, 3, len(values) // 2, 8) for k in range(60)], values)


def shared_exif():
    values = bytes(MIB // 2)
    return png((b"eXIf", tiff([(1000 + k, 5, len(values) // 8, 8) for k in range(60)], values)))


def shared_exif_of_tiff(*through):
    """`through`: the tags that lead to the shared values."""
    values = bytes(MIB // 2)
    body = bytearray(tiff(gray(8, 8, *ONE_STRIP, (through[0], 4, 1, 0)), bytes(64)) + values)
    start = len(body) - len(values)
    for tag in through:
        at = body.rindex(struct.pack("<HHII", tag, 4, 1, 0))
        body[at + 8 : at + 12] = struct.pack("<I", len(body))
        if tag != through[-1]:
            body += struct.pack("<HHHIII", 1, through[1], 4, 1, 0, 0)
    entries = [struct.pack("<HHII", 1000 + k, 5, len(values) // 8, start) for k in range(60)]
    return bytes(body + struct.pack("<H", len(entries)) + b"".join(entries) + bytes(4))


def large_tile(kind):
    tile = zlib.compress(bytes(4096 * 4096))
    return tiff(
        gray(1, 1, (322, kind, 1, 4096), (323, kind, 1, 4096), (324, 4, 1, 8), (325, 4, 1, len(tile)), compression=8),
        tile,
    )


def gif(canvas, frame, extensions=b""):
    image = struct.pack("<HHHHB", 0, 0, *frame, 0) + b"\x02\x02\x44\x01\x00;"
    return b"GIF89a" + struct.pack("<HHBBB", *canvas, 0x80, 0, 0) + bytes(6) + extensions + b"," + image


def comment(size):
    return b"!\xfe" + b"\xff".ljust(256, b"a") * (size // 255) + b"\0"


def tga(width, height, kind):
    return struct.pack("<BBB5xHHHHBB", 0, 0, kind, 0, 0, width, height, 24, 0) + bytes(99) + b"TRUEVISION-XFILE.\0"


def jpeg2000(size=(64, 64), tile=None, layers=1, precincts=b"", levels=5, count=1):
    """A codestream without data, of one tile as far as its markers say."""
    fields = (*size, 0, 0, *(tile or size), 0, 0)
    siz = struct.pack(">HHH8IH", 0xFF51, 38 + 3 * count, 0, *fields, count) + b"\7\1\1" * count
    cod = struct.pack(">HHBBHBBBBBB", 0xFF52, 12 + len(precincts), bool(precincts), 0, layers, 0, levels, 4, 4, 0, 1)
    qcd = struct.pack(">HHB", 0xFF5C, 4 + 3 * levels, 0x40) + b"\x40" * (3 * levels + 1)
    part = struct.pack(">HHHIBB", 0xFF90, 10, 0, 14 + 99, 0, 1) + b"\xff\x93" + bytes(99)
    return b"\xff\x4f" + siz + cod + precincts + qcd + part + b"\xff\xd9"


def avif_of_shared_exif():
    values = bytes(MIB // 2)
    stream = io.BytesIO()
    hostile = tiff([(1000 + k, 5, len(values) // 8, 8) for k in range(60)], values)
    harmless = tiff([]).ljust(len(hostile), b"\7")
    Image.new("RGB", (8, 8)).save(stream, "AVIF", exif=harmless)
    return stream.getvalue().replace(harmless, hostile)


HOSTILE = {
    "jpeg 2000 of 65000 tiles": (jpeg2000((65000, 1), (1, 1)), Status.TOO_LARGE),
    "jpeg 2000 of 2**32 tiles": (jpeg2000((2**16, 2**11), (1, 1)), Status.TOO_LARGE),
    "jpeg 2000 of precincts of a pixel": (jpeg2000((4096, 4096), precincts=bytes(6)), Status.TOO_LARGE),
    "jpeg 2000 of 65535 layers": (jpeg2000((4096, 4096), layers=65535, precincts=b"\x77" * 6), Status.TOO_LARGE),
    "jpeg 2000 of 2**31 x 2**31": (jpeg2000((2**31, 2**31)), Status.TOO_LARGE),
    "jpeg 2000 of 16384 components": (jpeg2000(count=16384), Status.CORRUPT),
    "jpeg 2000 of 255 levels": (jpeg2000(levels=255), Status.CORRUPT),
    "avif shared exif": (avif_of_shared_exif(), Status.CORRUPT),
    "gif of a large canvas": (gif((65535, 65535), (1, 1)), Status.TOO_LARGE),
    "gif of a large frame": (gif((1, 1), (65535, 65535)), Status.TOO_LARGE),
    "gif of many comments": (gif((1, 1), (1, 1), comment(1) * 1000), Status.CORRUPT),
    "gif of a long comment": (gif((1, 1), (1, 1), comment(5 * MIB) + comment(1)), Status.CORRUPT),
    "gif of nothing": (gif((1, 1), (1, 1))[:13] + b"!" * 99, Status.TRUNCATED),
    "pnm of 2**29 x 2**29": (b"P6 536870912 536870912 255 " + bytes(99), Status.TOO_LARGE),
    "pnm of many digits": (b"P5 " + b"9" * MIB + b" 1 255 " + bytes(99), Status.CORRUPT),
    "tga of 65535 x 65535": (tga(65535, 65535, 2), Status.TOO_LARGE),
    "packed tga of 65535 x 65535": (tga(65535, 65535, 10), Status.TOO_LARGE),
    "tiff shared values": (shared_values(), Status.CORRUPT),
    "png shared exif": (shared_exif(), Status.CORRUPT),
    "tiff shared exif": (shared_exif_of_tiff(34665), Status.CORRUPT),
    "tiff shared gps": (shared_exif_of_tiff(34853), Status.CORRUPT),
    "tiff shared within exif": (shared_exif_of_tiff(34665, 40965), Status.CORRUPT),
    "tiff large tile": (large_tile(4), Status.TOO_LARGE),
    "tiff large tile, signed": (large_tile(9), Status.TOO_LARGE),
    "tiff many strips": (
        tiff(gray(8, 8, (273, 3, MIB // 2, b"\x08\x00" * (MIB // 2)), (278, 4, 1, 1), (279, 4, 1, 8)), bytes(64)),
        Status.CORRUPT,
    ),
    "tiff many tiles": (
        tiff(gray(8, 8, (322, 3, 1, 1), (323, 3, 1, 1), (324, 3, MIB // 2, b"\x08\x00" * (MIB // 2))), bytes(64)),
        Status.CORRUPT,
    ),
    "tiff of 2**31 rows a strip": (
        tiff(gray(8, 8, (273, 4, 1, 8), (278, 4, 1, 2**31 - 1), (279, 4, 1, 64), compression=8), bytes(64)),
        Status.CORRUPT,
    ),
    "png of many profiles": (
        png(*[(b"iCCP", b"name\x00\x00" + zlib.compress(bytes(MIB - 9)))] * 100),
        Status.CORRUPT,
    ),
    "png of too much text": (
        png(*[(b"zTXt", b"%d\x00\x00" % k + zlib.compress(bytes(MIB - 9))) for k in range(100)]),
        Status.CORRUPT,
    ),
    "bmp that skips": (bmp(1, 1 << 20, 1, b"\x00\x02\xff\xff" * 9), Status.TOO_LARGE),
    "bmp of empty lines": (bmp(64, 1 << 18, 1, b"\x01\x01\x00\x00" * 80), Status.TOO_LARGE),
    "bmp of 2**31 x 2**31": (bmp(2**31 - 1, 2**31 - 1, 0), Status.TOO_LARGE),
    "big tiff that begins at 2**63": (b"II\x2b\x00\x08\x00\x00\x00" + struct.pack("<Q", 1 << 63), Status.TRUNCATED),
    "big tiff of 2**64 - 1 entries": (
        b"II\x2b\x00\x08\x00\x00\x00" + struct.pack("<QQ", 16, 2**64 - 1) + b"\x07" * 90,
        Status.TRUNCATED,
    ),
    "big tiff, other order": (b"MM\x00\x2b\x00\x08\x00\x00" + bytes(100), Status.UNSUPPORTED),
    "tiff that points at itself": (tiff(gray(8, 8, (34665, 4, 1, 8), *ONE_STRIP))[:8], Status.TRUNCATED),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_it_costs_is_bounded_by_its_size(name):
    file, status = HOSTILE[name]
    limit = MIB if "tile" in name else DEFAULT_MAX_IMAGE_PIXELS
    formats.decode_pixels(png(), DEFAULT_MAX_IMAGE_PIXELS)  # imports Pillow, which must not be measured
    tracemalloc.start()
    try:
        pixels, found = formats.decode_pixels(file, limit, native=_host.decode_image)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (found, pixels) == (status, None)
    # Pillow allows 64 MiB of text in a PNG.
    assert peak < 12 * len(file) + (80 if "text" in name else 4) * MIB
    batch = EncodedBatch.from_encoded([file], max_image_pixels=limit)
    assert np.asarray(batch.rows)[0, Row.STATUS] == status


def test_what_is_unusual_but_small_is_read():
    tile = zlib.compress(bytes(1024 * 1024))
    extents = ((322, 3, 1, 1024), (323, 3, 1, 1024), (324, 4, 1, 8), (325, 4, 1, len(tile)))
    for file in (
        tiff(gray(3, 5, *extents, compression=8), tile),
        tiff(gray(8, 8, *ONE_STRIP, (50000, 3, MIB // 2, bytes(MIB))), bytes(64)),
        tiff(
            gray(8, 8, (273, 4, 8, b"\x08\x00\x00\x00" * 8), (278, 4, 1, 1), (279, 4, 8, b"\x08\x00\x00\x00" * 8)),
            bytes(64),
        ),
        png(
            (b"iCCP", b"name\x00\x00" + zlib.compress(bytes(MIB - 9))),
            (b"zTXt", b"k\x00\x00" + zlib.compress(bytes(MIB - 9))),
        ),
        bmp(8, 8, 1, b"\x08\x07\x00\x00" * 8),
    ):
        pixels, status = formats.decode_pixels(file, 64, native=_host.decode_image)
        assert status == Status.OK
        expected = np.asarray(Image.open(io.BytesIO(file)).convert("RGB"))
        np.testing.assert_array_equal(np.broadcast_to(pixels, expected.shape), expected)


ERRORS = {
    OverflowError("int too large"): Status.CORRUPT,
    struct.error("unpack"): Status.CORRUPT,
    SyntaxError("broken"): Status.CORRUPT,
    RecursionError("too deep"): Status.CORRUPT,
    AssertionError(): Status.CORRUPT,
    EOFError(): Status.CORRUPT,
    StopIteration(): Status.CORRUPT,
    UnicodeDecodeError("ascii", b"", 0, 1, "?"): Status.CORRUPT,
    Exception("any"): Status.CORRUPT,
    OSError("image file is truncated"): Status.TRUNCATED,
    OSError("Unsupported BMP compression (9)"): Status.UNSUPPORTED,
    NotImplementedError(): Status.UNSUPPORTED,
    MemoryError(): Status.TOO_LARGE,
    Image.DecompressionBombError("pixels"): Status.TOO_LARGE,
}


@pytest.mark.parametrize("error", ERRORS, ids=repr)
def test_any_error_of_pillow_is_a_status(monkeypatch, error):
    def fail(*_):
        raise error

    monkeypatch.setattr(PngImagePlugin.PngImageFile, "load", fail)
    assert formats.decode_pixels(png(), DEFAULT_MAX_IMAGE_PIXELS) == (None, ERRORS[error])


def test_an_interrupt_is_none(monkeypatch):
    def fail(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(PngImagePlugin.PngImageFile, "load", fail)
    with pytest.raises(KeyboardInterrupt):
        formats.decode_pixels(png(), DEFAULT_MAX_IMAGE_PIXELS)


def test_the_process_is_as_before():
    def state():
        limits = Image.MAX_IMAGE_PIXELS, PngImagePlugin.MAX_TEXT_CHUNK, PngImagePlugin.MAX_TEXT_MEMORY
        return limits, ImageFile.LOAD_TRUNCATED_IMAGES, list(warnings.filters)

    before = state()
    for file, _ in HOSTILE.values():
        formats.decode_pixels(file, DEFAULT_MAX_IMAGE_PIXELS, native=_host.decode_image)
    assert state() == before
