"""Sources of whole batches, and of samples with random numbers. Imports no jax, because workers import this file."""

from __future__ import annotations

import os

import numpy as np


def batch(number, size=2):
    """int32[size, 1], all `number`."""
    return np.full((size, 1), number, np.int32)


def three():
    yield from map(batch, (1, 2, 3))


class Three:
    """An iterable that returns a fresh iterator each time."""

    def __iter__(self):
        return three()


def three_of_an_epoch(iteration):
    if iteration >= 3:
        raise StopIteration
    return batch(iteration + 1)


LISTED = [batch(1), batch(2), batch(3)]


def told(info):
    """int64[2, 2]: the contents of a BatchInfo."""
    return np.array([[info.iteration, info.epoch_idx]] * 2)


def share(worker_id, num_workers):
    """Seven batches, distributed over the workers: the number, and the worker that made it."""
    for number in range(worker_id, 7, num_workers):
        yield np.array([[number, worker_id]] * 2)


def processes():
    while True:
        yield np.full((2, 1), os.getpid())


def ragged(iteration):
    """Lists of arrays of different shapes, three per batch."""
    return [np.arange(iteration + row, dtype=np.float32) for row in range(3)]


def two_outputs(iteration):
    """A dense batch, a list, and one output more than requested."""
    return batch(iteration, 3), [np.float32([iteration, row]) for row in range(3)], "left out"


def shrinking(iteration):
    """Batches of 3, 2, 1 and no samples, followed by the end."""
    if iteration > 3:
        raise StopIteration
    return batch(iteration, 3 - iteration)


class Drawing:
    """Ten samples per epoch: the index, and what its generator draws."""

    def __len__(self):
        return 10

    def __call__(self, info):
        return np.array([info.idx_in_epoch, *info.rng.random(2)])


def drawing_batches(info):
    return np.array([[info.iteration, *info.rng.random(2)]] * 2)
