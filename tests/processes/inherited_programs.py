"""What workers have of the process that started them: random numbers, and garbage."""

from __future__ import annotations

import atexit
import contextvars
import ctypes
import faulthandler
import gc
import json
import logging
import os
import pathlib
import random
import signal
import socket
import sys
import threading
import time
import types
import warnings
import weakref

import numpy as np
from process_programs import make_pipe, run


class Generator:
    """Stands for PyTorch's default generator: `seed` gives it a new state."""

    state = 7

    def seed(self) -> int:
        self.state = int.from_bytes(os.urandom(7), "little")
        return self.state


class Drawn:
    """Draws from each global generator. Refers to the program's modules, so that fresh workers import NumPy."""

    def __call__(self, info):
        time.sleep(0.01)
        torch = sys.modules.get("torch")
        of_torch = 0 if torch is None else torch.default_generator.state
        return np.array([os.getpid(), np.random.randint(1 << 60), random.getrandbits(60), of_torch])


def draws(start_method: str, bit_generator: str) -> list:
    """Returns what the workers drew: [pid, of NumPy, of Python, of PyTorch]."""
    torch = types.ModuleType("torch")
    torch.default_generator = Generator()
    sys.modules["torch"] = torch
    np.random.set_bit_generator(getattr(np.random, bit_generator)(7))
    random.seed(7)
    rows: list = []
    with make_pipe(Drawn(), start_method, batch=8) as pipe:
        while len({pid for pid, *_ in rows}) < 2:  # the other worker may take longer to start
            rows += run(pipe)
    return rows


def _notes(path: str) -> str:
    with open(path, "a") as file:
        file.write(f"{os.getpid()}\n")
    return path


class WithFinalizer:
    def __init__(self, path: str):
        self.me, self.path = self, path

    def __del__(self):
        _notes(self.path)


class Referred:
    """Noted by a weak reference's callback or a `weakref.finalize` when it goes."""

    def __init__(self):
        self.me = self


class WithOpenFile:
    """Has text that Python has not written yet."""

    def __init__(self, path: str):
        self.me, self.file = self, open(path, "a")
        self.file.write(f"{os.getpid()}\n")


def _waiting(path: str):
    try:
        yield
    finally:
        _notes(path)


class WithGenerator:
    def __init__(self, path: str):
        self.me, self.generator = self, _waiting(path)
        next(self.generator)


class OfThread:
    """Noted when it goes."""

    def __init__(self, path: str):
        self.path = path

    def __del__(self):
        _notes(self.path)


def _hold(ready: threading.Event, over: threading.Event, local: threading.local, path: str, of_context: str) -> None:
    """What a thread has of its own: a forked child does not have the thread."""
    local.value = OfThread(path)
    CONTEXT.set(OfThread(of_context))
    ready.set()
    over.wait()


CONTEXT: contextvars.ContextVar[OfThread] = contextvars.ContextVar("of the program")


class Collects:
    """Keeps something per sample, as a cache does, and collects garbage."""

    def __init__(self):
        self.kept: list[list[int]] = []

    def __call__(self, info):
        self.kept += [[number] for number in range(3000)]
        gc.collect()
        return np.array([info.idx_in_epoch])


def garbage(start_method: str, folder: str) -> dict:
    """Makes garbage that only a full collection finds, and lets workers collect theirs. A thread has values of its own.

    Returns:
        The process that finalised each kind, by the kind's name; and `parent`.
    """
    warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads, by newer Pythons
    names = ("del", "reference", "finalize", "file", "generator", "local", "context")
    paths = {name: str(pathlib.Path(folder, name)) for name in names}
    made = [WithFinalizer(paths["del"]), WithOpenFile(paths["file"]), WithGenerator(paths["generator"])]
    referred = Referred()
    kept = weakref.ref(referred, lambda _: _notes(paths["reference"]))
    weakref.finalize(referred, _notes, paths["finalize"])
    made.append(referred)
    warnings.simplefilter("ignore", ResourceWarning)  # of the open file
    gc.collect()  # they become old
    del made, referred
    ready, over, local = threading.Event(), threading.Event(), threading.local()
    thread = threading.Thread(target=_hold, args=(ready, over, local, paths["local"], paths["context"]))
    thread.start()
    ready.wait()
    with make_pipe(Collects(), start_method) as pipe:
        for _ in range(6):
            run(pipe)
        pipe.reset()
    over.set()
    thread.join()
    gc.collect()
    assert kept() is None
    found = {name: [int(line) for line in pathlib.Path(path).read_text().split()] for name, path in paths.items()}
    return {"parent": os.getpid(), "found": found}


LOCK = threading.Lock()
_NAMED = b"of-a-library"


class Reports:
    """Says what its process has of the program that started it."""

    def __init__(self, folder: str, links: list[str]):
        self.folder, self.links, self.registered = folder, links, False

    def __call__(self, info):
        if not self.registered:
            atexit.register(_notes, f"{self.folder}/exit_of_worker")
            self.registered = True
        tasks = pathlib.Path("/proc/self/task").iterdir()
        held = {os.readlink(entry.path) for entry in os.scandir("/proc/self/fd") if os.path.islink(entry.path)}
        found = {
            "pid": os.getpid(),
            "names": [pathlib.Path(f"/proc/{pid}/comm").read_text().strip() for pid in (os.getpid(), os.getppid())],
            "threads": _NAMED.decode() in [(task / "comm").read_text().strip() for task in tasks],
            "files": [link in held for link in self.links],
            "lock": LOCK.locked(),
            "logging": len(logging.getLogger("of the program").handlers),
            "signals": [_handling(number) for number in _SIGNALS],
            "timer": signal.getitimer(signal.ITIMER_REAL)[0],
            "environment": [os.environ.get(name) for name in _VARIABLES],
            "cwd": os.getcwd(),
            "jax": "jax" in sys.modules,
        }
        return np.frombuffer(json.dumps(found).encode(), np.uint8)


_SIGNALS = (
    signal.SIGUSR1,
    signal.SIGHUP,
    signal.SIGTERM,
    signal.SIGINT,
    signal.SIGALRM,
    signal.SIGUSR2,
    signal.SIGCHLD,
)
_VARIABLES = ("OF_THE_PROGRAM", "JAX_PLATFORMS", "CUDA_VISIBLE_DEVICES", "OMP_NUM_THREADS")


def _handling(number: int) -> str:
    found = signal.getsignal(number)
    return (
        "function"
        if callable(found) and found is not signal.default_int_handler
        else str(getattr(found, "name", found))
    )


def start_native_thread() -> None:
    """Starts a thread that Python knows nothing of, as libraries do. It sleeps."""
    libc, thread = ctypes.CDLL(None), ctypes.c_ulong()
    assert libc.pthread_create(ctypes.byref(thread), None, ctypes.cast(libc.pause, ctypes.c_void_p), None) == 0
    assert libc.pthread_setname_np(thread, _NAMED) == 0


def rows(start_method: str, folder: str) -> dict:
    """Returns what a worker has of a program that has everything. SIGUSR1 is sent to the worker in between."""
    import jax  # noqa: F401

    warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads, by newer Pythons
    os.chdir(folder)
    os.environ.update(OF_THE_PROGRAM="here", JAX_PLATFORMS="cpu,cpu", CUDA_VISIBLE_DEVICES="3", OMP_NUM_THREADS="5")
    pathlib.Path("data").write_bytes(bytes(100))
    file, pair = open("data", "rb"), socket.socketpair()
    for fd in (file.fileno(), pair[0].fileno()):
        os.set_inheritable(fd, True)
    links = [os.readlink(f"/proc/self/fd/{fd}") for fd in (file.fileno(), pair[0].fileno())]
    start_native_thread()
    atexit.register(_notes, f"{folder}/exit")
    logging.getLogger("of the program").addHandler(logging.FileHandler("log"))
    for number in _SIGNALS:
        signal.signal(number, lambda number, frame: _notes(f"{folder}/signals"))
    signal.signal(signal.SIGUSR2, signal.SIG_DFL)
    faulthandler.register(signal.SIGUSR2, file)  # a native function
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_REAL, 1000)
    LOCK.acquire()
    found = []
    with make_pipe(Reports(folder, links), start_method, workers=1, batch=1) as pipe, file, pair[0], pair[1]:
        for _ in range(6):  # more than are made ahead
            found.append(json.loads(bytes(pipe.run()[0].at(0))))
            os.kill(found[0]["pid"], signal.SIGUSR1)
    LOCK.release()
    noted = [name for name in ("exit", "exit_of_worker", "signals") if os.path.exists(name)]
    return {**found[-1], "same": len({one["pid"] for one in found}) == 1, "noted": noted, "cwd_of_program": os.getcwd()}
