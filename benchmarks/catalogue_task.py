"""The messages to a process of `catalogue.py`. Imports neither jax nor a peer."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

__all__ = ["Question", "Task"]


@dataclasses.dataclass(frozen=True)
class Task:
    """What all questions to a process have in common.

    Attributes:
        device: "cpu", "gpu", or "rehearsal", which does the same as "gpu" without a GPU.
        batch: samples of a batch.
        rounds: most rounds for each use; 0: results are compared, but nothing is timed.
        seconds: no round starts after this time, but some always run (CPU only).
        lock: a file that is locked during each round, so that only one process at a time uses the GPU.
        traced: whether a profile measures how long the GPU is busy.
    """

    device: str
    batch: int
    rounds: int
    seconds: float
    lock: str
    traced: bool = True

    def to_text(self) -> str:
        """Converts it to text for a command line."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Task:
        """Parses the result of `to_text`."""
        return cls(**json.loads(text))


@dataclasses.dataclass(frozen=True)
class Question:
    """A use of an operator.

    Attributes:
        name: of the operator.
        use: number of the use.
        text: describes the use.
        sizes: of its inputs, from `catalogue_inputs.SIZES`.
        alone: leave out DALI, because it has crashed the process before.
    """

    name: str
    use: int
    text: str
    sizes: tuple[str, ...]
    alone: bool = False

    def to_text(self) -> str:
        """Converts it to one line of text."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Question:
        """Parses the result of `to_text`."""
        given: dict[str, Any] = json.loads(text)
        return cls(**{**given, "sizes": tuple(given["sizes"])})

    def failed(self, reason: str) -> dict[str, Any]:
        """The answer if there is no result."""
        return {"text": self.text, **{size: {"failed": reason} for size in self.sizes}}
