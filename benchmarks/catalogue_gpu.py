"""Operators beside DALI's on one GPU.

The time of an operator is the slope between pipelines with 1 and 9 applications, or 3 of one that takes long, between the
least of the rounds, in microseconds; behind it are the least and the most of a round. ", GPU" is the time in which the GPU
is busy with it, of a profile: what the host takes for a launch does not hide that. A timing is of many batches back to back,
with the default number ahead, until the GPU has nothing more to do. Both pipelines take the same nine batches from the GPU's
memory and return a part of each; files, and maps, come from the host. While a round is timed a lock is held, so that other
processes that measure leave the GPU alone, but for what they compile.
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

# A batch with one application that takes so long needs fewer applications for a slope.
LONG_S = 0.05
# A timing is of so many runs as take this long.
LEAST_S, LEAST_RUNS, MOST_RUNS = 0.04, 8, 400
TRIED_RUNS, TRACED_RUNS = 4, 8
THREADS = 8


class Pipelines:
    """A system's pipelines with few and with many applications."""

    def __init__(self, package: str, case: Case, size: str, task: Task, batches: Sequence[Sequence[Any]]):
        self._module, self._fn, kinds = (importlib.import_module(f"{package}{part}") for part in ("", ".fn", ".types"))
        self._package, self._case, self._task = package, case, task
        self._on_gpu = task.device == "gpu"
        # jaxdali has operators with device="gpu" compute on the CPU where there is no GPU, DALI does not.
        self._device = "gpu" if self._on_gpu or package == "jaxdali" else "cpu"
        self._dali = Dali(Placed(self._fn, self._device), kinds, SIZES[size][2], task.batch)
        self._kept = self._kept_batches(batches)
        self.most = MANY

    def _kept_batches(self, batches: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """[applications, inputs]: what each input is fed."""
        kinds = self._case.inputs
        resident = [[one for kind, one in zip(kinds, mine, strict=True) if kind not in ON_HOST] for mine in batches]
        if self._package == "jaxdali":
            held = iter([kept_by_jaxdali(one, self._on_gpu) for mine in resident for one in mine])
        else:
            names = [kind for _ in batches for kind in kinds if kind not in ON_HOST]
            flat = [one for mine in resident for one in mine]
            # The pipeline stays as long as what it has made.
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
        """Lets go of them, and of the inputs."""
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
        """The layout and the samples of each output of one application."""
        found = [(out.layout(), out.as_cpu()) for out in self.few.run()[-self.outputs :]]
        return [(layout, [np.array(out.at(k)) for k in range(len(out))]) for layout, out in found]


@functools.cache
def _driver() -> Any:
    """CUDA's, with the context that both systems compute in."""
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
    """What JAX calls the device."""
    import jax

    return jax.devices()[0].device_kind


def _finish(outputs: Any, on_gpu: bool) -> None:
    """Waits until the device has nothing more to do."""
    import jax

    for output in outputs:
        if hasattr(output, "device_arrays"):
            jax.block_until_ready(output.device_arrays)
        elif not on_gpu:
            output.at(0)
    if on_gpu and (code := _driver().cuCtxSynchronize()):
        raise RuntimeError(f"the GPU failed: cuCtxSynchronize answers {code}")


def _timed(pipe: Any, runs: int, on_gpu: bool) -> float:
    """Seconds of a batch, of so many."""
    _finish((), on_gpu)
    begun = time.perf_counter()
    outputs: Any = ()
    for _ in range(runs):
        outputs = pipe.run()
    _finish(outputs, on_gpu)
    return (time.perf_counter() - begun) / runs


@contextlib.contextmanager
def _turn(path: str) -> Iterator[None]:
    """Nobody else is in it at the same time."""
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def measure(systems: Sequence[Pipelines], task: Task) -> tuple[np.ndarray, np.ndarray | str]:
    """Seconds of a batch, [rounds, systems, few and many], and those in which the GPU is busy, [1, systems, few and many],
    or why they are not known.
    """
    on_gpu = task.device == "gpu"
    with _turn(task.lock):
        is_long = max(_timed(system.few, 2, on_gpu) for system in systems) > LONG_S
    for system in systems:
        system.most = MANY_OF_LONG if is_long else MANY
        system.many.run()  # compiles
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
    except Exception as error:  # the profiler's
        return np.array(found).reshape(-1, *shape), _short(error)
    return np.array(found).reshape(-1, *shape), np.array(busy).reshape(1, *shape) / TRACED_RUNS


def _short(error: Exception) -> str:
    """What it says, without the places of the program's lines, which are this machine's."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return re.sub(
        r", which was used in the pipeline definition with the following traceback:.*?(?= encountered:|$)", "", text
    )[:300]


def answer_on_gpu(name: str, case: Case, size: str, task: Task, alone: bool) -> dict[str, Any]:
    """`failed`, or microseconds of an application, those of the GPU or why it was `not traced`; how far results are apart,
    or `far`: how they are not as DALI's; or why DALI's are missing: it `has it on` "CPU only", or it `failed`.

    Args:
        alone: DALI is not asked.
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
    except Exception as error:  # whatever an operator may raise is what it is about
        answer["failed"] = _short(error)
    finally:
        for each in systems.values():
            each.close()
    return answer


def _compared(
    case: Case, size: str, task: Task, batches: Any, ours: Any, systems: dict[str, Pipelines]
) -> dict[str, Any]:
    """How far DALI's results are from ours. It is one of the systems then, unless it fails."""
    theirs = None
    try:
        theirs = Pipelines("nvidia.dali", case, size, task, batches)
        results = theirs.results()
    except Exception as error:  # DALI's own, whatever it is
        if theirs is not None:
            theirs.close()
        return {"DALI failed": _short(error)}
    systems["DALI"] = theirs
    try:
        return apart(case, ours, results)
    except ValueError as error:
        return {"far": str(error)[:300]}


def _measured(systems: dict[str, Pipelines], task: Task) -> dict[str, Any]:
    """Microseconds of an application of each system; of jaxdali alone, with a reason, where the other one fails."""
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
