"""Arguments that depend on data are checked where the batch is handed out."""

from __future__ import annotations

import numpy as np
import pytest

from jaxdali import GraphError, SourceDataError, fn, ops, pipeline_def, types

GRAY = np.arange(16, dtype=np.uint8).reshape(4, 4, 1)


def given(*samples, layout=None):
    return fn.external_source(lambda: [np.asarray(sample) for sample in samples], layout=layout)


def images():
    return given(GRAY, GRAY[:3], layout="HWC")


def run(graph):
    with pipeline_def(graph)(batch_size=2, num_threads=1, seed=5) as pipe:
        return pipe.run()


def boxes(**arguments):
    masks = given(np.int32([[0, 1]]), np.int32([[0, 2]]))
    return tuple(fn.segmentation.random_object_bbox(masks, **arguments))


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        (
            lambda: fn.resize(images(), size=2, interp_type=given(np.int32(0), np.int32(77))),
            "fn.resize.interp_type=. as a node expects one of 0, .*, and this is another",
        ),
        (
            lambda: fn.pad(images(), axes=given([1], [3])),
            "an axis of fn.pad is out of range for samples of 3 dimensions",
        ),
        (lambda: fn.pad(images(), axes=given([1, 0], [1, -2])), "fn.pad names an axis twice"),
        (lambda: fn.slice(images(), 0, 1, axes=given([1], [-4])), "an axis of fn.slice is out of range"),
        (
            lambda: fn.pad(images(), axes=given([1], [0, 1]), align=[2, 3]),
            "align= of fn.pad has 2 numbers for 1 axes; give one, or one for each",
        ),
        (
            lambda: fn.slice(images(), given([0, 0], [1]), given([2, 2], [1]), axes=given([0, 1], [0, 1])),
            "anchor= of fn.slice has 1 numbers for 2 axes",
        ),
        (
            lambda: fn.slice(images(), start=given([0, 0], [1, 1, 1]), axes=(0, 1)),
            "start= of fn.slice has 3 numbers for 2 axes",
        ),
        (lambda: images()[:: given(np.int32(1), np.int32(0))], "the step of a subscript cannot be 0"),
        *(
            (lambda name=name, wrong=wrong: fn.paste(images(), ratio=2, fill_value=0, **{name: wrong}), words)
            for name, words in [
                ("paste_x", "paste_x and paste_y from 0"),
                ("paste_y", "paste_x and paste_y from 0"),
                ("min_canvas_size", "min_canvas_size of at least 0"),
            ]
            for wrong in (-0.1, np.nan)
        ),
        (lambda: fn.paste(images(), ratio=2, fill_value=0, paste_x=1.1), "paste_x and paste_y from 0"),
        (
            lambda: fn.multi_paste(
                images(), in_ids=[0], shapes=[[1, 1]], output_size=given(np.int32([4, 4]), np.int32([4, 0]))
            ),
            "output_size of fn.multi_paste expects at least 1 pixel",
        ),
        (
            lambda: fn.random.choice(given([1, 2, 3], [4, 5]), p=given(np.float32([0, 0, 1]), np.float32([0, 0, 1]))),
            "fn.random.choice has 3 probabilities, but another number of elements: 2",
        ),
        (
            lambda: boxes(classes=given([1], [1, 2]), class_weights=given(np.float32([1]), np.float32([1]))),
            "classes and class_weights differ in the number of classes",
        ),
        (
            lambda: fn.full_like(images(), given(np.zeros((4, 1), np.int32), np.zeros((2, 1), np.int32))),
            "fill_value of fn.full_like does not fit the shape of a sample",
        ),
        (
            lambda: fn.transforms.translation(offset=given(np.ones(4, np.float32), np.ones(3, np.float32))),
            r"argument offset must all have the same shape, but their shapes differ: this one has \[3\]",
        ),
    ],
)
def test_the_sample_is_named(graph, words):
    with pytest.raises(SourceDataError, match=words) as caught:
        run(graph)
    assert caught.value.sample_index in (0, 1)


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        (lambda: fn.pad(images(), axes=given(np.float32([1]), np.float32([0]))), "expects integers, got float32"),
        (lambda: images()[:: given(np.float32(1), np.float32(2))], "must be of integral type"),
        (lambda: fn.paste(images(), ratio=2, fill_value=[1, 2]), "2 numbers for 1 channels; give one, or one for each"),
        (
            lambda: fn.multi_paste(images(), in_ids=[0], output_size=given(np.int32([4]), np.int32([4]))),
            r"expects \(height, width\), got 1 number",
        ),
    ],
)
def test_what_fits_no_sample(graph, words):
    with pytest.raises(GraphError, match=words):
        run(graph)


def test_a_filter_of_a_source_is_computed_with_all_filters():
    (out,) = run(lambda: fn.resize(images(), size=[2, 2], interp_type=given(np.int32(0), np.int32(0))))
    (nearest,) = run(lambda: fn.resize(images(), size=[2, 2], interp_type=types.INTERP_NN))
    for k in range(2):
        np.testing.assert_array_equal(out.at(k), nearest.at(k))


def test_draws_are_those_of_a_filter_that_is_known():
    def draw(chosen):
        drawn = fn.random.choice([types.INTERP_NN, types.INTERP_LINEAR], p=[1.0, 0.0])
        filters = drawn if chosen else types.INTERP_NN
        return fn.random_resized_crop(images(), size=[2, 2], interp_type=filters), fn.random.uniform()

    found, wanted = run(lambda: draw(True)), run(lambda: draw(False))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one.at(1), other.at(1))


@pytest.mark.parametrize(
    ("made", "device"),
    [
        (lambda: ops.Resize(size=3), "cpu"),
        (lambda: ops.Resize(size=3, device="gpu"), "gpu"),
        (lambda: ops.decoders.Image(device="mixed"), "mixed"),
        (lambda: ops.ExternalSource(), "cpu"),
    ],
)
def test_an_operator_object_tells_its_device(made, device):
    one = made()
    assert one.device == device
    one.device = "mine"  # a derived class may use the name
    assert one.device == "mine"
