"""What doctor finds."""

from __future__ import annotations

import dataclasses

__all__ = ["Section"]


@dataclasses.dataclass
class Section:
    """A part of the report.

    Attributes:
        title: of it.
        rows: name and value of each finding.
        advice: sentences: what to do about what was found.
        broken: something that should work here does not.
    """

    title: str
    rows: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    advice: list[str] = dataclasses.field(default_factory=list)
    broken: bool = False

    def add(self, name: str, value: str) -> None:
        self.rows.append((name, value))

    def fail(self, name: str, value: str, advice: str) -> None:
        """Adds a finding that makes the machine unfit."""
        self.rows.append((name, value))
        self.advice.append(advice)
        self.broken = True
