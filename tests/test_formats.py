"""Files that are not JPEG are decoded as by Pillow, or get a status that says why not."""

import functools
import io
import re
import struct
import subprocess
import sys
import threading
import warnings
import zlib

import numpy as np
import pytest
from deep_files import DEEP, deep_avif, deep_noise, deep_tiff
from jpeg_files import photo, pillow_jpeg
from PIL import AvifImagePlugin, Image, ImageOps

from jaxdali._base import formats
from jaxdali._base.batch import DEFAULT_MAX_IMAGE_PIXELS, Status
from jaxdali._feed import _host
from jaxdali.errors import ConfigError

# As workers do.
decode_pixels = functools.partial(formats.decode_pixels, native=_host.decode_image)


def saved(image, kind, **options):
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def make_image(mode="RGB", height=33, width=47):
    image = Image.fromarray(photo(height, width))
    return image.convert(mode)


def orientation_exif(value):
    exif = Image.Exif()
    exif[0x0112] = value
    return exif


def transparent():
    image = make_image("RGBA")
    image.putalpha(make_image("L"))
    return image


def transparent_palette():
    image = make_image("P")
    image.info["transparency"] = bytes(range(200))
    return image


def with_footer(file):
    """Pillow writes files of the format's first version, which nothing tells from other data."""
    return file if file.endswith(b"TRUEVISION-XFILE.\0") else file + bytes(8) + b"TRUEVISION-XFILE.\0"


def moved_frame(file, left, top):
    at = file.index(b"\x2c", 13 + 3 * 256)
    return file[: at + 1] + struct.pack("<HH", left, top) + file[at + 5 :]


def levels(count):
    return photo(33, 47).astype(np.uint32)[..., 0].reshape(-1) * count // 255


PNM = {
    "plain gray": b"P2 47 33 255 " + b" ".join(b"%d" % level for level in levels(255)),
    "plain RGB": b"P3\n# drawn\n47 33\n255\n" + b"\n".join(b"%d" % level for level in photo(33, 47).reshape(-1)),
    "of 100 levels": b"P5 47 33 100\n" + levels(100).astype(np.uint8).tobytes(),
}
PNM["of bits"] = b"P1 47 33 " + b" ".join(b"%d" % level for level in levels(1))


FILES = {
    **{f"png {mode}": saved(make_image(mode), "PNG") for mode in ("RGB", "RGBA", "L", "LA", "P", "1")},
    "png transparent palette": saved(transparent_palette(), "PNG", transparency=bytes(range(200))),
    "png interlaced size": saved(make_image(height=1, width=1), "PNG"),
    **{f"png turned {way}": saved(make_image(), "PNG", exif=orientation_exif(way)) for way in range(1, 10)},
    **{f"bmp {mode}": saved(make_image(mode), "BMP") for mode in ("RGB", "L", "P", "1")},
    "webp": saved(make_image(), "WEBP"),
    "webp lossless": saved(make_image(), "WEBP", lossless=True),
    "webp alpha": saved(transparent(), "WEBP"),
    "webp turned": saved(make_image(), "WEBP", exif=orientation_exif(8)),
    "webp animated": saved(make_image(), "WEBP", save_all=True, append_images=[ImageOps.invert(make_image())]),
    **{f"tiff {mode}": saved(make_image(mode), "TIFF") for mode in ("RGB", "L", "CMYK", "1")},
    "tiff lzw": saved(make_image(), "TIFF", compression="tiff_lzw"),
    "tiff deflate": saved(make_image(), "TIFF", compression="tiff_adobe_deflate"),
    "tiff big": saved(make_image(), "TIFF", big_tiff=True),
    "tiff turned": saved(make_image(), "TIFF", tiffinfo={0x0112: 5}),
    **{f"gif {mode}": saved(make_image(mode), "GIF") for mode in ("P", "L", "1")},
    "gif interlaced": saved(make_image("P"), "GIF", interlace=1),
    "gif transparent": saved(make_image("P"), "GIF", transparency=7),
    "gif animated": saved(make_image("P"), "GIF", save_all=True, append_images=[make_image("L")], comment=b"a" * 300),
    "gif beside": moved_frame(saved(make_image("P"), "GIF"), 5, 9),
    **{f"pnm {mode}": saved(make_image(mode), "PPM") for mode in ("RGB", "L", "1")},
    **{f"pnm {name}": file for name, file in PNM.items()},
    **{f"tga {mode}": with_footer(saved(make_image(mode), "TGA")) for mode in ("RGB", "RGBA", "L", "LA", "P", "1")},
    "tga packed": with_footer(saved(make_image(), "TGA", compression="tga_rle")),
    **{f"jpeg2000 {mode}": saved(make_image(mode), "JPEG2000") for mode in ("RGB", "RGBA", "L", "LA", "CMYK")},
    "jpeg2000 codestream": saved(make_image(), "JPEG2000", no_jp2=True),
    "jpeg2000 tiles": saved(make_image(), "JPEG2000", tile_size=(16, 16), num_resolutions=3),
    "jpeg2000 lossy": saved(
        make_image(), "JPEG2000", irreversible=True, quality_layers=[30, 9], precinct_size=(32, 32)
    ),
    **{f"avif {mode}": saved(make_image(mode), "AVIF") for mode in ("RGB", "L")},
    "avif alpha": saved(transparent(), "AVIF"),
    "avif turned": saved(make_image(), "AVIF", exif=orientation_exif(6)),
    "avif animated": saved(make_image(), "AVIF", save_all=True, append_images=[ImageOps.invert(make_image())]),
}


# The modes to which Pillow's modes are converted; all others become RGB.
OWN_MODES = {"1": "L", "L": "L", "LA": "LA", "RGBA": "RGBA"}


def own_pixels(file):
    """The oracle: the pixels that Pillow decodes from a file, with the file's own channels."""
    with Image.open(io.BytesIO(file)) as image:
        shown = ImageOps.exif_transpose(image)
        pixels = np.asarray(shown.convert(OWN_MODES.get(shown.mode, "RGB")))
    return pixels if pixels.ndim == 3 else pixels[..., None]


@pytest.mark.parametrize("name", FILES)
def test_pixels_are_those_of_pillow(name):
    assert formats.recognise(FILES[name]) == name.split()[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow's own warnings about transparency in palettes
        expected = own_pixels(FILES[name])
    pixels, status = decode_pixels(FILES[name], DEFAULT_MAX_IMAGE_PIXELS)
    assert pixels is not None and (status, pixels.dtype) == (Status.OK, np.uint8)
    np.testing.assert_array_equal(pixels, expected)


def test_levels_of_a_pnm_file_with_16_bits():
    for most in (65535, 1000):
        drawn = levels(most).astype(np.uint16)
        files = [b"P5 47 33 %d\n" % most + drawn.astype(">u2").tobytes()]
        files.append(b"P2 47 33 %d\n" % most + b" ".join(b"%d" % level for level in drawn))
        for file in files:
            pixels, status = decode_pixels(file, DEFAULT_MAX_IMAGE_PIXELS)
            assert pixels is not None and (status, pixels.dtype, pixels.shape) == (Status.OK, np.uint16, (33, 47, 1))
            np.testing.assert_array_equal(pixels.reshape(-1), np.round(drawn / most * 65535).astype(np.uint16))


def test_colors_of_a_ppm_file_with_16_bits():
    for most in (65535, 1000):
        drawn = (photo(33, 47).astype(np.uint32) * most // 255).astype(np.uint16)
        drawn[0, 0] = most
        file = b"P6 47 33 %d\n" % most + drawn.astype(">u2").tobytes()
        pixels, status = decode_pixels(file, DEFAULT_MAX_IMAGE_PIXELS)
        assert pixels is not None and (status, pixels.dtype) == (Status.OK, np.uint16)
        np.testing.assert_array_equal(pixels, np.round(drawn / most * 65535).astype(np.uint16))
        assert decode_pixels(file[:-1], DEFAULT_MAX_IMAGE_PIXELS) == (None, Status.TRUNCATED)
    beyond = decode_pixels(b"P6 1 1 300\n" + struct.pack(">3H", 299, 300, 301), 1)[0]  # as Pillow has it with gray
    assert beyond is not None and beyond.tolist() == [[[65317, 65535, 65535]]]


def test_levels_of_a_tiff_s_palette_have_16_bits():
    file = saved(make_image("P"), "TIFF")
    pixels, status = decode_pixels(file, DEFAULT_MAX_IMAGE_PIXELS)
    assert pixels is not None and (status, pixels.dtype) == (Status.OK, np.uint16)
    np.testing.assert_array_equal(pixels, own_pixels(file) * np.uint16(256))  # Pillow writes that of a level


@pytest.mark.parametrize("name", [name for name in FILES if not name.startswith("tga")])
def test_cut_files_are_truncated_where_pillow_refuses_them(name):
    file = FILES[name]
    for cut in sorted({*range(13, len(file), max(1, len(file) // 40)), len(file) - 1}):
        pixels, status = decode_pixels(file[:cut], DEFAULT_MAX_IMAGE_PIXELS)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = own_pixels(file[:cut])
        except Exception:
            assert (pixels, status) == (None, Status.TRUNCATED), cut
        else:
            assert status == Status.OK, cut
            np.testing.assert_array_equal(pixels, expected)


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("tga")])
def test_a_tga_file_is_known_by_its_end(name):
    file = FILES[name]
    assert decode_pixels(file[:-1], DEFAULT_MAX_IMAGE_PIXELS) == (None, Status.CORRUPT)
    # Without all of its pixels, or with none.
    for size in (18, 19, len(file) // 4):
        assert decode_pixels(with_footer(file[:size]), DEFAULT_MAX_IMAGE_PIXELS)[0] is None


@pytest.mark.parametrize("name", FILES)
def test_the_number_of_pixels_is_judged(name):
    height, width = (1, 1) if name == "png interlaced size" else (33, 47)
    assert decode_pixels(FILES[name], height * width)[1] == Status.OK
    assert decode_pixels(FILES[name], height * width - 1) == (None, Status.TOO_LARGE)


def test_huge_claims_take_no_memory():
    png = bytearray(FILES["png RGB"])
    png[16:24] = struct.pack(">II", 65500, 65500)
    png[29:33] = struct.pack(">I", zlib.crc32(png[12:29]))
    webp = bytearray(FILES["webp turned"])
    assert webp[12:16] == b"VP8X"
    webp[24:30] = b"\xdb\xff\x00" * 2
    for file in (png, webp):
        assert decode_pixels(bytes(file), DEFAULT_MAX_IMAGE_PIXELS) == (
            None,
            Status.TOO_LARGE,
        )


@pytest.mark.parametrize("name", ["png RGB", "bmp RGB", "webp", "tiff RGB"])
def test_damaged_files_are_corrupt(name):
    file = bytearray(FILES[name])
    file[12:60] = b"\x07" * 48
    assert decode_pixels(bytes(file), DEFAULT_MAX_IMAGE_PIXELS)[0] is None


def test_what_is_recognised():
    assert formats.recognise(pillow_jpeg(8, 8)) == "jpeg"
    assert formats.recognise(np.frombuffer(FILES["png RGB"], np.uint8)) == "png"
    assert formats.recognise(memoryview(FILES["webp"])) == "webp"
    for data in (
        b"",
        b"\xff\xd8",
        b"GIF8",
        b"RIFF1234WAVEfmt ",
        bytes(64),
        b"no image at all",
        b"P5",
        b"1234ftypisom" + bytes(9),
    ):
        assert formats.recognise(data) is None
        assert decode_pixels(data, 100) == (None, Status.CORRUPT)


def with_brands(*brands):
    return struct.pack(">I4s4sI", 16 + 4 * (len(brands) - 1), b"ftyp", brands[0], 0) + b"".join(brands[1:]) + bytes(40)


OTHERS = {
    "HEIF": with_brands(b"heic", b"mif1"),
    "JPEG XL": b"\xff\x0a" + bytes(40),
    "JPEG XR": b"II\xbc\x01" + bytes(40),
    "PSD": b"8BPS" + bytes(40),
    "ICO": saved(make_image(height=32, width=32), "ICO"),
    "DDS": saved(make_image(), "DDS"),
    "SVG": b'<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg"/>',
    "OpenEXR": b"\x76\x2f\x31\x01" + bytes(40),
    "QOI": b"qoif" + bytes(40),
}


@pytest.mark.parametrize("name", OTHERS)
def test_formats_that_are_not_read_are_unsupported_by_name(name):
    assert decode_pixels(OTHERS[name], DEFAULT_MAX_IMAGE_PIXELS) == (None, Status.UNSUPPORTED)
    reason = formats.why_unsupported(np.frombuffer(OTHERS[name], np.uint8))
    assert reason and reason.startswith(f"{name} is not supported; convert it, for example to PNG")


def deep_jpeg2000(kind):
    """Says that the channels of a codestream have 16 bits."""
    file = saved(make_image(kind), "JPEG2000", no_jp2=True)
    at = file.index(b"\xff\x51") + 40
    count = len(make_image(kind).getbands())
    return file[:at] + b"\x0f\1\1" * count + file[at + 3 * count :]


NOT_READ = {
    "JPEG 2000 of 16": deep_jpeg2000("RGB"),
    "TIFF of 16 from white to black": deep_tiff(deep_noise(1), photometric=0),
    "PNM of 16 in plain colors": b"P3 1 1 300\n1 2 3",
    "TIFF of 32": saved(Image.fromarray(np.full((8, 8), 70000, np.int32)), "TIFF"),
}


@pytest.mark.parametrize("name", NOT_READ)
def test_deep_channels_that_are_not_read_are_not_cut_in_silence(name):
    assert Image.open(io.BytesIO(NOT_READ[name])).width > 0
    assert decode_pixels(NOT_READ[name], DEFAULT_MAX_IMAGE_PIXELS) == (None, Status.UNSUPPORTED)
    kind, bits = re.match(r"(.*) of (\d+)", name).groups()
    reason = formats.why_unsupported(NOT_READ[name])
    assert reason and f"{kind} of {bits} bits a channel" in reason and "decode it in the source" in reason


def test_levels_of_a_jpeg_2000_file_with_16_bits():
    drawn = levels(65535).astype(np.uint16).reshape(33, 47)
    for options in ({}, {"no_jp2": True}):
        pixels, status = decode_pixels(saved(Image.fromarray(drawn), "JPEG2000", **options), DEFAULT_MAX_IMAGE_PIXELS)
        assert pixels is not None and (status, pixels.dtype, pixels.shape) == (Status.OK, np.uint16, (33, 47, 1))
        np.testing.assert_array_equal(pixels[..., 0], drawn)


def test_floating_point_numbers_are_levels_of_16_bits():
    numbers = np.random.default_rng(0).random((33, 47), np.float32)
    numbers[0, :2] = 0, 1
    file = saved(Image.fromarray(numbers), "TIFF")
    pixels, status = decode_pixels(file, DEFAULT_MAX_IMAGE_PIXELS)
    assert pixels is not None and (status, pixels.dtype, pixels.shape) == (Status.OK, np.uint16, (33, 47, 1))
    np.testing.assert_allclose(pixels[..., 0] / 65535, numbers, atol=0.5001 / 65535)
    numbers[1, :6] = -1e-6, 1.00001, np.inf, -np.inf, -300, 255
    clipped, _ = decode_pixels(saved(Image.fromarray(numbers), "TIFF"), DEFAULT_MAX_IMAGE_PIXELS)
    assert clipped is not None and clipped[1, :6, 0].tolist() == [0, 65535, 65535, 0, 0, 65535]  # as in DALI
    np.testing.assert_array_equal(clipped[2:], pixels[2:])
    numbers[3, 3] = np.nan
    file = saved(Image.fromarray(numbers), "TIFF")
    assert decode_pixels(file, DEFAULT_MAX_IMAGE_PIXELS) == (None, Status.UNSUPPORTED)
    assert "floating-point numbers other than one channel of 32 bits" in formats.why_unsupported(file)


def test_avif_files_of_10_bits_become_8_as_in_pillow():
    file, levels = deep_avif()
    pixels, status = decode_pixels(file, DEFAULT_MAX_IMAGE_PIXELS)
    assert pixels is not None and status == Status.OK
    np.testing.assert_array_equal(pixels, own_pixels(file))
    np.testing.assert_array_equal(pixels, np.rint(levels / 1023 * 255).astype(np.uint8))


def test_a_pillow_without_avif_is_named(monkeypatch):
    monkeypatch.setattr(AvifImagePlugin, "SUPPORTED", False)
    file = FILES["avif RGB"]
    assert decode_pixels(file, DEFAULT_MAX_IMAGE_PIXELS) == (None, Status.UNSUPPORTED)
    assert "pip install -U pillow" in str(formats.why_unsupported(file))


@pytest.mark.parametrize("name", DEEP)
def test_channels_of_16_bits_are_read_whole(name):
    file, expected = DEEP[name]
    pixels, status = decode_pixels(file, DEFAULT_MAX_IMAGE_PIXELS)
    assert pixels is not None and (status, pixels.dtype) == (Status.OK, np.uint16)
    np.testing.assert_array_equal(pixels, expected)
    assert decode_pixels(file[:-40], DEFAULT_MAX_IMAGE_PIXELS) == (None, Status.TRUNCATED)


def test_variants_that_pillow_does_not_read_are_unsupported():
    lab = saved(Image.new("LAB", (8, 8)), "TIFF")
    assert decode_pixels(lab, DEFAULT_MAX_IMAGE_PIXELS) == (None, Status.UNSUPPORTED)
    assert "a variant of TIFF that is not read" in str(formats.why_unsupported(lab))
    assert formats.why_unsupported(b"no image at all") is formats.why_unsupported(pillow_jpeg(8, 8)) is None


def test_jpeg_files_are_not_decoded_here():
    with pytest.raises(ConfigError, match=r"jaxdali\.image\.decode"):
        decode_pixels(pillow_jpeg(8, 8), DEFAULT_MAX_IMAGE_PIXELS)


def test_pillows_warnings_do_not_leak_from_any_thread():
    # Warnings are errors in this suite, so a leak raises in the thread.
    results = []

    def decode_some():
        for _ in range(20):
            file = FILES["png transparent palette"]
            results.append(decode_pixels(file, DEFAULT_MAX_IMAGE_PIXELS)[1])

    before = list(warnings.filters)
    threads = [threading.Thread(target=decode_some) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [Status.OK] * 80
    assert warnings.filters == before


def test_neither_pillow_nor_jax_is_imported_before_it_is_needed():
    program = (
        "import sys; from jaxdali._base import formats; assert formats.recognise(b'BM' + bytes(20));"
        "assert not {'PIL', 'jax'} & set(sys.modules), 'imported'"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        env={"PYTHONPATH": ":".join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
