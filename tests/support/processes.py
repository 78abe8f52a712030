"""Runs scenarios in Python processes of their own: their results, and what they leave behind.

A fork must come before JAX has started, and how a process ends can only be seen from outside;
neither can be tested in the process that runs the suite.
"""

from __future__ import annotations

import collections
import importlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

# "At once", as opposed to waiting for something that takes a minute or never comes. How long a matter of milliseconds
# takes depends on the load of the machine.
SOON_S = 15.0

_MAIN = "import json,sys;t=json.loads(sys.argv[1]);sys.path[:]=t['path'];import processes;processes.main(t)"


# Runs as nobody, who may still read what only root may read, because the suite and Python can be anywhere.
AS_NOBODY = (
    "setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+dac_override --ambient-caps=+dac_override".split()
)


def compile_flags() -> str:
    """The suite's XLA_FLAGS without the number of devices, for programs that set their own."""
    return " ".join(flag for flag in os.environ.get("XLA_FLAGS", "").split() if "device_count" not in flag)


def start_program(
    function: Callable[..., Any], *arguments: Any, never_root: bool = False, **options: Any
) -> subprocess.Popen[str]:
    """Starts `function(*arguments)` in a fresh interpreter, with warnings as errors and piped output.

    Args:
        function: in a module of the suite that does not import pytest (which would cost half a second).
        arguments: values that JSON supports.
        never_root: if root runs the suite, the program runs as nobody.
        options: for `subprocess.Popen`.
    """
    task = {
        "path": sys.path,
        "module": function.__module__,
        "function": function.__name__,
        "arguments": arguments,
    }
    environment = {**os.environ, "XLA_FLAGS": compile_flags()}
    prefix = AS_NOBODY if never_root and os.geteuid() == 0 else []
    return subprocess.Popen(
        [*prefix, sys.executable, "-W", "error", "-c", _MAIN, json.dumps(task)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        **options,
    )


def run_program(function: Callable[..., Any], *arguments: Any, timeout_s: float = 300, never_root: bool = False) -> Any:
    """Runs `function(*arguments)` in a fresh interpreter, and returns its result, through JSON.

    Raises:
        AssertionError: it failed, or wrote to stderr, which is the message; subprocess.TimeoutExpired.
    """
    with start_program(function, *arguments, never_root=never_root) as process:
        try:
            output, errors = process.communicate(timeout=timeout_s)
        finally:
            process.kill()
    assert process.returncode == 0, errors
    assert not errors, errors
    return json.loads(output.splitlines()[-1])


def several(module: str, function: str, calls: list[list[Any]]) -> list[Any]:
    """Calls a function with several lists of arguments, one after the other in one program."""
    return [getattr(importlib.import_module(module), function)(*arguments) for arguments in calls]


def run_several(function: Callable[..., Any], calls: list[tuple[Any, ...]], timeout_s: float = 300) -> list[Any]:
    """Like `run_program`, for calls that leave nothing behind: one fresh interpreter for all of them."""
    return run_program(several, function.__module__, function.__name__, calls, timeout_s=timeout_s)


def main(task: dict[str, Any]) -> None:
    # A shell that runs the suite in the background makes it ignore SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Programs whose last batches are padded, and which are about something else.
    warnings.filterwarnings("ignore", r"batch \d+ was completed with rows", UserWarning)
    function = getattr(importlib.import_module(task["module"]), task["function"])
    if "jaxdali" in sys.modules:
        # What a program writes to stderr is a failure, and a slow machine may well wait for five seconds.
        importlib.import_module("jaxdali._base.patience").FIRST_S = 120.0
    print(json.dumps(function(*task["arguments"])), flush=True)


def until(condition: Callable[[], Any], timeout_s: float = 60.0) -> Any:
    """Waits until `condition()` is true, and returns it."""
    end = time.monotonic() + timeout_s
    while not (value := condition()):
        assert time.monotonic() < end, f"still not after {timeout_s} s"
        time.sleep(0.005)
    return value


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def children(pid: int | str = "self") -> list[int]:
    """Direct children of a process, zombies included."""
    tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def descendants(pid: int | str = "self") -> list[int]:
    """All descendants of a process."""
    direct = children(pid)
    return direct + [below for child in direct for below in descendants(child)]


def resources() -> dict[str, Any]:
    """What this process holds: descriptors by kind, threads, children."""
    kinds: collections.Counter[str] = collections.Counter()
    for fd in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{fd}")
        except FileNotFoundError:  # of listdir itself
            continue
        kinds[target.partition(":[")[0] if target.startswith("socket") else target] += 1
    threads = len(os.listdir("/proc/self/task"))
    return {"descriptors": dict(kinds), "threads": threads, "children": children()}
