"""Starts fresh interpreters that can load a pool's sources, and prepares everything they need.

`Interpreters` takes the sources, pickles them into a memory file, and opens a descriptor of this process. `start` puts
the descriptors of rings, file and socket into a task of JSON, and runs this interpreter with it: with its flags and
`-P`, without stdin, and with an environment in which jax sees no accelerator. Out goes a `Child`, which is reaped
without a lock. It relies on child.py, whose `bootstrap` reads all of that on the other side.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from jaxdali._base.cpus import Cpus
from jaxdali._base.interruptions import raised_by_handler
from jaxdali.errors import ConfigError, JaxDaliError
from ..ring.served_source import ServedSource
from .child import bootstrap
from .descriptors import Kept, open_pidfd
from .payload import write_payload
from .pickler import SourcePickler
from .reaping import ended
from .source_loading import Shared
from .zygote import in_main_thread, interrupts_blocked

__all__ = ["Child", "Interpreters", "WorkerProgram"]


@dataclasses.dataclass(frozen=True)
class WorkerProgram:
    """What fresh workers run.

    Attributes:
        module: has a function like `child.main`.
        settings: what the module needs to know, picklable. Other users of the machine cannot read it.
    """

    module: str = "jaxdali._feed.processes.child"
    settings: Any = None


def _environment() -> dict[str, str]:
    # Set before any user code runs: a worker must not use the GPU, nor start a thread pool per core.
    return {
        **os.environ,
        "JAX_PLATFORMS": "cpu",
        "CUDA_VISIBLE_DEVICES": "",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


def _flags() -> list[str]:
    """Returns this interpreter's own flags: what it ignores, such as PYTHONPATH, a worker must ignore too."""
    # multiprocessing uses this function too: the available flags differ between Python versions.
    flags: list[str] = subprocess._args_from_interpreter_flags()  # pyright: ignore[reportAttributeAccessIssue]
    for name, value in sys._xoptions.items():
        option = name if value is True else f"{name}={value}"
        if f"-X{option}" not in flags and option not in flags:
            flags += ["-X", option]
    # -P: the working directory is on sys.path only if the parent has it there.
    return flags if "-P" in flags else [*flags, "-P"]


@contextlib.contextmanager
def _nothing_to_read() -> Iterator[int]:
    """Yields an empty file for stdin. It is a pipe, because not every container has /dev/null."""
    reading, writing = os.pipe()
    os.close(writing)
    try:
        yield reading
    finally:
        os.close(reading)


class Child(subprocess.Popen[bytes]):
    """A subprocess whose exit can be polled without a lock.

    `Popen.poll` and `wait` take a lock. An interrupt between taking it and entering their `try` leaves it locked
    forever: the exit would never be noticed, and `wait` would never return.
    """

    def poll(self) -> int | None:
        if self.returncode is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # reaped already: by other code, or by us before an interrupt
                self.returncode = 0 if self.returncode is None else self.returncode
            else:
                self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if (code := ended(self.pid, self.poll, timeout)) is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return code


class Interpreters:
    """Starts fresh interpreters that all load the same sources.

    Raises:
        ConfigError: there is no interpreter to start, or a source cannot be pickled.
    """

    def __init__(
        self,
        served_sources: Sequence[ServedSource],
        workers: int,
        pickler: SourcePickler | None,
        affinity: Cpus = (),
        program: WorkerProgram | None = None,
    ):
        if not sys.executable:
            raise ConfigError('this process has no sys.executable to start workers with; use py_start_method="fork"')
        self._served = list(served_sources)
        self._workers = workers
        self._affinity = affinity
        program = program or WorkerProgram()
        self._command = bootstrap(program.module)
        shared = Shared([served.columns for served in served_sources], program.settings)
        payload = write_payload(shared, [served.source for served in served_sources], pickler)
        self._payload = Kept(payload, "the sources for workers")
        try:
            self._parent = Kept(open_pidfd(os.getpid()), "this process for its workers")
        except BaseException:
            self._payload.close()
            raise

    def start(self, theirs: socket.socket, **task: object) -> Child:
        """Starts one interpreter.

        Args:
            theirs: the child's socket; closed here.
            task: the rest of the task that `child.main` gets.

        Raises:
            OSError: it cannot be started, or other code has closed a descriptor it needs.
        """
        fds = {"socket": theirs.fileno(), "parent": self._parent.number}
        try:
            rings = [(served.ring.control_fd, served.ring.data_fd) for served in self._served]
        except RuntimeError as error:
            if raised_by_handler(error) or isinstance(error, JaxDaliError):
                raise
            raise OSError(str(error)) from error
        common = {"rings": rings, "workers": self._workers, "affinity": self._affinity, "guarded": in_main_thread()}
        words = json.dumps({**fds, **common, **task})
        payload = self._payload.number
        with theirs, _nothing_to_read() as stdin, interrupts_blocked():
            return Child(
                [sys.executable, *_flags(), "-c", self._command, str(payload), words],
                stdin=stdin,
                env=_environment(),
                pass_fds=(*fds.values(), *itertools.chain.from_iterable(rings), payload),
            )

    def close(self) -> None:
        self._payload.close()
        self._parent.close()
