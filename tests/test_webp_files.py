"""Ordinary WebP files are decoded by native code to Pillow's pixels; Pillow sees all others."""

import io
import struct
import threading

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from jpeg_files import photo
from PIL import Image

from jaxdali._base.batch import Status
from jaxdali._base.formats import pixel_decoding
from jaxdali._base.formats.pixel_decoding import decode_pixels
from jaxdali._feed import _host

MOST = 1 << 20
PROFILE = bytes(range(100))


def native(file, most=MOST):
    return _host.decode_image(np.frombuffer(file, np.uint8), most, False)


def check_same(file):
    """The file has the same result as from Pillow alone. Returns whether it is decoded natively."""
    pixels, status = decode_pixels(file, MOST)
    found = native(file)
    if found is not None:
        assert pixels is not None and status == Status.OK and found.dtype == pixels.dtype
        np.testing.assert_array_equal(found, pixels)
    return found is not None


def webp(height, width, alpha=False, noise=0, seed=0, **options):
    """A file whose pixels are waves, with some noise: flat ones are coded in other ways."""
    draws = np.random.default_rng(seed)
    pixels = photo(height, width).astype(np.int16) + draws.integers(-noise, noise + 1, (height, width, 3))
    image = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
    if alpha:
        levels = draws.integers(0, 256, (height, width), np.uint8) if noise else photo(height, width)[..., 0]
        image.putalpha(Image.fromarray(levels))
    stream = io.BytesIO()
    image.save(stream, "WEBP", **options)
    return stream.getvalue()


def chunks(file):
    at, found = 12, []
    while at < len(file):
        (size,) = struct.unpack_from("<I", file, at + 4)
        found.append((file[at : at + 4], file[at + 8 : at + 8 + size]))
        at += 8 + size + size % 2
    return found


def joined(parts):
    body = b"".join(name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2) for name, data in parts)
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP" + body


OPTIONS = st.fixed_dictionaries(
    {"quality": st.integers(0, 100), "method": st.integers(0, 6), "lossless": st.booleans()},
    optional={"icc_profile": st.just(PROFILE), "exact": st.just(True), "alpha_quality": st.integers(0, 100)},
)


@hypothesis.settings(max_examples=150)
@hypothesis.given(
    st.integers(1, 70), st.integers(1, 70), st.booleans(), st.sampled_from([0, 0, 20, 200]), st.integers(0, 99), OPTIONS
)
def test_pixels_are_those_of_pillow(height, width, alpha, noise, seed, options):
    assert check_same(webp(height, width, alpha, noise, seed, **options))


SMALL = {
    "lossy": webp(9, 13, noise=20),
    "lossless": webp(9, 13, noise=20, lossless=True),
    "lossy, with alpha": webp(9, 13, True, 20),
    "lossless, with alpha and a profile": webp(9, 13, True, lossless=True, icc_profile=PROFILE[:5]),
}


@pytest.mark.parametrize("name", SMALL)
def test_damage_has_the_result_that_it_has_from_pillow(name):
    file, decoded = SMALL[name], 0
    assert check_same(file)
    for at in range(12, len(file)):
        for value in {file[at] ^ 1, file[at] ^ 0x80, 255} - {file[at]}:
            decoded += check_same(file[:at] + bytes([value]) + file[at + 1 :])
        check_same(file[:at])
        check_same(file[:at] + file[at + 1 :])
    assert decoded
    for cut in range(20, len(file), 2):  # whole as far as its chunks say
        parts = chunks(file)
        parts[-1] = (parts[-1][0], parts[-1][1][: -len(file) + cut])
        check_same(joined(parts))


def extended(file, flags, *others, before=()):
    """The file with a VP8X chunk of these flags, and with other chunks before and behind the pixels."""
    height, width = decode_pixels(file, MOST)[0].shape[:2]
    head = bytes([flags, 0, 0, 0]) + struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3]
    parts = [part for part in chunks(file) if part[0] not in (b"VP8X", b"ICCP")]
    return joined([(b"VP8X", head), *before, *parts, *others])


def exif(orientation):
    return b"II*\0\x08\0\0\0\1\0" + struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0) + bytes(4)


LOSSY, ALPHA = SMALL["lossy"], SMALL["lossy, with alpha"]
LOSSLESS = SMALL["lossless"]
ONLY_PILLOW = {
    "Exif": extended(LOSSY, 8, (b"EXIF", exif(6))),
    "XMP": extended(LOSSY, 4, (b"XMP ", b'<x tiff:Orientation="6"/>')),
    "an unknown chunk": extended(LOSSY, 0, (b"abcd", b"12")),
    "a profile that is not announced": extended(LOSSY, 0, before=[(b"ICCP", PROFILE)]),
    "alpha that is not announced": extended(ALPHA, 0),
    "pixels twice": extended(LOSSY, 0, *chunks(LOSSY)),
    "a surplus byte": LOSSY + b"\0",
    "a missing byte": LOSSY[:-1],
    "other extents": extended(LOSSY, 0).replace(b"\x0c\0\0\x08\0\0", b"\x0d\0\0\x08\0\0"),
    "an animation": webp(9, 13, save_all=True, append_images=[Image.fromarray(255 - photo(9, 13))]),
    "an animation of one": extended(LOSSY, 2, before=[(b"ANIM", bytes(6))]),
    "no pixels": joined([(b"VP8X", bytes(10))]),
    "nothing": joined([]),
}


@pytest.mark.parametrize("name", ONLY_PILLOW)
def test_what_only_pillow_reads_is_left_to_it(name):
    file = ONLY_PILLOW[name]
    assert native(file) is None
    pixels, status = decode_pixels(file, MOST)
    found, found_status = decode_pixels(file, MOST, native=_host.decode_image)
    assert found_status == status and (found is None) == (pixels is None)
    np.testing.assert_array_equal(found, pixels)
    assert pixels is None or pixels.shape[:2] == ((13, 9) if name in ("Exif", "XMP") else (9, 13))


def test_what_is_announced_and_harmless_is_decoded_natively():
    profile = [(b"ICCP", PROFILE)]
    for flags, file, before in (
        (0, LOSSY, ()),
        (0, LOSSLESS, ()),
        (16, LOSSY, ()),
        (16, ALPHA, ()),
        (0x20, LOSSY, profile),
    ):
        assert check_same(extended(file, flags, before=before))


def test_the_number_of_pixels_is_judged():
    assert native(LOSSY, 9 * 13) is not None
    assert native(LOSSY, 9 * 13 - 1) is native(LOSSY, 0) is native(LOSSY, -1) is None


def test_no_thread_waits_for_pillow():
    done = []
    native_decoder = _host.decode_image
    thread = threading.Thread(target=lambda: done.append(decode_pixels(LOSSY, MOST, native=native_decoder)[1]))
    with pixel_decoding._warnings_lock:
        thread.start()
        thread.join(60)
        assert done == [Status.OK]


def test_pixels_are_written_to_their_row_and_records_stay_where_a_file_is_damaged():
    ring = _host.Ring.create(slots=1, chunks=1, outputs=1, batch_size=2, capacity=1, stride=1 << 24)
    assert ring.take_free() == 0
    ring.publish(0, 1, 0, 0, 0, 2, [(False, None)])
    damaged = joined([(b"VP8 ", chunks(LOSSY)[0][1][:-30])])
    for row, file, whole in ((0, ALPHA, True), (1, LOSSY, True), (1, damaged, False)):
        before = ring.records(0)
        flags = _host.RECORD_DECODED
        wanted = decode_pixels(file, MOST)[0]
        assert (wanted is not None) == whole
        assert ring.write_image(0, row, 0, np.frombuffer(file, np.uint8), MOST, False, flags) == whole
        if wanted is None:
            assert ring.records(0) == before
            continue
        record = np.frombuffer(ring.records(0), np.uint8).reshape(2, -1)[row]
        offset, size = record[:16].view(np.uint64).tolist()
        stored = np.frombuffer(ring.stored(0, offset, size), np.uint8).reshape(wanted.shape)
        np.testing.assert_array_equal(stored, wanted)
