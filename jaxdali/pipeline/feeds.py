"""From a plan to feeds: how large the rings are, and who fills them."""

from __future__ import annotations

import functools
import logging
import threading
from typing import Any

from .._ffi.compat import backends_are_initialized
from ..errors import StateError
from ..workers.accelerator import cuda_is_initialized
from ..workers.feed import Feed, FeedOptions
from ..workers.inline import InlineProducer
from ..workers.pool import WorkerPool
from .options import PipelineOptions
from .plan import FeedPlan, Plan

__all__ = ["choose_start_method", "make_feeds"]

logger = logging.getLogger("jaxdali")

# Batches that a consumer may keep, beyond those that are dispatched ahead, before further ones are copied out.
_KEPT = 2


def choose_start_method(wanted: str | None, *, with_pickler: bool = False) -> str:
    """The start method of worker processes: the wanted one, or fork while that is safe, else forkserver.

    Args:
        with_pickler: a py_callback_pickler was given, so that sources are to be pickled: not fork.

    Raises:
        StateError: fork is wanted, but this process uses JAX or CUDA, whose threads and locks a fork does not inherit.
    """
    in_use = _accelerator_in_use()
    if wanted == "fork" and in_use:
        raise StateError(
            f"Cannot fork a process when the CUDA has been initialized, or JAX: {in_use} has been initialized in this "
            "process, and its threads and locks do not survive a fork. Call start_py_workers() on every pipeline before "
            f'the first use of {in_use}, or use py_start_method="forkserver" or py_start_method="spawn"'
        )
    if wanted is not None:
        return wanted
    safe = not (in_use or with_pickler or threading.active_count() > 1)
    method = "fork" if safe else "forkserver"
    logger.info("py_start_method was not given: %s", method)
    return method


def _accelerator_in_use() -> str | None:
    if backends_are_initialized():
        return "JAX"
    return "CUDA" if cuda_is_initialized() else None


def make_feeds(plan: Plan, options: PipelineOptions) -> list[Feed]:
    """One feed for the parallel sources, one for the others."""
    return [_make_feed(feed, options) for feed in plan.feeds]


def _make_feed(plan: FeedPlan, options: PipelineOptions) -> Feed:
    make_producer: Any = InlineProducer
    chunks = 1
    if plan.parallel:
        # As in DALI: a batch is cut into as many contiguous pieces as there are workers.
        chunks = min(options.py_num_workers, options.batch_size)
        make_producer = functools.partial(
            WorkerPool,
            workers=options.py_num_workers,
            start_method=choose_start_method(
                options.py_start_method, with_pickler=options.py_callback_pickler is not None
            ),
            pickler=options.py_callback_pickler,
        )
    size = FeedOptions(
        batch_size=options.batch_size,
        ahead=max(plan.depth, 1),
        held=options.prefetch_queue_depth + _KEPT,
        chunks=chunks,
        sample_bytes=plan.sample_bytes,
    )
    return Feed(plan.sources, plan.columns, size, make_producer)
