"""Fresh workers in various surroundings; each scenario runs in a program of its own."""

from __future__ import annotations

import errno
import os
import sys
import warnings

import numpy as np
from process_programs import index, make_pipe, run

# Without a working directory Python 3.13.0 cannot import all of its modules, so what pipelines need is imported before.
import jaxdali.pipeline  # noqa: F401
from jaxdali import errors


class ForeignWarning(Warning):
    """A warning category that workers do not have."""


def unclosed_file(start_method: str) -> list:
    """A source that leaves a file to the garbage collector; its warning is ignored, as in most programs."""
    warnings.resetwarnings()
    warnings.simplefilter("ignore", ResourceWarning)
    warnings.filterwarnings("always", category=ForeignWarning)
    warnings.filterwarnings("always", category=np.exceptions.ComplexWarning)

    def source(info):
        open(os.devnull, "rb").read()
        known = [category.__name__ for action, _, category, _, _ in warnings.filters if action == "always"]
        return np.array(known == ["ComplexWarning"])

    with make_pipe(source, start_method) as pipe:
        return run(pipe)


def without_working_directory(start_method: str, folder: str) -> list:
    os.chdir(folder)
    os.rmdir(folder)
    with make_pipe(index, start_method) as pipe:
        return run(pipe)


def stdin_of_workers(start_method: str) -> list:
    def source(info):
        return np.frombuffer(sys.stdin.read().encode() + b"end", np.uint8)

    with make_pipe(source, start_method, batch=1) as pipe:
        return run(pipe)


def without_pidfd(start_method: str) -> str:
    """As if a container's seccomp profile were older than the system call."""

    def refused(pid, flags=0):
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    os.pidfd_open = refused
    pipe = make_pipe(index, start_method)
    try:
        run(pipe)
    except errors.WorkerError as error:
        return str(error)
    raise AssertionError("it needs none")
