"""`Loader`: the same steps whoever reads them, from wherever they start."""

import collections
import io

import front_sources
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from front_sources import Folder, Rows
from PIL import Image

import jaxdali
from jaxdali import ConfigError, DecodeError, Loader, SourceDataError, StateError
from jaxdali.image import EncodedBatch, decode, reference, resize
from jaxdali.random import sample_keys, uniform
from jaxdali.source.sampler import ShuffleSampler

Point = collections.namedtuple("Point", "x y")


class Mapped:
    """Samples of a function."""

    def __init__(self, sample, length=8):
        self.sample = sample
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        return self.sample(index)


def indices_of(loader):
    return [batch[:, 0].tolist() for batch in loader]


def small_images(batch, keys):
    pixels = resize(decode(batch["image"], (80, 80)), (8, 8), batch["image"].sizes)
    return {"x": pixels, "y": batch["label"], "u": uniform(keys)}


def assert_equal(one, two):
    jax.tree.map(np.testing.assert_array_equal, one, two)


# ORDER


def test_the_order_without_shuffle():
    loader = Loader(Rows(10), batch_size=4, epochs=2, workers=0)
    assert len(loader) == 4 and loader.steps_per_epoch == 2
    assert indices_of(loader) == [[0, 1, 2, 3], [4, 5, 6, 7]] * 2


@pytest.mark.parametrize("length", [8, 10])
def test_the_order_with_shuffle_is_the_samplers(length):
    loader = Loader(Rows(length), batch_size=4, shuffle=True, seed=5, epochs=3, workers=0)
    sampler = ShuffleSampler(length, 5)
    expected = [
        sampler.indices(epoch, np.arange(4 * k, 4 * k + 4)).tolist()
        for epoch in range(3)
        for k in range(2)
    ]
    assert indices_of(loader) == expected
    epochs = [expected[2 * k] + expected[2 * k + 1] for k in range(3)]
    assert len(set(map(tuple, epochs))) == 3
    for order in epochs:
        assert len(set(order)) == 8 and set(order) <= set(range(length))


def test_keys_are_those_of_the_samples():
    def augment(batch, keys):
        return batch[:, 0], jax.random.key_data(keys)

    loader = Loader(Rows(10), augment, batch_size=4, shuffle=True, seed=5, epochs=2, workers=0)
    for step, (_, words) in loader.enumerate():
        positions = 4 * (step % 2) + np.arange(4)
        expected = sample_keys(5, 0, step // 2, positions)
        np.testing.assert_array_equal(words, jax.random.key_data(expected))


def test_workers_change_nothing():
    data = Folder()
    options = {"batch_size": 4, "shuffle": True, "seed": 3, "epochs": 2}
    alone = list(Loader(data, small_images, workers=0, **options).enumerate())
    assert [step for step, _ in alone] == [0, 1, 2, 3, 4, 5]
    with Loader(data, small_images, workers=2, **options) as loader:
        loader.start()
        for (step, batch), expected in zip(loader.enumerate(), alone, strict=True):
            assert step == expected[0]
            assert_equal(batch, expected[1])


def test_images_are_those_of_the_reference():
    sampler = ShuffleSampler(14, 3)
    loader = Loader(Folder(), small_images, batch_size=4, shuffle=True, seed=3, workers=0)
    batch = next(iter(loader))
    for row, index in enumerate(sampler.indices(0, np.arange(4))):
        expected = reference.resize(front_sources.pixels(index)[None], (8, 8))[0].astype(int)
        assert np.abs(np.asarray(batch["x"][row]) - expected).max() <= 1
        assert batch["y"][row] == front_sources.label(index)


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("start", [0, 1, 3, 5])
def test_seek_goes_on_as_if_it_had_never_stopped(start, workers):
    options = {"batch_size": 4, "shuffle": True, "epochs": 3, "workers": workers}
    straight = indices_of(Loader(Rows(10), batch_size=4, shuffle=True, epochs=3, workers=0))
    with Loader(Rows(10), **options) as loader:
        loader.seek(start)
        assert loader.step == start
        assert indices_of(loader) == straight[start:]
        loader.seek(1)
        steps = loader.enumerate()
        assert next(steps)[0] == 1
        loader.seek(4)
        step, batch = next(steps)
        assert (step, loader.step) == (4, 5)
        assert batch[:, 0].tolist() == straight[4]


def test_iterators_share_the_position():
    loader = Loader(Rows(10), batch_size=2, epochs=1, workers=0)
    one, two = loader.enumerate(), loader.enumerate()
    assert [next(one)[0], next(two)[0], next(one)[0]] == [0, 1, 2]
    assert [step for step, _ in loader.enumerate()] == [3, 4]
    assert list(loader) == []
    loader.seek(4)
    assert len(list(loader)) == 1


def test_without_epochs_there_is_no_end():
    loader = Loader(Rows(4), batch_size=4, workers=0)
    steps = loader.enumerate()
    assert [next(steps)[0] for _ in range(7)] == list(range(7))
    with pytest.raises(TypeError, match="no length; see steps_per_epoch"):
        len(loader)


def test_every_prefetch_gives_the_same():
    for prefetch in (1, 2, 7):
        loader = Loader(Rows(10), batch_size=4, epochs=3, prefetch=prefetch, workers=0)
        assert indices_of(loader) == [[0, 1, 2, 3], [4, 5, 6, 7]] * 3


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
        (lambda i: [np.zeros(2, np.int8 if i < 5 else np.int16)], "same type as the target batch"),
    ],
)
def test_samples_that_are_not_alike(sample, words):
    loader = Loader(Mapped(sample), batch_size=4, epochs=1, workers=0)
    steps = loader.enumerate()
    next(steps)
    with pytest.raises(SourceDataError, match=words) as caught:
        next(steps)
    assert caught.value.iteration == 1
    # It ends the data until somebody goes elsewhere.
    with pytest.raises(SourceDataError, match=words):
        next(steps)
    loader.seek(0)
    assert next(steps)[0] == 0


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


def test_arrays_of_several_shapes_are_a_padded_array_and_shapes():
    def augment(batch, keys):
        if isinstance(batch, tuple):
            data, shapes = batch
            return data.sum(axis=1), shapes[:, 0]
        return batch.sum(axis=1), jnp.full(len(batch), batch.shape[1])

    data = Mapped(lambda i: np.full(1 + (i if i < 4 else 0), i, np.float32))
    for loader in (
        Loader(data, augment, batch_size=4, epochs=1, workers=0),
        Loader(data, batch_size=4, epochs=1, workers=0),
    ):
        batches = list(loader)
        if loader._program._augment is None:
            batches = [augment(batch, None) for batch in batches]
        assert batches[0][0].tolist() == [0, 2, 6, 12]
        assert batches[0][1].tolist() == [1, 2, 3, 4]
        assert batches[1][0].tolist() == [4, 5, 6, 7]


# AUGMENT


def test_element_spec_is_that_of_the_batches():
    loader = Loader(Folder(), small_images, batch_size=4, epochs=1, workers=0)
    assert loader._executor is None, "the specification asked for data"
    batch = next(iter(loader))
    of_batch = jax.tree.map(lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype), batch)
    assert of_batch == jax.tree.map(
        lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype), loader.element_spec
    )


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
    with pytest.raises(TypeError, match="positional argument"):
        Loader(Folder(), lambda batch: batch, batch_size=4)


@pytest.mark.parametrize("workers", [0, 2])
def test_a_bad_image_and_then_the_next_step(workers):
    def sample(index):
        file = b"no image" * 9 if index == 6 else front_sources.FILES[index % 6]
        return {"image": file, "label": front_sources.label(index)}

    data = Mapped(sample, 12)
    with Loader(data, small_images, batch_size=4, epochs=1, workers=workers) as loader:
        steps = loader.enumerate()
        assert next(steps)[0] == 0
        with pytest.raises(
            DecodeError, match="CORRUPT: the image is corrupt, or no image"
        ) as caught:
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
        for step, batch, view in kept:
            first = 4 * (step % 10)
            assert batch[0].tolist() == view[0].tolist() == [first, -first]


def test_a_device():
    device = jax.devices("cpu")[5]
    loader = Loader(Folder(), small_images, batch_size=4, workers=0, device=device)
    for array in jax.tree.leaves(next(iter(loader))):
        assert array.devices() == {device}
    with pytest.raises(ConfigError, match=r"device must be one of .*jax.device_put"):
        Loader(Rows(), batch_size=4, device="gpu:0")


# LIFE


def test_a_closed_loader():
    with Loader(Rows(), batch_size=4, workers=0) as loader:
        steps = loader.enumerate()
        _, batch = next(steps)
    assert batch[:, 0].tolist() == [0, 1, 2, 3]
    assert loader.step == 1
    loader.close()
    for call in (lambda: next(steps), lambda: list(loader), lambda: loader.seek(0), loader.start):
        with pytest.raises(StateError, match="the loader is closed; make a new one"):
            call()
    with pytest.raises(StateError, match="closed"), loader:
        pass


def test_construction_reads_one_sample_and_starts_nothing():
    asked = []
    loader = Loader(Mapped(lambda i: np.int32(asked.append(i) or i)), batch_size=4, workers=0)
    assert asked == [0] and loader.step == 0
    next(iter(loader))
    assert len(asked) > 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"data": lambda info: 0}, "__len__ and __getitem__, got function; .*fn.external_source"),
        ({"augment": 3}, r"augment must be a function of \(batch, keys\), got 3"),
        ({"batch_size": 0}, "batch_size must be an integer, at least 1, got 0"),
        ({"batch_size": 2.0}, "batch_size must be an integer"),
        ({"batch_size": 11}, "the data have 10 samples, fewer than one batch of 11"),
        ({"prefetch": 0}, "prefetch must be an integer, at least 1"),
        ({"seed": -1}, "seed must be an integer, at least 0"),
        ({"epochs": 0}, "epochs must be an integer, at least 1"),
        ({"workers": -1}, "workers must be an integer, at least 0"),
        ({"max_image_pixels": 0}, "max_image_pixels must be"),
    ],
    ids=str,
)
def test_refused(arguments, words):
    with pytest.raises(ConfigError, match=words):
        Loader(**{"data": Rows(10), "batch_size": 4, **arguments})


def test_samples_that_no_array_can_hold():
    with pytest.raises(SourceDataError, match="Unsupported callback return type: int"):
        Loader(Mapped(lambda i: {"label": i}), batch_size=4)


@pytest.mark.parametrize("step", [-1, 5, 1.5])
def test_there_is_no_such_step(step):
    loader = Loader(Rows(10), batch_size=4, epochs=2, workers=0)
    with pytest.raises(ConfigError, match="step must be an integer, at least 0 and at most 4"):
        loader.seek(step)
    loader.seek(4)
    assert list(loader) == []


def test_the_front_door():
    assert jaxdali.Loader is Loader
