"""Windows of images compared with NVIDIA's DALI: a thousand draws of random ones, and windows whose sizes are nodes."""

from __future__ import annotations

import io

import numpy as np
import pytest
from beside_dali import SYSTEMS, forms, graph, load, pipeline, results
from jpeg_files import pillow_jpeg
from PIL import Image

pytestmark = pytest.mark.dali

DRAWS, RUNS = 250, 4
ARGUMENTS = [
    dict(random_area=[0.08, 1.25]),
    dict(random_area=[0.08, 1.25], num_attempts=1),
    dict(random_area=[0.5, 1.5], num_attempts=2, random_aspect_ratio=[0.6, 1.1]),
    dict(random_area=[1.1, 4.0]),
    dict(random_area=[0.2, 0.6], num_attempts=1),
]


def windows(system: str, file: bytes, arguments: dict) -> np.ndarray:
    """Returns [DRAWS * RUNS, 2]: heights and widths of random windows of an image."""
    dali = load(system)
    pipe = pipeline(dali, batch_size=DRAWS, prefetch_queue_depth=1)
    with pipe:
        encoded = np.frombuffer(file, np.uint8)
        files = dali.fn.external_source(lambda: [encoded] * DRAWS)
        pipe.set_outputs(dali.fn.decoders.image_random_crop(files, **arguments))
    pipe.build()
    found = []
    for _ in range(RUNS):
        (out,) = pipe.run()
        found += [out.at(k).shape[:2] for k in range(DRAWS)]
    return np.asarray(found)


@pytest.mark.parametrize("size", [(60, 80), (40, 120), (100, 30)], ids=str)
@pytest.mark.parametrize("arguments", ARGUMENTS, ids=str)
def test_windows_are_as_large_as_dalis(arguments, size):
    file = pillow_jpeg(*size)
    theirs, ours = (windows(system, file, arguments) for system in SYSTEMS)
    # The window that is taken if no attempt fits, and how often.
    ((height, width), count), *_ = sorted(common(theirs), key=lambda one: -one[1])
    other = (ours == (height, width)).all(axis=1).sum()
    assert abs(count - other) < 0.08 * len(theirs)
    quantiles = [0.1, 0.25, 0.5, 0.75, 0.9]
    for measure in (lambda found: found.prod(axis=1) / np.prod(size), lambda found: np.log(found[:, 1] / found[:, 0])):
        one, another = (np.sort(measure(found)) for found in (theirs, ours))
        # The Kolmogorov-Smirnov distance of two sets of 1000 draws exceeds this once in a thousand times.
        both = np.concatenate([one, another])
        gaps = [np.searchsorted(draws, both, "right") / len(draws) for draws in (one, another)]
        assert np.abs(gaps[0] - gaps[1]).max() < 0.088, np.quantile(one, quantiles).tolist()


def test_decoded_windows_of_sizes_by_a_node():
    files = [np.frombuffer(pillow_jpeg(*size), np.uint8) for size in ((60, 80), (40, 50))]

    @graph
    def cropped(dali):
        sizes = dali.fn.external_source(lambda: list(np.float32([[30.5, 80], [0, 17]])))
        source = dali.fn.external_source(lambda: files)
        cropped = dali.fn.decoders.image_crop
        return cropped(source, crop=sizes, crop_pos_x=0.25), cropped(source, crop=(0, 17)), cropped(source, crop=(0, 0))

    theirs, ours = (results(cropped, system) for system in SYSTEMS)
    assert forms(ours) == forms(theirs)
    assert ours == theirs


def test_a_number_below_one_selects_a_whole_axis():
    @graph
    def cropped(dali):
        fn = dali.fn
        image = fn.external_source(lambda: [levels(6, 5, 3), levels(4, 7, 3)], layout="HWC")
        volume = fn.external_source(lambda: [levels(3, 4, 5, 1), levels(2, 5, 4, 1)], layout="DHWC")
        return (
            *(fn.crop(image, crop=crop) for crop in ([0, 3], (3, 0.5), [0.0, 0.0], [0, 0, 0])),
            *(fn.crop(image, crop=[0, 6], out_of_bounds_policy=policy) for policy in ("pad", "trim_to_shape")),
            *(fn.crop(volume, crop=crop) for crop in ([0, 3, 0], [2, 0, 3], [0, 0, 2])),
            fn.crop_mirror_normalize(image, crop=[0, 3], mirror=1),
            fn.resize_crop_mirror(image, size=[8, 9], crop=[0, 3], mirror=1, interp_type=dali.types.INTERP_NN),
        )

    theirs, ours = (results(cropped, system) for system in SYSTEMS)
    assert forms(ours) == forms(theirs)
    assert ours == theirs


# Tolerance per type: DALI adds in another order, or rounds when it stores.
@pytest.mark.parametrize(
    ("dtype", "tolerance"), [("UINT8", 0), ("INT8", 1), ("UINT16", 1), ("INT16", 1), ("INT32", 400), ("FLOAT", 2e-7)]
)
@pytest.mark.parametrize("kind", ["RGB", "BGR", "GRAY", "YCbCr"])
def test_types_of_decoded_images(kind, dtype, tolerance):
    drawn = levels(2, 60, 80, 3)
    drawn[:, :, :2] = np.asarray([0, 255], np.uint8).reshape(1, 1, 2, 1)
    # Gray from files other than JPEG differs by one level here and there, even in UINT8.
    made = [pillow_jpeg(60, 80, seed=k) for k in range(2)] if kind == "GRAY" else map(png, drawn)
    files = [np.frombuffer(file, np.uint8) for file in made]

    @graph
    def decoded(dali):
        options = {"dtype": getattr(dali.types, dtype), "output_type": getattr(dali.types, kind)}
        source = dali.fn.external_source(lambda: files)
        return dali.fn.decoders.image(source, **options), dali.fn.decoders.image_crop(source, crop=(30, 40), **options)

    theirs, ours = (results(decoded, system) for system in SYSTEMS)
    assert forms(ours) == forms(theirs)
    for one, other in zip(ours[0][0], theirs[0][0], strict=True):
        for mine, wanted in zip(one.samples, other.samples, strict=True):
            difference = np.abs(mine.astype(np.float64) - wanted.astype(np.float64))
            assert difference.max() <= (tolerance if kind == "YCbCr" else 0)


def levels(*shape: int) -> np.ndarray:
    return np.random.default_rng(5).integers(0, 256, shape).astype(np.uint8)


def png(image: np.ndarray) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(image).save(stream, "PNG")
    return stream.getvalue()


def common(found: np.ndarray) -> list[tuple[tuple[int, int], int]]:
    sizes, counts = np.unique(found, axis=0, return_counts=True)
    return [((int(height), int(width)), int(count)) for (height, width), count in zip(sizes, counts, strict=True)]
