"""Fresh interpreters that can load a pool's sources: everything that is handed to them."""

from __future__ import annotations

import itertools
import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from ..errors import ConfigError
from .affinity import Cpus
from .child import BOOTSTRAP
from .descriptors import Kept, open_pidfd
from .job import Job
from .payload import write_payload
from .pickler import SourcePickler
from .zygote import interrupts_blocked

__all__ = ["Interpreters"]


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
    flags = ["-P"]  # the working directory is on sys.path only where the parent has it
    for name, value in sys._xoptions.items():
        flags += ["-X", name if value is True else f"{name}={value}"]
    if sys.flags.optimize:
        flags.append("-" + "O" * sys.flags.optimize)
    return flags


class Interpreters:
    """Starts fresh interpreters for the same jobs.

    Raises:
        ConfigError: there is nothing to start, or a source cannot be pickled.
    """

    def __init__(self, jobs: Sequence[Job], workers: int, pickler: SourcePickler | None, affinity: Cpus = ()):
        if not sys.executable:
            raise ConfigError('this process has no sys.executable to start workers with; use py_start_method="fork"')
        self._jobs = list(jobs)
        self._workers = workers
        self._affinity = affinity
        payload = write_payload([job.columns for job in jobs], [job.source for job in jobs], pickler)
        self._payload = Kept(payload, "the sources for workers")
        self._parent = Kept(open_pidfd(os.getpid()), "this process for its workers")

    def start(self, theirs: socket.socket, **task: Any) -> subprocess.Popen[bytes]:
        """Starts one.

        Args:
            theirs: its socket, which is closed here.
            task: the rest of what `child.main` gets.

        Raises:
            OSError: it cannot be started; somebody has closed what it needs.
        """
        fds = {"socket": theirs.fileno(), "parent": self._parent.number}
        try:
            rings = [(job.ring.control_fd, job.ring.data_fd) for job in self._jobs]
        except RuntimeError as error:
            raise OSError(str(error)) from error
        words = json.dumps({**fds, "rings": rings, "workers": self._workers, "affinity": self._affinity, **task})
        payload = self._payload.number
        with theirs, interrupts_blocked():
            return subprocess.Popen(
                [sys.executable, *_flags(), "-c", BOOTSTRAP, str(payload), words],
                stdin=subprocess.DEVNULL,
                env=_environment(),
                pass_fds=(*fds.values(), *itertools.chain.from_iterable(rings), payload),
            )

    def close(self) -> None:
        self._payload.close()
        self._parent.close()
