"""Readers in both systems whose samples are their own numbers."""

from __future__ import annotations

import functools
import pathlib
import tempfile
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from coco_files import write_coco
from lmdb_files import datum, tensor, tensors, write_lmdb
from PIL import Image
from recordio_files import image_record, write_recordio
from tfrecord_files import write_tfrecord
from video_files import write_video
from webdataset_files import write_tar

# Samples per file; formats with a single file have all of them in it.
COUNTS = (5, 3)


@functools.cache
def room() -> pathlib.Path:
    """A folder that is kept until the interpreter ends."""
    keep = tempfile.TemporaryDirectory()
    room.keep = keep  # type: ignore[attr-defined]
    return pathlib.Path(keep.name)


def tfrecord(dali: Any, **given: Any) -> Any:
    paths = [room() / f"{k}.tfrecord" for k in range(len(COUNTS))]
    for path, count, first in zip(paths, COUNTS, (0, COUNTS[0]), strict=True):
        write_tfrecord(path, [{"number": [first + k]} for k in range(count)])
    return dali.fn.readers.tfrecord(
        path=[str(path) for path in paths],
        index_path=[f"{path}.idx" for path in paths],
        features={"number": dali.tfrecord.FixedLenFeature([1], dali.tfrecord.int64, -1)},
        **given,
    )["number"]


def coco(dali: Any, **given: Any) -> Any:
    write_coco(room() / "coco")
    path = str(room() / "coco" / "annotations.json")
    found = dali.fn.readers.coco(file_root=str(room() / "coco"), annotations_file=path, image_ids=True, **given)
    return found[3]


def caffe(dali: Any, **given: Any) -> Any:
    paths, first = [], 0
    for count in COUNTS:
        values = [datum(b"x" * 700 * k, k) for k in range(first, first + count)]
        paths.append(str(write_lmdb(room() / f"{first}.lmdb", values, width=2)))
        first += count
    return dali.fn.readers.caffe(path=paths, **given)[1]


def caffe2(dali: Any, **given: Any) -> Any:
    values = [tensors(tensor("string", [b"x"]), tensor("int32", [k])) for k in range(sum(COUNTS))]
    path = write_lmdb(room() / "all.lmdb", values)
    return dali.fn.readers.caffe2(path=str(path), **given)[1]


def mxnet(dali: Any, **given: Any) -> Any:
    several = "shuffle_after_epoch" in given
    counts = COUNTS if several else (sum(COUNTS),)
    paths, offsets, first = [], [], 0
    for count in counts:
        paths.append(room() / f"{len(counts)} {len(paths)}.rec")
        records = [image_record([first + k], b"x" * (first + k)) for k in range(count)]
        index = write_recordio(paths[-1], records, shuffle=True)
        before = sum(path.stat().st_size for path in paths[:-1])
        offsets += [int(line.split()[1]) + before for line in index.read_text().splitlines()]
        first += count
    index = room() / f"{len(counts)}.idx"
    index.write_text("".join(f"{k}\t{offset}\n" for k, offset in enumerate(offsets)))
    return dali.fn.readers.mxnet(path=list(map(str, paths)), index_path=[str(index)], **given)[1]


def numpy(dali: Any, **given: Any) -> Any:
    root = room() / "npy"
    for k, name in enumerate(
        ["top.npy", "a/0.npy", "a/1.npy", "b/0.npy", "b/c.npy", "b/d_e.npy", "c/1.npy", "c/2.npy"]
    ):
        (root / name).parent.mkdir(exist_ok=True, parents=True)
        np.save(root / name, np.array([k]))
    (root / "b" / "below").mkdir(exist_ok=True)
    np.save(root / "b" / "below" / "9.npy", np.array([99]))
    return dali.fn.readers.numpy(file_root=str(root), **given)


def webdataset(dali: Any, **given: Any) -> Any:
    paths, first = [], 0
    for count in COUNTS:
        files = {f"d/{k}.id": np.array([k], "<i4").tobytes() for k in range(first, first + count)}
        paths.append(str(write_tar(room() / f"{first}.tar", files)))
        first += count
    return dali.fn.readers.webdataset(paths=paths, ext="id", dtypes=dali.types.INT32, **given)


def sequence(dali: Any, **given: Any) -> Any:
    number = 0
    for part, count in enumerate(COUNTS):
        (room() / "sequence" / str(part)).mkdir(parents=True, exist_ok=True)
        for k in range(count):
            image = Image.fromarray(np.full((1, 1), number, np.uint8))
            image.save(room() / "sequence" / str(part) / f"{k}.png")
            number += 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # DALI deprecates it
        found = dali.fn.readers.sequence(
            file_root=str(room() / "sequence"), sequence_length=1, image_type=dali.types.GRAY, **given
        )
    return dali.fn.reshape(found, shape=[1])


def video(dali: Any, **given: Any) -> Any:
    paths, first = [], 0
    for count in COUNTS:
        paths.append(room() / f"{first}.webm")
        if not paths[-1].exists():
            write_video(paths[-1], count)
        first += count
    options = {"labels": [0, COUNTS[0]], "sequence_length": 1, "enable_frame_num": True}
    _, label, number = dali.fn.experimental.readers.video(filenames=list(map(str, paths)), **options, **given)
    return label + number


# Each gives the number of its sample, with shape `[1]`.
READERS: dict[str, Callable[..., Any]] = {
    "caffe": caffe,
    "caffe2": caffe2,
    "coco": coco,
    "mxnet": mxnet,
    "numpy": numpy,
    "sequence": sequence,
    "tfrecord": tfrecord,
    "video": video,
    "webdataset": webdataset,
}
