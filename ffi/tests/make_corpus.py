"""Writes the inputs that the fuzz targets begin with: `make_corpus.py FOLDER`, a folder in it for each target."""

from __future__ import annotations

import io
import pathlib
import struct
import sys
import tarfile

import numpy as np
from PIL import Image

CONTROLS = 16  # as in fuzz_decode.cc
IMAGES_CONTROLS = 512  # as in fuzz_images.cc
PNG_CONTROLS = 8  # as in fuzz_png.cc
RECORDS_CONTROLS = 8  # as in fuzz_records.cc


def jpeg(height: int, width: int, mode: str = "RGB", orientation: int | None = None, **options) -> bytes:
    y, x = np.mgrid[:height, :width]
    waves = [127 + 90 * np.sin(x / 5 + k) * np.cos(y / (7 + k)) for k in range(3)]
    image = Image.fromarray(np.stack(waves, -1).astype(np.uint8)).convert(mode)
    if orientation is not None:
        exif = Image.Exif()
        exif[0x0112] = orientation
        options["exif"] = exif
    stream = io.BytesIO()
    image.save(stream, "JPEG", **options)
    return stream.getvalue()


def files():
    for subsampling in range(3):
        yield jpeg(33, 47, subsampling=subsampling, quality=80)
        yield jpeg(16, 16, subsampling=subsampling, progressive=True)
        yield jpeg(90, 33, subsampling=subsampling, progressive=True, restart_marker_blocks=3 * subsampling)
    yield jpeg(20, 30, "L")
    yield jpeg(20, 30, "CMYK")
    yield jpeg(40, 24, restart_marker_blocks=3)
    for orientation in range(2, 9):
        yield jpeg(9, 21, orientation=orientation)
    yield jpeg(1, 1)
    yield jpeg(1, 90)
    yield jpeg(120, 2, subsampling=2)
    whole = jpeg(64, 64, subsampling=2)
    yield whole[: len(whole) // 2]
    yield whole[:-2]
    yield bytes(3 * 8 * 8)


def field(number: int, value: bytes | int) -> bytes:
    """Of a protocol buffer; numbers are below 128."""
    if isinstance(value, int):
        return bytes([number << 3, value])
    return bytes([number << 3 | 2]) + _length(len(value)) + value


def _length(size: int) -> bytes:
    return bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])


def checksum(data: bytes) -> bytes:
    """CRC-32C, masked as in TFRecord files."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x82F63B78 * (crc & 1)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def tfrecord(data: bytes) -> bytes:
    size = struct.pack("<Q", len(data))
    return size + checksum(size) + data + checksum(data)


def example() -> bytes:
    numbers = struct.pack("<2f", 1, 2)
    values = {"a": field(3, field(1, bytes([5, 7]))), "b": field(1, field(1, b"text"))}
    values["c"] = field(2, field(1, numbers))
    return field(1, b"".join(field(1, field(1, key.encode()) + field(2, value)) for key, value in values.items()))


def archive(format: int) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=format) as tar:
        for name in ("a/1.jpg", "a/1.cls", "n" * 120 + "/2.jpg"):
            entry = tarfile.TarInfo(name)
            entry.size = 20
            tar.addfile(entry, io.BytesIO(bytes(range(20))))
        link = tarfile.TarInfo("link.jpg")
        link.type, link.linkname = tarfile.SYMTYPE, "a/1.jpg"
        tar.addfile(link)
    return stream.getvalue()


def array(shape: tuple[int, ...], dtype: str, order: str = "C") -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.ones(shape, dtype, order))
    return stream.getvalue()


def records():
    """Formats' numbers in fuzz_records.cc, where a record begins, and files."""
    yield 0, 0, tfrecord(example()) + tfrecord(b"") + tfrecord(bytes(40))
    part = struct.pack("<II", 0xCED7230A, 36) + struct.pack("<IfQQ", 0, 3.0, 1, 0) + bytes(12)
    yield 1, 0, part * 2 + struct.pack("<II", 0xCED7230A, 1 << 29 | 3) + bytes(4)
    for format in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        yield 2, 0, archive(format)
        yield 7, 512, archive(format)
    yield 3, 0, example()
    yield 3, 0, tfrecord(example())
    datum = b"".join(field(k, v) for k, v in {1: 3, 2: 4, 3: 5}.items()) + field(4, bytes(60)) + field(5, 9)
    yield 4, 0, datum
    yield 4, 0, field(4, jpeg(9, 9)) + field(5, 9) + field(7, 1)
    pixels = field(1, bytes([4, 5, 3])) + field(2, 3) + field(5, bytes(60))
    yield 5, 0, field(1, pixels) + field(1, field(1, 1) + field(2, 2) + field(4, 7))
    yield 6, 0, part
    for shape, dtype, order in (((4, 6), "<f4", "C"), ((4, 6), "<f4", "F"), ((), "|u1", "C"), ((2, 0, 3), "<i8", "C")):
        yield 8, 0, array(shape, dtype, order)
    # As many elements as 64 bits hold, and none more: 0.
    yield 8, 0, array((4, 6), "<f4").replace(b"(4, 6), }" + b" " * 18, b"(4294967296, 4294967296), }")
    yield 0, 0, tfrecord(example()) + tfrecord(bytes(40))[:30]


def pngs():
    for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"):
        for height, width in ((1, 1), (9, 7)):
            stream = io.BytesIO()
            Image.new("RGB", (width, height), (90, 3, 77)).convert("I" if mode == "I;16" else mode).convert(mode).save(
                stream, "PNG"
            )
            yield stream.getvalue()


def webps():
    waves = Image.open(io.BytesIO(jpeg(33, 47)))
    alpha = waves.convert("L")
    for lossless in (False, True):
        for height, width in ((1, 1), (9, 7), (33, 47)):
            for mode in ("RGB", "RGBA"):
                image = waves.resize((width, height)).convert(mode)
                if mode == "RGBA":
                    image.putalpha(alpha.resize((width, height)))
                for options in ({}, {"icc_profile": bytes(9)}, {"quality": 20, "method": 6}):
                    stream = io.BytesIO()
                    image.save(stream, "WEBP", lossless=lossless, **options)
                    yield stream.getvalue()


def clips():
    """Packed clips, as jaxdali/_feed/records/packed_clip.py writes them."""
    magic, words = 0x6A64636C69703031, 24
    for frames, height, width in ((2, 3, 5), (0, 3, 5)):
        head = [magic, 0, frames, height, width, *[0] * (words - 5)]
        head[20] = 8 * words
        yield struct.pack(f"<{words}q", *head) + bytes(frames * height * width * 3)
    for orientation in (1, 6):
        shown = (16, 32) if orientation < 5 else (32, 16)
        head = [magic, 1, 3, *shown, 4, 16, 32, orientation, 1, *range(6), 0x030201, 2, 8 * words, 8 * (words + 3), 0]
        stamps, begin = [0, 512, -(1 << 63)], 8 * (words + 3 + 8)
        table = [begin, 20, 0, 1, begin + 20, 12, 512, 0]
        note = b'{"file": "a.mp4"}\n'
        head += [begin + 32, len(note), 0]
        yield struct.pack(f"<{words + 11}q", *head, *stamps, *table) + bytes(32) + note


def write_webps(folder: pathlib.Path) -> None:
    for index, file in enumerate(webps()):
        for flags in (0, 1):  # files, with sizes that fit
            (folder / f"{index:02}_{flags}").write_bytes(bytes([flags]) + file)


def write_pngs(folder: pathlib.Path) -> None:
    for index, file in enumerate(pngs()):
        for flags in (0, 2, 6):  # files, with checksums that fit, indices into palettes
            (folder / f"{index:02}_{flags}").write_bytes(bytes([flags, *bytes(PNG_CONTROLS - 1)]) + file)
    draws = np.random.default_rng(2)
    for index in range(150):
        controls = draws.integers(0, 256, PNG_CONTROLS, np.uint8)
        controls[0] |= 1  # rows
        rows = draws.integers(0, 256, draws.integers(1, 400), np.uint8)
        (folder / f"rows_{index:03}").write_bytes(controls.tobytes() + rows.tobytes())


def write_records(folder: pathlib.Path) -> None:
    for index, (format, offset, file) in enumerate(records()):
        for option in (0, 1, 2, 3, 11, 64, 66, 67, 75, 128, 131):
            controls = bytes([format, option]) + struct.pack("<HHH", offset, max(len(file) - offset, 0), 0)
            (folder / f"{index:02}_{option}").write_bytes(controls + file)


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    for target in ("decode", "images", "jpeg", "png", "webp", "records", "clips"):
        (folder / target).mkdir(parents=True, exist_ok=True)
    write_pngs(folder / "png")
    write_webps(folder / "webp")
    write_records(folder / "records")
    for index, clip in enumerate(clips()):
        (folder / "clips" / str(index)).write_bytes(clip)
    draws = np.random.default_rng(0)
    sound = jpeg(40, 56, subsampling=2, quality=70, optimize=True)
    for index, file in enumerate(files()):
        (folder / "jpeg" / f"{index:02}").write_bytes(len(file).to_bytes(2, "big") + file + sound)
        for kind, flags in enumerate((0, 0, 1, 16, 128)):
            controls = draws.integers(0, 256, CONTROLS, np.uint8)
            controls[0] = flags
            controls[14] = 64 if kind == 0 else controls[14] & 63
            (folder / "decode" / f"{index:02}_{kind}").write_bytes(controls.tobytes() + file)
            # Below 160, numbers are what fits.
            controls = draws.integers(0, 160 if kind < 4 else 256, IMAGES_CONTROLS, np.uint8)
            controls[0] = kind
            (folder / "images" / f"{index:02}_{kind}").write_bytes(controls.tobytes() + file)
    # Results whose source columns take several rounds to sum up: mutations of small files seldom ask for them.
    wide = jpeg(12, 400, quality=30)
    for index in range(1000):
        controls = draws.integers(0, 160, IMAGES_CONTROLS, np.uint8)
        controls[0] = 1
        (folder / "images" / f"wide_{index:03}").write_bytes(controls.tobytes() + wide)


if __name__ == "__main__":
    main()
