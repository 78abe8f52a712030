"""Files of `[N, T]`: each operation gives what it gives for the same files one after the other."""

from __future__ import annotations

import inspect

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from front_sources import FILES
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import jaxdali
from jaxdali import ConfigError
from jaxdali._device.image.stacked_images import RANKS
from jaxdali.image import EncodedBatch, Images, StackedImages, Status, decode, decode_resample

N, T = 2, 3
SIZE = (16, 12)


@pytest.fixture(scope="module")
def flat() -> EncodedBatch:
    return EncodedBatch.from_encoded(FILES)


@pytest.fixture(scope="module")
def files() -> EncodedBatch:
    return EncodedBatch.from_encoded([FILES[:T], FILES[T:]])


def of_files(*shape: int, low: int = 0, high: int = 3) -> np.ndarray:
    return np.random.default_rng(0).integers(low, high, (N, T, *shape)).astype(np.int32)


WINDOWS = np.concatenate([of_files(2, high=5), of_files(2, low=8, high=15)], axis=-1)
LEVELS = np.float32(1 + of_files(3))

# Each operation, its arguments by name, and those that are per file; of a pair, which of its parts are.
OPERATIONS = {
    "resize": ("resize", {"resize_shorter": np.float32(10 + of_files())}),
    "resize to sizes": ("resize", {"size": np.float32(10 + of_files(2))}),
    "resize a region": ("resize", {"size": SIZE, "roi_start": of_files(2), "roi_end": 10 + of_files(2)}),
    "crop": ("crop", {"height": 10, "width": 12, "position": (of_files() / 2, of_files() / 2)}),
    "resized_crop": ("resized_crop", {"windows": WINDOWS, "size": SIZE}),
    "cut": ("cut", {"windows": WINDOWS}),
    "pad_cut": ("pad_cut", {"windows": WINDOWS - 4, "fill": LEVELS}),
    "flip": ("flip", {"horizontal": of_files(), "vertical": of_files()}),
    "resample": ("resample", {"extents": 10 + of_files(2), "region": np.float32([0, 9, 0, 9]) + of_files(1)}),
    "brightness_contrast": (
        "brightness_contrast",
        {
            "brightness": np.float32(1 + of_files() / 4),
            "brightness_shift": np.float32(of_files() / 8),
            "contrast": np.float32(1 + of_files() / 4),
            "contrast_center": np.float32(100 + of_files()),
        },
    ),
    "normalize": ("normalize", {"mean": 100 * LEVELS, "std": 10 * LEVELS}),
    "standardize": ("standardize", {"mean": LEVELS, "std": LEVELS, "scale": 2.0, "shift": 1.0, "dtype": np.float32}),
    "mix": ("mix", {"matrix": np.float32(of_files(3, 4) / 8)}),
}


def changed(value, ranks, change):
    """Applies `change(array, rank)` to what is per file in an argument."""
    if isinstance(value, tuple):
        return tuple(change(part, 0) if isinstance(part, np.ndarray) else part for part in value)
    return change(value, abs(ranks)) if isinstance(value, np.ndarray) else value


def test_every_operation_is_here():
    own = {name for name, member in vars(Images).items() if callable(member) and not name.startswith("_")}
    # These take nothing that could differ between samples.
    others = {"open", "of", "center_crop", "run", "cast", "pad_channels", "to_layout", "array"}
    assert own - others == RANKS.keys() == {name for name, _ in OPERATIONS.values()}
    for name, ranks in RANKS.items():
        told = {argument for operation, given in OPERATIONS.values() if operation == name for argument in given}
        assert ranks.keys() <= told | {"resize_x", "resize_y", "resize_longer", "max_size"}, name
        parameters = inspect.signature(getattr(Images, name)).parameters
        assert name == "resize" or ranks.keys() <= parameters.keys()


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize(("operation", "given"), OPERATIONS.values(), ids=OPERATIONS)
def test_values_for_each_file_and_each_sample(files, flat, operation, given, traced):
    ranks = RANKS[operation]
    numbers = {name: value for name, value in given.items() if name in ranks}
    rest = {name: value for name, value in given.items() if name not in ranks}

    def result(batch, numbers):
        return getattr(jaxdali.image.open(batch), operation)(**rest, **numbers).array((80, 80), on_error="zeros")

    compute = jax.jit(result, static_argnames=()) if traced and not isinstance(given.get("size"), tuple) else result
    per_file = {name: changed(v, ranks[name], lambda part, _: part) for name, v in numbers.items()}
    per_sample = {name: changed(v, ranks[name], lambda part, _: part[:, 1]) for name, v in numbers.items()}
    ravelled = {
        name: changed(v, ranks[name], lambda part, _: part.reshape(N * T, *part.shape[2:]))
        for name, v in numbers.items()
    }
    repeated = {
        name: changed(v, ranks[name], lambda part, _: np.repeat(part[:, 1], T, axis=0)) for name, v in numbers.items()
    }
    for stacked, one_by_one in ((per_file, ravelled), (per_sample, repeated)):
        pixels, status = compute(files, stacked)
        assert pixels.shape[:2] == status.shape == (N, T)
        expected, expected_status = result(flat, one_by_one)
        np.testing.assert_array_equal(pixels.reshape(expected.shape), expected)
        np.testing.assert_array_equal(status.ravel(), expected_status)
        assert not status.any()


def chain(batch, windows=None):
    images = jaxdali.image.open(batch).resize(resize_shorter=24).center_crop(16, 16).normalize(127.5, 64.0)
    return images.to_layout("CHW").array()


def test_a_chain_is_one_call_and_keeps_both_axes(files, flat):
    text = jax.jit(chain).lower(files).as_text()
    assert text.count("jaxdali_images_v1") == 1
    found = jax.jit(chain)(files)
    assert found.shape == (N, T, 3, 16, 16)
    np.testing.assert_array_equal(found.reshape(N * T, 3, 16, 16), chain(flat))


def test_several_arrays_of_the_same_files(files, flat):
    def views(batch):
        images = jaxdali.image.open(batch)
        return jaxdali.image.arrays(images.resize(size=SIZE), images.cast(np.float32), canvases=(None, (80, 80)))

    for found, expected in zip(jax.jit(views)(files), views(flat), strict=True):
        assert found.shape == (N, T, *expected.shape[1:])
        np.testing.assert_array_equal(found.reshape(expected.shape), expected)


def test_what_images_say_of_themselves(files, flat):
    images = jaxdali.image.open(files)
    assert isinstance(images, StackedImages) and len(images) == N and images.files == T
    np.testing.assert_array_equal(images.extents, files.sizes[..., :2])
    np.testing.assert_array_equal(images.shapes, files.sizes)
    assert images.resize(size=SIZE).shapes is None and images.resize(size=SIZE).extents.shape == (N, T, 2)
    assert repr(images) == "StackedImages(2 x 3 files, sizes of their own, 3 channels, uint8 HWC)"
    np.testing.assert_array_equal(images.array().reshape(N * T, 64, 70, 3), jaxdali.image.open(flat).array())


def test_decode_and_decode_resample(files, flat):
    found, status = decode(files, on_error="zeros")
    assert found.shape == (N, T, 64, 70, 3) and status.shape == (N, T)
    np.testing.assert_array_equal(found.reshape(N * T, 64, 70, 3), decode(flat))
    given = {"flip": of_files() % 2, "mean": LEVELS, "std": LEVELS}
    found = jax.jit(lambda batch: decode_resample(batch, WINDOWS, SIZE, layout="CHW", **given))(files)
    ravelled = {name: value.reshape(N * T, *value.shape[2:]) for name, value in given.items()}
    expected = decode_resample(flat, WINDOWS.reshape(-1, 4), SIZE, layout="CHW", **ravelled)
    assert found.shape == (N, T, 3, *SIZE)
    np.testing.assert_array_equal(found.reshape(expected.shape), expected)
    whole = decode_resample(files, None, SIZE, flip=[1, 0], on_error="zeros")
    np.testing.assert_array_equal(
        whole[0].reshape(N * T, *SIZE, 3), decode_resample(flat, None, SIZE, flip=np.repeat([1, 0], T))
    )


@pytest.mark.parametrize("same", [False, True], ids=["several buffers", "one buffer"])
@pytest.mark.parametrize("traced", [False, True])
def test_a_list_of_batches(files, flat, same, traced):
    """As a Loader makes them of lists of files."""
    if same:
        views = [EncodedBatch(files.bytes, files.rows[:, t], files.sizes[:, t]) for t in range(T)]
    else:
        views = [EncodedBatch.from_encoded([FILES[t], FILES[T + t]]) for t in range(T)]
    stack = EncodedBatch.stack(views)
    assert (stack.bytes is files.bytes) == same
    for function in (chain, lambda batch: decode(batch, (80, 80)), lambda batch: decode_resample(batch, None, SIZE)):
        found = (jax.jit(function) if traced else function)(views)
        np.testing.assert_array_equal(found, function(files))


def test_missing_and_damaged_files():
    files = EncodedBatch.from_encoded([[FILES[0], None], [b"no image", FILES[1]]])
    assert files.present.tolist() == [[True, False], [True, True]]
    pixels, status = jaxdali.image.open(files).resize(size=SIZE).array(on_error="zeros")
    assert status.tolist() == [[0, Status.MISSING], [Status.CORRUPT, 0]]
    assert [[bool(one.any()) for one in row] for row in pixels] == [[True, False], [False, True]]
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"row 2: CORRUPT.*of the 4 rows"):
        jax.block_until_ready(decode(files))


def test_samples_are_chosen_together(files):
    whole = decode(files, (80, 80))
    np.testing.assert_array_equal(decode(files.take(np.array([1, 0, 1])), (80, 80)), whole[np.array([1, 0, 1])])
    np.testing.assert_array_equal(decode(files[1:], (80, 80)), whole[1:])
    joined = EncodedBatch.concatenate([files, files])
    np.testing.assert_array_equal(decode(joined, (80, 80)), np.concatenate([whole, whole]))
    assert files.ravel().ravel().rows.shape == (N * T, 8)


def test_on_several_devices(files):
    mesh = Mesh(np.array(jax.devices("cpu")[:2]), "x")
    cut = NamedSharding(mesh, PartitionSpec("x"))
    sharded = EncodedBatch(
        jax.device_put(jnp.concatenate([files.bytes] * 2), cut),
        jax.device_put(files.rows, cut),
        jax.device_put(files.sizes, cut),
        cut,
    )
    found = jax.jit(lambda batch: jaxdali.image.open(batch).resized_crop(WINDOWS, SIZE).array())(sharded)
    np.testing.assert_array_equal(found, jaxdali.image.open(files).resized_crop(WINDOWS, SIZE).array())
    assert {shard.data.shape for shard in found.addressable_shards} == {(1, T, *SIZE, 3)}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda files: jaxdali.image.open(files).cut(np.zeros((3, 4), np.int32)),
            r"windows has shape \(3, 4\) for 2 x 3",
        ),
        (lambda files: jaxdali.image.open(files).cut(np.zeros((6, 4), np.int32)), r"one for each file, \[2, 3, ...\]"),
        (lambda files: jaxdali.image.open(files).flip(np.zeros((2, 2))), r"horizontal has shape \(2, 2\)"),
        (lambda files: decode_resample(files, None, SIZE, flip=np.zeros(3)), r"flip has shape \(3,\)"),
        (lambda files: jaxdali.image.open([files, files]), "stack expects batches of as many images"),
        (
            lambda files: EncodedBatch.stack([files.ravel(), files.ravel()[1:]]),
            "stack expects batches of as many images",
        ),
        (lambda files: EncodedBatch.stack([]), "stack needs at least one batch, got none"),
        (
            lambda files: EncodedBatch.from_encoded([FILES[:2], FILES[:3]]),
            "lengths from 2 to 3; .*fill them up with None",
        ),
        (
            lambda files: EncodedBatch.from_encoded([[FILES], [FILES]]),
            r"item 0 is list; expected the contents of a file",
        ),
        (lambda files: jaxdali.image.open([files, 3]), "open expects an EncodedBatch, got list"),
        (
            lambda files: jax.vmap(lambda rows, sizes: decode(EncodedBatch(files.bytes, rows, sizes), (80, 80)))(
                files.rows, files.sizes
            ),
            "vmap",
        ),
    ],
)
def test_what_is_refused(files, make, words):
    with pytest.raises(ConfigError, match=words):
        make(files)


def test_a_wrong_call_is_explained(files):
    with pytest.raises(TypeError, match=r"write images.crop\(height, width\)"):
        jaxdali.image.open(files).crop(3)


@pytest.mark.parametrize("ragged", [False, True])
def test_clips_of_pixels_have_both_axes_and_one_window_a_sample(ragged):
    pixels = np.random.default_rng(0).integers(0, 256, (2, 3, 12, 10, 3), np.uint8)
    shapes = np.array([[12, 10, 3], [9, 8, 3]], np.int32) if ragged else None
    windows = np.array([[1, 2, 6, 5], [0, 3, 8, 4]], np.int32)

    @jax.jit
    def both(pixels):
        frames = jaxdali.image.open(pixels, shapes)
        return frames.cut(windows).flip(np.array([True, False])).array((8, 5)), frames.extents

    cut, extents = both(pixels)
    assert cut.shape == (2, 3, 8, 5, 3) and extents.shape == (2, 3, 2)
    np.testing.assert_array_equal(cut[0, :, :6], pixels[0, :, 1:7, 2:7][:, :, ::-1])
    np.testing.assert_array_equal(cut[1, :, :, :4], pixels[1, :, :8, 3:7])
    np.testing.assert_array_equal(extents[1], [[9, 8]] * 3 if ragged else [[12, 10]] * 3)
    assert repr(jaxdali.image.open(pixels)).startswith("StackedImages(2 x 3 images of a canvas, 12 x 10")
