"""Which files a decoder on a GPU gets: plain ones that are complete, and no others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jpeg_files import pillow_jpeg, random_jpeg, segment, with_segments

from jaxdali._device.ffi.load import cpu_module

ADOBE = b"Adobe\0d\0\0\0\0"


def is_plain(file: bytes) -> bool:
    return cpu_module().is_plain_jpeg(np.frombuffer(file, np.uint8))


@pytest.mark.parametrize("extents", [(16, 16), (17, 31), (375, 500)])
@pytest.mark.parametrize("subsampling", ["4:4:4", "4:2:2", "4:2:0"])
def test_what_cameras_write_is_plain(extents, subsampling):
    assert is_plain(pillow_jpeg(*extents, subsampling=subsampling))
    assert is_plain(pillow_jpeg(*extents, subsampling=subsampling, restart_marker_blocks=3))


def test_gray_is_plain_and_so_are_metadata_and_bytes_behind_the_end():
    gray = pillow_jpeg(3, 5, mode="L")
    assert is_plain(gray)
    assert is_plain(gray + b"more")
    assert is_plain(with_segments(gray, segment(0xE1, b"Exif" + bytes(3000)), segment(0xFE, b"\xff\xd9 a comment")))
    assert is_plain(pillow_jpeg(30, 40, orientation=6))


@pytest.mark.parametrize(
    "file",
    [
        pillow_jpeg(40, 50, progressive=True),
        pillow_jpeg(40, 50, mode="CMYK"),
        pillow_jpeg(40, 15, subsampling="4:2:0"),
        pillow_jpeg(15, 40, subsampling="4:2:2"),
        random_jpeg(40, 40, [(4, 1), (1, 1), (1, 1)]),
        random_jpeg(40, 40, [(2, 2), (2, 1), (1, 1)]),
        random_jpeg(40, 40, [(1, 1)] * 3, adobe_transform=0),
        with_segments(pillow_jpeg(40, 50), segment(0xEE, ADOBE + b"\x02")),
        pillow_jpeg(40, 50)[:-2],
        b"\xff\xd8",
        b"",
        b"\x89PNG" + bytes(100),
    ],
    ids=[
        "progressive",
        "CMYK",
        "narrow",
        "low",
        "4:1:1",
        "odd chroma",
        "RGB",
        "YCCK",
        "no end",
        "start",
        "empty",
        "PNG",
    ],
)
def test_the_rest_is_not(file):
    assert not is_plain(file)


def test_a_restart_marker_out_of_order():
    file = bytearray(pillow_jpeg(64, 64, restart_marker_blocks=2))
    file[file.index(b"\xff\xd1") + 1] = 0xD3
    assert not is_plain(bytes(file))


@given(cut=st.integers(0, 10_000))
def test_no_file_that_ends_early_is_plain(cut):
    file = pillow_jpeg(60, 70)
    assert not is_plain(file[: cut % (len(file) - 1)])


@given(st.binary(max_size=300))
def test_random_bytes_are_not_plain(rest):
    assert not is_plain(b"\xff\xd8\xff" + rest)
