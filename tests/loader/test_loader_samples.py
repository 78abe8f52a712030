"""What samples may be, and what becomes of them: batches, `augment`, bad images."""

import collections
import dataclasses
import io

import front_sources
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from front_pipelines import small_images
from front_sources import Folder, Mapped, Rows
from PIL import Image

from jaxdali import ConfigError, DecodeError, Loader, SourceDataError
from jaxdali.image import EncodedBatch, decode

Point = collections.namedtuple("Point", "x y")


# SAMPLES


def test_any_nesting():
    def sample(index):
        point = Point(np.int32(index), (np.float32(index), [np.uint8([index] * 2)]))
        return {"a": {"b": point}, "c": [np.bool_(index % 2)]}

    loader = Loader(Mapped(sample), batch_size=4, epochs=1, workers=0)
    batch = next(iter(loader))
    assert list(batch) == ["a", "c"] and isinstance(batch["a"]["b"], Point)
    x, (y, [z]) = batch["a"]["b"]
    assert (x.dtype, y.dtype, z.dtype, z.shape) == (jnp.int32, jnp.float32, jnp.uint8, (4, 2))
    assert x.tolist() == y.tolist() == z[:, 0].tolist() == [0, 1, 2, 3]
    assert batch["c"][0].tolist() == [False, True, False, True]
    assert jax.tree.structure(batch) == jax.tree.structure(loader.element_spec)


@pytest.mark.parametrize(
    ("sample", "words"),
    [
        (lambda i: {"x": np.int32(i)} if i < 5 else {"y": np.int32(i)}, r"dict with \['y'\]"),
        (lambda i: (np.int32(i),) * (2 if i < 5 else 3), "every sample must be nested in the same"),
        (
            lambda i: [np.zeros(2, np.int8 if i < 5 else np.int16)],
            r"is int16, but int8 in the first sample of the data; .* np.int8\)",
        ),
        (
            lambda i: {"x": i if i < 4 else i + 0.5},
            "'x' of this sample is float64, but int64 in the first sample of the data",
        ),
        (
            lambda i: {"x": np.zeros((2,) if i < 4 else (2, 1))},
            r"has 2 dimensions, but the first sample .* 1",
        ),
        (
            lambda i: {"x": np.zeros(2) if i < 4 else np.ma.masked_array([1.0, 2], [0, 1])},
            r"a masked array, but batches have no masks: return array.filled\(0\)",
        ),
        (
            lambda i: {"x": np.zeros(2).sum() if i < 4 else np.ma.masked_array([1.0], [1]).sum()},
            r"a masked array, but batches have no masks",
        ),
    ],
)
def test_samples_that_are_not_alike(sample, words):
    loader = Loader(Mapped(sample), batch_size=4, epochs=1, workers=0)
    steps = loader.enumerate()
    next(steps)
    with pytest.raises(SourceDataError, match=words) as caught:
        next(steps)
    assert caught.value.iteration == 1
    # As after a bad image, the next step follows; here it is the end.
    assert loader.step == 2 and next(steps, None) is None
    loader.seek(0)
    assert next(steps)[0] == 0


@pytest.mark.parametrize(
    ("sample", "words"),
    [
        ({0: 1, "a": 2}, "the keys 0, 'a', of several types, which JAX does not take"),
        (
            {"x": np.ma.masked_array([1, 2], [0, 1])},
            r"a masked array, but batches have no masks: return array.filled\(0\)",
        ),
        (
            {"x": dataclasses.make_dataclass("Point", ["a"])(1)},
            r"For a dataclass, return a dict, \{\*\*vars\(sample\)\}",
        ),
    ],
    ids=["keys", "masked", "dataclass"],
)
def test_a_first_sample_that_is_none(sample, words):
    with pytest.raises(SourceDataError, match=words):
        Loader([sample] * 4, batch_size=4)


def test_who_reads_the_first_sample_is_told():
    with pytest.raises(KeyError) as caught:
        Loader(Mapped({}.__getitem__), batch_size=4)
    assert caught.value.__notes__[0].startswith("raised by data[0], from which a Loader learns what samples hold")


@pytest.mark.parametrize(("timeout_s", "workers", "threads"), [(60, 1, 1), (None, 1, 0), (60, 0, 0)])
def test_an_error_of_the_first_sample_says_when_another_thread_read_it(timeout_s, workers, threads):
    with pytest.raises(KeyError) as caught:
        Loader(Mapped({}.__getitem__), batch_size=4, workers=workers, worker_timeout_s=timeout_s)
    assert sum("raised in the thread 'jaxdali-first-sample'" in note for note in caught.value.__notes__) == threads


def test_what_the_data_raise_comes_through():
    def sample(index):
        if index == 6:
            raise OSError("unreadable")
        return np.int32(index)

    steps = Loader(Mapped(sample), batch_size=4, epochs=1, workers=0).enumerate()
    next(steps)
    with pytest.raises(OSError, match="unreadable") as caught:
        next(steps)
    assert "sample 6, iteration 1, epoch 0" in caught.value.__notes__[0]


def test_files_become_an_encoded_batch():
    def sample(index):
        return {"image": front_sources.FILES[index % 6], "mask": png(index)}

    loader = Loader(Mapped(sample), batch_size=4, epochs=1, workers=0)
    batch = next(iter(loader))
    assert isinstance(batch["image"], EncodedBatch) and isinstance(batch["mask"], EncodedBatch)
    for files, original in ((batch["image"], front_sources.pixels), (batch["mask"], mask)):
        pixels = np.asarray(decode(files))
        for k in range(4):
            height, width, _ = original(k).shape
            np.testing.assert_array_equal(pixels[k, :height, :width], original(k))


def mask(index):
    return front_sources.pixels(index)[::2, ::2]


def png(index):
    stream = io.BytesIO()
    Image.fromarray(mask(index)).save(stream, "PNG")
    return stream.getvalue()


@pytest.mark.parametrize("workers", [0, 1])
def test_pythons_numbers_are_narrowed_as_jax_does(workers):
    def sample(index):
        return {"i": index, "f": index / 4, "b": index > 2, "np": (np.int64(index), np.float64(index), np.int16(index))}

    with Loader(Mapped(sample), batch_size=4, epochs=1, workers=workers) as loader:
        first, second = loader
        spec = loader.element_spec
    assert jax.tree.map(lambda x: (x.shape, x.dtype), first) == jax.tree.map(lambda x: (x.shape, x.dtype), spec)
    dtypes = [first[name].dtype.name for name in "ifb"] + [leaf.dtype.name for leaf in first["np"]]
    assert dtypes == ["int32", "float32", "bool", "int32", "float32", "int16"]
    assert first["f"].tolist() == [0, 0.25, 0.5, 0.75] and first["b"].tolist() == [False] * 3 + [True]
    assert second["i"].tolist() == second["np"][0].tolist() == [4, 5, 6, 7]


def test_with_x64_they_keep_their_64_bits():
    with jax.enable_x64(True):
        integers, floats = next(iter(Loader(Mapped(lambda i: (i + 2**40, 0.1)), batch_size=4, workers=0)))
        assert integers.dtype == np.int64 and integers.tolist() == [2**40 + k for k in range(4)]
        assert floats.dtype == np.float64 and floats[0] == 0.1


def test_a_float_that_does_not_fit_is_an_error_of_its_step():
    values = {1: np.inf, 2: np.nan, 3: 1e-300, 5: -1e300}
    loader = Loader(Mapped(lambda i: {"x": np.float64(values.get(i, i))}, 12), batch_size=4, epochs=1, workers=0)
    steps = loader.enumerate()
    np.testing.assert_array_equal(next(steps)[1]["x"], np.array([0, np.inf, np.nan, 0], np.float32))
    with pytest.raises(SourceDataError, match=r"'x' holds float64 values up to 1e\+300, which are infinite as float32"):
        next(steps)
    assert next(steps)[0] == 2


def test_an_integer_that_does_not_fit_is_an_error_of_its_step():
    loader = Loader(Mapped(lambda i: {"id": 2**31 if i == 5 else i}, 12), batch_size=4, epochs=1, workers=0)
    steps = loader.enumerate()
    next(steps)
    with pytest.raises(SourceDataError, match="'id' holds int64 values from 4 to 2147483648, which do not fit int32"):
        next(steps)
    assert next(steps)[0] == 2


# AUGMENT


def test_element_spec_is_that_of_the_batches():
    loader = Loader(Folder(), small_images, batch_size=4, epochs=1, workers=0)
    assert loader._step_runner.executor is None, "the specification asked for data"
    batch = next(iter(loader))
    of_batch = jax.tree.map(lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype), batch)
    assert of_batch == jax.tree.map(lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype), loader.element_spec)


def test_element_spec_without_augment():
    loader = Loader(Folder(), batch_size=4, epochs=1, workers=0)
    spec, batch = loader.element_spec, next(iter(loader))
    assert jax.tree.structure(spec) == jax.tree.structure(batch)
    assert spec["label"].shape == batch["label"].shape
    assert spec["image"].rows.shape == batch["image"].rows.shape
    assert spec["image"].bytes.shape == batch["image"].bytes.shape


def test_a_mistake_in_augment_shows_at_construction():
    with pytest.raises(KeyError, match="imagge"):
        Loader(Folder(), lambda batch, keys: batch["imagge"], batch_size=4)
    with pytest.raises(TypeError, match=r"called with \(batch, keys\)"):
        Loader(Folder(), lambda batch: batch, batch_size=4)


@pytest.mark.parametrize(
    ("augment", "words"),
    [
        (lambda batch, keys: None, r"\[4, ...\], got None"),
        (lambda batch, keys: batch["label"][:2], r"got shape \(2, 1\) for a batch of 4 rows; expected \(4, ...\)"),
        (
            lambda batch, keys: {"y": keys, "m": batch["label"][0]},
            r"got shape \(1,\) of \['m'\] for a batch of 4 rows",
        ),
        (lambda batch, keys: np.zeros((0, 4)), r"got shape \(0, 4\) for a batch of 4 rows"),
        (lambda batch, keys: (batch["image"].take(np.arange(3)), 3), r"got shape \(3, 8\) of \[0\] for a batch of 4"),
    ],
    ids=["None", "rows", "one row", "no row", "images"],
)
@pytest.mark.parametrize("on_error", ["raise", "zeros"])
def test_augment_returns_a_row_a_sample(augment, words, on_error):
    with pytest.raises(ConfigError, match=f"augment must return arrays with a row per sample, {words}"):
        Loader(Folder(), augment, batch_size=4, on_error=on_error)


@pytest.mark.parametrize("workers", [0, 2])
def test_a_bad_image_and_then_the_next_step(workers):
    def sample(index):
        file = b"no image" * 9 if index == 6 else front_sources.FILES[index % 6]
        return {"image": file, "label": front_sources.label(index)}

    data = Mapped(sample, 12)
    with Loader(data, small_images, batch_size=4, epochs=1, workers=workers) as loader:
        steps = loader.enumerate()
        assert next(steps)[0] == 0
        with pytest.raises(DecodeError, match="CORRUPT: the image is corrupt, or not an image") as caught:
            next(steps)
        error = caught.value
        assert (error.output, error.sample_index, error.iteration) == ("image", 6, 1)
        assert (error.worker_id is None) == (error.pid is None) == (workers == 0)
        assert loader.step == 2
        step, batch = next(steps)
        assert step == 2 and batch["y"][0] == front_sources.label(8)
        with pytest.raises(StopIteration):
            next(steps)


def test_augment_may_carry_on_after_a_bad_image():
    def augment(batch, keys):
        return decode(batch["image"], (80, 80), on_error="zeros")

    data = Mapped(lambda i: {"image": b"no" if i == 1 else front_sources.FILES[i % 6]}, 4)
    pixels, status = next(iter(Loader(data, augment, batch_size=4, workers=0)))
    assert [bool(code) for code in status] == [False, True, False, False]
    assert not pixels[1].any() and pixels[0].any()


def test_an_image_that_is_too_large():
    loader = Loader(Folder(), small_images, batch_size=4, workers=0, max_image_pixels=100)
    with pytest.raises(DecodeError, match="TOO_LARGE"):
        next(iter(loader))


def test_batches_may_be_donated_and_kept():
    double = jax.jit(lambda x: 2 * x, donate_argnums=0)
    for augment in (None, lambda batch, keys: batch + 0):
        loader = Loader(Rows(40), augment, batch_size=4, epochs=2, workers=0)
        kept = []
        for step, batch in loader.enumerate():
            if step % 3 == 0:
                assert double(batch)[0, 0] == 8 * (step % 10)
            else:
                kept.append((step, batch, np.asarray(batch)))
        assert len(kept) == 13
        for step, batch, view in kept:
            first = 4 * (step % 10)
            assert batch[0].tolist() == view[0].tolist() == [first, -first]


def test_a_device():
    device = jax.devices("cpu")[5]
    loader = Loader(Folder(), small_images, batch_size=4, workers=0, device=device)
    for array in jax.tree.leaves(next(iter(loader))):
        assert array.devices() == {device}
    with pytest.raises(ConfigError, match=r"device must be a jax.Device, .*jax.device_put"):
        Loader(Rows(), batch_size=4, device="gpu:0")
