"""The same samples in files for every reader, small ones and one that is larger than a single read."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import struct
from typing import Any

import numpy as np
from lmdb_files import datum, tensor, tensors, write_lmdb
from mxnet_files import image_record, write_recordio
from PIL import Image
from sound_files import sound_bytes, tones
from tar_files import write_tar
from tfrecord_files import write_tfrecord
from video_files import write_video

from jaxdali import fn, tfrecord, types
from jaxdali._dali.readers.indexed import Indexed
from jaxdali._dali.readers.listing import LabelledFiles
from jaxdali._feed.records.coco import Wanted, read_annotations
from jaxdali._feed.source.numpy_files import Window
from jaxdali.source import COCO, Caffe, Caffe2, FrameClips, NemoASR, NumpyFiles, RecordIO, TFRecords, WebDataset

COUNT = 12
LARGE = 7


@dataclasses.dataclass(frozen=True)
class Made:
    """A reader.

    Attributes:
        reader: name in fn.readers.
        arguments: of the reader.
        data: what it reads.
        native: whether samples are written without Python.
    """

    reader: str
    arguments: dict[str, Any]
    data: Indexed
    native: bool = True


def content(index: int) -> bytes:
    """The contents of a sample; not a JPEG file."""
    size = (1 << 18) + 5 if index == LARGE else 100 + 60 * index
    return bytes([index]) + np.random.default_rng(index).bytes(size)


def _array(index: int) -> np.ndarray:
    return np.full((4, 6 + index % 2), index, np.int16) + np.arange(6 + index % 2, dtype=np.int16)


FEATURES = {
    "image": tfrecord.FixedLenFeature([], tfrecord.string, ""),
    "label": tfrecord.FixedLenFeature([1], tfrecord.int64, -1),
    "box": tfrecord.VarLenFeature([2], tfrecord.float32, 0.0),
}


def example(index: int) -> dict[str, Any]:
    return {
        "image": content(index),
        "other": np.arange(9),
        "label": [index - 3],
        "box": np.arange(4, dtype=np.float32) + index,
    }


def tensors_of(index: int) -> bytes:
    """Tensors with an additional input."""
    label, weights = tensor("int32", [index]), tensor("float", [0.5, index])
    return tensors(tensor("string", [content(index)]), label, weights)


def _clips(files: list[pathlib.Path], given: dict[str, Any]) -> Indexed:
    """The data behind the reader of videos, with the given arguments for clips."""
    return fn.readers.video(filenames=files, **given)[0].call.source.data


HALVES = (range(COUNT // 2), range(COUNT // 2, COUNT))


def _write_containers(folder: pathlib.Path) -> None:
    for part, mine in enumerate(HALVES):
        write_tfrecord(folder / f"{part}.tfrecord", [example(index) for index in mine])
        write_recordio(folder / f"{part}.rec", [image_record([index, 0.5], content(index)) for index in mine])
        members = {}
        for index in mine:
            members[f"{index:02}.jpg"] = content(index)
            members[f"{index:02}.id"] = struct.pack("<ii", index, -index)
        write_tar(folder / f"{part}.tar", members)
        write_lmdb(folder / f"caffe{part}", [datum(content(index), index) for index in mine])
        write_lmdb(folder / f"caffe2{part}", [tensors_of(index) for index in mine])


def _media_readers(folder: pathlib.Path) -> dict[str, Made]:
    """Readers of sounds, frames and videos."""
    (folder / "frames" / "one").mkdir(parents=True)
    for index in range(COUNT):
        Image.new("RGB", (6, 4), (index, 9, 200)).save(folder / "frames" / "one" / f"{index:02}.png")
        (folder / f"{index:02}.wav").write_bytes(sound_bytes(tones(30 + index, 2, index)).tobytes())
    lines = [{"audio_filepath": str(folder / f"{index:02}.wav"), "text": f"number {index}"} for index in range(COUNT)]
    for part, mine in enumerate(HALVES):
        (folder / f"{part}.manifest").write_text("".join(json.dumps(lines[index]) + "\n" for index in mine))
        write_video(folder / f"{part}.avi", len(mine), 16, 32)
    manifests, videos = ([folder / f"{part}.{ending}" for part in range(2)] for ending in ("manifest", "avi"))
    clips = {"sequence_length": 1, "labels": [0, 1], "enable_frame_num": True}
    return {
        "nemo_asr": Made(
            "nemo_asr",
            {"manifest_filepaths": manifests, "read_idxs": True},
            NemoASR(manifests),
            native=False,
        ),
        "sequence": Made(
            "sequence",
            {"file_root": folder / "frames", "sequence_length": 1},
            FrameClips(folder / "frames", 1),
            native=False,
        ),
        "video": Made("video", {"filenames": videos, **clips}, _clips(videos, clips), native=False),
    }


def every_reader(folder: pathlib.Path) -> dict[str, Made]:
    """All readers by name. Containers are split into two files."""
    (folder / "files").mkdir(parents=True)
    files, arrays, images = [], [], []
    for index in range(COUNT):
        files.append(folder / "files" / f"{index:02}.jpg")
        files[-1].write_bytes(content(index))
        arrays.append(folder / f"{index:02}.npy")
        np.save(arrays[-1], _array(index))
        images.append({"id": index, "file_name": files[-1].name, "width": 9, "height": 9})
    box = {"category_id": 1, "bbox": [1.0, 2.0, 3.0, 4.0], "iscrowd": 0}
    boxes = [{**box, "id": index, "image_id": index // 2} for index in range(COUNT)]
    annotations = folder / "coco.json"
    annotations.write_text(json.dumps({"images": images, "annotations": boxes, "categories": [{"id": 1}]}))
    _write_containers(folder)

    def both(name: str) -> list[pathlib.Path]:
        return [folder / name.format(part) for part in range(2)]

    region = {"roi_start": (-1, 1), "roi_shape": (4, 3), "out_of_bounds_policy": "pad", "fill_value": 9.0}
    window = Window(start=(-1, 1), shape=(4, 3), policy="pad", fill=9.0)
    wanted = {"ext": ["jpg", "id"], "dtypes": [types.UINT8, types.INT32]}
    return {
        "file": Made("file", {"files": files}, LabelledFiles([*map(str, files)], range(COUNT)), native=False),
        "coco": Made(
            "coco",
            {"file_root": folder / "files", "annotations_file": annotations},
            COCO(folder / "files", read_annotations(str(annotations), Wanted())),
            native=False,
        ),
        "numpy": Made("numpy", {"files": arrays}, NumpyFiles(arrays)),
        "region": Made("numpy", {"files": arrays, **region}, NumpyFiles(arrays, window)),
        "tfrecord": Made(
            "tfrecord",
            {"path": both("{}.tfrecord"), "index_path": both("{}.tfrecord.idx"), "features": FEATURES},
            TFRecords(both("{}.tfrecord"), FEATURES),
        ),
        "mxnet": Made("mxnet", {"path": both("{}.rec"), "index_path": both("{}.idx")}, RecordIO(both("{}.rec"))),
        "webdataset": Made(
            "webdataset",
            {"paths": both("{}.tar"), **wanted},
            WebDataset(both("{}.tar"), ["jpg", "id"], dtypes=[None, "i4"]),
        ),
        "caffe": Made("caffe", {"path": both("caffe{}")}, Caffe(both("caffe{}"))),
        "caffe2": Made(
            "caffe2", {"path": both("caffe2{}"), "additional_inputs": 1}, Caffe2(both("caffe2{}"), additional_inputs=1)
        ),
        **_media_readers(folder),
    }
