"""A cluster of processes on this machine, and a courier that drives it, which a pool starts instead of that of Ray.

Actors are fresh interpreters that answer pickles on a pipe. Killing one loses what it was asked for, as on any cluster.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
from typing import Any

from jaxdali._feed.processes.child import begin
from jaxdali._feed.processes.source_loading import PayloadReader
from jaxdali._feed.processes.worker import flush
from jaxdali._feed.remote.actor import RemoteWorker
from jaxdali._feed.remote.courier_process import Parent, drive


class Lost(Exception):
    """The actor is gone."""


class _Method:
    def __init__(self, actor: ProcessActor, name: str):
        self.actor, self.name = actor, name


class ProcessActor:
    """An actor in a process of its own. `where` is answered by a second thread there."""

    def __init__(self) -> None:
        code = "import process_courier; process_courier.act()"
        path = os.pathsep.join(sys.path)
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", code], stdin=pipe, stdout=pipe, env={**os.environ, "PYTHONPATH": path}
        )
        self.lock = threading.Lock()
        self.pending: dict[int, Any] = {}
        self.count = 0
        self.gone = False
        threading.Thread(target=self._read, daemon=True).start()

    def __getattr__(self, name: str) -> _Method:
        if name in ("about", "load", "make", "where"):
            return _Method(self, name)
        raise AttributeError(name)

    def send(self, done: Any, name: str, arguments: tuple[Any, ...]) -> None:
        with self.lock:
            self.count += 1
            number = self.count
            if not self.gone:
                self.pending[number] = done
        if number not in self.pending:
            done(None, Lost("it died before it was asked"))
            return
        try:
            pickle.dump((number, name, arguments), self.process.stdin)
            self.process.stdin.flush()
        except OSError:
            pass  # the reader tells

    def _read(self) -> None:
        while True:
            try:
                number, answer, error = pickle.load(self.process.stdout)
            except (EOFError, OSError, pickle.UnpicklingError):
                break
            done = self.pending.pop(number)
            failure = None if error is None else RuntimeError(error)
            # As Ray's, answers come in any order.
            threading.Timer(0.02 if number % 3 == 0 else 0.0, done, (answer, failure)).start()
        code = self.process.wait()
        with self.lock:
            self.gone = True
            left, self.pending = self.pending, {}
        for number in sorted(left):
            left[number](None, Lost(f"The actor is dead because its process ended with {code}"))


class ProcessCluster:
    def __init__(self) -> None:
        self.actors: list[ProcessActor] = []

    def put(self, data: Any) -> Any:
        return data

    def start_actor(self) -> ProcessActor:
        self.actors.append(ProcessActor())
        return self.actors[-1]

    def call(self, done: Any, method: Any, *arguments: Any) -> None:
        method.actor.send(done, method.name, arguments)

    def ask(self, done: Any, method: Any) -> None:
        method.actor.send(done, method.name, ())

    def kill(self, actor: ProcessActor) -> None:
        actor.process.kill()

    def is_lost(self, error: BaseException) -> bool:
        return isinstance(error, Lost)

    def describe(self) -> str:
        return "processes of this machine"

    def leave(self) -> None:
        for actor in self.actors:
            actor.process.kill()
            actor.process.wait()


def act() -> None:
    """Runs in an actor's process until the pipe is closed, by the courier or by its end."""
    out, worker, lock = os.dup(1), RemoteWorker(), threading.Lock()
    os.dup2(2, 1)  # what a source prints
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def answer(number: int, name: str, arguments: tuple[Any, ...]) -> None:
        try:
            packed = pickle.dumps((number, getattr(worker, name)(*arguments), None))
        except Exception as error:
            packed = pickle.dumps((number, None, repr(error)))
        try:
            with lock, open(out, "wb", closefd=False) as file:
                file.write(packed)
        except BrokenPipeError:  # the courier is dead
            os._exit(0)

    def read() -> None:
        while True:
            try:
                task = pickle.load(sys.stdin.buffer)
            except (EOFError, pickle.UnpicklingError):
                os._exit(0)
            if task[1] == "where":
                answer(*task)
            else:
                tasks.put(task)

    threading.Thread(target=read, daemon=True).start()
    while True:
        answer(*tasks.get())


def main(setup: dict[str, Any], payload_fd: int, offset: int, task: dict[str, Any]) -> None:
    """What a pool starts, see `jaxdali._feed.processes.child.main`."""
    connection = begin(setup, task)
    assert connection is not None
    code = 1
    try:
        code = drive(ProcessCluster(), PayloadReader(payload_fd, offset).shared, payload_fd, task, Parent(connection))
    finally:
        flush()
        os._exit(code)
