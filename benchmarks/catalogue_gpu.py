"""Compares operators with DALI's on one GPU.

The time of an operator is the slope between pipelines with 1 and 9 applications (3 for a slow one), computed from the
minima of the rounds, in microseconds, followed by the minimum and maximum over the rounds. ", GPU" is the time for
which the operator keeps the GPU busy, from a profile, so the host's launch times do not hide it. A timing consists of
many batches back to back, with the default number ahead, until the GPU is idle again. Both pipelines take the same nine
batches from the GPU's memory and return a part of each; files and maps come from the host. A lock is held while a round
is timed, so that other measuring processes leave the GPU alone, except for compiling.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import functools
import gc
import importlib
import os
import re
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from catalogue_busy import busy_s
from catalogue_case import Case, Dali
from catalogue_figures import FEW, MANY, MANY_OF_LONG, apart, figures
from catalogue_gpu_inputs import ON_HOST, Placed, dali_lacks, fed, kept_by_dali, kept_by_jaxdali
from catalogue_inputs import SIZES, batch_of
from catalogue_task import Task

__all__ = ["answer_on_gpu", "device_name"]

# If a batch with one application takes this long, fewer applications are enough for a slope.
LONG_S = 0.05
# A timing consists of as many runs as take this long.
LEAST_S, LEAST_RUNS, MOST_RUNS = 0.04, 8, 400
TRIED_RUNS, TRACED_RUNS = 4, 8
THREADS = 8


class Pipelines:
    """A system's pipelines with few and with many applications."""

    def __init__(self, package: str, case: Case, size: str, task: Task, batches: Sequence[Sequence[Any]]):
        self._module, self._fn, kinds = (importlib.import_module(f"{package}{part}") for part in ("", ".fn", ".types"))
        self._package, self._case, self._task = package, case, task
        self._on_gpu = task.device == "gpu"
        # With device="gpu" but no GPU, jaxdali computes on the CPU; DALI does not.
        self._device = "gpu" if self._on_gpu or package == "jaxdali" else "cpu"
        self._dali = Dali(Placed(self._fn, self._device), kinds, SIZES[size][2], task.batch)
        self._kept = self._kept_batches(batches)
        self.most = MANY

    def _kept_batches(self, batches: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """[applications, inputs]: what each input is fed with."""
        kinds = self._case.inputs
        resident = [[one for kind, one in zip(kinds, mine, strict=True) if kind not in ON_HOST] for mine in batches]
        if self._package == "jaxdali":
            held = iter([kept_by_jaxdali(one, self._on_gpu) for mine in resident for one in mine])
        else:
            names = [kind for _ in batches for kind in kinds if kind not in ON_HOST]
            flat = [one for mine in resident for one in mine]
            # What a pipeline made only lives as long as the pipeline.
            self._keeper, lists = kept_by_dali(names, flat, self._on_gpu) if flat else (None, [])
            held = iter(lists)
        return [
            [one if kind in ON_HOST else next(held) for kind, one in zip(kinds, mine, strict=True)] for mine in batches
        ]

    @functools.cached_property
    def few(self) -> Any:
        return self._pipeline(FEW)

    @functools.cached_property
    def many(self) -> Any:
        return self._pipeline(self.most)

    def close(self) -> None:
        """Drops the pipelines and their inputs."""
        for pipe in [self.__dict__.pop(name) for name in ("few", "many") if name in self.__dict__]:
            if self._package == "jaxdali":
                pipe.close()
        self._kept, self._keeper = [], None
        gc.collect()

    def _pipeline(self, applications: int) -> Any:
        kinds = self._case.inputs
        threads = min(THREADS, len(os.sched_getaffinity(0)))
        place = 0 if self._device == "gpu" else None
        pipe = self._module.Pipeline(batch_size=self._task.batch, num_threads=threads, device_id=place, seed=7)
        with pipe:
            given = [
                [fed(self._fn, kind, one, self._device) for kind, one in zip(kinds, mine, strict=True)]
                for mine in self._kept
            ]
            made = [
                self._case.call(self._dali, *(nodes if nodes else [k])) for k, nodes in enumerate(given[:applications])
            ]
            self.outputs = len(made[0]) if isinstance(made[0], list | tuple) else 1
            flat = [node for one in made for node in (one if isinstance(one, list | tuple) else [one])]
            parts = [
                node + 1 if kind == "numbers" else node[:1]
                for nodes in given
                for node, kind in zip(nodes, kinds, strict=True)
                if kind not in ON_HOST
            ]
            pipe.set_outputs(*parts, *flat)
        pipe.build()
        return pipe

    def results(self) -> list[tuple[str, list[np.ndarray]]]:
        """The layout and samples of each output, for one application."""
        found = [(out.layout(), out.as_cpu()) for out in self.few.run()[-self.outputs :]]
        return [(layout, [np.array(out.at(k)) for k in range(len(out))]) for layout, out in found]


@functools.cache
def _driver() -> Any:
    """CUDA's driver, in the context that both systems compute in."""
    driver = ctypes.CDLL("libcuda.so.1")
    context = ctypes.c_void_p()
    calls = [
        driver.cuInit(0),
        driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0),
        driver.cuCtxSetCurrent(context),
    ]
    if any(calls):
        raise RuntimeError(f"CUDA's driver answers {calls}")
    return driver


def device_name() -> str:
    """JAX's name for the device."""
    import jax

    return jax.devices()[0].device_kind


def _finish(outputs: Any, on_gpu: bool) -> None:
    """Waits until the device is idle."""
    import jax

    for output in outputs:
        if hasattr(output, "device_arrays"):
            jax.block_until_ready(output.device_arrays)
        elif not on_gpu:
            output.at(0)
    if on_gpu and (code := _driver().cuCtxSynchronize()):
        raise RuntimeError(f"the GPU failed: cuCtxSynchronize answers {code}")


def _timed(pipe: Any, runs: int, on_gpu: bool) -> float:
    """Seconds per batch, over that many runs."""
    _finish((), on_gpu)
    begun = time.perf_counter()
    outputs: Any = ()
    for _ in range(runs):
        outputs = pipe.run()
    _finish(outputs, on_gpu)
    return (time.perf_counter() - begun) / runs


@contextlib.contextmanager
def _turn(path: str) -> Iterator[None]:
    """Holds an exclusive lock on a file."""
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def measure(systems: Sequence[Pipelines], task: Task) -> tuple[np.ndarray, np.ndarray | str]:
    """Seconds per batch, [rounds, systems, few and many], and those for which the GPU is busy, [1, systems, few and
    many], or why these are unknown.
    """
    on_gpu = task.device == "gpu"
    with _turn(task.lock):
        is_long = max(_timed(system.few, 2, on_gpu) for system in systems) > LONG_S
    for system in systems:
        system.most = MANY_OF_LONG if is_long else MANY
        system.many.run()  # compiles it
    pipes = [pipe for system in systems for pipe in (system.few, system.many)]
    with _turn(task.lock):
        tried = [_timed(pipe, TRIED_RUNS, on_gpu) for pipe in pipes]
    counts = [max(LEAST_RUNS, min(MOST_RUNS, int(LEAST_S / one))) for one in tried]
    found = []
    for _ in range(task.rounds):
        with _turn(task.lock):
            found.append([_timed(pipe, count, on_gpu) for pipe, count in zip(pipes, counts, strict=True)])
    shape = (len(systems), 2)
    if not task.traced:
        return np.array(found).reshape(-1, *shape), "not wanted"
    try:
        with _turn(task.lock):
            busy = busy_s([functools.partial(_timed, pipe, TRACED_RUNS, on_gpu) for pipe in pipes])
    except Exception as error:  # an error of the profiler
        return np.array(found).reshape(-1, *shape), _short(error)
    return np.array(found).reshape(-1, *shape), np.array(busy).reshape(1, *shape) / TRACED_RUNS


def _short(error: Exception) -> str:
    """The error message without line numbers and paths, which are specific to this machine."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return re.sub(
        r", which was used in the pipeline definition with the following traceback:.*?(?= encountered:|$)", "", text
    )[:300]


def answer_on_gpu(name: str, case: Case, size: str, task: Task, alone: bool) -> dict[str, Any]:
    """`failed`, or the microseconds of an application and those of the GPU, or why it was `not traced`; how far apart
    results are, or `far` if that is too much; or why there are none for DALI: it `has it on` "CPU only", or it
    `failed`.

    Args:
        alone: leave out DALI.
    """
    answer: dict[str, Any] = {}
    batches = [
        [batch_of(kind, size, 100 * k + place, task.batch) for place, kind in enumerate(case.inputs)]
        for k in range(MANY)
    ]
    systems: dict[str, Pipelines] = {}
    try:
        systems["jaxdali"] = Pipelines("jaxdali", case, size, task, batches)
        ours = systems["jaxdali"].results()
        if lacks := None if alone else dali_lacks(name, "gpu" if task.device == "gpu" else "cpu"):
            answer["DALI has it on"] = lacks
        elif not alone:
            answer |= _compared(case, size, task, batches, ours, systems)
        if task.rounds:
            answer |= _measured(systems, task)
    except Exception as error:  # an operator may raise anything, which is part of what is measured
        answer["failed"] = _short(error)
    finally:
        for each in systems.values():
            each.close()
    return answer


def _compared(
    case: Case, size: str, task: Task, batches: Any, ours: Any, systems: dict[str, Pipelines]
) -> dict[str, Any]:
    """How far DALI's results are from ours. Adds DALI to the systems unless it fails."""
    theirs = None
    try:
        theirs = Pipelines("nvidia.dali", case, size, task, batches)
        results = theirs.results()
    except Exception as error:  # any error of DALI's
        if theirs is not None:
            theirs.close()
        return {"DALI failed": _short(error)}
    systems["DALI"] = theirs
    try:
        return apart(case, ours, results)
    except ValueError as error:
        return {"far": str(error)[:300]}


def _measured(systems: dict[str, Pipelines], task: Task) -> dict[str, Any]:
    """Microseconds of an application in each system; for jaxdali alone, with the reason, if DALI fails."""
    found: dict[str, Any] = {}
    try:
        times, busy = measure(list(systems.values()), task)
    except Exception as error:
        if len(systems) == 1:
            raise
        found["DALI failed"] = _short(error)
        systems.pop("DALI").close()
        times, busy = measure(list(systems.values()), task)  # raises if it was not DALI
    for place, (name, system) in enumerate(systems.items()):
        found[name] = figures(times[:, place], system.most, np.min)
        if isinstance(busy, str):
            found["not traced"] = busy
        else:
            found[f"{name}, GPU"] = figures(busy[:, place], system.most)
    return found
