"""Progressive files with the kernels of `decoder="cuda"`, on the host: libjpeg-turbo's pixels, or the file is refused."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from progressive_files import SAMPLINGS, ProgressiveFile, Scan, random_script
from test_parallel_jpeg import (
    assert_is_pillows,
    by_pillow,
    decode,
    encoded,
    luma_by_pillow,
    photograph,
    room_for_large_files,
)

__all__ = ["room_for_large_files"]  # a fixture of this file, too

# libjpeg's own, jcparam.c, jpeg_simple_progression.
PILLOWS = [
    Scan((0, 1, 2), 0, 0, 0, 1),
    Scan((0,), 1, 5, 0, 2),
    Scan((2,), 1, 63, 0, 1),
    Scan((1,), 1, 63, 0, 1),
    Scan((0,), 6, 63, 0, 2),
    Scan((0,), 1, 63, 2, 1),
    Scan((0, 1, 2), 0, 0, 1, 0),
    Scan((2,), 1, 63, 1, 0),
    Scan((1,), 1, 63, 1, 0),
    Scan((0,), 1, 63, 1, 0),
]
WHOLE = [Scan((0,), 0, 0, 0, 0), Scan((0,), 1, 63, 0, 0)]  # of a gray file


def gray(script: Sequence[Scan], height: int = 30, width: int = 45, density: float = 0.2) -> bytes:
    return ProgressiveFile(height, width, None, 0, density).encoded(script)


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 1 << 30),
    height=st.integers(1, 90),
    width=st.integers(1, 90),
    sampling=st.sampled_from([None, *SAMPLINGS.values()]),
    density=st.sampled_from([0.0, 0.02, 0.2, 0.7]),
    restarts=st.booleans(),
)
def test_any_script_gives_pillows_pixels(seed, height, width, sampling, density, restarts):
    script = random_script(random.Random(seed), 1 if sampling is None else 3, restarts)
    file = ProgressiveFile(height, width, sampling, seed, density).encoded(script)
    assert_is_pillows(file, decode(file)[0])


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 1 << 30),
    height=st.integers(1, 200),
    width=st.integers(1, 200),
    quality=st.integers(1, 100),
    subsampling=st.sampled_from(["4:4:4", "4:2:2", "4:2:0", "gray"]),
    restart=st.integers(0, 20),
)
def test_photographs_beside_baseline_ones(seed, height, width, quality, subsampling, restart):
    options = {"quality": quality, "progressive": True, "restart_marker_blocks": restart}
    if subsampling == "gray":
        file = encoded(photograph(height, width, seed), "L", **options)
    else:
        file = encoded(photograph(height, width, seed), subsampling=subsampling, **options)
    files = [encoded(photograph(50, 70, seed + 1), quality=80), file, encoded(photograph(9, 40, seed), optimize=True)]
    for name, pixels, luma in zip(files, decode(*files), decode(*files, luma=True), strict=True):
        assert_is_pillows(name, pixels)
        np.testing.assert_array_equal(luma, luma_by_pillow(name), strict=True)


def test_large_and_blank_and_full_swing():
    noise = np.random.default_rng(0).integers(0, 2, (64, 96, 3), np.uint8) * 255
    files = [encoded(np.full((1500, 2000, 3), 90, np.uint8), progressive=True)]  # runs of more than 32,767 blocks
    files += [encoded(photograph(700, 900, 0), quality=95, progressive=True)]
    files += [encoded(noise, quality=quality, subsampling="4:4:4", progressive=True) for quality in (1, 75, 100)]
    for file, pixels in zip(files, decode(*files), strict=True):
        assert_is_pillows(file, pixels)


def test_colours_stored_as_they_are():
    file = encoded(photograph(40, 60, 0), quality=90, keep_rgb=True, progressive=True)
    assert_is_pillows(file, decode(file)[0])
    assert decode(file, luma=True) == [None]


@pytest.mark.parametrize("seed", range(4))
def test_cut_after_each_scan_is_the_hosts(seed: int):
    """Then libjpeg smooths across blocks, because a script has not given all bits."""
    picture = ProgressiveFile(40, 50, SAMPLINGS["4:2:0"], seed)
    script = PILLOWS if seed == 0 else random_script(random.Random(seed), 3)
    cut = [picture.encoded(script[:scans]) for scans in range(1, len(script))]
    for file in cut:
        by_pillow(file)
    assert decode(*cut) == [None] * len(cut)
    whole = picture.encoded(script)
    assert_is_pillows(whole, decode(whole)[0])


@pytest.mark.parametrize(
    "script",
    [
        [WHOLE[0], Scan((0,), 1, 62, 0, 0)],
        [WHOLE[0], Scan((0,), 2, 63, 0, 0)],
        [WHOLE[0], Scan((0,), 1, 63, 0, 1)],
        [Scan((0,), 0, 0, 0, 1), WHOLE[1]],
        [WHOLE[0]],
        [WHOLE[1]],
        [WHOLE[1], WHOLE[0]],
        [*WHOLE, WHOLE[1]],
        [*WHOLE, WHOLE[0]],
        [WHOLE[0], Scan((0,), 1, 63, 0, 2), Scan((0,), 1, 63, 1, 0)],
        [WHOLE[0], Scan((0,), 1, 63, 0, 2), Scan((0,), 1, 63, 2, 0)],
        [WHOLE[0], Scan((0,), 1, 63, 1, 0)],
    ],
)
def test_other_scripts_are_the_hosts(script):
    sound = gray(WHOLE)
    left, pixels = decode(gray(script), sound)
    assert left is None
    assert_is_pillows(sound, pixels)


def test_as_many_scans_as_the_host_takes():
    script = [WHOLE[0]]
    script += [Scan((0,), k, k, 0, 7) for k in range(1, 64)]
    script += [Scan((0,), k, k, bit, bit - 1) for bit in range(7, 0, -1) for k in range(1, 64)]
    # 1 + 63 * 8 are 505: the last refinements are put together until 500, or 501, are left.
    files = []
    for scans in (500, 501):
        together = len(script) - scans + 1
        files.append(gray([*script[: scans - 1], Scan((0,), 64 - together, 63, 1, 0)], 8, 16))
        by_pillow(files[-1])
    pixels, left = decode(*files)
    assert_is_pillows(files[0], pixels)
    assert left is None


def test_cut_off_anywhere_is_the_hosts():
    file = gray([WHOLE[0], Scan((0,), 1, 63, 0, 1, restart=4), Scan((0,), 1, 63, 1, 0)], 24, 24)
    assert decode(*(file[:size] for size in range(len(file)))) == [None] * len(file)


@pytest.mark.parametrize("restart", [0, 3])
def test_every_damage_is_the_hosts_or_harmless(restart: int):
    """Damages each byte from the first scan on in turn. What is not refused must have libjpeg-turbo's pixels."""
    file = encoded(photograph(32, 40, 0), quality=50, progressive=True, restart_marker_blocks=restart)
    scan = file.index(b"\xff\xda")
    damaged = [file[:at] + bytes([file[at] ^ 0x55]) + file[at + 1 :] for at in range(scan, len(file))]
    taken = 0
    for changed, pixels in zip(damaged, decode(*damaged), strict=True):
        if pixels is None:
            continue
        taken += 1
        np.testing.assert_array_equal(pixels, by_pillow(changed))
    assert 0 < taken < len(damaged)


def test_restarts_out_of_order_are_the_hosts():
    file = gray([WHOLE[0], Scan((0,), 1, 63, 0, 0, restart=3)])
    assert_is_pillows(file, decode(file)[0])
    assert decode(file.replace(b"\xff\xd1", b"\xff\xd2", 1)) == [None]
    assert decode(file.replace(b"\xff\xd0", b"\xff\xff\xd0", 1)) == [None]


def test_quantizers_are_those_of_a_components_first_scan():
    picture = ProgressiveFile(20, 20, None, 0)
    other = b"\xff\xdb\x00\x43\x00" + bytes(range(1, 65))
    first, second = map(picture.scan, WHOLE)
    header = picture.header()
    files = [header + first + other + second + b"\xff\xd9", header + other + first + second + b"\xff\xd9"]
    assert (by_pillow(files[0]) != by_pillow(files[1])).any()
    for file, pixels in zip(files, decode(*files), strict=True):
        assert_is_pillows(file, pixels)


def test_coefficients_that_16_bits_do_not_hold_are_the_hosts():
    def scaled(low: int) -> bytes:
        script = [WHOLE[0], *(Scan((0,), 1, 63, bit + 1 if bit < low else 0, bit) for bit in range(low, -1, -1))]
        return ProgressiveFile(30, 45, None, 0, scale=1 << low).encoded(script)

    *sound, large = [scaled(low) for low in (4, 6, 13)]
    for file, pixels in zip(sound, decode(*sound), strict=True):
        assert_is_pillows(file, pixels)
    by_pillow(large)
    assert decode(large) == [None]


def test_what_lies_behind_an_image_does_not_matter():
    file = gray(WHOLE)
    assert_is_pillows(file, decode(file + bytes(1 << 20))[0])


def test_a_small_file_gets_no_memory_for_a_large_image():
    file = gray(WHOLE, 8, 8)
    frame = file.index(b"\xff\xc2") + 5
    assert decode(file[:frame] + bytes([250, 0, 250, 0]) + file[frame + 4 :]) == [None]
