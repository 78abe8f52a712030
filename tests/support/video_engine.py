"""Stands for the video engines of a GPU: FFmpeg decodes the clips that they are given, only from their packets."""

from __future__ import annotations

import types
from typing import Any

import jax
import numpy as np
from packed_clips import OFFERED, by_ffmpeg, is_packed

from jaxdali._feed.records.packed_clip import shape_of
from jaxdali._run.executor.decode_ahead import clips_ahead
from jaxdali._run.executor.device_io.device_placement import DevicePlacement

__all__ = ["Engine"]


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
            frames, height, width, _ = shape = shape_of(clip)
            pixels = by_ffmpeg(clip) if is_packed(clip) else clip[192:].reshape(shape)
            result[row, :frames, :height, :width] = self._supplied.get(row, pixels)
        return result


class Engine:
    """What the CUDA module has for videos.

    Attributes:
        fault: why no clip can be decoded, and whether another decoder may; empty: all can.
        clips: those that it was given.
        devices: the devices of the jobs.
    """

    def __init__(self, monkeypatch: Any) -> None:
        self.fault: tuple[Any, ...] = ()
        self.clips: list[np.ndarray] = []
        self.devices: list[int] = []
        monkeypatch.setattr(clips_ahead, "cuda_module", lambda: self)
        monkeypatch.setattr(clips_ahead, "_program", lambda _shape, factor: lambda frames: _shown(frames, factor))
        monkeypatch.setattr(clips_ahead.jax, "dlpack", types.SimpleNamespace(from_dlpack=lambda frames: frames))

    def offered_by(self, _ordinal: int) -> Any:
        return dict(OFFERED)

    def on(self, placement: DevicePlacement) -> Any:
        """Returns a placement with the engine."""
        gpu: Any = placement
        gpu.is_host = False
        return gpu

    def decode_clips(self, device: int, slot: Any, offsets: list[int], sizes: list[int], extents: Any) -> Job:
        slot = np.from_dlpack(slot)
        clips = [slot[offset : offset + size].copy() for offset, size in zip(offsets, sizes, strict=True)]
        self.clips += clips
        self.devices.append(device)
        return Job(self, clips, tuple(extents))


def _shown(frames: np.ndarray, factor: float | None) -> jax.Array:
    return jax.device_put(frames if factor is None else frames.astype(np.float32) * np.float32(factor))
