"""The failure of one process, as the other processes of the program learn of it."""

from __future__ import annotations

import builtins
import dataclasses
import json
from typing import Any

from jaxdali._feed.ring.originals import source_error_type
from jaxdali.errors import DecodeError, PeerError, SampleOrigin, SourceDataError, SourceError, WorkerError

__all__ = ["Failure"]

_KINDS = (DecodeError, SourceDataError, SourceError, WorkerError)


@dataclasses.dataclass(frozen=True)
class Failure:
    """An error that a process raised for a step.

    Attributes:
        process: its number; None: no single one, the text says what is wrong.
        step: the step.
        kind: the name of one of jaxdali's classes that it has; empty if it has none of those about data.
        original: the name of the class of Python's that it has, too, if a source raised that.
        text: what it says, with its class and its notes.
        origin: of the sample, the fields of `SampleOrigin` that are known.
        status: of a DecodeError.
        is_final: nothing follows the step until `seek`.
    """

    process: int | None
    step: int
    kind: str
    original: str
    text: str
    origin: dict[str, Any]
    status: int
    is_final: bool

    @classmethod
    def of(cls, error: Exception, process: int, step: int, is_final: bool) -> Failure:
        """Makes the record of an error."""
        origin = getattr(error, "origin", None)
        known = {} if origin is None else dataclasses.asdict(origin)
        return cls(
            process,
            step,
            next((kind.__name__ for kind in _KINDS if isinstance(error, kind)), ""),
            next((kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"), ""),
            "; ".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())]),
            {name: value for name, value in known.items() if value is not None},
            int(getattr(error, "status", 0)),
            is_final,
        )

    @classmethod
    def from_text(cls, text: str) -> Failure:
        """Reads what `to_text` wrote."""
        return cls(**json.loads(text))

    def to_text(self) -> str:
        return json.dumps(dataclasses.asdict(self))

    def __str__(self) -> str:
        return self.text if self.process is None else f"process {self.process} failed at step {self.step}: {self.text}"

    def as_error(self, consequence: str = "") -> Exception:
        """Returns what to raise in another process: an error of the same class if it is one of jaxdali's about data,
        else a PeerError.

        Args:
            consequence: a sentence about what this means here.
        """
        words = f"{self}; {consequence}" if consequence else str(self)
        kind = next((kind for kind in _KINDS if kind.__name__ == self.kind), None)
        if kind is None:
            return PeerError(words)
        original = getattr(builtins, self.original, None)
        if kind is SourceError and isinstance(original, type) and issubclass(original, Exception):
            kind = source_error_type(original)
        error = kind(words)
        error.process = self.process
        error.origin = SampleOrigin(**self.origin)  # the text has it already
        if isinstance(error, DecodeError):
            error.status = self.status
        return error
