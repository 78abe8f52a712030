"""The code of the GPU kernels, run on the host: the CPU call's results and statuses, bit for bit, for any recipe."""

import io

import numpy as np
import pytest
from images_calls import CANVAS, FILES, IDENTITY, call, call_as_device, canvas_of, geometry_of, random_recipe
from jpeg_files import pillow_jpeg
from PIL import Image
from recipes_reference import Recipe

from jaxdali._base.batch import Status
from jaxdali._device.ffi import load
from jaxdali._device.ffi.recipes import Filter, Geometry, InstructionKind
from jaxdali.image import EncodedBatch

f32 = np.float32
DTYPES = ["uint8", "uint8", "uint8", "int8", "int16", "uint16", "int32", "float16", "float32"]


def png(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def assert_same_calls(data, info, recipes, *, source, what, **form):
    expected, wanted = call(data, info, recipes, source=source, **form)
    results, statuses = call_as_device(data, info, recipes, source=source, **form)
    np.testing.assert_array_equal(statuses, wanted, err_msg=what)
    for place, (result, right) in enumerate(zip(results, expected, strict=True)):
        np.testing.assert_array_equal(result, right, err_msg=f"recipe {place} of {what}", strict=True)
    return wanted


def draw_canvas(draws):
    """Returns images on a canvas, their shapes, their extents and their number of channels."""
    dtype = np.dtype(draws.choice(DTYPES))
    channels = int(draws.choice([1, 2, 3, 3, 3, 4, 5]))
    most = 30 if draws.random() < 0.8 else 200
    extents = [tuple(draws.integers(1, most + 1, 2).tolist()) for _ in range(2)]
    limits = (-1000, 1000) if dtype.kind == "f" else (np.iinfo(dtype).min, np.iinfo(dtype).max + 1)
    images = [draws.integers(*limits, (*extent, channels)).astype(dtype) for extent in extents]
    return *canvas_of(images, (most, most + 1), channels, dtype), extents, channels


@pytest.mark.parametrize("seed", range(0, 600, 50))
def test_any_recipes_of_a_canvas_are_the_cpu_s(seed):
    for own in range(seed, seed + 50):
        draws = np.random.default_rng(own)
        canvas, shapes, extents, channels = draw_canvas(draws)
        recipes = [random_recipe(draws, extents, channels) for _ in range(2)]
        assert_same_calls(canvas, shapes, recipes, source=CANVAS, what=f"seed {own}")


@pytest.mark.parametrize("seed", range(4))
def test_numbers_that_contradict_each_other_fail_the_same_images(seed):
    draws = np.random.default_rng(seed)
    seen = set()
    for own in range(60):
        canvas, shapes, extents, channels = draw_canvas(draws)
        recipes = [random_recipe(draws, extents, channels) for _ in range(2)]
        for recipe in recipes:
            place = draws.integers(2), draws.integers(len(Geometry))
            changed = int(recipe.geometry[place]) + draws.choice([-1, 1, 7, -(2**31), 2**31 - 1])
            recipe.geometry[place] = np.clip(changed, -(2**31), 2**31 - 1)
            if draws.random() < 0.3:
                recipe.regions[0, draws.integers(4)] = draws.choice([np.nan, np.inf, -np.inf, 3e38, 2.0**29])
        if draws.random() < 0.3:
            shapes[0, draws.integers(2)] = draws.choice([0, -1, 1000])
        seen |= set(assert_same_calls(canvas, shapes, recipes, source=CANVAS, what=f"{seed}, {own}").tolist())
    assert seen == {Status.OK, Status.TOO_LARGE}


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("seed", range(6))
def test_any_recipes_of_files_are_the_cpu_s(seed, channels):
    draws = np.random.default_rng(seed)
    files = [pillow_jpeg(40 + k, 70 - 2 * k, subsampling=k % 3, orientation=1 + k % 8) for k in range(8)]
    files += [pillow_jpeg(33, 41, mode="L"), png(draws.integers(0, 256, (30, 20, 3), np.uint8)), files[0][:20]]
    batch = EncodedBatch.from_encoded(files)
    extents = [tuple(np.maximum(size[:2], 1).tolist()) for size in np.asarray(batch.sizes)]
    recipes = [random_recipe(draws, extents, channels) for _ in range(3)]
    form = {"source": FILES, "color": int(channels == 1), "channels": channels}
    statuses = assert_same_calls(np.asarray(batch.bytes), np.asarray(batch.rows), recipes, **form, what=f"seed {seed}")
    assert statuses[-1] not in (Status.OK, Status.TOO_LARGE)


@pytest.mark.parametrize("filter", list(Filter)[1:])
def test_sums_of_many_pixels_are_the_cpu_s(filter):
    """Sums over several chunks of source columns and rows, and the ends of those chunks."""
    draws = np.random.default_rng(int(filter))
    canvas = draws.integers(0, 256, (1, 260, 290, 3), np.uint8)
    for height, width, rows, columns in [(260, 290, 3, 4), (260, 9, 2, 9), (9, 290, 9, 5), (256, 256, 40, 70)]:
        columns_of = {"EXTENT_Y": rows, "EXTENT_X": columns, "RESULT_HEIGHT": rows, "RESULT_WIDTH": columns}
        geometry = geometry_of(height, width, **columns_of, MIN_FILTER=filter, MAG_FILTER=filter, ANTIALIAS=1)
        region = np.array([[0, height, 0, width], [0.3, height - 0.2, 0.1, width + 2]], f32)
        recipes = [
            Recipe(geometry[None], region[k : k + 1], *IDENTITY, (rows, columns), 3, np.dtype(f32), False)
            for k in range(2)
        ]
        shapes = np.array([[height, width, 3]], np.int32)
        statuses = assert_same_calls(canvas, shapes, recipes, source=CANVAS, what=f"{height} x {width}")
        assert statuses.tolist() == [Status.OK]


@pytest.mark.parametrize("where", [0, 2**31 - 5])
def test_the_largest_extents_are_the_cpu_s(where):
    most = 2**31 - 1
    columns = {"EXTENT_Y": most, "EXTENT_X": most, "RESULT_HEIGHT": 4, "RESULT_WIDTH": 3}
    geometry = geometry_of(256, 1, **columns, RESULT_TOP=where, MIN_FILTER=2, MAG_FILTER=2, ANTIALIAS=1)
    canvas = np.arange(256, dtype=np.uint8).reshape(1, 256, 1, 1).repeat(3, 3)
    recipe = Recipe(geometry[None], np.array([[0, 256, 0, 1]], f32), *IDENTITY, (4, 3), 3, np.dtype("uint8"), False)
    assert_same_calls(canvas, np.array([[256, 1, 3]], np.int32), [recipe], source=CANVAS, what=str(where))


def test_what_a_gpu_leaves_to_the_host_is_refused():
    batch = EncodedBatch.from_encoded([pillow_jpeg(16, 16)])
    recipe = Recipe(
        geometry_of(16, 16)[None],
        np.array([[0, 16, 0, 16]], f32),
        np.array([InstructionKind.SAMPLE], np.int32),
        np.zeros((1, 1, 1), f32),
        (16, 16),
        1,
        np.dtype("uint8"),
        False,
    )
    result, statuses = np.zeros((1, 16, 16, 1), np.uint8), np.zeros(1, np.int32)
    with pytest.raises(ValueError, match="to the host"):
        load.cpu_module().images_as_device(
            np.asarray(batch.bytes),
            np.asarray(batch.rows),
            [np.ascontiguousarray(operand) for operand in recipe[:4]],
            [result, statuses],
            source=FILES,
            color=2,
            channels=1,
            channels_first=[0],
        )
