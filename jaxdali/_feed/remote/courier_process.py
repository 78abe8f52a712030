"""The main function of a courier's process. It loads no source, and so none of the user's modules."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from typing import Any, NoReturn, cast

import numpy as np

from ..processes.child import begin
from ..processes.messages import offer_message
from ..processes.source_loading import PayloadReader, Shared
from ..processes.worker import attach_rings, flush, tell
from .courier import Courier, GivesUp
from .jobs import Cluster
from .settings import Settings

__all__ = ["Parent", "drive", "main"]


_OTHERWISE = "A Loader with workers on this machine can go on from the same state"


class Parent:
    """The connection to the parent, for several threads."""

    def __init__(self, connection: socket.socket):
        self._connection, self._lock = connection, threading.Lock()

    def tell(self, message: dict[str, Any]) -> None:
        with self._lock:
            tell(self._connection, message)

    def beat(self) -> None:
        """Says that this process lives, unless the parent has not read what was said before."""
        with self._lock, contextlib.suppress(OSError):  # the parent has left, which `tell` would notice
            offer_message(self._connection, {"type": "alive"})

    def leave(self, text: str) -> NoReturn:
        """Says why nothing can be made any more, and ends the process, whatever its other threads wait for."""
        try:
            self.tell({"type": "lost", "message": f"{text}. {_OTHERWISE}"})
        finally:
            flush()
            os._exit(1)


def main(setup: dict[str, Any], payload_fd: int, offset: int, task: dict[str, Any]) -> None:
    """Runs in a fresh interpreter, see `processes.child.main`."""
    connection = begin(setup, task)
    assert connection is not None
    code = 0
    try:
        code = _serve(Parent(connection), payload_fd, offset, task)
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else 1
    finally:
        flush()
        os._exit(code)


def _serve(parent: Parent, payload_fd: int, offset: int, task: dict[str, Any]) -> int:
    """Serves the rings; returns the exit code."""
    shared = PayloadReader(payload_fd, offset).shared
    settings = cast(Settings, shared.settings)
    from .cluster import CONNECT_S, RayCluster, Unreachable  # loads Ray, which takes a second

    address = settings.workers.address
    advice = "is it running, and is this machine one of its nodes (ray start --address=...)? `ray status` tells"
    late = threading.Timer(CONNECT_S, parent.leave, (f"the Ray cluster {address!r} did not answer; {advice}",))
    late.daemon = True
    late.start()
    try:
        cluster = RayCluster(settings.workers)
    except Unreachable as error:
        parent.leave(f"the Ray cluster {address!r} cannot be joined: {error}; {advice}")
    finally:
        late.cancel()
    cluster.watch_head(parent.leave)
    return drive(cluster, shared, payload_fd, task, parent)


def drive(cluster: Cluster, shared: Shared, payload_fd: int, task: dict[str, Any], parent: Parent) -> int:
    """Serves the rings with the actors of a cluster until they close; returns the exit code."""
    payload = np.frombuffer(os.pread(payload_fd, os.fstat(payload_fd).st_size, 0), np.uint8)
    outputs = [len(columns) for columns in shared.columns]
    rings = attach_rings(task["rings"])
    try:
        courier = Courier(
            cluster, shared.settings, rings, outputs, payload, task["worker_id"], parent.tell, parent.beat
        )
        courier.run()
    except GivesUp as error:
        if str(error):
            parent.leave(str(error))
        return 1
    cluster.leave()
    return 0
