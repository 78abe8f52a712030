"""What is asked of Ray. No other file imports it, and only couriers import this one."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import ray  # pyright: ignore[reportMissingImports]
import ray.exceptions  # pyright: ignore[reportMissingImports]

from .actor import RemoteWorker
from .ray_workers import Ray

__all__ = ["CONNECT_S", "RayCluster", "Unreachable"]

# Ray itself ends processes whose head does not answer for a minute, without saying why.
HEAD_S = 45.0
_LOOK_S = 2.0
# How long joining the cluster may take.
CONNECT_S = 60.0

_WATCH = "watch"


class Unreachable(Exception):
    """There is no such cluster, or it does not answer."""


class RayCluster:
    """A connection to a cluster, of which there is one in a process; a `jobs.Cluster`.

    Args:
        workers: says which cluster, and what actors need there.

    Raises:
        Unreachable: it cannot be joined.
    """

    def __init__(self, workers: Ray):
        self._workers = workers
        host, _, port = workers.address.rpartition(":")
        if host and not _answers_soon(host, int(port)):
            raise Unreachable(f"nobody answers at {workers.address}")
        try:
            ray.init(
                address=workers.address,
                runtime_env=None if workers.runtime_env is None else dict(workers.runtime_env),
                logging_level="ERROR",
            )
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise Unreachable(f"{type(error).__name__}: {error}") from error
        self.head = str(ray.get_runtime_context().gcs_address)
        self._class: Any = ray.remote(concurrency_groups={_WATCH: 1})(RemoteWorker)
        self._kept: dict[Any, Any] = {}

    def put(self, data: Any) -> Any:
        """Has all actors share one copy on each machine."""
        return ray.put(data)

    def start_actor(self) -> Any:
        """Asks for an actor, wherever there is room for it."""
        workers = self._workers
        return self._class.options(
            num_cpus=workers.num_cpus,
            resources=dict(workers.resources or {}) or None,
            memory=workers.memory,
            max_restarts=0,
            max_task_retries=0,
            scheduling_strategy="SPREAD",
            enable_task_events=False,  # the head keeps those of 100,000 tasks, here of as many pieces
        ).remote()

    def call(self, done: Callable[[Any, BaseException | None], None], method: Any, *arguments: Any) -> None:
        """Calls a method; `done` is called in a thread of Ray's."""
        self._await(method.remote(*arguments), done)

    def ask(self, done: Callable[[Any, BaseException | None], None], method: Any) -> None:
        """Calls a method in a group of its own."""
        self._await(method.options(concurrency_group=_WATCH).remote(), done)

    def _await(self, reference: Any, done: Callable[[Any, BaseException | None], None]) -> None:
        future = reference.future()
        self._kept[future] = reference  # without it, Ray would not know whose the object is

        # It must not refer to the future: that cycle would keep what was made in Ray's store until Python looks for cycles.
        def settled(future: Any) -> None:
            del self._kept[future]
            error = future.exception()
            done(None if error is not None else future.result(), error)

        future.add_done_callback(settled)

    def kill(self, actor: Any) -> None:
        """Ends an actor, whether or not it can be reached."""
        with contextlib.suppress(ray.exceptions.RayError):
            ray.kill(actor, no_restart=True)

    def is_lost(self, error: BaseException) -> bool:
        """Whether Ray raised an exception, and not the actor's method."""
        return isinstance(error, ray.exceptions.RayError) and not isinstance(error, ray.exceptions.RayTaskError)

    def watch_head(self, gone: Callable[[str], None]) -> None:
        """Calls a function, in a thread of its own, once the head has not answered for `HEAD_S`. Calls of Ray may be waiting
        for the head then, for longer than that.
        """
        threading.Thread(target=self._watch_head, args=(gone,), daemon=True).start()

    def _watch_head(self, gone: Callable[[str], None]) -> None:
        host, _, port = self.head.rpartition(":")
        answered = time.monotonic()
        while time.monotonic() - answered < HEAD_S:
            time.sleep(_LOOK_S)
            if _answers(host, int(port)):
                answered = time.monotonic()
        gone(f"the head of the Ray cluster, {self.head}, has not answered for {HEAD_S:.0f} s")

    def describe(self) -> str:
        """Says how many machines there are, and what they have."""
        total, free = ray.cluster_resources(), ray.available_resources()
        names = {"CPU", *(self._workers.resources or {})}
        parts = [f"{free.get(name, 0):g} of {total.get(name, 0):g} {name} free" for name in sorted(names)]
        return f"{len([node for node in ray.nodes() if node['Alive']])} machine(s), {', '.join(parts)}"

    def leave(self) -> None:
        """Leaves the cluster, which ends the actors."""
        ray.shutdown()


def _answers(host: str, port: int) -> bool:
    try:
        socket.create_connection((host.strip("[]"), port), _LOOK_S).close()
    except OSError:
        return False
    return True


def _answers_soon(host: str, port: int) -> bool:
    """Whether somebody answers within a third of `CONNECT_S`: a head may be restarting."""
    deadline = time.monotonic() + CONNECT_S / 3
    while not _answers(host, port):
        if time.monotonic() > deadline:
            return False
        time.sleep(_LOOK_S / 4)
    return True
