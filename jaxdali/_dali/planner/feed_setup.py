"""Makes the feeds of a plan: how large their rings are, and what fills them."""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Sequence
from typing import Any

from jaxdali._base.cpus import decode_processes
from jaxdali._base.user_warnings import warn_user
from jaxdali._device.ffi.compat import backends_are_initialized
from jaxdali._device.ffi.driver import cuda_is_initialized
from jaxdali._device.ffi.plugin import plugin_major
from jaxdali._feed.processes.native_threads import lost_threads
from jaxdali._feed.processes.pool import WorkerPool
from jaxdali._feed.remote.courier_pool import make_remote_pool
from jaxdali._feed.remote.ray_workers import Ray
from jaxdali._feed.ring.decoder_tasks import connect_decoders
from jaxdali._feed.ring.feed import Feed
from jaxdali._feed.ring.feed_options import FeedOptions
from jaxdali._feed.ring.inline import InlineProducer
from jaxdali._run.executor.affinity import worker_affinity
from jaxdali._run.executor.decode_ahead.decode_depth import CLIPS_AHEAD, steps_ahead
from jaxdali.errors import StateError
from .options import PipelineOptions
from .plan import FeedPlan, Plan

__all__ = ["choose_start_method", "count_steps_ahead", "make_feeds"]

logger = logging.getLogger("jaxdali")

# The number of batches that a consumer may keep, beyond those dispatched ahead, before further ones are copied out.
_KEPT = 2


def choose_start_method(wanted: str | None, *, with_pickler: bool = False) -> str:
    """Chooses the start method of worker processes: the wanted one, else fork while that is safe, else forkserver.

    A fork is safe as long as this process has no other thread, Python's or a library's, that a fork would lose.

    Args:
        with_pickler: a py_callback_pickler was given, so sources must be pickled, which rules out fork.

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
    safe = _may_fork(with_pickler) and not lost_threads()
    method = "fork" if safe else "forkserver"
    logger.info("py_start_method was not given: %s", method)
    return method


def _may_fork(with_pickler: bool) -> bool:
    """Whether nothing speaks against a fork but perhaps the threads of libraries. Where they are all that does, sources
    that cannot be pickled are forked for one more release, and a warning tells of the others that they are not.
    """
    return not (_accelerator_in_use() or with_pickler or threading.active_count() > 1)


def _accelerator_in_use() -> str | None:
    if backends_are_initialized():
        return "JAX"
    return "CUDA" if cuda_is_initialized() else None


def count_steps_ahead(plan: Plan, options: PipelineOptions) -> int:
    """Returns how many steps the engines of a GPU are given beyond the finished ones; 0 if it is known that there are
    none.
    """
    if plan.packs_clips:  # a batch of decoded clips is as large as hundreds of images
        return CLIPS_AHEAD
    kinds = {decoding.options["decoder"] for several in plan.decoders.values() for decoding in several}
    placed = any(call.device != "cpu" for call in plan.calls)
    if options.device_id is None or not placed or not options.computes_ahead or plugin_major() is None:
        return 0
    return steps_ahead(options.decode_ahead, options.batch_size, kinds)


def make_feeds(plan: Plan, options: PipelineOptions) -> list[Feed]:
    """Makes one feed per source. Parallel sources share a pool of workers."""
    parallel = [feed for feed in plan.feeds if feed.parallel]
    remote = options.py_num_workers if isinstance(options.py_num_workers, Ray) else None
    workers = _number_of_workers(parallel, options.worker_count) if parallel else 0
    most = (
        max(workers, decode_processes(options.num_threads))
        if remote is None and any(feed.source.spreads for feed in parallel)
        else workers
    )
    feeds: list[Feed] = []
    for feed_plan in plan.feeds:
        first = feeds[0].ring if feed_plan.parallel and feeds else None
        feeds.append(_make_feed(feed_plan, feeds, workers, most, options, first, count_steps_ahead(plan, options)))
    pool: WorkerPool | None = None
    how: dict[str, Any] = {"restarts": options.worker_restarts, "timeout_s": options.worker_timeout_s}
    if remote is not None and parallel:
        served = [feed.served for feed in feeds[: len(parallel)]]
        pool = make_remote_pool(served, remote, pickler=options.py_callback_pickler, **how)
    elif parallel:
        with_pickler = options.py_callback_pickler is not None
        pool = WorkerPool(
            [feed.served for feed in feeds[: len(parallel)]],
            workers=workers,
            start_method=choose_start_method(options.py_start_method, with_pickler=with_pickler),
            or_fork=options.py_start_method is None and _may_fork(with_pickler),
            pickler=options.py_callback_pickler,
            affinity=worker_affinity(most, options.device_id) if options.set_affinity else (),
            most=most,
            **how,
        )
    for feed_plan, feed in zip(plan.feeds, feeds, strict=True):
        feed.producer = pool if feed_plan.parallel and pool is not None else InlineProducer(feed.served)
    if options.set_affinity:
        how["affinity"] = worker_affinity(decode_processes(options.num_threads), options.device_id)
    connect_decoders(feeds, functools.partial(WorkerPool, workers=1, start_method="forkserver", **how))
    return feeds


def _number_of_workers(parallel: Sequence[FeedPlan], wanted: int) -> int:
    """Returns the requested number; fewer if all sources are iterables, each of which is bound to one worker."""
    if any(not feed.source.stateful or feed.source.split for feed in parallel) or wanted <= len(parallel):
        return wanted
    warn_user(
        f"There will be run only {len(parallel)} python worker(s), even though {wanted} were specified: every parallel "
        "source is an iterable, and one worker runs it. To share the work use a function of the index, or one of "
        "(worker_id, num_workers) that returns each worker's part",
        UserWarning,
    )
    return len(parallel)


def _make_feed(
    plan: FeedPlan,
    others: Sequence[Feed],
    workers: int,
    most: int,
    options: PipelineOptions,
    first: Any,
    ahead_of_device: int,
) -> Feed:
    source, ahead = plan.source, plan.depth
    if plan.parallel and isinstance(options.py_num_workers, Ray):
        ahead = max(ahead, options.py_num_workers.batches_ahead)
    only: tuple[int, ...] = ()
    if source.stateful and plan.parallel:
        only = tuple(range(1, workers + 1))
        if source.split:
            ahead = max(ahead, workers)
        else:
            homes = sum(feed.served.source.stateful and not feed.served.source.split for feed in others)
            only = (homes % workers + 1,)
    # As in DALI: a batch of samples is cut into one contiguous chunk per worker.
    pieces = plan.parallel and not source.batch_mode
    size = FeedOptions(
        batch_size=options.batch_size,
        ahead=ahead,
        max_leased=options.host_depth + ahead_of_device + _KEPT,
        chunks=min(most if source.spreads else workers, options.batch_size) if pieces else 1,
        only=only,
        length=plan.length,
        sample_bytes=plan.sample_bytes,
        measured=options.enable_memory_stats,
    )
    return Feed(source, plan.columns, size, first)
