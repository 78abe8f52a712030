"""The end of data, cycle and reset, for every kind of source and every way to run it."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from es_tools import RESET, STOP, make, numbers

LENGTH, BATCH, RUNS = 3, 2, 14


def batch(number: int) -> np.ndarray:
    return np.full((BATCH, 1), number, np.int32)


class Iterable:
    def __init__(self, length: int = LENGTH):
        self.length = length

    def __iter__(self):
        return iter([batch(number) for number in range(self.length)])


class Once:
    """An iterator: it gives each batch only once."""

    def __init__(self):
        self.next = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.next == LENGTH:
            raise StopIteration
        self.next += 1
        return batch(self.next - 1)


class OnceOnly:
    """Its first iterator gives data, the later ones none."""

    def __init__(self):
        self.iterators = 0

    def __iter__(self):
        self.iterators += 1
        return iter([batch(number) for number in range(LENGTH)] if self.iterators == 1 else [])


def generator():
    for number in range(LENGTH):
        yield batch(number)


def generator_of(length):
    for number in range(length):
        yield batch(number)


class Generates:
    def __call__(self):
        yield from generator()


def of_samples(info):
    if info.iteration >= LENGTH:
        raise StopIteration
    return np.array([info.iteration], np.int32)


def of_batches(iteration):
    if iteration >= LENGTH:
        raise StopIteration
    return batch(iteration)


SOURCES = {
    "iterable": Iterable,
    "list": lambda: [batch(number) for number in range(LENGTH)],
    "generator function": lambda: generator,
    "object with a generator function": Generates,
    "partial of a generator function": lambda: functools.partial(generator_of, LENGTH),
    "iterator": Once,
    "iterable once": OnceOnly,
    "callable of samples": lambda: of_samples,
    "callable of batches": lambda: of_batches,
}


def sequence(pipe) -> list:
    """Runs DALI's test: 14 runs, and a reset after each second STOP in a row."""
    seen: list = []
    for _ in range(RUNS):
        outcome = numbers(pipe)
        if outcome != STOP:
            (row,) = outcome
            assert row == [row[0]] * BATCH
            outcome = row[0]
        seen.append(outcome)
        if seen[-2:] == [STOP, STOP]:
            pipe.reset()
            seen.append(RESET)
    return seen


def table(start_method, rows) -> list:
    """Returns the sequence of each row (name of a source, cycle, its prefetch_queue_depth)."""
    pipes = []
    for name, cycle, ahead in rows:
        is_of_samples = name == "callable of samples"
        options: dict[str, Any] = {"start_method": start_method, "ahead": ahead, "batch_size": BATCH}
        pipes.append(make(SOURCES[name](), workers=1, cycle=cycle, batch=not is_of_samples, **options))
    # All at once: some interpreters start while others work.
    for pipe in pipes:
        pipe.start_py_workers()
    results = []
    for pipe in pipes:
        with pipe:
            results.append(sequence(pipe))
    return results
