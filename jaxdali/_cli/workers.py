"""Tests whether worker processes can be started, with each start method."""

from __future__ import annotations

import os
import time

from jaxdali.errors import JaxDaliError
from .findings import Section

__all__ = ["inspect_fork", "inspect_start_methods"]


def inspect_start_methods() -> Section:
    """Starts a worker with each method, and lets it make a sample. Call it before JAX's backends start, so that fork
    works.
    """
    from jaxdali._feed.processes.launch import START_METHODS

    section = Section("worker processes")
    for method in START_METHODS:
        began = time.perf_counter()
        try:
            _make_a_sample(method)
        except (JaxDaliError, OSError, ImportError) as error:
            section.fail(
                method,
                f"does not work: {error}",
                f'Workers cannot be started by py_start_method="{method}" on this machine; choose another.',
            )
        else:
            section.add(method, f"works: first batch after {time.perf_counter() - began:.2f} s")
    return section


def _make_a_sample(method: str) -> None:
    import numpy as np

    from jaxdali import fn
    from jaxdali._dali.pipeline.pipeline_decorator import pipeline_def

    def sample(info: object) -> np.ndarray:
        return np.zeros(1, np.uint8)

    @pipeline_def(batch_size=1, py_num_workers=1, py_start_method=method)
    def one() -> object:
        return fn.external_source(source=sample, batch=False, parallel=True)

    with one() as pipe:
        pipe.run()


def inspect_fork(before: str, section: Section) -> None:
    """Reports what jax's threads mean for fork, once its backends have started.

    Args:
        before: the start method that pipelines chose before that.
    """
    from jaxdali._dali.planner.feed_setup import choose_start_method

    after = choose_start_method(None)
    section.add("by default", f"{before} before the first use of jax, {after} after it")
    section.add("threads", f"{len(os.listdir('/proc/self/task'))} in this process, which uses jax")
    if before != after:
        section.advice.append(
            f"jax's threads make {before} unsafe: pipelines that are built after the first use of jax start workers by "
            f"{after}. For {before} call start_py_workers() on every pipeline before that."
        )
