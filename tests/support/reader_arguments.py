"""Arguments for readers, some of which exclude each other, and some of which are compared by the files they lead to."""

from __future__ import annotations

import functools
import json
import pathlib
import shutil
import tempfile

import numpy as np
from coco_files import write_coco
from jpeg_files import pillow_jpeg
from lmdb_files import datum, tensor, tensors, write_lmdb
from mxnet_files import image_record, write_recordio
from sound_files import sound_bytes, tones
from tar_files import write_tar
from tfrecord_files import write_tfrecord
from video_files import write_video

from jaxdali import types
from jaxdali._feed.records.coco import Wanted, read_annotations
from jaxdali._feed.records.coco_files import write_preprocessed

SMALL = (6, 5)


@functools.cache
def folder() -> pathlib.Path:
    """A folder with two classes of files and a list of them; one class has a sub-folder."""
    root = pathlib.Path(tempfile.mkdtemp())
    for name in ("a/0.jpg", "a/1.jpg", "b/2.jpg", "b/c/3.jpg"):
        (root / name).parent.mkdir(exist_ok=True, parents=True)
        (root / name).write_bytes(pillow_jpeg(*SMALL, seed=int(name[-5])))
    (root / "list.txt").write_text("a/0.jpg 3\nb/2.jpg 4\n")
    shutil.copytree(write_coco(root / "coco").parent, root / "coco2")
    for name, threshold in (("coco", 0.1), ("coco2", 15.0)):
        table = read_annotations(str(root / name / "annotations.json"), Wanted(size_threshold=threshold))
        write_preprocessed(table, str(root / name), False, False, False)
    text = write_coco(root / "coco").read_text()
    (root / "other.json").write_text(text.replace('"bbox": [10', '"bbox": [11'))
    for name in ("a.rec", "b.rec"):
        write_recordio(root / name, [image_record([k], b"x") for k in range(3)])
    for name in ("npy/0", "npy/1", "npy/2", "more/3"):
        (root / name).parent.mkdir(exist_ok=True)
        np.save(root / name, np.arange(4))
    (root / "npy" / "list.txt").write_text("0.npy\n")
    (root / "one.idx").write_text("0 0\n")
    (root / "first.idx").write_text("0 50\n")
    for name in ("a.tfrecord", "b.tfrecord"):
        write_tfrecord(root / name, [{"label": [k]} for k in range(3)])
    for name, content in (("a.tar", b"0123"), ("b.tar", b"01234567")):
        write_tar(root / name, {"0.x": content, "1.X": content, "1.y": content, "2.x": content})
    for name in ("a.lmdb", "b.lmdb"):
        write_lmdb(root / name, [datum(b"x", k) for k in range(3)])
        values = [tensors(tensor("string", [b"x"]), *[tensor("int32", [1])] * 4) for _ in range(3)]
        write_lmdb(root / f"2{name}", values)
    (root / "a.wav").write_bytes(sound_bytes(tones(40, 2)).tobytes())
    for name, texts in (("a.nemo", "xyz"), ("b.nemo", "uvw")):
        (root / name).write_text("".join(_line(root / "a.wav", 1.5 * k, text) for k, text in enumerate(texts)))
    for name, frames in (("a/one.avi", 12), ("b/two.avi", 13)):
        (root / "videos" / name).parent.mkdir(parents=True, exist_ok=True)
        write_video(root / "videos" / name, frames, 16, 16)
    for name, count in (("frames/a", 7), ("frames/b", 6), ("others/a", 8)):
        (root / name).mkdir(parents=True)
        for k in range(count):
            (root / name / f"{k}.jpg").write_bytes(pillow_jpeg(*SMALL, seed=k))
    for name, part in (("parts.txt", "0.05 0.31"), ("later.txt", "0.13 0.44"), ("other.txt", "2 9")):
        (root / "videos" / name).write_text(f"{root / 'videos/a/one.avi'} 3 {part}\n")
    (root / "tar.idx").write_text("v1.2 1\nx 512 4 0.x\n")
    return root


def _line(path: pathlib.Path, duration: float, text: str) -> str:
    return json.dumps({"audio_filepath": str(path), "duration": duration, "text": text}) + "\n"


VIDEO = [str(folder() / "videos/a/one.avi")]
# Arguments that each reader must be given.
READER_BASES = {
    "readers.caffe": lambda: {"path": folder() / "a.lmdb"},
    "readers.caffe2": lambda: {"path": folder() / "2a.lmdb"},
    "readers.coco": lambda: {"file_root": folder(), "annotations_file": folder() / "coco/annotations.json"},
    "readers.file": lambda: {"file_root": folder()},
    "readers.mxnet": lambda: {"path": folder() / "a.rec"},
    "readers.nemo_asr": lambda: {"manifest_filepaths": folder() / "a.nemo"},
    "readers.numpy": lambda: {"file_root": folder() / "npy"},
    "readers.sequence": lambda: {"file_root": folder() / "frames", "sequence_length": 2},
    "readers.tfrecord": lambda: {"path": [folder() / "a.tfrecord"], "features": _labels()},
    "readers.webdataset": lambda: {"paths": folder() / "a.tar", "ext": "x"},
    **dict.fromkeys(
        ("readers.video", "experimental.readers.video"), lambda: {"filenames": VIDEO, "sequence_length": 2}
    ),
}


def _labels() -> dict:
    from jaxdali import tfrecord

    return {"label": tfrecord.FixedLenFeature([1], tfrecord.int64, -1)}


_SAVED = {"save_preprocessed_annotations": True, "save_preprocessed_annotations_dir": folder() / "coco"}
# Arguments that all readers have.
_SHARDS = {
    "shard_id": [{"shard_id": 1, "num_shards": 3}, {"shard_id": 2, "num_shards": 3}],
    "num_shards": [{"num_shards": 2}, {"num_shards": 3}],
    "shuffle_after_epoch_seed": [{"shuffle_after_epoch": True, "shuffle_after_epoch_seed": seed} for seed in (1, 2)],
    "cache_dir": [{"cache_dir": folder() / name} for name in ("one", "two")],
    "cache_bytes": [{"cache_dir": folder() / "one", "cache_bytes": count} for count in (1 << 20, 1 << 30)],
}
_PART = {"filenames": None, "file_list": folder() / "videos/parts.txt"}
_VIDEOS = {
    **_SHARDS,
    "shard_id": [{"shard_id": k, "num_shards": 3} for k in (1, 2)],
    "filenames": [{"filenames": VIDEO}, {"filenames": [str(folder() / "videos/b/two.avi")]}],
    "labels": [{"labels": [3]}, {"labels": [4]}],
    "file_root": [{"filenames": None, "file_root": folder() / "videos"}],
    "file_list": [{"filenames": None, "file_list": folder() / f"videos/{name}.txt"} for name in ("parts", "later")],
    "sequence_length": [{"sequence_length": count} for count in (2, 3)],
    "step": [{"step": step} for step in (1, 3)],
}
# By reader and argument: values that are given one after the other.
READERS = {
    "readers.caffe": {**_SHARDS, "path": [{"path": folder() / "a.lmdb"}, {"path": folder() / "b.lmdb"}]},
    "readers.caffe2": {
        **_SHARDS,
        "path": [{"path": folder() / "2a.lmdb"}, {"path": folder() / "2b.lmdb"}],
        "num_labels": [{"label_type": 1, "num_labels": count} for count in (3, 4)],
    },
    "readers.coco": {
        **_SHARDS,
        "file_root": [{"file_root": folder()}, {"file_root": folder() / "a"}],
        "annotations_file": [{"annotations_file": folder() / name} for name in ("coco/annotations.json", "other.json")],
        "images": [{"images": ["a.jpg"]}, {"images": "b.jpg"}],
        "size_threshold": [{"size_threshold": 0.1}, {"size_threshold": 15.0}],
        "preprocessed_annotations": [
            {"annotations_file": None, "preprocessed_annotations": folder() / name} for name in ("coco", "coco2")
        ],
        **{name: [_SAVED] for name in ("save_preprocessed_annotations", "save_preprocessed_annotations_dir")},
    },
    "readers.file": {
        **_SHARDS,
        "file_root": [{"file_root": folder()}, {"file_root": folder() / "b"}],
        "files": [{"files": ["a/0.jpg"]}, {"files": ["a/1.jpg"]}],
        "labels": [{"files": ["a/0.jpg"], "labels": [3]}, {"files": ["a/0.jpg"], "labels": [4]}],
        "file_list": [{"file_list": folder() / "list.txt"}],
        "file_filters": [{"file_filters": ["0.jpg"]}, {"file_filters": "1.jpg"}],
        "dir_filters": [{"dir_filters": ["a"]}, {"dir_filters": "b"}],
        "case_sensitive_filter": [{"file_filters": ["*.JPG", "0.jpg"], "case_sensitive_filter": True}],
    },
    "readers.mxnet": {
        **_SHARDS,
        "path": [{"path": folder() / "a.rec"}, {"path": folder() / "b.rec"}],
        "index_path": [{"index_path": folder() / "one.idx"}],
    },
    "readers.nemo_asr": {
        **_SHARDS,
        "manifest_filepaths": [{"manifest_filepaths": folder() / name} for name in ("a.nemo", "b.nemo")],
    },
    "readers.numpy": {
        **_SHARDS,
        "file_root": [{"file_root": folder() / "npy"}, {"file_root": folder()}],
        "file_filter": [{"file_filter": "0.*"}, {"file_filter": "[12].npy"}],
        "files": [{"files": ["0.npy"]}, {"files": ["1.npy"]}],
        "file_list": [{"file_list": folder() / "npy" / "list.txt"}],
        "roi_axes": [{"roi_axes": axes, "roi_start": 1} for axes in (0, 1)],
        "out_of_bounds_policy": [{"roi_start": 1, "out_of_bounds_policy": one} for one in ("pad", "trim_to_shape")],
        "fill_value": [{"roi_start": 1, "fill_value": one} for one in (1, 2)],
    },
    "readers.sequence": {
        **_SHARDS,
        "file_root": [{"file_root": folder() / name} for name in ("frames", "others")],
    },
    "readers.tfrecord": {
        **_SHARDS,
        "path": [{"path": folder() / "a.tfrecord"}, {"path": folder() / "b.tfrecord"}],
        # The index file itself does not matter, but the positions of the records do.
        "index_path": [{"index_path": folder() / "first.idx"}],
    },
    "readers.video": {
        **_VIDEOS,
        "file_list_frame_num": [{**_PART, "file_list": folder() / "videos/other.txt", "file_list_frame_num": True}],
        "file_list_include_preceding_frame": [{**_PART, "file_list_include_preceding_frame": True}],
        "dtype": [{"dtype": types.FLOAT}],
        "normalized": [{"dtype": types.FLOAT, "normalized": True}],
        "pad_sequences": [{"sequence_length": 5, "pad_sequences": True}],
    },
    "experimental.readers.video": {
        **_VIDEOS,
        "file_list_format": [{**_PART, "file_list": folder() / "videos/other.txt", "file_list_format": "frames"}],
        "file_list_rounding": [{**_PART, "file_list_rounding": way} for way in ("all_up", "all_down")],
        "pad_mode": [{"sequence_length": 5, "pad_mode": way} for way in ("edge", "constant", "reflect_101")],
        "fill_value": [
            {"sequence_length": 5, "pad_mode": "constant", "fill_value": one} for one in (1.0, (1.0, 2.0, 3.0))
        ],
    },
    "readers.webdataset": {
        **_SHARDS,
        "paths": [{"paths": folder() / "a.tar"}, {"paths": folder() / "b.tar"}],
        "ext": [{"ext": "x"}, {"ext": ["x", "y"]}],
        "index_paths": [{"index_paths": folder() / "tar.idx"}],
        "missing_component_behavior": [
            {"missing_component_behavior": "skip"},
            {"missing_component_behavior": "error", "ext": "x;y"},
        ],
        "case_sensitive_extensions": [{"case_sensitive_extensions": False}],
    },
}
