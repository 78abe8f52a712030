"""What each process of a run does, real or simulated: it starts, takes steps, seeks, passes the end of an epoch, resumes."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from jaxdali import Loader

__all__ = ["ROWS", "STEPS", "Found", "Numbers", "expected_rows", "live"]

# Rows of a global batch for each process, and steps that are taken after the start, after a seek and across an epoch.
ROWS, STEPS = 4, 8


class Numbers:
    """Samples that are their own numbers, in pairs of int32: there may be 10^9 of them, which take no memory.

    Args:
        length: how many.
        bad: the index of one that cannot be read; -1: none.
    """

    def __init__(self, length: int, bad: int = -1):
        self.length, self.bad = length, bad

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> dict[str, Any]:
        if index == self.bad:
            raise ValueError(f"sample {index} cannot be read")
        return {"n": np.array([index >> 20, index & 0xFFFFF], np.int32)}


@dataclasses.dataclass
class Found:
    """What one process found.

    Attributes:
        seconds: of CPU time of its thread, by what it did; of a step the median.
        rows: the samples of its rows, by step.
        state: that of its Loader at the end.
        calls: of the service, by what it did; each a list of (subject, call, times, bytes sent, bytes received).
    """

    seconds: dict[str, float] = dataclasses.field(default_factory=dict)
    rows: dict[int, list[int]] = dataclasses.field(default_factory=dict)
    state: dict[str, Any] = dataclasses.field(default_factory=dict)
    calls: dict[str, list[Any]] = dataclasses.field(default_factory=dict)


def live(
    length: int,
    batch_size: int,
    agree: bool,
    sharding: Any,
    tally: Any,
    together: Callable[[], object] = lambda: None,
    state: dict[str, Any] | None = None,
) -> Found:
    """Lives the life of one process.

    Args:
        length, batch_size: of the samples, and of the global batch.
        agree, sharding: the Loader's.
        tally: counts this process's calls.
        together: waits for the other processes, so that what they do can be told apart.
        state: where to begin.
    """
    found = Found()

    def timed(what: str, work: Callable[[], Any]) -> Any:
        together()
        tally.found.clear()
        began = time.thread_time()
        result = work()
        found.seconds[what] = time.thread_time() - began
        together()
        found.calls[what] = [[*key, *entry] for key, entry in sorted(tally.found.items())]
        return result

    options: dict[str, Any] = {"shuffle": True, "seed": 7, "epochs": 3, "workers": 0, "last_batch": "mask"}
    make = lambda: Loader(Numbers(length), batch_size=batch_size, sharding=sharding, agree=agree, **options)  # noqa: E731
    loader = timed("start", make)
    try:
        if state is not None:
            timed("resume", lambda: loader.set_state(state))
        _take(loader, found, 1)  # makes its feed, and compiles
        found.seconds["step"] = float(np.median(timed("steps", lambda: _take(loader, found, STEPS))))
        last = loader.steps_per_epoch - 1
        timed("seek", lambda: loader.seek(last - 1))
        timed("epoch", lambda: _take(loader, found, 4))  # two steps of either epoch
        found.state = timed("state", loader.get_state)
    finally:
        timed("close", loader.close)
    return found


def _take(loader: Loader, found: Found, count: int) -> list[float]:
    steps, spent = loader.enumerate(), []
    for _ in range(count):
        began = time.thread_time()
        step, batch = next(steps)
        spent.append(time.thread_time() - began)
        pairs = np.concatenate([np.asarray(shard.data) for shard in batch["n"].addressable_shards])
        found.rows[step] = [(high << 20) | low for high, low in pairs.tolist()]
    return spent


def expected_rows(length: int, batch_size: int, step: int) -> list[int]:
    """Returns the samples of a global batch, from the sampler alone. Padding repeats samples of its own batch."""
    from jaxdali import source

    epoch, iteration = divmod(step, -(-length // batch_size))
    first = iteration * batch_size
    there = min(batch_size, length - first)
    positions = first + np.arange(batch_size) % there
    return source.ShuffleSampler(length, 7).indices(epoch, positions).tolist()


def state_size(found: Found) -> int:
    """Returns the bytes of a state as JSON."""
    return len(json.dumps(found.state))
