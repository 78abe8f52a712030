"""Clips of videos compared with DALI: frames, their numbers and times, for every way to choose them."""

from __future__ import annotations

import pathlib
import shutil
import tempfile
from typing import Any

import numpy as np
import pytest
from beside_dali import SYSTEMS, load
from odd_videos import ODD, write_odd
from video_files import write_video

pytestmark = pytest.mark.dali

COUNTS = {"a/long.webm": 30, "a/short.avi": 17, "b/other.webm": 23}
ALL = {"enable_frame_num": "sequence", "enable_timestamps": True}


@pytest.fixture(scope="module")
def folder():
    root = pathlib.Path(tempfile.mkdtemp())
    for number, (name, count) in enumerate(COUNTS.items()):
        (root / name).parent.mkdir(exist_ok=True)
        write_video(root / name, count, 32 + 8 * number)
    yield root
    shutil.rmtree(root)


def clips(system: str, **given: Any) -> list[Any]:
    """Returns the reader's epoch size, and the samples of its first epoch and two more."""
    dali = load(system)
    pipe = dali.Pipeline(batch_size=1, num_threads=1, device_id=None, seed=7, py_num_workers=0)
    with pipe:
        found = dali.fn.experimental.readers.video(device="cpu", name="R", **given)
        pipe.set_outputs(*found) if isinstance(found, list) else pipe.set_outputs(found)
    pipe.build()
    size = pipe.epoch_size("R")
    seen: list[Any] = [size]
    for _ in range(size + 2):
        seen.append([(output.layout(), output.dtype, np.array(output.at(0))) for output in pipe.run()])
    return seen


def same(folder: pathlib.Path, **given: Any) -> None:
    given = (
        given
        if {"file_list", "file_root"} & {*given}
        else {"filenames": [str(folder / name) for name in COUNTS], **given}
    )
    theirs, ours = (clips(system, **given) for system in SYSTEMS)
    assert ours[0] == theirs[0] and len(ours) >= 3
    for one, other in zip(ours[1:], theirs[1:], strict=True):
        assert [(layout, int(dtype)) for layout, dtype, _ in one] == [
            (layout, int(dtype)) for layout, dtype, _ in other
        ]
        for (_, _, mine), (_, _, other_one) in zip(one, other, strict=True):
            if mine.dtype == np.float64:
                np.testing.assert_allclose(mine, other_one, atol=1e-9)
            else:
                np.testing.assert_array_equal(mine, other_one)


@pytest.mark.parametrize(
    "given",
    [
        {"sequence_length": 8},
        {"sequence_length": 4, "stride": 3, "labels": [4, 5, 6]},
        {"sequence_length": 4, "stride": 3, "step": 2},
        {"sequence_length": 8, "pad_mode": "constant", "fill_value": [1, 2, 3]},
        {"sequence_length": 4, "stride": 3, "step": 5, "pad_mode": "constant"},
        {"sequence_length": 8, "pad_mode": "edge"},
        {"sequence_length": 40, "pad_mode": "reflect_101"},
        {"sequence_length": 64, "pad_mode": "symmetric"},
        {"sequence_length": 8, "pad_mode": "repeat", "stride": 2},
        {"sequence_length": 8, "pad_mode": "reflect_101", "stride": 3},
        {"sequence_length": 8, "pad_mode": "reflect_1001", "stride": 4},
        {"sequence_length": 5, "uniform_sample": True},
        {"sequence_length": 50, "uniform_sample": True},
    ],
    ids=str,
)
def test_clips_are_dalis(folder, given):
    same(folder, **ALL, **given)


@pytest.mark.parametrize("name", ["hidden_vp8.webm", "uneven_vp9.webm", "vp9.ivf"])
def test_of_videos_of_unusual_kinds(tmp_path, name):
    same(tmp_path, filenames=[write_odd(tmp_path, ODD[name])], sequence_length=3, stride=2, step=4, **ALL)


def test_frames_are_dalis_as_they_are_stored_and_upright_by_default(tmp_path):
    path = write_odd(tmp_path, ODD["turned.mp4"], degrees=90)
    given = {"filenames": [path], "sequence_length": 4}
    theirs, stored = clips("nvidia.dali", **given), clips("jaxdali", **given, adjust_orientation=False)
    assert len(theirs) == len(stored)
    for one, other in zip(theirs[1:], stored[1:], strict=True):
        np.testing.assert_array_equal(one[0][2], other[0][2])
    np.testing.assert_array_equal(clips("jaxdali", **given)[1][0][2], np.rot90(stored[1][0][2], 1, (1, 2)))


def test_of_a_folder(folder):
    same(folder, file_root=str(folder), sequence_length=6, enable_frame_num=True)


@pytest.mark.parametrize("rounding", ["start_down_end_up", "start_up_end_down", "all_up", "all_down"])
@pytest.mark.parametrize(
    ("said", "lines"), [("timestamps", ["0.21 0.59", "0.2 0.8", "0 0.61"]), ("frames", ["4.5 12.5", "3 19", "-9 -2"])]
)
def test_of_a_list(folder, tmp_path, said, lines, rounding):
    listed = tmp_path / "list.txt"
    listed.write_text("".join(f"{folder / 'a/long.webm'} {k} {line}\n" for k, line in enumerate(lines)))
    same(folder, file_list=str(listed), file_list_format=said, file_list_rounding=rounding, sequence_length=2, **ALL)


def test_of_a_video_that_does_not_begin_at_0(tmp_path):
    """Times count from its first frame, but those in a list are the file's."""
    path, listed = tmp_path / "late.webm", tmp_path / "list.txt"
    write_video(path, 20, first=10)
    same(tmp_path, filenames=[str(path)], sequence_length=4, **ALL)
    listed.write_text(f"{path} 1 0.5 0.9\n")
    same(tmp_path, file_list=str(listed), sequence_length=2, **ALL)


@pytest.mark.parametrize("pad", ["constant", "edge", "reflect_1001", "reflect_101"])
def test_of_a_part_that_is_too_short(folder, tmp_path, pad):
    listed = tmp_path / "list.txt"
    listed.write_text(f"{folder / 'a/long.webm'} 1 10 15\n")
    same(folder, file_list=str(listed), file_list_format="frames", pad_mode=pad, sequence_length=13, **ALL)


# DECODERS -------------------------------------------------------------------------------------------------------------

# DALI crashes if `stride` is 0.
PARTS = [
    {},
    {"frames": [3, 1, 1, 0]},
    {"frames": [3, 40, -1]},
    {"frames": [16, 17, 18, 40, -2], "pad_mode": "reflect_101"},
    {"frames": [16, 17, 18, 40, -2], "pad_mode": "symmetric"},
    {"frames": [16, 40, -2], "pad_mode": "edge"},
    {"start_frame": 2},
    {"start_frame": 2, "end_frame": 9, "stride": 3},
    {"start_frame": -2, "sequence_length": 5, "pad_mode": "edge"},
    {"start_frame": 10, "sequence_length": 12, "stride": 4, "fill_value": [1, 2, 3]},
    {"start_frame": 10, "sequence_length": 12, "stride": 4, "pad_mode": "none"},
    {"end_frame": 40, "pad_mode": "reflect"},
    {"sequence_length": 0},
]


NODES = ("frames", "start_frame", "end_frame", "sequence_length", "stride")


def constant(dali: Any, value: Any, count: int) -> Any:
    """A node with the same value for every sample."""
    return dali.fn.external_source(lambda: [np.array(value, np.int32)] * count, batch=True)


def decoded_by(system: str, files: list[np.ndarray], nodes: bool, **given: Any) -> Any:
    """Returns layout and samples of `fn.decoders.video` for files, or the error message."""
    dali = load(system)
    pipe = dali.Pipeline(batch_size=len(files), num_threads=1, device_id=None, py_num_workers=0)
    with pipe:
        encoded = dali.fn.external_source(lambda: files, batch=True)
        if nodes:
            given = {
                name: constant(dali, value, len(files)) if name in NODES else value for name, value in given.items()
            }
        pipe.set_outputs(dali.fn.decoders.video(encoded, device="cpu", **given))
    pipe.build()
    try:
        (found,) = pipe.run()
        return found.layout(), [np.array(found.at(k)) for k in range(len(files))]
    except Exception as error:
        return str(error)
    finally:
        if system == "jaxdali":
            pipe.close()


@pytest.mark.parametrize(
    ("given", "nodes"), [*[(given, False) for given in PARTS], *[(PARTS[k], True) for k in (1, 7, 9)]], ids=str
)
def test_files_are_decoded_as_dalis_are(folder, given, nodes):
    files = [np.fromfile(folder / name, np.uint8) for name in COUNTS]
    (layout, theirs), (own, ours) = (decoded_by(system, files, nodes, **given) for system in SYSTEMS)
    assert layout == own
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"frames": [3, 40], "pad_mode": "none"}, "frame 40 was asked for, but the video has 30"),
        ({"start_frame": 30}, "start_frame=30 must be less than the 30 frames"),
        ({"start_frame": 5, "end_frame": 5}, "end_frame=5 must be greater than start_frame=5"),
    ],
    ids=str,
)
def test_what_dali_refuses_is_refused(folder, given, text):
    theirs, ours = (
        decoded_by(system, [np.fromfile(folder / "a/long.webm", np.uint8)], False, **given) for system in SYSTEMS
    )
    assert isinstance(theirs, str) and text in ours
