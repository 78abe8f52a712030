"""What jaxdali writes and reads again later: how each kind of it is made, and what follows when it is taken up.

`python tests/versions/saved_things.py` writes all of it into saved_VERSION.json beside this file. That of a release is never
written anew: later versions have to go on from there as the release did. files.json has the files that it was saved of.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import json
import pathlib
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any

import jax
import numpy as np
from jax import export

import jaxdali
from jaxdali import Loader, fn, image, pipeline_def, source, tfrecord, types
from jaxdali._cli.main import main
from jaxdali._feed.storage.cache import ByteRange, Cache
from jaxdali.plugin.jax import LastBatchPolicy, data_iterator

HERE = pathlib.Path(__file__).resolve().parent
FILES = HERE / "files.json"
FOLDER = "@FOLDER@"  # where the files of a test are, in what was saved
SHARDS = ("shard.tfrecord", "shard.rec", "shard.tar")
CACHED = ByteRange("https://example.org/train.bin", 4096, 11, 'size 9000, ETag "5"')


def tokens() -> list[dict[str, np.ndarray]]:
    return [{"ids": np.arange(1 + 7 * k % 13, dtype=np.int32) + 100 * k} for k in range(20)]


class Resumable:
    """A stream whose iterator says where it is."""

    def __init__(self) -> None:
        self.next = 0

    def __iter__(self) -> Resumable:
        return self

    def __next__(self) -> dict[str, object]:
        if self.next == 22:
            raise StopIteration
        self.next += 1
        return {"x": np.int32(self.next), "name": f"sample {self.next}"}

    def get_state(self) -> dict[str, object]:
        return {"next": self.next, "bytes": b"\xff"}

    def set_state(self, state: dict[str, Any]) -> None:
        assert state["bytes"] == b"\xff"
        self.next = state["next"]


def drawn(batch: Any, keys: Any) -> Any:
    """Pixels of images, and numbers that are drawn for them."""
    # Not normal ones, whose last bits depend on how XLA compiles them.
    return image.decode_resample(batch["image"], None, (6, 6)), batch["label"], jaxdali.random.uniform(keys, shape=(2,))


def loaders(folder: pathlib.Path) -> dict[str, Callable[[], Loader]]:
    """A Loader of each kind of order and data."""
    numbers = {"x": np.arange(22, dtype=np.int16), "y": np.arange(66).reshape(22, 3).astype(np.uint8)}
    arrays = source.Arrays(**numbers)
    tokenized, rest = tokens(), {"batch_size": 4, "workers": 0, "epochs": 2}
    lengths = [len(sample["ids"]) for sample in tokenized]
    buckets = source.BucketSampler(lengths, 4, (4, 13), seed=5)
    mixed = source.mix(
        source.subset(arrays, range(3, 20)), source.map(source.repeat(arrays, 2), _next, version=4), weights=[1, 3]
    )
    return {
        "folder": lambda: Loader(
            source.ImageFolder(folder / "images"), drawn, shuffle=True, seed=3, **rest | {"batch_size": 2}
        ),
        "arrays": lambda: Loader(arrays, shuffle=True, seed=2**40, last_batch="drop", **rest),
        "weighted": lambda: Loader(arrays, sampler=source.WeightedSampler(np.arange(22), seed=9), **rest),
        "buckets": lambda: Loader(tokenized, sampler=buckets, ragged={"ids": (4, 13)}, **rest),
        "mixed": lambda: Loader(mixed, shuffle=True, seed=1, **rest),
        "packed": lambda: Loader(source.pack(tokenized, 16, seed=8), shuffle=True, seed=4, **rest),
        "stream": lambda: Loader(source.Iterable(Resumable), **rest),
        "row groups": lambda: Loader(arrays, sampler=source.RowGroupSampler([0, 6, 13, 22], seed=6), **rest),
    }


def _next(sample: dict[str, Any]) -> dict[str, Any]:
    return {**sample, "x": np.int16(sample["x"] + 1)}


def numbers_of(info: Any) -> np.ndarray:
    """The source of a pipeline: 14 samples an epoch."""
    if info.idx_in_epoch >= 14:
        raise StopIteration
    return np.array([info.idx_in_epoch, info.epoch_idx], np.int32)


def pipeline(**options: Any) -> Any:
    @pipeline_def(batch_size=4, seed=7, enable_checkpointing=True, py_num_workers=0, **options)
    def mine() -> Any:
        number = fn.external_source(numbers_of, batch=False)
        _, label = fn.readers.file(files=["/dev/null"] * 10, random_shuffle=True, name="labels")
        return number, label, fn.random.uniform(range=(0.0, 3.0)), fn.random.coin_flip(shape=[2])

    return mine()


def iterator(**options: Any) -> Any:
    @data_iterator(reader_name="labels", last_batch_policy=LastBatchPolicy.PARTIAL, auto_reset=True)
    def mine() -> Any:
        _, label = fn.readers.file(files=["/dev/null"] * 10, random_shuffle=True, name="labels")
        return {"label": label}

    return mine(batch_size=4, seed=7, enable_checkpointing=True, py_num_workers=0, **options)


def training(folder: pathlib.Path) -> Any:
    """A pipeline without Python in it, which can be saved."""

    @pipeline_def(batch_size=3, seed=5, py_num_workers=0)
    def mine() -> Any:
        files, labels = fn.readers.file(file_root=str(folder / "images"), random_shuffle=True, pad_last_batch=True)
        images = fn.random_resized_crop(fn.decoders.image(files), size=(8, 8), random_area=[0.3, 1.0])
        images = fn.flip(images, horizontal=fn.random.coin_flip(seed=3))
        return fn.crop_mirror_normalize(images, mean=[1.0, 2.0, 3.0], dtype=types.FLOAT), labels * np.int32(3)

    return mine()


def exported_function(batch: Any, keys: Any) -> Any:
    images = image.open(batch).resize(size=(8, 8)).flip(horizontal=jaxdali.random.coin_flip(keys))
    return images.normalize(127.5, 64.0).array(), jaxdali.random.uniform(keys)


def arguments_of_exported(folder: pathlib.Path) -> tuple[Any, Any]:
    files = [np.frombuffer(path.read_bytes(), np.uint8) for path in sorted((folder / "images").rglob("*.jpg"))]
    return image.EncodedBatch.from_encoded(files), jaxdali.random.sample_keys(3, 1, 0, np.arange(len(files)))


def digest(tree: Any) -> str:
    """A hash of arrays' types, shapes and bytes."""
    found = hashlib.sha256()
    for leaf in map(np.asarray, jax.tree.leaves(tree)):
        found.update(f"{leaf.dtype}{leaf.shape}".encode() + np.ascontiguousarray(leaf).tobytes())
    return found.hexdigest()[:16]


def rest_of(loader: Loader) -> list[str]:
    """Digests of the batches that follow; `jaxdali.fingerprint` is one of the things that stay the same."""
    with loader:
        return [jaxdali.fingerprint(batch) for batch in loader]


def runs(pipe: Any, count: int) -> list[str]:
    """Digests of what `run` gives, and where epochs end."""
    found = []
    for _ in range(count):
        try:
            found.append(digest([output.as_array() for output in pipe.run()]))
        except StopIteration:
            found.append("end")
            pipe.reset()
    return found


def nexts(batches: Any, count: int) -> list[str]:
    """The same of an iterator."""
    found = []
    for _ in range(count):
        try:
            found.append(digest(next(batches)))
        except StopIteration:
            found.append("end")
    return found


def unpacked(folder: pathlib.Path) -> None:
    """Writes the files that were kept into a folder."""
    for name, content in json.loads(FILES.read_text()).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(base64.b64decode(content))


def read_shards(folder: pathlib.Path) -> list[list[bytes]]:
    """The records of each shard, found by its index."""
    features = {"x": tfrecord.FixedLenFeature([], tfrecord.int64, 0)}
    tfrecords, recordio, tar = (str(folder / name) for name in SHARDS)
    found = [
        source.TFRecords(tfrecords, features, f"{tfrecords}.idx"),
        source.RecordIO(recordio, f"{recordio}.idx"),
        source.WebDataset(tar, ["txt"], f"{tar}.idx"),
    ]
    return [[repr(data[index]).encode() for index in range(len(data))] for data in found]


def save_all(folder: pathlib.Path) -> dict[str, Any]:
    """Returns what this version saves, and what follows. The folder has the files."""
    saved: dict[str, Any] = {"jaxdali": importlib.metadata.version("jaxdali"), "loaders": {}}
    for name, make in loaders(folder).items():
        with make() as loader:
            for _ in range(3):
                next(iter(loader))
            state = json.loads(json.dumps(loader.get_state()))
            saved["loaders"][name] = {"state": state, "rest": [jaxdali.fingerprint(batch) for batch in loader]}
    with pipeline() as pipe:
        runs(pipe, 6)
        saved["pipeline"] = {"checkpoint": pipe.checkpoint().decode(), "rest": runs(pipe, 6)}
    batches = iterator()
    nexts(batches, 5)
    records = [record.decode() for record in batches.checkpoints()]
    saved["iterator"] = {"checkpoints": records, "rest": nexts(batches, 6)}
    with training(folder) as pipe:
        saved["graph"] = {
            "saved": pipe.serialize().decode().replace(str(folder), FOLDER).replace(str(HERE), ""),
            "runs": runs(pipe, 3),
        }
    assert main(["index", *(str(folder / name) for name in SHARDS)]) == 0
    saved["indices"] = {name: (folder / f"{name}.idx").read_text() for name in SHARDS}
    saved["records"] = digest([np.frombuffer(one, np.uint8) for shard in read_shards(folder) for one in shard])
    chosen = source.filter([*range(9)], lambda number: number % 3 == 1, folder / "answers.npy")
    saved["filter"] = {"answers": _text(folder / "answers.npy"), "chosen": [chosen[k] for k in range(len(chosen))]}
    (folder / "cache").mkdir()
    Cache(str(folder / "cache"), 1 << 20).put(CACHED, b"hello world")
    (entry,) = (folder / "cache").glob("??/*")
    saved["cache"] = {str(entry.relative_to(folder)): _text(entry)}
    checks = [export.DisabledSafetyCheck.custom_call(name) for name in image.custom_call_targets()]
    program = export.export(jax.jit(exported_function), platforms=["cpu"], disabled_checks=checks)
    arguments = arguments_of_exported(folder)
    # Programs say from which files they were traced.
    jax.config.update("jax_hlo_source_file_canonicalization_regex", r"^.*/")
    saved["program"] = {
        "exported": base64.b64encode(program(*arguments).serialize()).decode(),
        "results": digest(exported_function(*arguments)),
    }
    return saved


def _text(path: pathlib.Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()


def draw_files(folder: pathlib.Path) -> dict[str, str]:
    """Draws the files that things are saved of: once, since encoders change."""
    sys.path.insert(0, str(HERE.parent / "support"))
    from jpeg_files import pillow_jpeg
    from recordio_files import image_record, write_recordio
    from tfrecord_files import write_tfrecord
    from webdataset_files import write_tar

    for k in range(6):
        (folder / "images" / "ab"[k % 2]).mkdir(parents=True, exist_ok=True)
        (folder / "images" / "ab"[k % 2] / f"{k}.jpg").write_bytes(pillow_jpeg(12 + k, 17 - k, quality=60))
    write_tfrecord(folder / SHARDS[0], [{"x": [k]} for k in range(3)])
    write_recordio(folder / SHARDS[1], [image_record([k], bytes([k] * 5)) for k in range(3)])
    write_tar(folder / SHARDS[2], {f"{k}.txt": bytes([65 + k] * 3) for k in range(3)})
    found: Iterable[pathlib.Path] = sorted(path for path in folder.rglob("*") if path.suffix[1:] in ("jpg", *_ENDINGS))
    return {str(path.relative_to(folder)): _text(path) for path in found}


_ENDINGS = [name.partition(".")[2] for name in SHARDS]


def main_program(folder: pathlib.Path) -> None:
    if not FILES.exists():
        FILES.write_text(json.dumps(draw_files(folder), indent=1) + "\n")
    unpacked(folder)
    (release,) = re.findall(r"^\d+\.\d+\.\d+", importlib.metadata.version("jaxdali"))
    path = HERE / f"saved_{release}.json"
    path.write_text(json.dumps(save_all(folder), indent=1) + "\n")
    print(f"{path}: commit it, and never write it again once {release} is released")


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as scratch:
        main_program(pathlib.Path(scratch))
