"""Files with 16-bit channels, of which Pillow can only write gray ones."""

import io
import struct
import zlib

import numpy as np
from PIL import Image

HEIGHT, WIDTH = 21, 34


def deep_noise(channels, height=HEIGHT, width=WIDTH):
    return np.random.default_rng(channels).integers(0, 65536, (height, width, channels), np.uint16)


def deep_png(pixels, bits=16):
    """A PNG of 1 to 4 channels, gray, gray and alpha, RGB, RGB and alpha."""
    height, width, channels = pixels.shape
    rows = pixels.astype(">u2" if bits == 16 else np.uint8).reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, bits, (0, 4, 2, 6)[channels - 1], 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row.tobytes() for row in rows))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    )


def deep_tiff(pixels, *, order="<", photometric=None, compressed=False, orientation=1):
    """A TIFF file with one strip; RGB is not premultiplied with alpha."""
    height, width, channels = pixels.shape
    data = pixels.astype(order + "u2").tobytes()
    data = zlib.compress(data) if compressed else data
    entries = [
        (256, 4, [width]),
        (257, 4, [height]),
        (258, 3, [16] * channels),
        (259, 3, [8 if compressed else 1]),
        (262, 3, [(1 if channels == 1 else 2) if photometric is None else photometric]),
        (273, 4, [0]),
        (274, 3, [orientation]),
        (277, 3, [channels]),
        (278, 4, [height]),
        (279, 4, [len(data)]),
        *([(338, 3, [2])] if channels == 4 else []),
    ]
    table, beyond = b"", b""
    start = 8 + 2 + 12 * len(entries) + 4
    place = start + 8 * (channels > 1)
    for tag, kind, values in entries:
        words = struct.pack(f"{order}{len(values)}{'H' if kind == 3 else 'I'}", *([place] if tag == 273 else values))
        if len(words) > 4:
            words, beyond = struct.pack(order + "I", start), words.ljust(8, b"\0")
        table += struct.pack(order + "HHI", tag, kind, len(values)) + words.ljust(4, b"\0")
    head = (b"II" if order == "<" else b"MM") + struct.pack(order + "HIH", 42, 8, len(entries))
    return head + table + bytes(4) + beyond + data


def _gray_tiff(**options):
    stream = io.BytesIO()
    Image.fromarray(deep_noise(1)[..., 0]).save(stream, "TIFF", **options)
    return stream.getvalue()


DEEP = {
    **{f"png {channels}": (deep_png(deep_noise(channels)), deep_noise(channels)) for channels in (1, 2, 3, 4)},
    **{
        f"tiff {channels} {order}{' packed' if compressed else ''}": (
            deep_tiff(deep_noise(channels), order=order, compressed=compressed),
            deep_noise(channels),
        )
        for channels in (1, 3, 4)
        for order in "<>"
        for compressed in (False, True)
    },
    "tiff turned": (deep_tiff(deep_noise(3), orientation=6), np.rot90(deep_noise(3), -1)),
    "tiff turned gray": (deep_tiff(deep_noise(1), orientation=5), deep_noise(1).swapaxes(0, 1)),
    "tiff lzw": (_gray_tiff(compression="tiff_lzw"), deep_noise(1)),
}


class Files:
    """PNG files with each number of channels; every other one has 8 bits per channel."""

    def __len__(self):
        return 8

    def __call__(self, info):
        pixels = pixels_of(info.idx_in_epoch)
        return np.frombuffer(deep_png(pixels, 8 * pixels.dtype.itemsize), np.uint8)


def pixels_of(index):
    deep = deep_noise(1 + index // 2)
    return deep if index % 2 else (deep >> 8).astype(np.uint8)
