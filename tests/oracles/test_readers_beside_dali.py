"""Readers compared with DALI: which sample comes when, for every policy and shard, and its contents."""

from __future__ import annotations

import itertools
import tarfile
from typing import Any

import numpy as np
import pytest
from beside_dali import SYSTEMS, load
from coco_files import write_coco
from lmdb_files import datum, tensor, tensors, write_lmdb
from numbered_readers import COUNTS, READERS, room
from webdataset_files import write_tar

from jaxdali._feed.records.tar_samples import samples_in_tar, samples_text

pytestmark = pytest.mark.dali

BATCH = 2
CONTAINERS = {"caffe", "caffe2", "mxnet", "tfrecord", "webdataset"}
# Readers for which DALI shuffles the files, too.
OF_FILES = {"mxnet", "tfrecord", "webdataset"}


def numbers(reader: str, system: str, batches: int = 9, **given: Any) -> list[list[int]]:
    dali = load(system)
    pipe = dali.Pipeline(batch_size=BATCH, num_threads=1, device_id=None, seed=7, py_num_workers=0)
    with pipe:
        pipe.set_outputs(READERS[reader](dali, name="reader", **given))
    pipe.build()
    meta = dict(pipe.reader_meta("reader"))
    found = [pipe.run()[0].as_array().ravel().tolist() for _ in range(batches)]
    if system == "jaxdali":
        pipe.close()
    return [list(meta.values()), *found]


def flat(batches: list[list[int]]) -> list[int]:
    return [number for batch in batches for number in batch]


@pytest.mark.parametrize("reader", READERS)
def test_samples_come_in_dalis_order_for_every_policy_and_shard(reader):
    for shards, stick, pad in itertools.product((1, 3), (False, True), (False, True)):
        for shard in range(shards):
            given = {"num_shards": shards, "shard_id": shard, "stick_to_shard": stick, "pad_last_batch": pad}
            theirs, ours = (numbers(reader, system, **given) for system in SYSTEMS)
            assert ours == theirs, given


@pytest.mark.parametrize("reader", sorted(CONTAINERS))
def test_a_shuffled_shard_has_dalis_samples(reader):
    for shard in range(2):
        given = {"num_shards": 2, "shard_id": shard, "stick_to_shard": True, "random_shuffle": True}
        theirs, ours = (numbers(reader, system, 2, **given)[1:] for system in SYSTEMS)
        assert sorted(flat(ours)) == sorted(flat(theirs))


@pytest.mark.parametrize("reader", sorted(OF_FILES))
def test_files_are_shuffled_whole(reader):
    first, second = [*range(COUNTS[0])], [*range(COUNTS[0], sum(COUNTS))]
    for system in SYSTEMS:
        passes = np.reshape(flat(numbers(reader, system, 32, shuffle_after_epoch=True)[1:]), (-1, 8)).tolist()
        assert {tuple(one) for one in passes} == {(*first, *second), (*second, *first)}


# COCO -----------------------------------------------------------------------------------------------------------------


def objects(system: str, **given: Any) -> list[list[tuple[str, str, Any]]]:
    """Returns type, layout, shape and values of each sample, for all outputs except the images."""
    dali = load(system)
    pipe = dali.Pipeline(batch_size=4, num_threads=1, device_id=None, py_num_workers=0)
    with pipe:
        pipe.set_outputs(*dali.fn.readers.coco(file_root=str(room() / "coco"), **given))
    pipe.build()
    outputs = pipe.run()
    found = [
        [(str(out.dtype), out.layout(), np.array(out.at(k)).shape, np.array(out.at(k)).tolist()) for k in range(4)]
        for out in outputs
    ]
    if system == "jaxdali":
        pipe.close()
    return found


COCO = [
    {},
    {"ltrb": True},
    {"ratio": True},
    {"ltrb": True, "ratio": True, "image_ids": True},
    {"size_threshold": 6.0},
    {"size_threshold": 0.0},
    {"skip_empty": True},
    {"avoid_class_remapping": True},
    {"include_iscrowd": False},
    {"images": ["c.jpg", "a.jpg", "c.jpg"]},
    {"polygon_masks": True},
    {"polygon_masks": True, "ratio": True, "image_ids": True},
    {"masks": True},
    {"pixelwise_masks": True},
    {"pixelwise_masks": True, "ratio": True, "image_ids": True, "include_iscrowd": False},
    {"save_img_ids": True},
]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("given", COCO, ids=str)
@pytest.mark.parametrize("seed", [0, 1])
def test_objects_are_dalis(given, seed):
    path = str(write_coco(room() / "coco", seed=seed))
    theirs, ours = (objects(system, annotations_file=path, **given) for system in SYSTEMS)
    assert ours == theirs


@pytest.mark.parametrize("given", [{}, {"polygon_masks": True, "image_ids": True}, {"pixelwise_masks": True}], ids=str)
def test_what_was_worked_out_is_read_by_either(given):
    path = str(write_coco(room() / "coco", seed=2))
    expected = objects("jaxdali", annotations_file=path, **given)
    written = []
    for writer in SYSTEMS:
        folder = room() / f"preprocessed {writer} {len(given)} {'pixelwise_masks' in given}"
        folder.mkdir(exist_ok=True)
        save = {"save_preprocessed_annotations": True, "save_preprocessed_annotations_dir": str(folder)}
        objects(writer, annotations_file=path, **save, **given)
        written.append({file.name: file.read_bytes() for file in folder.iterdir()})
        for reader in SYSTEMS:
            assert objects(reader, preprocessed_annotations=str(folder), **given) == expected
    assert written[0] == written[1]


# NUMPY ----------------------------------------------------------------------------------------------------------------


def arrays(system: str, names: list[str], **given: Any) -> list[Any]:
    dali = load(system)
    pipe = dali.Pipeline(batch_size=len(names), num_threads=1, device_id=None, py_num_workers=0)
    with pipe:
        pipe.set_outputs(dali.fn.readers.numpy(file_root=str(room() / "arrays"), files=names, **given))
    pipe.build()
    (out,) = pipe.run()
    found = [
        (str(out.dtype), out.layout(), np.array(out.at(k)).shape, np.array(out.at(k)).tolist())
        for k in range(len(names))
    ]
    if system == "jaxdali":
        pipe.close()
    return found


REGIONS = [
    {},
    {"roi_start": [1, 1]},
    {"roi_start": [1, 1], "roi_end": [3, 3]},
    {"roi_shape": [2, 2]},
    {"roi_end": [2, 3]},
    {"roi_axes": [-1], "roi_start": [1], "roi_shape": [2]},
    {"roi_axes": [0]},
    {"roi_start": [1], "roi_shape": [2]},
    {"roi_shape": [0, 2]},
    {"rel_roi_start": [0.25, 0.25], "rel_roi_end": [0.75, 0.8]},
    {"rel_roi_start": [0.5, 0.5]},
    {"rel_roi_start": [0.3, 0.3], "rel_roi_shape": [0.4, 0.5]},
    {"roi_start": [1, 1], "rel_roi_shape": [0.5, 0.5]},
    {"rel_roi_start": [0.5, 0.5], "roi_shape": [1, 2]},
    {"roi_start": [-1, 1], "roi_shape": [3, 6], "out_of_bounds_policy": "pad", "fill_value": -1},
    {"roi_start": [-1, 1], "roi_shape": [3, 6], "out_of_bounds_policy": "trim_to_shape"},
    {"roi_start": [5, 5], "roi_shape": [2, 2], "out_of_bounds_policy": "pad"},
    {"roi_start": [5, 5], "roi_shape": [2, 2], "out_of_bounds_policy": "trim_to_shape"},
]


@pytest.mark.parametrize("given", REGIONS, ids=str)
def test_parts_of_arrays_are_dalis(given):
    folder = room() / "arrays"
    folder.mkdir(exist_ok=True)
    for k in range(2):
        array = (np.arange((k + 3) * (k + 4)).reshape(k + 3, k + 4) + 100 * k).astype(np.float32)
        np.save(folder / f"{k}.npy", array)
        np.save(folder / f"{k}f.npy", np.asfortranarray(array))
    names = ["0.npy", "1.npy", "0f.npy", "1f.npy"]
    theirs, ours = (arrays(system, names, **given) for system in SYSTEMS)
    assert ours == theirs


@pytest.mark.parametrize("policy", ["pad", "trim_to_shape", "error"])
def test_a_part_that_begins_behind_the_array_is_refused(policy):
    folder = room() / "arrays"
    folder.mkdir(exist_ok=True)
    np.save(folder / "small.npy", np.ones((3, 4), np.float32))
    arrays("nvidia.dali", ["small.npy"], roi_start=[3, 0], out_of_bounds_policy=policy)  # it may start at the end
    for system, words in zip(
        SYSTEMS, ("before start|placed out of bounds", "begins at 4 and ends at 3|beyond"), strict=True
    ):
        with pytest.raises(Exception, match=words):
            arrays(system, ["small.npy"], roi_start=[4, 0], out_of_bounds_policy=policy)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int32", "uint64", "float16", "float64"])
@pytest.mark.parametrize("shape", [(), (3,), (0, 3), (2, 3, 4)])
def test_arrays_of_all_types_and_shapes_are_dalis(dtype, shape):
    folder = room() / "arrays"
    folder.mkdir(exist_ok=True)
    np.save(folder / "any.npy", np.ones(shape, dtype))
    theirs, ours = (arrays(system, ["any.npy"]) for system in SYSTEMS)
    assert ours == theirs


# WEBDATASET -----------------------------------------------------------------------------------------------------------


def outputs_of(system: str, reader: str, count: int, **given: Any) -> list[Any]:
    """Returns type and layout of each output, and shape and values of each sample."""
    dali = load(system)
    if "dtypes" in given:
        given["dtypes"] = [getattr(dali.types, name) for name in given["dtypes"]]
    pipe = dali.Pipeline(batch_size=count, num_threads=1, device_id=None, py_num_workers=0)
    with pipe:
        found = getattr(dali.fn.readers, reader)(**given)
        pipe.set_outputs(*(found if isinstance(found, list | tuple) else [found]))
    pipe.build()
    outputs = [
        (
            str(out.dtype),
            out.layout(),
            [(np.array(out.at(k)).shape, np.array(out.at(k)).tolist()) for k in range(count)],
        )
        for out in pipe.run()
    ]
    if system == "jaxdali":
        pipe.close()
    return outputs


EXTENSIONS = [
    {"ext": ["jpg", "cls"]},
    {"ext": ["jpg", "cls"], "missing_component_behavior": "skip"},
    {"ext": ["jpg;jpeg", "left.png"]},
    {"ext": ["jpg;cls", "cls;jpg", "jpg"]},
    {"ext": ["JPG"], "case_sensitive_extensions": False},
    {"ext": ["cls"], "missing_component_behavior": "SKIP", "dtypes": ["INT16"]},
    {"ext": ["jpg", "cls"], "dtypes": ["UINT8", "FLOAT"]},
    {"ext": ["v.jpg"]},
    {"ext": ["nothing"]},
]


@pytest.mark.parametrize("form", ["GNU", "USTAR", "v1.1", "v1.2"])
@pytest.mark.parametrize("given", EXTENSIONS, ids=str)
def test_samples_of_archives_are_dalis(given, form):
    number = tarfile.USTAR_FORMAT if form == "USTAR" else tarfile.GNU_FORMAT
    files = {"d/x.jpg": b"xj", "d/x.cls": b"0123", "d/y.jpg": b"yj", "d/y.left.png": b"yl", ".h.jpg": b"h"}
    files |= {"d": (tarfile.DIRTYPE, ""), "z.cls": b"abcd", "z.jpeg": b"zj", "z.jpg": b"zJ", "w.JPG": b"wJ"}
    files |= {"x.jpg": b"again", "l.jpg": (tarfile.SYMTYPE, "x.jpg"), "d.dots/u.v.jpg": b"", "./r.jpg": b"dot"}
    files |= {"none": b"q"} if not form.startswith("v") else {}
    path = write_tar(room() / "any.tar", files, number)
    if form.startswith("v"):
        text, _ = samples_text(samples_in_tar(str(path)), str(path))
        if form == "v1.1":
            lines = [line.split() for line in text.splitlines()]
            text = "\n".join(" ".join(word for k, word in enumerate(line) if k % 4 < 3) for line in lines)
        path.with_suffix(".idx").write_text(text.replace("v1.2", form))
        given = {**given, "index_paths": str(path.with_suffix(".idx"))}
    theirs, ours = (outputs_of(system, "webdataset", 9, paths=str(path), **given) for system in SYSTEMS)
    assert ours == theirs


# CAFFE ----------------------------------------------------------------------------------------------------------------

STRING, RAW = tensor("string", [b"img"]), tensor("byte", bytes(range(60)), [4, 5, 3])
GRAY = tensor("byte", bytes(range(6)), [2, 3])
NUMBER, BOX = tensor("int32", [5]), tensor("int32", [1, 2, 3, 4], packed=True)
FLOATS = tensor("float", [0.5, 0.25])
VALUES = [
    ("caffe", [datum(b"abc", 3), datum(b"", -4)], {}),
    ("caffe", [datum(b"abc", 3), datum(b"b" * 5000, None)], {"label_available": False}),
    ("caffe", [datum(b"abc", 3)], {"image_available": False}),
    ("caffe", [datum(bytes(range(60)), 3, (3, 4, 5), encoded=False)], {}),
    ("caffe", [datum(bytes(range(60)), 3, (3, 4, 5), encoded=None)], {}),
    ("caffe", [datum(b"abc", None), b""], {}),
    ("caffe2", [tensors(STRING, NUMBER), tensors(STRING, tensor("int32", [-7], packed=True))], {}),
    ("caffe2", [tensors(STRING, tensor("float", [3.0]))], {}),
    ("caffe2", [tensors(RAW, NUMBER)], {}),
    ("caffe2", [tensors(GRAY, NUMBER)], {}),
    ("caffe2", [tensors(STRING)], {"label_type": 4}),
    ("caffe2", [tensors(STRING, FLOATS), tensors(STRING, tensor("float", [1.0]))], {"label_type": 2, "num_labels": 2}),
    ("caffe2", [tensors(NUMBER)], {"image_available": False}),
    ("caffe2", [tensors(STRING, NUMBER, BOX)], {"bbox": True}),
    ("caffe2", [tensors(STRING, NUMBER, FLOATS, NUMBER)], {"additional_inputs": 2}),
    ("caffe2", [tensors(STRING, FLOATS, BOX)], {"additional_inputs": 1, "bbox": True, "label_type": 4}),
]


@pytest.mark.parametrize(
    ("reader", "values", "given"), VALUES, ids=lambda one: str(one) if isinstance(one, dict) else ""
)
def test_values_of_databases_are_dalis(reader, values, given):
    path = str(write_lmdb(room() / "values", values))
    theirs, ours = (outputs_of(system, reader, len(values), path=path, **given) for system in SYSTEMS)
    assert ours == theirs


def test_a_tree_of_databases_is_dalis():
    values = [datum(bytes([k % 251]) * (k * 7919 % 6000), k) for k in range(700)]
    path = str(write_lmdb(room() / "tree", values, width=5))
    theirs, ours = (outputs_of(system, "caffe", len(values), path=path) for system in SYSTEMS)
    assert ours == theirs
