"""Data for the programs of tests/programs, at the size of photographs: in the same folders and formats."""

from __future__ import annotations

import importlib
import json
import pathlib
import shutil
import sys
import tempfile

import numpy as np
from photographs import file_names, write_files

__all__ = ["SIZES", "write_data"]

SIZES = {"equal": [(480, 640)], "mixed": [(480, 640), (640, 480), (427, 640), (500, 375)]}
# Multiples of batches of 32, and of two or three shards.
_COUNTS = {"train": 384, "val": 192}
_CLASSES = ("bird", "cat", "dog")
# The size of the hippocampus volumes in nnU-Net's smallest data set.
_VOLUME = (1, 36, 50, 35)
_VOLUMES = 64


def write_data(root: pathlib.Path, sizes: list[tuple[int, int]], photographs: str | None) -> None:
    """Writes train/CLASS/NAME.jpg, val/CLASS/NAME.jpg, train.txt, train/ in the formats of data sets, volumes/ of
    `float32[1, 36, 50, 35]`, and coco/. Keeps a folder that is already complete.
    """
    if (root / "written").exists():
        return
    tests = pathlib.Path(__file__).resolve().parents[1] / "tests"
    sys.path[:0] = [str(tests / "support"), str(tests / "programs")]
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder, max(_COUNTS.values()), photographs, sizes)
        files = file_names(folder)
        lines = []
        for part, count in _COUNTS.items():
            for k, file in enumerate(files[:count]):
                path = root / part / _CLASSES[k % 3] / f"{k:03}.jpg"
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, path)
                if part == "train":
                    lines.append(f"{path.relative_to(root)} {k % 3}\n")
        (root / "train.txt").write_text("".join(lines))
        importlib.import_module("formats_of_data").write_formats(root)
        _volumes(root / "volumes")
        _coco(root / "coco", files[: _COUNTS["val"]], sizes)
    (root / "written").touch()


def _volumes(folder: pathlib.Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()
    draws = np.random.default_rng(8)
    for k in range(_VOLUMES):
        image = draws.normal(0, 100, _VOLUME).astype(np.float32)
        np.save(folder / f"{k:03}_x.npy", np.asfortranarray(image) if k % 2 else image)
        np.save(folder / f"{k:03}_y.npy", (image > 100).astype(np.uint8))


def _coco(folder: pathlib.Path, files: list[str], sizes: list[tuple[int, int]]) -> None:
    """One to seven boxes per image, each with a polygon of four corners."""
    shutil.rmtree(folder)
    folder.mkdir()
    draws = np.random.default_rng(9)
    images, annotations = [], []
    for k, file in enumerate(files):
        height, width = sizes[k % len(sizes)]
        images.append({"id": k, "file_name": f"{k:03}.jpg", "width": width, "height": height})
        shutil.copy(file, folder / f"{k:03}.jpg")
        for _ in range(1 + k % 7):
            x, y = (float(one) for one in draws.uniform(0, 0.6, 2) * (width, height))
            w, h = (float(one) for one in draws.uniform(0.1, 0.4, 2) * (width, height))
            annotations.append(
                {
                    **{"id": len(annotations), "image_id": k, "category_id": int(draws.choice([90, 3, 18]))},
                    **{"bbox": [x, y, w, h], "iscrowd": 0, "area": w * h},
                    "segmentation": [[x, y, x + w, y, x + w, y + h, x, y + h]],
                }
            )
    categories = [{"id": 90, "name": "x"}, {"id": 3, "name": "y"}, {"id": 18, "name": "z"}]
    text = json.dumps({"info": {}, "images": images, "annotations": annotations, "categories": categories})
    (folder / "annotations.json").write_text(text)
