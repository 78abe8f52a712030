"""Clips of videos that a GPU's engines decode, on the way through pipelines. FFmpeg stands for the engine, see
video_engine.py; tests/gpu/test_clips_gpu.py has the same with one.
"""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest
from packed_clips import is_packed
from video_engine import Engine
from video_files import scanned_once, write_video

import jaxdali.fn as fn
import jaxdali.types as types
from jaxdali import Pipeline, pipeline_def
from jaxdali._dali.planner import device, packed_plan
from jaxdali._run.executor.device_io.device_placement import OneDevice
from jaxdali.errors import BackendUnavailable


@pytest.fixture
def engine(monkeypatch):
    found = Engine(monkeypatch)
    monkeypatch.setattr(packed_plan, "offered_by", found.offered_by)
    monkeypatch.setattr(packed_plan, "gpu_ordinal", lambda device_id, chosen: device_id)
    monkeypatch.setattr(device, "require_gpu", lambda plan: None)
    monkeypatch.setattr(device, "OneDevice", lambda chosen: found.on(OneDevice(chosen)))
    return found


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clips")
    sizes = ((18, 64, 96), (20, 64, 96), (16, 96, 64))
    return [write_video(folder / f"{k}.mp4", count, height, width) for k, (count, height, width) in enumerate(sizes)]


def both(define: Any, batches: int = 2, **given: Any) -> list[tuple[list[np.ndarray], list[np.ndarray]]]:
    """Returns the samples of each output of a pipeline with an engine, and of one without."""
    with scanned_once():
        made = [
            pipeline_def(define)(
                **{"batch_size": 3, "device_id": 0, "num_threads": 1, "py_num_workers": 0, **given, **how}
            )
            for how in ({}, {"decode_ahead": 0})
        ]
        found = []
        for pipe in made:
            with pipe:
                lists = [pipe.run() for _ in range(batches)]
            found.append([*map(_samples, zip(*lists, strict=True))])
    return list(zip(*found, strict=True))


def _samples(lists: Any) -> list[np.ndarray]:
    return [np.asarray(one.as_cpu().at(row)) for one in lists for row in range(len(one))]


def check(pairs: list[tuple[list[np.ndarray], list[np.ndarray]]]) -> None:
    for ours, theirs in pairs:
        assert len(ours) == len(theirs) > 0
        for one, other in zip(ours, theirs, strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)


def test_readers_of_videos(engine, paths):
    def define():
        clips, labels = fn.readers.video(device="gpu", filenames=paths[:2], labels=[4, 5], sequence_length=4, stride=2)
        floats, numbers, times = fn.readers.video(
            device="gpu",
            filenames=paths[:1],
            sequence_length=3,
            dtype=types.FLOAT,
            normalized=True,
            enable_frame_num=True,
            enable_timestamps=True,
        )
        newer = fn.experimental.readers.video(
            device="gpu", filenames=paths[:1], sequence_length=5, step=7, pad_mode="constant", fill_value=[1, 2, 3]
        )
        cropped = fn.crop_mirror_normalize(
            newer, crop=(32, 48), dtype=types.FLOAT, mean=[9.0], std=[3.0], output_layout="FCHW"
        )
        small = fn.readers.video_resize(device="gpu", filenames=paths[2:], sequence_length=4, size=(20, 30))
        return clips, labels, floats, numbers, times, cropped, small

    check(both(define))
    assert len(engine.clips) >= 4 * 2 * 3 and all(map(is_packed, engine.clips))


def test_clips_of_different_sizes(engine, paths):
    def define():
        clips = fn.readers.video(device="gpu", filenames=paths, sequence_length=8)
        return clips, fn.resize(clips, size=(20, 30))

    check(both(define, batches=3))
    assert len(engine.clips) >= 9 and all(map(is_packed, engine.clips))


@pytest.mark.parametrize("workers", [0, 1])
def test_decoders_of_videos(engine, paths, workers):
    def define():
        files, _ = fn.readers.file(files=paths)
        whole = fn.decoders.video(files, device="mixed")
        some = fn.decoders.video(files, device="mixed", frames=[3, -2, 40, 0], fill_value=[7])
        return whole, fn.resize(some, size=(16, 16)), fn.decoders.video(files, device="cpu", sequence_length=2)

    check(both(define, batches=1, py_num_workers=workers))
    assert len(engine.clips) >= 6 and all(map(is_packed, engine.clips))


def test_files_in_memory_and_what_the_engine_cannot_do(engine, paths):
    engine.fault = ("its frames are interlaced", True)
    content = np.frombuffer(pathlib.Path(paths[0]).read_bytes(), np.uint8)

    def define():
        files = fn.external_source(lambda info: content, batch=False, dtype=types.UINT8)
        return fn.decoders.video(files, device="mixed", start_frame=2, sequence_length=3)

    check(both(define, batches=1, batch_size=1))
    assert engine.clips


def test_what_the_host_takes_is_decoded_there(engine, paths):
    def define():
        clips = fn.readers.video(device="gpu", filenames=paths[:1], sequence_length=4)
        return fn.python_function(clips, function=lambda clip: clip[::-1].copy())

    check(both(define))
    on_host = Pipeline(batch_size=3, device_id=0, num_threads=1, py_num_workers=0)
    with on_host, scanned_once():
        on_host.set_outputs(fn.experimental.readers.video(device="cpu", filenames=paths[:1], sequence_length=4))
        on_host.run()
    assert not engine.clips


def test_a_gpu_that_is_gone_is_an_error(engine, paths, monkeypatch):
    monkeypatch.setattr(device, "require_gpu", packed_plan.require_gpu)
    with scanned_once():
        pipe = Pipeline(batch_size=3, device_id=0, num_threads=1, py_num_workers=0)
        pipe.set_outputs(fn.readers.video(device="gpu", filenames=paths[:1], sequence_length=4))
        with pipe, pytest.raises(BackendUnavailable, match="decode_ahead=0"):
            pipe.run()
