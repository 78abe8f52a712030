"""Sources of random images and numbers for programs of both systems, and a measure of how far results are apart."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from beside_dali import BATCH, SYSTEMS, Program, forms, results

Source = Callable[[], Iterator[list[np.ndarray]]]


def drawn(*extents: tuple[int, ...], dtype: Any = np.uint8, most: float = 255, seed: int = 0) -> Source:
    """Batches of random values from 0 to `most`; the samples' shapes cycle through `extents`."""

    def batches() -> Iterator[list[np.ndarray]]:
        rng, shapes = np.random.default_rng(seed), itertools.cycle(extents)
        while True:
            yield [(rng.random(next(shapes)) * most).astype(dtype) for _ in range(BATCH)]

    return batches


def numbers(low: float, high: float, *shape: int, dtype: Any = np.float32, seed: int = 0) -> Source:
    """Batches of random values from `low` to `high`; each sample has the given shape."""

    def batches() -> Iterator[list[np.ndarray]]:
        rng = np.random.default_rng(seed + 100)
        while True:
            yield [np.asarray(rng.uniform(low, high, shape), dtype) for _ in range(BATCH)]

    return batches


def apart(program: Program) -> list[tuple[float, float, int]]:
    """For each output of a program: the largest difference from DALI's values, the fraction of values that are off by
    more than 1e-5 of the largest value, and the number of values. Checks that types, layouts and shapes are DALI's.
    """
    theirs, ours = (results(program, system) for system in SYSTEMS)
    for one, other in zip(forms(ours)[0], forms(theirs)[0], strict=True):
        assert one == other
    found = []
    for index in range(len(ours[0][0])):
        pairs = [
            (a.astype(np.float64), b.astype(np.float64))
            for one, other in zip(ours[0], theirs[0], strict=True)
            for a, b in zip(one[index].samples, other[index].samples, strict=True)
        ]
        distance = np.concatenate([np.abs(a - b).ravel() for a, b in pairs])
        largest = max(np.abs(b).max(initial=1e-6) for _, b in pairs)
        found.append((float(distance.max()), float((distance > 1e-5 * largest).mean()), distance.size))
    return found
