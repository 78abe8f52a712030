"""What is made of the same files is one custom call, with the same results as operator by operator."""

import front_sources
import image_reference as reference
import numpy as np
import pytest
from front_pipelines import keys, make

from jaxdali import DecodeError, GraphError, SourceDataError, fn, pipeline_def, types
from jaxdali._dali.planner import graph_recipes as recipes
from jaxdali._dali.planner import recipe_values as evaluate
from jaxdali.random import resized_crop_window

# Most graphs here use only one of their source's two outputs.
pytestmark = pytest.mark.filterwarnings("ignore:the external_source:UserWarning")

MEAN, STD = [123.0, 117.0, 104.0], [58.0, 57.0, 56.0]


def normalized(images, **options):
    mirror = fn.random.coin_flip()
    return fn.crop_mirror_normalize(images, mirror=mirror, mean=MEAN, std=STD, **options), mirror


def position():
    return {"crop_pos_x": fn.random.uniform(range=(0, 1)), "crop_pos_y": fn.random.uniform(range=(0, 1))}


CHAINS = {
    "resize": lambda files: fn.resize(fn.decoders.image(files), size=(24, 20)),
    "random_resized_crop": (
        lambda files: fn.random_resized_crop(
            fn.decoders.image(files, device="mixed"),
            size=30,
            random_area=(0.3, 0.4),
            random_aspect_ratio=(1.9, 2.1),
            num_attempts=3,
            seed=4,
            dtype=types.UINT8,
        )
    ),
    "crop": lambda files: fn.crop(fn.decoders.image(files), crop=(16, 20), **position()),
    "crop and resize": lambda files: fn.resize(fn.crop(fn.decoders.image(files), crop=18), size=(30, 9)),
    "crop of a crop": lambda files: fn.crop(fn.crop(fn.decoders.image(files), crop=18, **position()), crop=(9, 7)),
    "flip": lambda files: fn.flip(fn.resize(fn.decoders.image(files), size=24), horizontal=fn.random.coin_flip()),
    "twice mirrored": (
        lambda files: normalized(
            fn.flip(fn.random_resized_crop(fn.decoders.image(files), size=24), horizontal=fn.random.coin_flip())
        )[0]
    ),
    "train, HWC": (
        lambda files: normalized(
            fn.resize(fn.decoders.image_random_crop(files), size=(24, 20)), dtype=types.FLOAT16, output_layout="HWC"
        )[0]
    ),
    "resize and the same crop": (
        lambda files: fn.crop_mirror_normalize(
            fn.resize(fn.decoders.image(files), size=(24, 20)), crop=(24, 20), scale=2.0, shift=1.0, dtype=types.UINT8
        )
    ),
    "crop_mirror_normalize": (lambda files: normalized(fn.decoders.image(files), crop=(16, 20), **position())[0]),
    "moments by nodes": (
        lambda files: fn.crop_mirror_normalize(
            fn.resize(fn.decoders.image(files), size=8),
            mean=fn.random.uniform(range=(100, 120)),
            std=fn.random.uniform(range=(40, 60), shape=3),
        )
    ),
    "vertical": lambda files: fn.crop(fn.flip(fn.resize(fn.decoders.image(files), size=24), vertical=1), crop=(9, 7)),
    "mirrored first": lambda files: fn.random_resized_crop(fn.flip(fn.decoders.image(files)), size=8),
    "another type": lambda files: fn.resize(fn.decoders.image(files), size=8, dtype=types.FLOAT),
    "another filter": lambda files: fn.resize(fn.decoders.image(files), size=8, antialias=False),
    "colours first": lambda files: fn.resize(fn.brightness_contrast(fn.decoders.image(files), contrast=2.0), size=8),
    "no size": lambda files: fn.decoders.image_random_crop(files),
    "not cut": lambda files: fn.crop_mirror_normalize(fn.decoders.image(files), mean=MEAN),
    "validation": lambda files: normalized(fn.resize(fn.decoders.image(files), resize_shorter=20), crop=(16, 16))[0],
    "longer": lambda files: fn.resize(fn.decoders.image(files), resize_longer=20, interp_type=types.INTERP_CUBIC),
    "resized twice": lambda files: fn.resize(fn.resize(fn.decoders.image(files), size=24), size=(9, 30)),
    "padded and resized": lambda files: fn.resize(
        fn.crop(fn.decoders.image(files), crop=(90, 80), out_of_bounds_policy="pad", fill_values=7), size=(9, 30)
    ),
    "trimmed": lambda files: fn.crop(fn.decoders.image(files), crop=(40, 50), out_of_bounds_policy="trim_to_shape"),
    "decoded to another type": lambda files: fn.resize(fn.decoders.image(files, dtype=types.FLOAT), size=8),
    "a window of another type": lambda files: fn.resize(
        fn.decoders.image_random_crop(files, dtype=types.INT16, output_type=types.BGR), resize_shorter=9
    ),
    "sizes by nodes": lambda files: fn.crop(
        fn.decoders.image(files), crop=fn.random.uniform(range=(5, 16), shape=2), **position()
    ),
    "a width by nodes": lambda files: fn.decoders.image_crop(
        files, crop_h=9, crop_w=fn.random.uniform(range=(0.0, 12.0)), **position()
    ),
    "padded by nodes": lambda files: fn.crop(
        fn.decoders.image(files),
        crop_h=fn.random.uniform(range=(0, 110)),
        crop_w=fn.random.uniform(range=(3, 90)),
        out_of_bounds_policy="pad",
        fill_values=(7, 8, 9),
    ),
    "normalised, by nodes": lambda files: normalized(
        fn.decoders.image(files),
        crop=fn.random.uniform(range=(10, 110)),
        out_of_bounds_policy="pad",
        fill_values=-1.5,
        pad_output=True,
        **position(),
    )[0],
    "resized behind": lambda files: fn.resize(
        fn.crop(fn.decoders.image(files), crop=fn.random.uniform(range=(5, 16), shape=2)), size=(9, 30)
    ),
    "a gray mean": lambda files: fn.cast(fn.decoders.image(files, output_type=types.GRAY), dtype=types.FLOAT) / 2.0,
    "images as arguments": lambda files: fn.crop(
        fn.decoders.image(files), crop=8, crop_pos_x=fn.crop(fn.decoders.image(files), crop=1)[0, 0, 0] / 255.0
    ),
}


@pytest.fixture
def calls(monkeypatch):
    """Collects the number of recipes of each call that is traced."""
    found = []
    real = evaluate.evaluate

    def counted(images, canvases, on_error):
        found.append(len(images))
        return real(images, canvases, on_error)

    monkeypatch.setattr(evaluate, "evaluate", counted)
    return found


def run_stepwise(graph, monkeypatch, **options):
    """Builds the pipeline such that every operator gets arrays, so that no recipe is longer than one operator."""

    def ended(self, call, before):
        if before.lazy:
            self.ended.add(call)
            self._compute(call.inputs[0])
        return self._longer_by(call.operator.lazy, call, before.computed())

    with monkeypatch.context() as patched:
        patched.setattr(recipes.Recipes, "_longer", ended)
        pipe = make(graph, **options)
        pipe.build()
    return pipe


def check_equal(one, other, name=""):
    assert (one.layout(), one.dtype, one.shape()) == (other.layout(), other.dtype, other.shape()), name
    for k in range(len(one)):
        np.testing.assert_array_equal(one.at(k), other.at(k), err_msg=name)


def test_chains_give_the_same_in_one_call(monkeypatch, calls):
    def graph(files, labels):
        return [chain(files) for chain in CHAINS.values()]

    lazy, stepwise = make(graph), run_stepwise(graph, monkeypatch)
    for iteration in range(2):
        found, count = lazy.run(), len(calls)
        for name, one, other in zip(CHAINS, found, stepwise.run(), strict=True):
            check_equal(one, other, name)
        if iteration == 0:
            # Gray and RGB have calls of their own; so have arrays that are cast, resized again, padded, or made for
            # arguments, and random windows whose shapes say how large they become.
            assert count <= 7 and max(calls[:count]) >= len(CHAINS) - 4 and len(calls) - count > len(CHAINS)


def test_what_is_made_of_the_same_files_is_one_call(calls):
    def graph(files, labels):
        images = fn.decoders.image(files)
        again = fn.resize(fn.decoders.image(files, on_error="zeros"), size=9)
        views = [fn.random_resized_crop(images, size=8) for _ in range(2)]
        return images, fn.resize(images, size=8), again, again, *views

    found = make(graph).run()
    assert calls == [6] or calls == [5]
    np.testing.assert_array_equal(found[0].at(2), front_sources.pixels(2))


def test_a_recipe_ends_where_pixels_are_needed(calls):
    def graph(files, labels):
        images = fn.resize(fn.decoders.image(files), size=24)
        return fn.flip(images), fn.resize(images, size=7), images + 1

    mirrored, _, more = make(graph).run()
    assert calls == [2, 1]
    np.testing.assert_array_equal(mirrored.at(0)[:, ::-1] + 1, more.at(0))


def test_sizes_that_only_the_data_limit():
    pipe = make(lambda files, labels: (fn.resize(fn.decoders.image(files), resize_shorter=labels + 7), labels))
    images, labels = pipe.run()
    shorter = [min(images.at(k).shape[:2]) for k in range(len(images))]
    assert shorter == [int(labels.at(k)[0]) + 7 for k in range(len(labels))]


def test_sizes_by_nodes_with_limits():
    def graph(files, labels):
        shorter = fn.random.uniform(range=(10, 30))
        images = fn.decoders.image(files)
        return fn.resize(images, resize_shorter=shorter), fn.resize(images, size=labels + 4, max_size=9), shorter

    drawn, limited, shorter = make(graph).run()
    for k in range(4):
        height, width, _ = front_sources.pixels(k).shape
        assert min(drawn.at(k).shape[:2]) == int(np.floor(shorter.at(k) + 0.5)), (height, width)
        assert max(limited.at(k).shape[:2]) <= 9


@pytest.mark.parametrize("extents", [[(20, 30)] * 3, [(20, 30), (40, 10), (33, 33)]], ids=["alike", "ragged"])
def test_arrays_are_resized_like_files(extents):
    samples = [np.random.default_rng(k).integers(0, 256, (*extent, 3), np.uint8) for k, extent in enumerate(extents)]

    def run(dtype, **size):
        @pipeline_def(batch_size=3)
        def graph():
            given = [sample.astype(dtype) for sample in samples]
            return fn.resize(fn.external_source(lambda: given, layout="HWC"), **size)

        with graph() as pipe:
            return pipe.run()[0]

    for dtype in (np.uint8, np.int16, np.int32, np.float32):
        resized = run(dtype, resize_shorter=50)
        for k, (height, width) in enumerate(extents):
            assert resized.at(k).shape == (*(int(one * 50 / min(height, width) + 0.5) for one in (height, width)), 3)
            assert resized.at(k).dtype == dtype and abs(resized.at(k).mean() - samples[k].mean()) < 3
    np.testing.assert_array_equal(run(np.uint32, size=8).at(1), run(np.uint8, size=8).at(1))
    with pytest.raises(
        GraphError, match=r"images of type uint32 can only be resized .* cast them to types.FLOAT first"
    ):
        run(np.uint32, resize_shorter=50)


def test_save_attrs_are_the_extents_before():
    images, extents = make(
        lambda files, labels: fn.resize(fn.decoders.image(files), resize_longer=20, save_attrs=True)
    ).run()
    for k in range(4):
        assert tuple(extents.at(k)) == front_sources.pixels(k).shape[:2] and max(images.at(k).shape) == 20
        assert extents.dtype == types.INT32


def test_windows_are_those_of_the_pure_function():
    pipe = make(lambda files, labels: normalized(fn.random_resized_crop(fn.decoders.image(files), size=(24, 20))))
    for iteration in range(2):
        images, mirror = pipe.run()
        indices = range(4 * iteration, 4 * iteration + 4)
        shapes = np.array([front_sources.pixels(k).shape for k in indices])
        windows = np.asarray(resized_crop_window(keys(0, 0, indices), shapes))
        flips = [mirror.at(k) for k in range(4)]
        files = [front_sources.file(k).tobytes() for k in indices]
        expected = reference.decode_resample(
            files, windows, (24, 20), flip=flips, mean=MEAN, std=STD, dtype=np.float32, layout="CHW"
        )
        np.testing.assert_array_equal(images.as_array(), expected)


def test_windows_without_a_size():
    (images,) = make(lambda files, labels: fn.decoders.image_random_crop(files)).run()
    shapes = np.array([front_sources.pixels(k).shape for k in range(4)])
    for k, (top, left, height, width) in enumerate(np.asarray(resized_crop_window(keys(0, 0, range(4)), shapes))):
        np.testing.assert_array_equal(images.at(k), front_sources.pixels(k)[top : top + height, left : left + width])


def test_no_canvas_is_needed():
    def graph(files, labels):
        return fn.resize(fn.decoders.image(files), size=8)

    (images,) = make(graph, max_canvas_bytes=4 * 8 * 8 * 3).run()
    assert images.shape() == [(8, 8, 3)] * 4 and images.at(0).any()


@pytest.mark.parametrize("decoder", [True, False], ids=["decoder", "operator"])
def test_windows_whose_largest_is_known_need_no_more(decoder):
    def graph(files, labels):
        anchors, extents = fn.random.uniform(range=(0.0, 0.1), shape=2), np.float32([6, 8])
        cut = fn.decoders.image_slice if decoder else fn.slice
        images = files if decoder else fn.decoders.image(files)
        windows = cut(images, anchors, extents, axes=(0, 1), normalized_shape=False)
        drawn = fn.random.uniform(range=(3, 8), shape=2)
        return windows, cut(images, start=(1, 2), shape=drawn, axes=(0, 1)), drawn

    windows, others, drawn = make(graph, max_canvas_bytes=4 * 9 * 9 * 3).run()
    for k in range(4):
        assert windows.at(k).shape == (6, 8, 3)
        height, width = (np.floor(drawn.at(k) + 1.5) - 1).astype(int)
        np.testing.assert_array_equal(others.at(k), front_sources.pixels(k)[1 : 1 + height, 2 : 2 + width])


@pytest.mark.parametrize("lazy", [True, False])
def test_a_window_larger_than_an_image(lazy, monkeypatch):
    def graph(files, labels):
        return fn.flip(fn.crop(fn.decoders.image(files), crop=(30, 10)))

    pipe = make(graph) if lazy else run_stepwise(graph, monkeypatch)
    pipe.run()
    with pytest.raises(SourceDataError, match=r"Slice can't be placed .* \(30, 10\) of fn.crop; resize it") as caught:
        pipe.run()
    assert caught.value.sample_index == 4


def test_a_bad_image_is_named():
    @pipeline_def(batch_size=4)
    def mine():
        files = fn.external_source(lambda info: broken(info.idx_in_epoch), batch=False)
        wide, high = (fn.random_resized_crop(fn.decoders.image(files), size=size) for size in ((8, 9), (9, 8)))
        return wide, high

    def broken(index):
        return front_sources.file(index)[: 300 if index == 6 else None]

    pipe = mine()
    pipe.run()
    with pytest.raises(DecodeError, match="TRUNCATED") as caught:
        pipe.run()
    assert caught.value.sample_index == 6
    pipe.run()
