"""Makes JPEG files for tests, with Pillow, or by hand if Pillow cannot write them."""

from __future__ import annotations

import io
import random
import struct

import numpy as np
from PIL import Image, ImageOps


def photo(height: int, width: int, *, seed: int = 0) -> np.ndarray:
    """`uint8[height, width, 3]` with edges, gradients and noise, so that every stage matters."""
    draws = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width]
    channels = [127 + 90 * np.sin(x / 5 + k) * np.cos(y / (7 + k)) + 60 * ((x // 6 + y // 9 + k) % 2) for k in range(3)]
    noisy = np.stack(channels, -1) + draws.normal(0, 12, (height, width, 3))
    return noisy.clip(0, 255).astype(np.uint8)


def pillow_jpeg(height: int, width: int, *, mode: str = "RGB", orientation=None, **options) -> bytes:
    """A file written by Pillow; `options` are those of `Image.save`."""
    image = Image.fromarray(photo(height, width)).convert(mode)
    if orientation is not None:
        exif = Image.Exif()
        exif[0x0112] = orientation
        options["exif"] = exif
    stream = io.BytesIO()
    image.save(stream, "JPEG", **options)
    return stream.getvalue()


def varied_jpegs(mode_of_9: str = "RGB") -> list[bytes]:
    """16 small files of different extents, subsampling and orientations; 5 is progressive, 7 gray."""
    modes = {7: "L", 9: mode_of_9}
    return [
        pillow_jpeg(
            40 + 3 * k,
            70 - 2 * k,
            subsampling=k % 3,
            orientation=1 + k % 8,
            progressive=k == 5,
            mode=modes.get(k, "RGB"),
        )
        for k in range(16)
    ]


def segment(marker: int, body: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body


def with_segments(file: bytes, *segments: bytes) -> bytes:
    """`file` with segments inserted right after its start marker."""
    return file[:2] + b"".join(segments) + file[2:]


def start_of_frame(file: bytes) -> int:
    """The position of the first start-of-frame marker in a file by Pillow or `random_jpeg`."""
    at = 2
    while file[at + 1] not in (0xC0, 0xC1, 0xC2):
        at += 2 + struct.unpack_from(">H", file, at + 2)[0]
    return at


def random_jpeg(
    height: int,
    width: int,
    sampling: list[tuple[int, int]],
    *,
    adobe_transform: int | None = None,
    restart_interval: int = 0,
    interleaved: bool = True,
    seed: int = 0,
) -> bytes:
    """A baseline JPEG of random coefficients.

    Args:
        height, width: extents in pixels.
        sampling: (horizontal, vertical) factors of each component. Allows formats that
            Pillow does not write: 4:4:0 is [(1, 2), (1, 1), (1, 1)].
        adobe_transform: value for an Adobe segment; None = no segment. 4 components with 2 are
            YCCK, with 0 CMYK.
        restart_interval: MCUs between restart markers; 0 = no markers.
        interleaved: all components are in one scan; otherwise each has its own.
    """
    count = len(sampling)
    file = b"\xff\xd8"
    if adobe_transform is not None:
        file += segment(0xEE, b"Adobe" + struct.pack(">HHHB", 100, 0, 0, adobe_transform))
    file += segment(0xDB, b"\0" + bytes(4 + k // 2 for k in range(64)))
    factors = b"".join(bytes((k + 1, h << 4 | v, 0)) for k, (h, v) in enumerate(sampling))
    file += segment(0xC0, struct.pack(">BHHB", 8, height, width, count) + factors)
    # All codes have the same length, so the code of a symbol is its index in the list.
    file += segment(0xC4, b"\0" + bytes([0, 0, 0, 12] + [0] * 12) + bytes(range(12)))
    symbols = _ac_symbols()
    file += segment(0xC4, b"\x10" + bytes([0] * 7 + [len(symbols)] + [0] * 8) + bytes(symbols))
    if restart_interval:
        file += segment(0xDD, struct.pack(">H", restart_interval))
    widest = max(h for h, _ in sampling)
    tallest = max(v for _, v in sampling)
    if interleaved and count > 1:
        mcus = -(-height // (8 * tallest)) * -(-width // (8 * widest))
        scans = [(range(count), mcus)]
    else:
        sides = [(-(-height * v // (8 * tallest)), -(-width * h // (8 * widest))) for h, v in sampling]
        scans = [(range(k, k + 1), rows * columns) for k, (rows, columns) in enumerate(sides)]
    for number, (components, mcus) in enumerate(scans):
        selectors = b"".join(bytes((k + 1, 0)) for k in components)
        file += segment(0xDA, bytes((len(components),)) + selectors + b"\0\x3f\0")
        blocks_per_mcu = sum(h * v for h, v in sampling) if len(components) > 1 else 1
        file += _entropy_coded(mcus, blocks_per_mcu, restart_interval, seed + number)
    return file + b"\xff\xd9"


def _ac_symbols() -> list[int]:
    """End of block, and runs of up to 15 zeros before a value of 1 to 4 bits."""
    return [0] + [run << 4 | bits for run in range(16) for bits in range(1, 5)]


def _entropy_coded(mcus, blocks_per_mcu, restart_interval, seed) -> bytes:
    draws = random.Random(seed)
    codes = {symbol: code for code, symbol in enumerate(_ac_symbols())}
    out, bits = b"", ""
    for mcu in range(mcus):
        if restart_interval and mcu and mcu % restart_interval == 0:
            out += _stuffed(bits) + bytes((0xFF, 0xD0 + (mcu // restart_interval - 1) % 8))
            bits = ""
        for _ in range(blocks_per_mcu):
            size = draws.randrange(6)
            bits += f"{size:04b}" + _value_bits(draws, size)
            filled = 1  # coefficients written, including the DC one
            while draws.random() < 0.8:
                run, size = draws.randrange(16), draws.randrange(1, 5)
                if filled + run + 1 > 64:
                    break
                bits += f"{codes[run << 4 | size]:08b}" + _value_bits(draws, size)
                filled += run + 1
            if filled < 64:
                bits += f"{codes[0]:08b}"
    return out + _stuffed(bits)


def _value_bits(draws, size) -> str:
    return f"{draws.randrange(1 << size):0{size}b}" if size else ""


def _stuffed(bits: str) -> bytes:
    padded = bits + "1" * (-len(bits) % 8)
    return bytes(int(padded[at : at + 8], 2) for at in range(0, len(padded), 8)).replace(b"\xff", b"\xff\0")


def pillow_pixels(file: bytes) -> np.ndarray:
    """The oracle: decodes a file with Pillow. Raises what Pillow raises."""
    with Image.open(io.BytesIO(file)) as image:
        return np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
