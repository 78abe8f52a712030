"""Shards on the command line: their format is found by name or first bytes; they are shown and measured."""

import json
import re
import shutil

import numpy as np
import pytest
from cli_runs import run
from coco_files import write_coco
from jpeg_files import pillow_jpeg
from lmdb_files import datum, tensor, tensors, write_lmdb
from object_server import object_server
from recordio_files import image_record, write_recordio
from tfrecord_files import write_tfrecord
from video_files import decoded, write_video
from webdataset_files import write_tar

from jaxdali import ConfigError, SourceDataError, pipeline_def
from jaxdali._base.batch import Status
from jaxdali._base.formats.pixel_decoding import decode_pixels
from jaxdali._base.pictures import as_levels
from jaxdali._cli.find import find_content
from jaxdali._cli.folder_images import damaged_images
from jaxdali._cli.main import main
from jaxdali._feed.storage import loop

IMAGES = [pillow_jpeg(20 + k, 30, seed=k) for k in range(6)]
ARRAYS = [np.arange(6.0 * (k + 1), dtype=np.float32).reshape(2, -1) for k in range(3)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    import pyarrow
    from pyarrow import parquet

    root = tmp_path_factory.mktemp("shards")
    words = {"name": b"n", "words": [b"a", b"b"]}
    examples = [{**words, "image/encoded": one, "label": [k, k]} for k, one in enumerate(IMAGES)]
    write_tfrecord(root / "a.tfrecord", examples[:4])
    write_tfrecord(root / "b.tfrecord-00001-of-00002", examples[4:])
    write_tfrecord(root / "numbers", [{"x": [k] * k} for k in range(1, 4)])
    files = {f"{k}.{ext}": one for k, image in enumerate(IMAGES) for ext, one in (("cls", b"7"), ("jpg", image))}
    write_tar(root / "a.tar", files)
    write_tar(root / "words.tar", {"0.json": b"{}", "1.json": b"[]"})
    write_recordio(root / "a.rec", [image_record([k], one) for k, one in enumerate(IMAGES)])
    pictures = [{"bytes": one, "path": f"{k}.jpg"} for k, one in enumerate(IMAGES)]
    rows = {"label": range(6), "picture": pictures}
    parquet.write_table(pyarrow.table(rows), root / "a.parquet", row_group_size=4)
    parquet.write_table(pyarrow.table({"x": [[k] * k for k in range(1, 4)]}), root / "lists.parquet")
    write_lmdb(root / "caffe", [datum(one, k) for k, one in enumerate(IMAGES)])
    write_lmdb(root / "caffe2", [tensors(tensor("string", [one]), tensor("int32", [1])) for one in IMAGES])
    write_lmdb(root / "other", [b"no protocol buffer"])
    write_coco(root / "coco")
    (root / "arrays").mkdir()
    for k, array in enumerate(ARRAYS):
        np.save(root / "arrays" / f"{k}.npy", array)
    write_video(root / "a.avi", 20)
    (root / "a.tar.gz").write_bytes(b"\x1f\x8b")
    (root / "words").write_text("words")
    write_tfrecord(root / "clips.tfrecord", [{"frames": IMAGES[:2]}])
    (root / "cut.tfrecord").write_bytes((root / "a.tfrecord").read_bytes()[:40])
    (root / "empty.tfrecord").touch()
    return root


def first_outputs(content, count):
    """Returns what a pipeline reads for the first samples, and the number of samples."""

    @pipeline_def(batch_size=count, device_id=None, py_num_workers=0)
    def reading():
        return tuple(content.nodes("r"))

    with reading() as pipe:
        size = content.count or pipe.reader_meta("r")["epoch_size"]
        return [[one.at(k) for k in range(count)] for one in pipe.run()], size


@pytest.mark.parametrize(
    ("paths", "kind", "name"),
    [
        (["a.tfrecord", "b.tfrecord-00001-of-00002"], "TFRecord", "a.tfrecord at byte 0"),
        (["a.tar"], "WebDataset", "a.tar at byte 1536"),
        (["a.rec"], "RecordIO", "a.rec at byte 0"),
        (["a.parquet"], "Parquet", "a.parquet, row group 0, row 0"),
        (["caffe"], "LMDB, of Caffe", None),
        (["caffe/data.mdb"], "LMDB, of Caffe", None),
        (["caffe2"], "LMDB, of Caffe2", None),
    ],
)
def test_images_of_shards_are_found(folder, paths, kind, name):
    content = find_content([str(folder / path) for path in paths])
    assert (content.kind, content.unit, content.encoded) == (kind, "images", True)
    pictures = content.pictures()
    assert [pictures.read(k) for k in range(len(pictures))] == IMAGES
    assert name is None or pictures.name(0) == name
    outputs, count = first_outputs(content, 6)
    assert [one.tobytes() for one in outputs[0]] == IMAGES and count == 6
    files = [folder / path for path in paths]
    assert content.bytes_of() == sum((one / "data.mdb" if one.is_dir() else one).stat().st_size for one in files)


def test_a_format_is_told_by_the_first_bytes_where_the_name_says_nothing(folder, tmp_path):
    kinds = {"a.tfrecord": "TFRecord", "a.tar": "WebDataset", "a.rec": "RecordIO", "a.parquet": "Parquet"}
    for name, kind in kinds.items():
        shutil.copy(folder / name, tmp_path / f"shard of {kind}")
        assert find_content([str(tmp_path / f"shard of {kind}")]).kind == kind
    shutil.copy(folder / "arrays" / "0.npy", tmp_path / "array")
    assert find_content([str(tmp_path / "array")]).kind == "NumPy"


def test_annotations_arrays_and_videos(folder):
    coco = find_content([str(folder / "coco"), str(folder / "coco" / "annotations.json")])
    pictures = coco.pictures()
    assert pictures.name(0) == "a.jpg" and pictures.read(0) == (folder / "coco" / "a.jpg").read_bytes()
    assert coco.bytes_of() == sum(one.stat().st_size for one in (folder / "coco").glob("*.jpg"))
    arrays = find_content([str(folder / "arrays")])
    assert arrays.unit == "arrays" and not arrays.encoded and arrays.pictures().name(2) == "2.npy"
    ((*found,),), _ = first_outputs(arrays, 3)
    assert all(map(np.array_equal, found, ARRAYS))
    video = find_content([str(folder / "a.avi")])
    shown, _ = decode_pixels(video.pictures().read(3), 1 << 20)
    assert shown is not None
    frames = decoded(str(folder / "a.avi"))
    assert np.array_equal(shown, frames[3]) and len(video.pictures()) == 20
    ((clip,),), count = first_outputs(video, 1)
    assert np.array_equal(clip, frames[:8]) and count == 2


def test_what_rows_lack_is_missing(tmp_path):
    import pyarrow
    from pyarrow import parquet

    pictures = [None, {"bytes": IMAGES[0], "path": "0.jpg"}, {"bytes": None, "path": None}, None]
    texts = [None, None, "a", None]
    parquet.write_table(pyarrow.table({"label": range(4), "picture": pictures, "text": texts}), tmp_path / "a.parquet")
    content = find_content([str(tmp_path / "a.parquet")])
    outputs, count = first_outputs(content, 4)
    found = [[one.tobytes() for one in output] for output in outputs]
    assert count == 4 and [b"", IMAGES[0], b"", b""] == found[0]
    assert found[2:] == [[b"", b"", b"a", b""], [b"", b"0.jpg", b"", b""]]  # of text, and of the image's path
    assert [np.frombuffer(one, np.int64).tolist() for one in found[1]] == [[0], [1], [2], [3]]
    shown = content.pictures()
    assert [shown.read(row) for row in range(4)] == [None, IMAGES[0], None, None]
    assert damaged_images(shown, range(4)) == dict.fromkeys((0, 2, 3), Status.MISSING)


def test_arrays_become_levels():
    ramp = np.linspace(-1, 3, 12, dtype=np.float32).reshape(3, 4)
    assert as_levels(ramp).tolist() == np.linspace(0, 255, 12).round().reshape(3, 4).tolist()
    colors = np.arange(30, dtype=np.uint8).reshape(3, 2, 5)
    assert np.array_equal(as_levels(colors), np.moveaxis(colors, 0, 2))
    assert np.array_equal(as_levels(colors.astype(np.int16) * 10 + 5)[..., 0], (colors[0] * (255 / 29)).round())
    volume = np.arange(5 * 6 * 7, dtype=np.uint8).reshape(5, 6, 7)
    assert np.array_equal(as_levels(volume), volume[2]) and np.array_equal(as_levels(volume[None]), volume[2])
    assert as_levels(np.array(3.0)).shape == (1, 1) and as_levels(np.zeros((0, 4))).shape == (1, 1)
    assert as_levels(np.array([[np.nan, np.inf, 1.0]])).dtype == np.uint8


@pytest.mark.parametrize(
    ("paths", "error", "words"),
    [
        (["a.tar", "a.rec"], ConfigError, "are of different formats; name shards of one format"),
        (["a.tar.gz"], ConfigError, "a.tar.gz is compressed; unpack it"),
        (["nowhere.tar"], ConfigError, "nowhere.tar: there is no such file or folder"),
        (["words"], ConfigError, r"words is a file of an unknown format; expected a folder with images.*\*\.tar"),
        (["coco/a.jpg"], ConfigError, "a.jpg is an image; name the folder that it is in"),
        (
            ["coco/annotations.json"],
            ConfigError,
            "one annotations file and the folder of its images.* NeMo manifests",
        ),
        (["coco", "a.tar"], ConfigError, "coco is one of 2 paths; name one folder of images, or shards alone"),
        (["cut.tfrecord"], SourceDataError, "cut.tfrecord, record 0 at byte 0: .* cut off"),
        (["clips.tfrecord"], ConfigError, "has no feature but 'frames', lists of strings, which are no arrays"),
        (["empty.tfrecord"], ConfigError, "empty.tfrecord holds no record"),
        (["other"], SourceDataError, "not a TensorProtos of Caffe2's.*and as Caffe's Datum"),
    ],
)
def test_what_cannot_be_read_is_named(folder, paths, error, words):
    with pytest.raises(error, match=words):
        find_content([str(folder / path) for path in paths])


def test_a_folder_of_shards_says_what_to_name(folder, tmp_path):
    shutil.copy(folder / "a.tar", tmp_path / "a.tar")
    with pytest.raises(ConfigError, match=r"no file below it ends in .*; to read its shards, name them: .*/\*\.tar"):
        find_content([str(tmp_path)])


def test_what_has_no_image_is_measured_but_not_shown(folder, tmp_path, capsys):
    for name, words in (
        ("numbers", "no feature of its first record is an image; there are 'x'"),
        ("words.tar", "'json'"),
        ("lists.parquet", "no column of its first row is an image; there are 'x'"),
    ):
        assert main(["view", str(folder / name), "--output", str(tmp_path / "sheet.png")]) == 2
        assert words in capsys.readouterr().err
    assert main(["bench", str(folder / "numbers"), "--decoder", "cpu"]) == 2
    assert "--decoder is for image files; the records here are not images" in capsys.readouterr().err
    numbers = tmp_path / "numbers.json"
    quick = ["--rounds", "2", "--seconds", "0.01", "--workers", "1", "--batch-size", "2"]
    assert main(["bench", str(folder / "numbers"), *quick, "--json", str(numbers)]) == 0
    table = dict(re.split(r"  +", line, maxsplit=1) for line in capsys.readouterr().out.splitlines())
    result = json.loads(numbers.read_text())
    assert (result["format"], result["samples"], result["samples_read"]) == ("TFRecord", 3, 3)
    assert table["distinct records"] == "3 read of 3" and table["output"].startswith("0 int64[")
    size = (folder / "numbers").stat().st_size
    assert result["mb_per_s"] == pytest.approx(result["records_per_s"] * size / 3 / 1e6)
    assert table["read"] == f"{result['mb_per_s']:.1f} MB/s of files" and result["cpu_us"] > 0


def test_shards_elsewhere_are_shown_and_measured(folder, tmp_path):
    damaged = tmp_path / "served"
    damaged.mkdir()
    write_tar(damaged / "a.tar", {**{f"{k}.jpg": one for k, one in enumerate(IMAGES)}, "9.jpg": IMAGES[0][:200]})
    with object_server(damaged) as server:
        url = f"{server.url}/a.tar"
        done = run("view", url, "--count", 7, "--no-augment", "--output", tmp_path / "sheet.png")
        assert done.returncode == 0, done.stderr
        assert "7 thumbnails of 7 of 7 images" in done.stdout and "a.tar at byte 9728: TRUNCATED" in done.stderr
        quick = ("--rounds", 1, "--seconds", 0.01, "--workers", 1, "--batch-size", 4)
        done = run("bench", url, *quick, "--json", tmp_path / "numbers.json")
        assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "numbers.json").read_text())
    assert (result["format"], result["shards"], result["samples"]) == ("WebDataset", [url], 7)
    assert result["images_per_s"] > 0 and [*result["damaged"].values()] in ([], ["TRUNCATED"])


def test_a_folder_elsewhere(folder):
    with object_server(folder) as server:
        pictures = find_content([f"{server.url}/coco"]).pictures()
        assert [pictures.name(k) for k in range(4)] == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"]
        assert find_content([f"{server.url}/arrays"]).kind == "NumPy"
        assert find_content([f"{server.url}/caffe"]).pictures().read(2) == IMAGES[2]
        loop.end()  # a running thread would keep later tests from forking workers
