"""The messages to a process of `gpu.py`. Imports neither jax nor a peer."""

from __future__ import annotations

import dataclasses
import json

__all__ = ["DECODERS_OF", "DECODE_ONLY", "EXTENT", "MEAN", "MODULES", "STD", "Task"]

EXTENT = 224
MEAN, STD = [123.675, 116.28, 103.53], [58.395, 57.12, 57.375]

# system -> module that it needs.
MODULES = {
    "nvJPEG alone, hardware": "cupy",
    "engine alone, hardware": "jaxdali",
    "engine alone, gpu": "jaxdali",
    "Loader": "jaxdali",
    "jaxdali, cuda": "jaxdali",
    "jaxdali, cuda, decode_ahead=0": "jaxdali",
    "jaxdali, hardware": "jaxdali",
    "jaxdali, gpu": "jaxdali",
    "jaxdali, decode_ahead=0": "jaxdali",
    "DALI external_source": "nvidia.dali",
    "DALI readers.file": "nvidia.dali",
    "torchvision decode_jpeg": "torchvision",
    "nvImageCodec": "nvidia.nvimgcodec",
}
# Systems that only decode files in memory.
DECODE_ONLY = (
    "nvJPEG alone, hardware",
    "engine alone, hardware",
    "engine alone, gpu",
    "torchvision decode_jpeg",
    "nvImageCodec",
)
# Pipelines with the same decoder must give the same bits.
DECODERS_OF = {
    "Loader": "cuda",
    "jaxdali, cuda": "cuda",
    "jaxdali, cuda, decode_ahead=0": "cuda",
    "jaxdali, hardware": "hardware",
    "jaxdali, gpu": "gpu",
    "jaxdali, decode_ahead=0": "hardware",
}


@dataclasses.dataclass(frozen=True)
class Task:
    """What a process measures.

    Attributes:
        folder: of the files.
        batch: images of a batch.
        warm_up: batches before the timed ones, in every measurement.
        batches: number of timed batches.
        workers: processes that read files.
        decode_memory: bytes that decoder="gpu" may use for waiting images.
        device: "gpu" or "cpu", where batches must be.
    """

    system: str
    folder: str
    batch: int
    warm_up: int
    batches: int
    workers: int
    decode_memory: int
    device: str

    def to_text(self) -> str:
        """Converts it to text for a command line."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Task:
        """Parses the result of `to_text`."""
        return cls(**json.loads(text))
