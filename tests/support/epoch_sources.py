"""External sources of every kind, with the data of `epoch_model`."""

from __future__ import annotations

from typing import Any

import numpy as np
from epoch_model import BATCH, BATCHES, ODD, SAMPLES


def batch(number: int) -> np.ndarray:
    return np.arange(BATCH * number, BATCH * (number + 1), dtype=np.int32).reshape(BATCH, 1)


class ResetsItself:
    def __init__(self):
        self.next = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.next == BATCHES:
            self.next = 0
            raise StopIteration
        self.next += 1
        return batch(self.next - 1)


class Iterable:
    def __iter__(self):
        return iter([batch(number) for number in range(BATCHES)])


def generate():
    for number in range(BATCHES):
        yield batch(number)


class Sample:
    def __init__(self, samples: int = SAMPLES):
        self.samples = samples

    def __call__(self, info):
        if info.idx_in_epoch >= self.samples:
            raise StopIteration
        return np.array([info.idx_in_epoch], np.int32)


class SizedSample(Sample):
    def __init__(self):
        super().__init__(ODD)

    def __len__(self):
        return self.samples


SOURCES: dict[str, Any] = {
    "callable": Sample,
    "callable with length": SizedSample,
    "iterator": ResetsItself,
    "iterable": Iterable,
    "generator function": lambda: generate,
    "generator": generate,
}
