"""What a process of `catalogue.py` is asked to measure. Imports neither jax nor a peer."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

__all__ = ["Question", "Task"]


@dataclasses.dataclass(frozen=True)
class Task:
    """
    Attributes:
        device: "cpu", "gpu", or "rehearsal", which is as on a GPU but for the GPU.
        batch: samples of a batch.
        rounds: at most so many of each use; 0: results are compared, and nothing is timed.
        seconds: no round begins later, but some there are (CPU only).
        lock: a file that is locked for each round, so that one process at a time has the GPU to itself.
        traced: a profile says how long the GPU is busy.
    """

    device: str
    batch: int
    rounds: int
    seconds: float
    lock: str
    traced: bool = True

    def to_text(self) -> str:
        """For a command line."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Task:
        """What `to_text` made."""
        return cls(**json.loads(text))


@dataclasses.dataclass(frozen=True)
class Question:
    """A use of an operator.

    Attributes:
        name: of the operator.
        use: its number.
        text: of the use.
        sizes: of its inputs, of `catalogue_inputs.SIZES`.
        alone: without DALI, which has ended the process before.
    """

    name: str
    use: int
    text: str
    sizes: tuple[str, ...]
    alone: bool = False

    def to_text(self) -> str:
        """A line."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Question:
        """What `to_text` made."""
        given: dict[str, Any] = json.loads(text)
        return cls(**{**given, "sizes": tuple(given["sizes"])})

    def failed(self, reason: str) -> dict[str, Any]:
        """The answer where there is none."""
        return {"text": self.text, **{size: {"failed": reason} for size in self.sizes}}
