"""Where a process took its steps, so that processes that take different ones are found."""

from __future__ import annotations

import dataclasses
import hashlib
import json

__all__ = ["StepHistory"]

# How many runs before the current one a process tells of. One that is further ahead is compared when others get there.
_TOLD = 4


@dataclasses.dataclass(frozen=True)
class _Run:
    """Steps that were taken one after the other.

    Attributes:
        number: 1 for the first run.
        start: its first step.
        digest: of where it begins, and of where the runs before it began and ended.
        asked: the step after the last one that was asked for.
    """

    number: int
    start: int
    digest: str
    asked: int


class StepHistory:
    """The runs of steps of one process. One thread takes the steps, and another one may compare them.

    Attributes:
        behind: the step that comes after those that were handed out, or failed.
    """

    def __init__(self) -> None:
        self._done: dict[int, _Run] = {}
        self._now = _Run(0, 0, "", 0)
        self._moves = 0
        self._most_asked = 0
        self.behind = 0

    @property
    def has_begun(self) -> bool:
        return self._now.number > 0

    def enter(self, step: int, moves: int) -> None:
        """Notes that a step is asked for. One that is asked for again, after an interrupt or an error, begins no run.

        Args:
            moves: how often the process was sent elsewhere; another number begins a run.
        """
        now = self._now
        goes_on = step == now.asked or (step == self.behind and step == now.asked - 1)
        if not now.number or moves != self._moves or not goes_on:
            text = f"{now.digest} {self.behind} {step} {moves}"
            if now.number:
                self._done[now.number] = dataclasses.replace(now, asked=self._most_asked)
            now = _Run(now.number + 1, step, hashlib.blake2b(text.encode(), digest_size=8).hexdigest(), step)
            self._moves, self._most_asked = moves, step
        self.behind = step
        self._most_asked = max(self._most_asked, step + 1)
        self._now = dataclasses.replace(now, asked=step + 1)

    def missed(self, step: int) -> None:
        """Notes that there is no such step: the data are at their end. Not every process needs to ask for that."""
        self._now = dataclasses.replace(self._now, asked=step)

    def to_text(self) -> str:
        """Returns what another process needs to know for `difference`."""
        now = self._now
        runs = [*(self._done[number] for number in range(max(now.number - _TOLD, 1), now.number)), now]
        return json.dumps([[run.number, run.start, run.digest, run.asked] for run in runs])

    def difference(self, text: str) -> tuple[int, int] | None:
        """Compares this history with that of another process, as far as both have come.

        Args:
            text: what `to_text` returned there.

        Returns:
            The step at which each of the two went on, this process's first; None if they do not differ.
        """
        now = self._now
        other = {fields[0]: _Run(*fields) for fields in json.loads(text)}
        last = min(now.number, max(other))
        if not last or last not in other:
            return None
        mine, its = now if last == now.number else self._done[last], other[last]
        if mine.digest != its.digest:
            return mine.start, its.start
        # One that has left the run will not take the steps of it that the other one asks for.
        if last < now.number and its.asked > mine.asked:
            after = now if last + 1 == now.number else self._done[last + 1]
            return after.start, its.asked - 1
        if last < max(other) and mine.asked > its.asked:
            return mine.asked - 1, other[last + 1].start
        return None
