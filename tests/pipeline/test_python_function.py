"""Python functions in a graph: they are called between programs, and their results go on."""

from __future__ import annotations

import importlib

import jax
import numpy as np
import pytest
from jpeg_files import photo, pillow_jpeg

from jaxdali import ConfigError, DecodeError, GraphError, Pipeline, fn, ops, pipeline_def, types
from jaxdali.errors import OutputError, SourceError
from jaxdali.plugin.jax import DALIGenericIterator

SHAPES = [(4, 5), (6, 3), (4, 4)]
IMAGES = [photo(*shape, seed=k) for k, shape in enumerate(SHAPES)]


def images():
    return fn.external_source(lambda: IMAGES, layout="HWC")


def run(define, batches=1, **options):
    with pipeline_def(define, **{"batch_size": 3, "seed": 1, **options})() as pipe:
        for _ in range(batches):
            outputs = pipe.run()
    return [[np.asarray(output.at(k)) for k in range(len(output))] for output in outputs], outputs


def equal(found, expected):
    assert [sample.dtype for sample in found] == [np.asarray(sample).dtype for sample in expected]
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_it_stands_between_what_the_device_computes():
    seen = []

    def brighter(image, shape):
        seen.append((image.shape, tuple(shape), shape.dtype))
        image[0] = 7  # the array is the function's own
        return np.minimum(image, 250)

    def define():
        mirrored = fn.flip(images())
        made = fn.python_function(mirrored, mirrored.shape(), function=brighter, output_layouts="HWC")
        totals = fn.python_function(fn.flip(made), function=lambda image: image.sum(dtype=np.int64))
        return mirrored, made, fn.flip(made), totals, fn.crop(made, crop=(2, 2)), totals > 5

    found, outputs = run(define)
    wanted = [np.minimum(image[:, ::-1], 250) for image in IMAGES]
    for image in wanted:
        image[0] = 7
    equal(found[0], [image[:, ::-1] for image in IMAGES])
    equal(found[1], wanted)
    equal(found[2], [image[:, ::-1] for image in wanted])
    equal(found[3], [image.sum(dtype=np.int64) for image in wanted])
    equal(found[5], [np.True_] * 3)
    assert [output.layout() for output in outputs[:5]] == ["HWC", "HWC", "HWC", "", "HWC"]
    assert [sample.shape for sample in found[4]] == [(2, 2, 3)] * 3
    # Batches may have been started ahead, but each sample comes once and in order.
    assert seen == [((*shape, 3), (*shape, 3), np.int64) for shape in SHAPES] * (len(seen) // 3)


def threes(iteration):
    return np.arange(3) + 3 * iteration


def test_it_is_called_once_a_batch():
    for depth, ahead in ((1, 1), (3, 3)):
        given = []

        def batch(rows, numbers, given=given):
            given.append([int(row) for row in numbers])
            return [row[:1] for row in rows], tuple(np.float64(k) for k in numbers)

        def define(batch=batch):
            numbers = fn.external_source(threes)
            options = {"batch_processing": True, "num_outputs": 2, "output_layouts": ["HWC"]}
            return tuple(fn.python_function(images(), numbers, function=batch, **options))

        found, outputs = run(define, batches=4, prefetch_queue_depth=depth)
        equal(found[0], [image[:1] for image in IMAGES])
        equal(found[1], np.float64([9, 10, 11]))
        assert outputs[0].layout() == "HWC" and outputs[1].layout() == ""
        assert given[:4] == [[3 * i + k for k in range(3)] for i in range(4)] and len(given) == 3 + ahead


def test_batches_of_other_sizes_and_iterators():
    batches = [IMAGES, IMAGES[:1], []]

    def define():
        rows = fn.external_source(lambda i: batches[i], layout="HWC")
        return fn.resize(fn.python_function(rows, function=lambda image: image[::2], output_layouts="HWC"), size=(2, 2))

    with pipeline_def(define, batch_size=3)() as pipe:
        assert [len(pipe.run()[0]) for _ in batches] == [3, 1, 0]

    @pipeline_def(batch_size=3)
    def halves():
        half = fn.python_function(fn.crop(images(), crop=(4, 3)), function=lambda image: image[:2] / np.float32(2))
        return half, fn.python_function(function=lambda: np.ones(2, np.int16)), half * 2.0

    with halves() as pipe:
        batch = next(DALIGenericIterator(pipe, ["half", "ones", "whole"]))
    assert all(isinstance(array, jax.Array) for array in batch.values())
    np.testing.assert_array_equal(batch["half"][:2], np.stack([IMAGES[0][:2, 1:4], IMAGES[1][1:3]]) / 2)
    np.testing.assert_array_equal(batch["half"] * 2, batch["whole"])
    np.testing.assert_array_equal(batch["ones"], np.ones((3, 2)))


def test_decoded_files_draws_and_branches():
    files = [np.frombuffer(pillow_jpeg(8, 9, seed=k), np.uint8) for k in range(3)]

    def define(through):
        decoded = fn.decoders.image(fn.external_source(lambda: files))
        angle = fn.random.uniform(range=(0, 1))
        image = fn.python_function(decoded, function=np.copy, output_layouts="HWC") if through else decoded
        # This crop decodes the files once more.
        return fn.crop(image, crop=(4, 4), crop_pos_x=angle), fn.crop(decoded, crop=(4, 4), crop_pos_x=angle), angle

    found, other = (run(lambda through=through: define(through))[0] for through in (True, False))
    for one, two in zip(found, other, strict=True):
        equal(one, two)

    @pipeline_def(batch_size=3, enable_conditionals=True)
    def branches():
        number = fn.external_source(lambda: np.arange(3, dtype=np.int32))
        if number > 0:
            made = fn.python_function(number + 1, function=lambda x: x * 10)
        else:
            made = number - 1
        return made

    with branches() as pipe:
        assert [int(pipe.run()[0].at(k)) for k in range(3)] == [-1, 20, 30]


def test_a_function_whose_result_nobody_wants():
    seen = []

    def define():
        made = images()
        assert fn.python_function(fn.flip(made), function=lambda image: seen.append(image.shape), num_outputs=0) == []
        return made

    run(define, prefetch_queue_depth=1)
    assert seen == [image.shape for image in IMAGES]

    def of_class():
        turned = ops.PythonFunction(np.flipud, preserve=True)
        return turned(images()), *ops.PythonFunction(function=np.fliplr)([images(), images()])

    found, _ = run(of_class)
    equal(found[0], [image[::-1] for image in IMAGES])
    equal(found[2], [image[:, ::-1] for image in IMAGES])


def fail(_image):
    raise KeyError("mine")


def test_what_goes_wrong():
    with pytest.raises(KeyError, match="mine") as raised:
        run(lambda: fn.python_function(images(), function=fail))
    assert [frame.name for frame in raised.traceback][-1] == "fail" and __file__ in str(raised.value)
    assert isinstance(raised.value, SourceError) and type(raised.value.__cause__) is KeyError
    calls = []

    def sometimes(image):
        calls.append(1)
        return image if len(calls) != 5 else image[0]

    with pipeline_def(lambda: fn.python_function(images(), function=sometimes), batch_size=3)() as pipe:
        pipe.run()
        with pytest.raises(OutputError, match="the first is uint8 with 3, number 1 is uint8 with 2"):
            pipe.run()
        equal([pipe.run()[0].at(0)], IMAGES[:1])
    for arguments, words in (
        ({"function": lambda _: None}, "must be an array of numbers, got None"),
        ({"function": lambda _: "a"}, "must be an array of numbers, got 'a'"),
        ({"function": lambda a: (a, a)}, "returned 2 values; say num_outputs=2"),
        (
            {"function": lambda a: a, "num_outputs": 2},
            "must return a tuple of 2 arrays, as num_outputs=2 says; got ndarray",
        ),
        ({"function": lambda a: a[:1], "batch_processing": True}, "must be a list of 3 samples, got 1 samples"),
    ):
        with pytest.raises(OutputError, match=words):
            run(lambda arguments=arguments: fn.python_function(images(), **arguments))
    broken = [np.frombuffer(b"\xff\xd8\xff\xe0 no image", np.uint8)] * 3
    # The function is not called with an image that failed to decode.
    with pytest.raises(DecodeError):
        run(lambda: fn.python_function(fn.decoders.image(fn.external_source(lambda: broken)), function=fail))


def test_what_it_refuses():
    for arguments, words in (
        ({"function": 3}, "must be a function of NumPy's arrays"),
        ({}, "missing"),
        ({"function": fail, "device": "gpu"}, r"jaxdali\.plugin\.jax\.fn\.jax_function"),
        ({"function": fail, "output_layouts": ["A", "B"]}, "has 2 layouts, but there are 1 outputs"),
    ):
        with pytest.raises(ConfigError, match=words):
            fn.python_function(images(), **arguments)
    with pytest.raises(GraphError, match="cannot be saved: it is a function of Python's"):
        pipeline_def(batch_size=1)(lambda: fn.python_function(types.Constant(3), function=fail))().serialize()
    with pytest.raises(AttributeError, match=r"fn\.python_function takes NumPy arrays"):
        _ = fn.dl_tensor_python_function
    with pytest.raises(ModuleNotFoundError, match=r"jaxdali\.plugin\.jax\.fn\.jax_function .* fn\.python_function"):
        importlib.import_module("jaxdali.plugin.numba.fn.experimental")


def test_it_goes_on_where_a_checkpoint_was_taken():
    def make(checkpoint=None):
        pipe = Pipeline(batch_size=2, seed=3, enable_checkpointing=True, checkpoint=checkpoint)
        with pipe:
            drawn = fn.random.uniform(range=(0, 9))
            counted = fn.external_source(lambda info: np.int32(info.iteration), batch=False)
            pipe.set_outputs(fn.python_function(drawn, counted, function=lambda x, k: x + k))
        return pipe

    first = make()
    first.run()
    state = first.checkpoint()
    equal(*([np.asarray(pipe.run()[0].at(k)) for k in range(2)] for pipe in (first, make(state))))
