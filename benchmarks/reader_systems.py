"""How each system reads the files of `reader_files`: batches of (contents, labels), either of which may be missing."""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from reader_files import Size, extent

__all__ = ["MODULES", "READERS", "Peer", "open_peer", "open_pipeline", "systems_of"]

MODULES = {
    "jaxdali": "jaxdali",
    "jaxdali, in its process": "jaxdali",
    "DALI": "nvidia.dali",
    "webdataset": "webdataset",
    "grain": "grain",
    "tf.data": "tensorflow",
}

Batch = tuple[Any, Any]
Peer = Iterator[Batch]


def _paths(folder: pathlib.Path, size: Size, ending: str) -> list[str]:
    return [str(folder / f"{shard}.{ending}") for shard in range(size.shards)]


def _file(fn: Any, tfrecord: Any, folder: pathlib.Path, size: Size) -> Any:
    return fn.readers.file(file_root=str(folder / "files"), file_list=str(folder / "list.txt"), name="reader")


def _numpy(fn: Any, tfrecord: Any, folder: pathlib.Path, size: Size) -> Any:
    return (fn.readers.numpy(file_root=str(folder / "numpy"), name="reader"),)


def _numpy_region(fn: Any, tfrecord: Any, folder: pathlib.Path, size: Size) -> Any:
    half = extent(size) // 2
    files = {"file_root": str(folder / "numpy"), "name": "reader"}
    return (fn.readers.numpy(**files, roi_start=(0, 0), roi_shape=(half, half)),)


def _coco(fn: Any, tfrecord: Any, folder: pathlib.Path, size: Size) -> Any:
    files, _, labels = fn.readers.coco(
        file_root=str(folder / "files"),
        annotations_file=str(folder / "coco.json"),
        avoid_class_remapping=True,
        name="reader",
    )
    return files, labels


def _tfrecord(fn: Any, tfrecord: Any, folder: pathlib.Path, size: Size) -> Any:
    found = fn.readers.tfrecord(
        path=_paths(folder, size, "tfrecord"),
        index_path=_paths(folder, size, "tfrecord.idx"),
        features={
            "image/encoded": tfrecord.FixedLenFeature((), tfrecord.string, ""),
            "image/class/label": tfrecord.FixedLenFeature([1], tfrecord.int64, -1),
        },
        name="reader",
    )
    return found["image/encoded"], found["image/class/label"]


def _mxnet(fn: Any, tfrecord: Any, folder: pathlib.Path, size: Size) -> Any:
    # DALI takes one index file, whose offsets continue through all files.
    paths = {"path": _paths(folder, size, "rec"), "index_path": str(folder / "rec.idx")}
    return fn.readers.mxnet(**paths, name="reader")


def _webdataset(fn: Any, tfrecord: Any, folder: pathlib.Path, size: Size) -> Any:
    paths = {"paths": _paths(folder, size, "tar"), "index_paths": _paths(folder, size, "tar.idx")}
    types = _types(fn)
    return fn.readers.webdataset(**paths, ext=["jpg", "cls"], dtypes=[types.UINT8, types.INT32], name="reader")


def _nemo(fn: Any, tfrecord: Any, folder: pathlib.Path, size: Size) -> Any:
    manifest = str(folder / "sounds" / "manifest.json")
    wanted = {"read_sample_rate": False, "read_text": False, "read_idxs": True}
    return fn.readers.nemo_asr(manifest_filepaths=[manifest], dtype=_types(fn).INT16, **wanted, name="reader")


def _types(fn: Any) -> Any:
    if fn.__name__.startswith("jaxdali"):
        from jaxdali import types
    else:
        from nvidia.dali import types
    return types


def _caffe(kind: str, fn: Any, tfrecord: Any, folder: pathlib.Path, size: Size) -> Any:
    return getattr(fn.readers, kind)(path=str(folder / kind), name="reader")


# Readers by the names of their rows; DALI has all of them, too.
READERS: dict[str, Callable[..., Any]] = {
    "file": _file,
    "coco": _coco,
    "numpy": _numpy,
    "numpy, a region": _numpy_region,
    "tfrecord": _tfrecord,
    "mxnet": _mxnet,
    "webdataset": _webdataset,
    "nemo_asr": _nemo,
    "caffe": functools.partial(_caffe, "caffe"),
    "caffe2": functools.partial(_caffe, "caffe2"),
}


def open_pipeline(system: str, reader: str, folder: pathlib.Path, size: Size, workers: int, **options: Any) -> Any:
    """A pipeline of jaxdali or DALI with only the reader.

    Args:
        workers: processes that read in jaxdali; threads in DALI.
    """
    if system.startswith("jaxdali"):
        from jaxdali import fn, pipeline_def, tfrecord

        options["py_num_workers"] = 0 if "process" in system else workers
    else:
        from nvidia.dali import fn, pipeline_def, tfrecord  # pyright: ignore[reportMissingImports]

    @pipeline_def(batch_size=size.batch, num_threads=max(workers, 1), device_id=None, **options)
    def pipeline() -> Any:
        return tuple(READERS[reader](fn, tfrecord, folder, size))

    built = pipeline()
    built.build()
    return built


def systems_of(reader: str, found: list[str], far: bool = False) -> list[str]:
    """Those of the given systems that can read the row.

    Args:
        far: only those that can checkpoint readers.
    """
    if far:
        return [one for one in found if one in ("jaxdali", "DALI")]
    others = {"webdataset": {"webdataset"}, "tfrecord": {"tf.data"}, "file": {"grain"}, "numpy": {"grain"}}
    return [one for one in found if one.startswith(("jaxdali", "DALI")) or one in others.get(reader, ())]


def open_peer(system: str, reader: str, folder: pathlib.Path, size: Size, workers: int) -> Peer:
    """Reads the same with another library."""
    return {"webdataset": _by_webdataset, "grain": _by_grain, "tf.data": _by_tensorflow}[system](
        reader, folder, size, workers
    )


def _by_webdataset(reader: str, folder: pathlib.Path, size: Size, workers: int) -> Peer:
    import webdataset  # pyright: ignore[reportMissingImports]

    data = webdataset.WebDataset(_paths(folder, size, "tar"), shardshuffle=False).to_tuple("jpg", "cls")
    rows = ((image, np.frombuffer(number, np.int32)[0]) for image, number in data.repeat())
    while True:
        batch = [next(rows) for _ in range(size.batch)]
        yield [image for image, _ in batch], np.array([number for _, number in batch])


class _Files:
    """Files with their labels, for grain."""

    def __init__(self, folder: pathlib.Path, size: Size, reader: str):
        self.reader = reader
        self.folder = folder / ("files" if reader == "file" else "numpy")
        self.names = sorted(path.name for path in self.folder.iterdir())

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: int) -> Any:
        path = self.folder / self.names[index]
        return np.load(path) if self.reader == "numpy" else path.read_bytes()


def _by_grain(reader: str, folder: pathlib.Path, size: Size, workers: int) -> Peer:
    import grain  # pyright: ignore[reportMissingImports]

    samples = grain.MapDataset.source(_Files(folder, size, reader)).repeat()
    batches = samples.batch(size.batch, batch_fn=list).to_iter_dataset()
    return ((batch, None) for batch in batches)


def _by_tensorflow(reader: str, folder: pathlib.Path, size: Size, workers: int) -> Peer:
    import tensorflow as tf  # pyright: ignore[reportMissingImports]

    wanted = {
        "image/encoded": tf.io.FixedLenFeature((), tf.string, ""),
        "image/class/label": tf.io.FixedLenFeature([1], tf.int64, -1),
    }
    data = tf.data.TFRecordDataset(_paths(folder, size, "tfrecord")).repeat().batch(size.batch)
    parsed = data.map(lambda batch: tf.io.parse_example(batch, wanted)).prefetch(2)
    for batch in parsed.as_numpy_iterator():
        yield batch["image/encoded"], batch["image/class/label"]
