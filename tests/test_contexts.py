"""What users set for their own programs (meshes, guards, strictness, no jit) changes no results of jaxdali."""

import contextlib

import front_sources
import jax
import numpy as np
import pytest
from front_pipelines import make, small_images
from interrupts import Interrupt
from jpeg_files import pillow_jpeg

import jaxdali
from jaxdali import Loader, fn, math
from jaxdali._device.ffi import compat
from jaxdali._run.executor.device_io import device_placement, transfer


@contextlib.contextmanager
def mesh():
    with jax.set_mesh(jax.make_mesh((8,), ("data",))):
        yield


@contextlib.contextmanager
def strict():
    with (
        jax.numpy_dtype_promotion("strict"),
        jax.numpy_rank_promotion("raise"),
        jax.default_prng_impl("rbg"),
        jax.checking_leaks(),
    ):
        yield


CONTEXTS = {
    "mesh": mesh,
    "default_device": lambda: jax.default_device(jax.devices("cpu")[4]),
    "transfer_guard": lambda: jax.transfer_guard("disallow"),
    "strict": strict,
    "enable_x64": lambda: jax.enable_x64(True),
    "disable_jit": jax.disable_jit,
}


def graph(files, labels):
    images = fn.decoders.image(files, device="mixed")
    contrast = fn.random.uniform(range=(1, 3.0))
    images = fn.brightness_contrast(images, contrast=contrast)
    small = fn.resize(images, size=8)
    cropped = fn.crop_mirror_normalize(
        small, crop=6, crop_pos_x=fn.random.uniform(range=(0, 1)), mirror=fn.random.coin_flip()
    )
    windows = fn.crop_mirror_normalize(images, crop=18, mirror=fn.random.coin_flip())
    anywhere = fn.flip(fn.random_resized_crop(images, size=(9, 7)))
    decoded_there = fn.crop_mirror_normalize(
        fn.random_resized_crop(fn.decoders.image(files), size=(9, 7)), mirror=fn.random.coin_flip(), mean=[1, 2, 3]
    )
    return cropped, windows, anywhere, decoded_there, images, labels


def computed(files, labels):
    images = fn.decoders.image(files)
    row = labels % 3
    rows = images[row : row + 9 : 2, 1::-1]
    brighter = images / 2 + labels * 0.25
    flags = (images > 99) & (images[..., :1] <= 200)
    return (
        rows,
        brighter,
        flags,
        images[labels[0] // 5],
        math.log(brighter + 1),
        labels**2,
        -labels // 4,
        images[1] * [1, 2, 3],
    )


@pytest.fixture(params=CONTEXTS)
def context(request):
    return CONTEXTS[request.param]


@pytest.fixture(scope="module")
def expected_outputs():
    return make(graph).run()


@pytest.fixture(scope="module")
def expected_numbers():
    return make(computed).run()


@pytest.fixture(scope="module")
def expected_batches():
    return batches()


def doubled(batch, keys):
    return {"x": batch["x"] * 2}


def with_number(batch, key):
    return {**batch, "n": jax.random.bits(key, (4,), np.uint32)}


def batches():
    loader = Loader(front_sources.Folder(), small_images, mix=with_number, batch_size=4, workers=0)
    return [batch for batch, _ in zip(loader, range(2), strict=False)]


def test_a_pipeline_in_a_context(context, expected_outputs):
    with context():
        outputs = make(graph).run()
    for got, wanted in zip(outputs, expected_outputs, strict=True):
        assert got.shape() == wanted.shape() and got.dtype == wanted.dtype
        for k in range(4):
            np.testing.assert_array_equal(got.at(k), wanted.at(k))


def test_arithmetic_in_a_context(context, expected_numbers):
    with context():
        outputs = make(computed).run()
    for got, wanted in zip(outputs, expected_numbers, strict=True):
        assert got.shape() == wanted.shape() and got.dtype == wanted.dtype
        for k in range(4):
            np.testing.assert_array_equal(got.at(k), wanted.at(k))


@pytest.mark.parametrize("context", ["mesh", "default_device", "transfer_guard"])
def test_arrays_in_a_context(context):
    def both(files, labels):
        return labels, fn.random.uniform(), fn.resize(fn.decoders.image(files), size=8)

    with CONTEXTS[context]():
        arrays = make(both, device_id=1).run_arrays()
    assert [array.devices() for array in arrays] == [{jax.devices("cpu")[1]}] * 3
    assert jax.device_get(arrays[0])[:, 0].tolist() == [0, 7, 14, 21]


def test_a_loader_in_a_context(context, expected_batches):
    with context():
        found = batches()
    for got, wanted in zip(found, expected_batches, strict=True):
        assert got["y"].tolist() == wanted["y"].tolist()
        assert got["u"].tolist() == wanted["u"].tolist() and got["n"].tolist() == wanted["n"].tolist()
        assert np.abs(np.asarray(got["x"]).astype(int) - np.asarray(wanted["x"])).max() <= 1


def several():
    return {"sharding": jax.sharding.NamedSharding(jax.make_mesh((2,), ("x",)), jax.sharding.PartitionSpec("x"))}


# Where a Loader computes: its options.
PLACES = {"alone": dict, "another device": lambda: {"device": jax.devices("cpu")[3]}, "several devices": several}


@pytest.mark.parametrize("place", PLACES)
def test_a_program_is_traced_once_whatever_is_set(place):
    traced = []

    def augment(batch, keys):
        traced.append(1)
        return {"x": batch["x"] * 2}

    loader = Loader([{"x": np.float32(k)} for k in range(8)], augment, batch_size=2, workers=0, **PLACES[place]())
    batches, before = iter(loader), len(traced)
    found = [next(batches)]
    for name in ("mesh", "default_device", "transfer_guard", "disable_jit"):
        with CONTEXTS[name]():
            found.append(next(batches))
    wanted = {"alone": {0}, "another device": {3}, "several devices": {0, 1}}[place]
    assert [{device.id for device in batch["x"].devices()} for batch in found] == [wanted] * 5
    assert len(traced) - before == 1
    assert np.concatenate([batch["x"] for batch in found]).tolist() == [0, 2, 4, 6, 8, 10, 12, 14, 0, 2]


def test_an_interrupt_leaves_what_users_have_set():
    """Wherever it comes: a user whose mesh was lost, in a notebook say, would train on without it."""
    files = tuple(str(module.__file__) for module in (compat, transfer, device_placement))
    loader = Loader([{"x": np.float32(k)} for k in range(8)], doubled, batch_size=2, workers=0)

    def settings():
        return jax.sharding.get_abstract_mesh(), jax.sharding.get_mesh(), jax.config.jax_default_device

    def interrupted(at):
        loader.seek(0)
        batches, found, interrupt = iter(loader), [], Interrupt(at, files)
        while len(found) < 3:
            with contextlib.suppress(KeyboardInterrupt):
                found.append(interrupt.call(lambda: next(batches))["x"].tolist())
            assert settings() == before, at
        assert found == [[0, 2], [4, 6], [8, 10]], at
        return interrupt

    with mesh(), jax.default_device(jax.devices("cpu")[4]), jax.transfer_guard("disallow"):
        before = settings()
        looked = interrupted(0)
        assert {"compat.py", "transfer.py", "device_placement.py"} <= looked.files and looked.places > 40
        for at in range(1, looked.places + 1):
            interrupted(at)


@pytest.mark.parametrize("place", PLACES)
def test_a_function_of_the_users_is_traced_under_the_users_guard(place):
    def moves(batch, keys):
        with jax.ensure_compile_time_eval():
            level = jax.numpy.add(np.ones(2, np.float32), np.ones(2, np.float32))
        return {"x": batch["x"] + level.sum()}

    def loader(**functions):
        return Loader([{"x": np.float32(3)}] * 2, **functions, batch_size=2, workers=0, **PLACES[place]())

    for functions in ({"augment": moves}, {"mix": lambda batch, key: moves(batch, key)}):
        assert next(iter(loader(**functions)))["x"].tolist() == [7, 7]
        guarded = loader(**functions)
        with (
            jax.transfer_guard("disallow"),
            pytest.raises(jax.errors.JaxRuntimeError, match="Disallowed host-to-device"),
        ):
            next(iter(guarded))


def test_calls_of_the_users_without_jit():
    def calls():
        files = jaxdali.EncodedBatch.from_encoded([pillow_jpeg(16, 24)] * 2)
        keys = jaxdali.random.sample_keys(3, 0, 0, np.arange(2))
        return jaxdali.image.decode(files, canvas=(16, 24)), jaxdali.random.uniform(keys)

    expected = calls()
    with jax.disable_jit():
        jax.tree.map(np.testing.assert_array_equal, calls(), expected)
