"""The images of the programs in the formats that datasets come in, each by its definition."""

from __future__ import annotations

import pathlib

import numpy as np
from coco_files import write_coco
from tfrecord_files import write_tfrecord


def write_formats(root: pathlib.Path) -> None:
    """Writes, beside train/CLASS/NAME.jpg, tfrecords/train-0.tfrecord and train-1.tfrecord with their indices; and
    coco/, whose images are others.
    """
    paths = sorted((root / "train").glob("*/*.jpg"))
    _tfrecords(root / "tfrecords", paths)
    write_coco(root / "coco")


def _tfrecords(folder: pathlib.Path, paths: list[pathlib.Path]) -> None:
    folder.mkdir()
    examples = []
    for number, path in enumerate(paths):
        examples.append(
            {
                "image/encoded": path.read_bytes(),
                "image/height": [50 + number],
                "image/class/label": [1 + number % 3],
                "image/class/text": path.parent.name.encode(),
                "image/object/bbox/xmin": np.linspace(0, 1, number % 4, dtype=np.float32),
                "image/object/bbox/ymin": np.linspace(0.25, 0.5, number % 4, dtype=np.float32),
            }
        )
    for number, part in enumerate((examples[:6], examples[6:])):
        write_tfrecord(folder / f"train-{number}.tfrecord", part)
