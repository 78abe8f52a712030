"""Damaged files among sound ones: a GPU gives the same pixels and status as a CPU for each.

    python tests/gpu/test_damaged_gpu.py 100000

checks that many files, for a longer test or under compute-sanitizer.
"""

from __future__ import annotations

import sys

import jax
import numpy as np
import pytest
from jpeg_files import pillow_jpeg

from jaxdali._base.batch import Status
from jaxdali._device.ffi.compat import local_gpus
from jaxdali.image import EncodedBatch, decode

pytestmark = pytest.mark.gpu

BATCH = 256
EXTENTS = [(8, 8), (17, 31), (64, 48), (101, 203), (240, 160)]
CANVAS = (240, 208)


def sound_files() -> list[bytes]:
    files = []
    for number, (height, width) in enumerate(EXTENTS):
        for subsampling in ("4:4:4", "4:2:2", "4:2:0"):
            quality = (40, 75, 95)[number % 3]
            restarts = {"restart_marker_blocks": 3} if number % 2 else {}
            options = {"quality": quality, "subsampling": subsampling, "optimize": number % 2 == 0, **restarts}
            files.append(pillow_jpeg(height, width, **options))
        files.append(pillow_jpeg(height, width, mode="L", quality=85))
    return files


def damaged(file: bytes, draws: np.random.Generator) -> bytes:
    """The file with some bytes or bits changed, a piece missing, doubled, or cut off; one in eight is unchanged."""
    data = bytearray(file)
    kind = draws.integers(8)
    at = int(draws.integers(len(data)))
    # Most often after the header, where only the decoder can see it.
    if draws.integers(4):
        at = max(at, min(620, len(data) - 1))
    if kind == 0:
        return file
    if kind in (1, 2):
        data[at] ^= 1 << int(draws.integers(8))
    elif kind == 3:
        for place in draws.integers(at, len(data), 4):
            data[place] = int(draws.integers(256))
    elif kind == 4:
        del data[at : at + int(draws.integers(1, 40))]
    elif kind == 5:
        data[at:at] = data[at : at + int(draws.integers(1, 40))]
    elif kind == 6:
        del data[at:]
    else:
        marker = 0xD0 + int(draws.integers(10))
        data[at : at + 2] = bytes([0xFF, marker])
    return bytes(data)


def batch_of(number: int, sources: list[bytes]) -> list[bytes]:
    draws = np.random.default_rng(number)
    return [damaged(sources[int(draws.integers(len(sources)))], draws) for _ in range(BATCH)]


def check_batch(number: int, sources: list[bytes]) -> int:
    """Compares one batch. Returns how many of its files are bad."""
    files = batch_of(number, sources)
    places = local_gpus()[0], jax.local_devices(backend="cpu")[0]
    results = []
    for place in places:
        encoded = EncodedBatch.from_encoded(files, device=place)
        pixels, status = decode(encoded, CANVAS, on_error="zeros")
        results.append((np.asarray(pixels), np.asarray(status)))
    (ours, our_status), (theirs, their_status) = results
    np.testing.assert_array_equal(our_status, their_status, err_msg=f"batch {number}")
    np.testing.assert_array_equal(ours, theirs, err_msg=f"batch {number}")
    return int((their_status != Status.OK).sum())


def test_damaged_files_are_what_a_cpu_makes_of_them():
    sources = sound_files()
    bad = [check_batch(number, sources) for number in range(4)]
    assert 4 * BATCH // 10 < sum(bad) < 4 * BATCH, "some files are sound and some are not"


if __name__ == "__main__":
    count, found = int(sys.argv[1]), 0
    seeds = sound_files()
    for number in range(-(-count // BATCH)):
        found += check_batch(number, seeds)
    print(f"{-(-count // BATCH) * BATCH} files, {found} of them bad: all as on a CPU")
