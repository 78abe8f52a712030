"""Runs iterators over external sources of every kind, for several epochs each."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
from epoch_model import BATCH, BATCHES
from epoch_sources import SOURCES

from jaxdali import Pipeline, fn
from jaxdali.plugin.jax import DALIGenericIterator, LastBatchPolicy

EPOCHS = 4
Case = tuple[str, str | None, int | None, str, int, bool, bool]


def pipeline(case: Case) -> Pipeline:
    kind, cycle, _, _, depth, parallel, _ = case
    pipe = Pipeline(
        batch_size=BATCH, num_threads=1, py_num_workers=1, py_start_method="fork", prefetch_queue_depth=depth
    )
    with pipe:
        of_samples = "callable" in kind
        pipe.set_outputs(
            fn.external_source(
                SOURCES[kind](), batch=not of_samples, parallel=parallel, **({} if of_samples else {"cycle": cycle})
            )
        )
    return pipe


def epochs(pipe: Pipeline, case: Case) -> list[list[list[int]]]:
    _, _, size, policy, _, _, resets = case
    iterator = DALIGenericIterator(
        pipe, ["x"], -1 if size is None else size, auto_reset=resets, last_batch_policy=LastBatchPolicy[policy]
    )
    found = []
    for _ in range(EPOCHS):
        batches = itertools.islice(iterator, 3 * BATCHES)  # of a source that never ends, if something is wrong
        found.append([np.asarray(one["x"]).ravel().tolist() for one in batches])
        if not resets:
            iterator.reset()
    return found


def table(cases: list[Case]) -> list[list[list[list[int]]]]:
    """Returns the epochs of each case."""
    pipes = [pipeline(case) for case in cases]
    for pipe in pipes:  # forks, as long as jax is not in use
        pipe.start_py_workers()
    results = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for pipe, case in zip(pipes, cases, strict=True):
            with pipe:
                results.append(epochs(pipe, case))
    return results
