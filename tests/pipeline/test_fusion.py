"""Chains behind a decoder become one call, and give the same numbers as one by one."""

import front_sources
import numpy as np
import pytest
from front_pipelines import keys, make

from jaxdali import DecodeError, SourceDataError, fn, pipeline_def, types
from jaxdali.image import reference
from jaxdali.planner import plan
from jaxdali.random import resized_crop_window

# Most graphs here use one of the two outputs of their source.
pytestmark = pytest.mark.filterwarnings("ignore:the external_source:UserWarning")

MEAN, STD = [123.0, 117.0, 104.0], [58.0, 57.0, 56.0]
POSITIONS = {"crop_pos_x": 0.2, "crop_pos_y": 0.9}


def normalized(images, **options):
    mirror = fn.random.coin_flip()
    return fn.crop_mirror_normalize(images, mirror=mirror, mean=MEAN, std=STD, **options), mirror


def position():
    return {"crop_pos_x": fn.random.uniform(range=(0, 1)), "crop_pos_y": fn.random.uniform(range=(0, 1))}


# The number of operators that become one call, and the graph.
CHAINS = {
    "resize": (2, lambda files: fn.resize(fn.decoders.image(files), size=(24, 20))),
    "random_resized_crop": (
        2,
        lambda files: fn.random_resized_crop(
            fn.decoders.image(files, device="mixed"),
            size=30,
            random_area=(0.3, 0.4),
            random_aspect_ratio=(1.9, 2.1),
            num_attempts=3,
            seed=4,
            dtype=types.UINT8,
        ),
    ),
    "crop": (2, lambda files: fn.crop(fn.decoders.image(files), crop=(16, 20), **position())),
    "crop and resize": (3, lambda files: fn.resize(fn.crop(fn.decoders.image(files), crop=18), size=(30, 9))),
    "crop of a crop": (3, lambda files: fn.crop(fn.crop(fn.decoders.image(files), crop=18, **position()), crop=(9, 7))),
    "flip": (3, lambda files: fn.flip(fn.resize(fn.decoders.image(files), size=24), horizontal=fn.random.coin_flip())),
    "twice mirrored": (
        4,
        lambda files: normalized(
            fn.flip(fn.random_resized_crop(fn.decoders.image(files), size=24), horizontal=fn.random.coin_flip())
        )[0],
    ),
    "train, HWC": (
        3,
        lambda files: normalized(
            fn.resize(fn.decoders.image_random_crop(files), size=(24, 20)), dtype=types.FLOAT16, output_layout="HWC"
        )[0],
    ),
    "resize and the same crop": (
        3,
        lambda files: fn.crop_mirror_normalize(
            fn.resize(fn.decoders.image(files), size=(24, 20)), crop=(24, 20), scale=2.0, shift=1.0, dtype=types.UINT8
        ),
    ),
    "crop_mirror_normalize": (
        2,
        lambda files: normalized(fn.decoders.image(files), crop=(16, 20), **position())[0],
    ),
    "moments by nodes": (
        3,
        lambda files: fn.crop_mirror_normalize(
            fn.resize(fn.decoders.image(files), size=8),
            mean=fn.random.uniform(range=(100, 120)),
            std=fn.random.uniform(range=(40, 60), shape=3),
        ),
    ),
}


def operators(pipe):
    """What pixels go through, one computation after the other: its operators, with "+" between them."""
    pipe.build()
    return [
        "+".join(call.operator.name for call in task.calls)
        for task in pipe._session.program._plan.tasks
        if not task.call.operator.name.startswith("random.")
    ]


def run_unfused(graph, monkeypatch, **options):
    with monkeypatch.context() as patched:
        patched.setattr(plan, "fuse", lambda tasks, outputs: list(tasks))
        pipe = make(graph, **options)
        pipe.build()
    return pipe


def test_chains_give_the_same_in_one_call(monkeypatch):
    def graph(files, labels):
        return [chain(files) for _, chain in CHAINS.values()]

    fused, unfused = make(graph), run_unfused(graph, monkeypatch)
    assert [kind.count("+") + 1 for kind in operators(fused)] == [length for length, _ in CHAINS.values()]
    assert len(operators(unfused)) == sum(length for length, _ in CHAINS.values())
    for _ in range(2):
        for name, one, other in zip(CHAINS, fused.run(), unfused.run(), strict=True):
            assert (one.layout(), one.dtype) == (other.layout(), other.dtype), name
            for k in range(4):
                np.testing.assert_array_equal(one.at(k), other.at(k), err_msg=name)


NO_CHAINS = {
    "no size": lambda files: fn.decoders.image_random_crop(files),
    "mirrored first": lambda files: fn.resize(fn.flip(fn.decoders.image(files)), size=8),
    "another type": lambda files: fn.resize(fn.decoders.image(files), size=8, dtype=types.FLOAT),
    "another filter": lambda files: fn.resize(fn.decoders.image(files), size=8, antialias=False),
    "not cut": lambda files: fn.crop_mirror_normalize(fn.decoders.image(files), mean=MEAN),
    "colours first": lambda files: fn.resize(fn.brightness_contrast(fn.decoders.image(files), contrast=2.0), size=8),
}


def test_what_needs_whole_images_is_left_alone():
    pipe = make(lambda files, labels: [graph(files) for graph in NO_CHAINS.values()])
    assert not any("+" in kind for kind in operators(pipe))


def test_a_chain_ends_where_pixels_are_needed(monkeypatch):
    def graph(files, labels):
        images = fn.flip(fn.resize(fn.decoders.image(files), size=24), vertical=1)
        return fn.crop(images, crop=(9, 7)), labels

    fused, unfused = make(graph), run_unfused(graph, monkeypatch)
    assert operators(fused) == ["decoders.image+resize", "flip", "crop"]
    np.testing.assert_array_equal(fused.run()[0].as_array(), unfused.run()[0].as_array())


def test_images_that_are_used_twice_are_decoded(monkeypatch):
    def graph(files, labels):
        images = fn.decoders.image(files)
        again = fn.resize(fn.decoders.image(files), size=9)
        return images, fn.resize(images, size=8), again, again

    fused, unfused = make(graph), run_unfused(graph, monkeypatch)
    assert operators(fused) == ["decoders.image", "decoders.image+resize", "resize"]
    for one, other in zip(fused.run(), unfused.run(), strict=True):
        for k in range(4):
            np.testing.assert_array_equal(one.at(k), other.at(k))


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

    make(graph, max_canvas_bytes=4 * 8 * 8 * 3).run()


@pytest.mark.parametrize("fused", [True, False])
def test_a_window_larger_than_an_image(fused, monkeypatch):
    def graph(files, labels):
        return fn.flip(fn.crop(fn.decoders.image(files), crop=(30, 10)))

    pipe = make(graph) if fused else run_unfused(graph, monkeypatch)
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
