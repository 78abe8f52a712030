"""`jaxdali_decode_resample_v1` on a GPU: the CPU's bits where libjpeg-turbo decodes, else the decoder's tolerance."""

from __future__ import annotations

import io

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jpeg_files import pillow_jpeg, varied_jpegs
from PIL import Image

from jaxdali._base.batch import Status
from jaxdali._device.ffi.compat import local_gpus
from jaxdali.image import EncodedBatch, crop_windows, decode, decode_resample, flip, normalize, resize
from jaxdali.random import resized_crop_window, sample_keys

pytestmark = pytest.mark.gpu

TOLERANCE = {"hardware": 1, "gpu": 3, "hybrid": 3, "cpu": 0, "cuda": 0}
MEAN, STD = [123.0, 117.0, 104.0], [58.0, 57.0, 56.0]
FILES = varied_jpegs("CMYK")


def devices():
    return local_gpus()[0], jax.local_devices(backend="cpu")[0]


def windows_of(batch, seed=0):
    draws = np.random.default_rng(seed)
    extents = np.asarray(batch.sizes)[:, :2]
    size = draws.integers(1, extents + 1)
    return np.concatenate([draws.integers(0, extents - size + 1), size], axis=1).astype(np.int32)


def both(files, size, **options):
    """Returns the results of the GPU and of the CPU, with a different window for each image."""
    results = []
    for device in devices():
        batch = EncodedBatch.from_encoded(files, device=device)
        images = decode_resample(batch, windows_of(batch), size, **options)
        assert images.devices() == {device}
        results.append(np.asarray(images))
    return results


@pytest.mark.parametrize("decoder", TOLERANCE)
@pytest.mark.parametrize("size", [(1, 1), (7, 300), (64, 48)])
def test_the_gpu_makes_what_the_cpu_makes(size, decoder):
    flips = np.arange(16) % 3 == 0
    ours, theirs = both(FILES, size, flip=flips, decoder=decoder)
    assert np.abs(ours.astype(int) - theirs).max() <= TOLERANCE[decoder]


@pytest.mark.parametrize("layout", ["HWC", "CHW"])
@pytest.mark.parametrize("dtype", [jnp.uint8, jnp.int8, jnp.float16, jnp.bfloat16, jnp.float32, jnp.int32])
def test_every_type_and_layout_bit_for_bit(dtype, layout):
    ours, theirs = both(
        FILES, (30, 20), mean=MEAN, std=STD, scale=40, shift=100, dtype=dtype, layout=layout, decoder="cpu"
    )
    assert ours.dtype == theirs.dtype == dtype
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("decoder", ["hardware", "gpu", "cuda"])
@pytest.mark.parametrize("own", [False, True])
def test_fused_is_unfused_on_the_gpu(own, decoder):
    """The kernel uses the pixels that `decode` gives, whichever decoder makes them."""
    batch = EncodedBatch.from_encoded(FILES, device=devices()[0])
    windows, flips = windows_of(batch, 1), np.arange(16) % 2 == 0
    mean = np.linspace(90, 140, 48).reshape(16, 3) if own else MEAN
    fused = decode_resample(batch, windows, (33, 47), flip=flips, mean=mean, std=STD, decoder=decoder)
    pixels = decode(batch, (90, 90), decoder=decoder)
    cut = crop_windows(pixels, windows, batch.sizes)
    shapes = np.concatenate([windows[:, 2:], np.full((16, 1), 3)], axis=1)
    steps = normalize(flip(resize(cut, (33, 47), shapes), flips), mean, STD)
    np.testing.assert_array_equal(np.asarray(fused), np.asarray(steps))


def test_large_reductions_and_wide_results():
    """Sums over more rows and columns than a block keeps at a time, and results wider than a block."""
    stream = io.BytesIO()
    pixels = np.random.default_rng(0).integers(0, 256, (2500, 5000, 3), np.uint8)
    Image.fromarray(pixels).save(stream, "PNG")
    for size in [(1, 1), (3, 700), (900, 2)]:
        results = []
        for device in devices():
            batch = EncodedBatch.from_encoded([stream.getvalue()], device=device)
            results.append(np.asarray(decode_resample(batch, None, size)))
        np.testing.assert_array_equal(*results)


def test_more_images_than_one_group_takes():
    """Groups use the same memory in turn: each is resized before the next one is decoded into it."""
    files = [pillow_jpeg(233 + k % 5, 341 + k % 3, subsampling=2, quality=50 + k % 40) for k in range(300)]
    files[10] = files[100] = pillow_jpeg(250, 250, progressive=True)
    ours, theirs = both(files, (20, 24))
    np.testing.assert_array_equal(ours, theirs)
    batch = EncodedBatch.from_encoded(files, device=devices()[0])
    for _ in range(10):
        np.testing.assert_array_equal(np.asarray(decode_resample(batch, windows_of(batch), (20, 24))), ours)


def test_the_largest_images():
    files = [pillow_jpeg(6000, 8000, subsampling=2, quality=40), pillow_jpeg(1, 1), pillow_jpeg(40, 8000)]
    ours, theirs = both(files, (64, 96))
    np.testing.assert_array_equal(ours, theirs)


def test_bad_files_and_windows_among_good_ones():
    good = pillow_jpeg(60, 80, subsampling="4:4:4")
    files = [good, good[: len(good) // 2], b"no image", good, good]
    windows = np.array([[0, 0, 60, 80]] * 3 + [[10, 10, 51, 20], [5, 6, 50, 60]], np.int32)
    expected = [Status.OK, Status.TRUNCATED, Status.UNSUPPORTED, Status.TOO_LARGE, Status.OK]
    results = []
    for device in devices():
        batch = EncodedBatch.from_encoded(files, device=device)
        images, status = decode_resample(batch, windows, (16, 16), on_error="zeros", mean=MEAN)
        results.append(np.asarray(images))
        assert status.tolist()[:2] + status.tolist()[3:] == expected[:2] + expected[3:]
        assert not results[-1][1:4].any()
        with pytest.raises((jax.errors.JaxRuntimeError, ValueError), match="row 3: TOO_LARGE: the window of 51 x 20"):
            jax.block_until_ready(decode_resample(batch.take(np.array([0, 0, 0, 3])), windows[[0, 0, 0, 3]], (16, 16)))
    assert np.abs(results[0] - results[1]).max() == 0


def test_inside_jit_with_windows_made_there():
    gpu = devices()[0]
    batch = EncodedBatch.from_encoded(FILES, device=gpu)

    @jax.jit
    def step(batch, keys):
        window = resized_crop_window(keys, batch.sizes)
        images = decode_resample(batch, window, (32, 32), mean=MEAN, std=STD, dtype=jnp.bfloat16)
        return window, images, images.astype(jnp.float32).mean()

    window, images, _ = step(batch, sample_keys(0, 0, 0, np.arange(16)))
    again = decode_resample(batch, np.asarray(window), (32, 32), mean=MEAN, std=STD, dtype=jnp.bfloat16)
    np.testing.assert_array_equal(np.asarray(images), np.asarray(again))
    assert images.devices() == {gpu}
