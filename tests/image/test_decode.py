"""Decoded pixels and statuses are Pillow's, inside and outside jit."""

import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jpeg_files import pillow_jpeg, pillow_pixels, random_jpeg, start_of_frame

from jaxdali._base.batch import Codec, Row, Status
from jaxdali.errors import ConfigError
from jaxdali.image import EncodedBatch, decode, decode_resample

GRAY, YCC_444 = [(1, 1)], [(1, 1)] * 3
LUMA_SAMPLING = {
    "4:2:2": (2, 1),
    "4:2:0": (2, 2),
    "4:4:0": (1, 2),
    "4:1:1": (4, 1),
    "4:1:0": (4, 2),
}


def assert_equals_pillow(files, **options):
    batch = EncodedBatch.from_encoded(files)
    pixels, status = decode(batch, on_error="zeros", **options)
    pixels, sizes = np.asarray(pixels), np.asarray(batch.sizes)
    assert status.tolist() == [Status.OK] * len(files)
    for k, file in enumerate(files):
        expected = pillow_pixels(file)
        height, width, _ = expected.shape
        assert tuple(sizes[k]) == (height, width, 3)
        np.testing.assert_array_equal(pixels[k, :height, :width], expected)
        assert not pixels[k, height:].any() and not pixels[k, :, width:].any()


@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("subsampling", ["4:4:4", "4:2:2", "4:2:0"])
def test_color_files(subsampling, progressive):
    extents = [(1, 1), (1, 9), (8, 1), (16, 16), (17, 31), (64, 48), (101, 203)]
    assert_equals_pillow(
        [
            pillow_jpeg(h, w, subsampling=subsampling, progressive=progressive, quality=quality)
            for h, w in extents
            for quality in (30, 97)
        ]
    )


@pytest.mark.parametrize("mode", ["L", "CMYK"])
@pytest.mark.parametrize("progressive", [False, True])
def test_gray_and_cmyk_files(mode, progressive):
    extents = [(1, 1), (7, 33), (40, 56)]
    assert_equals_pillow([pillow_jpeg(h, w, mode=mode, progressive=progressive) for h, w in extents])


@pytest.mark.parametrize("luma", LUMA_SAMPLING.values(), ids=LUMA_SAMPLING)
@pytest.mark.parametrize("restart_interval", [0, 1, 3])
def test_sampling_factors_and_restart_markers(luma, restart_interval):
    assert_equals_pillow(
        [
            random_jpeg(h, w, [luma, (1, 1), (1, 1)], restart_interval=restart_interval, seed=h)
            for h, w in [(1, 1), (15, 17), (33, 50), (64, 64)]
        ]
    )


@pytest.mark.parametrize(
    ("sampling", "adobe_transform"),
    [
        (GRAY, None),
        (YCC_444, None),
        (YCC_444, 0),  # RGB
        (YCC_444, 1),
        ([(1, 1)] * 4, None),  # CMYK without Adobe's marker: Pillow inverts it anyway
        ([(1, 1)] * 4, 0),
        ([(1, 1)] * 4, 2),  # YCCK
        ([(2, 2), (1, 1), (1, 1), (2, 2)], 2),
    ],
)
def test_color_models(sampling, adobe_transform):
    assert_equals_pillow([random_jpeg(h, 29, sampling, adobe_transform=adobe_transform) for h in (1, 16, 37)])


@pytest.mark.parametrize("orientation", range(1, 9))
def test_orientations(orientation):
    extents = [(1, 1), (1, 5), (37, 20), (65, 130)]
    assert_equals_pillow([pillow_jpeg(h, w, orientation=orientation) for h, w in extents])


def test_a_batch_of_everything_on_a_larger_canvas():
    files = [
        pillow_jpeg(30, 50),
        pillow_jpeg(20, 60, mode="CMYK", orientation=8),
        random_jpeg(50, 10, [(1, 2), (1, 1), (1, 1)]),
        pillow_jpeg(1, 1, mode="L"),
    ]
    assert_equals_pillow(files, canvas=(64, 72), threads=1)


def test_raw_rows():
    pixels = np.arange(5 * 7 * 3, dtype=np.uint8).reshape(5, 7, 3)
    rows = np.zeros((8, 8), np.int32)
    rows[:] = [0, pixels.size, 5, 7, 3, Codec.RAW, 1, Status.OK]
    rows[:, Row.ORIENTATION] = np.arange(1, 9)
    data = np.zeros((1, 128), np.uint8)
    data[0, : pixels.size] = pixels.reshape(-1)
    batch = EncodedBatch(jnp.asarray(data), jnp.asarray(rows), jnp.zeros((8, 3), jnp.int32))
    result = np.asarray(decode(batch, (7, 7)))
    turned = {
        1: pixels,
        2: pixels[:, ::-1],
        3: pixels[::-1, ::-1],
        4: pixels[::-1],
        5: pixels.swapaxes(0, 1),
        6: np.rot90(pixels, -1),
        7: pixels[::-1, ::-1].swapaxes(0, 1),
        8: np.rot90(pixels, 1),
    }
    for orientation, expected in turned.items():
        height, width, _ = expected.shape
        np.testing.assert_array_equal(result[orientation - 1, :height, :width], expected)


def files_to_cut():
    yield "baseline", pillow_jpeg(61, 75, quality=60)
    yield "4:4:4", pillow_jpeg(24, 24, subsampling="4:4:4")
    yield "progressive", pillow_jpeg(40, 40, progressive=True)
    yield "optimized gray", pillow_jpeg(24, 40, mode="L", optimize=True)
    yield "restarts", random_jpeg(40, 40, YCC_444, restart_interval=2)
    yield "turned", pillow_jpeg(24, 40, orientation=6)
    yield "larger than Pillow's block", pillow_jpeg(330, 330, quality=98, subsampling="4:4:4")


@pytest.mark.parametrize("file", [pytest.param(f, id=name) for name, f in files_to_cut()])
def test_cut_files_are_truncated_exactly_where_pillow_says_so(file):
    step = max(1, len(file) // 150)
    cuts = sorted({*range(3, len(file), step), *range(len(file) - 12, len(file) + 1)})
    batch = EncodedBatch.from_encoded([file[:cut] for cut in cuts])
    pixels, status = decode(batch, pillow_pixels(file).shape[:2], on_error="zeros")
    for k, cut in enumerate(cuts):
        try:
            expected = pillow_pixels(file[:cut])
        except (OSError, SyntaxError):
            assert (status[k], pixels[k].any()) == (Status.TRUNCATED, False), cut
        else:
            assert status[k] == Status.OK, cut
            np.testing.assert_array_equal(pixels[k], expected)


def broken_files():
    good = pillow_jpeg(40, 40)
    sof = start_of_frame(good)
    scan = good.index(b"\xff\xda")
    yield "empty", b"", Status.CORRUPT
    yield "no image", b"hello, this is not an image at all", Status.CORRUPT
    yield "no tables", good[:2] + good[sof:], Status.CORRUPT
    yield "second image inside", good[: sof + 19] + good[sof:], Status.CORRUPT
    yield "width 0", good[: sof + 7] + b"\0\0" + good[sof + 9 :], Status.CORRUPT
    yield "12 bits", good[: sof + 4] + b"\x0c" + good[sof + 5 :], Status.UNSUPPORTED
    yield "lossless", good[: sof + 1] + b"\xc3" + good[sof + 2 :], Status.UNSUPPORTED
    yield "two components", random_jpeg(8, 8, [(1, 1)] * 2), Status.UNSUPPORTED
    yield "height 0", good[: sof + 5] + b"\0\0" + good[sof + 7 :], Status.UNSUPPORTED
    claim = good[: sof + 5] + b"\xff\xdc" * 2 + good[sof + 9 :]
    yield "claims 65500 x 65500", claim, Status.TOO_LARGE
    progressive = pillow_jpeg(16, 16, progressive=True)
    at = progressive.index(b"\xff\xda")
    end = progressive.index(b"\xff", at + 2)
    bomb = progressive[:end] + progressive[at:end] * 600 + progressive[end:]
    yield "600 scans", bomb, Status.UNSUPPORTED
    yield "nonsense for the end marker", good[:-1] + b"\x05" + good[scan:], Status.CORRUPT


BROKEN = list(broken_files())


@pytest.mark.parametrize(("file", "status"), [pytest.param(f, s, id=name) for name, f, s in BROKEN])
def test_broken_files(file, status):
    good = pillow_jpeg(40, 40)
    batch = EncodedBatch.from_encoded([good, file, good])
    pixels, statuses = decode(batch, (40, 40), on_error="zeros")
    assert statuses.tolist() == [Status.OK, status, Status.OK]
    assert not pixels[1].any()
    np.testing.assert_array_equal(pixels[2], pillow_pixels(good))
    with pytest.raises(jax.errors.JaxRuntimeError, match=rf"row 1: {status.name}: \w+"):
        jax.block_until_ready(decode(batch, (40, 40)))


def test_libjpeg_writes_nothing_to_stderr(capfd):
    noisy = bytearray(pillow_jpeg(40, 40))
    noisy[-60:-20] = b"\xff\x00\x13" * 13 + b"\x00"
    files = [file for _, file, _ in BROKEN] + [bytes(noisy), pillow_jpeg(40, 40)[:-200]]
    decode(EncodedBatch.from_encoded(files), (64, 64), on_error="zeros")[1].block_until_ready()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("column", "value", "status"),
    [
        (Row.OFFSET, -1, Status.CORRUPT),
        (Row.OFFSET, 2**31 - 1, Status.CORRUPT),
        (Row.SIZE, 2**31 - 1, Status.CORRUPT),
        (Row.SIZE, -1, Status.CORRUPT),
        (Row.SIZE, 0, Status.TRUNCATED),
        (Row.HEIGHT, 0, Status.CORRUPT),
        (Row.HEIGHT, 39, Status.CORRUPT),
        (Row.HEIGHT, 65, Status.TOO_LARGE),
        (Row.WIDTH, -(2**31), Status.CORRUPT),
        (Row.WIDTH, 41, Status.CORRUPT),
        (Row.WIDTH, 2**31 - 1, Status.TOO_LARGE),
        (Row.COMPONENTS, 1, Status.CORRUPT),
        (Row.CODEC, Codec.RAW, Status.CORRUPT),
        (Row.CODEC, 7, Status.UNSUPPORTED),
        (Row.ORIENTATION, 0, Status.CORRUPT),
        (Row.ORIENTATION, 9, Status.CORRUPT),
        (Row.STATUS, Status.TOO_LARGE, Status.TOO_LARGE),
        (Row.STATUS, -1, Status.CORRUPT),
        (Row.STATUS, 99, Status.CORRUPT),
    ],
)
def test_rows_that_contradict_their_file(column, value, status):
    batch = EncodedBatch.from_encoded([pillow_jpeg(40, 40)] * 2)
    batch = dataclasses.replace(batch, rows=batch.rows.at[1, column].set(value))
    pixels, statuses = decode(batch, (64, 64), on_error="zeros")
    assert statuses.tolist() == [Status.OK, status]
    assert not pixels[1].any()


def test_an_image_larger_than_the_canvas_is_too_large_after_orientation():
    batch = EncodedBatch.from_encoded([pillow_jpeg(40, 20, orientation=6), pillow_jpeg(40, 20)])
    assert decode(batch, (20, 40), on_error="zeros")[1].tolist() == [Status.OK, Status.TOO_LARGE]
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"40 x 20 pixels.*canvas 20 x 40"):
        jax.block_until_ready(decode(batch, (20, 40)))


def test_the_first_bad_row_is_named():
    files = [pillow_jpeg(16, 16)] * 40
    files[17] = files[17][:-40]
    files[23] = b"nonsense"
    message = r"jaxdali_decode_v1: row 17: TRUNCATED: .*of the 40 rows of device 0"
    with pytest.raises(jax.errors.JaxRuntimeError, match=message):
        program = jax.jit(lambda b: decode(b, (16, 16)))
        jax.block_until_ready(program(EncodedBatch.from_encoded(files)))


FILES = [pillow_jpeg(20 + k, 40 - k) for k in range(16)]


@functools.cache
def small_batch():
    return EncodedBatch.from_encoded(FILES)


def test_empty_batch():
    assert decode(EncodedBatch.from_encoded([])).shape == (0, 0, 0, 3)
    assert decode(EncodedBatch.from_encoded([]), (4, 5)).shape == (0, 4, 5, 3)


def test_canvas_of_none_has_the_largest_extents():
    assert decode(small_batch()).shape == (16, 35, 40, 3)
    with pytest.raises(ConfigError, match=r"canvas=None .*give canvas=\(height, width\)"):
        jax.jit(decode)(small_batch())


def test_inside_scan_cond_and_grad():
    batch = small_batch()
    expected = np.asarray(decode(batch, (35, 40)))

    @jax.jit
    def scanned(batch):
        def step(carry, rows):
            part = EncodedBatch(batch.bytes, rows[0], rows[1])
            return carry, decode(part, (35, 40))

        parts = batch.rows.reshape(4, 4, 8), batch.sizes.reshape(4, 4, 3)
        return jax.lax.scan(step, 0, parts)[1].reshape(16, 35, 40, 3)

    @jax.jit
    def chosen(wanted, batch):
        zeros = jnp.zeros_like(expected)
        return jax.lax.cond(wanted, lambda b: decode(b, (35, 40)), lambda b: zeros, batch)

    def loss(scale, batch):
        return (scale * decode(batch, (35, 40)).astype(jnp.float32)).sum()

    np.testing.assert_array_equal(scanned(batch), expected)
    np.testing.assert_array_equal(chosen(True, batch), expected)
    assert not chosen(False, batch).any()
    np.testing.assert_allclose(jax.jit(jax.grad(loss))(1.0, batch), expected.sum(), rtol=1e-5)


def test_vmap_says_what_to_do():
    batch = small_batch()
    mapped = jax.vmap(lambda i: decode(batch.take(i), (35, 40)))
    for function in (mapped, jax.jit(mapped)):
        with pytest.raises(ConfigError, match=r"cannot be mapped by jax\.vmap: decode before vmap"):
            function(jnp.arange(4).reshape(2, 2))
    # JAX itself refuses to map a batch of several images. For one image, or several stacked batches, only we do.
    one = EncodedBatch.from_encoded([pillow_jpeg(8, 8)])
    several = jax.tree.map(lambda *leaves: jnp.stack(leaves), one, one)
    for call, arguments in ((decode, ((8, 8),)), (decode_resample, (None, (4, 4)))):
        for mapped in (one, several):
            with pytest.raises(ConfigError, match=r"cannot be mapped by jax\.vmap"):
                jax.vmap(lambda b, call=call, arguments=arguments: call(b, *arguments))(mapped)
    with pytest.raises(ValueError, match="inconsistent sizes"):
        jax.vmap(decode)(batch)


@pytest.mark.parametrize(
    ("batch", "words"),
    [
        (np.zeros((4, 100), np.uint8), r"got uint8\[4, 100\]\. If it came from a Loader, .* return `bytes` instead"),
        ((np.zeros((4, 100), np.uint8), np.zeros((4, 1), np.int32)), "return `bytes` instead"),
        (np.zeros((4, 8, 8, 3), np.uint8), r"got uint8\[4, 8, 8, 3\]\. Make one with jaxdali\.EncodedBatch"),
        ([b"x"], r"got list\. Make one with .* that are `bytes` are files"),
    ],
    ids=["array", "pair", "pixels", "list"],
)
def test_what_is_no_batch(batch, words):
    for call, arguments in ((decode, ((8, 8),)), (decode_resample, (None, (4, 4)))):
        with pytest.raises(ConfigError, match=words):
            call(batch, *arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"canvas": (0, 4)}, "canvas height must be at least 1"),
        ({"canvas": (4, 2**31)}, r"canvas width must be at least 1 and below 2\*\*31"),
        ({"canvas": (2**30, 2**30)}, "canvas is .* at most 2147483647 numbers in a sample"),
        ({"canvas": (4, 4.5)}, "canvas width must be a static integer, got float"),
        ({"canvas": 4}, r"canvas must be \(height, width\) or None, got 4"),
        ({"threads": -1}, "threads must be at least 0"),
        ({"on_error": "ignore"}, "on_error must be 'raise' or 'zeros', got 'ignore'"),
    ],
)
def test_arguments(options, message):
    with pytest.raises(ConfigError, match=message):
        decode(small_batch(), **options)


@pytest.mark.parametrize(
    ("affinity", "words"),
    [(3, "a sequence of CPUs for each thread, got 3"), ([0], "a sequence of CPUs"), ([[-1]], "a CPU of affinity")],
)
def test_affinity_that_is_none(affinity, words):
    batch = EncodedBatch.from_encoded([pillow_jpeg(8, 8)])
    with pytest.raises(ConfigError, match=words):
        decode(batch, affinity=affinity)


def test_affinity_changes_no_pixel():
    file = pillow_jpeg(40, 30)
    batch = EncodedBatch.from_encoded([file] * 9)
    for affinity in ([[0]], [[], [0, 1]], [[1023], [1023]]):
        pixels = decode(batch, threads=2, affinity=affinity)
        assert all(np.array_equal(image, pillow_pixels(file)) for image in np.asarray(pixels))
