"""Clips of videos that a GPU's engines decode, on the way through pipelines. FFmpeg stands for the engine, see
video_engine.py; tests/gpu/test_clips_gpu.py has the same with one.
"""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
from packed_clips import is_packed
from video_engine import Engine
from video_files import scanned_once, write_three_videos
from video_pipelines import check_same, of_decoders, of_readers

import jaxdali.fn as fn
import jaxdali.types as types
from jaxdali import Pipeline
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
    return write_three_videos(tmp_path_factory.mktemp("clips"))


def test_readers_of_videos(engine, paths):
    check_same(lambda: of_readers(paths))
    assert len(engine.clips) >= 4 * 2 * 3 and all(map(is_packed, engine.clips))


def test_clips_of_different_sizes(engine, paths):
    def define():
        clips = fn.readers.video(device="gpu", filenames=paths, sequence_length=8)
        return clips, fn.resize(clips, size=(20, 30))

    check_same(define, batches=3)
    assert len(engine.clips) >= 9 and all(map(is_packed, engine.clips))


@pytest.mark.parametrize("workers", [0, 1])
def test_decoders_of_videos(engine, paths, workers):
    check_same(lambda: of_decoders(paths), batches=1, py_num_workers=workers)
    assert len(engine.clips) >= 6 and all(map(is_packed, engine.clips))


def test_files_in_memory_and_what_the_engine_cannot_do(engine, paths):
    engine.fault = ("its frames are interlaced", True)
    content = np.frombuffer(pathlib.Path(paths[0]).read_bytes(), np.uint8)

    def define():
        files = fn.external_source(lambda info: content, batch=False, dtype=types.UINT8)
        return fn.decoders.video(files, device="mixed", start_frame=2, sequence_length=3)

    check_same(define, batches=1, batch_size=1)
    assert engine.clips


def test_what_the_host_takes_is_decoded_there(engine, paths):
    def define():
        clips = fn.readers.video(device="gpu", filenames=paths[:1], sequence_length=4)
        return fn.python_function(clips, function=lambda clip: clip[::-1].copy())

    check_same(define)
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
