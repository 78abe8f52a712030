"""`fn.readers.coco` and `source.COCO`: images and objects, masks, and the errors for wrong annotations."""

from __future__ import annotations

import itertools
import json
import math
import tracemalloc

import numpy as np
import pytest
from coco_files import ANNOTATIONS, IMAGES, annotation, packed, write_coco
from hypothesis import given
from hypothesis import strategies as st

from jaxdali import ConfigError, Loader, SourceDataError, SourceError, fn, pipeline_def
from jaxdali._feed.records.masks import decoded_runs, mask_of_polygon, mask_of_runs
from jaxdali.source import COCO


@pytest.fixture
def path(tmp_path):
    return write_coco(tmp_path)


@pytest.mark.parametrize("workers", [0, 1])
def test_images_are_decoded_beside_their_objects(path, workers):
    @pipeline_def(batch_size=4, py_num_workers=workers, seed=1)
    def mine():
        images, boxes, labels, masks, ids = fn.readers.coco(
            file_root=path.parent, annotations_file=path, pixelwise_masks=True, image_ids=True, name="Reader"
        )
        return fn.decoders.image(images), boxes, labels, masks, ids

    with mine() as pipe:
        images, boxes, labels, masks, ids = pipe.run()
        assert pipe.epoch_size("Reader") == 4
    assert ids.as_array().tolist() == [[3], [5], [7], [9]]
    assert [images.at(k).shape[:2] for k in range(4)] == [masks.at(k).shape[:2] for k in range(4)]
    assert [boxes.at(k).shape for k in range(4)] == [(4, 4), (0, 4), (2, 4), (0, 4)]
    assert labels.at(0).tolist() == [3, 2, 1, 1] and masks.layout() == "HWC"


def test_a_loader_reads_them(path):
    data = COCO(path.parent, path, masks="polygons", image_ids=True, ltrb=True, skip_empty=True)
    assert [*data[0]] == ["image", "boxes", "labels", "polygons", "vertices", "image_id"] and len(data) == 2
    assert data[0]["boxes"][0].tolist() == [10, 5, 30, 15] and data.source_info(1) == str(path.parent / "c.jpg")
    ragged = {"boxes": 8, "labels": 8, "polygons": 16, "vertices": 64}
    with Loader(
        data, lambda batch, keys: batch["image_id"], batch_size=2, workers=0, epochs=1, ragged=ragged
    ) as loader:
        assert [np.asarray(batch).tolist() for batch in loader] == [[[3], [7]]]


def test_masks_in_runs_of_one_label_all_count(tmp_path):
    def runs(start):
        return {"size": [48, 64], "counts": [start, 10, 48 * 64 - start - 10]}

    path = write_coco(tmp_path, [annotation(k, 3, 3, [0, 0, 9, 9], runs(100 * k)) for k in range(3)])
    mask = COCO(tmp_path, path, masks="pixels")[0]["mask"]
    assert mask.dtype == np.int32 and np.flatnonzero(mask[:, :, 0].T.ravel()).tolist() == [
        100 * k + place for k in range(3) for place in range(10)
    ]


@given(st.lists(st.integers(1, 40), min_size=1, max_size=30), st.booleans())
def test_runs_are_read_in_either_writing(counts, begins_inside):
    counts = [0, *counts] if begins_inside else counts
    size = {"size": [1, sum(counts)]}
    found = [decoded_runs("x", {**size, "counts": given})[2] for given in (counts, packed(counts))]
    assert found[0].tolist() == found[1].tolist() == counts
    mask = mask_of_runs(found[0], 1, sum(counts))
    assert int(mask.sum()) == sum(counts[1::2])


def test_a_polygon_has_the_pixels_in_it():
    square = np.array([[2, 1], [6, 1], [6, 4], [2, 4]], np.float32)
    expected = np.zeros((5, 8), bool)
    expected[1:4, 2:6] = True
    for corners in (square, square[::-1], np.roll(square, 1, axis=0)):
        np.testing.assert_array_equal(mask_of_polygon(corners, 5, 8), expected)
    far = np.array([[-900, -900], [900, -900], [900, 900], [-900, 900]], np.float32)
    assert mask_of_polygon(far, 5, 8).all() and not mask_of_polygon(far + 1e4, 5, 8).any()


def test_a_polygon_takes_memory_for_its_image_alone():
    """However far away its corners are: for COCO's tools an edge of a million pixels is five million steps."""
    far = np.array([[-1e6, -1e6], [1e6, -1e6], [1e6, 1e6], [-9e5, 1e6]])
    for height, width in ((5, 8), (1000, 1000)):
        tracemalloc.start()
        assert mask_of_polygon(far, height, width).all()
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < 4 * height * width + 50_000


def test_a_mask_takes_little_more_memory_than_it_has(path):
    """For an image that claims to be large, several times its size would be gigabytes."""
    runs = {"size": [1000, 1000], "counts": [500_000, 500_000]}
    square = [[0, 0, 1000, 0, 1000, 1000, 0, 1000]]
    changed = {
        "images": [{**IMAGES[0], "height": 1000, "width": 1000}],
        "annotations": [annotation(k, IMAGES[0]["id"], 3, [0, 0, 9, 9], one) for k, one in enumerate((square, runs))],
    }
    path.write_text(json.dumps({**json.loads(path.read_text()), **changed}))
    data = COCO(path.parent, path, masks="pixels")
    tracemalloc.start()
    mask = data.row(0)[-1]
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert mask.nbytes == 4_000_000 and (mask == 2).all() and most < 1.6 * mask.nbytes


@given(st.lists(st.tuples(st.integers(-60, 100), st.integers(-60, 100)), min_size=1, max_size=6))
def test_which_pixels_are_in_a_polygon_is_what_walking_it_says(fifths):
    """The reference walks the border in fifths of pixels, one step along an edge's longer side at a time, as COCO's
    tools do. They round as C does: towards 0, so upwards below 0.
    """
    height, width = 7, 9
    corners = [(int(x + 0.5), int(y + 0.5)) for x, y in fifths]
    turns = [0] * (height * width + 1)
    for (x0, y0), (x1, y1) in itertools.pairwise([*corners, corners[0]]):
        if max(abs(x1 - x0), abs(y1 - y0)) == abs(x1 - x0):
            (x0, y0), (x1, y1) = sorted([(x0, y0), (x1, y1)])
            slope = (y1 - y0) / (x1 - x0) if x1 != x0 else 0
            walked = [(x, int(y0 + slope * (x - x0) + 0.5)) for x in range(x0, x1 + 1)]
        else:
            (x0, y0), (x1, y1) = sorted([(x0, y0), (x1, y1)], key=lambda corner: corner[1])
            slope = (x1 - x0) / (y1 - y0)
            walked = [(int(x0 + slope * (y - y0) + 0.5), y) for y in range(y0, y1 + 1)]
        for one, other in itertools.pairwise(walked):
            column = (min(one[0], other[0]) + 0.5) / 5 - 0.5
            if one[0] != other[0] and column in range(width):
                row = math.ceil(min(max((min(one[1], other[1]) + 0.5) / 5 - 0.5, 0), height))
                turns[int(column) * height + row] += 1
    expected = np.cumsum(turns[:-1]).reshape(width, height).T % 2 == 1
    np.testing.assert_array_equal(mask_of_polygon(np.array(fifths) / 5, height, width), expected)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"images": []}, "No files found"),
        ({"images": 3}, "has no lists of images, annotations and categories"),
        ({"images": [{"id": 1, "file_name": "a"}]}, r"images\[0\] has the width 'none'"),
        ({"images": [{**IMAGES[0], "height": 2**40}]}, r"images\[0\] has the height 1099511627776"),
        ({"images": [{**IMAGES[0], "file_name": "a\0"}]}, r"images\[0\] has the file_name"),
        ({"annotations": [{**ANNOTATIONS[0], "bbox": [1, 2, 3]}]}, r"annotations\[0\] has the bbox \[1, 2, 3\]"),
        ({"annotations": [{**ANNOTATIONS[0], "bbox": [1, 2, 3, float("nan")]}]}, r"has the bbox \[1, 2, 3, nan\]"),
        ({"annotations": [{**ANNOTATIONS[0], "bbox": [1, 2, 3, 1e39]}]}, r"annotations\[0\] has the bbox"),
        ({"annotations": [{**ANNOTATIONS[0], "bbox": [10**400, 2, 3, 4]}]}, r"annotations\[0\] has the bbox"),
        ({"annotations": [{**ANNOTATIONS[0], "category_id": 4}]}, "annotation 1 has the category 4, which the file"),
        ({"annotations": [{**ANNOTATIONS[0], "segmentation": [[1, 2, 3]]}]}, "expected x and y of each corner"),
        ({"annotations": [{**ANNOTATIONS[0], "segmentation": [[1e30, 2]]}]}, "expected x and y of each corner"),
        ({"annotations": [{**ANNOTATIONS[0], "segmentation": "abc"}]}, "annotation 1 is 'abc', expected x and y"),
        (
            {"annotations": [{**ANNOTATIONS[0], "segmentation": {"size": [2, 2], "counts": [2**60]}}]},
            "runs that do not add up to the 2 x 2 pixels",
        ),
        (
            {"annotations": [{**ANNOTATIONS[0], "segmentation": {"size": [2**40, 1], "counts": [2**40]}}]},
            "runs that do not add up to the 1099511627776 x 1 pixels",
        ),
        ({"annotations": [{**ANNOTATIONS[0], "segmentation": {"size": 2, "counts": "1"}}]}, "has the size 2"),
        (
            {"annotations": [{**ANNOTATIONS[0], "segmentation": {"size": [2, 2], "counts": "\x7f"}}]},
            "with characters that COCO's format does not use",
        ),
    ],
    ids=str,
)
def test_wrong_annotations_are_named(path, change, words):
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ConfigError, match=words):
        COCO(path.parent, path, masks="polygons")


@pytest.mark.parametrize("masks", ["polygons", "pixels"])
def test_an_object_may_have_no_mask(path, masks):
    first, *others = ANNOTATIONS[1::5]
    changed = {"annotations": [{**first, "segmentation": None}, *others]}
    path.write_text(json.dumps({**json.loads(path.read_text()), **changed}))
    data = COCO(path.parent, path, masks=masks)
    found = next(one for one in map(data.__getitem__, range(len(data))) if len(one["labels"]) == 2)
    if masks == "polygons":
        assert found["polygons"].tolist() == [[1, 0, 4]]
    else:
        assert np.unique(found["mask"]).tolist() == [0, found["labels"][1]]


def test_annotations_of_images_that_are_not_listed_are_told(path, caplog):
    COCO(path.parent, path)
    COCO(path.parent, path, images=("a.jpg",))
    assert not caplog.records
    strays = [annotation(k, image, 3, [1, 1, 5, 5], []) for k, image in ((91, 77), (92, 78), (93, 77))]
    path.write_text(json.dumps({**json.loads(path.read_text()), "annotations": [*strays, *ANNOTATIONS]}))
    COCO(path.parent, path)
    expected = "3 annotations are of images that the file does not list, such as image_id 77, and are left out"
    assert [one.getMessage() for one in caplog.records] == [f"{path}: {expected}"]


def test_names_that_are_not_listed_are_left_out_and_told(path, caplog):
    data = COCO(path.parent, path, images=("nobody.jpg", "a.jpg", "b/nobody.jpg"))
    assert len(data) == 1
    assert f"2 names are not among the 4 images of {path}, such as 'nobody.jpg'" in caplog.records[0].getMessage()


def test_a_mask_that_is_not_its_images_is_an_error_of_its_sample(path):
    mask = {"size": [5, 5], "counts": [25]}
    changed = {"annotations": [{**ANNOTATIONS[0], "segmentation": mask}]}
    path.write_text(json.dumps({**json.loads(path.read_text()), **changed}))
    data = COCO(path.parent, path, masks="pixels")
    wrong = [image["id"] for image in sorted(IMAGES, key=lambda one: one["id"])].index(ANNOTATIONS[0]["image_id"])
    with pytest.raises(SourceDataError, match=r"jpg: a mask has 5 x 5 pixels, but its image \d+ x \d+"):
        data[wrong]


@pytest.mark.parametrize("text", [b"", b"[", b"\xff", b"[" * 100000, b"[]"])
def test_what_is_no_json_is_named(path, text):
    path.write_bytes(text)
    with pytest.raises(ConfigError, match=r"is not JSON|has no lists"):
        COCO(path.parent, path)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"pixelwise_masks": True, "polygon_masks": True}, "mutually exclusive"),
        ({"annotations_file": None}, "either annotations_file or preprocessed_annotations"),
        ({"preprocessed_annotations": "x"}, "either annotations_file or preprocessed_annotations"),
        ({"annotations_file": None, "preprocessed_annotations": "x", "ratio": True}, "ratio= is not supported"),
        ({"save_preprocessed_annotations": True}, "go together"),
        ({"images": ["nobody.jpg"]}, "No files found"),
    ],
)
def test_arguments_that_do_not_go_together_are_errors(path, given, words):
    with pytest.raises(ConfigError, match=words):
        fn.readers.coco(**{"file_root": path.parent, "annotations_file": path, **given})


@pytest.mark.parametrize("name", ["boxes", "counts", "filenames", "masks_rles", "polygon_data", "widths"])
def test_damaged_files_of_what_was_worked_out_are_refused(path, name):
    folder = path.parent
    save = {"save_preprocessed_annotations": True, "save_preprocessed_annotations_dir": folder}
    fn.readers.coco(file_root=folder, annotations_file=path, pixelwise_masks=True, **save)
    file = folder / f"{name}.dat"
    file.write_bytes(file.read_bytes()[:-3])
    if name == "filenames":
        file.write_bytes(b"a.jpg\n")
    with pytest.raises(ConfigError, match=str(folder)):
        fn.readers.coco(file_root=folder, preprocessed_annotations=folder, pixelwise_masks=True)


@pytest.mark.parametrize(
    ("name", "numbers", "words"),
    [
        ("counts", [1, 2, -1, 2], "counts.dat says that image 2 has -1 entries"),
        ("counts", [1], "counts.dat has 1 numbers, expected one for each of 4 images"),
        ("widths", [8, 8, 8], "widths.dat has 3 numbers, expected one for each of 4 images"),
    ],
)
def test_numbers_that_do_not_fit_the_images_name_their_file(path, name, numbers, words):
    folder = path.parent
    save = {"save_preprocessed_annotations": True, "save_preprocessed_annotations_dir": folder}
    fn.readers.coco(file_root=folder, annotations_file=path, pixelwise_masks=True, **save)
    (folder / f"{name}.dat").write_bytes(np.array([len(numbers), *numbers], "<i4").tobytes())
    with pytest.raises(ConfigError, match=words):
        fn.readers.coco(file_root=folder, preprocessed_annotations=folder, pixelwise_masks=True)


def test_an_image_that_is_gone_is_named(path):
    @pipeline_def(batch_size=4, py_num_workers=1, seed=1)
    def mine():
        return tuple(fn.readers.coco(file_root=path.parent, annotations_file=path))

    (path.parent / "c.jpg").unlink()
    with mine() as pipe, pytest.raises(SourceError, match=r"c\.jpg"):
        pipe.run()
