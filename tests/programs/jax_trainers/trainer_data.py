"""A few samples for the trainers of this folder, in the formats of their data."""

from __future__ import annotations

import json
import pathlib

import numpy as np
from coco_files import write_coco
from jpeg_files import pillow_jpeg
from PIL import Image
from tfrecord_files import write_tfrecord
from webdataset_files import write_tar

__all__ = ["COUNT", "write_data"]

COUNT = 12
_SIZES = [(40, 52), (48, 36), (44, 44), (36, 60)]


def write_data(root: pathlib.Path) -> str:
    """Fills `root`: COUNT images in train/CLASS, in train.tfrecord, in two tar archives with captions, with masks in
    voc, and as arrays; an archive of images of which some have a second one; COCO's objects; pairs of texts of 3 to 30
    tokens, and one long text.
    """
    files = [pillow_jpeg(*_SIZES[k % 4], quality=70 + k) for k in range(COUNT)]
    rng = np.random.default_rng(0)
    for k, content in enumerate(files):
        path = root / "train" / ("bird", "cat", "dog")[k % 3] / f"{k:02}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        (root / "voc").mkdir(exist_ok=True)
        (root / "voc" / f"{k:02}.jpg").write_bytes(content)
        mask = Image.fromarray(rng.integers(0, 21, _SIZES[k % 4], np.uint8))
        mask.putpalette(rng.integers(0, 256, 768, np.uint8).tobytes())
        mask.save(root / "voc" / f"{k:02}.png")
    examples = [{"image": content, "label": [k]} for k, content in enumerate(files)]
    write_tfrecord(root / "train.tfrecord", examples)
    for number in range(2):
        members = {}
        for k in range(number, COUNT, 2):
            members |= {f"{k:02}.jpg": files[k], f"{k:02}.txt": f"image number {k}".encode()}
        write_tar(root / f"shard-{number}.tar", members)
    depths = {f"{k:02}.depth.jpg": files[k // 2] for k in range(COUNT) if k % 3 != 1}
    images = {f"{k:02}.rgb.jpg": content for k, content in enumerate(files)}
    write_tar(root / "scans.tar", dict(sorted({**images, **depths}.items())))
    write_coco(root / "coco", seed=1)
    np.save(root / "images.npy", rng.integers(0, 256, (COUNT, 8, 8, 3), np.uint8))
    np.save(root / "labels.npy", np.arange(COUNT, dtype=np.int32))
    np.save(root / "corpus.npy", rng.integers(1, 1000, 400).astype(np.uint16))
    for name in ("texts", "more"):
        pairs = [{"inputs": _tokens(rng), "targets": _tokens(rng)} for _ in range(COUNT)]
        (root / f"{name}.jsonl").write_text("".join(f"{json.dumps(pair)}\n" for pair in pairs))
    return str(root)


def _tokens(rng: np.random.Generator) -> list[int]:
    return rng.integers(2, 1000, rng.integers(3, 31)).tolist()
