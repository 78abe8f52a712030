"""What goes beyond DALI: lengths, resets in mid-epoch, factories of parts, random numbers and orders by index."""

from __future__ import annotations

from typing import Any

import numpy as np
from es_tools import RESET, STOP, described, make, numbers, samples

from jaxdali._feed.source.sampler import ShuffleSampler


class Counted:
    """Gives `length` samples per epoch; fails if it is asked for others."""

    def __init__(self, length: int, tag: int = 0):
        self.length = length
        self.tag = tag

    def __len__(self):
        return self.length

    def __call__(self, info):
        assert info.idx_in_epoch < self.length
        return np.array([self.tag + 100 * info.epoch_idx + info.idx_in_epoch])


class Stops:
    """Has no length: an epoch ends where the source raises, so batches are whole."""

    def __init__(self, length: int, tag: int = 0):
        self.length = length
        self.tag = tag

    def __call__(self, info):
        if info.idx_in_epoch >= self.length:
            raise StopIteration
        return np.array([self.tag + 100 * info.epoch_idx + info.idx_in_epoch])


def epochs(pipe, count: int) -> list:
    """Returns all batches of `count` epochs."""
    seen: list = []
    with pipe:
        for _ in range(count):
            while (outcome := numbers(pipe)) != STOP:
                seen.append(outcome)
            assert numbers(pipe) == STOP
            seen.append(STOP)
            pipe.reset()
    return seen


def lengths(ways, cases) -> list:
    """Returns two epochs of each case (lengths of the sources, batch_size). Sources below 0 have no `__len__`."""
    results = []
    for start_method, workers in ways:
        seen = []
        for sizes, batch_size in cases:
            sources = [
                Counted(size, 1000 * place) if size >= 0 else Stops(-size, 1000 * place)
                for place, size in enumerate(sizes)
            ]
            pipe = make(*sources, start_method=start_method, workers=workers, batch_size=batch_size, batch=False)
            seen.append(epochs(pipe, 2))
        results.append(seen)
    return results


def of_samples(info):
    if info.iteration >= 5:
        raise StopIteration
    return np.array([100 * info.epoch_idx + info.idx_in_epoch])


def of_batches(info):
    if info.iteration >= 5:
        raise StopIteration
    return np.array([[100 * info.epoch_idx + 2 * info.iteration + row] for row in range(2)])


def generator():
    for iteration in range(5):
        yield np.array([[2 * iteration], [2 * iteration + 1]])


def dealt(worker_id, num_workers):
    """Gives the same batches, dealt out to the workers."""
    for iteration in range(worker_id, 5, num_workers):
        yield np.array([[2 * iteration], [2 * iteration + 1]])


KINDS: dict[str, tuple[Any, dict[str, Any]]] = {
    "samples": (of_samples, {"batch": False}),
    "batches": (of_batches, {"batch": True, "batch_info": True}),
    "generator": (generator, {"batch": True}),
    "factory": (dealt, {"batch": True}),
}


def resets(ways, kind: str, cycle, plans) -> list:
    """Returns what the runs between resets give, for each way and each plan; batches of 2."""
    source, options = KINDS[kind]
    results = []
    for start_method, workers, depth, ahead in ways:
        seen = []
        for plan in plans:
            ways_to_run: dict[str, Any] = {"start_method": start_method, "workers": workers, "ahead": ahead}
            with make(source, depth=depth, cycle=cycle, **ways_to_run, **options) as pipe:
                got: list = []
                for runs in plan:
                    got += [numbers(pipe) for _ in range(runs)]
                    got.append(RESET)
                    pipe.reset()
            seen.append(got)
        results.append(seen)
    return results


class Parts:
    """Gives each worker a part of a different size."""

    def __init__(self, sizes):
        self.sizes = sizes

    def __call__(self, worker_id, num_workers):
        for index in range(self.sizes[num_workers][worker_id]):
            yield np.array([[10 * worker_id + index]])


def parts(ways, sizes, cycle, runs: int) -> list:
    """Returns what the runs of two epochs give. `sizes` lists each worker's part, for each number of workers."""
    source = Parts({len(of_workers): of_workers for of_workers in sizes})
    results = []
    for start_method, workers, depth, ahead in ways:
        options: dict[str, Any] = {"start_method": start_method, "ahead": ahead, "batch_size": 1, "batch": True}
        with make(source, workers=workers, depth=depth, cycle=cycle, **options) as pipe:
            seen: list = []
            for _ in range(2):
                seen += [numbers(pipe) for _ in range(runs)]
                pipe.reset()
        results.append([outcome if outcome == STOP else outcome[0][0] for outcome in seen])
    return results


def no_factory(worker_id, num_workers):
    return 3


def wrong_factory() -> list:
    """Returns the errors of a factory that returns no iterable."""
    errors = []
    for start_method in (None, "fork"):
        with make(no_factory, start_method=start_method, batch=True) as pipe:
            errors.append(described(pipe.run))
    return errors


class Draws:
    """Gives ten samples per epoch, each with random numbers of its own."""

    def __len__(self):
        return 10

    def __call__(self, info):
        return np.array([info.idx_in_epoch, *info.rng.integers(1 << 30, size=2)])


def draws(ways) -> list:
    """Returns all samples of two epochs."""
    results = []
    for start_method, workers, batch_size in ways:
        options: dict[str, Any] = {"start_method": start_method, "batch_size": batch_size, "batch": False}
        with make(Draws(), workers=workers, settings={"seed": 5}, **options) as pipe:
            seen: list = []
            for _ in range(2):
                while (outcome := samples(pipe)) != STOP:
                    seen += [values for _, _, values in outcome[0]]
                pipe.reset()
        results.append(seen)
    return results


class Shuffled:
    """A shard of shuffled data, which keeps nothing in memory but the data."""

    def __init__(self, length: int, shard_id: int, num_shards: int):
        self.sampler = ShuffleSampler(length, seed=3)
        self.first, self.stop = (length * shard // num_shards for shard in (shard_id, shard_id + 1))

    def __len__(self):
        return self.stop - self.first

    def __call__(self, info):
        return self.sampler.indices(info.epoch_idx, [self.first + info.idx_in_epoch])


def shuffles(ways, length: int, num_shards: int) -> list:
    """Returns three epochs of all shards, one shard after the other."""
    results = []
    for start_method, workers in ways:
        shards = []
        for shard_id in range(num_shards):
            source = Shuffled(length, shard_id, num_shards)
            pipe = make(source, start_method=start_method, workers=workers, batch_size=4, batch=False)
            shards.append(epochs(pipe, 3))
        results.append(shards)
    return results
