"""Files that cannot be decoded: an error that names the file, or zeros that are counted; the pipeline continues."""

import numpy as np
import pytest
from damaged_files import FAILED, GOOD, MAX_IMAGE_PIXELS, Files, Folder
from jpeg_files import pillow_jpeg, pillow_pixels

from jaxdali import ConfigError, DecodeError, Loader, SourceDataError, fn, pipeline_def, types
from jaxdali.image import decode, decode_resample
from jaxdali.plugin.jax import DALIGenericIterator

BATCH = 4


def make(images, parallel=False, **options):
    @pipeline_def(batch_size=BATCH, max_image_pixels=MAX_IMAGE_PIXELS, py_num_workers=parallel * 2, seed=1, **options)
    def graph():
        files, labels = fn.external_source(Files(), num_outputs=2, batch=False, parallel=parallel)
        return images(files), labels

    return graph()


def expected_counts(epochs=1):
    found = {}
    for name in FAILED.values():
        found[name] = found.get(name, 0) + epochs
    return found


GRAPHS = {
    "whole": lambda files, **options: fn.decoders.image(files, **options),
    "fused": lambda files, **options: fn.resize(fn.decoders.image(files, **options), size=(12, 16)),
    "window": lambda files, **options: fn.crop(fn.decoders.image(files, **options), crop=(30, 30)),
    "random window": lambda files, **options: fn.resize(fn.decoders.image_random_crop(files, **options), size=8),
}


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_zeros_are_handed_out_and_counted(graph, parallel):
    with make(lambda files: graph(files, on_error="zeros"), parallel) as pipe:
        for epoch in range(2):
            for batch in range(4):
                images, labels = pipe.run()
                for row in range(BATCH):
                    index = int(labels.at(row)[0])
                    assert index == BATCH * batch + row
                    assert bool(images.as_cpu().at(row).any()) == (index not in FAILED)
            with pytest.raises(StopIteration):
                pipe.run()
            pipe.reset()
            stats = pipe.stats()
            assert (stats.batches, stats.samples) == (4 * (epoch + 1), 16 * (epoch + 1))
            assert stats.images_failed == expected_counts(epoch + 1)
    assert pipe.stats() == stats


def test_a_failed_image_has_the_extents_of_its_header_or_of_the_others():
    with make(lambda files: fn.decoders.image(files), on_error="zeros") as pipe:
        images, _ = pipe.run()
        assert images.shape() == [(40, 56, 3)] * 4
        np.testing.assert_array_equal(images.at(0), pillow_pixels(GOOD))


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_raising_names_the_sample_and_the_next_batch_comes(graph):
    with make(graph) as pipe:
        for batch, first in enumerate([1, None, 8, 15]):
            if first is None:
                pipe.run()
                continue
            with pytest.raises(DecodeError, match=FAILED[first]) as caught:
                pipe.run()
            assert (caught.value.sample_index, caught.value.epoch) == (first, 0)
            assert batch == first // BATCH
        assert pipe.stats().images_failed == expected_counts()
        assert pipe.stats().batches == 1


def test_the_decoder_says_it_before_the_pipeline_and_the_iterator():
    images = GRAPHS["fused"]
    with make(lambda files: images(files, on_error="raise"), on_error="zeros") as pipe, pytest.raises(DecodeError):
        pipe.run()
    iterator = DALIGenericIterator(make(images), ["image", "index"], on_error="zeros")
    assert [int(index) for batch in iterator for index in batch["index"].ravel()] == list(range(16))
    for pipe, on_error in (
        (make(lambda files: images(files, on_error="raise")), "zeros"),
        (make(images, on_error="zeros"), "raise"),
    ):
        with pytest.raises(DecodeError):
            next(DALIGenericIterator(pipe, ["image", "index"], on_error=on_error))


@pytest.mark.parametrize("value", ["skip", True, None])
def test_other_values_are_refused(value):
    with pytest.raises(ConfigError, match="'raise' or 'zeros'"):
        make(GRAPHS["whole"], on_error=value)
    if value is not None:
        words = rf"fn.decoders.image\(on_error=\) must be one of raise, zeros, got {value!r}"
        with pytest.raises(ConfigError, match=words):
            make(lambda files: fn.decoders.image(files, on_error=value))
    with pytest.raises(ConfigError, match=r"fn\.decoders\.image\(decoder=\) must be one of .*, got 'fast'"):
        make(lambda files: fn.decoders.image(files, decoder="fast"))


def test_a_loader_counts_what_its_function_fails_at():
    def strict(batch, keys):
        return decode(batch["image"], (60, 60)), batch["index"]

    def lenient(batch, keys):
        return *decode_resample(batch["image"], None, (8, 8), on_error="zeros"), batch["index"]

    options = {"batch_size": BATCH, "workers": 0, "epochs": 1, "max_image_pixels": MAX_IMAGE_PIXELS}
    with Loader(Folder(), strict, **options) as loader:
        steps, failures = loader.enumerate(), 0
        for _ in range(4):
            try:
                next(steps)
            except DecodeError:
                failures += 1
        stats = loader.stats()
    assert failures == 3 and sum(stats.images_failed.values()) == 3 and (stats.batches, stats.samples) == (1, BATCH)
    assert loader.stats() == stats
    with Loader(Folder(), lenient, **options) as loader:
        bad = [int(i) for _, status, index in loader for i in np.asarray(index)[np.asarray(status) != 0]]
    assert bad == sorted(FAILED)


NORMALIZED = {"mean": [100.0, 110.0, 120.0], "std": [50.0, 60.0, 70.0]}


def test_all_that_is_made_of_a_failed_image_is_zeros_in_one_call_or_several():
    def outputs(between):
        def graph(files):
            images = fn.resize(fn.decoders.image(files, on_error="zeros"), size=(12, 16))
            return fn.crop_mirror_normalize(between(images), **NORMALIZED)

        with make(graph) as pipe:
            return np.stack([pipe.run()[0].as_array() for _ in range(4)])

    one_call = outputs(lambda images: images)
    # Arithmetic needs arrays, so the recipe is cut in two.
    np.testing.assert_array_equal(one_call, outputs(lambda images: fn.cast(images + 0, dtype=types.UINT8)))
    zeros = [index for index, image in enumerate(one_call.reshape(16, -1)) if not image.any()]
    assert zeros == sorted(FAILED)


@pytest.mark.parametrize("on_error", ["raise", "zeros"])
@pytest.mark.parametrize("small_first", [False, True])
def test_a_condition_holds_for_every_image_that_did_not_fail(on_error, small_first):
    """The two crops raise the same error; and one sample may have both a bad image and one that is too small."""
    small, large, bad = pillow_jpeg(6, 6), pillow_jpeg(40, 40), GOOD[: len(GOOD) // 2]

    def run(first, second):
        files = [np.frombuffer(file, np.uint8) for file in ((second, first) if small_first else (first, second))]

        @pipeline_def(batch_size=2, on_error=on_error)
        def graph():
            one, other = fn.external_source(lambda info: files, num_outputs=2, batch=False)
            # The flip keeps it from being one call, so that the crop looks at pixels.
            images = [fn.flip(fn.decoders.image(file), vertical=1) for file in (one, other)]
            return tuple(fn.crop(image, crop=20) for image in images)

        with graph() as pipe:
            return [output.as_array() for output in pipe.run()]

    assert all(array.any() for array in run(large, large))
    with pytest.raises(SourceDataError, match="smaller than the window"):
        run(small, large)
    with pytest.raises(DecodeError if on_error == "raise" else SourceDataError):
        run(small, bad)
    if on_error == "zeros":
        assert [array.any() for array in run(bad, large)] == ([True, False] if small_first else [False, True])


def test_one_bad_file_among_images_of_one_size_reaches_the_iterator():
    graph = make(lambda files: fn.brightness_contrast(fn.decoders.image(files), contrast=1.5))
    batches = list(DALIGenericIterator(graph, ["image", "index"], on_error="zeros"))
    assert [batch["image"].shape for batch in batches[:2]] == [(4, 40, 56, 3)] * 2
    assert [bool(image.any()) for image in batches[0]["image"]] == [True, False, False, True]
