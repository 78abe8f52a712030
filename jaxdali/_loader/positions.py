"""Where a stream stood before the last steps."""

from __future__ import annotations

from typing import Any

from jaxdali.errors import ConfigError

__all__ = ["Positions"]

# For how many steps it is remembered: as many as whatever takes batches ahead of a training step may hold.
_REMEMBERED = 64


class Positions:
    """The positions that a stream has stated, by the step that comes next there."""

    def __init__(self) -> None:
        self._known: dict[int, Any] = {}
        self._forgotten = 0  # steps before this one

    def add(self, step: int, position: Any) -> None:
        """Remembers a position, and forgets the oldest one."""
        self._known[step] = position
        while len(self._known) > _REMEMBERED:
            oldest = min(self._known)
            del self._known[oldest]
            self._forgotten = oldest + 1

    def go_to(self, step: int, position: Any) -> None:
        """Forgets all positions but one, None if it is not known, because steps will come again."""
        self._known = {} if position is None else {step: position}
        self._forgotten = 0

    def before(self, step: int) -> Any:
        """Returns the last known position at a step or before it; None if there is none.

        Raises:
            ConfigError: it has been forgotten.
        """
        if step < self._forgotten:
            raise ConfigError(
                f"where the stream stood before step {step} is not known any more, only before the last {_REMEMBERED} "
                f"steps, from {self._forgotten} on: ask for the state of a batch soon after it came"
            )
        known = [number for number in self._known if number <= step]
        return self._known[max(known)] if known else None
