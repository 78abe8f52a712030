"""Chooses a few of many cases so that each two values that occur together in some case do so in a chosen one."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence

__all__ = ["pairwise"]


def pairwise(cases: Sequence[tuple[Hashable, ...]]) -> list[tuple[Hashable, ...]]:
    """Returns the chosen cases: always the one that has most pairs of values that no case before it has."""
    pairs = {case: set(itertools.combinations(enumerate(case), 2)) for case in cases}
    missing, chosen = set().union(*pairs.values()), []
    while missing:
        best = max(pairs, key=lambda case: len(pairs[case] & missing))
        chosen.append(best)
        missing -= pairs.pop(best)
    return chosen
