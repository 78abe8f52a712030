"""Compares operators with DALI's on the CPU.

The time of an operator is the slope between pipelines with 1 and 9 applications (3 for a slow one), computed from the
medians of the rounds, in microseconds, followed by the minimum and maximum over the rounds. ", CPU" is the CPU time of
all threads. Both pipelines get the same nine batches and return a part of each, so both include the time for inputs
(except files, which are small). Both systems take turns in this process, one batch at a time with nothing prepared
beforehand, on as many threads as there are CPUs.
"""

from __future__ import annotations

import functools
import importlib
import os
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from catalogue_case import Case, Dali
from catalogue_figures import FEW, MANY, MANY_OF_LONG, apart, figures
from catalogue_inputs import BATCH, LAYOUTS, SIZES, batch_of
from catalogue_task import Task

__all__ = ["answer_on_cpu"]

SYSTEMS = {"jaxdali": "jaxdali", "DALI": "nvidia.dali"}
LONG_S = 0.05
# A timing consists of as many runs as take this long.
LEAST_S = 0.02
MOST_RUNS = 20
WARM_RUNS = 2
LEAST_ROUNDS, LEAST_ROUNDS_OF_LONG = 4, 3


class Pipelines:
    """A system's pipelines with few and with many applications."""

    def __init__(self, package: str, case: Case, size: str):
        module, fn, types = (importlib.import_module(f"{package}{part}") for part in ("", ".fn", ".types"))
        self._dali = Dali(fn, types, SIZES[size][2], BATCH)
        self._package, self._module, self._case = package, module, case
        self.most = MANY
        self._batches = [
            [batch_of(kind, size, seed=100 * k + place) for place, kind in enumerate(case.inputs)] for k in range(MANY)
        ]

    @functools.cached_property
    def few(self) -> Any:
        return self._pipeline(FEW)

    @functools.cached_property
    def many(self) -> Any:
        return self._pipeline(self.most)

    def close(self) -> None:
        """Drops the pipelines, and in jaxdali what they hold."""
        for pipe in [self.__dict__.pop(name) for name in ("few", "many") if name in self.__dict__]:
            if self._package == "jaxdali":
                pipe.close()

    def _pipeline(self, applications: int) -> Any:
        options = {"exec_async": False, "exec_pipelined": False, "prefetch_queue_depth": 1}
        threads = len(os.sched_getaffinity(0))
        pipe = self._module.Pipeline(batch_size=BATCH, num_threads=threads, device_id=None, seed=7, **options)
        with pipe:
            given = [
                [self._node(kind, batch) for kind, batch in zip(self._case.inputs, batches, strict=True)]
                for batches in self._batches
            ]
            made = [
                self._case.call(self._dali, *(nodes if nodes else [k])) for k, nodes in enumerate(given[:applications])
            ]
            self.outputs = len(made[0]) if isinstance(made[0], list | tuple) else 1
            flat = [node for one in made for node in (one if isinstance(one, list | tuple) else [one])]
            fed = [
                self._part(node, kind) for nodes in given for node, kind in zip(nodes, self._case.inputs, strict=True)
            ]
            fed = [] if {"files", "sounds"} & set(self._case.inputs) else fed
            pipe.set_outputs(*fed, *flat)
        pipe.build()
        return pipe

    @staticmethod
    def _part(node: Any, kind: str) -> Any:
        """A small part of an input, which brings the input to the operators' device in both pipelines."""
        return node + 1 if kind == "numbers" else node[:1]

    def _node(self, kind: str, batch: list[np.ndarray]) -> Any:
        def same() -> list[np.ndarray]:
            return batch

        # DALI may read the arrays in place, as jaxdali does with data that its own process makes.
        options = {} if self._package == "jaxdali" else {"no_copy": True}
        return self._dali.fn.external_source(same, layout=LAYOUTS.get(kind), **options)

    def results(self) -> list[tuple[str, list[np.ndarray]]]:
        """The layout and samples of each output, for one application."""
        return [
            (out.layout(), [np.array(out.at(k)) for k in range(len(out))]) for out in self.few.run()[-self.outputs :]
        ]


def run(pipe: Any) -> None:
    for output in pipe.run():
        output.at(0)  # waits for it


class _Clock:
    """Seconds since its creation, and CPU seconds of all threads of this process."""

    def __init__(self):
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def read(self) -> np.ndarray:
        return np.array([time.perf_counter() - self._wall, time.process_time() - self._cpu])


def _timed(pipe: Any, runs: int) -> np.ndarray:
    clock = _Clock()
    for _ in range(runs):
        run(pipe)
    return clock.read() / runs


def measure(systems: Sequence[Pipelines], rounds: int, seconds: float) -> np.ndarray:
    """[rounds, systems, few and many, 2]: seconds of a run, and CPU seconds. No new round starts after `seconds`,
    except that there are at least four rounds, or three if a run is slow.
    """
    is_long = max(_timed(system.few, 1)[1] for system in systems) > LONG_S
    for system in systems:
        system.most = MANY_OF_LONG if is_long else MANY
    pipes = [pipe for system in systems for pipe in (system.few, system.many)]
    for pipe in pipes[1::2] if is_long else WARM_RUNS * pipes:
        run(pipe)
    counts = [1 if is_long else max(1, min(MOST_RUNS, int(LEAST_S / _timed(pipe, 1)[0]))) for pipe in pipes]
    found = []
    ends = time.perf_counter() + seconds
    for number in range(rounds):
        if number >= (LEAST_ROUNDS_OF_LONG if is_long else LEAST_ROUNDS) and time.perf_counter() > ends:
            break
        found.append([_timed(pipe, count) for pipe, count in zip(pipes, counts, strict=True)])
    return np.array(found).reshape(len(found), len(systems), 2, 2)


def answer_on_cpu(case: Case, size: str, task: Task) -> dict[str, Any]:
    """`failed`, or how far apart results are, and the microseconds of an application, as `figures`."""
    systems = [Pipelines(package, case, size) for package in SYSTEMS.values()]
    try:
        answer = apart(case, *(each.results() for each in systems))
        if task.rounds == 0:
            return answer
        times = measure(systems, task.rounds, task.seconds)
    except Exception as error:  # an operator may raise anything, which is part of what is measured
        return {"failed": " ".join(str(error).split())[:200]}
    finally:
        for each in systems:
            each.close()
    for place, name in enumerate(SYSTEMS):
        for kind, key in enumerate(("", ", CPU")):
            answer[f"{name}{key}"] = figures(times[:, place, :, kind], systems[place].most)
    return answer
