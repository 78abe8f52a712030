"""Files with channels of more than 8 bits, of which Pillow can only write gray ones."""

import base64
import io
import struct
import zlib

import numpy as np
from PIL import Image

HEIGHT, WIDTH = 21, 34


def deep_noise(channels, height=HEIGHT, width=WIDTH):
    return np.random.default_rng(channels).integers(0, 65536, (height, width, channels), np.uint16)


def deep_avif():
    """An AVIF file of 10 bits, without loss, and its levels; `imagecodecs.avif_encode(levels, level=100)` made it."""
    y, x = np.mgrid[:12, :16]
    levels = np.stack([(x * (k + 3) * 11 + y * (7 - k) * 9) % 1024 for k in range(3)], -1)
    return base64.b64decode(_AVIF), levels


_AVIF = (
    "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAAAAAAAOcG"
    "l0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAETAAAB7wAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAABq"
    "aXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAAEAAAAAwAAAAQcGl4aQAAAAADCgoKAAAADGF2MUOBIEAAAAAAE2NvbHJuY2x4AAIAAgAAgAAAAB"
    "dpcG1hAAAAAAAAAAEAAQQBAoMEAAAB921kYXQSAAoIOAz++cCAgCQy4AMQAADQJgTR2gqkVvN+3XxG+R94kZAFS3WFjMQbUrPj/l7OjnBWgK8G"
    "gIQawsehjM9z3RQ6JTUGRFaJjxnOTGWEQYuX/v8wExzpTAVjWCbfufDxoXN51frIhYGXi5SgFAx6xOh8M/gx0PIWvpUNUs2QXf9+Gr9Enubf/m"
    "pS0Yd1RMIePOm4d8/JgDoBNogZAixTY6obK3XW5GENL4dddu9i2GN620QUsnFe55Tq4xUwLt/l0ucdSONS3ik5K+0Z0RYz6X6Js1ib3F2///vO"
    "jSspG1CjJ3fTYB3Mi+AiOrhSa/XPb90s9ciC795ebu0XL/+nQddORtRIs3JHI9zTwaWF2o9zT7zT72o91iVz4RF7CGPuLQ72jmUuk/DFu2QS3l"
    "yXg2YjO+eRIT6mVBrpo14DvwTnDz7tL6unEgW/3WvvfqvRgytjiLwFMVlfvDk+1k+1iLzncoXJ0bOxb6fU1/sotIfpwKB+VsdZVb////XjVgJl"
    "5/p7UntSVPybCFUQVVNJae1J7UlUQVRB7Unebp7T/XQoa7E0TFcTEg8451XfFcVonH/lL9CKNsTevVURFARASLkQRn7omXlN2oCaWzcKnnUNz+"
    "Y9DWWWQTUo+vJcZnxJ5hZGx0omGeMQkf2v8oA="
)


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
