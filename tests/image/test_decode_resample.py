"""A window of a file, resized in one call: the reference's pixels, bit for bit, and decode's statuses."""

import dataclasses
import functools
import random

import image_reference as reference
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jpeg_files import pillow_jpeg, pillow_pixels, random_jpeg, start_of_frame, varied_jpegs
from progressive_files import SAMPLINGS, ProgressiveFile, random_script

from jaxdali._base.batch import Codec, Row, Status
from jaxdali.errors import ConfigError
from jaxdali.image import EncodedBatch, crop, decode, decode_resample, flip, normalize, resize

MEAN, STD = [123.0, 117.0, 104.0], [58.0, 57.0, 56.0]
FILES = varied_jpegs()


@functools.cache
def small_batch():
    return EncodedBatch.from_encoded(FILES)


def random_windows(batch, seed=0):
    draws = np.random.default_rng(seed)
    extents = np.asarray(batch.sizes)[:, :2]
    size = draws.integers(1, extents + 1)
    return np.concatenate([draws.integers(0, extents - size + 1), size], axis=1).astype(np.int32)


def windows_of(extents, size):
    """Returns windows of one size: at each edge, and around the borders of blocks."""
    places = [
        sorted({p for p in (*range(10), 14, 15, 16, 17, 18, 31, 33, e - s - 1, e - s) if 0 <= p <= e - s})
        for e, s in zip(extents, size, strict=True)
    ]
    return np.array([(y, x, *size) for y in places[0] for x in places[1]], np.int32)


def sampled_files():
    for luma in [(1, 1), (2, 1), (2, 2), (1, 2), (4, 1), (4, 2)]:
        for restart_interval in (0, 3):
            file = random_jpeg(53, 75, [luma, (1, 1), (1, 1)], restart_interval=restart_interval)
            yield f"{luma} restart {restart_interval}", file
    yield "gray", pillow_jpeg(53, 75, mode="L")
    yield "CMYK", pillow_jpeg(53, 75, mode="CMYK")
    yield "YCCK, sampled", random_jpeg(53, 75, [(2, 2), (1, 1), (1, 1), (2, 2)], adobe_transform=2)
    for subsampling in range(3):
        yield f"progressive {subsampling}", pillow_jpeg(53, 75, progressive=True, subsampling=subsampling)
    yield "few progressive scans", unfinished_progressive()
    for seed, (name, sampling) in enumerate(SAMPLINGS.items()):
        script = random_script(random.Random(seed), 3, restarts=seed % 2 == 0)
        file = ProgressiveFile(53, 75, sampling, seed).encoded(script)
        yield f"{name}, {len(script)} scans", file
        yield f"{name}, {len(script)} damaged scans", damaged_scans(file)
    yield "sequential, 3 scans", random_jpeg(53, 75, [(2, 2), (1, 1), (1, 1)], interleaved=False)
    yield "narrow", pillow_jpeg(64, 3, subsampling=2)
    yield "low", pillow_jpeg(3, 64, subsampling=2)
    for orientation in range(2, 9):
        yield f"orientation {orientation}", pillow_jpeg(53, 75, orientation=orientation, subsampling=2)


def unfinished_progressive():
    """Makes a progressive file without its last scans, which libjpeg smooths across blocks."""
    file = pillow_jpeg(53, 75, progressive=True, quality=30)
    scans = [at for at in range(len(file)) if file[at : at + 2] == b"\xff\xda"]
    return file[: scans[2]] + b"\xff\xd9"


def damaged_scans(file):
    """Sets a byte near the start of each scan's data: of such damage libjpeg only warns."""
    data = bytearray(file)
    for scan in (at for at in range(len(file)) if file[at : at + 2] == b"\xff\xda"):
        at = scan + 2 + int.from_bytes(file[scan + 2 : scan + 4], "big") + 3
        if 0xFF not in data[at - 3 : at + 3]:
            data[at] = 0x5A
    return bytes(data)


@pytest.mark.parametrize("file", [pytest.param(f, id=name) for name, f in sampled_files()])
@pytest.mark.parametrize("size", [(1, 1), (2, 3), (17, 30)])
def test_a_window_has_the_pixels_of_the_whole_image(file, size):
    whole = np.asarray(decode(EncodedBatch.from_encoded([file])))[0]
    size = tuple(map(min, size, whole.shape))
    windows = windows_of(whole.shape[:2], size)
    batch = EncodedBatch.from_encoded([file]).take(np.zeros(len(windows), int))
    got = np.asarray(decode_resample(batch, windows, size))  # no pixel is resized
    expected = np.stack([whole[y : y + h, x : x + w] for y, x, h, w in windows])
    wrong = np.flatnonzero((got != expected).any(axis=(1, 2, 3)))
    assert wrong.size == 0, windows[wrong[:5]]


@pytest.mark.parametrize("size", [(24, 20), (90, 100), (1, 1), (3, 200)], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_equals_the_reference(size, seed):
    batch = small_batch()
    windows, flips = random_windows(batch, seed), np.arange(16) % 3 == 0
    got = decode_resample(batch, windows, size, flip=flips)
    assert got.dtype == np.uint8
    np.testing.assert_array_equal(got, reference.decode_resample(FILES, windows, size, flip=flips))


@pytest.mark.parametrize("layout", ["HWC", "CHW"])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.float16, jnp.bfloat16, np.float32, np.int32])
def test_dtypes_and_layouts(dtype, layout):
    windows = random_windows(small_batch())
    options = {"mean": MEAN, "std": STD, "scale": 60.0, "shift": 12.0, "dtype": dtype, "layout": layout}
    got = decode_resample(small_batch(), windows, (9, 11), **options)
    expected = reference.decode_resample(FILES, windows, (9, 11), **options)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("own", ["mean", "std"])
def test_moments_of_each_image(own):
    windows = random_windows(small_batch())
    values = np.random.default_rng(1).uniform(50, 60, (16, 3)).astype(np.float32)
    got = decode_resample(small_batch(), windows, (8, 8), **{own: values})
    assert got.dtype == np.float32
    np.testing.assert_array_equal(
        got, reference.decode_resample(FILES, windows, (8, 8), dtype=np.float32, **{own: values})
    )


def test_equals_its_steps():
    files = [file for file in FILES if pillow_pixels(file).shape[0] >= 30]
    batch = EncodedBatch.from_encoded(files)
    flips = np.arange(len(files)) % 2
    windows = np.tile(np.array([3, 4, 26, 30], np.int32), (len(files), 1))

    @jax.jit
    def steps(batch):
        pixels = decode(batch, (90, 90))
        pixels = resize(crop(pixels, windows[:, :2], (26, 30), batch.sizes), (40, 17))
        return normalize(flip(pixels, flips), MEAN, STD, dtype=jnp.bfloat16, output_layout="CHW")

    got = decode_resample(batch, windows, (40, 17), flip=flips, mean=MEAN, std=STD, dtype=jnp.bfloat16, layout="CHW")
    np.testing.assert_array_equal(got, steps(batch))


def test_whole_images_by_default_and_one_window_for_all():
    got = decode_resample(small_batch(), None, (10, 12))
    extents = np.asarray(small_batch().sizes)[:, :2]
    everything = np.concatenate([0 * extents, extents], axis=1)
    np.testing.assert_array_equal(got, reference.decode_resample(FILES, everything, (10, 12)))
    one = decode_resample(small_batch(), (1, 2, 20, 10), (10, 12), flip=True)
    expected = reference.decode_resample(FILES, [(1, 2, 20, 10)] * 16, (10, 12), flip=1)
    np.testing.assert_array_equal(one, expected)


def test_raw_rows_of_every_orientation():
    pixels = np.random.default_rng(0).integers(0, 256, (11, 14, 3)).astype(np.uint8)
    rows = np.tile(np.array([0, pixels.size, 11, 14, 3, Codec.RAW, 1, Status.OK], np.int32), (8, 1))
    rows[:, Row.ORIENTATION] = np.arange(1, 9)
    data = np.zeros((1, 512), np.uint8)
    data[0, : pixels.size] = pixels.reshape(-1)
    batch = EncodedBatch(jnp.asarray(data), jnp.asarray(rows), jnp.zeros((8, 3), jnp.int32))
    shown = np.asarray(decode(batch, (14, 14)))
    windows = np.array([[1, 2, 9, 7], [0, 0, 11, 11], [3, 0, 1, 1]], np.int32)
    for window in windows:
        top, left, height, width = window
        cut = shown[:, top : top + height, left : left + width]
        np.testing.assert_array_equal(decode_resample(batch, window, (6, 8)), reference.resize(cut, (6, 8)))


@pytest.mark.parametrize(
    "window",
    [(-1, 0, 5, 5), (0, -1, 5, 5), (36, 0, 5, 5), (0, 36, 5, 5), (0, 0, 0, 5), (0, 0, 5, -1), (2**31 - 1,) * 4],
)
def test_a_window_outside_of_its_image(window):
    windows = np.array([(0, 0, 40, 40), window], np.int32)
    batch = EncodedBatch.from_encoded([pillow_jpeg(40, 40)] * 2)
    got, status = decode_resample(batch, windows, (8, 8), mean=9, on_error="zeros")
    assert status.tolist() == [Status.OK, Status.TOO_LARGE]
    assert got[0].any() and not got[1].any()
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"jaxdali_images_v1: row 1: TOO_LARGE: the window"):
        jax.block_until_ready(decode_resample(batch, windows, (8, 8)))


@pytest.mark.parametrize(
    "options", [{}, {"progressive": True}, {"subsampling": 0}, {"mode": "CMYK"}, {"orientation": 6}]
)
def test_a_cut_file_is_truncated_whatever_the_window(options):
    file = pillow_jpeg(61, 75, **options)
    cuts = sorted({*range(3, len(file), len(file) // 60), *range(len(file) - 8, len(file) + 1)})
    batch = EncodedBatch.from_encoded([file[:cut] for cut in cuts])
    whole = pillow_pixels(file).shape
    expected = decode(batch, whole[:2], on_error="zeros")[1].tolist()
    assert {Status.OK, Status.TRUNCATED} == set(expected)
    for window in [(0, 0, 8, 8), (20, 30, 8, 8), (whole[0] - 8, whole[1] - 8, 8, 8)]:
        got, status = decode_resample(batch, window, (8, 8), on_error="zeros")
        assert status.tolist() == expected, window
        assert got.any(axis=(1, 2, 3)).tolist() == [s == Status.OK for s in expected]


def broken_files():
    good = pillow_jpeg(40, 40)
    sof = start_of_frame(good)
    yield "empty", b"", Status.CORRUPT
    yield "no image", b"hello, this is not an image at all", Status.CORRUPT
    yield "no tables", good[:2] + good[sof:], Status.CORRUPT
    yield "12 bits", good[: sof + 4] + b"\x0c" + good[sof + 5 :], Status.UNSUPPORTED
    yield "claims 65500 x 65500", good[: sof + 5] + b"\xff\xdc" * 2 + good[sof + 9 :], Status.TOO_LARGE


@pytest.mark.parametrize(("file", "status"), [pytest.param(f, s, id=name) for name, f, s in broken_files()])
def test_broken_files(file, status):
    good = pillow_jpeg(40, 40)
    batch = EncodedBatch.from_encoded([good, file, good])
    got, statuses = decode_resample(batch, (0, 0, 20, 20), (40, 40), on_error="zeros")
    assert statuses.tolist() == [Status.OK, status, Status.OK]
    assert got[0].any() and not got[1].any()
    with pytest.raises(jax.errors.JaxRuntimeError, match=rf"row 1: {status.name}: \w+"):
        jax.block_until_ready(decode_resample(batch, None, (40, 40)))


@pytest.mark.parametrize(
    ("column", "value", "status"),
    [
        (Row.OFFSET, -1, Status.CORRUPT),
        (Row.OFFSET, 2**31 - 1, Status.CORRUPT),
        (Row.SIZE, 2**31 - 1, Status.CORRUPT),
        (Row.SIZE, 0, Status.CORRUPT),
        (Row.HEIGHT, 0, Status.CORRUPT),
        (Row.HEIGHT, 39, Status.CORRUPT),
        (Row.WIDTH, 2**31 - 1, Status.CORRUPT),
        (Row.COMPONENTS, 1, Status.CORRUPT),
        (Row.CODEC, Codec.RAW, Status.CORRUPT),
        (Row.CODEC, 7, Status.UNSUPPORTED),
        (Row.ORIENTATION, 9, Status.CORRUPT),
        (Row.STATUS, Status.TOO_LARGE, Status.TOO_LARGE),
        (Row.STATUS, 99, Status.CORRUPT),
    ],
)
def test_rows_that_contradict_their_file(column, value, status):
    batch = EncodedBatch.from_encoded([pillow_jpeg(40, 40)] * 2)
    batch = dataclasses.replace(batch, rows=batch.rows.at[1, column].set(value))
    got, statuses = decode_resample(batch, (0, 0, 20, 20), (8, 8), on_error="zeros")
    assert statuses.tolist() == [Status.OK, status]
    assert not got[1].any()


def test_a_raw_row_of_immense_extents_is_not_believed():
    batch = EncodedBatch.from_encoded([pillow_jpeg(40, 40)])
    rows = np.array([[0, 3, 2**31 - 1, 2**31 - 1, 3, Codec.RAW, 1, Status.OK]], np.int32)
    batch = dataclasses.replace(batch, rows=jnp.asarray(rows))
    _, status = decode_resample(batch, (2**30, 2**30, 2**29, 2**29), (8, 8), on_error="zeros")
    assert status.tolist() == [Status.TOO_LARGE]


def test_inside_scan_and_cond():
    batch, windows = small_batch(), random_windows(small_batch())
    expected = np.asarray(decode_resample(batch, windows, (9, 7), flip=np.arange(16) % 2, mean=MEAN))

    @jax.jit
    def scanned(batch, windows, flips, mean):
        def step(carry, part):
            rows, sizes, window, flip = part
            files = EncodedBatch(batch.bytes, rows, sizes)
            return carry, decode_resample(files, window, (9, 7), flip=flip, mean=mean)

        parts = jax.tree.map(lambda x: x.reshape(4, 4, *x.shape[1:]), (batch.rows, batch.sizes, windows, flips))
        return jax.lax.scan(step, 0, parts)[1].reshape(16, 9, 7, 3)

    @jax.jit
    def chosen(wanted, batch, windows):
        made = functools.partial(decode_resample, size=(9, 7), flip=np.arange(16) % 2, mean=MEAN)
        return jax.lax.cond(wanted, made, lambda b, w: jnp.zeros(expected.shape), batch, windows)

    np.testing.assert_array_equal(scanned(batch, windows, np.arange(16) % 2, np.float32(MEAN)), expected)
    np.testing.assert_array_equal(chosen(True, batch, windows), expected)
    assert not chosen(False, batch, windows).any()


def test_empty_batch():
    assert decode_resample(EncodedBatch.from_encoded([]), None, (4, 5)).shape == (0, 4, 5, 3)


def test_vmap_says_what_to_do():
    batch = small_batch()
    mapped = jax.vmap(lambda i: decode_resample(batch.take(i), None, (4, 4)))
    with pytest.raises(ConfigError, match=r"cannot be mapped by jax\.vmap: call it before vmap"):
        mapped(jnp.arange(4).reshape(2, 2))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch": FILES}, "decode_resample expects an EncodedBatch, got list"),
        ({"window": np.zeros((3, 4), int)}, r"window has shape \(3, 4\) for 16 images"),
        ({"window": (0.5, 0, 4, 4)}, "window is float64; expected whole pixels"),
        ({"size": (0, 4)}, "positive height and width"),
        ({"flip": np.zeros(3)}, r"flip has shape \(3,\) for 16 images"),
        ({"flip": "yes"}, "flip must be a number"),
        ({"mean": [1, 2]}, r"mean has shape \(2,\) for 16 images of 3 channels"),
        ({"std": [1, 0, 1]}, "standard deviation of 0"),
        ({"shift": [1, 2, 3]}, "shift has shape"),
        ({"dtype": np.complex64}, "dtype is"),
        ({"layout": "NHWC"}, "expected 'HWC' or 'CHW'"),
        ({"threads": -1}, "threads must be at least 0"),
        ({"on_error": "ignore"}, "on_error must be 'raise' or 'zeros', got 'ignore'"),
    ],
)
def test_arguments(options, message):
    with pytest.raises(ConfigError, match=message):
        decode_resample(**{"batch": small_batch(), "window": None, "size": (4, 4), **options})
