"""Writes annotations in COCO's format, with images."""

from __future__ import annotations

import json
import pathlib
import shutil
from typing import Any

import numpy as np
from folder_files import few_files, write_files
from jpeg_files import pillow_jpeg
from samples import COUNT, Arguments, Samples

from jaxdali._feed.records.coco_annotations import Wanted, read_annotations
from jaxdali._feed.records.coco_files import write_preprocessed
from jaxdali.source import COCO

IMAGES = [
    {"id": 7, "file_name": "c.jpg", "width": 40, "height": 30},
    {"id": 3, "file_name": "a.jpg", "width": 64, "height": 48},
    {"id": 5, "file_name": "b.jpg", "width": 20, "height": 20},
    {"id": 9, "file_name": "d.jpg", "width": 20, "height": 22},
]
CATEGORIES = [{"id": 90, "name": "x"}, {"id": 3, "name": "y"}, {"id": 18, "name": "z"}]


def annotation(number: int, image: int, category: int, box: list[float], segmentation: Any, crowd: int = 0) -> dict:
    return {
        **{"id": number, "image_id": image, "category_id": category, "bbox": box, "iscrowd": crowd},
        "segmentation": segmentation,
    }


def packed(runs: list[int]) -> str:
    """Encodes runs with 6 bits per character; from the fourth on, as differences from the run before the previous one."""
    text = ""
    for place, run in enumerate(runs):
        value, more = run - (runs[place - 2] if place > 2 else 0), True
        while more:
            bits = value & 31
            value >>= 5
            more = value != -1 if bits & 16 else value != 0
            text += chr(48 + (bits | 32 if more else bits))
    return text


_RUNS = [48 * 40 + 20, 5, 43, 5, 43, 6, 42, 4]
ANNOTATIONS = [
    annotation(1, 3, 18, [10, 5, 20, 10], [[10, 5, 30, 5, 30, 15, 10, 15]]),
    annotation(2, 7, 3, [1.5, 2.5, 10.25, 8.5], [[1.5, 2.5, 11.75, 2.5, 11.75, 11], [3, 3, 9, 3, 9, 9, 3, 9]]),
    annotation(3, 3, 3, [0, 0, 64, 48], {"size": [48, 64], "counts": packed([*_RUNS, 48 * 64 - sum(_RUNS)])}, crowd=1),
    annotation(4, 5, 90, [5, 5, 0.05, 10], [[5, 5, 5.05, 5, 5, 15]]),
    annotation(5, 3, 90, [30, 20, 5, 5], [[30, 20, 35, 20, 35, 25]]),
    annotation(6, 3, 90, [15, 8, 20, 10], [[15.3, 8.2, 35, 8, 35.6, 18.7, 15, 18], [2, 2, 6.5, 2, 4, 9]]),
    annotation(7, 7, 18, [-5, 4, 60, 50], [[-5.5, 4, 60, -5, 60, 50, -5, 47.3]]),
]


def write_coco(folder: pathlib.Path, annotations: list[dict] | None = None, seed: int = 0) -> pathlib.Path:
    """Writes images and annotations.json; returns the latter's path. With a seed, adds random polygons."""
    folder.mkdir(exist_ok=True)
    for number, image in enumerate(IMAGES):
        (folder / image["file_name"]).write_bytes(pillow_jpeg(image["height"], image["width"], seed=number))
    annotations = [*(ANNOTATIONS if annotations is None else annotations)]
    rng = np.random.default_rng(seed)
    for number in range(20 if seed else 0):
        image = IMAGES[number % 4]
        # If several polygons of one label reach the last pixel, DALI loses the end of their masks.
        most = min(image["width"], image["height"]) - 2
        points = rng.uniform(-4, most, (int(rng.integers(3, 9)), 2)).round(2)
        box = [float(value) for value in (*points.min(0), *np.ptp(points, axis=0))]
        # DALI loses run-length masks if others with the same label and image follow.
        category = (90, 18)[int(rng.integers(2))]
        annotations.append(annotation(100 + number, image["id"], category, box, [points.ravel().tolist()]))
    path = folder / "annotations.json"
    path.write_text(
        json.dumps({"info": {"a": [1]}, "images": IMAGES, "annotations": annotations, "categories": CATEGORIES})
    )
    return path


def _write(folder: pathlib.Path) -> tuple[dict[str, Any], COCO]:
    names = [path.name for path in write_files(folder)]
    images = [{"id": index, "file_name": name, "width": 9, "height": 9} for index, name in enumerate(names)]
    box = {"category_id": 1, "bbox": [1.0, 2.0, 3.0, 4.0], "iscrowd": 0}
    boxes = [{**box, "id": index, "image_id": index // 2} for index in range(COUNT)]
    path = folder / "coco.json"
    path.write_text(json.dumps({"images": images, "annotations": boxes, "categories": [{"id": 1}]}))
    data = COCO(folder / "files", read_annotations(str(path), Wanted()))
    return {"file_root": folder / "files", "annotations_file": path}, data


SAMPLES = {"coco": Samples(_write, "coco")}


def arguments(root: pathlib.Path) -> dict[str, Arguments]:
    few_files(root)
    text = write_coco(root / "coco").read_text()
    shutil.copytree(root / "coco", root / "coco2")
    for name, threshold in (("coco", 0.1), ("coco2", 15.0)):
        table = read_annotations(str(root / name / "annotations.json"), Wanted(size_threshold=threshold))
        write_preprocessed(table, str(root / name), False, False, False)
    (root / "other.json").write_text(text.replace('"bbox": [10', '"bbox": [11'))
    annotations = [{"annotations_file": root / name} for name in ("coco/annotations.json", "other.json")]
    saved = {"save_preprocessed_annotations": True, "save_preprocessed_annotations_dir": root / "coco"}
    values = {
        "file_root": [{"file_root": root}, {"file_root": root / "a"}],
        "annotations_file": annotations,
        "images": [{"images": ["a.jpg"]}, {"images": "b.jpg"}],
        "size_threshold": [{"size_threshold": 0.1}, {"size_threshold": 15.0}],
        "preprocessed_annotations": [
            {"annotations_file": None, "preprocessed_annotations": root / name} for name in ("coco", "coco2")
        ],
        **{name: [saved] for name in saved},
    }
    return {"readers.coco": Arguments({"file_root": root, **annotations[0]}, values)}
