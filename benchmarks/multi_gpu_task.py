"""The messages to a process of `multi_gpu.py`. Does not import jax."""

from __future__ import annotations

import dataclasses
import json

__all__ = ["FEW", "Task"]

# Batches whose fingerprints are compared.
FEW = 3


@dataclasses.dataclass(frozen=True)
class Task:
    """What a process measures.

    Attributes:
        folder: of the files, a folder for each class.
        devices: that share a batch.
        batch_size: images of each device.
        workers: processes a device that read files.
        size: extent of the images, in pixels.
        batches: that are timed.
        decoder: the Loader's argument.
        port: of the first of several processes; 0: this one has all devices.
        process: its number among several, and that of its device.
    """

    folder: str
    devices: int
    batch_size: int
    workers: int
    size: int
    batches: int
    decoder: str
    port: int = 0
    process: int = 0

    def to_text(self) -> str:
        """Converts it to text for a command line."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Task:
        """Parses the result of `to_text`."""
        return cls(**json.loads(text))
