"""What a worker process does, however it was started: serves the rings of its sources and reports what goes wrong."""

from __future__ import annotations

import dataclasses
import errno
import socket
import sys
from collections.abc import Sequence

from .. import _host
from ..ring.served_source import ServedSource
from ..ring.worker_loop import serve
from .items import ItemTeller
from .jax_watch import JaxWatch
from .messages import send_message
from .source_loading import Loaded, unusable

__all__ = ["CUT_OFF", "ORPHANED", "attach_rings", "flush", "run_loaded", "run_worker", "tell"]

# Exit codes of a worker: its parent is gone; its connection is lost, so it cannot report anything.
ORPHANED = 3
CUT_OFF = 121


def tell(connection: socket.socket, message: dict[str, object]) -> None:
    """Sends a message to the parent.

    Raises:
        SystemExit: the parent has left, in which case a worker exits silently. Or the source has closed the
            connection's descriptor, or another file has its number now; then the message is printed on stderr.
    """
    try:
        send_message(connection, message)
    except (BrokenPipeError, ConnectionResetError):
        connection.close()  # or Python would issue a ResourceWarning
        sys.exit(ORPHANED)
    except OSError as error:
        if error.errno not in (errno.EBADF, errno.ENOTSOCK):
            raise
        print(f"jaxdali: a worker lost its connection and could not report: {message}", file=sys.stderr)
        sys.exit(CUT_OFF)


def run_worker(
    served_sources: Sequence[ServedSource],
    connection: socket.socket,
    worker_id: int,
    workers: int,
    watch: JaxWatch | None = None,
) -> None:
    """Serves the rings of the sources until they close. Reports what goes wrong with the sources.

    Args:
        workers: how many there are that serve all sources; those with higher ids serve those that spread.
        watch: has watched the loading of the sources; None: modules imported before this call are not blamed on them.

    Raises:
        SystemExit: a source has no part for this worker, or the parent is gone.
    """
    watch = watch or JaxWatch()
    with connection:
        try:
            mine = {
                number: dataclasses.replace(served, source=served.source.for_worker(worker_id, workers))
                for number, served in enumerate(served_sources)
                if served.is_served_by(worker_id + 1, workers)
            }
        except BaseException as error:
            tell(connection, unusable(error))
            sys.exit(1)
        for served in mine.values():
            served.source.meet([other.ring for other in served_sources])
        tell(connection, {"type": "ready"})
        fresh = set(mine)

        def finished(number: int) -> None:
            if number in fresh:
                fresh.discard(number)
                if message := watch.message(served_sources[number].source.description):
                    tell(connection, message)

        tellers: dict[int, ItemTeller] = {}
        for number, served in mine.items():
            if (limit_s := served.source.item_limit_s) is not None:
                tellers[number] = served.source.teller = ItemTeller(number, served, connection, limit_s)

        def begun(claim: tuple[int, ...]) -> None:
            if claim[0] in tellers:
                tellers[claim[0]].begin(claim)

        told: set[str] = set()

        def decoding(kind: str) -> None:
            if kind not in told:
                told.add(kind)
                tell(connection, {"type": "decodes", "format": kind})

        serve(mine, worker_id + 1, begun, decoding, lambda failure: tell(connection, failure.to_message()), finished)


def run_loaded(
    loaded: Loaded, rings: Sequence[_host.Ring], connection: socket.socket, worker_id: int, workers: int
) -> None:
    """Sends the messages from loading the sources, then serves them.

    Raises:
        SystemExit: there are no sources, or the parent is gone.
    """
    for message in loaded.messages:
        tell(connection, message)
    if loaded.sources is None:
        connection.close()
        sys.exit(1)
    served_sources = [ServedSource(*parts) for parts in zip(rings, loaded.sources, loaded.shared.columns, strict=True)]
    run_worker(served_sources, connection, worker_id, workers, loaded.watch)


def attach_rings(descriptors: Sequence[tuple[int, int]]) -> list[_host.Ring]:
    """Attaches to the rings. They share the events of the first one."""
    rings: list[_host.Ring] = []
    for control, data in descriptors:
        rings.append(_host.Ring.attach(control, data, rings[0] if rings else None))
    return rings


def flush() -> None:
    """Flushes stdout and stderr."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # None in a daemon
            stream.flush()
