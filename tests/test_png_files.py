"""Ordinary PNG files are decoded by native code to Pillow's pixels; Pillow sees all others."""

import struct
import threading
import zlib

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from png_files import CHANNELS, GRAY, GRAY_ALPHA, KINDS, PAETH, PALETTE, RGB, RGBA, SIGNATURE, Png, chunk

from jaxdali._base.batch import Status
from jaxdali._base.formats import pixel_decoding
from jaxdali._base.formats.pixel_decoding import decode_pixels
from jaxdali._feed import _host

MOST = 1 << 20


def native(file, indices=False, most=MOST):
    return _host.decode_image(np.frombuffer(bytes(file), np.uint8), most, indices)


def check(file, indices=False):
    """The file is decoded natively, to Pillow's pixels."""
    pixels, status = decode_pixels(bytes(file), MOST, indices)
    assert pixels is not None and status == Status.OK
    found = native(file, indices)
    assert found is not None and found.dtype == pixels.dtype
    np.testing.assert_array_equal(found, pixels)


def check_same(file, indices=False):
    """The file has the same result as from Pillow alone. Returns whether it is decoded natively."""
    pixels, status = decode_pixels(file, MOST, indices)
    found = native(file, indices)
    if found is not None:
        assert pixels is not None and status == Status.OK and found.dtype == pixels.dtype
        np.testing.assert_array_equal(found, pixels)
    return found is not None


SIZES = st.one_of(st.integers(1, 12), st.integers(1, 70))
# As in photographs, most rows are Paeth's in one of them.
FILTERS = st.one_of(
    st.lists(st.integers(0, 4), min_size=1, max_size=12),
    st.lists(st.sampled_from([PAETH, PAETH, PAETH, PAETH, PAETH, 0, 1, 2, 3]), min_size=1, max_size=40),
    st.just([PAETH]),
)


@st.composite
def pngs(draw):
    color_type, depth = draw(st.sampled_from(KINDS))
    others = []
    if draw(st.booleans()) and color_type in (GRAY, RGB, PALETTE):
        size = {GRAY: st.just(2), RGB: st.just(6), PALETTE: st.integers(1, 256)}[color_type]
        others.append((b"tRNS", draw(st.binary(min_size=256, max_size=256))[: draw(size)]))
    others += draw(st.lists(st.sampled_from(HARMLESS), unique_by=lambda one: one[0], max_size=3))
    return Png(
        color_type,
        depth,
        height=draw(SIZES),
        width=draw(SIZES),
        interlaced=draw(st.booleans()),
        filters=draw(FILTERS),
        level=draw(st.integers(0, 9)),
        parts=draw(st.integers(1, 4)),
        levels=draw(st.sampled_from([2, 5, 256])),
        palette=draw(st.integers(1, 256)),
        others=others,
        seed=draw(st.integers(0, 1000)),
    )


HARMLESS = [
    (b"gAMA", struct.pack(">I", 45455)),
    (b"pHYs", struct.pack(">IIB", 3000, 3000, 1)),
    (b"sRGB", b"\0"),
    (b"cHRM", bytes(32)),
    (b"tIME", bytes(7)),
    (b"bKGD", bytes(6)),
    (b"iCCP", b"name\0\0" + zlib.compress(bytes(5000))),
    (b"tEXt", b"Software\0a program"),
    (b"tEXt", b"date:create\x002026-01-01"),
]


@hypothesis.settings(max_examples=400)
@hypothesis.given(pngs(), st.booleans())
def test_pixels_are_those_of_pillow(png, indices):
    check(png, indices)


@pytest.mark.parametrize("color_type, depth", KINDS)
@pytest.mark.parametrize("interlaced", [False, True])
def test_every_kind_at_every_small_width(color_type, depth, interlaced):
    for width in range(1, 13):
        for filters in ([PAETH], [0, 1, 2, 3, 4], [PAETH] * 6 + [3]):
            check(Png(color_type, depth, 9, width, interlaced, filters, seed=width))


@pytest.mark.parametrize("color_type, depth", [(GRAY, 8), (GRAY_ALPHA, 8), (RGB, 8), (RGBA, 8), (RGB, 16), (RGBA, 16)])
def test_every_prediction(color_type, depth):
    """Of three neighbours, noise has all orders and many ties."""
    for levels in (3, 256):
        file = Png(color_type, depth, 300, 211, filters=[PAETH], levels=levels)
        check(file)


def test_a_page_of_one_color_and_a_large_one():
    check(Png(RGB, 8, 700, 900, levels=1, filters=[2]))
    check(Png(GRAY, 1, 33, 1001, levels=256, parts=3))


def put(file, at, value):
    return file[:at] + bytes([value]) + file[at + 1 :]


SMALL = {
    "gray": Png(GRAY, 8, 3, 4, filters=[PAETH]),
    "RGB": Png(RGB, 8, 5, 3, filters=[PAETH], parts=2, others=[(b"tEXt", b"Title\0a"), HARMLESS[0]]),
    "bits": Png(GRAY, 1, 2, 9, others=[(b"tRNS", b"\0\1")]),
    "palette": Png(PALETTE, 4, 3, 5, palette=3, others=[(b"tRNS", bytes([7, 0, 9]))]),
    "deep, interlaced": Png(RGBA, 16, 3, 3, interlaced=True, others=[HARMLESS[6]]),
}


@pytest.mark.parametrize("name", SMALL)
def test_damage_at_every_byte_has_the_result_that_it_has_from_pillow(name):
    file = bytes(SMALL[name])
    assert check_same(file)
    for at in range(8, len(file)):
        for value in {file[at] ^ 1, file[at] ^ 0x80, 0, 255, file[at] ^ 0x20} - {file[at]}:
            check_same(put(file, at, value))
        check_same(file[:at])
        check_same(file[:at] + file[at + 1 :])
        check_same(file[:at] + b"\0" + file[at:])


@pytest.mark.parametrize("name", SMALL)
def test_damage_with_a_checksum_that_fits_has_the_result_that_it_has_from_pillow(name):
    file, decoded = bytes(SMALL[name]), 0
    start = 8
    while start < len(file):
        (size,) = struct.unpack_from(">I", file, start)
        kind, body, behind = file[start + 4 : start + 8], file[start + 8 : start + 8 + size], file[start + 12 + size :]
        for at in range(size):
            for value in range(0, 256, 1 if kind == b"IHDR" else 51):
                decoded += check_same(file[:start] + chunk(kind, put(body, at, value)) + behind)
        for other in (body[:-1], body + b"\0", body * 2):
            decoded += check_same(file[:start] + chunk(kind, other) + behind)
        check_same(file[:start] + behind)  # none of it
        check_same(file[:start] + chunk(kind, body) * 2 + behind)
        start += 12 + size
    assert decoded


DAMAGED_DATA = {
    "a missing row": (Png(RGB, 8), {"height": 6}),
    "a surplus row": (Png(RGB, 8, surplus=22), {}),
    "a surplus byte": (Png(RGB, 8, surplus=1), {}),
    "no filter": (Png(RGB, 8, filters=[1, 5]), {}),
    "no filter, in a pass": (Png(RGB, 8, 9, 9, True, filters=[1] * 14 + [77]), {}),
}


@pytest.mark.parametrize("name", DAMAGED_DATA)
def test_data_that_do_not_fit_are_left_to_pillow(name):
    png, changes = DAMAGED_DATA[name]
    file = bytes(png)
    if changes:
        header = struct.pack(">IIBBBBB", png.width, changes["height"], png.depth, png.color_type, 0, 0, 0)
        file = file.replace(chunk(b"IHDR", png.header()), chunk(b"IHDR", header))
    assert native(file) is None
    # Pillow refuses only filters that there are not.
    assert (decode_pixels(file, MOST, native=_host.decode_image)[0] is None) == ("filter" in name)


def exif(orientation):
    return b"II*\0\x08\0\0\0\1\0" + struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0) + bytes(4)


ONLY_PILLOW = {
    "Exif": {"others": [(b"eXIf", exif(6))]},
    "Exif behind the pixels": {"after": [(b"eXIf", exif(6))]},
    "Exif as text": {"others": [(b"tEXt", b"exif\0Exif\0\0" + exif(6))]},
    "a raw profile": {"others": [(b"tEXt", b"Raw profile type exif\0\nexif\n 4\n00000000")]},
    "XMP": {"others": [(b"iTXt", b'XML:com.adobe.xmp\0\0\0\0\0<x tiff:Orientation="6"/>')]},
    "packed text": {"others": [(b"zTXt", b"Title\0\0" + zlib.compress(bytes(99)))]},
    "much text": {"others": [(b"tEXt", b"Title\0" + bytes(1 << 19))] * 3},
    "an animation": {"others": [(b"acTL", struct.pack(">II", 1, 0))]},
    "a chunk that must be known": {"others": [(b"CRIT", b"a")]},
    "a private chunk": {"others": [(b"prVt", b"a")]},
    "two profiles": {"others": [HARMLESS[6]] * 2},
    "a profile that unpacks to more": {"others": [(b"iCCP", b"n\0\0" + zlib.compress(bytes(1 << 21)))]},
    "a damaged profile": {"others": [(b"iCCP", b"n\0\0" + b"\7" * 9)]},
    "a profile packed otherwise": {"others": [(b"iCCP", b"n\0\1" + zlib.compress(bytes(9)))]},
    "a palette behind the pixels": {"after": [(b"PLTE", bytes(9))]},
    "pixels twice": {"after": [(b"tIME", bytes(7)), (b"IDAT", zlib.compress(b"more"))]},
    "a short gamma": {"others": [(b"gAMA", b"\0\0\0")]},
}


@pytest.mark.parametrize("name", ONLY_PILLOW)
def test_what_only_pillow_reads_is_left_to_it(name):
    file = bytes(Png(RGB, 8, 4, 6, **ONLY_PILLOW[name]))
    assert native(file) is None
    pixels, status = decode_pixels(file, MOST)
    found, found_status = decode_pixels(file, MOST, native=_host.decode_image)
    assert found_status == status and (found is None) == (pixels is None)
    np.testing.assert_array_equal(found, pixels)
    turned = name.startswith(("Exif", "XMP"))
    assert pixels is None or pixels.shape == ((6, 4, 3) if turned else (4, 6, 3))


def test_a_palette_must_be_there_and_have_whole_colors():
    for colors in ((), [(b"PLTE", b"")], [(b"PLTE", bytes(4))], [(b"PLTE", bytes(3 * 257))], [(b"PLTE", bytes(6))] * 2):
        png = Png(GRAY, 8, 3, 3, others=colors)
        file = bytes(png).replace(
            chunk(b"IHDR", png.header()), chunk(b"IHDR", struct.pack(">IIBBBBB", 3, 3, 8, PALETTE, 0, 0, 0))
        )
        assert not check_same(file)


def test_sizes_that_data_cannot_have_take_no_memory():
    for width, height in (
        (65500, 65500),
        (2**31 - 1, 2**31 - 1),
        (2**32 - 1, 2**32 - 1),
        (1, 2**32 - 1),
        (0, 5),
        (5, 0),
    ):
        for kind in KINDS:
            header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, kind[1], kind[0], 0, 0, 0))
            rest = chunk(b"PLTE", bytes(6)) + chunk(b"IDAT", zlib.compress(bytes(99))) + chunk(b"IEND")
            assert native(SIGNATURE + header + rest, most=2**63 - 1) is None


def test_the_number_of_pixels_is_judged():
    file = Png(RGB, 8, 5, 7)
    assert native(file, most=35) is not None
    assert native(file, most=34) is native(file, most=0) is native(file, most=-1) is None


def test_no_thread_waits_for_pillow():
    done = []
    file = bytes(Png(RGB, 8, 50, 70))
    thread = threading.Thread(target=lambda: done.append(decode_pixels(file, MOST, native=_host.decode_image)[1]))
    with pixel_decoding._warnings_lock:
        thread.start()
        thread.join(60)
        assert done == [Status.OK]


@pytest.mark.parametrize("color_type, depth", [(RGB, 8), (GRAY, 4), (PALETTE, 8), (GRAY_ALPHA, 16)])
def test_pixels_are_written_to_their_row(color_type, depth):
    ring = _host.Ring.create(slots=1, chunks=1, outputs=1, batch_size=3, capacity=1, stride=1 << 24)
    assert ring.take_free() == 0
    ring.publish(0, 1, 0, 0, 0, 3, [(False, None)])
    files = [Png(color_type, depth, 9 + k, 11, seed=k) for k in range(3)]
    for row in (1, 0, 2):
        assert ring.write_image(
            0, row, 0, np.frombuffer(bytes(files[row]), np.uint8), MOST, False, _host.RECORD_DECODED
        )
    damaged = np.frombuffer(bytes(files[1])[:-20], np.uint8)
    before = ring.records(0)
    assert not ring.write_image(0, 1, 0, damaged, MOST, False, 0)
    assert ring.records(0) == before, "nothing is written for a file that Pillow should see"
    for row, file in enumerate(files):
        expected = decode_pixels(bytes(file), MOST)[0]
        assert expected is not None and expected.shape[2] == (3 if color_type == PALETTE else CHANNELS[color_type])
        record = np.frombuffer(before, np.uint8).reshape(3, -1)[row]
        offset, size = record[:16].view(np.uint64).tolist()
        assert size == expected.nbytes
        stored = np.frombuffer(ring.stored(0, offset, size), expected.dtype).reshape(expected.shape)
        np.testing.assert_array_equal(stored, expected)
    for place in ((1, 0, 0), (0, 3, 0), (0, 0, 1)):
        with pytest.raises(IndexError):
            ring.write_image(*place, damaged, MOST, False, 0)
