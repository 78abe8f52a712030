"""Random sources, run with workers and without: the results must not differ."""

from __future__ import annotations

import dataclasses
import os
import signal
import warnings
from typing import Any

import numpy as np
from es_tools import RESET, STOP, make
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from processes import children

DTYPES = ["bool", "uint8", "int8", "uint16", "int16", "int32", "int64", "uint64", "float16", "float32", "float64"]
# How shapes vary: not at all, from sample to sample, from batch to batch.
SHAPES = ("scalar", "fixed", "ragged", "changing", "empty", "large")
KINDS = ("samples", "counted", "dense", "listed", "iterable", "generator", "factory")


@dataclasses.dataclass(frozen=True)
class Spec:
    """A source.

    Attributes:
        kind: one of KINDS; "counted" means samples with a length.
        size: length of an epoch: in samples for "counted", else in batches.
        short: batches differ in size, down to none; does not apply to samples.
        outputs: dtype and shape of each.
        cycle: the `cycle` of a source that is iterated over.
        fails: iteration of the first epoch, or of the first round, that raises; None if none does.
    """

    kind: str
    size: int
    short: bool
    outputs: tuple[tuple[str, str], ...]
    cycle: str | None
    fails: int | None


@dataclasses.dataclass(frozen=True)
class Case:
    """A pipeline of one or two sources, and the runs between its resets."""

    sources: tuple[Spec, ...]
    batch_size: int
    depth: int
    ahead: int
    workers: int
    plan: tuple[int, ...]


def _value(dtype: str, shape: str, epoch: int, iteration: int, row: int) -> np.ndarray:
    extents: tuple[int, ...] = {
        "scalar": (),
        "fixed": (2, 3),
        "ragged": (1 + (3 * iteration + 5 * row) % 4, (row + iteration) % 3),
        "changing": (1 + iteration % 3, 2),
        "empty": (0, 2),
        "large": (3000 + 17 * row, 11),
    }[shape]
    count = int(np.prod(extents))
    first = 7 * epoch + 31 * iteration + row
    return (np.arange(first, first + count).reshape(extents) % 101).astype(dtype)


class Source:
    def __init__(self, spec: Spec, batch_size: int):
        self.spec = spec
        self.batch_size = batch_size
        self.rounds = 0

    def values(self, epoch: int, iteration: int, row: int) -> tuple[np.ndarray, ...]:
        return tuple(_value(dtype, shape, epoch, iteration, row) for dtype, shape in self.spec.outputs)

    def batch(self, epoch: int, iteration: int) -> list[Any]:
        self.check(epoch, iteration)
        rows = self.batch_size
        if self.spec.short:
            rows = (3 * iteration + 1) % (self.batch_size + 1)
        columns = [
            list(column) for column in zip(*(self.values(epoch, iteration, row) for row in range(rows)), strict=True)
        ]
        columns = columns or [[] for _ in self.spec.outputs]
        same = all(len({array.shape for array in column}) == 1 for column in columns)
        return [np.stack(column) for column in columns] if self.spec.kind != "listed" and same else columns

    def check(self, epoch: int, iteration: int) -> None:
        if epoch == 0 and iteration == self.spec.fails:
            raise LookupError(f"iteration {iteration}")

    def iterate(self, iterations):
        # Whether an epoch begins from which nobody takes a batch depends on who works ahead. So it does not count.
        current = 0 if self.spec.cycle == "raise" else self.rounds
        self.rounds += 1
        for iteration in iterations:
            yield self.batch(current, iteration)


class Samples(Source):
    def __call__(self, info):
        if info.iteration >= self.spec.size:
            raise StopIteration
        self.check(info.epoch_idx, info.iteration)
        return self.values(info.epoch_idx, info.iteration, info.idx_in_batch)


class Counted(Source):
    def __len__(self):
        return self.spec.size

    def __call__(self, info):
        self.check(info.epoch_idx, info.iteration)
        return self.values(info.epoch_idx, info.iteration, info.idx_in_batch)


class Batches(Source):
    def __call__(self, info):
        if info.iteration >= self.spec.size:
            raise StopIteration
        return self.batch(info.epoch_idx, info.iteration)


class Iterable(Source):
    def __iter__(self):
        return self.iterate(range(self.spec.size))


class Generator(Source):
    def __call__(self):
        yield from self.iterate(range(self.spec.size))


class Factory(Source):
    def __call__(self, worker_id, num_workers):
        # Iterations are dealt out in turn, as they are merged.
        return self.iterate(range(worker_id, self.spec.size, num_workers))


CLASSES = dict(zip(KINDS, (Samples, Counted, Batches, Batches, Iterable, Generator, Factory), strict=True))


def _outcome(pipe) -> Any:
    try:
        outputs = pipe.run()
    except StopIteration:
        return STOP
    except Exception as error:
        # A worker's error has the original type and one of ours, and its text has the traceback before the place.
        kind = "LookupError" if isinstance(error, LookupError) else type(error).__name__
        return kind, "" if kind == "LookupError" else str(error).partition(" [output")[0]
    return [
        [(str(array.dtype), array.shape, array.tobytes()) for array in map(output.at, range(len(output)))]
        for output in outputs
    ]


def outcomes(case: Case, start_method: str | None) -> list:
    sources = []
    for spec in case.sources:
        options: dict[str, Any] = {"batch": spec.kind not in ("samples", "counted"), "num_outputs": len(spec.outputs)}
        if spec.kind in ("dense", "listed"):
            options["batch_info"] = True
        if spec.kind in ("iterable", "generator", "factory"):
            options["cycle"] = spec.cycle
        sources.append((CLASSES[spec.kind](spec, case.batch_size), options))
    seen: list = []
    with make(
        *sources,
        start_method=start_method,
        workers=case.workers,
        batch_size=case.batch_size,
        depth=case.depth,
        ahead=case.ahead,
    ) as pipe:
        for runs in case.plan:
            seen += [_outcome(pipe) for _ in range(runs)]
            seen.append(RESET)
            pipe.reset()
    return seen


@st.composite
def specs(draw) -> Spec:
    kind = draw(st.sampled_from(KINDS))
    outputs = st.tuples(st.sampled_from(DTYPES), st.sampled_from(SHAPES))
    # Each part repeats at its own pace, and where one fails the others go on.
    cycle = draw(st.sampled_from([None, "raise"] if kind == "factory" else [None, "raise", "quiet"]))
    may_fail = kind != "factory" or cycle == "raise"
    return Spec(
        kind=kind,
        size=draw(st.integers(0, 20 if kind == "counted" else 6)),
        short=draw(st.booleans()),
        outputs=tuple(draw(st.lists(outputs, min_size=1, max_size=2))),
        cycle=cycle,
        fails=draw(st.none() | st.integers(0, 5)) if may_fail else None,
    )


CASES = st.builds(
    Case,
    sources=st.lists(specs(), min_size=1, max_size=2).map(tuple),
    batch_size=st.integers(1, 6),
    depth=st.integers(1, 3),
    ahead=st.integers(1, 4),
    workers=st.sampled_from([1, 2, 3, 8]),
    plan=st.lists(st.integers(0, 8), min_size=1, max_size=4).map(tuple),
)


def _hung(*_: Any) -> None:
    raise AssertionError("it hangs")


def compare(start_method: str, examples: int, seconds: int) -> dict:
    """Compares `examples` random pipelines, always the same ones. Hypothesis shrinks and prints any difference."""
    counts = {"cases": 0, "batches": 0, "ends": 0, "errors": 0}
    signal.signal(signal.SIGALRM, _hung)

    @settings(
        max_examples=examples, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(CASES)
    def same(case: Case) -> None:
        descriptors = len(os.listdir("/proc/self/fd"))
        expected = outcomes(case, None)
        signal.alarm(seconds)
        seen = outcomes(case, start_method)
        signal.alarm(0)
        assert seen == expected
        assert children() == [] and len(os.listdir("/proc/self/fd")) == descriptors
        counts["cases"] += 1
        counts["batches"] += sum(isinstance(outcome, list) for outcome in expected)
        counts["ends"] += expected.count(STOP)
        counts["errors"] += sum(isinstance(outcome, tuple) for outcome in expected)

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "There will be run only")
        warnings.filterwarnings("ignore", ".*but the output at the index")
        same()
    return counts
