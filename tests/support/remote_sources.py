"""Sources for workers on other machines, in a module that does not import jax."""

from __future__ import annotations

import os
import pathlib
import signal
import time
from typing import Any

import numpy as np

__all__ = ["Failing", "Hanging", "LargeSamples", "Samples", "SlowSamples", "load", "load_batch"]


class Samples:
    """Samples of several shapes and kinds; some end their process, each once."""

    def __init__(self, folder: pathlib.Path | None = None, deadly: tuple[int, ...] = ()):
        self.folder, self.deadly = folder, deadly

    def __len__(self) -> int:
        return 60

    def __getitem__(self, index: int, rng: Any) -> dict[str, Any]:
        if index in self.deadly and self.folder is not None:
            mark = self.folder / str(index)
            if not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return {
            "x": rng.random((3, 2), np.float32),
            "label": index,
            "ids": np.arange(index % 5 + 1),
            "name": f"sample {index}",
        }


class Failing:
    def __len__(self) -> int:
        return 36

    def __getitem__(self, index: int) -> dict[str, Any]:
        if index == 5:
            raise KeyError("there is no fifth")
        if index == 17:
            os.kill(os.getpid(), signal.SIGKILL)
        if index == 29:
            return {"x": np.zeros(2)}
        return {"x": np.zeros(2, np.float32)}


class Hanging(Samples):
    def __getitem__(self, index: int, rng: Any) -> dict[str, Any]:
        if index == 40:
            time.sleep(600)
        return super().__getitem__(index, rng)


class LargeSamples:
    """Batches of 16 that take 42 MiB, of which two do not fit into the store of a test's cluster."""

    def __len__(self) -> int:
        return 96

    def __getitem__(self, index: int) -> np.ndarray:
        return np.full(2700 << 10, index, np.uint8)


class SlowSamples:
    """Samples of 80 kB that take 2 ms."""

    def __len__(self) -> int:
        return 480

    def __getitem__(self, index: int, rng: Any) -> dict[str, Any]:
        time.sleep(0.002)
        return {
            "x": rng.random((200, 100), np.float32),
            "y": index,
            "ids": np.arange(index % 5 + 1),
            "name": str(index),
        }


def load(info: Any) -> np.ndarray:
    if info.idx_in_epoch >= 30:
        raise StopIteration
    return np.full((2, 1 + info.idx_in_epoch % 2), info.rng.integers(1000))


def load_batch(iteration: int) -> list[np.ndarray]:
    return [np.full(iteration % 3 + 1, row) for row in range(8)]
