"""Which row each of many pieces goes to: the first that has room for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["first_fit", "first_fit_of_all"]


def first_fit(sizes: Sequence[int], room: int) -> np.ndarray:
    """Returns the row of each piece, `int64[n]`. A tree, whose nodes have the largest room below them, finds it."""
    leaves = 1 << max(len(sizes) - 1, 0).bit_length()
    largest = [room] * (2 * leaves)
    rows = np.empty(len(sizes), np.int64)
    for index, size in enumerate(sizes):
        node = 1
        while node < leaves:
            node *= 2
            node += largest[node] < size
        rows[index] = node - leaves
        largest[node] -= size
        while node > 1:
            node //= 2
            largest[node] = max(largest[2 * node], largest[2 * node + 1])
    return rows


def first_fit_of_all(sizes: Sequence[Sequence[int]], rooms: Sequence[int]) -> np.ndarray:
    """Like `first_fit`, for pieces of several sequences, each with a room of its own.

    In the same tree, whose nodes have the largest room of each sequence below them, a node may look as if a row below it had
    room for all, and none has. Then the search goes on to the right.
    """
    leaves = 1 << max(len(sizes) - 1, 0).bit_length()
    largest = [list(rooms) for _ in range(2 * leaves)]
    rows = np.empty(len(sizes), np.int64)
    for index, size in enumerate(sizes):
        node = 1
        while True:
            if any(have < wanted for have, wanted in zip(largest[node], size, strict=True)):
                while node % 2:  # a right child: all of what is above it was looked at
                    node //= 2
                node += 1
            elif node < leaves:
                node *= 2
            else:
                break
        rows[index] = node - leaves
        largest[node] = [have - wanted for have, wanted in zip(largest[node], size, strict=True)]
        while node > 1:
            node //= 2
            pairs = zip(largest[2 * node], largest[2 * node + 1], strict=True)
            largest[node] = [max(pair) for pair in pairs]
    return rows
