"""Writes the programs' images in the formats in which data sets come, following each format's definition."""

from __future__ import annotations

import json
import pathlib

import numpy as np
from coco_files import write_coco
from lmdb_files import datum, tensor, tensors, write_lmdb
from PIL import Image
from recordio_files import image_record, write_recordio
from sound_files import sound_bytes, tones
from tfrecord_files import write_tfrecord
from video_files import write_video
from webdataset_files import write_tar

from jaxdali._feed.records.tar_samples import samples_in_tar, samples_text


def write_formats(root: pathlib.Path) -> None:
    """Writes, next to train/CLASS/NAME.jpg: tfrecords/train-0.tfrecord and train-1.tfrecord, mxnet/train.rec, and
    webdataset/train-0.tar and train-1.tar, each with an index; lmdb/ for Caffe and c2lmdb/ for Caffe2;
    volumes/NUMBER_x.npy and NUMBER_y.npy; coco/ with other images; sounds/ with five files and NeMo's manifest.json;
    videos/CLASS/ with three files; and frames/ with two folders of images.
    """
    paths = sorted((root / "train").glob("*/*.jpg"))
    _tfrecords(root / "tfrecords", paths)
    _recordio(root / "mxnet", paths)
    _webdataset(root / "webdataset", paths)
    write_lmdb(root / "lmdb", [datum(path.read_bytes(), k % 3) for k, path in enumerate(paths)])
    images = [tensor("string", [path.read_bytes()]) for path in paths]
    labels = [tensor("int32", [k % 3]) for k in range(len(paths))]
    write_lmdb(root / "c2lmdb", list(map(tensors, images, labels)))
    _volumes(root / "volumes")
    write_coco(root / "coco")
    _sounds(root / "sounds")
    _videos(root)


def _videos(root: pathlib.Path) -> None:
    for name, frames in (("a/one.webm", 11), ("b/three.webm", 9), ("b/two.avi", 14)):
        (root / "videos" / name).parent.mkdir(parents=True, exist_ok=True)
        write_video(root / "videos" / name, frames, 32, 48)
    for folder, count in (("day", 9), ("night", 6)):
        (root / "frames" / folder).mkdir(parents=True)
        for number in range(count):
            pixels = np.random.default_rng(number).integers(0, 256, (20, 24, 3), np.uint8)
            Image.fromarray(pixels).save(root / "frames" / folder / f"{number:04}.png")


def _sounds(folder: pathlib.Path) -> None:
    folder.mkdir()
    lines = []
    for k, (ending, channels) in enumerate([("wav", 1), ("flac", 2), ("wav", 2), ("wav", 1), ("flac", 1)]):
        signal = tones(4000 + 700 * k, channels, seed=k)
        # Silence at both ends.
        signal[: 500 + 100 * k] *= 1e-6
        signal[-300:] *= 1e-6
        path = folder / f"{k}.{ending}"
        path.write_bytes(sound_bytes(signal, 16000, ending.upper(), "PCM_16").tobytes())
        entry = {"audio_filepath": str(path), "duration": len(signal) / 16000, "text": f"sound number {k}"}
        lines.append(json.dumps(entry) + "\n")
    (folder / "manifest.json").write_text("".join(lines))


def _volumes(folder: pathlib.Path) -> None:
    folder.mkdir()
    rng = np.random.default_rng(8)
    for k in range(5):
        np.save(folder / f"{k}_x.npy", np.asfortranarray(rng.integers(0, 100, (1, 3 + k % 2, 5, 4)).astype(np.float32)))
        np.save(folder / f"{k}_y.npy", rng.integers(0, 4, (1, 3 + k % 2, 5, 4)).astype(np.uint8))


def _webdataset(folder: pathlib.Path, paths: list[pathlib.Path]) -> None:
    """Writes archives; one sample has no caption."""
    for number, part in enumerate((range(4), range(4, len(paths)))):
        files: dict[str, bytes] = {}
        for k in part:
            files[f"{k:06}.jpg"] = paths[k].read_bytes()
            files[f"{k:06}.cls"] = str(k % 3).encode()
            files[f"{k:06}.box"] = np.linspace(0, k, 4, dtype="<f4").tobytes()
            if k != 5:
                files[f"{k:06}.txt"] = f"number {k}".encode()
        path = folder / f"train-{number}.tar"
        write_tar(path, files)
        path.with_suffix(".idx").write_text(samples_text(samples_in_tar(str(path)), str(path))[0])


def _recordio(folder: pathlib.Path, paths: list[pathlib.Path]) -> None:
    folder.mkdir()
    write_recordio(folder / "train.rec", [image_record([k % 3], path.read_bytes(), k) for k, path in enumerate(paths)])


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
