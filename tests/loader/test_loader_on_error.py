"""`Loader(on_error="zeros")`: files that cannot be decoded are zeros and counted, however the function decodes them."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from damaged_files import FAILED, FILES, GOOD, MAX_IMAGE_PIXELS, Folder
from front_pipelines import small_images
from front_sources import Mapped

from jaxdali import ConfigError, DecodeError, Loader
from jaxdali.image import EncodedBatch, custom_call_targets, decode, decode_resample

BATCH = 4
COUNTS = {"TRUNCATED": 2, "CORRUPT": 2, "TOO_LARGE": 1}


def make(augment, data=None, **options):
    options = {"workers": 0, "epochs": 1, "on_error": "zeros", "max_image_pixels": MAX_IMAGE_PIXELS, **options}
    return Loader(data or Folder(), augment, batch_size=BATCH, **options)


def small(files):
    return decode(files, (60, 60))


def are_there(batches):
    return [bool(image.any()) for images in batches for image in np.asarray(images)]


GOOD_ONES = [index not in FAILED for index in range(len(FILES))]


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("shuffle", [False, True])
def test_zeros_are_handed_out_and_counted(workers, shuffle):
    def augment(batch, keys):
        return decode_resample(batch["image"], None, (8, 8)), batch["index"]

    with make(augment, workers=workers, shuffle=shuffle, epochs=2) as loader:
        seen = []
        for step, (images, indices) in loader.enumerate():
            assert images.shape == loader.element_spec[0].shape
            assert are_there([images]) == [int(index) not in FAILED for index in indices]
            seen += indices.tolist()
            if step == 3:
                assert loader.stats().images_failed == COUNTS
    stats = loader.stats()
    assert sorted(seen) == sorted([*range(16)] * 2)
    assert (stats.batches, stats.samples) == (8, 32)
    assert stats.images_failed == {name: 2 * count for name, count in COUNTS.items()}


def test_good_images_are_those_of_a_loader_that_raises():
    data = Mapped(lambda index: {"image": GOOD, "label": np.int32(index)}, 8)
    strict = list(make(small_images, data, on_error="raise"))
    assert len(strict) == 2
    jax.tree.map(np.testing.assert_array_equal, strict, list(make(small_images, data)))


compiled = jax.jit(small)


def nested(files):
    """Passes batches in and out of compiled functions that another loader's program uses, too."""
    half = jax.jit(lambda files: files[::2])
    return jnp.stack([compiled(half(files)), compiled(half(files.take(jnp.array([1, 0, 3, 2]))))], 1).reshape(
        4, 60, 60, 3
    )


FUNCTIONS = {
    "jit": compiled,
    "nested": nested,
    "scan": lambda files: jax.lax.map(lambda row: small(files.take(row[None]))[0], jnp.arange(BATCH)),
    "cond": lambda files: jax.lax.cond(files.sizes.sum() >= 0, small, lambda files: small(files) + 1, files),
    "parts": lambda files: small(EncodedBatch.concatenate([files[:1], files[1:]])),
}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_wherever_it_is_decoded(function):
    with make(lambda batch, keys: function(batch["image"])) as loader:
        assert are_there(loader) == GOOD_ONES
        assert loader.stats().images_failed == COUNTS


def test_every_column_of_files_counts():
    class Pairs(Folder):
        def __getitem__(self, index):
            return {"left": FILES[index], "n": np.int32(index), "right": FILES[index - 1]}

    def augment(batch, keys):
        return small(EncodedBatch.concatenate([batch["right"], batch["left"]]))

    with make(augment, Pairs()) as loader:
        images = np.concatenate([np.asarray(images).reshape(2, BATCH, -1) for images in loader], axis=1).any(axis=2)
    assert images[1].tolist() == GOOD_ONES and images[0].tolist() == GOOD_ONES[-1:] + GOOD_ONES[:-1]
    assert loader.stats().images_failed == {name: 2 * count for name, count in COUNTS.items()}


def test_batches_that_are_returned_are_as_they_came():
    def augment(batch, keys):
        return {"files": batch["image"], "part": [batch["image"].take(np.array([0, 1, 0, 1]))]}

    with make(augment) as loader:
        batch = next(iter(loader))
        assert jax.tree.structure(batch) == jax.tree.structure(loader.element_spec)
        assert batch["files"].failures is None and batch["part"][0].failures is None
        assert are_there([decode(batch["files"], (60, 60), on_error="zeros")[0]]) == GOOD_ONES[:4]
        with pytest.raises(jax.errors.JaxRuntimeError, match="row 1: TRUNCATED"):
            jax.block_until_ready(small(batch["part"][0]))
        assert loader.stats().images_failed == {}


def test_without_files_there_is_nothing_to_note():
    with make(lambda batch, keys: batch + 1, Mapped(np.int32, 8)) as loader:
        assert [batch.tolist() for batch in loader] == [[1, 2, 3, 4], [5, 6, 7, 8]]
        assert loader.stats().images_failed == {}


def test_what_the_function_says_comes_first():
    def pair(batch, keys):
        return decode(batch["image"], (60, 60), on_error="zeros")

    with make(pair) as loader:
        assert [code != 0 for _, status in loader for code in status.tolist()] == [not good for good in GOOD_ONES]
        assert loader.stats().images_failed == {}

    def strict(batch, keys):
        return decode(batch["image"], (60, 60), on_error="raise")

    check_that_it_raises(strict)


def test_a_batch_of_the_functions_own_making_raises_and_says_why():
    def augment(batch, keys):
        files = batch["image"]
        return small(EncodedBatch(files.bytes, files.rows, files.sizes))

    check_that_it_raises(augment)


def check_that_it_raises(augment):
    with make(augment) as loader:
        steps = loader.enumerate()
        with pytest.raises(DecodeError, match=r'on_error="raise", or in a batch .* select .* batch\.take') as caught:
            next(steps)
        assert caught.value.sample_index == 1
        step, images = next(steps)
        assert step == 1 and all(are_there([images]))
    with make(augment, on_error="raise") as loader, pytest.raises(DecodeError) as caught:
        next(iter(loader))
    assert "batch.take" not in str(caught.value)


def mapped(files):
    return jax.vmap(lambda level: small(files) + level)(jnp.arange(3, dtype=jnp.uint8))[0]


def on_a_mesh(files):
    spec = jax.sharding.PartitionSpec()
    return jax.shard_map(small, mesh=jax.make_mesh((1,), ("x",)), in_specs=spec, out_specs=spec, check_vma=False)(files)


@jax.custom_jvp
def with_a_derivative(files):
    return small(files)


@with_a_derivative.defjvp
def _derivative(primals, tangents):
    return with_a_derivative(*primals), jnp.zeros((BATCH, 60, 60, 3), jax.dtypes.float0)


def exported(files):
    checks = [jax.export.DisabledSafetyCheck.custom_call(name) for name in custom_call_targets()]
    return jax.export.export(jax.jit(small), disabled_checks=checks)(files).call(files)


@pytest.mark.parametrize("function", [mapped, on_a_mesh, with_a_derivative, exported])
def test_where_jax_has_no_mutable_arrays_it_says_what_to_do(function):
    def use(on_error):
        data = Mapped(lambda index: {"image": GOOD}, 4)
        with make(lambda batch, keys: function(batch["image"]), data, on_error=on_error) as loader:
            return next(iter(loader))

    with pytest.raises(Exception, match=r"(?s)notes failed images .* Decode outside of them") as caught:
        use("zeros")
    assert sum("notes failed images" in note for note in caught.value.__notes__) == 1
    assert are_there([use("raise")]) == [True] * 4


def test_what_can_never_be_mapped_says_the_same_as_ever():
    def augment(batch, keys):
        return jax.vmap(lambda rows: small(batch["image"].take(rows)))(jnp.arange(4).reshape(2, 2))

    with pytest.raises(ConfigError, match=r"cannot be mapped by jax\.vmap: decode before vmap"):
        make(augment)


def test_without_a_function_there_is_nothing_to_decide():
    with pytest.raises(ConfigError, match=r"got augment=None; .*decode\(\.\.\., on_error=.zeros.\) on them"):
        make(None)
    with pytest.raises(ConfigError, match="'raise' or 'zeros', got 'skip'"):
        make(small_images, on_error="skip")
