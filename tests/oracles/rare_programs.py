"""More programs that DALI answers: spellings, arguments and data that are rare. answers.json has their batches, too.

`python tests/oracles/rare_programs.py` writes it anew.
"""

from __future__ import annotations

import json

import numpy as np
from answered_programs import ANSWERED, RECORD, answered, arrays, first_batch, given, rising
from beside_dali import png

__all__ = ["ANSWERED", "main"]


def files(dali):
    """A source that gives a PNG file for each sample."""
    return given(dali, *(np.frombuffer(png(seed), np.uint8) for seed in (0, 1)))


@answered
def resized_parts_whose_sizes_depend_on_data(dali):
    fn, nearest = dali.fn, dali.types.INTERP_NN
    whole = fn.decoders.image(files(dali))
    height, start = given(dali, np.float32(1), np.float32(2)), given(dali, np.int32(1), np.int32(3))
    narrow = fn.slice(whole, start=start, shape=1, axes=[1])
    return (
        fn.resize(narrow, resize_shorter=2, interp_type=nearest),
        fn.resize(fn.crop(whole, crop_h=height, crop_w=5.0), resize_shorter=2, interp_type=nearest),
        fn.resize(fn.flip(narrow), size=[2, 3], mode="not_smaller", interp_type=nearest),
        fn.resize(narrow, resize_x=3, interp_type=nearest),
        fn.resize_crop_mirror(narrow, resize_shorter=3, crop=[2, 2], mirror=1, interp_type=nearest),
    )


@answered
def numbers_of_which_there_are_none(dali):
    fn = dali.fn
    image = given(dali, rising(2, 2, 1), rising(2, 3, 1), layout="HWC")
    encoded = files(dali)
    places = {"file_root": arrays(), "file_filter": "*.npy"}
    wide = {"crop": (3, 3), "out_of_bounds_policy": "pad", "fill_values": []}
    return (
        fn.slice(image, start=[], end=[1], axes=[0]),
        fn.slice(image, start=[1, 1], shape=[]),
        fn.slice(image, start=[0, 0], end=[3, 3], out_of_bounds_policy="pad", fill_values=[]),
        fn.decoders.image_slice(encoded, start=[], end=[1, 2]),
        fn.readers.numpy(**places, roi_start=[], roi_end=[1], roi_axes=[0]),
        fn.readers.numpy(**places, rel_roi_start=[], rel_roi_shape=[], roi_axes=[]),
        fn.experimental.tensor_resize(image, sizes=[], axes=[]),
        fn.experimental.tensor_resize(image, scales=2.0, axis_names=""),
        fn.crop(image, **wide),
        fn.crop_mirror_normalize(image, mean=[], std=[], **wide),
        fn.erase(image, anchor=[0, 0], shape=[1, 1], axis_names="HW", fill_value=[]),
        fn.reductions.std_dev(image, given(dali, *[np.float32(1)] * 2), axes=[]),
    )


@answered
def spellings_of_what_is_outside(dali):
    fn = dali.fn
    image, kernel = (
        given(dali, rising(2, 3, 1), rising(1, 2, 1), layout="HWC"),
        given(dali, *[np.float32([[1, 2, 3]])] * 2),
    )
    borders = ("101", "reflect101", "Reflect_101", "1001", "REFLECT", "edge", "pad", "Fill", "WRAP")
    outside = {"file_root": arrays(), "file_filter": "*.npy", "roi_start": [0], "roi_end": [4]}
    return (
        *(fn.experimental.filter(image, kernel, border=border) for border in borders),
        fn.experimental.filter(image, kernel, given(dali, *[np.uint8(7)] * 2), border="fill"),
        fn.experimental.filter(given(dali, rising(2, 3), rising(2, 4)), kernel, mode="VALID"),
        fn.crop(image, crop=(3, 3), out_of_bounds_policy="PAD"),
        fn.slice(image, start=[0, 0], end=[3, 3], out_of_bounds_policy="Constant"),
        fn.readers.numpy(**outside, out_of_bounds_policy="constant"),
    )


@answered
def filters_along_one_axis(dali):
    fn = dali.fn
    line, several = given(dali, rising(5) ** 2, rising(3) ** 2), rising(2, 3, 2) * 3
    lines = [given(dali, rising(2, 4) * 5, rising(1, 3), layout=layout) for layout in ("FW", "CX")]
    lines += [line, given(dali, several, several[:1], layout="FWC")]
    return (
        *(fn.gaussian_blur(one, sigma=1.0, window_size=3, dtype=dali.types.FLOAT) for one in lines),
        *(fn.laplacian(one, window_size=5, normalized_kernel=True, dtype=dali.types.FLOAT) for one in lines),
        fn.gaussian_blur(line, sigma=given(dali, np.float32(0.5), np.float32([1])[0]), window_size=[3]),
        fn.laplacian(line, window_size=given(dali, np.int32(3), np.int32(5)), scale=[0.25]),
    )


@answered
def wide_windows_of_laplacian(dali):
    square = given(dali, *[np.float32(rising(4, 3)) ** 2] * 2)
    wide = {"normalized_kernel": True, "dtype": dali.types.FLOAT}
    return (
        *(dali.fn.laplacian(square, window_size=size, **wide) for size in (25, 31)),
        dali.fn.laplacian(square, window_size=3, smoothing_size=31, **wide),
        dali.fn.laplacian(square, window_size=given(dali, np.int32(27), np.int32(3)), **wide),
    )


@answered
def squeezed_axes_of_empty_samples(dali):
    empty = given(dali, np.zeros((3, 0, 0), np.uint8), np.zeros((2, 0, 0), np.uint8), layout="XYZ")
    mixed = given(dali, np.zeros((0, 2), np.uint8), rising(3, 1), layout="AB")
    none = given(dali, *[np.zeros((2, 0), np.uint8)] * 2)
    return (
        dali.fn.squeeze(empty, axes=[1]),
        dali.fn.squeeze(empty, axis_names="XZ"),
        dali.fn.squeeze(mixed, axes=[1]),
        dali.fn.squeeze(none, axes=[0]),
    )


@answered
def signals_of_several_axes(dali):
    fn = dali.fn
    square = given(dali, np.float32(rising(2, 2)) ** 2, np.float32(rising(3, 1)) ** 2, layout="AB")
    deep = given(dali, *[np.float32(rising(2, 1, 2)) ** 2] * 2)
    lines = (
        given(dali, *[np.float32(rising(1, 1, 8, 1))] * 2),
        given(dali, *map(np.float32, (rising(1, 6), rising(4, 1)))),
    )
    window = {"nfft": 4, "window_length": 4, "window_step": 2}
    return (
        fn.preemphasis_filter(square, preemph_coeff=given(dali, np.float32(0.5), np.float32(0.25))),
        *(fn.preemphasis_filter(deep, border=border) for border in ("zero", "reflect")),
        *(fn.spectrogram(line, **window) for line in lines),
    )


@answered
def axes_of_decoded_windows(dali):
    slice = dali.fn.decoders.image_slice
    encoded = files(dali)
    one, both = given(dali, np.int32([1]), np.int32([-2])), given(dali, np.int32([1, 0]), np.int32([-2, 1]))
    half = given(dali, *[np.float32([0.5])] * 2)
    return (
        slice(encoded, start=[1], end=[2], axes=one),
        slice(encoded, start=[1, 0], shape=[2, 2], axes=both),
        slice(encoded, rel_start=[0.2, 0.3], rel_shape=[0.5, 0.4], axes=both),
        slice(encoded, half, half, axes=one),
        slice(
            encoded, start=given(dali, np.int32([1]), np.int32([0])), end=3, axes=given(dali, np.int32(1), np.int32(0))
        ),
        *(slice(encoded, start=[1], end=[2], axes=[axis]) for axis in (-1, -2)),
    )


def main() -> None:
    lines = [f"{json.dumps(name)}: {json.dumps(first_batch(name, 'nvidia.dali'))}" for name in ANSWERED]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
