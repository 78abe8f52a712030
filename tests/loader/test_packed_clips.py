"""Clips of videos that a GPU's engines decode, on the way through a Loader. FFmpeg stands for the engine here, and decodes
what it is given; tests/gpu/test_clips_gpu.py has the same with an engine.
"""

from __future__ import annotations

import types
from typing import Any

import jax
import numpy as np
import pytest
from packed_clips import OFFERED, by_ffmpeg, is_packed
from video_files import scanned_once, write_video

import jaxdali
from jaxdali import SourceDataError
from jaxdali._feed.records.packed_clip import shape_of
from jaxdali._loader import packed_clips
from jaxdali._run.executor.decode_ahead import clips_ahead
from jaxdali._run.executor.device_io.device_placement import OneDevice
from jaxdali.source import VideoClips, subset


class Job:
    """Clips that are decoded when the array is asked for, but for those that the engine has a fault with."""

    def __init__(self, engine: Engine, clips: list[np.ndarray], extents: tuple[int, int, int]):
        self._clips, self._supplied = clips, dict[int, np.ndarray]()
        self.extents, self._faults = extents, [(row, *engine.fault) for row in range(len(clips)) if engine.fault]

    def wait(self, seconds: float) -> bool:
        return True

    def faults(self) -> list[tuple[int, str, bool]]:
        return [one for one in self._faults if one[0] not in self._supplied]

    def supply(self, row: int, pixels: np.ndarray) -> None:
        self._supplied[row] = pixels

    def ticket(self) -> np.ndarray:
        assert not self.faults()
        result = np.zeros((len(self._clips), *self.extents, 3), np.uint8)
        for row, clip in enumerate(self._clips):
            frames, height, width, _ = shape_of(clip)
            result[row, :frames, :height, :width] = self._supplied.get(row, by_ffmpeg(clip) if is_packed(clip) else 0)
        return result


class Engine:
    """What the CUDA module has for videos.

    Attributes:
        fault: why no clip can be decoded, and whether another decoder may; empty: all can.
        clips: those that it was given.
    """

    def __init__(self) -> None:
        self.fault: tuple[Any, ...] = ()
        self.clips: list[np.ndarray] = []

    def video_caps(self, device: int) -> dict[int, tuple[int, ...]]:
        return dict(OFFERED)

    def decode_clips(self, device: int, slot: Any, offsets: list[int], sizes: list[int], extents: Any) -> Job:
        slot = np.from_dlpack(slot)
        clips = [slot[offset : offset + size].copy() for offset, size in zip(offsets, sizes, strict=True)]
        self.clips += clips
        return Job(self, clips, tuple(extents))


@pytest.fixture
def engine(monkeypatch):
    found = Engine()
    choose = packed_clips.packed_clips

    def chosen(source, columns, placement):
        gpu = OneDevice(jax.devices("cpu")[0])
        gpu.is_host = False
        return choose(source, columns, gpu)

    monkeypatch.setattr(packed_clips, "packed_clips", chosen)
    for module in (packed_clips, clips_ahead):
        monkeypatch.setattr(module, "cuda_module", lambda: found)
    monkeypatch.setattr(clips_ahead, "_program", lambda shape: lambda frames: jax.device_put(frames))
    monkeypatch.setattr(clips_ahead.jax, "dlpack", types.SimpleNamespace(from_dlpack=lambda frames: frames))
    return found


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clips")
    sizes = ((18, 64, 96), (20, 64, 96), (16, 96, 64))
    return [write_video(folder / f"{k}.mp4", count, height, width) for k, (count, height, width) in enumerate(sizes)]


def videos(paths: list[str], **given: Any) -> VideoClips:
    with scanned_once():
        return VideoClips(paths, 4, **given)


@pytest.mark.parametrize("workers", [0, 1])
def test_a_loader_hands_out_the_frames(engine, paths, workers):
    data = videos(paths[:2], stride=2, step=3, pad="constant", fill=(9, 100, 200))
    chosen = subset(data, [7, 2, 0, 5, 3, 1])
    with jaxdali.Loader(chosen, batch_size=3, workers=workers, epochs=1) as loader:
        batches = list(loader)
        assert loader.element_spec["frames"].shape == (3, 4, 64, 96, 3)
    assert len(engine.clips) == 6 and all(map(is_packed, engine.clips))
    for key in ("frames", "label", "numbers"):
        found = np.concatenate([np.asarray(batch[key]) for batch in batches])
        np.testing.assert_array_equal(found, [chosen[index][key] for index in range(6)])


def test_clips_of_different_sizes_are_padded(engine, paths):
    data = videos(paths[1:])
    with jaxdali.Loader(data, batch_size=9, workers=0, epochs=1, ragged=("frames",)) as loader:
        (batch,) = loader
    frames, shapes = map(np.asarray, batch["frames"])
    assert len(engine.clips) == 9 and frames.shape == (9, 4, 96, 96, 3)
    for index, (pixels, shape) in enumerate(zip(frames, shapes, strict=True)):
        want = data[index]["frames"]
        assert tuple(shape) == want.shape
        np.testing.assert_array_equal(pixels[:, : shape[1], : shape[2]], want)
        assert not pixels[:, shape[1] :].any() and not pixels[:, :, shape[2] :].any()


def test_clips_of_different_sizes_are_an_error_unless_they_are_declared(engine, paths):
    with (
        jaxdali.Loader(videos(paths[1:]), batch_size=9, workers=0, epochs=1) as loader,
        pytest.raises(SourceDataError, match=r"has \(4, 64, 96, 3\), this one \(4, 96, 64, 3\)") as raised,
    ):
        list(loader)
    assert raised.value.origin.sample_index == 5


def test_what_the_engine_cannot_do_ffmpeg_does(engine, paths, caplog):
    engine.fault = ("its frames are interlaced", True)
    data = videos(paths[:1], step=8)
    with jaxdali.Loader(data, batch_size=2, workers=0, epochs=1) as loader:
        (batch,) = loader
    np.testing.assert_array_equal(batch["frames"], [data[0]["frames"], data[1]["frames"]])
    assert caplog.text.count("its frames are interlaced") == 1


def test_a_damaged_clip_is_its_own_error(engine, paths):
    engine.fault = ("a frame is damaged", False)
    with (
        jaxdali.Loader(videos(paths[:1]), batch_size=2, workers=0, epochs=1) as loader,
        pytest.raises(SourceDataError, match=r"0.mp4: a frame is damaged \[.*at frame 0") as raised,
    ):
        next(iter(loader))
    assert raised.value.origin.sample_index == 0


def test_nothing_is_packed_without_decoding_ahead_or_for_other_data(engine, paths):
    data = videos(paths[:1])
    cases: list[dict[str, Any]] = [{"data": data, "decode_ahead": 0}, {"data": [data[0], data[1]]}]
    for given in cases:
        with jaxdali.Loader(**given, batch_size=2, workers=0, epochs=1) as loader:
            np.testing.assert_array_equal(next(iter(loader))["frames"][1], data[1]["frames"])
    assert not engine.clips
