"""The kernels of `decoder="cuda"`, run lane by lane on the host: libjpeg-turbo's pixels, or the file is refused."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageFile

from jaxdali._device.ffi import _cpu

SAMPLINGS = ("4:4:4", "4:2:2", "4:4:0", "4:2:0", "4:1:1")


def photograph(height: int, width: int, seed: int) -> np.ndarray:
    """Draws smooth areas, edges and noise, as photographs have them: `uint8[height, width, 3]`."""
    draws = np.random.default_rng(seed)
    y, x = np.mgrid[:height, :width]
    waves = [127 + 90 * np.sin(x / draws.uniform(3, 60) + k) * np.cos(y / draws.uniform(3, 60)) for k in range(3)]
    noise = draws.normal(0, draws.uniform(0, 30), (height, width, 3))
    image = np.stack(waves, -1) + noise * (x[..., None] > width // 2)
    image[height // 3 : height // 2, width // 4 : width // 2] = draws.uniform(0, 255, 3)
    return image.clip(0, 255).astype(np.uint8)


def encoded(image: np.ndarray, mode: str = "RGB", **options: Any) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(image).convert(mode).save(stream, "JPEG", **options)
    return stream.getvalue()


def photograph_file(height: int, width: int, seed: int, subsampling: str, **options: Any) -> bytes:
    """Makes a file of these extents.

    Pillow does not write 4:4:0 and 4:1:1. For those, a file with the same number of equal blocks gets a frame header
    that arranges them differently: the picture is another one, but the file is sound.
    """
    if subsampling == "4:4:0":
        file = encoded(photograph(width, height, seed), subsampling="4:2:2", **options)
        return with_frame(file, height, width, 0x12)
    if subsampling == "4:1:1":
        file = encoded(photograph(-(-height // 8) * 16, -(-width // 32) * 16, seed), subsampling="4:2:0", **options)
        return with_frame(file, height, width, 0x41)
    return encoded(photograph(height, width, seed), subsampling=subsampling, **options)


def with_frame(file: bytes, height: int, width: int, factors: int) -> bytes:
    frame = file.index(b"\xff\xc0") + 5
    extents = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    return file[:frame] + extents + file[frame + 4 : frame + 6] + bytes([factors]) + file[frame + 7 :]


def decode(*files: bytes, fancy_upsampling: bool = True, luma: bool = False, **options: int) -> list[np.ndarray | None]:
    return _cpu.decode_as_device(list(files), fancy_upsampling=fancy_upsampling, luma=luma, **options)


def by_pillow(file: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(file)) as image:
        return np.asarray(image.convert("RGB"))


def luma_by_pillow(file: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(file)) as image:
        # libjpeg is asked for the luma of the file, which differs from that of its RGB.
        image.draft("L", image.size)
        return np.asarray(image)[..., None]


def assert_is_pillows(file: bytes, pixels: np.ndarray | None) -> None:
    assert pixels is not None, "left to the host"
    np.testing.assert_array_equal(pixels, by_pillow(file))


@pytest.fixture(autouse=True)
def room_for_large_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImageFile, "MAXBLOCK", 1 << 22)


@pytest.mark.parametrize("subsampling", SAMPLINGS)
def test_every_sampling_at_odd_sizes(subsampling: str):
    extents = [(1, 1), (1, 40), (37, 1), (2, 2), (5, 3), (8, 8), (15, 17), (16, 33), (33, 16), (65, 130)]
    files = [
        photograph_file(*extent, seed, subsampling, quality=60 + 4 * seed, optimize=bool(seed % 2))
        for seed, extent in enumerate(extents)
    ]
    for file, pixels in zip(files, decode(*files), strict=True):
        assert_is_pillows(file, pixels)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 1 << 30),
    height=st.integers(1, 200),
    width=st.integers(1, 200),
    quality=st.integers(1, 100),
    subsampling=st.sampled_from(SAMPLINGS),
    restart=st.integers(0, 20),
    optimize=st.booleans(),
    is_gray=st.booleans(),
)
def test_pixels_are_pillows(seed, height, width, quality, subsampling, restart, optimize, is_gray):
    options = {"quality": quality, "optimize": optimize, "restart_marker_blocks": restart}
    if is_gray:
        file = encoded(photograph(height, width, seed), "L", **options)
    else:
        file = photograph_file(height, width, seed, subsampling, **options)
    other = encoded(photograph(50, 70, seed + 1), quality=80)
    for name, pixels, luma in zip((file, other), decode(file, other), decode(file, other, luma=True), strict=True):
        assert_is_pillows(name, pixels)
        np.testing.assert_array_equal(luma, luma_by_pillow(name), strict=True)


def test_colours_stored_as_they_are():
    file = encoded(photograph(40, 60, 0), quality=90, keep_rgb=True)
    assert_is_pillows(file, decode(file)[0])
    # It has no luma that could be taken.
    assert decode(file, luma=True) == [None]


def test_full_swing_noise():
    image = np.random.default_rng(0).integers(0, 2, (64, 96, 3), np.uint8) * 255
    files = [encoded(image, quality=quality, subsampling="4:4:4") for quality in (1, 30, 75, 90)]
    files += [encoded(image, quality=quality, subsampling="4:2:0") for quality in (1, 30)]
    for file, pixels in zip(files, decode(*files), strict=True):
        assert_is_pillows(file, pixels)


def test_large_and_blank_images_beside_small_ones():
    blank = np.full((300, 400, 3), 200, np.uint8)
    files = [encoded(photograph(700, 900, 0), quality=95), encoded(blank), encoded(photograph(9, 9, 1))]
    for file, pixels in zip(files, decode(*files), strict=True):
        assert_is_pillows(file, pixels)


@pytest.mark.parametrize("restart", [0, 1, 7, 500], ids="restarts {}".format)
def test_segments_across_chunks(restart: int):
    # Teams of the usual size take 8 KiB of a file, or 256 lanes, at a time.
    image = photograph(300, 400, 0) // 2 + np.random.default_rng(1).integers(0, 128, (300, 400, 3), np.uint8)
    file = encoded(image, quality=97, restart_marker_blocks=restart)
    assert len(file) > 10 * 8192
    small = encoded(photograph(9, 9, 1))
    for name, pixels in zip((small, file, small), decode(small, file, small), strict=True):
        assert_is_pillows(name, pixels)
    # Damage in any chunk is found, or harmless.
    draws = np.random.default_rng(2)
    scan = file.index(b"\xff\xda")
    places = [*range(scan + 14, len(file), 8192), *draws.integers(scan + 14, len(file), 30)]
    damaged = [file[:at] + b"\xff\xd0" + file[at + 2 :] for at in places] + [file[:at] for at in places]
    for changed, pixels in zip(damaged, decode(*damaged), strict=True):
        if pixels is not None:
            np.testing.assert_array_equal(pixels, by_pillow(changed))


def test_windows():
    # Whatever is made together, every image is the same; one that is too large for a window has one of its own.
    files = [
        photograph_file(40 + 9 * seed, 64, seed, SAMPLINGS[seed % 3], progressive=seed % 3 == 1, optimize=seed % 2 == 0)
        for seed in range(6)
    ]
    files[3] = files[3][: len(files[3]) // 2]
    files[4] = encoded(photograph(400, 500, 4))
    expected = decode(*files)
    assert [pixels is None for pixels in expected] == [index == 3 for index in range(6)]
    for most_window_bytes in (1, 60_000, 1 << 20):
        for luma in (False, True):
            whole = decode(*files, luma=luma)
            for one, other in zip(whole, decode(*files, luma=luma, most_window_bytes=most_window_bytes), strict=True):
                assert (one is None) == (other is None)
                if one is not None:
                    np.testing.assert_array_equal(one, other)
    for file, pixels in zip(files, expected, strict=True):
        if pixels is not None:
            assert_is_pillows(file, pixels)


def test_chroma_that_is_repeated():
    # Where chroma is constant, its interpolation does not matter. Luma is never interpolated.
    gray = np.repeat(photograph(40, 60, 0)[..., :1], 3, axis=-1)
    file = encoded(gray, quality=90, subsampling="4:2:0")
    assert_is_pillows(file, decode(file, fancy_upsampling=False)[0])
    colourful = encoded(photograph(40, 60, 0), quality=90, subsampling="4:2:0")
    (repeated,) = decode(colourful, fancy_upsampling=False)
    assert repeated is not None
    assert np.abs(repeated.astype(int) - by_pillow(colourful)).max() > 1


@pytest.mark.parametrize(
    "file",
    [
        encoded(photograph(40, 60, 0), "CMYK"),
        b"",
        b"\xff\xd8\xff\xd9",
        b"not a JPEG file",
    ],
    ids=["CMYK", "empty", "no image", "text"],
)
def test_other_files_are_the_hosts(file: bytes):
    sound = encoded(photograph(40, 60, 1))
    left, pixels = decode(file, sound)
    assert left is None
    assert_is_pillows(sound, pixels)


def test_cut_off_anywhere_is_the_hosts():
    file = encoded(photograph(48, 48, 0), quality=70)
    assert decode(*(file[:size] for size in range(len(file)))) == [None] * len(file)


def test_every_damage_is_the_hosts_or_harmless():
    # Damages each byte of the scan in turn. What is not refused must have libjpeg-turbo's pixels.
    file = encoded(photograph(48, 48, 0), quality=70, restart_marker_blocks=3)
    scan = file.index(b"\xff\xda")
    damaged = [file[:at] + bytes([file[at] ^ 0x55]) + file[at + 1 :] for at in range(scan + 14, len(file))]
    taken = 0
    for changed, pixels in zip(damaged, decode(*damaged), strict=True):
        if pixels is None:
            continue
        taken += 1
        np.testing.assert_array_equal(pixels, by_pillow(changed))
    assert 0 < taken < len(damaged)


def test_extents_beyond_libjpegs_are_the_hosts():
    file = encoded(photograph(8, 65500, 0), "L")
    assert_is_pillows(file, decode(file)[0])
    # As many blocks as before, and a sound file.
    assert decode(file.replace((65500).to_bytes(2, "big"), (65504).to_bytes(2, "big"), 1)) == [None]


def test_what_lies_behind_an_image_does_not_matter():
    file = encoded(photograph(40, 60, 0))
    assert_is_pillows(file, decode(file + bytes(1 << 20))[0])


def test_restarts_out_of_order_are_the_hosts():
    file = encoded(photograph(48, 48, 0), quality=70, restart_marker_blocks=3)
    assert_is_pillows(file, decode(file)[0])
    assert decode(file.replace(b"\xff\xd1", b"\xff\xd2", 1)) == [None]
    assert decode(file.replace(b"\xff\xd0", b"\xff\xff\xd0", 1)) == [None]
