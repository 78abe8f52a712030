"""`jaxdali_decode_v1` on a GPU, compared with the same call on the CPU."""

from __future__ import annotations

import random
import struct

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jpeg_files import pillow_jpeg, start_of_frame
from progressive_files import SAMPLINGS, ProgressiveFile, random_script

from jaxdali._base.batch import Status
from jaxdali._device.ffi.compat import local_gpus
from jaxdali.errors import ConfigError
from jaxdali.image import EncodedBatch, decode

pytestmark = pytest.mark.gpu

# Levels by which a decoder may differ from libjpeg-turbo.
TOLERANCE = {"hardware": 1, "gpu": 3, "hybrid": 3, "cpu": 0, "cuda": 0}


def on(device, files):
    return EncodedBatch.from_encoded(files, device=device)


def both(files, canvas=None, **options):
    """Returns pixels and statuses of the GPU and of the CPU."""
    results = []
    for device in (local_gpus()[0], jax.local_devices(backend="cpu")[0]):
        pixels, status = decode(on(device, files), canvas, on_error="zeros", **options)
        assert pixels.devices() == status.devices() == {device}
        results.append((np.asarray(pixels).astype(np.int16), status.tolist()))
    return results


def difference(files, **options) -> int:
    (ours, our_status), (theirs, their_status) = both(files, **options)
    assert our_status == their_status == [Status.OK] * len(files)
    assert ours.shape == theirs.shape
    return int(np.abs(ours - theirs).max(initial=0))


SIZES = [(1, 1), (1, 9), (8, 1), (16, 16), (17, 31), (64, 48), (101, 203), (375, 500)]


@pytest.mark.parametrize("decoder", TOLERANCE)
@pytest.mark.parametrize("subsampling", ["4:4:4", "4:2:2", "4:2:0"])
def test_color_files_differ_by_no_more_than_the_decoder_may(subsampling, decoder):
    files = [pillow_jpeg(h, w, subsampling=subsampling, quality=90) for h, w in SIZES]
    assert difference(files, decoder=decoder) <= TOLERANCE[decoder]


@pytest.mark.parametrize("decoder", TOLERANCE)
def test_gray_files(decoder):
    assert difference([pillow_jpeg(h, w, mode="L") for h, w in SIZES], decoder=decoder) <= TOLERANCE[decoder]


def test_without_interpolation_chroma_is_repeated():
    files = [pillow_jpeg(375, 500, subsampling="4:2:0")]
    assert difference(files, jpeg_fancy_upsampling=False) > TOLERANCE["hybrid"]


@pytest.mark.parametrize("decoder", TOLERANCE)
def test_what_is_not_plain_is_equal(decoder):
    files = [
        pillow_jpeg(40, 56, mode="CMYK"),
        pillow_jpeg(40, 56, progressive=True),
        pillow_jpeg(33, 20, mode="L", progressive=True),
    ]
    assert difference(files, decoder=decoder) == 0


@pytest.mark.parametrize("subsampling", ["4:4:4", "4:2:2", "4:2:0"])
def test_progressive_photographs(subsampling):
    files = [pillow_jpeg(h, w, subsampling=subsampling, quality=90, progressive=True) for h, w in SIZES]
    files += [pillow_jpeg(1500, 2100, quality=95, progressive=True), pillow_jpeg(500, 700, quality=90)]
    assert difference(files) == 0


@pytest.mark.parametrize("sampling", [None, *SAMPLINGS.values()])
def test_progressive_files_with_any_script(sampling):
    files = []
    for seed in range(120):
        draws = random.Random(seed)
        script = random_script(draws, 1 if sampling is None else 3, restarts=seed % 2 == 0)
        height, width, density = draws.randint(1, 90), draws.randint(1, 90), draws.choice((0.0, 0.02, 0.2, 0.7))
        picture = ProgressiveFile(height, width, sampling, seed, density)
        # Some are smoothed across blocks, by the host.
        files.append(picture.encoded(script if seed % 8 else script[:-1]))
    for _ in range(3):
        assert difference(files) == 0


def test_damaged_progressive_files_among_sound_ones():
    sound = pillow_jpeg(120, 160, quality=85, progressive=True)
    draws = random.Random(0)
    files = [sound]
    for _ in range(250):
        damaged = bytearray(sound)
        for _ in range(draws.randint(1, 3)):
            damaged[draws.randrange(700, len(damaged))] ^= 1 << draws.randrange(8)
        files += [bytes(damaged), sound]
    (ours, our_status), (theirs, their_status) = both(files, (120, 160))
    assert our_status == their_status
    assert np.abs(ours - theirs).max() == 0


def test_restart_markers():
    files = [pillow_jpeg(200, 300, restart_marker_blocks=n, subsampling="4:4:4") for n in (1, 3, 8, 100)]
    assert difference(files) == 0


@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_every_orientation(mode):
    files = [pillow_jpeg(37, 60, mode=mode, orientation=n, subsampling="4:4:4") for n in range(1, 9)]
    assert difference(files) == 0


def test_pixels_of_files_that_are_no_jpeg():
    import io

    from PIL import Image

    def png(height, width):
        stream = io.BytesIO()
        Image.fromarray(np.random.default_rng(height).integers(0, 256, (height, width, 3), np.uint8)).save(
            stream, "PNG"
        )
        return stream.getvalue()

    assert difference([png(30, 40), pillow_jpeg(20, 90, subsampling="4:4:4"), png(1, 1)]) == 0


def test_large_images():
    assert difference([pillow_jpeg(6000, 8000, subsampling="4:2:0", quality=40), pillow_jpeg(1, 1)]) == 0


def bad_files():
    good = pillow_jpeg(120, 160)
    lying = bytearray(good)
    frame = start_of_frame(lying)
    lying[frame + 5 : frame + 9] = struct.pack(">HH", 240, 320)
    return {
        "half": good[: len(good) // 2],
        "no end": good[:-2],
        "garbage": random.Random(0).randbytes(2000),
        "lying": bytes(lying),
        "empty": b"",
    }


@pytest.mark.parametrize("decoder", ["hardware", "gpu", "hybrid", "cuda"])
def test_bad_files_among_good_ones_get_the_status_that_they_get_on_the_cpu(decoder):
    good = pillow_jpeg(120, 160, subsampling="4:4:4")
    files = [file for bad in bad_files().values() for file in (good, bad)] + [good]
    (ours, our_status), (theirs, their_status) = both(files, (240, 320), decoder=decoder)
    assert our_status == their_status
    assert our_status[::2] == [Status.OK] * (len(bad_files()) + 1) and any(our_status)
    # Decoders may differ where a frame has too little data.
    alike = [row for row, file in enumerate(files) if file != bad_files()["lying"]]
    assert np.abs(ours[alike] - theirs[alike]).max() <= TOLERANCE[decoder]


@pytest.mark.parametrize("decoder", TOLERANCE)
def test_pixels_do_not_depend_on_how_many_files_are_decoded(decoder):
    files = [pillow_jpeg(200 + k, 300, quality=60 + k % 40) for k in range(64)]
    whole = np.asarray(decode(on(local_gpus()[0], files), (264, 300), decoder=decoder))
    for first, count in [(0, 1), (1, 1), (2, 7), (10, 49), (10, 50), (10, 51)]:
        some = decode(on(local_gpus()[0], files[first : first + count]), (264, 300), decoder=decoder)
        np.testing.assert_array_equal(some, whole[first : first + count])


def test_a_bad_file_fails_the_call_by_name():
    batch = on(local_gpus()[0], [pillow_jpeg(20, 20), bad_files()["half"]])
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"row 1: TRUNCATED"):
        jax.block_until_ready(decode(batch, (120, 160)))


def test_inside_jit_cond_and_with_taken_rows():
    files = [pillow_jpeg(30 + k, 40, subsampling="4:4:4") for k in range(6)]
    batch = on(local_gpus()[0], files)
    assert batch.bytes.sharding.memory_kind == "pinned_host"
    whole = np.asarray(decode(batch, (40, 40)))
    inside = jax.jit(lambda b: decode(b, (40, 40)).astype(jnp.float32) * 2)(batch)
    np.testing.assert_array_equal(inside, whole * 2.0)
    chosen = jax.jit(lambda b, i: decode(b.take(i), (40, 40)))(batch, jnp.array([4, 1]))
    np.testing.assert_array_equal(chosen, whole[[4, 1]])
    either = jax.jit(
        lambda b, f: jax.lax.cond(f, lambda: decode(b, (40, 40)), lambda: jnp.zeros((6, 40, 40, 3), jnp.uint8))
    )
    np.testing.assert_array_equal(either(batch, True), whole)


def test_scan_over_rows_with_the_bytes_closed_over():
    batch = on(local_gpus()[0], [pillow_jpeg(32, 32, subsampling="4:4:4") for _ in range(8)])
    whole = np.asarray(decode(batch, (32, 32)))

    @jax.jit
    def scan(batch):
        def step(_, rows):
            part = EncodedBatch(batch.bytes, rows, batch.sizes[:2])
            return None, decode(part, (32, 32))

        return jax.lax.scan(step, None, batch.rows.reshape(4, 2, -1))[1]

    np.testing.assert_array_equal(np.asarray(scan(batch)).reshape(whole.shape), whole)


def test_bytes_in_device_memory_are_refused_with_what_to_do():
    batch = on(local_gpus()[0], [pillow_jpeg(16, 16)])
    memory = jax.sharding.SingleDeviceSharding(local_gpus()[0], memory_kind="device")
    there = EncodedBatch(jax.device_put(batch.bytes, memory), batch.rows, batch.sizes)
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"pinned_host"):
        jax.block_until_ready(decode(there, (16, 16)))


def test_an_unknown_decoder():
    with pytest.raises(ConfigError, match="hardware, gpu, hybrid, cpu, cuda"):
        decode(on(None, [pillow_jpeg(8, 8)]), (8, 8), decoder="fast")
