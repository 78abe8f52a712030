"""Fresh interpreters that can load a pool's sources: everything that is handed to them."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

from ..cpus import Cpus
from ..errors import ConfigError
from ..ring.served_source import ServedSource
from .child import BOOTSTRAP
from .descriptors import Kept, open_pidfd
from .payload import write_payload
from .pickler import SourcePickler
from .zygote import in_main_thread, interrupts_blocked

__all__ = ["Child", "Interpreters"]


def _environment() -> dict[str, str]:
    # Set before any of the user's code runs: a worker must not take the GPU, nor start a thread pool a core.
    return {
        **os.environ,
        "JAX_PLATFORMS": "cpu",
        "CUDA_VISIBLE_DEVICES": "",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


def _flags() -> list[str]:
    """This interpreter's own flags: what it was told to ignore, such as PYTHONPATH, a worker has to ignore, too."""
    # What multiprocessing uses as well: which flags there are differs from one Python to the next.
    flags: list[str] = subprocess._args_from_interpreter_flags()  # pyright: ignore[reportAttributeAccessIssue]
    for name, value in sys._xoptions.items():
        option = name if value is True else f"{name}={value}"
        if f"-X{option}" not in flags and option not in flags:
            flags += ["-X", option]
    # The working directory is on sys.path only where the parent has it.
    return flags if "-P" in flags else [*flags, "-P"]


@contextlib.contextmanager
def _nothing_to_read() -> Iterator[int]:
    """A file that is at its end, for stdin. A pipe, because not every container has /dev/null."""
    reading, writing = os.pipe()
    os.close(writing)
    try:
        yield reading
    finally:
        os.close(reading)


class Child(subprocess.Popen[bytes]):
    """A process whose end is seen without a lock.

    `Popen.poll` and `wait` take one, and an interrupt that comes between that and their `try` leaves it taken forever: the
    end would never be seen, and a `wait` for it has no end.
    """

    def poll(self) -> int | None:
        if self.returncode is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # reaped, but an interrupt came before that was noted; or by somebody else
                self.returncode = 0 if self.returncode is None else self.returncode
            else:
                self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        deadline = None if timeout is None else time.monotonic() + timeout
        pause = 0.001
        while (code := self.poll()) is None:
            left = pause if deadline is None else deadline - time.monotonic()
            if left <= 0:
                raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
            time.sleep(min(pause, left))
            pause = min(2 * pause, 0.02)
        return code


class Interpreters:
    """Starts fresh interpreters for the same sources.

    Raises:
        ConfigError: there is nothing to start, or a source cannot be pickled.
    """

    def __init__(
        self, served_sources: Sequence[ServedSource], workers: int, pickler: SourcePickler | None, affinity: Cpus = ()
    ):
        if not sys.executable:
            raise ConfigError('this process has no sys.executable to start workers with; use py_start_method="fork"')
        self._served = list(served_sources)
        self._workers = workers
        self._affinity = affinity
        payload = write_payload(
            [served.columns for served in served_sources], [served.source for served in served_sources], pickler
        )
        self._payload = Kept(payload, "the sources for workers")
        try:
            self._parent = Kept(open_pidfd(os.getpid()), "this process for its workers")
        except BaseException:
            self._payload.close()
            raise

    def start(self, theirs: socket.socket, **task: object) -> Child:
        """Starts one.

        Args:
            theirs: its socket, which is closed here.
            task: the rest of what `child.main` gets.

        Raises:
            OSError: it cannot be started; somebody has closed what it needs.
        """
        fds = {"socket": theirs.fileno(), "parent": self._parent.number}
        try:
            rings = [(served.ring.control_fd, served.ring.data_fd) for served in self._served]
        except RuntimeError as error:
            raise OSError(str(error)) from error
        common = {"rings": rings, "workers": self._workers, "affinity": self._affinity, "guarded": in_main_thread()}
        words = json.dumps({**fds, **common, **task})
        payload = self._payload.number
        with theirs, _nothing_to_read() as stdin, interrupts_blocked():
            return Child(
                [sys.executable, *_flags(), "-c", BOOTSTRAP, str(payload), words],
                stdin=stdin,
                env=_environment(),
                pass_fds=(*fds.values(), *itertools.chain.from_iterable(rings), payload),
            )

    def close(self) -> None:
        self._payload.close()
        self._parent.close()
