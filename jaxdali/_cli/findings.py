"""The findings of doctor."""

from __future__ import annotations

import dataclasses

__all__ = ["Section"]


@dataclasses.dataclass
class Section:
    """A part of the report.

    Attributes:
        title: its heading.
        rows: name and value of each finding.
        advice: sentences that say what to do about the findings.
        broken: something does not work that should work here.
    """

    title: str
    rows: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    advice: list[str] = dataclasses.field(default_factory=list)
    broken: bool = False

    def add(self, name: str, value: str) -> None:
        self.rows.append((name, value))

    def fail(self, name: str, value: str, advice: str) -> None:
        """Adds a finding about something that does not work."""
        self.rows.append((name, value))
        self.advice.append(advice)
        self.broken = True
