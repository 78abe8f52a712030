"""A model of how epochs end: what an iterator gives is a function of source, cycle, size and policy, and of nothing else."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

BATCH, BATCHES = 4, 3  # samples of a batch, and batches of one pass through the data
SAMPLES = BATCH * BATCHES
ODD = SAMPLES - 2  # samples of the callable that declares its length

END = None


def _passes(kind: str, cycle: str | None) -> Iterator[range | None]:
    """Gives what the source answers, one time after the other: the samples of a batch, or END."""
    once = [range(first, first + BATCH) for first in range(0, SAMPLES, BATCH)]
    if cycle == "quiet":
        return itertools.cycle(once)
    if kind == "iterator" or cycle == "raise":  # the iterator resets itself when it raises StopIteration
        return itertools.cycle([*once, END])
    if kind == "callable with length":
        once[-1] = range(SAMPLES - BATCH, ODD)
    return itertools.chain(once, itertools.repeat(END))


def epochs(kind: str, cycle: str | None, size: int | None, policy: str, count: int) -> list[list[list[int]]]:
    """Returns the batches of each of `count` epochs."""
    anew = "callable" in kind  # others go on where they stood
    length = min(size or ODD, ODD) if kind == "callable with length" else size
    answers, ahead, found = _passes(kind, cycle), 0, []
    ended = True
    for _ in range(count):
        if anew:
            answers = _passes(kind, cycle)
        elif not ended and (first := next(answers)) is not END:
            answers = itertools.chain([first], answers)  # else the end came with the last batch of the epoch before
        left = math.inf if length is None else length - ahead
        batches = list(itertools.takewhile(lambda one: one is not END, itertools.islice(answers, _needed(left))))
        ended = len(batches) < left / BATCH
        # FILL counts what it took too much for the next epoch, if that goes on there.
        fills = policy == "FILL" and not anew and not ended
        ahead = (ahead + len(batches) * BATCH) % length if fills and length else 0
        found.append([list(batch) for batch in _cut(batches, left, policy)])
    return found


def _needed(left: float) -> int | None:
    return None if math.isinf(left) else math.ceil(left / BATCH)


def _cut(batches: list[range], left: float, policy: str) -> list[list[int]]:
    """Applies the policy to the last batch, if the epoch ends within it."""
    full = [[*batch, *[batch[-1]] * (BATCH - len(batch))] for batch in batches]
    over = len(batches) * BATCH - left
    if policy == "FILL" or over <= 0:
        return full
    return full[:-1] if policy == "DROP" else [*full[:-1], full[-1][: BATCH - int(over)]]
