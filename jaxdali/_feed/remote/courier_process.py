"""The main function of a courier's process. It loads no source, and so none of the user's modules."""

from __future__ import annotations

import functools
import os
import threading
from typing import Any, cast

import numpy as np

from ..processes.child import begin
from ..processes.source_loading import PayloadReader
from ..processes.worker import attach_rings, flush, tell
from .settings import Settings

__all__ = ["main"]


def main(setup: dict[str, Any], payload_fd: int, offset: int, task: dict[str, Any]) -> None:
    """Runs in a fresh interpreter, see `processes.child.main`."""
    connection = begin(setup, task)
    assert connection is not None
    code = 0
    try:
        code = _serve(functools.partial(tell, connection), payload_fd, offset, task)
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else 1
    finally:
        flush()
        os._exit(code)


def _serve(say: Any, payload_fd: int, offset: int, task: dict[str, Any]) -> int:
    """Serves the rings; returns the exit code."""
    shared = PayloadReader(payload_fd, offset).shared
    settings = cast(Settings, shared.settings)
    outputs = [len(columns) for columns in shared.columns]
    rings = attach_rings(task["rings"])
    from .cluster import CONNECT_S, Cluster, Unreachable  # loads Ray, which takes a second
    from .courier import Courier, GivesUp

    address = settings.workers.address
    advice = "is it running, and is this machine one of its nodes (ray start --address=...)? `ray status` tells"
    late = threading.Timer(CONNECT_S, _give_up, (say, f"the Ray cluster {address!r} did not answer; {advice}"))
    late.daemon = True
    late.start()
    try:
        cluster = Cluster(settings.workers)
    except Unreachable as error:
        say({"type": "lost", "message": f"the Ray cluster {address!r} cannot be joined: {error}; {advice}"})
        return 1
    finally:
        late.cancel()
    payload = np.frombuffer(os.pread(payload_fd, os.fstat(payload_fd).st_size, 0), np.uint8)
    try:
        Courier(cluster, settings, rings, outputs, payload, task["worker_id"], say).run()
    except GivesUp as error:
        if str(error):
            say({"type": "lost", "message": f"{error}. Workers of this machine can go on: the state is the same"})
        return 1
    cluster.leave()
    return 0


def _give_up(say: Any, text: str) -> None:
    try:
        say({"type": "lost", "message": text})
    finally:
        flush()
        os._exit(1)
