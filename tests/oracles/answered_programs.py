"""Programs that DALI answers, each with a spelling, or with an argument that depends on data, as real programs have them.

answers.json has the first batch that DALI 2.4.0 returns for each: for each output its type, its layout, and its samples.
`python tests/oracles/answered_programs.py` writes it anew.
"""

from __future__ import annotations

import functools
import importlib
import pathlib
import tempfile
from typing import Any

import numpy as np
from beside_dali import BATCH, Programs, graph, load

RECORD = pathlib.Path(__file__).with_name("answers.json")
ANSWERED = Programs()


def answered(outputs: Any) -> Any:
    ANSWERED[outputs.__name__] = graph(outputs)
    return outputs


def given(dali: Any, *samples: Any, layout: str | None = None) -> Any:
    """A source that gives the same samples, one for each of the batch, over and over."""
    return dali.fn.external_source(lambda: [np.asarray(sample) for sample in samples], layout=layout)


@functools.cache
def arrays() -> str:
    """A folder with two files of NumPy; it is kept until the interpreter ends."""
    keep = arrays.keep = tempfile.TemporaryDirectory()  # type: ignore[attr-defined]
    for k, shape in enumerate([(3, 4), (4, 3)]):
        np.save(f"{keep.name}/{k}.npy", rising(*shape))
    return keep.name


def rising(*shape: int) -> np.ndarray:
    return np.arange(np.prod(shape, dtype=int), dtype=np.uint8).reshape(shape)


# SIZES ----------------------------------------------------------------------------------------------------------------


@answered
def sizes_of_a_source(dali):
    size = given(dali, np.float32([2, 1]), np.float32([1, 3]))
    image = given(dali, rising(2, 2, 1), rising(3, 1, 1), layout="HWC")
    video = given(dali, rising(2, 2, 2, 1), rising(1, 2, 2, 1), layout="FHWC")
    matrix = (1, 0, 0, 0, 1, 0)
    return (
        dali.fn.warp_affine(video, matrix=matrix, size=size, interp_type=dali.types.INTERP_NN, fill_value=50),
        dali.fn.warp_affine(image, matrix=matrix, size=size, interp_type=dali.types.INTERP_NN, fill_value=50),
        dali.fn.rotate(image, angle=0.0, size=size, interp_type=dali.types.INTERP_NN, fill_value=50),
        dali.fn.experimental.warp_perspective(
            image, matrix=(1, 0, 0, 0, 1, 0, 0, 0, 1), size=size, interp_type=dali.types.INTERP_NN, fill_value=50
        ),
    )


@answered
def sizes_behind_arrays_of_unknown_size(dali):
    fn, nearest = dali.fn, dali.types.INTERP_NN
    image = given(dali, rising(4, 3, 1), rising(3, 5, 1), layout="HWC")
    other = given(dali, rising(2, 2, 1), rising(4, 2, 1), layout="HWC")
    size = given(dali, np.float32([2, 3]), np.float32([4, 2]))
    longer = fn.resize(image[1:, 1:], resize_longer=4, interp_type=nearest)
    warped = fn.warp_affine(image, matrix=(1, 0, 0, 0, 1, 0), size=size, interp_type=nearest)
    return (
        fn.resize(fn.cat(image, image, axis=1), resize_shorter=2, interp_type=nearest),
        fn.resize(longer & np.uint8(254), resize_x=2, interp_type=nearest),
        fn.resize(warped, resize_shorter=2, interp_type=nearest),
        fn.resize(fn.permute_batch(other, indices=[1, 0]), resize_x=4, interp_type=nearest),
    )


@answered
def canvases_of_multi_paste(dali):
    size = given(dali, np.int32([3, 3]), np.int32([2, 4]))
    image = given(dali, rising(2, 2, 1) + 1, rising(2, 2, 1) + 5, layout="HWC")
    where = {"in_ids": np.int32([1]), "out_anchors_rel": np.float32([[0.0, 0.4]])}
    return (
        dali.fn.multi_paste(image, output_size=size, **where),
        dali.fn.multi_paste(image, output_size=[2, 4, 3], **where),
        dali.fn.multi_paste(image, output_size=dali.fn.cat(size, np.int32([1])), **where),
    )


@answered
def shapes_of_a_source(dali):
    shape = given(dali, np.int32([2, 1]), np.int32([1, 3]))
    numbers = given(dali, rising(1, 1), rising(1, 2))
    return (
        dali.fn.zeros(shape=shape),
        dali.fn.full(7, shape=shape),
        dali.fn.pad(numbers, shape=shape, fill_value=9),
        dali.fn.reshape(given(dali, rising(2), rising(3)), shape=shape),
        dali.fn.random.uniform(values=[3.0], shape=shape),
    )


@answered
def filters_that_are_nodes(dali):
    fn, types = dali.fn, dali.types
    image = given(dali, rising(4, 4, 1), rising(4, 3, 1), layout="HWC")
    nearest = fn.random.choice([types.INTERP_NN, types.INTERP_LINEAR], p=[1.0, 0.0])

    return (
        fn.resize(image, size=[2, 2], interp_type=nearest),
        fn.resize(image, size=[2, 2], min_filter=types.Constant(types.INTERP_NN)),
        fn.resize(image, size=[8, 2], mag_filter=nearest, min_filter=nearest),
        fn.resize_crop_mirror(image, size=[2, 2], crop=[1, 2], mirror=1, interp_type=nearest),
        fn.experimental.tensor_resize(image, sizes=[2, 2], axes=[0, 1], interp_type=nearest),
    )


# SAMPLES THAT DIFFER IN LENGTH ----------------------------------------------------------------------------------------


@answered
def probabilities_that_differ_in_length(dali):
    fn = dali.fn
    chances = given(dali, np.float32([0, 1, 0]), np.float32([0, 1]))
    return (
        fn.random.choice(given(dali, np.int32([1, 2, 3]), np.int32([4, 5])), p=chances, shape=2),
        fn.random.choice(given(dali, np.int32(3), np.int32(2)), p=chances, shape=2),
        fn.random.uniform(values=given(dali, np.float32([7]), np.float32([5, 5]))),
    )


@answered
def fills_that_differ_in_shape(dali):
    fn = dali.fn
    like = given(dali, np.zeros((2, 3), np.uint8), np.zeros((1, 2), np.uint8))
    rows, columns = (
        given(dali, np.int32([1, 2, 3]), np.int32([4, 5])),
        given(dali, np.int32([[1], [2]]), np.int32([[5]])),
    )
    return (
        fn.full_like(like, rows),
        fn.full_like(like, columns),
        fn.full_like(like, rows + columns),
        fn.full(rows, shape=given(dali, np.int32([2, 3]), np.int32([1, 2]))),
    )


@answered
def classes_that_differ_in_number(dali):
    first, second = np.zeros((4, 4), np.int32), np.zeros((3, 5), np.int32)
    first[1:3, 1:3], second[:2, 2:4], second[2, 0] = 1, 2, 1
    masks, options = given(dali, first, second), {"foreground_prob": 1.0, "format": "box", "output_class": True}
    classes, weights = given(dali, np.int32([1]), np.int32([1, 2])), given(dali, np.float32([1]), np.float32([0, 1]))
    draw = dali.fn.segmentation.random_object_bbox
    return (
        *draw(masks, classes=classes, class_weights=weights, **options),
        *draw(masks, classes=given(dali, np.int32([1]), np.int32([2, 7])), **options),
    )


# REGIONS AND AXES -----------------------------------------------------------------------------------------------------


@answered
def regions_that_are_nodes(dali):
    fn = dali.fn
    volume = given(dali, rising(2, 4, 4, 1), rising(2, 4, 3, 1), layout="DHWC")
    start, end = given(dali, np.float32([0, 1, 0]), np.float32([1, 0, 1])), given(dali, *[np.float32([1, 3, 2])] * 2)
    whole = {"size": [1, 2, 2], "interp_type": dali.types.INTERP_NN}
    return (
        fn.resize(volume, roi_start=start, roi_end=end, **whole),
        fn.resize(volume, roi_start=start, roi_end=end, mode="not_larger", **whole),
        fn.resize_crop_mirror(volume, roi_start=start, roi_end=end, crop=[1, 1, 2], **whole),
    )


@answered
def regions_of_numpy_files(dali):
    read = dali.fn.readers.numpy
    files = {"file_root": arrays(), "file_filter": "*.npy"}
    first, second = given(dali, np.int32([1]), np.int32([0])), given(dali, np.int32([2]), np.int32([3]))
    return (
        read(**files, roi_start=first, roi_end=second, roi_axes=[0]),
        read(**files, roi_start=first, roi_shape=[1], roi_axes=[1]),
        read(**files, rel_roi_start=[0.0, 0.0], roi_shape=dali.fn.cat(second, second)),
        read(**files, roi_start=first, roi_end=second + 2, roi_axes=[1], out_of_bounds_policy="pad", fill_value=7),
    )


@answered
def axes_that_are_nodes(dali):
    fn = dali.fn
    numbers = given(dali, rising(2, 3), rising(3, 2))
    one, both = given(dali, np.int32([1]), np.int32([0])), given(dali, np.int32([1, 0]), np.int32([0, -1]))
    return (
        fn.pad(numbers, axes=one, shape=[4], fill_value=9),
        fn.pad(numbers, axes=both, shape=[4, 3], fill_value=9),
        fn.pad(numbers, axes=both, align=[2, 4], fill_value=9),
        fn.pad(numbers, axes=one, fill_value=9),
        fn.slice(numbers, start=[1], end=[2], axes=one),
        fn.slice(numbers, start=[1, 0], shape=[1, 2], axes=both),
        fn.slice(numbers, given(dali, *[np.float32([0.5])] * 2), given(dali, *[np.float32([0.5])] * 2), axes=one),
        fn.slice(numbers, rel_start=[0.5], axes=one),
        fn.slice(numbers, start=[-1], end=[2], axes=one, out_of_bounds_policy="pad", fill_values=9),
    )


@answered
def axes_that_differ_in_number(dali):
    fn = dali.fn
    numbers, axes = given(dali, rising(2, 3), rising(3, 2)), given(dali, np.int32([1, 0]), np.int32([-1]))
    extents, first = given(dali, np.int32([3, 4]), np.int32([3])), given(dali, np.int32([1, 0]), np.int32([1]))
    none = given(dali, np.int32([1]), np.zeros(0, np.int32))
    wide, start = given(dali, np.int32([3]), np.int32([4, 3])), given(dali, np.int32([1]), np.int32([1, 0]))
    outside = {"out_of_bounds_policy": "pad", "fill_values": 9}
    return (
        fn.pad(numbers, axes=axes, shape=extents, align=given(dali, np.int32([2, 3]), np.int32([5]))),
        fn.pad(numbers, axes=none),
        fn.pad(numbers, axes=none, shape=wide),
        fn.slice(numbers, start=first, axes=axes),
        fn.slice(numbers, first, extents, axes=axes, **outside),
        fn.slice(numbers, start=start, shape=wide, axes=none, **outside),
        fn.slice(numbers, rel_start=0.0, rel_end=given(dali, np.float32([0.5]), np.float32([1, 0.5])), axes=none),
    )


@answered
def axes_of_which_there_are_none(dali):
    fn = dali.fn
    numbers = given(dali, rising(2, 3), rising(3, 2), layout="HW")
    return (
        *(fn.pad(numbers, **none, shape=[-1, 4], align=2) for none in ({"axes": []}, {"axis_names": ""})),
        *(fn.slice(numbers, [1, 0], [1, 2], **none) for none in ({"axes": ()}, {"axis_names": ""})),
        fn.pad(numbers, axes=given(dali, *[np.zeros(0, np.int32)] * 2)),
        fn.pad(numbers, shape=[], align=[]),
        fn.reductions.sum(numbers, axis_names=""),
        fn.squeeze(numbers, axis_names=""),
        fn.normalize(numbers, axis_names=""),
        fn.normalize(numbers, axis_names="", epsilon=4.0, shift=2.0),
        fn.normalize(numbers, axis_names="", stddev=2.0),
    )


# IMAGES ---------------------------------------------------------------------------------------------------------------


@answered
def channels_that_differ(dali):
    fn = dali.fn
    image = given(dali, rising(2, 3, 3) * 14, rising(2, 2, 1) * 50, layout="HWC")
    return (
        fn.gaussian_blur(image, window_size=3, sigma=0.5),
        fn.experimental.equalize(image),
        fn.rotate(image, angle=90.0, interp_type=dali.types.INTERP_NN, fill_value=1),
        fn.warp_affine(image, matrix=(1, 0, 1, 0, 1, 0), interp_type=dali.types.INTERP_NN, fill_value=1),
        importlib.import_module(f"{dali.__name__}.auto_aug.augmentations").auto_contrast(image),
    )


@answered
def one_value_for_all_frames(dali):
    fn = dali.fn
    video = given(dali, rising(3, 2, 2, 1), rising(1, 2, 2, 1) + 50, layout="FHWC")
    angle = fn.per_frame(given(dali, np.float32([90]), np.float32([180])))
    return (
        fn.rotate(video, angle=angle, keep_size=True, interp_type=dali.types.INTERP_NN),
        fn.brightness_contrast(
            video, brightness_shift=fn.per_frame(given(dali, np.float32([0.5]), np.float32([0.25])))
        ),
        fn.warp_affine(
            video,
            matrix=fn.per_frame(given(dali, *[np.float32([[[1, 0, 1], [0, 1, 0]]])] * 2)),
            interp_type=dali.types.INTERP_NN,
            fill_value=1,
        ),
    )


# SPELLING -------------------------------------------------------------------------------------------------------------


@answered
def outputs_that_are_rows_of_an_array(dali):
    source = dali.fn.external_source
    samples = source(lambda _: np.int32([[1, 2], [3, 4]]), num_outputs=2, batch=False)
    whole = source(lambda: np.int32([[[1], [2]], [[3], [4]]]), num_outputs=2)
    return *samples, *whole


@answered
def an_old_name_of_a_type(dali):
    numbers = given(dali, rising(2, 3), rising(1, 2))
    return dali.ops.Shapes(type=dali.types.INT32)(numbers), dali.fn.shapes(numbers, type=dali.types.INT64)


# CONSTANTS ------------------------------------------------------------------------------------------------------------


@answered
def constants_alone(dali):
    two = dali.types.Constant(np.float32(2), device="cpu")
    pair = dali.types.Constant([1.5, -2.5])
    return (
        dali.math.atan2(pair, two),
        dali.math.sqrt(two),
        dali.math.max(pair, dali.types.Constant(0)),
        dali.math.clamp(pair, -1, 1),
        dali.types.Constant(5.5, shape=(2, 2), device="cpu", name="large"),
        dali.types.Constant(3, name="single"),
        dali.types.Constant([], dtype=dali.types.FLOAT) * 1,
        dali.types.Constant([]),
    )


@answered
def constants_as_indices(dali):
    numbers = given(dali, rising(5), rising(5))
    index, array = dali.types.Constant(2), dali.types.Constant(np.int32(3), device="cpu")
    return numbers[index], numbers[index:], numbers[:array], numbers[array], numbers[index : dali.types.Constant(4)]


@answered
def steps_that_are_nodes(dali):
    numbers = given(dali, rising(7), rising(4))
    step = given(dali, np.int32(2), np.int32(-3))
    return numbers[::step], numbers[1::step], numbers[:1:step], numbers[:: dali.types.Constant(2)]


@answered
def a_range_without_numbers_that_nothing_draws_from(dali):
    dali.fn.random.uniform(range=(-0.0, 0.0))
    return dali.fn.random.uniform(values=[2.0])


# WHAT THEY RETURN -----------------------------------------------------------------------------------------------------


def first_batch(name: str, system: str) -> list[Any]:
    """Returns the first batch of a program: for each output its type, its layout, and its samples as lists."""
    pipe = ANSWERED[name](load(system))
    return [[out.dtype.name, out.layout(), [np.array(out.at(k)).tolist() for k in range(BATCH)]] for out in pipe.run()]


if __name__ == "__main__":
    importlib.import_module("rare_programs").main()
