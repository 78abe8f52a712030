"""`jaxdali_images_v1` on a GPU: the CPU's results and statuses, bit for bit."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from images_calls import CANVAS, FILES, call, canvas_of, random_recipe
from jpeg_files import random_jpeg, varied_jpegs

import jaxdali.image
from jaxdali._base.batch import DECODERS, Status
from jaxdali._device.ffi import calls
from jaxdali._device.ffi.compat import local_gpus
from jaxdali._device.ffi.recipes import Filter, Geometry
from jaxdali.image import EncodedBatch, arrays

pytestmark = pytest.mark.gpu

SAMPLES = 32
DTYPES = ["uint8", "uint8", "uint8", "int8", "int16", "uint16", "int32", "float16", "float32"]
SOURCES = varied_jpegs("CMYK")


def on_gpu(data, info, recipes, *, source, decoder="cuda", **form):
    """Returns results and statuses of the custom call, with operands on the device."""
    gpu = local_gpus()[0]
    outputs = []
    for recipe in recipes:
        shape = (recipe.channels, *recipe.size) if recipe.channels_first else (*recipe.size, recipe.channels)
        outputs.append(jax.ShapeDtypeStruct((len(info), *shape), recipe.dtype))
    run = jax.jit(
        functools.partial(
            calls.images,
            outputs=outputs,
            source=source,
            channels_first=[recipe.channels_first for recipe in recipes],
            raise_on_error=False,
            threads=0,
            decoder=DECODERS.index(decoder),
            fancy_upsampling=True,
            affinity=(),
            **form,
        )
    )
    operands = jax.device_put([tuple(recipe[:4]) for recipe in recipes], gpu)
    results, statuses = run(data, jax.device_put(info, gpu), operands)
    return [np.asarray(result) for result in results], np.asarray(statuses)


def assert_same(ours, theirs, what):
    np.testing.assert_array_equal(ours[1], theirs[1], err_msg=what)
    for place, (result, expected) in enumerate(zip(ours[0], theirs[0], strict=True)):
        np.testing.assert_array_equal(result, expected, err_msg=f"recipe {place} of {what}", strict=True)


def various(draws, recipe):
    """Gives each image its own filters, and sometimes an impossible number."""
    some = recipe.geometry[:, Geometry.MIN_FILTER] != Filter.NONE
    for field in (Geometry.MIN_FILTER, Geometry.MAG_FILTER):
        recipe.geometry[:, field] = np.where(some, draws.integers(1, len(Filter), len(some)), 0)
    for row in np.flatnonzero(draws.random(len(some)) < 0.1):
        column = draws.integers(len(Geometry))
        changed = int(recipe.geometry[row, column]) + int(draws.choice([-1, 7, -(2**31), 2**31 - 1]))
        recipe.geometry[row, column] = np.clip(changed, -(2**31), 2**31 - 1)
    return recipe


@pytest.mark.parametrize("seed", range(18))
def test_any_recipes_of_a_canvas_are_the_cpu_s(seed):
    draws = np.random.default_rng(seed)
    dtype, channels, most = np.dtype(DTYPES[seed % 9]), [3, 1, 4, 3, 5, 3][seed % 6], 30 if seed % 3 else 200
    extents = [tuple(draws.integers(1, most + 1, 2).tolist()) for _ in range(SAMPLES)]
    limits = (-1000, 1000) if dtype.kind == "f" else (np.iinfo(dtype).min, np.iinfo(dtype).max + 1)
    images = [draws.integers(*limits, (*extent, channels)).astype(dtype) for extent in extents]
    canvas, shapes = canvas_of(images, (most, most + 1), channels, dtype)
    shapes[0, :2], shapes[1, 0] = 0, most + 1
    recipes = [various(draws, random_recipe(draws, extents, channels)) for _ in range(2)]
    ours = on_gpu(jax.device_put(canvas, local_gpus()[0]), shapes, recipes, source=CANVAS)
    assert_same(ours, call(canvas, shapes, recipes, source=CANVAS), f"seed {seed}")
    assert set(ours[1].tolist()) == {Status.OK, Status.TOO_LARGE}


@pytest.mark.parametrize("decoder", ["cuda", "cpu"])
@pytest.mark.parametrize("form", [{}, {"color": 1, "channels": 1}, {"color": 2, "channels": 4}, {"bits": 16}])
def test_any_recipes_of_files_are_the_cpu_s(form, decoder):
    draws = np.random.default_rng(len(form))
    files = [*SOURCES, random_jpeg(33, 41, [(2, 2), (1, 1), (1, 1)], restart_interval=3), SOURCES[0][:20]]
    batch = EncodedBatch.from_encoded(files, device=local_gpus()[0])
    extents = [tuple(np.maximum(size[:2], 1).tolist()) for size in np.asarray(batch.sizes)]
    channels = form.get("channels", 3)
    recipes = [various(draws, random_recipe(draws, extents, channels)) for _ in range(3)]
    rows = np.asarray(batch.rows)
    ours = on_gpu(batch.bytes, rows, recipes, source=FILES, decoder=decoder, **form)
    host = EncodedBatch.from_encoded(files)
    assert_same(ours, call(np.asarray(host.bytes), rows, recipes, source=FILES, **form), f"{form}, {decoder}")


def views(batch, flips, brightness, canvas=(96, 96), **options):
    """Returns arrays of every kind of recipe, and whole images."""
    images = jaxdali.image.open(batch, **options)
    small = images.resize(resize_shorter=20).crop(16, 16)
    flipped = images.flip(flips).resize(size=(40, 30), filter="cubic").normalize(127.5, 64.0, dtype=jnp.bfloat16)
    bright = images.brightness_contrast(brightness).resize(size=(24, 24)).to_layout("CHW")
    return arrays(small, flipped, bright, images, canvases=[None, None, None, canvas], on_error="zeros")


@pytest.mark.parametrize("decoder", ["cuda", "cpu"])
@pytest.mark.parametrize("color", ["RGB", "GRAY"])
def test_chains_are_the_cpu_s(color, decoder):
    draws = np.random.default_rng(0)
    flips, brightness = draws.integers(0, 2, 16), draws.uniform(0.5, 1.5, 16).astype(np.float32)
    files = [*SOURCES[:15], SOURCES[0][:300]]
    results = []
    for device in (local_gpus()[0], jax.local_devices(backend="cpu")[0]):
        batch = EncodedBatch.from_encoded(files, device=device)
        run = jax.jit(functools.partial(views, color=color, decoder=decoder))
        with jax.default_device(device):
            found, status = run(batch, flips, brightness)
        assert all(array.devices() == {device} for array in found)
        results.append(([np.asarray(array, np.float32) for array in found], np.asarray(status)))
    assert_same(*results, f"{color}, {decoder}")
    assert (results[0][1] == Status.OK).tolist() == [True] * 15 + [False]


def test_one_call_makes_all_recipes_of_a_batch():
    batch = EncodedBatch.from_encoded(SOURCES, device=local_gpus()[0])
    text = jax.jit(functools.partial(views, brightness=1.5)).lower(batch, np.zeros(16, np.int32)).as_text()
    assert text.count("jaxdali_images_v1") == 1
    assert "jaxdali_decode" not in text


def test_a_window_that_lies_outside_is_an_error_where_that_is_wanted():
    batch = EncodedBatch.from_encoded(SOURCES, device=local_gpus()[0])
    windows = np.array([[0, 0, 8, 8]] * 15 + [[0, 0, 1000, 8]], np.int32)
    images = jaxdali.image.open(batch).cut(windows).resize(size=(8, 8), filter="cubic")
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"jaxdali_images_v1: row 15: TOO_LARGE: the window"):
        jax.block_until_ready(images.array())


def test_images_on_a_canvas_that_changes_are_those_of_its_content():
    """The call waits for what makes its operands, and later work waits for the call."""
    gpu = local_gpus()[0]
    pixels = jax.device_put(np.random.default_rng(0).integers(0, 256, (8, 120, 130, 3), np.uint8), gpu)

    @jax.jit
    def run(pixels, shift):
        shifted = pixels + shift
        made = jaxdali.image.open(shifted).resize(size=(60, 61), filter="lanczos3").array()
        return made.astype(jnp.int32).sum((1, 2, 3)), made

    for shift in range(5):
        sums, made = run(pixels, np.uint8(shift))
        expected = jax.device_put(np.asarray(pixels) + np.uint8(shift), jax.local_devices(backend="cpu")[0])
        expected = jaxdali.image.open(expected).resize(size=(60, 61), filter="lanczos3").array()
        np.testing.assert_array_equal(made, expected)
        np.testing.assert_array_equal(sums, np.asarray(expected, np.int32).sum((1, 2, 3)))
