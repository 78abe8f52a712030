"""Windows of images: sliced, padded, trimmed; added channels; the colours to which files are decoded."""

import front_sources
import numpy as np
import pytest
from front_pipelines import make

from jaxdali import ConfigError, GraphError, SourceDataError, fn, pipeline_def, types

# Most graphs here use only one of their source's two outputs.
pytestmark = pytest.mark.filterwarnings("ignore:the external_source:UserWarning")

decode, cmn, cut = fn.decoders.image, fn.crop_mirror_normalize, fn.decoders.image_slice


def rounded(value):
    return int(np.floor(np.float32(value) + 0.5))


def everywhere(value):
    """A node with this value for every sample."""
    return fn.external_source(lambda: [np.asarray(value)] * 4, batch=True)


SLICES = {
    "pixels": (lambda f: cut(f, start=(3, 4), shape=(10, 20)), lambda h, w: (4, 24, 3, 13)),
    "height first": (lambda f: cut(f, start=(3, 4), shape=(10, 12), axes=(0, 1)), lambda h, w: (3, 13, 4, 16)),
    "names": (lambda f: cut(f, start=(3, 4), end=(10, 12), axis_names="HW"), lambda h, w: (3, 10, 4, 12)),
    "one axis": (lambda f: cut(f, start=4, shape=10, axes=0), lambda h, w: (4, 14, 0, w)),
    "fractions": (
        lambda f: cut(f, rel_start=(0.125, 0.25), rel_shape=(0.5, 0.25)),
        lambda h, w: (rounded(h / 4), rounded(h / 2), rounded(w / 8), rounded(w * 5 / 8)),
    ),
    "nodes": (
        lambda f: cut(f, everywhere(np.float32([0.125, 0.25])), everywhere(np.int32([10, 9]))),
        lambda h, w: (rounded(h / 4), rounded(h / 4) + 9, rounded(w / 8), rounded(w / 8) + 10),
    ),
    "floats that are pixels": (
        lambda f: cut(
            f, *map(everywhere, np.float32([[3.6, 4.5], [10.5, 9.4]])), normalized_anchor=False, normalized_shape=False
        ),
        lambda h, w: (5, 14, 4, 14),
    ),
}


def test_slices():
    found = make(lambda files, labels: [graph(files) for graph, _ in SLICES.values()]).run()
    for images, (name, (_, window)) in zip(found, SLICES.items(), strict=True):
        for k in range(4):
            image = front_sources.pixels(k)
            top, bottom, left, right = window(*image.shape[:2])
            np.testing.assert_array_equal(images.at(k), image[top:bottom, left:right], err_msg=name)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"start": 1, "rel_start": 0.5}, "both start= and rel_start="),
        ({"end": 5, "shape": 3}, "both end= and shape="),
        ({"start": (1, 2), "axes": 0}, r"start=\(1.0, 2.0\) has 2 numbers for 1 axes"),
        ({"axes": (0, 2)}, "must be 0 or -2 .height., 1 or -1 .width. or both"),
        ({"axis_names": "CH"}, 'must be made of "H" and "W"'),
    ],
)
def test_slices_that_contradict_themselves(arguments, words):
    with pytest.raises(ConfigError, match=words):
        make(lambda files, labels: cut(files, **arguments))


@pytest.mark.parametrize(
    ("axes", "error", "words"),
    [
        (np.int32([0, -2]), SourceDataError, "axes of fn.decoders.image_slice must be 0 or -2 .height., 1 or -1"),
        (np.int32([0, 2]), SourceDataError, "axes of fn.decoders.image_slice must be 0 or -2 .height., 1 or -1"),
        (np.int32([1]), GraphError, r"start= of fn.decoders.image_slice has 2 numbers for 1 axes"),
        (np.float32([0, 1]), GraphError, "expects one or two integers per sample, got float32"),
    ],
)
def test_axes_of_slices_that_are_wrong_nodes(axes, error, words):
    with (
        pytest.raises(error, match=words),
        make(lambda files, _: cut(files, start=(1, 2), axes=everywhere(axes))) as pipe,
    ):
        pipe.run()


@pytest.mark.parametrize(
    "padded",
    [
        lambda images, volumes, size: fn.crop(images, crop=(90, 90), **size),
        lambda images, volumes, size: fn.crop(volumes, crop=(3, 3, 3), **size),
        lambda images, volumes, size: fn.slice(volumes, end=(3, 3), axes=(0, 1), **size),
        lambda images, volumes, size: cmn(volumes, crop=(3, 3, 3), output_layout="DHWC", **size),
    ],
)
def test_fill_values_for_other_channels(padded):
    size = {"out_of_bounds_policy": "pad", "fill_values": (1, 2)}
    volumes = np.zeros((2, 2, 2, 3), np.float32)

    def graph(files, _):
        return padded(decode(files), fn.reinterpret(everywhere(volumes), layout="DHWC"), size)

    with pytest.raises((ConfigError, GraphError), match=r"2 numbers for 3 channels|for 3 channels of the output"):
        make(graph).run()


def test_slices_by_inputs_and_arguments():
    with pytest.raises(GraphError, match="both inputs and start="):
        make(lambda files, labels: cut(files, labels, labels, start=3))
    with pytest.raises(GraphError, match="an anchor alone"):
        make(lambda files, labels: cut(files, labels))


def test_a_slice_that_leaves_its_image_is_an_error():
    pipe = make(lambda files, labels: cut(files, start=(0, 0), shape=(4000, 4)))
    with pytest.raises(SourceDataError, match=r"a window of fn.decoders.image_slice is not within"):
        pipe.run()


def test_windows_that_leave_their_images():
    def graph(files, labels):
        images = decode(files)
        size = {"crop": (90, 120), "crop_pos_x": 0.25}
        padded = fn.crop(images, **size, out_of_bounds_policy="pad", fill_values=(7, 8, 9))
        trimmed = fn.crop(images, crop=(30, 300), crop_pos_y=1.0, out_of_bounds_policy="trim_to_shape")
        normal = cmn(images, **size, out_of_bounds_policy="constant", fill_values=-3.5, mean=100.0, std=2.0, mirror=1)
        more = cmn(images, **size, out_of_bounds_policy="pad", fill_values=7, pad_output=True, output_layout="HWC")
        wide = {"out_of_bounds_policy": "pad", "fill_values": (7, 8), "pad_output": True, "output_layout": "HWC"}
        fewer = cmn(images, **size, **wide, mean=[1.0, 2.0, 3.0])
        return padded, trimmed, normal, more, fewer

    padded, trimmed, normal, more, fewer = make(graph).run()
    for k in range(4):
        image = front_sources.pixels(k)
        height, width, _ = image.shape
        np.testing.assert_array_equal(trimmed.at(k), image[-30:] if height > 30 else image)
        expected = np.tile(np.uint8([7, 8, 9]), (90, 120, 1))
        inside = np.zeros((90, 120, 1), bool)
        top, left = (
            int(np.sign(free) * np.floor(abs(free) * part + 0.5))
            for free, part in ((height - 90, 0.5), (width - 120, 0.25))
        )
        rows, columns = np.arange(90) + top, np.arange(120) + left
        lies = ((rows >= 0) & (rows < height))[:, None] & ((columns >= 0) & (columns < width))[None]
        inside = lies[..., None]
        source = image[np.clip(rows, 0, height - 1)][:, np.clip(columns, 0, width - 1)]
        expected = np.where(inside, source, expected)
        np.testing.assert_array_equal(padded.at(k), expected)
        values = np.where(inside, (source.astype(np.float32) - 100) / 2, np.float32(-3.5))
        np.testing.assert_array_equal(normal.at(k), values[:, ::-1].transpose(2, 0, 1))
        np.testing.assert_array_equal(more.at(k)[..., :3], np.where(inside, source, 7).astype(np.float32))
        assert (more.at(k)[..., 3] == 7).all()
        left = np.where(inside, source - np.float32([1, 2, 3]), np.float32([7, 8, 0]))
        np.testing.assert_array_equal(fewer.at(k), np.pad(left, ((0, 0), (0, 0), (0, 1))))


def test_windows_of_sizes_by_nodes():
    def graph(files, labels):
        images, sizes = decode(files), fn.random.uniform(range=(3, 16), shape=2)
        drawn = fn.crop(images, crop=sizes, crop_pos_x=1.0, crop_pos_y=0.0)
        wide = fn.crop(images, crop_h=everywhere(np.int32(7)), crop_w=everywhere(np.float32(0.5)), crop_pos_y=0.0)
        both = fn.crop(images, crop=everywhere(np.float32([5.5])), crop_pos_x=0.0, crop_pos_y=0.0)
        return drawn, sizes, wide, both

    drawn, sizes, wide, both = make(graph).run()
    for k in range(4):
        image, (height, width) = front_sources.pixels(k), sizes.at(k).astype(int)
        np.testing.assert_array_equal(drawn.at(k), image[:height, -width:])
        np.testing.assert_array_equal(wide.at(k), image[:7])
        np.testing.assert_array_equal(both.at(k), image[:5, :5])


@pytest.mark.filterwarnings("ignore:FLOAT64 is computed in the 32 bits:UserWarning")
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int32, np.float64])
def test_windows_of_arrays_of_sizes_by_nodes(dtype):
    samples = [np.arange(h * w * 2).reshape(h, w, 2).astype(dtype) for h, w in ((20, 9), (6, 30))]
    sizes = [np.float32(size) for size in ((4, 5), (6, 30))]

    @pipeline_def(batch_size=2)
    def graph():
        images = fn.external_source(lambda: samples, layout="HWC")
        return fn.crop(images, crop=fn.external_source(lambda: sizes), crop_pos_x=0.0, crop_pos_y=0.0)

    with graph() as pipe:
        (cut,) = pipe.run()
    np.testing.assert_array_equal(cut.at(0), samples[0][:4, :5], strict=True)
    np.testing.assert_array_equal(cut.at(1), samples[1], strict=True)


def test_padded_windows_of_sizes_by_nodes():
    def graph(files, labels):
        images, sizes = decode(files), fn.random.uniform(range=(0, 120), shape=2)
        return fn.crop(images, crop=sizes, out_of_bounds_policy="pad", fill_values=7), sizes

    padded, sizes = make(graph).run()
    for k in range(4):
        image = front_sources.pixels(k)
        wanted = [int(asked) if asked >= 1 else own for asked, own in zip(sizes.at(k), image.shape, strict=False)]
        assert padded.at(k).shape == (*wanted, 3)
        filled = np.full(padded.at(k).shape, 7, np.uint8)
        place, source = [], []
        for want, own in zip(wanted, image.shape, strict=False):
            corner = int(np.sign(own - want) * np.floor(abs(own - want) / 2 + 0.5))
            place.append(slice(max(-corner, 0), max(-corner, 0) + min(own, want)))
            source.append(slice(max(corner, 0), max(corner, 0) + min(own, want)))
        filled[tuple(place)] = image[tuple(source)]
        np.testing.assert_array_equal(padded.at(k), filled)


def test_sizes_by_nodes_that_cannot_be():
    pipe = make(lambda files, labels: fn.crop(decode(files), crop=everywhere(np.float32([5, 4000]))))
    with pytest.raises(SourceDataError, match=r"an image is smaller than its window of fn.crop; resize"):
        pipe.run()
    for words, graph in {
        "fn.crop got one of crop_h= and crop_w= only; give crop_w=": lambda f, n: fn.crop(decode(f), crop_h=n),
        "got both crop= and crop_h=": lambda f, n: fn.crop(decode(f), crop=n, crop_h=n, crop_w=n),
    }.items():
        with pytest.raises(ConfigError, match=words):
            make(graph)
    for given in ({"crop": everywhere(np.zeros((2, 2)))}, {"crop_h": everywhere(np.zeros(2)), "crop_w": 3}):
        with pytest.raises(GraphError, match=r"crop.*= expects .* per sample, got samples of shape \[2"):
            make(lambda files, labels, given=given: fn.crop(decode(files), **given)).run()


def test_channels_are_added_up_to_a_power_of_two():
    (images,) = make(lambda files, labels: cmn(fn.resize(decode(files), size=9), pad_output=True)).run()
    assert images.at(0).shape == (4, 9, 9) and not images.at(0)[3].any() and images.at(0)[:3].any()


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int16, np.int32, np.float32])
def test_white_is_the_largest_number_of_a_decoders_type(dtype):
    def graph(files, labels):
        options = {"dtype": types.from_numpy_type(np.dtype(dtype))}
        images = [decode(files, output_type=kind, **options) for kind in (types.RGB, types.BGR, types.GRAY)]
        canvas = decode(files, canvas=(200, 200), **options)
        window = fn.decoders.image_crop(files, crop=5, crop_pos_x=0.0, crop_pos_y=0.0, **options)
        return [*images, canvas, window, decode(files, output_type=types.GRAY)]

    rgb, bgr, gray, canvas, window, levels = make(graph).run()
    most = 1.0 if dtype == np.float32 else float(np.iinfo(dtype).max)
    for k in range(4):
        image = front_sources.pixels(k)
        expected = image * (most / 255)
        assert rgb.at(k).dtype == dtype
        tolerance = 2e-7 if dtype == np.float32 else 200 if dtype == np.int32 else 0.5
        np.testing.assert_allclose(rgb.at(k).astype(float), expected, rtol=0, atol=tolerance)
        np.testing.assert_array_equal(bgr.at(k), rgb.at(k)[..., ::-1])
        np.testing.assert_array_equal(canvas.at(k), rgb.at(k))
        np.testing.assert_array_equal(window.at(k), rgb.at(k)[:5, :5])
        np.testing.assert_allclose(gray.at(k).astype(float), levels.at(k) * (most / 255), rtol=0, atol=tolerance)


def test_output_types():
    kinds = (types.RGB, types.BGR, types.YCbCr, types.GRAY, types.ANY_DATA)
    rgb, bgr, ycc, gray, same = make(lambda files, labels: [decode(files, output_type=kind) for kind in kinds]).run()
    matrix = np.array([[65.481, 128.553, 24.966], [-37.797, -74.203, 112.0], [112.0, -93.786, -18.214]]) / 255
    for k in range(4):
        image = front_sources.pixels(k)
        np.testing.assert_array_equal(rgb.at(k), image)
        np.testing.assert_array_equal(same.at(k), image)
        np.testing.assert_array_equal(bgr.at(k), image[..., ::-1])
        expected = image @ matrix.T + [16, 128, 128]
        assert np.abs(ycc.at(k) - expected).max() < 0.501
        assert gray.at(k).shape == (*image.shape[:2], 1)
        assert np.abs(gray.at(k)[..., 0] - image @ [0.299, 0.587, 0.114]).mean() < 3


def test_canvases_are_large_only_where_their_size_is_known_beforehand():
    (known,) = make(lambda files, labels: fn.paste(decode(files), ratio=5.0, fill_value=1)).run()
    assert known.shape() == [
        (5 * height, 5 * width, 3) for height, width, _ in map(np.shape, map(front_sources.pixels, range(4)))
    ]
    pipe = make(lambda files, labels: fn.paste(decode(files), ratio=everywhere(np.float32(5)), fill_value=1))
    with pytest.raises(SourceDataError, match="more than four times an image's height and width"):
        pipe.run()
