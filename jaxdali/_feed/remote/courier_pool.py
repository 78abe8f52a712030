"""Makes the pool of couriers for the sources of a pipeline or a Loader."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jaxdali.errors import ConfigError
from ..processes.interpreter import WorkerProgram
from ..processes.pickler import SourcePickler
from ..processes.pool import WorkerPool
from ..ring.served_source import ServedSource
from ..source.source_kinds import Source
from .courier_process import main
from .ray_workers import Ray
from .settings import Settings, pieces_of
from .silence_watch import SilenceWatch

__all__ = ["check_remote", "make_remote_pool"]

# What couriers run.
_MODULE = main.__module__


def check_remote(sources: Iterable[Source]) -> None:
    """Checks that actors can serve some sources.

    Raises:
        ConfigError: one remembers where it was, so that an actor that dies would take its position with it.
    """
    for source in sources:
        if source.stateful or source.alone:
            raise ConfigError(
                f"{source.description} has to be asked in order, by one process that remembers where it was; actors are "
                "asked for any piece, in any order. Write it as a function of the index (for a Loader: data with __len__ "
                "and __getitem__), or read it with local workers"
            )


def make_remote_pool(
    served_sources: Sequence[ServedSource],
    workers: Ray,
    *,
    restarts: int,
    timeout_s: float | None,
    pickler: SourcePickler | None = None,
) -> WorkerPool:
    """Makes a pool whose workers are couriers. Batches are cut into `pieces_of`.

    Args:
        restarts, timeout_s: see `WorkerPool`; for couriers and for actors alike.

    Raises:
        ConfigError: a source cannot be pickled, or is not for actors.
    """
    check_remote(served.source for served in served_sources)
    whole = tuple(served.source.batch_mode for served in served_sources)
    pool = WorkerPool(
        served_sources,
        workers=workers.couriers or 1,
        start_method="spawn",
        pickler=pickler,
        restarts=restarts,
        program=WorkerProgram(_MODULE, Settings(workers, whole, restarts, timeout_s)),
    )
    pool.decoding.actors = workers.num_workers
    pool.whereabouts.timeout_s = timeout_s
    pool.watch = None if timeout_s is None else SilenceWatch(timeout_s)
    for served in served_sources:
        served.ring.divide_into(pieces_of(workers))
    return pool
