"""The files of resnet50.py: draws JPEGs, reads them in DALI's workers, and measures CPU time of processes.

Does not import jax, because worker processes import this file.
"""

from __future__ import annotations

import multiprocessing
import os
import pathlib
import time

import numpy as np
from PIL import Image

__all__ = ["EndlessFiles", "children", "cpu_s", "draw_files"]

CLASSES = 8
_SIZE = (375, 500)  # about the median of ImageNet
_QUALITY = 89  # about 60 KiB a file
# Number of files that one process writes at a time.
_PART = 128


def draw_files(folder: str, count: int) -> float:
    """Writes distinct JPEGs into one sub-folder per class. Returns their mean size in bytes."""
    for label in range(CLASSES):
        pathlib.Path(folder, f"class_{label}").mkdir()
    parts = [(folder, first, min(_PART, count - first)) for first in range(0, count, _PART)]
    with multiprocessing.get_context("spawn").Pool(min(os.cpu_count() or 1, len(parts))) as pool:
        return sum(pool.starmap(_draw_part, parts)) / count


def _draw_part(folder: str, first: int, count: int) -> int:
    """A class is given by the stripes' colour, width and direction; phase, brightness and noise differ between files."""
    draws = np.random.default_rng(first)
    height, width = _SIZE
    y, x = np.mgrid[:height, :width].astype(np.float32)
    noise = draws.normal(0, 10, (2 * height, 2 * width, 3)).astype(np.float32)
    total = 0
    for index in range(first, first + count):
        label = index % CLASSES
        along = x if label & 1 else y
        stripes = 35 * np.sin(2 * np.pi * along / (24 if label & 2 else 60) + draws.uniform(0, 6))
        tint = np.array([1.0, 0.8, 0.6] if label & 4 else [0.6, 0.8, 1.0], np.float32)
        top, left = draws.integers(height), draws.integers(width)
        pixels = (draws.uniform(100, 150) + stripes)[..., None].astype(np.float32) * tint
        pixels += noise[top : top + height, left : left + width]
        path = pathlib.Path(folder, f"class_{label}", f"{index:06}.jpg")
        Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(path, quality=_QUALITY)
        total += path.stat().st_size
    return total


class EndlessFiles:
    """A callback for DALI's parallel `external_source`: (file, label) of a sample, in a new order every epoch."""

    def __init__(self, paths: list[str], labels: np.ndarray, seed: int):
        self.paths = paths
        self.labels = labels
        self.seed = seed
        self.epoch = -1
        self.order = np.empty(0, np.int64)

    def __call__(self, info) -> tuple[np.ndarray, np.ndarray]:
        epoch, position = divmod(info.idx_in_epoch, len(self.paths))
        if epoch != self.epoch:
            self.epoch = epoch
            self.order = np.random.default_rng((self.seed, epoch)).permutation(len(self.paths))
        index = self.order[position]
        return np.fromfile(self.paths[index], np.uint8), np.asarray(self.labels[index])


def _fields(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the state on; empty if the process is gone."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def children() -> set[int]:
    """The processes that this one has started, and their descendants."""
    parents = {int(name): _fields(int(name))[1:2] for name in os.listdir("/proc") if name.isdigit()}
    found, last = {os.getpid()}, 0
    while len(found) > last:
        last = len(found)
        found |= {pid for pid, parent in parents.items() if parent and int(parent[0]) in found}
    return found - {os.getpid()}


def cpu_s(pids: set[int] | None = None) -> float:
    """CPU seconds, user and system, of processes; if none are given, of this one with all its threads."""
    if pids is None:
        return time.process_time()
    ticks = sum(int(number) for pid in pids for number in _fields(pid)[11:13])
    return ticks / os.sysconf("SC_CLK_TCK")
