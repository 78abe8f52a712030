"""Decoded pixels come in every form that files may be asked for in; rows with wrong numbers do no harm."""

import jax.numpy as jnp
import numpy as np
import pytest
import recipes_reference
from images_calls import FILES, call, random_recipe, whole_recipe
from jpeg_files import pillow_jpeg

from jaxdali import image
from jaxdali._base.batch import Codec, Row, Status
from jaxdali.image import EncodedBatch

RGB, GRAY, OWN = range(3)
HEIGHT, WIDTH = 5, 7
TURNS = {
    1: lambda pixels: pixels,
    2: lambda pixels: pixels[:, ::-1],
    3: lambda pixels: pixels[::-1, ::-1],
    4: lambda pixels: pixels[::-1],
    5: lambda pixels: pixels.swapaxes(0, 1),
    6: lambda pixels: np.rot90(pixels, -1),
    7: lambda pixels: pixels[::-1, ::-1].swapaxes(0, 1),
    8: lambda pixels: np.rot90(pixels, 1),
}


def noise(channels, dtype, height=HEIGHT, width=WIDTH):
    return np.random.default_rng(channels).integers(0, np.iinfo(dtype).max + 1, (height, width, channels), dtype)


def raw_row(pixels, orientation=1, **fields):
    """Makes data and a row of these pixels."""
    data = np.zeros((1, 64 + pixels.nbytes), np.uint8)
    data[0, : pixels.nbytes] = np.ascontiguousarray(pixels).reshape(-1).view(np.uint8)
    codec = Codec.of_pixels(pixels.dtype)
    row = np.array([[0, pixels.nbytes, *pixels.shape, codec, orientation, Status.OK]], np.int32)
    for name, value in fields.items():
        row[0, Row[name]] = value
    return data, row


def formed(pixels, color, channels, bits):
    """The oracle: pixels in the form that is asked for."""
    wide = pixels.astype(np.int64)
    if color == RGB:
        wide = wide[..., :3] if wide.shape[2] > 2 else wide[..., :1].repeat(3, 2)
    elif color == GRAY:
        wide = (wide[..., :3] @ [19595, 38470, 7471] + 32768 >> 16)[..., None] if wide.shape[2] > 2 else wide[..., :1]
    if bits == 16 and pixels.dtype == np.uint8:
        wide = wide * 257
    if bits == 8 and pixels.dtype == np.uint16:
        wide = np.floor(wide / 257 + 0.5)
    dtype = np.uint16 if bits == 16 else np.uint8
    return np.pad(wide, ((0, 0), (0, 0), (0, channels - wide.shape[2]))).astype(dtype)


def forms():
    """Returns forms of files: color, channels and bits."""
    return [(RGB, 3, 8), (RGB, 3, 16), (GRAY, 1, 8), (GRAY, 1, 16), (OWN, 4, 8), (OWN, 4, 16)]


@pytest.mark.parametrize("form", forms())
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_pixels_come_in_every_form(channels, dtype, form):
    color, wanted, bits = form
    pixels = noise(channels, dtype)
    for orientation, turn in TURNS.items():
        data, row = raw_row(pixels, orientation)
        expected = formed(turn(pixels), color, wanted, bits)
        recipe = whole_recipe(*expected.shape[:2], channels=wanted, dtype=expected.dtype)
        (found,), statuses = call(data, row, [recipe], source=FILES, color=color, channels=wanted, bits=bits)
        assert statuses.tolist() == [Status.OK]
        np.testing.assert_array_equal(found[0], expected)


@pytest.mark.parametrize("form", forms())
@pytest.mark.parametrize("seed", range(8))
def test_any_recipes_of_pixels_are_the_reference_s(seed, form):
    color, wanted, bits = form
    draws = np.random.default_rng(seed)
    pixels = noise(int(draws.integers(1, 5)), draws.choice([np.uint8, np.uint16]), 24, 19)
    data, row = raw_row(pixels)
    shown = formed(pixels, color, wanted, bits)
    recipes = [random_recipe(draws, [shown.shape[:2]], wanted) for _ in range(3)]
    results, statuses = call(data, row, recipes, source=FILES, color=color, channels=wanted, bits=bits)
    expected, made = recipes_reference.images([shown], recipes)
    assert ((statuses == Status.OK) == made).all()
    for result, wanted_result in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, wanted_result)


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
@pytest.mark.parametrize("orientation", [1, 6])
def test_jpeg_files_come_in_every_form(mode, orientation):
    batch = EncodedBatch.from_encoded([pillow_jpeg(20, 30, mode=mode, orientation=orientation)])
    data, rows = np.asarray(batch.bytes), np.asarray(batch.rows)
    size = (30, 20) if orientation == 6 else (20, 30)

    def read(color, channels, bits):
        recipe = whole_recipe(*size, channels=channels, dtype=np.uint16 if bits == 16 else np.uint8)
        (found,), statuses = call(data, rows, [recipe], source=FILES, color=color, channels=channels, bits=bits)
        assert statuses.tolist() == [Status.OK]
        return found[0]

    for color, channels in ((RGB, 3), (GRAY, 1)):
        np.testing.assert_array_equal(read(color, channels, 16), read(color, channels, 8).astype(np.uint16) * 257)
    own = read(OWN, 4, 8)
    count = 1 if mode == "L" else 3
    np.testing.assert_array_equal(own[..., :count], read(GRAY, 1, 8) if mode == "L" else read(RGB, 3, 8))
    assert not own[..., count:].any()


def test_a_file_of_more_channels_than_its_images_have_fails():
    for pixels, channels, status in (
        (noise(4, np.uint8), 3, Status.TOO_LARGE),
        (noise(2, np.uint16), 1, Status.TOO_LARGE),
        (noise(2, np.uint16), 2, Status.OK),
    ):
        data, row = raw_row(pixels)
        recipe = whole_recipe(HEIGHT, WIDTH, channels=channels)
        (found,), statuses = call(data, row, [recipe], source=FILES, color=OWN, channels=channels)
        assert statuses.tolist() == [status]
        assert found.any() == (status == Status.OK)


@pytest.mark.parametrize(
    "fields",
    [
        {"COMPONENTS": 0},
        {"COMPONENTS": 5},
        {"COMPONENTS": -1},
        {"COMPONENTS": 2**31 - 1},
        {"COMPONENTS": 3},
        {"SIZE": HEIGHT * WIDTH * 4 - 1},
        {"SIZE": 0},
        {"CODEC": Codec.RAW16},
        {"HEIGHT": 2**31 - 1, "WIDTH": 2**31 - 1},
    ],
)
def test_rows_that_lie_are_corrupt(fields):
    data, row = raw_row(noise(4, np.uint8), **fields)
    for color, channels, bits in forms():
        recipe = whole_recipe(HEIGHT, WIDTH, channels=channels)
        (found,), statuses = call(data, row, [recipe], source=FILES, color=color, channels=channels, bits=bits)
        assert statuses.tolist() == [Status.CORRUPT]
        assert not found.any()


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ((3, 3, 8), "color is 3; expected 0 .RGB., 1 .gray. or 2"),
        ((-1, 3, 8), "color is -1"),
        ((RGB, 4, 8), "channels are 4; expected 3 of RGB"),
        ((GRAY, 3, 8), "channels are 3"),
        ((OWN, 0, 8), "channels are 0"),
        ((OWN, 5, 8), "channels are 5"),
        ((RGB, 3, 12), "bits are 12; expected 8 or 16"),
    ],
)
def test_forms_that_cannot_be_fail_the_call(form, message):
    data, row = raw_row(noise(3, np.uint8))
    color, channels, bits = form
    recipe = whole_recipe(HEIGHT, WIDTH, channels=4)
    with pytest.raises(ValueError, match=message):
        call(data, row, [recipe], source=FILES, color=color, channels=channels, bits=bits)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_decoding_to_rgb_takes_any_pixels(channels, dtype):
    pixels = noise(channels, dtype)
    for orientation, turn in TURNS.items():
        data, row = raw_row(pixels, orientation)
        expected = formed(turn(pixels), RGB, 3, 8)
        batch = EncodedBatch(jnp.asarray(data), jnp.asarray(row), jnp.asarray([expected.shape], jnp.int32))
        np.testing.assert_array_equal(image.decode(batch, expected.shape[:2])[0], expected)
        windows = jnp.asarray([[0, 0, *expected.shape[:2]]], jnp.int32)
        resized = image.decode_resample(batch, windows, (3, 4), dtype=np.uint8)
        np.testing.assert_array_equal(resized, image.resize(jnp.asarray(expected)[None], (3, 4)))
