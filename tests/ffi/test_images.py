"""The call on images: the reference's results, bit for bit, for any recipe; and errors for impossible ones."""

import functools
import io

import image_reference as reference
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import recipes_reference
from images_calls import CANVAS, FILES, IDENTITY, WHOLE, call, canvas_of, geometry_of, random_recipe, whole_recipe
from jpeg_files import pillow_jpeg, random_jpeg
from PIL import Image, ImageOps
from recipes_reference import Recipe

from jaxdali._base.batch import DECODERS, Codec, Status
from jaxdali._device.ffi import calls
from jaxdali._device.ffi.recipes import Filter, Geometry, InstructionKind
from jaxdali.image import EncodedBatch

f32 = np.float32


def assert_same(compiled, expected, what):
    for place, (result, wanted) in enumerate(zip(compiled, expected, strict=True)):
        np.testing.assert_array_equal(result, wanted, err_msg=f"recipe {place} of {what}", strict=True)


@pytest.mark.parametrize("seed", range(0, 500, 10))
def test_any_recipes_of_a_canvas_are_the_reference_s(seed):
    for own in range(seed, seed + 10):
        check_recipes_of_a_canvas(own)


def check_recipes_of_a_canvas(seed):
    draws = np.random.default_rng(seed)
    dtype = np.dtype(draws.choice(["uint8", "uint8", "int8", "int16", "uint16", "int32", "float16", "float32"]))
    channels = int(draws.choice([1, 3, 3, 4]))
    extents = [tuple(draws.integers(1, 30, 2).tolist()) for _ in range(3)]
    most = (0, 256) if dtype.kind == "f" else (np.iinfo(dtype).min, np.iinfo(dtype).max + 1)
    images = [draws.integers(*most, (*extent, channels)).astype(dtype) for extent in extents]
    if dtype.kind == "f":
        images = [image - dtype.type(100.25) for image in images]
    recipes = [random_recipe(draws, extents, channels) for _ in range(2)]
    canvas, shapes = canvas_of(images, (30, 31), channels, dtype)
    results, statuses = call(canvas, shapes, recipes, source=CANVAS)
    expected, made = recipes_reference.images(images, recipes)
    assert ((statuses == Status.OK) == made).all()
    assert_same(results, expected, f"seed {seed}")


def sources():
    """Returns files of several kinds."""
    files = [
        pillow_jpeg(40 + k, 70 - 2 * k, subsampling=k % 3, orientation=1 + k % 8, progressive=k == 5) for k in range(8)
    ]
    files += [pillow_jpeg(33, 41, mode="L"), pillow_jpeg(33, 41, mode="CMYK")]
    files += [random_jpeg(33, 41, [(2, 2), (1, 1), (1, 1)], restart_interval=3)]
    return files


@pytest.mark.parametrize("seed", range(12))
def test_any_recipes_of_files_are_the_reference_s(seed):
    draws = np.random.default_rng(seed)
    images = [reference.decode_reference(file) for file in sources()]
    batch = EncodedBatch.from_encoded(sources())
    recipes = [random_recipe(draws, [image.shape[:2] for image in images], 3) for _ in range(3)]
    results, statuses = call(np.asarray(batch.bytes), np.asarray(batch.rows), recipes, source=FILES)
    expected, made = recipes_reference.images(images, recipes)
    assert ((statuses == Status.OK) == made).all()
    assert_same(results, expected, f"seed {seed}")


@pytest.mark.parametrize("orientation", range(1, 9))
def test_gray_of_files_is_their_own_luma(orientation):
    file = pillow_jpeg(37, 53, orientation=orientation)
    with Image.open(io.BytesIO(file)) as image:
        image.draft("L", None)
        luma = ImageOps.exif_transpose(image)
        expected = np.asarray(luma)[None, ..., None]
    batch = EncodedBatch.from_encoded([file])
    recipe = whole_recipe(*expected.shape[1:3], channels=1)
    (gray,), statuses = call(
        np.asarray(batch.bytes), np.asarray(batch.rows), [recipe], source=FILES, color=1, channels=1
    )
    assert statuses.tolist() == [Status.OK]
    np.testing.assert_array_equal(gray, expected)


def test_gray_of_files_without_luma_is_that_of_their_rgb():
    pixels = np.random.default_rng(0).integers(0, 256, (5, 7, 3), np.uint8)
    cmyk = pillow_jpeg(16, 16, mode="CMYK")
    for image, batch in [
        (pixels, EncodedBatch.from_encoded([cmyk])),
        (reference.decode_reference(cmyk), EncodedBatch.from_encoded([cmyk])),
    ]:
        data, rows = np.asarray(batch.bytes), np.asarray(batch.rows).copy()
        if image is pixels:
            data = np.zeros((1, 128), np.uint8)
            data[0, : image.size] = image.ravel()
            rows[0] = [0, image.size, 5, 7, 3, Codec.RAW, 1, Status.OK]
        (gray,), _ = call(data, rows, [whole_recipe(*image.shape[:2], channels=1)], source=FILES, color=1, channels=1)
        expected = image.astype(np.int64) @ [19595, 38470, 7471] + 32768 >> 16
        np.testing.assert_array_equal(gray[0, ..., 0], expected)


def test_a_failed_image_is_zeros_in_all_results_and_others_are_not():
    files = [pillow_jpeg(16, 16), pillow_jpeg(16, 16)[:-40]]
    batch = EncodedBatch.from_encoded(files)
    recipe = whole_recipe(16, 16)
    recipe = recipe._replace(geometry=recipe.geometry.repeat(2, 0), regions=recipe.regions.repeat(2, 0))
    results, statuses = call(np.asarray(batch.bytes), np.asarray(batch.rows), [recipe, recipe], source=FILES)
    assert statuses.tolist() == [Status.OK, Status.TRUNCATED]
    for result in results:
        np.testing.assert_array_equal(result[0], reference.decode_reference(files[0]))
        assert not result[1].any()


def test_an_image_of_a_canvas_that_failed_before_is_zeros():
    results, statuses = call(
        np.ones((1, 5, 7, 3), np.uint8), np.zeros((1, 3), np.int32), [whole_recipe(5, 7)], source=CANVAS
    )
    assert statuses.tolist() == [Status.OK]
    assert not results[0].any()


@pytest.mark.parametrize(
    "columns",
    [
        {"TOP": -1},
        {"TOP": 1},
        {"HEIGHT": 0},
        {"WIDTH": 2**31 - 1},
        {"EXTENT_Y": 0},
        {"EXTENT_X": -5},
        {"RESULT_HEIGHT": 6},
        {"RESULT_WIDTH": -1},
        {"MIN_FILTER": 7, "MAG_FILTER": 1},
        {"MIN_FILTER": 1},
        {"EXTENT_Y": 6},
    ],
)
def test_geometry_that_cannot_be_fails_its_image(columns):
    recipe = whole_recipe(5, 7)._replace(geometry=geometry_of(5, 7, **columns)[None])
    results, statuses = call(np.ones((1, 5, 7, 3), np.uint8), np.array([[5, 7, 3]], np.int32), [recipe], source=CANVAS)
    assert statuses.tolist() == [Status.TOO_LARGE]
    assert not results[0].any()


@pytest.mark.parametrize("filter", list(Filter)[1:])
@pytest.mark.parametrize(
    "region", [(np.nan, 5), (0, np.nan), (-np.inf, 5), (0, np.inf), (3, 3), (4, 2), (0, 3e38), (-3e38, 3e38)]
)
def test_a_region_that_cannot_be_fails_its_image(filter, region):
    geometry = geometry_of(5, 7, MIN_FILTER=filter, MAG_FILTER=filter, ANTIALIAS=1)
    for axis in (0, 2):
        regions = WHOLE.copy()
        regions[0, axis : axis + 2] = region
        recipe = whole_recipe(5, 7)._replace(geometry=geometry[None], regions=regions)
        results, statuses = call(
            np.ones((1, 5, 7, 3), np.uint8), np.array([[5, 7, 3]], np.int32), [recipe], source=CANVAS
        )
        assert statuses.tolist() == [Status.TOO_LARGE]
        assert not results[0].any()


def test_the_largest_extents_and_places_are_computed_where_they_are_asked_for():
    image = np.arange(256, dtype=np.uint8).reshape(256, 1, 1).repeat(3, 2)
    most = 2**31 - 1
    columns = {"EXTENT_Y": most, "EXTENT_X": most, "RESULT_HEIGHT": 4, "RESULT_WIDTH": 3, "MIN_FILTER": 2}
    geometry = geometry_of(256, 1, **columns, MAG_FILTER=2, ANTIALIAS=1)
    for top, expected in [(0, 0), (most - 4, 255), (-most, 0)]:
        geometry[Geometry.RESULT_TOP] = top
        geometry[Geometry.RESULT_LEFT] = max(top, -most)
        region = np.array([[0, 256, 0, 1]], f32)
        recipe = Recipe(geometry[None], region, *IDENTITY, (4, 3), 3, np.dtype("uint8"))
        results, statuses = call(image[None], np.array([[256, 1, 3]], np.int32), [recipe], source=CANVAS)
        assert statuses.tolist() == [Status.OK]
        np.testing.assert_array_equal(results[0], np.full((1, 4, 3, 3), expected))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"instructions": np.zeros(0, np.int32)}, "got 0 instructions|constants"),
        (
            {"instructions": np.zeros(65, np.int32), "constants": np.zeros((1, 65, 3), f32)},
            "got 65 instructions; expected 1 to 64",
        ),
        ({"instructions": np.array([8], np.int32)}, "instruction 0 is 8"),
        ({"instructions": np.array([-1], np.int32)}, "instruction 0 is -1"),
        ({"instructions": np.array([2], np.int32)}, "0 SAMPLE"),
        ({"instructions": np.array([0, 0], np.int32), "constants": np.zeros((1, 2, 3), f32)}, "2 SAMPLE"),
        ({"instructions": np.array([1, 0], np.int32), "constants": np.zeros((1, 2, 3), f32)}, "one FILL behind it"),
        (
            {"instructions": np.array([0, 5], np.int32), "constants": np.zeros((1, 2, 11), f32)},
            "needs 12 constants, got 11",
        ),
        (
            {"instructions": np.array([0, 2], np.int32), "constants": np.zeros((1, 2, 2), f32)},
            "needs 3 constants, got 2",
        ),
        ({"constants": np.zeros((2, 1, 3), f32)}, "expected int32.S. and float32.1 or 1, S, k"),
        ({"constants": np.zeros((1, 2, 3), f32)}, "expected int32.S."),
        ({"geometry": np.zeros((1, 16), np.int32)}, "geometry is .1, 16."),
        ({"geometry": np.zeros((2, 17), np.int32)}, "geometry is .2, 17."),
        ({"regions": np.zeros((1, 4), np.int32)}, "regions are"),
        ({"channels": 2}, "at least 3 channels"),
    ],
)
def test_operands_that_contradict_each_other_fail_the_call(change, message):
    recipe = whole_recipe(5, 7)._replace(**change)
    with pytest.raises(ValueError, match=message):
        call(np.ones((1, 5, 7, 3), np.uint8), np.array([[5, 7, 3]], np.int32), [recipe], source=CANVAS)


def test_the_custom_call_is_the_compiled_function():
    batch = EncodedBatch.from_encoded(sources())
    images = [reference.decode_reference(file) for file in sources()]
    draws = np.random.default_rng(1)
    recipes = [random_recipe(draws, [image.shape[:2] for image in images], 3) for _ in range(2)]
    outputs = []
    for recipe in recipes:
        shape = (recipe.channels, *recipe.size) if recipe.channels_first else (*recipe.size, recipe.channels)
        outputs.append(jax.ShapeDtypeStruct((len(images), *shape), recipe.dtype))
    run = jax.jit(
        functools.partial(
            calls.images,
            outputs=outputs,
            source=FILES,
            channels_first=[recipe.channels_first for recipe in recipes],
            raise_on_error=True,
            threads=0,
            decoder=DECODERS.index("cpu"),
            fancy_upsampling=True,
            affinity=(),
        )
    )
    results, status = run(batch.bytes, batch.rows, [tuple(jnp.asarray(x) for x in recipe[:4]) for recipe in recipes])
    expected, _ = call(np.asarray(batch.bytes), np.asarray(batch.rows), recipes, source=FILES)
    assert_same([np.asarray(result) for result in results], expected, "the custom call")
    assert not np.asarray(status).any()


def test_pixels_that_are_only_copied_keep_every_bit():
    pixels = np.random.default_rng(0).integers(-(2**31), 2**31, (1, 5, 7, 3)).astype(np.int32)
    shapes = np.array([[5, 7, 3]], np.int32)
    filled = (np.array([InstructionKind.SAMPLE, InstructionKind.FILL], np.int32), np.full((1, 2, 3), -7, f32))
    plain = whole_recipe(5, 7, dtype="int32")
    for mirror, recipe in ((1, plain), (0, plain._replace(instructions=filled[0], constants=filled[1]))):
        recipe = recipe._replace(geometry=geometry_of(5, 7, RESULT_TOP=-2, RESULT_MIRROR_X=mirror)[None])
        (found,), _ = call(pixels, shapes, [recipe], source=CANVAS)
        (expected,), _ = recipes_reference.images([pixels[0]], [recipe])
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(found[0, 2:], pixels[0, :3, :: -1 if mirror else 1])
        assert (found[0, :2] == (0 if mirror else -7)).all()
